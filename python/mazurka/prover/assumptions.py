"""Assumptions A <= B, used where the larger side of an inclusion has all of B (thesis §3.7).

How they are used is the kernel's; here is which of them can be. That a declared relation is transitive is not
such a rule, but a fact about its words, which is used without a bound (thesis Prop. 2).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mazurka._engine import Nfa
from mazurka.kat import terms
from mazurka.kat.builtins import RELATIONS
from mazurka.kat.terms import Inclusion
from mazurka.prover.alphabet import Alphabet, edges_of
from mazurka.prover.facts import Label
from mazurka.prover.queries import Within, shapes


class Rule(NamedTuple):
    """``smaller <= larger``: the words of the one may stand for those of the other."""

    smaller: Nfa
    larger: Nfa


def transitive_relations(claims: Iterable[Inclusion]) -> set[str]:
    """The declared relations of which it is assumed that they are transitive: ``r ; r <= r``."""
    found = set()
    for shape in (shape for claim in claims for shape in shapes(claim)):
        match shape:
            case Within(terms.Sequence(one, two), terms.Base(name) as whole) if one == two == whole:
                found.add(name)
            case Within(terms.Plus(body), terms.Base(name) as whole) if body == whole:
                found.add(name)
    return found - RELATIONS


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
