"""`workspace/agentEdit`."""

import asyncio
import hashlib

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from batches import TEXT, batch, edited


async def refusal(editor, params):
    """The error of a batch that may not be applied."""
    with pytest.raises(JsonRpcException) as refused:
        await editor.agent_edit(params)
    return refused.value


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


async def test_a_batch_is_applied_through_the_editor(editor):
    uri = editor.open("a.txt", TEXT)
    result = await editor.agent_edit(batch(uri, ("x TODO", "x DONE"), ("first", "1st"), label="Done"))
    assert editor.text(uri) == "1st line\na TODO here\n🚀 x DONE énd\n"
    assert (result["applied"], result["documents"][0]["sha256"]) == (True, sha256(editor.text(uri)))
    assert [it.label for it in editor.applied] == ["Done"]


async def test_unsaved_text_is_what_is_edited(editor):
    uri = editor.open("a.txt", TEXT)
    editor.type(uri, "énd", "typed 🚀 ")
    await editor.agent_edit(batch(uri, ("typed 🚀 énd", "END")))
    assert editor.text(uri) == "first line\na TODO here\n🚀 x TODO END\n"


async def test_several_documents_are_edited_open_or_not(editor):
    (editor.folder / "b.txt").write_text("two\n")
    uris = [editor.open("a.txt", "one\n"), (editor.folder / "b.txt").as_uri()]
    await editor.agent_edit({"documents": [edited(uris[0], ("one", "1")), edited(uris[1], ("two", "2"))]})
    assert [editor.text(it) for it in uris] == ["1\n", "2\n"]
    assert (editor.folder / "b.txt").read_text() == "two\n"


async def test_a_refused_batch_changes_nothing_and_says_why(editor):
    uri = editor.open("a.txt", TEXT)
    error = await refusal(editor, batch(uri, ("first", "1st"), ("TODO", "DONE")))
    assert (error.code, error.data["code"], error.data["editCount"]) == (-32803, "EDIT_CONFLICT", 2)
    failures = [(it["edit"], it["kind"], it["count"], it["lines"]) for it in error.data["failures"]]
    assert failures == [(1, "ambiguous", 2, [1, 2])]
    assert (editor.text(uri), editor.applied) == (TEXT, [])


async def test_the_locations_of_a_conflict_are_ranges_as_agreed(editor):
    uri = editor.open("a.txt", TEXT)
    error = await refusal(editor, batch(uri, ("TODO", "DONE")))
    document = editor.documents[uri]
    for location in error.data["failures"][0]["locations"]:
        range = editor.client.protocol._converter.structure(location, types.Range)
        assert document.text_in_client_range(range) == "TODO"


async def test_a_batch_for_another_version_or_text_is_stale(start):
    editor = await start("vscode", features=["expected_base_sha256"])
    uri = editor.open("a.txt", TEXT)
    error = await refusal(editor, {"documents": [edited(uri, ("first", "1st"), version=7)]})
    assert (error.code, error.data["code"]) == (-32801, "STALE_BASE")
    assert error.data["documents"] == [{"uri": uri, "version": {"expected": 7, "actual": 1}}]
    document = edited(uri, ("first", "1st")) | {"expectedBaseSha256": sha256("another text")}
    error = await refusal(editor, {"documents": [document]})
    assert (error.code, error.data["code"]) == (-32801, "STALE_BASE")
    await editor.agent_edit({"documents": [document | {"expectedBaseSha256": sha256(TEXT)}]})
    assert editor.text(uri).startswith("1st")


async def test_a_preview_shows_the_edits_and_makes_none(start):
    editor = await start("helix", features=["preview"])
    uri = editor.open("a.txt", TEXT)
    result = await editor.agent_edit(batch(uri, ("x TODO", "x DONE"), mode="preview"))
    assert (result["applied"], editor.applied, editor.text(uri)) == (False, [], TEXT)
    document = result["documents"][0]
    assert "-🚀 x TODO énd\n+🚀 x DONE énd\n" in document["diff"]
    # The plan is one that any client can apply.
    edits = [editor.client.protocol._converter.structure(it, types.TextEdit) for it in document["textEdits"]]
    editor._apply(uri, edits)
    assert editor.text(uri) == TEXT.replace("x TODO", "x DONE")


async def test_a_feature_nobody_agreed_on_is_refused(editor):
    uri = editor.open("a.txt", TEXT)
    error = await refusal(editor, batch(uri, ("first", "1st"), mode="preview"))
    assert (error.code, error.data["code"], error.data["feature"]) == (-32602, "UNSUPPORTED_FEATURE", "preview")


async def test_what_is_typed_meanwhile_is_not_run_over(editor):
    uri = editor.open("a.txt", TEXT)
    editor.before_applying = lambda: editor.type(uri, "first", "typed ")
    error = await refusal(editor, batch(uri, ("first", "1st")))
    assert error.code in (-32801, -32803)
    assert editor.text(uri) == "typed " + TEXT


async def test_an_editor_that_refuses_is_quoted(editor):
    uri = editor.open("a.txt", TEXT)
    editor.refuses = "read only here"
    error = await refusal(editor, batch(uri, ("first", "1st")))
    assert (error.code, error.data["code"]) == (-32803, "NOT_APPLIED")
    assert "read only here" in error.data["reason"]
    assert editor.text(uri) == TEXT


async def test_a_cancelled_batch_is_answered_as_cancelled(editor):
    uri = editor.open("a.txt", TEXT)
    editor.hold = asyncio.Event()
    first = asyncio.ensure_future(editor.agent_edit(batch(uri, ("first", "1st"))))
    await editor.until(lambda: editor.applied)
    # It waits for the one before it.
    second = asyncio.ensure_future(editor.agent_edit(batch(uri, ("1st", "2nd")), "second"))
    await asyncio.wait({second}, timeout=0)
    editor.client.cancel_request(types.CancelParams("second"))
    with pytest.raises(JsonRpcException) as refused:
        await second
    assert refused.value.code == types.LSPErrorCodes.RequestCancelled
    editor.hold.set()
    assert (await first)["applied"] is True
    assert editor.text(uri) == TEXT.replace("first", "1st")
