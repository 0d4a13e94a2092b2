"""Cycles that cannot be because an order is total (thesis Prop. 12).

If ``r ; w`` is irreflexive and r orders the two ends of w if they differ, then w is within ``r?``. So r may be
preceded and followed by such words, and each of them is used like an assumption. co orders writes of one location, so w may then
only have steps that keep the location.
Departs 1: the thesis also forbids cycles of such w alone, which is wrong: all of them may be between an event and
itself. Departs 2: what follows is found once, not again from what it adds.
"""

from __future__ import annotations

from collections.abc import Iterator

from mazurka.kat.automata import reachable
from mazurka.prover.assumptions import Rule
from mazurka.prover.automata import END, START, Edge, Nfa, concatenate, reduced, repeat, step, unite
from mazurka.prover.closure import Saturated
from mazurka.prover.cycles import node
from mazurka.prover.facts import ONE_LOCATION

# The part of a relation that keeps the location.
_KEEPING = {"po": "po-loc", "any": "loc-overlap"}


def within_order(right: Saturated, name: str, before: int, after: int, *, one_location: bool) -> Nfa:
    """The words that are within ``r?`` because forbidden cycles follow them with r."""
    ring = list(_ring(right, one_location))
    pieces = [_piece(edge, ring, before, after) for edge in sorted(set(right.whole(name)))]
    return unite(*pieces)


def order_rules(name: str, within: Nfa, before: int, after: int, everything: int) -> list[Rule]:
    """What follows for an order from words within ``r?``: r may be preceded and followed by such words."""
    order = step((name, False), before, after)
    either = repeat(unite(order, within))
    around = Nfa(either.states, either.edges, before & after)
    rules = [
        Rule(within, Nfa(order.states, order.edges, before & after)),
        Rule(concatenate(concatenate(around, order), around), order),
    ]
    if name == "co":
        read = step(("fr", False), everything, after)
        rules.append(Rule(concatenate(read, either), read))
    return rules


def _ring(right: Saturated, one_location: bool) -> Iterator[Edge]:
    """The automaton bent into a ring (``cycles``), with only the steps that a word between ends may take."""
    for e in right.edges:
        if one_location and e.label[0] not in ONE_LOCATION:
            if e.label[0] not in _KEEPING:
                continue
            e = e._replace(label=(_KEEPING[e.label[0]], e.label[1]))
        for rounds in (0, 1):
            if rounds and END in (e.source, e.target):
                continue
            yield e._replace(source=node(e.source, rounds), target=node(e.target, rounds))


def _piece(edge: Edge, ring: list[Edge], before: int, after: int) -> Nfa:
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
