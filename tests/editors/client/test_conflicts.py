"""What the editor shows of a refused batch, and what a person can have done about it."""

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from batches import TEXT, batch


async def refuse(editor, uri, *edits, shown):
    """Sends a batch that does not fit, and waits until `shown` conflicts stand in the editor. The batch's id."""
    with pytest.raises(JsonRpcException) as refused:
        await editor.agent_edit(batch(uri, *edits))
    assert refused.value.data["code"] == "EDIT_CONFLICT"
    await editor.until(lambda: len(editor.diagnostics(uri)) == shown)
    return refused.value.data["batchId"]


def titled(actions, title):
    [action] = [it for it in actions if it.title == title]
    return action


async def test_conflicts_are_shown_as_this_client_can_show_them(editor):
    uri = editor.open("a.txt", TEXT)
    batch_id = await refuse(editor, uri, ("TODO", "DONE"), shown=2)
    document = editor.documents[uri]
    published = editor.published[uri]
    assert published.version == (0 if editor.name == "helix" else None)
    for shown in published.diagnostics:
        assert (shown.source, shown.code, shown.severity) == ("agent-edit", "ambiguous", types.DiagnosticSeverity.Warning)
        assert shown.data == {"batchId": batch_id, "edit": 0}
        assert document.text_in_client_range(shown.range) == "TODO"
        others = shown.related_information or []
        assert len(others) == (0 if editor.name == "helix" else 1)
        for other in others:
            assert document.text_in_client_range(other.location.range) == "TODO"
            assert other.location.range != shown.range


async def test_conflicts_move_with_the_text(editor):
    uri = editor.open("a.txt", TEXT)
    await refuse(editor, uri, ("TODO", "DONE"), shown=2)
    editor.type(uri, "first", "typed\n")
    await editor.until(lambda: [it.range.start.line for it in editor.diagnostics(uri)] == [2, 3])


async def test_an_action_is_a_command_and_applies_the_edit(editor):
    uri = editor.open("a.txt", TEXT)
    await refuse(editor, uri, ("TODO", "DONE"), shown=2)
    actions = await editor.code_actions(uri, "TODO énd")
    assert [it.title for it in actions] == [
        "Apply edit 1 here",
        "Apply edit 1 to all 2 places",
        "Show edit 1",
        "Discard edit 1",
        "Discard all conflicts of this batch",
    ]
    for it in actions:
        assert isinstance(it, types.CodeAction)
        assert (it.kind, it.edit, it.diagnostics[0] in editor.diagnostics(uri)) == ("quickfix", None, True)
    command = titled(actions, "Apply edit 1 here").command
    result = await editor.execute(command.command, *command.arguments)
    assert (result["applied"], result["remaining"]) == (True, 0)
    assert editor.text(uri) == TEXT.replace("x TODO", "x DONE")
    await editor.until(lambda: not editor.diagnostics(uri))


async def test_a_client_that_knows_commands_only_gets_commands(start):
    def without_literals(capabilities):
        capabilities.text_document.code_action = types.CodeActionClientCapabilities()

    editor = await start("vscode", adjust=without_literals)
    assert editor.initialized.capabilities.code_action_provider is True
    uri = editor.open("a.txt", TEXT)
    await refuse(editor, uri, ("TODO", "DONE"), shown=2)
    actions = await editor.code_actions(uri, "TODO here")
    assert actions and all(isinstance(it, types.Command) for it in actions)
    command = titled(actions, "Apply edit 1 to all 2 places")
    await editor.execute(command.command, *command.arguments)
    assert editor.text(uri) == TEXT.replace("TODO", "DONE")


async def test_an_action_for_an_earlier_text_is_refused(editor):
    uri = editor.open("a.txt", TEXT)
    await refuse(editor, uri, ("TODO", "DONE"), shown=2)
    command = titled(await editor.code_actions(uri, "TODO here"), "Apply edit 1 here").command
    editor.type(uri, "first", "TODO\n")
    with pytest.raises(JsonRpcException) as refused:
        await editor.execute(command.command, *command.arguments)
    assert (refused.value.code, refused.value.data["code"]) == (-32801, "CONTENT_MODIFIED")
    assert editor.text(uri) == "TODO\n" + TEXT


async def test_the_edits_that_match_are_applied_without_the_others(editor):
    uri = editor.open("a.txt", TEXT)
    await refuse(editor, uri, ("first", "1st"), ("nowhere to be found", "x"), shown=1)
    first = editor.diagnostics(uri)[0].range.start
    at = editor.documents[uri].source[editor.documents[uri].offset_at_position(first) :]
    command = titled(await editor.code_actions(uri, at), "Apply the 1 edit that matches").command
    result = await editor.execute(command.command, *command.arguments)
    assert (result["applied"], result["remaining"]) == (True, 1)
    assert editor.text(uri) == TEXT.replace("first", "1st")


async def test_commands_need_no_code_actions(editor):
    uri = editor.open("a.txt", TEXT)
    result = await editor.execute("agentEdit.apply", batch(uri, ("first", "1st")))
    assert (result["applied"], editor.text(uri)) == (True, TEXT.replace("first", "1st"))

    batch_id = await refuse(editor, uri, ("TODO", "DONE"), ("nowhere to be found", "x"), shown=3)
    [pending] = await editor.execute("agentEdit.conflicts")
    assert (pending["batchId"], len(pending["failures"])) == (batch_id, 2)

    result = await editor.execute("agentEdit.discard", {"batchId": batch_id, "uri": uri, "edit": 1})
    assert (result["applied"], result["remaining"]) == (False, 1)
    result = await editor.execute("agentEdit.discardAll", {"batchId": batch_id})
    assert (result["applied"], result["remaining"]) == (False, 0)
    await editor.until(lambda: not editor.diagnostics(uri))
    assert await editor.execute("agentEdit.conflicts") == []


async def test_every_command_says_what_it_lacks(editor):
    for command in editor.initialized.capabilities.execute_command_provider.commands:
        if command == "agentEdit.conflicts":
            continue
        for arguments in ([], [None], [7], [{}], [{"batchId": "none", "uri": "file:///none", "edit": 0}]):
            with pytest.raises(JsonRpcException) as refused:
                await editor.execute(command, *arguments)
            assert refused.value.message
