"""A small editor around the strict client. Its documents, positions and changes are those of pygls."""

import asyncio
import inspect
import json
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path
from pygls.workspace import PositionCodec, TextDocument
from pytest_lsp.client import client_capabilities

from strict import StrictClient, converter

DEADLINE = 20
"""Seconds anything may take: far more than a loaded machine needs, so that it is a fault."""

RECORDED = {"vscode": "visual-studio-code", "neovim": "neovim@v0.11.0"}
NAMES = ["vscode", "neovim", "helix"]
"""Whose capabilities there are."""


def recorded(name):
    """What the named editor says of itself in `initialize`: its info and its capabilities."""
    if name in RECORDED:
        info = {"vscode": "Visual Studio Code", "neovim": "Neovim"}[name]
        return types.ClientInfo(name=info), client_capabilities(RECORDED[name])
    raw = json.loads((Path(__file__).parent / "capabilities" / f"{name}.json").read_text())
    params = converter().structure(raw | {"processId": None, "rootUri": None}, types.InitializeParams)
    return params.client_info, params.capabilities


class Editor:
    """One server, and the documents open in it."""

    def __init__(self, name, folder):
        self.name, self.folder = name, Path(folder)
        self.client = StrictClient()
        self.documents = {}
        self.applied = []
        self.refuses = None
        self.before_applying = None
        self.hold = None
        self.exit_code = 0
        self.choices = []
        self.questions = []
        self.published = {}
        self._serve(types.WORKSPACE_APPLY_EDIT, self._apply_edit)
        self._serve(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, self._publish)
        self._serve(types.WINDOW_SHOW_MESSAGE_REQUEST, self._choose)

    async def start(self, server, *, features=(), announces=None, adjust=None, timeouts=None, settings=None):
        """Starts the server and shakes hands. `announces` is said of the client beside `features`, `adjust` may change
        the recorded capabilities, `settings` are what the person has set, `timeouts` are in milliseconds."""
        self.client.set_configuration({"agentEdit": settings})
        await self.client.start_io(server, "lsp")
        info, capabilities = recorded(self.name)
        if features or announces:
            capabilities.experimental = {"agentEdit": {"features": list(features)} | (announces or {})}
        if adjust:
            adjust(capabilities)
        uri = from_fs_path(str(self.folder))
        self.initialized = await self.client.initialize_session(
            types.InitializeParams(
                capabilities=capabilities,
                client_info=info,
                root_uri=uri,
                workspace_folders=[types.WorkspaceFolder(uri=uri, name=self.folder.name)],
                initialization_options={"timeouts": {"diagnose": 20} | (timeouts or {})},
            )
        )
        self.codec = PositionCodec(self.initialized.capabilities.position_encoding)
        return self

    async def finish(self):
        """Ends the server as LSP has it. Anything that was wrong with any message fails here."""
        if self.client._server.returncode is None:
            await asyncio.wait_for(self.client.shutdown_session(), DEADLINE)
        await asyncio.wait_for(self.client.stop(), DEADLINE)
        assert self.client.protocol.faults == []
        assert self.client._server.returncode == self.exit_code

    # What the person does.

    def open(self, name, text):
        uri = from_fs_path(str(self.folder / name))
        first = 1 if self.name == "vscode" else 0
        self.documents[uri] = TextDocument(
            uri, source=text, version=first, sync_kind=types.TextDocumentSyncKind.Incremental, position_codec=self.codec
        )
        item = types.TextDocumentItem(uri=uri, language_id="plaintext", version=first, text=text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def close(self, uri):
        del self.documents[uri]
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    def type(self, uri, before, text):
        """Types `text` in front of the first `before`."""
        document = self.documents[uri]
        place = document.client_position_at_offset(document.source.index(before))
        self._change(document, [(types.Range(place, place), text)])

    def text(self, uri):
        return self.documents[uri].source

    # What agents and plugins send.

    async def agent_edit(self, params, msg_id=None):
        """The result; a refusal is raised as `JsonRpcException`."""
        request = self.client.protocol.send_request_async("workspace/agentEdit", params, msg_id)
        return await asyncio.wait_for(request, DEADLINE)

    async def execute(self, command, *arguments):
        params = types.ExecuteCommandParams(command=command, arguments=list(arguments))
        return await asyncio.wait_for(self.client.workspace_execute_command_async(params), DEADLINE)

    async def code_actions(self, uri, at):
        """What is offered where the first `at` stands."""
        document = self.documents[uri]
        place = document.client_position_at_offset(document.source.index(at))
        here = types.Range(place, place)
        shown = [it for it in self.diagnostics(uri) if it.range.start <= place <= it.range.end]
        params = types.CodeActionParams(
            types.TextDocumentIdentifier(uri), here, types.CodeActionContext(diagnostics=shown)
        )
        return await asyncio.wait_for(self.client.text_document_code_action_async(params), DEADLINE)

    async def until(self, condition):
        """Waits for something that messages of the server bring about."""

        async def until():
            while not condition():
                await self.client.protocol.next_message()

        await asyncio.wait_for(until(), DEADLINE)

    def diagnostics(self, uri):
        return self.published[uri].diagnostics if uri in self.published else []

    # What the server asks for.

    def _serve(self, method, handler):
        async def later(params):
            return await handler(params)

        def at_once(params):
            return handler(params)

        self.client.feature(method)(later if inspect.iscoroutinefunction(handler) else at_once)

    def _publish(self, params: types.PublishDiagnosticsParams):
        self.published[params.uri] = params

    def _choose(self, params: types.ShowMessageRequestParams):
        """The next of `choices`, by its title."""
        self.questions.append(params)
        title = self.choices.pop(0)
        return next((it for it in params.actions if it.title == title), None)

    async def _apply_edit(self, params: types.ApplyWorkspaceEditParams):
        self.applied.append(params)
        if self.hold:
            await self.hold.wait()
        if self.before_applying:
            self.before_applying()
        if self.refuses:
            return types.ApplyWorkspaceEditResult(applied=False, failure_reason=self.refuses)
        edits = params.edit.document_changes
        assert edits is not None and params.edit.changes is None, "the versioned form, and only that"
        if self._is_stale(edits):
            return types.ApplyWorkspaceEditResult(applied=self.name == "neovim")
        for it in edits:
            self._apply(it.text_document.uri, it.edits)
        return types.ApplyWorkspaceEditResult(applied=True)

    def _is_stale(self, edits):
        """Whether the edit is for another version. Neovim looks at the first document alone, and not for version 0."""
        for it in edits[:1] if self.name == "neovim" else edits:
            document, version = self.documents.get(it.text_document.uri), it.text_document.version
            if document and (0 < version < document.version if self.name == "neovim" else version != document.version):
                return True
        return False

    def _apply(self, uri, edits):
        if uri not in self.documents:
            self.open(Path(uri.removeprefix("file://")).name, Path(uri.removeprefix("file://")).read_text())
        # From the end, so that each range is still where it was meant.
        last_first = sorted(edits, key=lambda it: (it.range.start.line, it.range.start.character), reverse=True)
        self._change(self.documents[uri], [(it.range, it.new_text) for it in last_first])

    def _change(self, document, changes):
        events = [types.TextDocumentContentChangePartial(range=range, text=text) for range, text in changes]
        for it in events:
            document.apply_change(it)
        # Neovim's is a counter that has gone on before the first change.
        document.version = max(document.version, 3 if self.name == "neovim" else 0) + 1
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version=document.version, uri=document.uri), events
            )
        )
