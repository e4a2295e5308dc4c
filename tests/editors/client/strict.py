"""A client that takes nothing on trust: every message of the server must be one of the official metamodel, whole."""

import asyncio
import json
from copy import deepcopy
from typing import Sequence, Union

from lsprotocol import converters, types
from pygls.protocol.json_rpc import JsonRPCNotification, JsonRPCRequestMessage, JsonRPCResponseMessage
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, LanguageClient, register_lsp_features
from pytest_lsp.protocol import LanguageClientProtocol

# What the server may ask of a client that announces it, beside LSP itself.
OWN_METHODS = {"agentEdit/save", "agentEdit/showEdit"}


def converter():
    """The metamodel's own; what it does not know stays the JSON it is."""
    made = converters.get_converter()
    for envelope in (JsonRPCRequestMessage, JsonRPCResponseMessage, JsonRPCNotification):
        made.register_structure_hook(envelope, lambda raw, cls: cls(**raw))

    # lsprotocol takes a code action with a command for that command.
    def action(raw, _):
        return made.structure(raw, types.Command if isinstance(raw.get("command"), str) else types.CodeAction)

    # And has no way to read the `section` of a registration.
    def sections(raw, _):
        if raw is None or isinstance(raw, str) or all(isinstance(it, str) for it in raw):
            return raw
        raise TypeError(f"no section: {raw!r}")

    made.register_structure_hook(Union[types.Command, types.CodeAction], action)
    made.register_structure_hook(Union[str, Sequence[str], None], sections)
    return made


def differences(raw, taken, path=""):
    """Where `taken`, a message read and written again by the metamodel, is not what the server wrote."""
    if isinstance(raw, dict) and isinstance(taken, dict):
        for key in sorted(raw.keys() | taken.keys()):
            if key not in taken:
                yield f"{path}.{key}: not in the metamodel, or null where it has to be left out"
            elif key not in raw:
                yield f"{path}.{key}: missing"
            else:
                yield from differences(raw[key], taken[key], f"{path}.{key}")
    elif isinstance(raw, list) and isinstance(taken, list) and len(raw) == len(taken):
        for number, (one, other) in enumerate(zip(raw, taken)):
            yield from differences(one, other, f"{path}[{number}]")
    elif type(raw) is not type(taken) or raw != taken:
        yield f"{path}: {json.dumps(raw)} is not of its type, or was read as {json.dumps(taken)}"


PROGRESS = {
    "begin": types.WorkDoneProgressBegin,
    "report": types.WorkDoneProgressReport,
    "end": types.WorkDoneProgressEnd,
}


def loose_parts(raw):
    """What the metamodel leaves to be anything although it has a type: the part, and that type."""
    params = raw.get("params")
    if raw.get("method") == types.PROGRESS:
        yield params["value"], PROGRESS[params["value"]["kind"]]
    if raw.get("method") == types.CLIENT_REGISTER_CAPABILITY:
        for it in params["registrations"]:
            if "registerOptions" in it:
                yield it["registerOptions"], types.METHOD_TO_TYPES[it["method"]][3]


class StrictProtocol(LanguageClientProtocol):
    """Keeps what is wrong with the server's messages in `faults`, and all of them as they came in `received`."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.faults = []
        self.received = []
        self._waiting = []

    def structure_message(self, data):
        if "jsonrpc" not in data:
            return data
        raw = deepcopy(data)
        self.received.append(raw)
        known = self._is_known(raw)
        try:
            message = super().structure_message(data)
            if known:
                self._compare(raw, raw, self._converter.unstructure(message))
            for part, type in loose_parts(raw):
                self._compare(raw, part, self._converter.unstructure(self._converter.structure(deepcopy(part), type)))
        except Exception:
            self.faults.append(f"cannot be read by the metamodel: {json.dumps(raw)}")
            raise
        return message

    def _compare(self, whole, raw, again):
        self.faults.extend(f"{it} in {json.dumps(whole)}" for it in differences(raw, again))

    def _is_known(self, raw):
        """Whether the metamodel has a type for this message. Says what is wrong with it where it may not be unknown."""
        if "method" in raw:
            known = self.get_message_type(raw["method"]) is not None
            if not known and raw["method"] not in OWN_METHODS:
                self.faults.append(f"no method of LSP: {json.dumps(raw)}")
            return known
        if raw.get("id") not in self._request_futures:
            self.faults.append(f"an answer to no request: {json.dumps(raw)}")
        return "error" in raw or self._result_types.get(raw.get("id")) is not None

    def handle_message(self, message):
        super().handle_message(message)
        # After what the message has set going.
        asyncio.get_running_loop().call_soon(self._wake)

    def _wake(self):
        waiting, self._waiting = self._waiting, []
        for it in waiting:
            it.done() or it.set_result(None)

    async def next_message(self):
        """Returns when a message has come, and has been looked at."""
        self._waiting.append(asyncio.get_running_loop().create_future())
        await self._waiting[-1]

    def _handle_request(self, msg_id, method_name, params):
        try:
            super()._handle_request(msg_id, method_name, params)
        except Exception as fault:
            self.faults.append(f"{method_name}: {fault}")
            raise


class StrictClient(LanguageClient):
    """The client of pytest-lsp, strict."""

    def __init__(self):
        super().__init__(protocol_cls=StrictProtocol, converter_factory=converter)
        self.registrations = []
        own = types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS
        register_lsp_features(self, {it: how for it, how in DEFAULT_CLIENT_FEATURES.items() if it != own})

        @self.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params: types.RegistrationParams):
            self.registrations.extend(params.registrations)

    def report_server_error(self, error, source):
        """Called for whatever goes wrong while a message is handled, in the server or in a test."""
        self.protocol.faults.append(f"{source.__name__}: {error!r}")
        super().report_server_error(error, source)
