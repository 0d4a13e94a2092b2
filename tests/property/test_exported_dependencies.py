"""What the engine's graphs say about dependencies: it is what the reference tracks in the same threads.

The reference runs each thread of a graph alone, with the values that its reads have there.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from comparison import SEEDS, plan_of
from engine_graphs import children_from_engine
from hypothesis import given
from mazurka import _engine
from mazurka._engine import RawEvent, RawGraph
from mazurka.frontend import compile_program
from mazurka.kat.meaning.plan import Plan
from mazurka.models.registry import machine_models
from mazurka.program import OFFSET_MASK, Program
from mazurka.reference import Machine
from mazurka.reference.running.labels import Dependencies, Kind, Label
from mazurka.reference.running.processor import Start
from mazurka.testing import Test, to_program
from mazurka.testing.dependency_strategies import dependency_tests
from profiles import examples, some

PROGRAMS = Path(__file__).resolve().parents[1] / "programs"
_FUNCTIONS = 16  # addresses of functions are multiples
Tracked = list[tuple[str, Dependencies]]  # for each event of a thread its kind, and what it depends on


def expected(program: Program, graph: RawGraph) -> dict[int, Tracked]:
    """What the events of each thread depend on, as the reference says."""
    machine = Machine(program, children=children_from_engine([graph]), confirms=False, tracks=True)
    waiting = [Start(0, program.entry)]
    found: dict[int, Tracked] = {}
    while waiting:
        start = waiting.pop()
        found[start.thread] = []
        for label in labels(machine, start, graph.threads[start.thread].events):
            assert label.depends is not None
            is_access = label.kind in (Kind.READ, Kind.WRITE)
            depends = label.depends if is_access else Dependencies(ctrl=label.depends.ctrl)
            found[start.thread].append((label.kind.value, depends))
            if label.kind is Kind.CREATE:
                function = (label.address & OFFSET_MASK) // _FUNCTIONS
                waiting.append(Start(label.other, function, (label.value,)))
    return found


def labels(machine: Machine, start: Start, events: tuple[RawEvent, ...]) -> list[Label]:
    """The events of a thread, if it gets the answers of these; joined threads have returned 0."""
    answers = tuple(event.value if event.kind == "R" else 0 for event in events)
    steps = [machine.resume(start, answers[:number]) for number in range(len(events))]
    assert all(isinstance(step, Label) for step in steps)
    return [step for step in steps if isinstance(step, Label)]


def exported(graph: RawGraph) -> dict[int, Tracked]:
    """What the engine says."""
    found: dict[int, Tracked] = {}
    for number, thread in enumerate(graph.threads):
        if thread.status == "absent":
            continue
        found[number] = []
        for event in thread.events:
            assert event.depends is not None
            assert all(positions == sorted(set(positions)) for positions in event.depends)
            found[number].append((event.kind, Dependencies(*map(frozenset, event.depends))))
    return found


def check(program: Program, plan: Plan, seed: int | None = None) -> int:
    """Compares all executions; returns how many pairs there are."""
    result = _engine.explore(
        program.encode(), plan.encode(), collect=True, dependencies=True, schedule_seed=seed
    )
    graphs = [*result.graphs, *([] if result.graph is None else [result.graph])]
    for graph in graphs:
        assert exported(graph) == expected(program, graph)
    events = (event for graph in graphs for thread in graph.threads for event in thread.events)
    return sum(len(positions) for event in events for positions in event.depends or ())


@pytest.mark.parametrize("name", [*machine_models(), "rc11"])
@examples(ci=100, slow=3_000)
@given(dependency_tests(), SEEDS)
def test_dependencies_are_those_of_the_reference(name: str, test: Test, seed: int | None) -> None:
    """Whether the model needs them or not, and whether threads may have gaps or not."""
    check(to_program(test), plan_of(name), seed)


@pytest.mark.parametrize("name", ["armv8", "imm", "rc11"])
@pytest.mark.parametrize(
    "program",
    some(
        [
            "cas_one_winner.c",
            "cas_weak_loop.c",
            "mutex_spans_calls.c",
            "mutex_trylock.c",
            "litmus_lb.c",
            "heap_other_allocators.c",
            "local_published.c",
            "mutex_twice_each.c",
        ],
        every=2,
    ),
)
def test_dependencies_of_c_are_those_of_the_reference(name: str, program: str) -> None:
    assert check(compile_program(PROGRAMS / program), plan_of(name)) > 0


def test_nothing_is_said_where_nothing_was_tracked() -> None:
    program = compile_program(PROGRAMS / "litmus_lb.c").encode()

    def tracked(name: str, *, asks: bool) -> set[bool]:
        result = _engine.explore(program, plan_of(name).encode(), collect=True, dependencies=asks)
        events = (event for graph in result.graphs for thread in graph.threads for event in thread.events)
        return {event.depends is not None for event in events}

    assert tracked("rc11", asks=False) == {False}
    assert tracked("rc11", asks=True) == tracked("armv8", asks=False) == {True}
