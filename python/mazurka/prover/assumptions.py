"""Assumptions A <= B, used where the larger side of an inclusion has all of B (thesis §3.7).

How they are used is the kernel's; here is which of them can be.
"""

from __future__ import annotations

from typing import NamedTuple

from mazurka._engine import Nfa
from mazurka.prover.alphabet import Alphabet, edges_of
from mazurka.prover.facts import Label


class Rule(NamedTuple):
    """``smaller <= larger``: the words of the one may stand for those of the other."""

    smaller: Nfa
    larger: Nfa


def useful_rules(rules: list[Rule], alphabet: Alphabet) -> list[Rule]:
    """The rules by which words over the letters can come to be accepted; the letters they need are added."""
    useful: list[Rule] = []
    left = list(rules)
    while True:
        letters = set(alphabet.letters)
        found = [rule for rule in left if _parts(rule.smaller, alphabet) <= letters]
        if not found:
            return useful
        useful += found
        left = [rule for rule in left if rule not in found]
        for rule in found:
            alphabet.kernel.add_letters(rule.larger)


def _parts(nfa: Nfa, alphabet: Alphabet) -> set[Label]:
    return {part for e in edges_of(nfa) for part in alphabet.parts(e.label)}
