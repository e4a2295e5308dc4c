"""What a person is asked, is shown, and can set."""

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from batches import TEXT, batch, edited
from editor import NAMES
from test_conflicts import refuse, titled

EDIT = ("x TODO", "x DONE")
DONE = TEXT.replace(*EDIT)


# Settings


@pytest.mark.parametrize("name", NAMES)
async def test_settings_are_asked_for_and_taken_when_they_change(start, name):
    editor = await start(name, settings={"severity": "error"})
    uri = editor.open("a.txt", TEXT)
    await refuse(editor, uri, ("TODO", "DONE"), shown=2)
    severities = lambda: {it.severity for it in editor.diagnostics(uri)}
    await editor.until(lambda: severities() == {types.DiagnosticSeverity.Error})
    editor.client.set_configuration({"severity": "hint"}, section="agentEdit")
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    await editor.until(lambda: severities() == {types.DiagnosticSeverity.Hint})


async def test_changes_of_the_settings_are_asked_to_be_told_where_that_is_possible(start):
    editor = await start("vscode")
    await editor.until(lambda: editor.client.registrations)
    [registration] = editor.client.registrations
    assert registration.method == types.WORKSPACE_DID_CHANGE_CONFIGURATION


async def test_a_wrong_setting_is_told(start):
    editor = await start("neovim", settings={"severity": "loud"})
    await editor.until(lambda: editor.client.messages)
    [message] = editor.client.messages
    assert message.type == types.MessageType.Warning
    assert "severity" in message.message and "loud" in message.message


# Work in sight


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("token", ["mine", None])
async def test_a_batch_that_takes_long_is_shown(start, name, token):
    editor = await start(name, timeouts={"progress": 0})
    uri = editor.open("a.txt", TEXT)
    editor.hold = asyncio.Event()
    params = batch(uri, EDIT, label="Numerals")
    told = editor.client.progress_reports
    if token:
        told[token] = []
        params["workDoneToken"] = token
    request = asyncio.ensure_future(editor.agent_edit(params))
    await editor.until(lambda: editor.applied and any(told.values()))
    editor.hold.set()
    assert (await request)["applied"] is True
    # The end has come before the answer.
    [reports] = told.values()
    assert (reports[0].kind, reports[0].title, reports[-1].kind) == ("begin", "Numerals", "end")


async def test_a_batch_that_waits_can_be_cancelled_where_it_is_shown(start):
    editor = await start("vscode", timeouts={"progress": 0})
    uri = editor.open("a.txt", TEXT)
    editor.hold = asyncio.Event()
    first = asyncio.ensure_future(editor.agent_edit(batch(uri, EDIT)))
    await editor.until(lambda: editor.applied)
    editor.client.progress_reports["mine"] = told = []
    second = asyncio.ensure_future(editor.agent_edit(batch(uri, ("first", "1st")) | {"workDoneToken": "mine"}))
    await editor.until(lambda: told)
    assert told[0].cancellable is True
    editor.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams("mine"))
    with pytest.raises(JsonRpcException) as refused:
        await second
    assert (refused.value.code, told[-1].kind) == (types.LSPErrorCodes.RequestCancelled, "end")
    editor.hold.set()
    await first
    assert editor.text(uri) == DONE


# Diagnostics that are asked for


def only_asks(capabilities):
    capabilities.text_document.publish_diagnostics = None
    capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities(related_document_support=False)
    capabilities.workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)


async def test_a_client_that_asks_for_diagnostics_is_answered_and_not_told(start):
    editor = await start("helix", adjust=only_asks)
    assert editor.initialized.capabilities.diagnostic_provider.identifier == "agent-edit"
    uri = editor.open("a.txt", TEXT)
    identifier = types.TextDocumentIdentifier(uri)
    ask = lambda previous=None: editor.client.text_document_diagnostic_async(
        types.DocumentDiagnosticParams(identifier, previous_result_id=previous)
    )
    report = await ask()
    assert (report.kind, len(report.items)) == ("full", 0)
    with pytest.raises(JsonRpcException):
        await editor.agent_edit(batch(uri, ("TODO", "DONE")))
    await editor.until(lambda: editor.client.diagnostic_refresh_count)
    report = await ask(report.result_id)
    assert (report.kind, [it.range.start.line for it in report.items]) == ("full", [1, 2])
    report = await ask(report.result_id)
    assert report.kind == "unchanged"
    assert editor.published == {}


# Review


async def test_an_editor_that_reviews_edits_is_given_them_to_be_confirmed(start):
    editor = await start("vscode", features=["review"])
    uris = [editor.open("a.txt", TEXT), editor.open("b.txt", TEXT)]
    params = {"mode": "review", "label": "Numerals", "documents": [edited(it, EDIT) for it in uris]}
    await editor.agent_edit(params)
    [applied] = editor.applied
    annotations = applied.edit.change_annotations
    assert all((it.label, it.needs_confirmation) == ("Numerals", True) for it in annotations.values())
    for document in applied.edit.document_changes:
        assert all(it.annotation_id in annotations for it in document.edits)
    assert [editor.text(it) for it in uris] == [DONE, DONE]
    editor.refuses = "discarded"
    with pytest.raises(JsonRpcException) as refused:
        await editor.agent_edit(params | {"documents": [edited(uris[0], ("first", "1st"))]})
    assert refused.value.data["code"] == "NOT_APPLIED"


@pytest.mark.parametrize("name", ["neovim", "helix"])
@pytest.mark.parametrize(
    ("choices", "is_applied"), [(["Apply"], True), (["Show", "Apply"], True), (["Discard"], False), ([None], False)]
)
async def test_other_editors_put_a_question(start, name, choices, is_applied):
    editor = await start(name, features=["review"])
    uri = editor.open("a.txt", TEXT)
    editor.choices = list(choices)
    request = editor.agent_edit(batch(uri, EDIT, mode="review", agent="Robot", label="Numerals"))
    if is_applied:
        assert (await request)["applied"] is True
    else:
        with pytest.raises(JsonRpcException) as refused:
            await request
        assert refused.value.data["code"] == "NOT_APPLIED"
    assert editor.text(uri) == (DONE if is_applied else TEXT)
    assert len(editor.questions) == len(choices)
    assert [it.title for it in editor.questions[0].actions] == ["Apply", "Show", "Discard"]
    shown = [Path(it.uri.removeprefix("file://")).read_text() for it in editor.client.shown_documents]
    assert len(shown) == choices.count("Show")
    assert all("-🚀 x TODO énd\n+🚀 x DONE énd\n" in it for it in shown)


# Being shown an edit


async def show(editor):
    """A conflict of which the edit is shown; the answer to the command."""
    uri = editor.open("a.txt", TEXT)
    await refuse(editor, uri, ("TODO", "DONE"), shown=2)
    command = titled(await editor.code_actions(uri, "TODO here"), "Show edit 1").command
    return await editor.execute(command.command, *command.arguments)


@pytest.mark.parametrize("name", NAMES)
async def test_an_edit_is_shown_in_a_file(start, name):
    editor = await start(name)
    answer = await show(editor)
    [shown] = editor.client.shown_documents
    path = Path(shown.uri.removeprefix("file://"))
    assert path.read_text() == answer["diff"]
    assert "+a DONE here" in answer["diff"]
    await editor.client.shutdown_async(None)
    editor.client.exit(None)
    await editor.client._server.wait()
    assert not path.exists()


async def test_an_edit_is_shown_in_a_message_where_no_file_can_be(start):
    def without(capabilities):
        capabilities.window.show_document = None

    editor = await start("vscode", adjust=without)
    answer = await show(editor)
    assert editor.client.shown_documents == []
    assert any(answer["diff"] in it.message for it in editor.client.messages)


async def test_an_edit_is_shown_by_a_client_that_shows_diffs_itself(start):
    editor = await start("vscode", announces={"showEdit": True})
    asked = []
    editor._serve("agentEdit/showEdit", lambda params: asked.append(params))
    await show(editor)
    [params] = asked
    assert params["left"]["text"] == "a TODO here"
    assert params["right"]["text"] == "a DONE here"
    assert Path(params["left"]["uri"]).name == "a.txt"
    editor.client.protocol._converter.structure(params["left"]["range"], types.Range)


# Taking back


async def test_what_a_batch_did_is_taken_back(editor):
    uri = editor.open("a.txt", TEXT)
    await editor.agent_edit(batch(uri, EDIT, label="Numerals"))
    editor.type(uri, "first", "typed\n")
    [action] = [it for it in await editor.code_actions(uri, "x DONE") if it.title.startswith("Revert agent edits")]
    assert action.kind == "refactor.rewrite" and "Numerals" in action.title
    result = await editor.execute(action.command.command, *action.command.arguments)
    assert result["documents"] == [{"uri": uri, "reverted": True}]
    assert editor.text(uri) == "typed\n" + TEXT


# Saving


@pytest.mark.parametrize("name", NAMES)
async def test_a_client_that_saves_is_asked_to(start, name):
    editor = await start(name, features=["save"], announces={"save": True})
    (editor.folder / "a.txt").write_text(TEXT)
    uri = editor.open("a.txt", TEXT)
    asked = []

    def save(params):
        asked.extend(params["textDocuments"])
        for it in params["textDocuments"]:
            Path(it["uri"].removeprefix("file://")).write_text(editor.text(it["uri"]))
        return {"saved": [True for _ in params["textDocuments"]]}

    editor._serve("agentEdit/save", save)
    result = await editor.agent_edit(batch(uri, EDIT, save=True))
    assert asked == [{"uri": uri, "version": editor.documents[uri].version}]
    assert result["documents"][0]["saved"] is True
    assert (editor.folder / "a.txt").read_text() == DONE
