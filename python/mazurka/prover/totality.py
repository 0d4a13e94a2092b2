"""Cycles that cannot be because an order is total (thesis Prop. 12).

If ``r ; w`` is irreflexive and r orders the two ends of w if they differ, then w is within ``r?``. So r may
be preceded and followed by such words, and each of them is used like an assumption. co orders writes of one
location, so w may then only have steps that keep the location.
Departs 1: the thesis also forbids cycles of such w alone, which is wrong: all of them may be between an
event and itself. Departs 2: what follows is found once, not again from what it adds.
"""

from __future__ import annotations

from mazurka.prover.assumptions import Rule
from mazurka.prover.automata import Edge, Nfa, concatenate, repeat, step, unite
from mazurka.prover.closure import Saturated
from mazurka.prover.rings import ring_edges, words_round


def within_order(right: Saturated, name: str, before: int, after: int, *, one_location: bool) -> Nfa:
    """The words that are within ``r?`` because forbidden cycles follow them with r."""
    ring = list(ring_edges(right, one_location=one_location))
    pieces = [words_round(edge, ring, before, after) for edge in sorted(set(right.whole(name)))]
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


def one_location_cycles(right: Saturated) -> Nfa:
    """Forbidden cycles of po-loc and steps that keep the location, with po for po-loc (thesis §3.6.1).

    If all steps of a cycle but those along po keep the location, so does po.
    """
    ring = list(ring_edges(right, one_location=True))
    steps = sorted({e for e in right.edges if e.label == ("po-loc", False) and not _along_po(e, right)})
    parts = [
        concatenate(step(("po", False), e.before, e.after), words_round(e, ring, e.before, e.after))
        for e in steps
    ]
    return unite(*parts)


def _along_po(edge: Edge, right: Saturated) -> bool:
    """Whether a step can be made along all of po."""
    return any(
        e.label == ("po", False)
        and (e.source, e.target) == (edge.source, edge.target)
        and e.before & edge.before == edge.before
        and e.after & edge.after == edge.after
        for e in right.edges
    )
