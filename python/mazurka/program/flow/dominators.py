"""Dominators: which nodes every path from the entry passes.

By intersecting paths of the dominator tree in reverse postorder until nothing changes (Cooper, Harvey and
Kennedy, "A Simple, Fast Dominance Algorithm"): code without irreducible loops needs two rounds.
"""

from __future__ import annotations

from mazurka.deadline import look
from mazurka.program.flow.graph import FlowGraph

_UNKNOWN = -1


class Dominators:
    """The dominator tree of a graph's reachable nodes."""

    def __init__(self, graph: FlowGraph) -> None:
        self._index = graph.index
        self.immediate = [_UNKNOWN] * len(
            graph.successors
        )  # the closest one of each node; the entry's is itself
        self.immediate[graph.entry] = graph.entry
        changed = True
        while changed:
            look()
            changed = False
            for node in graph.order[1:]:
                new = self._common(graph.predecessors[node])
                if self.immediate[node] != new:
                    self.immediate[node] = new
                    changed = True

    def _common(self, nodes: list[int]) -> int:
        """The lowest node of the tree above all of those that are in it already."""
        immediate, index = self.immediate, self._index
        known = [node for node in nodes if immediate[node] != _UNKNOWN]
        found = known[0]
        for other in known[1:]:
            while found != other:
                while index[found] > index[other]:
                    found = immediate[found]
                while index[other] > index[found]:
                    other = immediate[other]
        return found

    def dominates(self, upper: int, lower: int) -> bool:
        """Whether every path from the entry to ``lower`` passes ``upper``; both are reachable."""
        while self._index[lower] > self._index[upper]:
            lower = self.immediate[lower]
        return lower == upper
