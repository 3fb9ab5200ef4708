"""Clients of fakes that are closed whatever happens, and short waits. (lesson 03)"""

import pytest
from host import client as module
from host.client import Client
from tools.child import Child


@pytest.fixture
def start(monkeypatch):  # whose changes then stay until all are closed
    """Make a client of a command; all are closed at the end."""
    made: list[Client] = []

    def one(command: list[str], opened: bool = True) -> Client:
        made.append(Client("fake", command))
        if opened:
            made[-1].open()
        return made[-1]

    yield one
    for each in made:
        each.close()


@pytest.fixture
def hasty(monkeypatch):
    """Waits that a silent server lets run out are short; those for its end, too."""
    monkeypatch.setattr(module, "PROBE", 0.3)
    monkeypatch.setattr(Client.request, "__defaults__", (None, 0.3))
    monkeypatch.setattr(Child.close, "__defaults__", (0.3,))


@pytest.fixture
def short_probe(monkeypatch):
    monkeypatch.setattr(module, "PROBE", 0.3)
