"""A coherence order for a graph that has none: TruSt's GetConsCO (§4.2), by trying them all.

I1: the answer is a function of the graph's events and rf: the order of insertion, and the co that the graph
happens to have, do not matter. ``trust`` relies on it for finding no graph twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product

from mazurka.kat.meaning import terms
from mazurka.reference.consistency import is_consistent
from mazurka.reference.graph import Graph


def with_consistent_co(graph: Graph, model: terms.Model) -> Graph | None:
    """The graph with the first co that makes it consistent, by address and EventId; None if there is none."""
    return next((candidate for candidate in with_every_co(graph) if is_consistent(candidate, model)), None)


def with_every_co(graph: Graph) -> Iterator[Graph]:
    """The graph with every order of each location's writes."""
    addresses = sorted(graph.co)
    for orders in product(*(permutations(sorted(graph.co[address])) for address in addresses)):
        yield replace(graph, co=dict(zip(addresses, orders, strict=True)))
