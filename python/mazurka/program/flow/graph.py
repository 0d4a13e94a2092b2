"""A directed graph with an entry, whose nodes are numbers: what is reachable, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence, Set
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def reverse_postorder(entry: Node, successors: Callable[[Node], Iterable[Node]]) -> list[Node]:
    """What is reachable from an entry, each node before its successors, except along back edges."""
    order: list[Node] = []
    seen = {entry}
    stack = [(entry, list(successors(entry)))]
    while stack:
        node, left = stack[-1]
        if left:
            target = left.pop()
            if target not in seen:
                seen.add(target)
                stack.append((target, list(successors(target))))
        else:
            order.append(node)
            stack.pop()
    return order[::-1]


class FlowGraph:
    """The nodes that are reachable from the entry; others have an empty row of predecessors."""

    def __init__(self, successors: Sequence[Sequence[int]], entry: int = 0) -> None:
        self.successors = successors
        self.entry = entry
        self.order = reverse_postorder(entry, successors.__getitem__)
        self.index = [-1] * len(successors)  # of each node in the order; -1 if it is not reachable
        for i, node in enumerate(self.order):
            self.index[node] = i
        self.predecessors: list[list[int]] = [[] for _ in successors]
        for node in self.order:
            for target in successors[node]:
                self.predecessors[target].append(node)

    def is_reachable(self, node: int) -> bool:
        """Whether some path leads from the entry to a node."""
        return self.index[node] >= 0

    def reached_from(self, starts: Iterable[int]) -> set[int]:
        """The nodes that are reachable from some, these included."""
        return _closure(starts, self.successors)

    def reached_within(self, start: int, inside: Set[int]) -> set[int]:
        """The nodes that are reachable from one along nodes of a set, if it is in the set itself."""
        found: set[int] = set()
        left = [start]
        while left:
            node = left.pop()
            if node in inside and node not in found:
                found.add(node)
                left += self.successors[node]
        return found

    def leading_to(self, ends: Iterable[int], top: int | None = None) -> set[int]:
        """The nodes from which some can be reached, these included; paths do not go back beyond ``top``."""
        reachable = [node for node in ends if self.is_reachable(node)]
        return _closure(reachable, self.predecessors, stop=top)


def _closure(starts: Iterable[int], edges: Sequence[Sequence[int]], stop: int | None = None) -> set[int]:
    found: set[int] = set()
    left = list(starts)
    while left:
        node = left.pop()
        if node not in found:
            found.add(node)
            if node != stop:
                left += edges[node]
    return found
