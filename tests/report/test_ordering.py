"""What is missing between two accesses that nothing orders, judged by the model: with it they are ordered.

The oracle is the specification: in a race's graph with the blamed events strengthened the accesses are in
the model's happens-before; where no way is found, strengthening all others does not order them either.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from mazurka import _engine, check
from mazurka.cache.plans import ReadyRule
from mazurka.checking.execution import Event, EventRef, Graph
from mazurka.checking.findings import violation
from mazurka.checking.ordering import ACQUIRES, RELEASES, Gap, closest_way
from mazurka.kat.language.load import named_model
from mazurka.program import Mode, Program
from mazurka.reference import Graph as ReferenceGraph
from mazurka.reference.consistency import happens_before
from mazurka.reference.relations import Relations
from mazurka.reference.running.labels import Kind, Label
from mazurka.report import as_json, as_text
from mazurka.soundness.requirements import plan_model
from mazurka.testing import Test, to_program
from mazurka.testing.operations import Fence, FetchAdd, Guard, Load, Operation, Register, Store
from mazurka.testing.strategies import litmus_tests
from profiles import amount

RC11 = named_model("rc11")
PLAN = plan_model(RC11)
RULES = [ReadyRule(rule.name, rule.kind, rule.warning, "hb") for rule in PLAN.errors]


def race_of(program: Program) -> _engine.Explored | None:
    """What the engine says about a race, if it finds one."""
    result = _engine.explore(program.encode(), PLAN.encode(), liveness=False)
    return result if result.finding and result.finding.kind == "rule" else None


def strengthened(event: Event, needed: Mode) -> Event:
    """The event with what it lacks; a fence keeps what it has."""
    if event.kind == "F":
        both = {
            (needed in RELEASES or event.mode in RELEASES),
            (needed in ACQUIRES or event.mode in ACQUIRES),
        }
        needed = Mode.ACQ_REL if both == {True} else needed
    return replace(event, mode=needed)


def with_gaps_closed(graph: Graph, gaps: tuple[Gap, ...]) -> Graph:
    """The graph in which everything that was blamed is strong enough."""
    lacking = {gap.event: gap.needed for gap in gaps}
    return _changed(graph, lambda ref, e: strengthened(e, lacking[ref]) if ref in lacking else e)


def with_others_strong(graph: Graph, *but: EventRef) -> Graph:
    modes = {"R": Mode.ACQ, "W": Mode.REL, "F": Mode.ACQ_REL}
    return _changed(graph, lambda ref, e: e if ref in but else replace(e, mode=modes.get(e.kind, e.mode)))


def _changed(graph: Graph, change: Callable[[EventRef, Event], Event]) -> Graph:
    threads = tuple(
        replace(thread, events=tuple(change((t, i), event) for i, event in enumerate(thread.events)))
        for t, thread in enumerate(graph.threads)
    )
    return replace(graph, threads=threads)


def ordered(graph: Graph, one: EventRef, two: EventRef) -> bool:
    """Whether the model's happens-before orders two events, one way or the other."""
    refs = sorted(graph.refs(), key=lambda ref: graph[ref].stamp)
    labels = {ref: _label(graph[ref]) for ref in refs}
    rf = {ref: graph[ref].rf for ref in refs if graph[ref].kind == "R"}
    co = {chain.address: chain.writes for chain in graph.co}
    relations = Relations(ReferenceGraph(tuple(refs), labels, rf, co), RC11.views)
    return bool({(one, two), (two, one)} & relations.pairs(happens_before(RC11)))


def _label(event: Event) -> Label:
    return Label(
        Kind(event.kind),
        event.mode,
        event.address,
        event.size,
        event.value,
        exclusive=event.exclusive,
        other=event.other or 0,
    )


def judge(program: Program) -> str:
    """Checks the explanation of a program's race against the model; a word for which one it was."""
    result = race_of(program)
    if result is None:
        return "no race"
    found = violation(program, result, RULES)
    assert found.graph is not None
    assert found.event is not None
    assert found.other is not None
    one, two = found.event, found.other
    assert not ordered(found.graph, one, two)
    way = closest_way(found.graph, one, two)
    if way is None:
        assert not ordered(with_others_strong(found.graph, one, two), one, two)
        return "no way"
    assert way.gaps
    assert ordered(with_gaps_closed(found.graph, way.gaps), one, two), found.missing
    for gap in way.gaps:  # each of them is needed on this way
        assert found.graph[gap.event].mode not in (RELEASES if gap.needed is Mode.REL else ACQUIRES)
    return "by fences" if any(found.graph[gap.event].kind == "F" for gap in way.gaps) else "by accesses"


@settings(max_examples=max(amount(ci=100, slow=5_000), 50))
@given(litmus_tests(non_atomic=True, assumes=False, max_ops=5, max_candidates=100_000))
def test_what_is_blamed_is_what_is_missing(test: Test) -> None:
    judge(to_program(test))


FENCES = (Mode.RLX, Mode.ACQ, Mode.REL, Mode.ACQ_REL, Mode.SC)
# Where a fence stands, if any.
SIDES: list[tuple[bool, Mode] | None] = [
    None,
    *((early, mode) for early in (True, False) for mode in FENCES),
]
DATA, FLAG = "x", "y"


def fenced(
    access: Operation, side: tuple[bool, Mode] | None, data: Operation, *, sends: bool
) -> list[Operation]:
    """An access to the flag and one to the data, with a fence before, between or behind them."""
    pair = [data, access] if sends else [access, data]
    if side is None:
        return pair
    outer, mode = side
    place = (0 if sends else 2) if outer else 1
    return [*pair[:place], Fence(mode), *pair[place:]]


def message(sender: list[Operation], receiver: list[Operation], *others: list[Operation]) -> Program:
    threads = tuple(tuple(operations) for operations in (sender, receiver, *others))
    return to_program(Test(threads, ((DATA, 0), (FLAG, 0), ("z", 0))))


def test_every_placement_of_fences_in_a_message() -> None:
    kinds: Counter[str] = Counter()
    for sent, received in product(SIDES, SIDES):
        for release, acquire in product((Mode.NA, Mode.RLX, Mode.REL), (Mode.NA, Mode.RLX, Mode.ACQ)):
            sender = fenced(Store(release, FLAG, 1), sent, Store(Mode.NA, DATA, 1), sends=True)
            receiver = fenced(Load(acquire, FLAG), received, Load(Mode.NA, DATA), sends=False)
            reading = receiver.index(Load(Mode.NA, DATA))
            guarded = Guard(Register(0), 1, tuple(receiver[reading:]))
            kinds[judge(message(sender, [*receiver[:reading], guarded]))] += 1
    assert min(kinds[kind] for kind in ("no race", "by fences", "by accesses")) > 50


@pytest.mark.parametrize("relay", ["copies", "updates"])
def test_messages_that_a_third_thread_carries_on(relay: str) -> None:
    kinds: Counter[str] = Counter()
    modes = (Mode.RLX, Mode.ACQ_REL)
    for first, middle, last, fence in product(modes, modes, modes, (None, *FENCES)):
        release = Mode.REL if first is Mode.ACQ_REL else first
        acquire = Mode.ACQ if last is Mode.ACQ_REL else last
        side = None if fence is None else (False, fence)
        sender = fenced(Store(release, FLAG, 1), side, Store(Mode.NA, DATA, 1), sends=True)
        carries: list[Operation]
        if relay == "updates":
            carries, place, seen = [FetchAdd(middle, FLAG)], FLAG, 2
        else:
            read, write = (Mode.ACQ, Mode.REL) if middle is Mode.ACQ_REL else (middle, middle)
            carries, place, seen = [Load(read, FLAG), Store(write, "z", Register(0))], "z", 1
        receiver: list[Operation] = [Load(acquire, place), Guard(Register(0), seen, (Load(Mode.NA, DATA),))]
        kinds[judge(message(sender, receiver, carries))] += 1
    assert kinds["no race"] > 2
    assert kinds["by accesses"] + kinds["by fences"] > 10


SOURCE = """\
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
int data;
int *cell;
int *_Atomic box;
atomic_int flag;
void *sender(void *arg) {
  %s
  return arg;
}
int main(void) {
  pthread_t t;
  cell = malloc(sizeof *cell);
  pthread_create(&t, 0, sender, 0);
  %s
}
"""
RELAXED = "memory_order_relaxed"
SEND = f"atomic_store_explicit(&flag, 1, {RELAXED});"
RECEIVE = f"__VERIFIER_assume(atomic_load_explicit(&flag, {RELAXED}));"
RELEASE, ACQUIRE = (f"atomic_thread_fence(memory_order_{mode});" for mode in ("release", "acquire"))
EXPLAINED = {
    "no fence": (
        f"data = 1; {SEND}",
        f"{RECEIVE} data = 2;",
        {"the write is relaxed, not release", "the read is relaxed, not acquire"},
    ),
    "a release fence": (
        f"data = 1; {RELEASE} {SEND}",
        f"{RECEIVE} data = 2;",
        {"the read is relaxed, not acquire"},
    ),
    "an acquire fence": (
        f"data = 1; {SEND}",
        f"{RECEIVE} {ACQUIRE} data = 2;",
        {"the write is relaxed, not release"},
    ),
    "fences of the wrong kind": (
        f"data = 1; {ACQUIRE} {SEND}",
        f"{RECEIVE} {RELEASE} data = 2;",
        {
            "the fence at program.c:10 is acquire, not release",
            "the fence at program.c:17 is release, not acquire",
        },
    ),
    "fences in the wrong place": (
        f"{RELEASE} data = 1; {SEND}",
        f"{RECEIVE} {ACQUIRE} data = 2;",
        {"the write is relaxed, not release (the release fence at program.c:10 comes too early)"},
    ),
    "an early free": (
        f"*cell = 1; {SEND}",
        f"{RECEIVE} free(cell);",
        {"the write is relaxed, not release", "the read is relaxed, not acquire"},
    ),
    "an early free behind a release": (
        f"*cell = 1; {RELEASE} {SEND}",
        f"{RECEIVE} free(cell);",
        {"the read is relaxed, not acquire"},
    ),
    "an early use of new memory": (
        f"atomic_store_explicit(&box, malloc(4), {RELAXED});",
        f"int *made = atomic_load_explicit(&box, {RELAXED}); if (made) *made = 1;",
        {"the write is relaxed, not release", "the read is relaxed, not acquire"},
    ),
    "a free that nobody waits for": ("*cell = 1;", "free(cell);", set()),
}


@pytest.mark.parametrize("case", EXPLAINED)
def test_the_words_name_what_is_missing(case: str, tmp_path: Path) -> None:
    sends, receives, words = EXPLAINED[case]
    path = tmp_path / "program.c"
    path.write_text(SOURCE % (sends, receives))
    outcome = check(path)
    found = outcome.violation
    assert found is not None
    assert found.kind == ("freed" if "free" in case else "unallocated" if "memory" in case else "race")
    said = found.missing.replace(f"{tmp_path}/", "")
    assert said.startswith("neither comes before the other in the model's happens-before (hb): ")
    assert set(said.split("; ")[1:]) == words
    assert ("no path leads from one to the other" in said) == (not words)
    assert found.missing in " ".join(as_text(outcome).split())
    assert json.loads(as_json(outcome))["violation"]["missing"] == found.missing


def test_a_use_after_free_in_order_needs_no_explanation(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(SOURCE % ("free(cell);", "pthread_join(t, 0); *cell = 1;"))
    found = check(path).violation
    assert found is not None
    assert (found.kind, found.missing) == ("freed", "")
