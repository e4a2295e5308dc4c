"""From `initialize` to `exit`."""

import asyncio

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from batches import batch
from editor import DEADLINE, NAMES

ENCODINGS = {"vscode": "utf-16", "neovim": "utf-8", "helix": "utf-8"}


async def test_the_server_says_what_it_can_do(editor):
    said = editor.initialized
    assert said.server_info.name == "agent-edit"
    assert said.capabilities.position_encoding == ENCODINGS[editor.name]
    assert said.capabilities.text_document_sync.change == types.TextDocumentSyncKind.Incremental
    assert "agentEdit.apply" in said.capabilities.execute_command_provider.commands
    own = said.capabilities.experimental["agentEdit"]
    assert own["version"] == 1
    assert {"tolerant_match", "preview"} <= set(own["features"])
    assert own["limits"]["documents"] == 100


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_positions_are_counted_as_agreed(start, encoding):
    def only(capabilities):
        capabilities.general.position_encodings = [types.PositionEncodingKind(encoding)]

    editor = await start("helix", adjust=only)
    assert editor.initialized.capabilities.position_encoding == encoding
    uri = editor.open("a.txt", "🚀éTODO 🚀 TODO\r\nénd\n")
    editor.type(uri, "TODO 🚀", "é🚀 ")
    await editor.agent_edit(batch(uri, ("🚀 TODO\r\n", "🚀 DONE\r\n"), ("énd", "end")))
    assert editor.text(uri) == "🚀éé🚀 TODO 🚀 DONE\r\nend\n"


async def test_a_client_that_says_nothing_of_itself_is_served(start):
    def nothing(capabilities):
        for part in ("general", "workspace", "text_document", "window", "experimental"):
            setattr(capabilities, part, None)

    editor = await start("vscode", adjust=nothing)
    uri = editor.open("a.txt", "one\n")
    with pytest.raises(JsonRpcException) as refused:
        await editor.agent_edit(batch(uri, ("one", "1")))
    assert refused.value.data["code"] == "NOT_APPLIED"
    assert (editor.text(uri), editor.applied) == ("one\n", [])


async def test_a_closed_document_is_what_is_on_disk(editor):
    (editor.folder / "a.txt").write_text("on disk\n")
    uri = editor.open("a.txt", "in the editor\n")
    editor.close(uri)
    await editor.agent_edit(batch(uri, ("on disk", "edited")))
    assert editor.text(uri) == "edited\n"
    assert (editor.folder / "a.txt").read_text() == "on disk\n"


async def test_what_does_not_exist_is_an_error_each_client_understands(editor):
    with pytest.raises(JsonRpcException) as refused:
        await editor.client.protocol.send_request_async("workspace/invented", {})
    assert refused.value.code == types.ErrorCodes.MethodNotFound
    with pytest.raises(JsonRpcException) as refused:
        await editor.execute("agentEdit.invented")
    assert refused.value.code == types.ErrorCodes.InvalidParams
    with pytest.raises(JsonRpcException) as refused:
        await editor.agent_edit({"documents": 1})
    assert refused.value.code == types.ErrorCodes.InvalidParams
    editor.client.protocol.notify("workspace/invented", {})


async def test_nothing_is_served_between_shutdown_and_exit(editor):
    uri = editor.open("a.txt", "one\n")
    await editor.client.shutdown_async(None)
    with pytest.raises(JsonRpcException) as refused:
        await editor.agent_edit(batch(uri, ("one", "1")))
    assert refused.value.code == types.ErrorCodes.InvalidRequest
    editor.client.exit(None)
    assert await asyncio.wait_for(editor.client._server.wait(), DEADLINE) == 0


@pytest.mark.parametrize("name", NAMES)
async def test_an_exit_without_shutdown_is_a_failure(start, name):
    editor = await start(name)
    editor.client.exit(None)
    assert await asyncio.wait_for(editor.client._server.wait(), DEADLINE) == 1
    editor.exit_code = 1
