"""Atomic sections: brute force, Mixer §5 and plain interleavings find the same executions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mazurka.kat.language.load import named_model
from mazurka.program import Program
from mazurka.reference import Canonical, Graph, Machine, enumerate_executions
from mazurka.reference.graph import NOTHING, per_byte
from mazurka.reference.mixing import verify_sections
from mazurka.reference.mixing.mixer import latest
from mazurka.reference.running.labels import EventId, Kind, Label
from mazurka.reference.sections import widenings
from mazurka.testing import Test, parse_litmus, to_program
from mazurka.testing.section_strategies import section_tests
from mixer_answers import assert_same
from profiles import examples, some

MODELS = {name: named_model(name) for name in ("sc", "tso", "rc11-ra", "rc11")}
WEAK = {"sc": 3, "tso": 4, "rc11-ra": 4, "rc11": 4}


def alike(count: int) -> dict[str, int]:
    return dict.fromkeys(MODELS, count)


# Programs with the number of their executions. With nothing but sections, these are the orders of conflicting
# sections, under every model.
PROGRAMS = {
    "example 5.1": (
        "{Wrlx z 1}; {Rrlx x} || {Rrlx z; if r0==0 Rrlx y; if r0==0 if r1==0 Wrlx x 1} || {Wrlx y 1}",
        alike(3),  # the second thread is late for z, or late for y only, or for nothing
    ),
    "example 2.4": (
        "{Wrlx x 2}; {Rrlx z} || {Arlx x; Arlx y; Arlx z} || {Wrlx y 1}; {Wrlx z 1}",
        alike(4 + 2 * 5),  # as with accesses of several sizes (test_mixer)
    ),
    "example 3.1": ("{Rrlx x; Rrlx y} || {Wrlx x 1} || {Wrlx y 1}", alike(2 * 2)),
    "updates are not lost": ("{Rrlx x; Wrlx x =r0} || {Rrlx x; Wrlx x =r0}", alike(2)),
    "a section between those of another thread": (
        "{Wrlx x 1}; {Rrlx y} || {Wrlx y 1}; {Rrlx x}",
        alike(3),  # sequentially consistent, unlike the same accesses alone
    ),
    "store buffers": ("Wrlx x 1; Rrlx y || Wrlx y 1; Rrlx x", WEAK),
    "a section on one side only": ("{Wrlx x 1}; {Rrlx y} || Wrlx y 1; Rrlx x", WEAK),
    "two reads of what one section wrote": ("{Wrlx y 1; Wrlx x 1} || Rrlx x; Rrlx y", alike(3)),
    "what a section writes first is not seen": ("{Wrlx x 1; Wrlx x 2} || Rrlx x", alike(2)),
    "a section reads a byte once": ("{Rrlx x; Rrlx x} || Wrlx x 1", alike(2)),
    "a section reads what it has written": ("{Wrlx x 1; Rrlx x} || Wrlx x 2", alike(2)),
    "nothing comes between what a section reads and writes": (
        "{Rrlx x; Wrlx y 1} || {Rrlx y; Wrlx x 1}",
        alike(2),
    ),
}


def check(program: Program, name: str) -> int:
    """Compares Mixer with brute force; returns how many executions are complete."""
    model = MODELS[name]
    return assert_same(program, verify_sections(program, model), enumerate_executions(program, model))


@pytest.mark.parametrize(("source", "counts"), PROGRAMS.values(), ids=PROGRAMS)
def test_programs(source: str, counts: dict[str, int]) -> None:
    program = to_program(parse_litmus(source))
    found = {name: check(program, name) for name in some(list(MODELS), 3)}
    assert found == {name: counts[name] for name in found}


@examples(ci=80, slow=2_000)
@given(section_tests(), st.sampled_from(sorted(MODELS)))
def test_random_programs(test: Test, name: str) -> None:
    check(to_program(test), name)


@examples(ci=40, slow=2_000)
@given(section_tests())
def test_interleavings(test: Test) -> None:
    """Under sc, an execution is what threads do in turns, each with an access or a section at a time."""
    program = to_program(test)
    expected = enumerate_executions(program, MODELS["sc"])
    if not expected.findings:
        assert interleavings(program) == expected.complete | expected.blocked | expected.early


def interleavings(program: Program) -> set[Canonical]:
    """The executions in which each read sees the newest write."""
    machine, found, seen = Machine(program), set[Canonical](), set[Canonical]()
    pending = [Graph()]
    while pending:
        graph = pending.pop()
        form = machine.canonical(graph)
        if form in seen:
            continue
        seen.add(form)
        available = machine.frontier(graph).available
        pending += [in_turn(machine, graph, event, label) for event, label in available]
        if not available:
            found.add(form)
    return found


def in_turn(machine: Machine, graph: Graph, event: EventId, label: Label) -> Graph:
    """The graph after a thread's turn: an event, or all those of a section or a read-modify-write."""
    graph = with_newest(graph, event, label)
    while True:
        step = machine.step(graph, event[0])
        last = graph.labels[event]
        if not isinstance(step, Label) or not (is_second(last, step) or step.scattered):
            return graph
        event = event if step.kind is Kind.READ else (event[0], event[1] + 1)
        graph = with_newest(graph, event, step)


def is_second(last: Label, step: Label) -> bool:
    return last.exclusive and step.kind is Kind.WRITE and step.exclusive


def with_newest(graph: Graph, event: EventId, label: Label) -> Graph:
    """The graph with an event, or with a wider read of a section, which sees the newest writes."""
    if label.scattered and label.kind is Kind.READ:
        graph = next(widenings(graph, event, label))
    else:
        graph = graph.add(event, label)
    if label.kind not in (Kind.READ, Kind.WRITE):
        return graph
    everything = set(graph.order)
    newest = [latest(graph, cell, everything) for cell, end in graph.spans(event) for _ in range(cell, end)]
    choice = per_byte(tuple(newest)) if newest else NOTHING
    return graph.set_rf(event, choice) if label.kind is Kind.READ else graph.set_co(choice, event)
