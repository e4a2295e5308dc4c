"""Helix to test with."""

import os

import pytest

from helix import Helix


@pytest.fixture
def helix(tmp_path):
    helix = Helix(tmp_path, os.environ["AGENT_EDIT_HELIX"], os.environ["AGENT_EDIT"])
    yield helix
    helix.stop()
