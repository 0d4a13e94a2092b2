"""Algorithms 1 and 2 under every shipped model, and why Algorithm 2 is not followed literally."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mazurka.kat.language.load import named_model
from mazurka.kat.meaning.terms import Model
from mazurka.reference import Canonical, Graph, Machine, enumerate_executions, verify
from mazurka.reference.canonical import Equivalence
from mazurka.reference.coherence import with_consistent_co
from mazurka.reference.running.labels import EventId
from mazurka.reference.schedules import Order, lowest_thread, scattered, writes_first
from mazurka.reference.shipped import SC
from mazurka.reference.trust import ReadsFromExplorer
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.strategies import litmus_tests
from profiles import examples
from shipped_models import NAMES

SHIPPED = [named_model(name) for name in NAMES]
ORDERS = st.one_of(st.sampled_from([lowest_thread, writes_first]), st.integers(0, 2**16).map(scattered))


@examples(ci=125, slow=6_250)
@given(litmus_tests(max_candidates=300), st.sampled_from(SHIPPED), ORDERS)
@pytest.mark.parametrize("equivalence", ["co", "rf"])
def test_the_executions_of_brute_force(
    equivalence: Equivalence, test: Test, model: Model, order: Order
) -> None:
    program = to_program(test)
    machine = Machine(program)
    expected = enumerate_executions(program, model, equivalence=equivalence)
    result = verify(program, model, equivalence=equivalence, order=order)
    for graphs, forms in ((result.complete, expected.complete), (result.blocked, expected.blocked)):
        visited = [machine.canonical(graph, equivalence) for graph in graphs]
        assert len(visited) == len(set(visited))
        assert set(visited) == forms
    assert result.findings == expected.findings


@pytest.mark.parametrize(
    ("source", "count"),
    [
        pytest.param("Rrlx x || Wrlx x 1 || Wrlx x 2", 3, id="R+W+W, TruSt fig. 10"),
        pytest.param("Wrlx x 1 || Wrlx x 2 || Wrlx x 3", 1, id="no reads, one class"),
        pytest.param("Arlx x || Arlx x", 2, id="FAI/2: rf says all"),
        pytest.param("Wrlx x 1; Wrlx y 2 || Wrlx y 1; Wrlx x 2", 1, id="2+2W: nobody looks"),
    ],
)
def test_counts_up_to_reads_from(source: str, count: int) -> None:
    program = to_program(parse_litmus(source))
    assert len(verify(program, equivalence="rf").complete) == count
    assert len(enumerate_executions(program, equivalence="rf").complete) == count


class AsPrinted(ReadsFromExplorer):
    """Algorithm 2 taken literally: GetConsCO sees the revisited read, reading as before, and the write."""

    def kept(self, graph: Graph, deleted: set[EventId], read: EventId, write: EventId) -> Graph:
        return graph.set_co(None, write).restrict(set(graph.order) - deleted)


@pytest.mark.parametrize("model", SHIPPED, ids=NAMES)
def test_as_printed_a_graph_is_found_twice(model: Model) -> None:
    """The first read reads 2. If the second reads 1, then 1 is last in co; if it reads 2, then the first co
    that is tried is consistent, with 2 last. The write of 3 finds both maximal, and revisits both.
    """
    program = to_program(parse_litmus("Wrlx x 1 || Wrlx x 2 || Rrlx x; Rrlx x || Wrlx x 3"))
    machine = Machine(program)
    explorers = [algorithm(machine, model, lowest_thread) for algorithm in (ReadsFromExplorer, AsPrinted)]
    ours, printed = [visited(explorer) for explorer in explorers]
    # From 4 writes the two reads read the same (4), or different ones in the order of co; only the initial
    # write is before all others: 3 that begin with it, and 3 * 2 without it.
    assert len(ours) == len(set(ours)) == 4 + 3 + 3 * 2
    assert set(printed) == set(ours)
    assert len(printed) > len(set(printed))


def visited(explorer: ReadsFromExplorer) -> list[object]:
    explorer.visit(Graph())
    return [explorer.machine.canonical(graph, "rf") for graph in explorer.result.complete]


@examples(ci=50, slow=2_500)
@given(litmus_tests(max_candidates=300), st.integers(0, 2**16))
def test_the_co_that_is_found_does_not_depend_on_history(test: Test, seed: int) -> None:
    program = to_program(test)
    found: dict[Canonical, Canonical] = {}
    for order in (lowest_thread, scattered(seed)):
        machine = Machine(program)
        for graph in verify(program, equivalence="co", order=order).complete:
            consistent = with_consistent_co(graph, SC)
            assert consistent is not None
            key = machine.canonical(graph, "rf")
            assert found.setdefault(key, machine.canonical(consistent)) == machine.canonical(consistent)
