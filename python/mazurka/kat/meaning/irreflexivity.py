"""``assert A & id <= B``: if B is irreflexive, so is A (thesis §3.5, Prop. 8-11).

This is how Kater's files ask whether one axiom follows from another. Read as an inclusion of sets of pairs,
it would say nothing if B contains ``id``, as ``e*`` and ``e?`` do, because these relate every event to
itself. It is about the words of A and B, and a cycle of A is not the empty word. So the claim is split:

- if the nonempty words of B relate no event to itself, neither do those of A;
- if A relates an event to itself by the empty word, so does B.

``rot`` does not change cycles (Prop. 9), so it makes no difference whether it stands in B.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mazurka.kat.meaning import terms
from mazurka.kat.meaning.terms import Empty, Identity, Inclusion, Intersection, Relation, Test

NOTHING = terms.Not(terms.Anything())


class Implication(NamedTuple):
    """A claim about A that must hold if ``given``, a claim about B, holds."""

    claim: Inclusion
    given: Inclusion


def implication(claim: Inclusion, views: Mapping[str, Relation]) -> Implication | None:
    """The claim that ``A & id <= B`` stands for; None if the inclusion does not have this form."""
    match claim.left:
        case Intersection(body, Identity()) | Intersection(Identity(), body):
            pass
        case _:
            return None
    if claim.equal or claim.right == Empty():
        return None
    left, right = with_a_step(body, views), with_a_step(claim.right, views)
    cycles: Relation = Intersection(left, Identity())
    loops = without_a_step(body, views)
    if loops != NOTHING:
        others = terms.Guard(without_a_step(claim.right, views))
        cycles = terms.Union(cycles, terms.Difference(terms.Guard(loops), others))
    return Implication(Inclusion(cycles, Empty()), Inclusion(Intersection(right, Identity()), Empty()))


def with_a_step(term: Relation, views: Mapping[str, Relation]) -> Relation:
    """The words of a term that take at least one step."""

    def of(part: Relation) -> Relation:
        return with_a_step(part, views)

    match term:
        case terms.Empty() | terms.Identity() | terms.Guard():
            return Empty()
        case terms.Base():
            return term
        case terms.View(name):
            return term if without_a_step(term, views) == NOTHING else of(views[name])
        case _ if without_a_step(term, views) == NOTHING:
            return term
        case terms.Maybe(body):
            return of(body)
        case terms.Star(body) | terms.Plus(body):
            return terms.Plus(of(body))
        case terms.Inverse(body) | terms.Rotation(body):
            return type(term)(of(body))
        case terms.Variable() | terms.Fixpoint():
            raise AssertionError("the prover refuses fixpoints before")
        case terms.Union(left, right):
            return terms.Union(of(left), of(right))
        case terms.Sequence(left, right):
            return terms.Union(terms.Sequence(of(left), right), terms.Sequence(left, of(right)))
        case terms.Intersection(left, right):
            return terms.Union(Intersection(of(left), right), Intersection(left, of(right)))
        case terms.Difference(left, right):
            return terms.Difference(of(left), right)


def without_a_step(term: Relation, views: Mapping[str, Relation]) -> Test:
    """The events that a term relates to themselves by the empty word."""

    def of(part: Relation) -> Test:
        return without_a_step(part, views)

    match term:
        case terms.Empty() | terms.Base():
            return NOTHING
        case terms.Identity() | terms.Star() | terms.Maybe():
            return terms.Anything()
        case terms.Guard(test):
            return test
        case terms.View(name):
            return of(views[name])
        case terms.Plus(body) | terms.Inverse(body) | terms.Rotation(body):
            return of(body)
        case terms.Variable() | terms.Fixpoint():
            raise AssertionError("the prover refuses fixpoints before")
        case terms.Union(left, right):
            return _either(of(left), of(right))
        case terms.Sequence(left, right) | terms.Intersection(left, right):
            return _both(of(left), of(right))
        case terms.Difference(left, right):
            taken = of(right)
            return of(left) if taken == NOTHING else _both(of(left), terms.Not(taken))


def _either(one: Test, two: Test) -> Test:
    if NOTHING in (one, two):
        return two if one == NOTHING else one
    return terms.Either(one, two)


def _both(one: Test, two: Test) -> Test:
    if NOTHING in (one, two):
        return NOTHING
    return terms.Both(one, two)
