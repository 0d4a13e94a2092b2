"""Loops of a graph: headers, back edges, bodies, entries, exits and nesting.

An edge that goes back in reverse postorder is retreating, and its target is the header of a loop. If the
header dominates all nodes that jump back to it, the loop is natural: it can be entered at its header only.
Otherwise it is irreducible, and what is its header depends on the order in which the graph was walked.

I1: every cycle of reachable nodes contains a back edge of some loop.
I2: two natural loops with different headers are nested or have no node in common.
"""

from __future__ import annotations

from typing import NamedTuple

from mazurka.deadline import look
from mazurka.program.flow.dominators import Dominators
from mazurka.program.flow.graph import FlowGraph

Edge = tuple[int, int]


class FlowLoop(NamedTuple):
    """A loop; all edges to one header are one loop."""

    header: int
    back: tuple[int, ...]  # nodes that jump back to the header
    entries: tuple[int, ...]  # other nodes that jump to the header
    body: frozenset[int]  # nodes on a way from the header to a back edge that does not pass the header again
    is_irreducible: bool  # there are other ways into the body than by its header


def find_loops(graph: FlowGraph, dominators: Dominators) -> dict[int, FlowLoop]:
    """The loops by header, in the order in which their back edges are met."""
    back: dict[int, list[int]] = {}
    for node in graph.order:
        for target in dict.fromkeys(graph.successors[node]):
            if graph.index[target] <= graph.index[node]:
                back.setdefault(target, []).append(node)
    return {header: _loop(graph, dominators, header, nodes) for header, nodes in back.items()}


def _loop(graph: FlowGraph, dominators: Dominators, header: int, back: list[int]) -> FlowLoop:
    look()
    entries = tuple(node for node in dict.fromkeys(graph.predecessors[header]) if node not in back)
    is_irreducible = not all(dominators.dominates(header, node) for node in back)
    body = graph.leading_to(back, top=header)
    if is_irreducible:  # these nodes were also reached by ways around the header
        body &= graph.reached_from([header])
    return FlowLoop(header, tuple(back), entries, frozenset(body), is_irreducible)


def exits_of(graph: FlowGraph, loop: FlowLoop) -> list[Edge]:
    """The edges from a loop's body to other nodes."""
    return [
        (node, target)
        for node in sorted(loop.body, key=graph.index.__getitem__)
        for target in dict.fromkeys(graph.successors[node])
        if target not in loop.body
    ]


def parents_of(loops: dict[int, FlowLoop]) -> dict[int, int | None]:
    """For each loop, by headers, the smallest other one that has all of its body."""
    by_size = sorted(loops.values(), key=lambda loop: len(loop.body))
    found: dict[int, int | None] = {}
    for i, loop in enumerate(by_size):
        look()
        around = (other.header for other in by_size[i + 1 :] if _is_inside(loop, other))
        found[loop.header] = next(around, None)
    return found


def _is_inside(inner: FlowLoop, outer: FlowLoop) -> bool:
    if inner.header not in outer.body:
        return False
    is_natural = not (inner.is_irreducible or outer.is_irreducible)
    return is_natural or inner.body <= outer.body  # I2
