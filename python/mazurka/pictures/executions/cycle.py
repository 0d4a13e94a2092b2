"""A cycle of po, rf, co and fr: why no interleaving of the threads explains an execution."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mazurka.pictures.executions.communication import Pair


class CycleStep(NamedTuple):
    """A pair of boxes that a cycle goes along, and the relation that they are in."""

    first: int
    second: int
    relation: str


def shortest_cycle(relations: Mapping[str, Sequence[Pair]]) -> tuple[CycleStep, ...]:
    """A cycle with as few steps as possible; nothing if there is none."""
    steps: dict[int, list[CycleStep]] = {}
    for name, pairs in relations.items():
        for first, second in pairs:
            steps.setdefault(first, []).append(CycleStep(first, second, name))
    found = (_back_to(start, steps) for start in sorted(steps))
    return min((way for way in found if way), key=len, default=())


def _back_to(start: int, steps: Mapping[int, list[CycleStep]]) -> tuple[CycleStep, ...]:
    """A shortest way from a box back to itself."""
    reached: dict[int, CycleStep] = {}
    waiting = deque([start])
    while waiting and start not in reached:
        for step in steps.get(waiting.popleft(), ()):
            if step.second not in reached:
                reached[step.second] = step
                waiting.append(step.second)
    if start not in reached:
        return ()
    way = [reached[start]]
    while way[-1].first != start:
        way.append(reached[way[-1].first])
    return tuple(reversed(way))
