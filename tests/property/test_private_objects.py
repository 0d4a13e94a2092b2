"""What escape analysis treats as private does not change results: random programs with shared pointers.

Each is compiled twice, with the analysis and without it (every local and every heap object is shared). The
verdict, the counts and the executions are the same, after events on objects that are private in the one were
left out of the other; and they are the reference's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, TypeAlias

import pytest
from batches import Batch
from comparison import Found, explore, plan_of, shipped
from engine_graphs import canonical_from_engine
from mazurka._engine import RawEvent, RawGraph
from mazurka.program import AllocFlag, Instr, Op, Program, Region
from mazurka.reference import (
    Machine,
    ReferenceUnsupported,
    enumerate_executions,
    verify,
)
from mazurka.testing.pointer_programs import pointer_program
from profiles import PROFILE

BATCH, BATCHES = {"quick": (50, 1), "ci": (100, 5), "slow": (100, 200)}[PROFILE]
MOST_EXECUTIONS, MOST_EVENTS = 12, 40  # of what the reference is asked about
Site: TypeAlias = tuple[str, str, int]
Name: TypeAlias = tuple[Any, ...]


@pytest.mark.parametrize("seed", range(BATCHES))
def test_private_objects_change_nothing(seed: int) -> None:
    random = Random(seed)
    prefixes = [f"x{number}_" for number in range(BATCH)]
    sources = [pointer_program(random, prefix) for prefix in prefixes]
    batch = Batch(sources)
    for number, (prefix, source) in enumerate(zip(prefixes, sources, strict=True)):
        model = "rc11" if number % 3 == 0 else "sc"
        differences = list(compare(batch, prefix, model, with_reference=number % 4 == 0))
        assert differences == [], f"{source}\n{model}"


def compare(batch: Batch, prefix: str, model: str, with_reference: bool) -> Iterator[str]:
    """What differs."""
    program, shared = batch.program(prefix), batch.program(prefix, share_all=True)
    one, other = explore(program, plan_of(model)), explore(shared, plan_of(model))
    if one.status != other.status or one.status == "refused":
        yield f"{one.status} {one.kind}, without the analysis {other.status} {other.kind}"
        return
    kinds = {result.kind for result in (one, other) if result.kind}
    if len(kinds) == 2:
        kinds -= reference_findings(program, model)
    if one.kind:
        yield from kinds if len(kinds) > 1 else ()
    elif forms(program, one, sites(program)) != forms(shared, other, sites(program)):
        yield "other executions"
    elif (one.complete, one.blocked) != (other.complete, other.blocked):
        yield "other counts"
    if with_reference:
        yield from compare_with_reference(program, one, model)


def compare_with_reference(program: Program, found: Found, model: str) -> Iterator[str]:
    events = max((sum(len(t.events) for t in g.threads) for g in found.graphs), default=0)
    if found.complete > MOST_EXECUTIONS or events > MOST_EVENTS:
        return
    try:
        expected = verify(program, shipped(model))
    except ReferenceUnsupported:
        return
    if found.kind or expected.findings:
        kind = found.kind or "nothing"
        if kind not in expected.findings and kind not in reference_findings(program, model):
            yield f"{kind}, where the reference has {expected.findings}"
        return
    machine = Machine(program)
    if Counter(map(machine.canonical, expected.complete)) != Counter(
        map(canonical_from_engine, found.graphs)
    ):
        yield "other executions than the reference"


def reference_findings(program: Program, model: str) -> set[str]:
    """All kinds of findings: brute force, unlike exploration, goes on when a thread has failed."""
    return enumerate_executions(program, shipped(model)).findings


def sites(program: Program) -> set[Site]:
    """Where shared objects are allocated."""
    return {
        site(program, function.name, instr)
        for function in program.functions
        for instr in function.code
        if instr.op is Op.ALLOC and not instr.x & AllocFlag.PRIVATE
    }


def site(program: Program, function: str, instr: Instr) -> Site:
    where = program.positions[instr.position]
    return function, instr.expr, where.line * 1000 + where.column


def forms(program: Program, result: Found, kept: set[Site]) -> Counter[Name]:
    """The executions, with objects named by where they were allocated, without those of other sites."""
    return Counter(Execution(program, result, graph).form(kept) for graph in result.graphs)


class Execution:
    """A graph as the engine gives it, and the names of its objects."""

    def __init__(self, program: Program, result: Found, graph: RawGraph) -> None:
        self.graph = graph
        self.objects: list[tuple[int, int, Site, Name]] = []
        counted: Counter[Name] = Counter()
        made = [(0, *item[:4]) for item in result.explored.objects]
        for number, thread in enumerate(graph.threads):
            for e in thread.events:
                if e.kind == "ALLOC":
                    made.append((number, e.address, e.size, *e.stack[0]))
        for number, address, size, function, pc in made:
            maker = program.functions[function]
            where = site(program, maker.name, maker.code[pc])
            counted[number, where] += 1
            self.objects.append((address, size, where, (number, where, counted[number, where])))

    def form(self, kept: set[Site]) -> Name:
        """What the execution is, whatever the addresses are."""
        places: dict[tuple[int, int], tuple[int, int]] = {}
        visible: list[list[RawEvent]] = []
        for number, thread in enumerate(self.graph.threads):
            visible.append([])
            for index, event in enumerate(thread.events):
                if self._is_kept(event, kept):
                    places[number, index] = (number, len(visible[-1]))
                    visible[-1].append(event)
        threads = tuple(tuple(self._event(event, places.get) for event in events) for events in visible)
        co = [
            (self._name(address), tuple(places[write] for write in writes))
            for address, _, writes in self.graph.co
            if writes and writes[0] in places
        ]
        return threads, tuple(sorted(co, key=repr))

    def _is_kept(self, event: RawEvent, kept: set[Site]) -> bool:
        if event.kind not in ("R", "W", "ALLOC", "FREE") or event.address >> 44 != Region.SHARED:
            return True
        return any(a <= event.address <= a + size and s in kept for a, size, s, _ in self.objects)

    def _event(self, event: RawEvent, place: Callable[[Any], Any]) -> Name:
        source = place(event.rf) if event.rf else None
        names = self._name(event.address), self._name(event.value)
        return (*names, source, event.kind, event.mode, event.size, event.exclusive, event.other)

    def _name(self, word: int) -> Name | int:
        for address, size, _, name in self.objects:
            if address <= word <= address + size:
                return (*name, word - address)
        return word
