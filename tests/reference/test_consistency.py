"""The naive check of plans: cycles, atomicity, and the orders that creation and join add."""

from __future__ import annotations

from mazurka.plan import SC, Acyclic, Plan
from mazurka.reference import Graph, enumerate_executions
from mazurka.reference.consistency import is_acyclic, is_atomic, is_consistent, program_order
from mazurka.reference.labels import Kind, Label
from mazurka.testing import parse_litmus, to_program

CAUSAL = Plan("causal", (Acyclic("causality", frozenset({"po", "rf"})),))


def write(exclusive: bool = False) -> Label:
    return Label(Kind.WRITE, address=16, size=4, exclusive=exclusive)


def read(exclusive: bool = False) -> Label:
    return Label(Kind.READ, address=16, size=4, exclusive=exclusive)


def two_increments() -> Graph:
    """Two read-modify-writes that both read the initial write; only the first one's write is in co."""
    graph = Graph().add((1, 0), read(True)).set_rf((1, 0), None)
    graph = graph.add((1, 1), write(True)).set_co(None, (1, 1))
    return graph.add((2, 0), read(True)).set_rf((2, 0), None)


def test_acyclicity() -> None:
    a, b, c = (0, 0), (1, 0), (2, 0)
    assert is_acyclic(set())
    assert is_acyclic({(a, b), (b, c), (a, c)})
    assert not is_acyclic({(a, b), (b, c), (c, a)})
    assert not is_acyclic({(a, a)})


def test_atomicity_matters_once_the_write_is_there() -> None:
    graph = two_increments()
    assert is_atomic(graph)
    for predecessor in (None, (1, 1)):
        assert not is_consistent(graph.add((2, 1), write(True)).set_co(predecessor, (2, 1)), SC)


def test_creation_and_join_count_as_program_order() -> None:
    graph = Graph().add((0, 0), Label(Kind.CREATE, other=1)).add((0, 1), Label(Kind.CREATE, other=2))
    graph = graph.add((1, 0), Label(Kind.FENCE)).add((1, 1), Label(Kind.JOIN, other=2))
    assert program_order(graph) == {
        ((0, 0), (0, 1)),
        ((0, 0), (1, 0)),
        ((1, 0), (1, 1)),
        ((0, 1), (1, 1)),  # the joined thread has no events, so its creation stands for them
    }


def test_a_weaker_plan_allows_more() -> None:
    store_buffering = to_program(parse_litmus("Wrlx x 1; Rrlx y || Wrlx y 1; Rrlx x"))
    assert len(enumerate_executions(store_buffering, SC).complete) == 3
    assert len(enumerate_executions(store_buffering, CAUSAL).complete) == 4
