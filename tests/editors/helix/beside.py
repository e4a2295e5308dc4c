"""Stands between Helix and the server, changes nothing, and lets an agent in: Helix sends no requests of its own.

`beside.py SOCKET SERVER ARGUMENT...` starts the server. On the socket it takes one JSON object a line:
`{"batch": params}` is sent as `workspace/agentEdit` and replied to with the answer; `"hold"` keeps the next
`workspace/applyEdit` back, `"held"` is replied to once that has come, `"release"` lets it go on; `{"opened": count}` and
`{"typed": text}` are replied to when the server has been told of so many documents, and of that text.
"""

import json
import os
import socket
import subprocess
import sys
import threading


def read(stream):
    """The body of the next message, or `None` at the end."""
    length = None
    while (line := stream.readline()) not in (b"", b"\r\n"):
        name, value = line.split(b":", 1)
        if name.lower() == b"content-length":
            length = int(value)
    return None if length is None else stream.read(length)


def write(stream, body):
    stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    stream.flush()


class Between:
    def __init__(self, server):
        self.server = server
        self.to_server = threading.Lock()
        self.answers = {}
        self.opened, self.typed = 0, ""
        self.changed = threading.Condition()
        self.hold, self.held, self.released = threading.Event(), threading.Event(), threading.Event()

    def send(self, body):
        with self.to_server:
            write(self.server.stdin, body)

    def from_editor(self):
        while (body := read(sys.stdin.buffer)) is not None:
            self.send(body)
            self.note(json.loads(body))
        with self.to_server:
            self.server.stdin.close()

    def note(self, message):
        with self.changed:
            if message.get("method") == "textDocument/didOpen":
                self.opened += 1
            if message.get("method") == "textDocument/didChange":
                self.typed += "".join(it["text"] for it in message["params"]["contentChanges"])
            self.changed.notify_all()

    def from_server(self):
        while (body := read(self.server.stdout)) is not None:
            message = json.loads(body)
            if "method" not in message and str(message.get("id")).startswith("agent/"):
                with self.changed:
                    self.answers[message["id"]] = message
                    self.changed.notify_all()
                continue
            if message.get("method") == "workspace/applyEdit" and self.hold.is_set():
                self.hold.clear()
                self.held.set()
                self.released.wait()
            write(sys.stdout.buffer, body)

    def agents(self, path):
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen()
        number = 0
        while True:
            connection, _ = listener.accept()
            number += 1
            threading.Thread(target=self.agent, args=(connection, f"agent/{number}"), daemon=True).start()

    def agent(self, connection, id):
        with connection, connection.makefile("rw") as lines:
            wish = json.loads(lines.readline())
            if wish == "hold":
                self.hold.set()
            elif wish == "held":
                self.held.wait()
            elif wish == "release":
                self.released.set()
            elif "opened" in wish:
                with self.changed:
                    self.changed.wait_for(lambda: self.opened >= wish["opened"])
            elif "typed" in wish:
                with self.changed:
                    self.changed.wait_for(lambda: self.typed.endswith(wish["typed"]))
            else:
                request = {"jsonrpc": "2.0", "id": id, "method": "workspace/agentEdit", "params": wish["batch"]}
                self.send(json.dumps(request).encode())
                with self.changed:
                    self.changed.wait_for(lambda: id in self.answers)
                wish = self.answers[id]
            lines.write(json.dumps(wish) + "\n")
            lines.flush()


def main():
    path, *command = sys.argv[1:]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    between = Between(server)
    threading.Thread(target=between.from_editor, daemon=True).start()
    threading.Thread(target=between.agents, args=(path,), daemon=True).start()
    between.from_server()
    os._exit(server.wait())


main()
