"""Looks for a smaller execution that shows the same violation: one that is found first in another order.

A violation is the same if it is of the same kind, about the same instruction. Smaller is one with fewer
events before the failure, or with as many, but fewer changes of threads.

I1: the search does a bounded amount of work, which does not depend on time: reports stay the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from mazurka.program.kinds import OF_THE_WHOLE

if TYPE_CHECKING:
    from mazurka._engine import Explored, RawFinding, RawGraph

_SEEDS = range(1, 9)
_EVENTS = 40_000  # about so many are added in all
_LEAST = 2  # executions; an exploration of fewer shows nothing new
_MOST = 200

Ref = tuple[int, int]


def smallest(first: Explored, explore: Callable[..., Explored]) -> tuple[Explored, int | None]:
    """The result with the smallest execution, and the seed that it was found with if it is not the first.

    ``explore`` explores the same program in the same way, with further options.
    """
    best, seed = first, None
    size = _size(first)
    if size is None or first.finding is None or first.graph is None:
        return best, seed
    if first.graph is not None and sum(len(one.events) for one in first.graph.threads) > _EVENTS // len(
        _SEEDS
    ):
        return best, seed
    most = min(_EVENTS // (len(_SEEDS) * max(size[0], 1)), _MOST)
    if most < _LEAST or size == (1, 0):
        return best, seed
    for other in _SEEDS:
        found = explore(schedule_seed=other, max_executions=most, workers=1)
        smaller = _size(found)
        if smaller is not None and smaller < size and _is_same(first.finding, found.finding):
            best, seed, size = found, other, smaller
    return best, seed


def _is_same(one: RawFinding, other: RawFinding | None) -> bool:
    return other is not None and _what(one) == _what(other)


def _what(finding: RawFinding) -> tuple[object, ...]:
    where = finding.function, finding.pc, finding.loop
    return finding.kind, finding.message, finding.rule, where, len(finding.waits)


def _size(result: Explored) -> tuple[int, int] | None:
    """The events that lead to the finding, and how often the thread changes between them."""
    graph, finding = result.graph, result.finding
    if result.status != "violation" or graph is None or finding is None:
        return None
    past = _past(graph, finding)
    return sum(past), _changes(graph, past)


def _past(graph: RawGraph, finding: RawFinding) -> list[int]:
    """How many events of each thread lead to the finding."""
    ends = [len(thread.events) for thread in graph.threads]
    if finding.kind in OF_THE_WHOLE:
        return ends
    reach = [0] * len(ends)
    last = finding.event or (finding.thread, ends[finding.thread] - 1)
    work = [last] if finding.other is None else [last, finding.other]
    while work:
        thread, index = work.pop()
        for i in range(reach[thread], index + 1):
            work += _causes(graph, (thread, i))
        reach[thread] = max(reach[thread], index + 1)
    return reach


def _causes(graph: RawGraph, ref: Ref) -> Iterator[Ref]:
    """What comes directly before an event, except in its thread."""
    thread, event = graph.threads[ref[0]], graph.threads[ref[0]].events[ref[1]]
    if ref[1] == 0 and thread.parent is not None and thread.created_by is not None:
        yield thread.parent, thread.created_by
    if event.rf is not None:
        yield event.rf
    yield from (write for _, _, write, _ in event.parts if write is not None)
    if event.kind == "JOIN" and event.other is not None and graph.threads[event.other].events:
        yield event.other, len(graph.threads[event.other].events) - 1


def _changes(graph: RawGraph, past: list[int]) -> int:
    """How often the thread changes, if each goes on for as long as it can."""
    done = [0] * len(past)
    current, changes = 0, 0

    def may_go_on(thread: int) -> bool:
        causes = _causes(graph, (thread, done[thread])) if done[thread] < past[thread] else None
        return causes is not None and all(index < done[other] for other, index in causes)

    while True:
        if not may_go_on(current):
            following = next((thread for thread in range(len(past)) if may_go_on(thread)), None)
            if following is None:
                return changes  # at the end, or where reads see what comes later
            current, changes = following, changes + 1
        done[current] += 1
