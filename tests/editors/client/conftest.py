"""Editors to test with."""

import os

import pytest

from editor import NAMES, Editor

SERVER = os.environ["AGENT_EDIT"]


@pytest.fixture
async def start(tmp_path):
    """Starts editors, and ends them when the test is over."""
    running = []

    async def start(name, **options):
        editor = Editor(name, tmp_path)
        running.append(editor)
        return await editor.start(SERVER, **options)

    yield start
    for editor in running:
        await editor.finish()


@pytest.fixture(params=NAMES)
async def editor(request, start):
    """One editor of each kind that asks for no features."""
    return await start(request.param)
