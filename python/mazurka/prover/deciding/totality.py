"""Cycles that are impossible because an order is total (thesis Prop. 12).

If ``r ; w`` is irreflexive and r orders the two ends of w if they differ, then w is within ``r?``. So r may
be preceded and followed by such words, and each of them is used like an assumption. co orders writes of one
location, so w may then only have steps that keep the location.
Departs 1: the thesis also forbids cycles of such w alone, which is wrong: all of them may relate an event to
itself. Departs 2: consequences are computed once, not again from the words that they add.
"""

from __future__ import annotations

from collections import defaultdict

from mazurka._engine import Guard, Nfa, Saturated
from mazurka.prover.deciding.assumptions import RewriteRule
from mazurka.prover.theory.alphabet import Alphabet, NfaStep

_PO, _PO_LOC = ("po", False), ("po-loc", False)


def within_order(
    right: Saturated, alphabet: Alphabet, name: str, before: Guard, after: Guard, *, one_location: bool
) -> Nfa:
    """The words that are within ``r?`` because forbidden cycles follow them with r."""
    kernel = alphabet.kernel
    steps = right.whole((name, False))
    return kernel.unite(kernel.words_round(right, steps, before, after, one_location))


def order_rules(alphabet: Alphabet, name: str, within: Nfa, before: Guard, after: Guard) -> list[RewriteRule]:
    """What follows for an order from words within ``r?``: r may be preceded and followed by such words."""
    kernel = alphabet.kernel
    order = alphabet.step((name, False), before, after)
    either = kernel.repeat(kernel.unite([order, within]))
    around = either.with_nullable(before & after)
    rules = [
        RewriteRule(within, order.with_nullable(before & after)),
        RewriteRule(kernel.concatenate(kernel.concatenate(around, order), around), order),
    ]
    if name == "co":
        read = alphabet.step(("fr", False), alphabet.events.everything, after)
        rules.append(RewriteRule(kernel.concatenate(read, either), read))
    return rules


def one_location_cycles(right: Saturated, alphabet: Alphabet) -> Nfa:
    """Forbidden cycles of po-loc and steps that keep the location, with po for po-loc (thesis §3.6.1).

    If all steps of a cycle but those along po keep the location, so does po.
    """
    kernel = alphabet.kernel
    edges = [NfaStep(*edge) for edge in right.edges]
    along: dict[tuple[int, int], list[NfaStep]] = defaultdict(list)
    for e in edges:
        if e.label == _PO:
            along[e.source, e.target].append(e)
    steps = []
    for e in edges:
        kernel.look()
        if e.label == _PO_LOC and not _is_within(e, along[e.source, e.target]):
            steps.append(e)
    everything = alphabet.events.everything
    ways = kernel.words_round(right, steps, everything, everything, True)
    return kernel.unite(
        [
            kernel.concatenate(alphabet.step(_PO, e.before, e.after), way)
            for e, way in zip(steps, ways, strict=True)
        ]
    )


def _is_within(edge: NfaStep, others: list[NfaStep]) -> bool:
    """Whether one of some steps can be made wherever this one can."""
    return any(not edge.before & ~e.before and not edge.after & ~e.after for e in others)
