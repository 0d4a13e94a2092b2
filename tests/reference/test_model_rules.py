"""The shipped models on races, and on graphs made by hand: threads created and joined, thin air."""

from __future__ import annotations

from functools import cache

import pytest
from mazurka.kat.language.load import named_model
from mazurka.kat.meaning.terms import Model
from mazurka.program import Mode
from mazurka.reference import Graph, enumerate_executions
from mazurka.reference.consistency import is_consistent
from mazurka.reference.running.labels import EventId, Kind, Label
from mazurka.testing import Guard, Load, Register, Store, Test, to_program
from shipped_models import NAMES


@cache
def model(name: str) -> Model:
    return named_model(name)


# Races --------------------------------------------------------------------------------------------------


def message(release: Mode, acquire: Mode) -> Test:
    """Non-atomic data, published by a flag."""
    reader = (Load(acquire, "y"), Guard(Register(0), 1, (Load(Mode.NA, "x"),)))
    return Test(((Store(Mode.NA, "x", 1), Store(release, "y", 1)), reader), (("x", 0), ("y", 0)))


@pytest.mark.parametrize("name", ["rc11", "rc11-cpp11", "rc11-genmc", "rc11-ra"])
@pytest.mark.parametrize(
    ("release", "acquire", "kinds"),
    [
        pytest.param(Mode.REL, Mode.ACQ, set(), id="published"),
        pytest.param(Mode.RLX, Mode.ACQ, {"race"}, id="relaxed store"),
        pytest.param(Mode.REL, Mode.RLX, {"race"}, id="relaxed load"),
    ],
)
def test_races(name: str, release: Mode, acquire: Mode, kinds: set[str]) -> None:
    found = enumerate_executions(to_program(message(release, acquire)), model(name))
    assert found.findings == kinds
    assert len(found.complete) == (1 if kinds else 2)


def test_two_reads_do_not_race() -> None:
    reads = Test(((Load(Mode.NA, "x"),), (Load(Mode.NA, "x"),)), (("x", 0),))
    assert not enumerate_executions(to_program(reads), model("rc11")).findings


def test_an_atomic_and_a_non_atomic_access_race() -> None:
    mixed = Test(((Store(Mode.SC, "x", 1),), (Load(Mode.NA, "x"),)), (("x", 0),))
    assert enumerate_executions(to_program(mixed), model("rc11")).findings == {"race"}


@pytest.mark.parametrize("name", ["sc", "tso", "pso", "ra"])
def test_models_without_races(name: str) -> None:
    assert not enumerate_executions(to_program(message(Mode.RLX, Mode.RLX)), model(name)).findings


# Threads ------------------------------------------------------------------------------------------------


X, Y = 16, 32


def graph_of(events: dict[EventId, Label]) -> Graph:
    """The graph of some events, at most one write a location, in which reads read the initial writes."""
    graph = Graph()
    for event, label in events.items():
        graph = graph.add(event, label)
        if label.kind is Kind.WRITE:
            graph = graph.set_co(None, event)
        if label.kind is Kind.READ:
            graph = graph.set_rf(event, None)
    return graph


def writes(address: int) -> Label:
    return Label(Kind.WRITE, Mode.RLX, address, 4, 1)


def reads(address: int) -> Label:
    return Label(Kind.READ, Mode.RLX, address, 4)


@pytest.mark.parametrize("name", ["tso", "pso"])
@pytest.mark.parametrize(
    "across",
    [
        pytest.param(
            {(0, 1): writes(X), (0, 2): Label(Kind.CREATE, other=2), (2, 0): reads(Y)}, id="by a creation"
        ),
        pytest.param(
            {
                (0, 1): Label(Kind.CREATE, other=2),
                (2, 0): writes(X),
                (0, 2): Label(Kind.JOIN, other=2),
                (0, 3): reads(Y),
            },
            id="by a join",
        ),
    ],
)
def test_store_buffers_are_emptied(across: dict[EventId, Label], name: str) -> None:
    """One thread writes x before another reads y; a third writes y and reads x; both read in vain."""
    for mode, consistent in ((Mode.SC, False), (Mode.REL, True)):
        third = {(1, 0): writes(Y), (1, 1): Label(Kind.FENCE, mode), (1, 2): reads(X)}
        graph = graph_of({(0, 0): Label(Kind.CREATE, other=1), **third, **across})
        assert is_consistent(graph, model(name)) == consistent


@pytest.mark.parametrize("name", NAMES)
def test_nothing_comes_out_of_thin_air(name: str) -> None:
    """Load buffering, as a graph: brute force builds none with a cycle of po and rf, whatever the model."""
    graph = graph_of({(1, 0): reads(X), (1, 1): writes(Y), (2, 0): reads(Y), (2, 1): writes(X)})
    assert is_consistent(graph, model(name))
    assert is_consistent(graph.set_rf((1, 0), (2, 1)), model(name))
    assert not is_consistent(graph.set_rf((1, 0), (2, 1)).set_rf((2, 0), (1, 1)), model(name))
