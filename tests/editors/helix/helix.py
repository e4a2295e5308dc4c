"""A real Helix in a terminal of its own, with the README's configuration."""

import json
import os
import re
import shlex
import socket
import subprocess
import sys
import time
from pathlib import Path

DEADLINE = 20
"""Seconds anything may take: far more than a loaded machine needs, so that it is a fault."""

HERE = Path(__file__).parent
README = HERE.parent.parent.parent / "README.md"


def until(what, condition, shown=lambda: ""):
    """Waits until `condition` holds, and returns what it returned."""
    deadline = time.monotonic() + DEADLINE
    while not (found := condition()):
        assert time.monotonic() < deadline, f"waited in vain for {what}\n{shown()}"
        time.sleep(0.02)
    return found


class Helix:
    def __init__(self, folder, hx, server):
        self.folder, self.project = folder, folder / "project"
        (self.project / ".git").mkdir(parents=True)
        self.socket = folder / "agent"
        self.tmux = ["tmux", "-u", "-L", f"agent-edit-{os.getpid()}-{folder.name}", "-f", "/dev/null"]
        self.hx, self.server = hx, server

    def start(self, *files):
        """Starts Helix with these files of the project, and waits until the server knows them."""
        between = self.folder / "bin" / "agent-edit"
        between.parent.mkdir()
        command = [sys.executable, str(HERE / "beside.py"), str(self.socket), self.server]
        between.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
        between.chmod(0o755)
        config = self.folder / "config" / "helix"
        config.mkdir(parents=True)
        (config / "languages.toml").write_text(re.search("```toml\n(.*?)```", README.read_text(), re.S)[1])
        environment = {
            "PATH": f"{between.parent}:/usr/bin:/bin", "HOME": str(self.folder), "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8",
        } | {f"XDG_{it.upper()}_HOME": str(self.folder / it) for it in ("config", "data", "state", "cache")}
        self._tmux(
            "new-session", "-d", "-x", "110", "-y", "24", "-c", str(self.project), "env", "-i",
            *(f"{name}={value}" for name, value in environment.items()), self.hx, *files,
        )
        until("Helix", lambda: "NOR" in self.screen(), self.screen)
        until("the server", self.socket.exists, self.screen)
        self.ask({"opened": len(files)})()
        return self

    def stop(self):
        """Ends the terminal, and with it Helix."""
        subprocess.run([*self.tmux, "kill-server"], check=False, capture_output=True)

    def _tmux(self, *arguments):
        return subprocess.run([*self.tmux, *arguments], check=True, capture_output=True, text=True).stdout

    # What the person does and sees.

    def screen(self):
        return self._tmux("capture-pane", "-p")

    def shows(self, *texts):
        until(f"{texts} on the screen", lambda: all(it in self.screen() for it in texts), self.screen)

    def hides(self, text):
        until(f"no {text!r} on the screen", lambda: text not in self.screen(), self.screen)

    def press(self, *keys):
        self._tmux("send-keys", *keys)

    def command(self, text):
        """Types `:text`."""
        self.press(":")
        self.press("-l", text)
        self.shows(f":{text}")
        self.press("Enter")
        self.hides(f":{text}")

    def type_first(self, text):
        """Types `text` at the beginning of the document, and waits until the server has been told."""
        self.press("g", "g", "i")
        self.shows("INS")
        self.press("-l", text)
        self.ask({"typed": text})()
        self.press("Escape")
        # What is pressed together with Escape is another key.
        self.shows("NOR")

    def saves(self, name, expected):
        """Saves the document in front, which is that file of the project, and waits until it is `expected`."""
        path = self.project / name
        path.unlink()
        self.command("write!")
        written = lambda: path.read_text() if path.exists() else None
        until(f"{name} to be {expected!r}", lambda: written() == expected, lambda: f"{written()!r}\n{self.screen()}")

    # What the agent does.

    def ask(self, wish):
        """Asks `beside.py` for something; the reply comes from what this returns."""
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(DEADLINE)
        connection.connect(str(self.socket))
        lines = connection.makefile("rw")
        lines.write(json.dumps(wish) + "\n")
        lines.flush()
        return lambda: json.loads(lines.readline())

    def agent_edit(self, *documents):
        """Sends a batch. `documents` are names, each with pairs of old and new text."""
        edited = [
            {
                "textDocument": {"uri": (self.project / name).as_uri()},
                "edits": [{"oldText": old, "newText": new} for old, new in edits],
            }
            for name, *edits in documents
        ]
        return self.ask({"batch": {"documents": edited}})
