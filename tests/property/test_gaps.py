"""Models whose ppo is smaller than po: the engine's executions are all consistent ones, each exactly once.

Programs are straight-line and their values constant, so the executions are all choices of rf and co; those
that the reference calls consistent must be the engine's, whatever the schedule.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from math import factorial
from typing import Any, TypeAlias

import pytest
from c11_shape import like_c11
from comparison import SEEDS
from drawing import assert_drawn
from engine_graphs import canonical_from_engine
from hypothesis import given
from hypothesis import strategies as st
from litmus_table import litmus_rows
from mazurka import _engine
from mazurka.kat.language.load import load_text
from mazurka.kat.meaning.plan import Plan
from mazurka.kat.meaning.terms import Model
from mazurka.program import Mode
from mazurka.reference.consistency import is_consistent
from mazurka.reference.graph import Graph
from mazurka.reference.running.labels import Kind, Label
from mazurka.soundness.requirements import plan_model
from mazurka.testing import parse_litmus, to_program
from mazurka.testing.operations import Choose
from profiles import examples, heavy, some

COHERENCE = "acyclic po-loc | rf | co | fr as coherence\n"
READS, WRITES = "[R | UW] ; po ; [R]", "[W] ; po ; [W]"  # the two halves of an exchange are kept together
MODELS = {
    "locations": f"{COHERENCE}ppo = po-loc",
    "reads": f"{COHERENCE}acyclic {READS} | po-loc | rf\nppo = po-loc | {READS}",
    "both": f"{COHERENCE}let kept = po-loc | {READS} | {WRITES}\nacyclic kept | rf | co | fr\nppo = kept",
    "causal": f"{COHERENCE}let kept = po-loc | {READS} | {WRITES}\nacyclic kept | rf\nppo = kept",
    "updates": f"{COHERENCE}let kept = po-loc | po ; [UR] | [UW] ; po\nacyclic kept | rf | fr\nppo = kept",
}

Event: TypeAlias = tuple[int, int]  # a thread and a number in it
Execution: TypeAlias = tuple[frozenset[tuple[Event, Event | None]], frozenset[tuple[Event, ...]]]


@dataclass(frozen=True)
class Operation:
    """A load, a store or an exchange of a location."""

    kind: str
    location: str
    value: int = 1

    def __str__(self) -> str:
        return f"{self.kind}rlx {self.location}" + ("" if self.kind == "R" else f" {self.value}")

    def labels(self) -> list[Label]:
        """The events that it makes; locations are as far apart as it takes."""
        place = (Mode.RLX, 64 + 16 * ord(self.location), 4)
        exclusive = self.kind == "X"
        read = [Label(Kind.READ, *place, exclusive=exclusive)] if self.kind in "RX" else []
        write = [Label(Kind.WRITE, *place, self.value, exclusive=exclusive)] if self.kind in "WX" else []
        return read + write


Threads: TypeAlias = list[list[Operation]]

SIZES = [(1, 2), (2, 2), (2, 3), (3, 3), (4, 2), (4, 3), (1, 1, 2), (2, 2, 1), (2, 2, 2)]
OPERATIONS = st.builds(
    Operation, st.sampled_from("RRRWWX"), st.sampled_from("xy"), st.integers(min_value=1, max_value=2)
)


@st.composite
def all_programs(draw: st.DrawFn) -> Threads:
    """Two or three threads of seven operations at most."""
    sizes = draw(st.sampled_from(SIZES))
    return [[draw(OPERATIONS) for _ in range(size)] for size in sizes]


def choices(threads: Threads) -> int:
    """How many choices of rf and co there are."""
    operations = [operation for thread in threads for operation in thread]
    total = 1
    for location in "xy":
        kinds = [operation.kind for operation in operations if operation.location == location]
        writes = len(kinds) - kinds.count("R")
        total *= factorial(writes) * (1 + writes) ** (len(kinds) - kinds.count("W"))
    return total


def programs() -> st.SearchStrategy[Threads]:
    """Programs of which all choices can be looked at."""
    return all_programs().filter(lambda threads: choices(threads) <= 1_000)


def text_of(threads: Threads) -> str:
    return " || ".join("; ".join(map(str, thread)) for thread in threads)


@cache
def planned(name: str) -> tuple[Model, Plan]:
    model = load_text(f'model {name} "{name}"\n{MODELS[name]}', f"{name}.kat")
    return model, plan_model(model)


def expected(threads: Threads, model: Model) -> set[Execution]:
    """All choices of rf and co that are consistent."""
    labels = {
        (thread, number): label
        for thread, operations in enumerate(threads)
        for number, label in enumerate(label for operation in operations for label in operation.labels())
    }
    graphs = _choices(labels)
    return {
        (frozenset((read, graph.sources(read)[0]) for read in graph.rf), frozenset(graph.co.values()))
        for graph in graphs
        if is_consistent(graph, model)
    }


def _choices(labels: dict[Event, Label]) -> Iterator[Graph]:
    reads = [event for event, label in labels.items() if label.kind is Kind.READ]
    writes: dict[int, list[Event]] = {}
    for event, label in labels.items():
        if label.kind is Kind.WRITE:
            writes.setdefault(label.address, []).append(event)
    sources = [[None, *writes.get(labels[read].address, [])] for read in reads]
    for orders in itertools.product(*(itertools.permutations(events) for events in writes.values())):
        co = dict(zip(writes, orders, strict=True))
        for chosen in itertools.product(*sources):
            yield Graph(tuple(labels), labels, dict(zip(reads, chosen, strict=True)), co)


def explored(threads: Threads, plan: Plan, seed: int | None, *, reads_from: bool = False) -> list[Execution]:
    """What the engine finds; main is its thread 0."""
    program = to_program(parse_litmus(text_of(threads)))
    result = _engine.explore(
        program.encode(), plan.encode(), collect=True, schedule_seed=seed, reads_from=reads_from
    )
    assert result.status == "finished", result.finding
    found = [_execution(graph) for graph in result.graphs]
    assert len(found) == result.complete
    assert result.blocked == 0
    return found


def _execution(graph: _engine.RawGraph) -> Execution:
    def event(reference: Any) -> Event:
        return reference[0] - 1, reference[1]

    rf = frozenset(
        ((thread, number), None if entry.rf is None else event(entry.rf))
        for thread, body in enumerate(graph.threads[1:])
        for number, entry in enumerate(body.events)
        if entry.kind == "R"
    )
    orders = (tuple(event(write) for write in writes) for _, _, writes in graph.co if writes)
    return rf, frozenset(orders)


def count_executions(text: str, name: str, seed: int | None) -> int:
    """How many complete executions a program has; it has no others."""
    _, plan = planned(name)
    result = _engine.explore(to_program(parse_litmus(text)).encode(), plan.encode(), schedule_seed=seed)
    assert (result.status, result.blocked) == ("finished", 0), result.finding
    complete: int = result.complete
    return complete


def check(threads: Threads, name: str, seed: int | None) -> None:
    model, plan = planned(name)
    assert plan.preserved is not None
    found = explored(threads, plan, seed)
    assert len(found) == len(set(found)), "an execution was found twice"
    assert set(found) == expected(threads, model)


@pytest.mark.parametrize("name", some(["locations", "reads", "both", "causal", "updates"], 2))
@examples(ci=75, slow=5_000)
@given(programs(), SEEDS)
def test_engine_agrees_with_all_choices(name: str, threads: Threads, seed: int | None) -> None:
    check(threads, name, seed)


@pytest.mark.parametrize("name", some(["both", "causal", "updates", "reads", "locations"], 2))
@examples(ci=60, slow=5_000)
@given(programs(), SEEDS)
def test_reads_from_equivalence(name: str, threads: Threads, seed: int | None) -> None:
    """Each rf is found once, if some coherence order makes it consistent."""
    model, plan = planned(name)
    found = explored(threads, plan, seed, reads_from=True)
    executions = expected(threads, model)
    assert set(found) <= executions
    assert sorted(map(repr, (rf for rf, _ in found))) == sorted(map(repr, {rf for rf, _ in executions}))


@pytest.mark.parametrize("name", some(["locations", "updates", "both", "reads", "causal"], 2))
@examples(ci=40, slow=2_000)
@given(programs(), SEEDS, st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4)), min_size=1, max_size=2))
def test_choices_order_nothing(
    name: str, threads: Threads, seed: int | None, places: list[tuple[int, int]]
) -> None:
    """With choices between its operations, a program has each execution once for all that can be chosen."""
    model, plan = planned(name)
    test = parse_litmus(text_of(threads))
    bodies = [list(thread) for thread in test.threads]
    for thread, at in places:
        bodies[thread % len(bodies)].insert(at, Choose(0, 1))
    program = to_program(replace(test, threads=tuple(map(tuple, bodies))))
    result = _engine.explore(program.encode(), plan.encode(), collect=True, schedule_seed=seed)
    assert (result.status, result.blocked) == ("finished", 0), result.finding
    forms = {canonical_from_engine(graph) for graph in result.graphs}
    assert len(forms) == result.complete == 2 ** len(places) * len(expected(threads, model))


# That these tests can fail ------------------------------------------------------------------------------


@heavy
def test_load_buffering_is_drawn() -> None:
    """Some program has more executions than without cycles of po and rf."""
    _, plan = planned("locations")
    whole = plan_model(load_text(f"acyclic po | rf\n{COHERENCE}", "whole.kat"))

    def differs(threads: Threads) -> bool:
        return len(explored(threads, plan, None)) > len(explored(threads, whole, None))

    assert_drawn(programs(), differs, "a program with a cycle of po and rf")


@heavy
def test_axioms_that_follow_more_than_ppo_would_lose_executions() -> None:
    """Why the planner refuses them: the engine, told to run such a model all the same, misses some."""
    axioms = f"{COHERENCE}irreflexive po ; rf ; po ; fr"
    one = [Operation(kind, location) for kind, location in ("Xy", "Rx", "Xx", "Xy", "Wy")]
    threads = [one, [Operation("X", "y"), Operation("X", "x")]]
    model = load_text(f"{axioms}\nppo = po-loc", "more.kat")
    plan = plan_model(model, unchecked=True)
    assert any("follows po where ppo does not" in warning for warning in plan.warnings)
    found = explored(threads, plan, 4)
    assert set(found) < expected(threads, model)


# Litmus tests -------------------------------------------------------------------------------------------

# Release, acquire and SC as in C11; what they do not order, and no location does, is in no order. So far as
# programs have no dependencies this is IMM, in which only dependencies order more.
MODELS["c11-without-dependencies"] = like_c11(updates="UW")


def test_litmus_programs_have_the_executions_of_imm() -> None:
    rows = [(row.name, row.imm, row.program) for row in litmus_rows()]
    assert len(rows) == 43
    counts = {
        name: [count_executions(text, "c11-without-dependencies", seed) for seed in (None, 1, 2)]
        for name, _, text in rows
    }
    assert counts == {name: [expected] * 3 for name, expected, _ in rows}


@pytest.mark.parametrize("name", ["locations", "reads", "both", "c11-without-dependencies"])
@pytest.mark.parametrize("threads", [2, 3])
def test_load_buffering(name: str, threads: int) -> None:
    """Each load sees the store after it in the ring or not: all choices, also the cycle."""
    text = " || ".join(f"Rrlx {'xyz'[n]}; Wrlx {'xyz'[(n + 1) % threads]} 1" for n in range(threads))
    assert {count_executions(text, name, seed) for seed in (None, 1, 2, 3)} == {2**threads}


def test_exchanges_in_the_other_order_are_found_together_with_a_revisit() -> None:
    """The write of y keeps the second exchange of x, which must not be kept without its write."""
    threads = [[Operation("R", "y"), Operation("X", "x")], [Operation("X", "x", 2), Operation("X", "y")]]
    for name in ("reads", "both", "causal", "updates"):
        for seed in (None, 1, 2):
            check(threads, name, seed)
