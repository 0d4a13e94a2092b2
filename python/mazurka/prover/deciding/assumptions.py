"""Assumptions A <= B, used where the larger side of an inclusion has all of B (thesis §3.7).

The kernel knows how to use them; this module decides which of them can be used. Transitivity of a declared
relation is not such a rule, but a fact about its words, which is used without a bound (thesis Prop. 2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mazurka._engine import Nfa
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.builtins import RELATIONS
from mazurka.kat.meaning.facts import IRREFLEXIVE, Label
from mazurka.kat.meaning.irreflexivity import NOTHING, without_a_step
from mazurka.kat.meaning.rewrite import alternatives
from mazurka.kat.meaning.terms import Inclusion
from mazurka.prover.theory.alphabet import Alphabet, edges_of
from mazurka.prover.theory.queries import Within, shapes


class RewriteRule(NamedTuple):
    """``smaller <= larger``: words of the smaller side may replace those of the larger one."""

    smaller: Nfa
    larger: Nfa


def transitive_relations(claims: Iterable[Inclusion]) -> set[str]:
    """The declared relations that are assumed to be transitive: ``r ; r <= r``."""
    found = set()
    for shape in (shape for claim in claims for shape in shapes(claim)):
        match shape:
            case Within(terms.Sequence(one, two), terms.Base(name) as whole) if one == two == whole:
                found.add(name)
            case Within(terms.Plus(body), terms.Base(name) as whole) if body == whole:
                found.add(name)
    return found - RELATIONS


def reflexive_relations(
    claims: Iterable[Inclusion], views: Mapping[str, terms.Relation]
) -> dict[str, terms.Test]:
    """The declared relations that are assumed to relate some events to themselves.

    ``[P] <= r`` says so, also with ``r | e`` on the right if e is irreflexive, and ``r? <= r`` does.
    """
    found: dict[str, terms.Test] = {}
    for shape in (shape for claim in claims for shape in shapes(claim)):
        if not isinstance(shape, Within):
            continue
        loops, known = (without_a_step(side, views) for side in (shape.left, shape.right))
        others = [part for part in alternatives(shape.right) if _may_loop(part)]
        if loops == NOTHING or len(others) != 1:
            continue
        body = others[0].body if isinstance(others[0], terms.Inverse) else others[0]
        if isinstance(body, terms.Base) and body.name not in RELATIONS:
            test = loops if known == NOTHING else terms.Both(loops, terms.Not(known))
            found[body.name] = terms.Either(found[body.name], test) if body.name in found else test
    return found


def _may_loop(term: terms.Relation) -> bool:
    """Whether a term may relate an event to itself by a step."""
    body = term.body if isinstance(term, terms.Inverse) else term
    return not isinstance(body, terms.Guard) and not (
        isinstance(body, terms.Base) and body.name in IRREFLEXIVE
    )


def useful_rules(rules: list[RewriteRule], alphabet: Alphabet) -> list[RewriteRule]:
    """The rules that can make words over the letters accepted; the letters that they need are added."""
    useful: list[RewriteRule] = []
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
