"""That the client is as strict as the other tests rely on: a server of a few lines sends it what is wrong."""

import json
import sys

import pytest

from editor import recorded
from strict import StrictClient

RANGE = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}


def publish(**diagnostic):
    params = {"uri": "file:///a", "diagnostics": [{"range": RANGE, "message": "m"} | diagnostic]}
    return {"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params}


def show(**params):
    return {"jsonrpc": "2.0", "method": "window/logMessage", "params": {"type": 3, "message": "m"} | params}


def progress(**value):
    return {"jsonrpc": "2.0", "method": "$/progress", "params": {"token": "t", "value": value}}


def register(method, options):
    params = {"registrations": [{"id": "r", "method": method, "registerOptions": options}]}
    return {"jsonrpc": "2.0", "id": 1, "method": "client/registerCapability", "params": params}


async def faults(message):
    """What the client finds wrong with `message`."""
    body = json.dumps(message)
    server = f"print('Content-Length: {len(body)}\\r\\n\\r\\n' + {body!r}, end='', flush=True)"
    client = StrictClient()
    client.capabilities = recorded("vscode")[1]
    await client.start_io(sys.executable, "-c", server)
    # The server has written all it has to say, and the client reads to the end of it.
    await client._async_tasks[0]
    await client.stop()
    return client.protocol.faults


async def test_what_is_right_has_no_fault():
    assert await faults(publish(severity=2, data={"any": [1, None]})) == []
    assert await faults(show()) == []
    assert await faults(register("workspace/didChangeConfiguration", {"section": "agentEdit"})) == []


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        (publish(severity=9), "cannot be read"),
        (publish(message=7), ".message: 7 is not of its type"),
        (publish(colour="red"), ".colour: not in the metamodel"),
        (publish(source=None), ".source: not in the metamodel, or null"),
        (publish(range={"start": RANGE["start"]}), "cannot be read"),
        (publish(range={"start": {"line": "0", "character": 0}, "end": RANGE["end"]}), ".line: \"0\" is not of its type"),
        (publish(tags=[5]), "cannot be read"),
        (progress(kind="begin"), "cannot be read"),
        (progress(kind="end", percentage=7), ".percentage: not in the metamodel"),
        (progress(kind="over"), "cannot be read"),
        (register("workspace/didChangeConfiguration", {"section": 7}), "cannot be read"),
        (register("workspace/didChangeConfiguration", {"sections": "agentEdit"}), ".sections: not in the metamodel"),
        (show(type=17), "cannot be read"),
        (show() | {"method": "window/invented"}, "no method of LSP"),
        ({"jsonrpc": "2.0", "id": "nobody's", "result": None}, "an answer to no request"),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": -32600, "message": "m"}}, "an answer to no request"),
        ({"jsonrpc": "2.0", "id": 1, "method": "workspace/applyEdit", "params": {}}, "cannot be read"),
    ],
)
async def test_what_is_wrong_is_a_fault(message, fault):
    found = await faults(message)
    assert any(fault in it for it in found), found
