"""`workspace/agentEdit` seen by a client that validates everything."""

import pytest
from pygls.exceptions import JsonRpcException

TEXT = "first line\na TODO here\n🚀 x TODO énd\n"


def batch(uri, *edits, **rest):
    edits = [{"oldText": old, "newText": new} for old, new in edits]
    return {"documents": [{"textDocument": {"uri": uri}, "edits": edits}], **rest}


async def test_a_batch_is_applied_through_the_editor(editor):
    uri = editor.open("a.txt", TEXT)
    result = await editor.agent_edit(batch(uri, ("x TODO", "x DONE"), ("first", "1st"), label="Done"))
    assert editor.text(uri) == "1st line\na TODO here\n🚀 x DONE énd\n"
    assert result["applied"] is True
    assert [it.label for it in editor.applied] == ["Done"]


async def test_unsaved_text_is_what_is_edited(editor):
    uri = editor.open("a.txt", TEXT)
    editor.type(uri, "énd", "typed 🚀 ")
    await editor.agent_edit(batch(uri, ("typed 🚀 énd", "END")))
    assert editor.text(uri) == "first line\na TODO here\n🚀 x TODO END\n"


async def test_a_refused_batch_changes_nothing_and_says_why(editor):
    uri = editor.open("a.txt", TEXT)
    with pytest.raises(JsonRpcException) as refused:
        await editor.agent_edit(batch(uri, ("first", "1st"), ("TODO", "DONE")))
    data = refused.value.data
    assert (refused.value.code, data["code"], data["editCount"]) == (-32803, "EDIT_CONFLICT", 2)
    assert [(it["edit"], it["kind"], it["count"], it["lines"]) for it in data["failures"]] == [(1, "ambiguous", 2, [1, 2])]
    assert (editor.text(uri), editor.applied) == (TEXT, [])
