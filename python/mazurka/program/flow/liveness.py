"""Liveness: which registers are read later, before they are written again.

Sets of registers are bits of a number, so a union is one operation. Solves
``live_in = used | (live_out - defined)`` backwards, from the last node to the first, and again for the nodes
before one that changed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mazurka.deadline import look
from mazurka.program.flow.graph import FlowGraph


class Touched(NamedTuple):
    """What a piece of straight code does to registers."""

    used: int  # read before it writes them
    defined: int  # written


def touched(steps: Iterable[tuple[Iterable[int], Iterable[int]]]) -> Touched:
    """Sums up straight code from what each of its instructions reads, and then writes."""
    used = defined = 0
    for read, written in steps:
        for register in read:
            if not defined >> register & 1:
                used |= 1 << register
        for register in written:
            defined |= 1 << register
    return Touched(used, defined)


def live_in(graph: FlowGraph, nodes: Sequence[Touched]) -> list[int]:
    """For each node the registers that are live before it; none for what is not reachable."""
    found = [0] * len(nodes)
    waiting = deque(reversed(graph.order))
    is_waiting = set(waiting)
    while waiting:
        look()
        node = waiting.popleft()
        is_waiting.remove(node)
        used, defined = nodes[node]
        new = used | (live_out(graph, found, node) & ~defined)
        if new != found[node]:
            found[node] = new
            again = [other for other in graph.predecessors[node] if other not in is_waiting]
            waiting += dict.fromkeys(again)
            is_waiting.update(again)
    return found


def live_out(graph: FlowGraph, live: Sequence[int], node: int) -> int:
    """The registers that are live after a node, from those that are live before each."""
    out = 0
    for target in graph.successors[node]:
        out |= live[target]
    return out


def bits(registers: Iterable[int]) -> int:
    """A set of registers."""
    found = 0
    for register in registers:
        found |= 1 << register
    return found


def members(bits: int) -> list[int]:
    """The registers of a set, in order."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found
