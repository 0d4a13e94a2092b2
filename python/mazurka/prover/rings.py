"""Forbidden cycles seen from one of their steps: the words that lead from its end round to its beginning.

An automaton of forbidden cycles is bent into a ring: its end is its start, one round later.
"""

from __future__ import annotations

from collections.abc import Iterator

from mazurka.kat.automata import reachable
from mazurka.prover.automata import END, START, Edge, Nfa, reduced
from mazurka.prover.closure import Saturated
from mazurka.prover.facts import ONE_LOCATION

# The part of a relation that keeps the location.
_KEEPING = {"po": "po-loc", "any": "loc-overlap"}


def node(state: int, rounds: int) -> int:
    """A place on a ring: nodes are states before and after the seam; the end is the start behind it."""
    return 2 * START + rounds + 1 if state == END else 2 * state + rounds


def ring_edges(right: Saturated, *, one_location: bool) -> Iterator[Edge]:
    """The automaton bent into a ring , with only the steps that a word between ends may take."""
    for e in right.edges:
        if one_location and e.label[0] not in ONE_LOCATION:
            if e.label[0] not in _KEEPING:
                continue
            e = e._replace(label=(_KEEPING[e.label[0]], e.label[1]))
        for rounds in (0, 1):
            if rounds and END in (e.source, e.target):
                continue
            yield e._replace(source=node(e.source, rounds), target=node(e.target, rounds))


def words_round(edge: Edge, ring: list[Edge], before: int, after: int) -> Nfa:
    """The words that lead from the end of a step round to its beginning."""
    first, last = node(edge.target, 0), node(edge.source, 1)
    pairs = [(e.source, e.target) for e in ring]
    kept = reachable({first}, pairs) & reachable({last}, [(b, a) for a, b in pairs])
    starts, ends = edge.after & after, edge.before & before
    edges: set[Edge] = set()
    for e in ring:
        if e.source not in kept or e.target not in kept:
            continue
        inner = e._replace(source=e.source + 2, target=e.target + 2)
        begun = inner._replace(source=START, before=e.before & starts) if e.source == first else None
        edges.add(inner)
        edges |= {begun} if begun else set()
        if e.target == last:
            edges |= {
                one._replace(target=END, after=one.after & ends) for one in (inner, begun) if one is not None
            }
    states = 3 + max((max(e.source, e.target) for e in edges), default=0)
    return reduced(Nfa(states, frozenset(edges)))
