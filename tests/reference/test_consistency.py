"""Axioms, error rules, atomicity, and what counts as happens-before."""

from __future__ import annotations

import pytest
from mazurka.kat.language.load import load_text
from mazurka.kat.meaning import terms
from mazurka.reference import Graph, enumerate_executions
from mazurka.reference.consistency import happens_before, is_atomic, is_consistent, model_errors
from mazurka.reference.running.labels import Kind, Label
from mazurka.reference.shipped import SC
from mazurka.testing import parse_litmus, to_program

CAUSAL = load_text("acyclic po | rf")


def write(exclusive: bool = False) -> Label:
    return Label(Kind.WRITE, address=16, size=4, exclusive=exclusive)


def read(exclusive: bool = False) -> Label:
    return Label(Kind.READ, address=16, size=4, exclusive=exclusive)


def two_increments() -> Graph:
    """Two read-modify-writes that both read the initial write; only the first one's write is in co."""
    graph = Graph().add((1, 0), read(True)).set_rf((1, 0), None)
    graph = graph.add((1, 1), write(True)).set_co(None, (1, 1))
    return graph.add((2, 0), read(True)).set_rf((2, 0), None)


def write_then_read(source: tuple[int, int] | None) -> Graph:
    """Thread 1 writes and reads; thread 2 writes, later in co."""
    graph = Graph().add((1, 0), write()).set_co(None, (1, 0))
    graph = graph.add((2, 0), write()).set_co((1, 0), (2, 0))
    return graph.add((1, 1), read()).set_rf((1, 1), source)


def test_atomicity_matters_once_the_write_is_there() -> None:
    graph = two_increments()
    assert is_atomic(graph)
    for predecessor in (None, (1, 1)):
        assert not is_consistent(graph.add((2, 1), write(True)).set_co(predecessor, (2, 1)), CAUSAL)


def test_a_weaker_model_allows_more() -> None:
    store_buffering = to_program(parse_litmus("Wrlx x 1; Rrlx y || Wrlx y 1; Rrlx x"))
    assert len(enumerate_executions(store_buffering, SC).complete) == 3
    assert len(enumerate_executions(store_buffering, CAUSAL).complete) == 4


@pytest.mark.parametrize(
    ("axiom", "own", "other", "initial"),  # whether it holds when the read reads from each of the writes
    [
        ("acyclic po | rf | co | fr", True, True, False),
        ("acyclic rf | co", True, True, True),
        ("irreflexive po ; fr", True, True, False),
        ("irreflexive fr ; co", True, True, True),
        ("empty rfe", True, False, False),  # initial writes are of no thread
        ("empty fr", False, True, False),
        ("coherence po", True, True, False),
        (
            "coherence po^-1",
            False,
            False,
            True,
        ),  # the write is eco-before the read, unless that reads earlier
        ("export acyclic po | po^-1 unless rfe <= 0", True, False, False),
        ("empty rf", False, False, False),
    ],
)
def test_axioms(axiom: str, own: bool, other: bool, initial: bool) -> None:
    model = load_text(axiom)
    verdicts = [is_consistent(write_then_read(source), model) for source in ((1, 0), (2, 0), None)]
    assert verdicts == [own, other, initial]


RACE = "acyclic po | rf export error race unless [W] ; loc-overlap ; [W] <= {order}"


@pytest.mark.parametrize(("order", "kinds"), [("co", set()), ("co^-1", set()), ("po", {"race"})])
def test_an_order_either_way_round_is_no_error(order: str, kinds: set[str]) -> None:
    assert model_errors(write_then_read(None), load_text(RACE.format(order=order))) == kinds


def test_a_warning_is_no_finding() -> None:
    model = load_text("acyclic po | rf export warning race unless [W] ; loc-overlap ; [W] <= po")
    assert model_errors(write_then_read(None), model) == set()


def test_happens_before_is_the_models_own() -> None:
    model = load_text("view hb = (po | rfe)+ acyclic po | rf | co")
    assert happens_before(model) == model.views["hb"]
    named = load_text("let hb = (po | rfe)+ acyclic po | rf | co")
    assert happens_before(named) == named.definitions["hb"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("acyclic po | rf | co", "(po | rf | co)+"),
        ("acyclic po | co acyclic rf | fr", "(po | co | (rf | fr))+"),
        ("acyclic po-loc | rf | co", "(po | rf)+"),
        ("acyclic [W] ; po | rf", "(po | rf)+"),
        ("irreflexive po | co", "(po | rf)+"),
    ],
)
def test_happens_before_of_models_without_one(source: str, expected: str) -> None:
    written_out = load_text(f"let it = {expected} acyclic po").definitions["it"]
    assert isinstance(written_out, terms.Plus)
    assert happens_before(load_text(source)) == written_out
