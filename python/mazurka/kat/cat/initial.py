"""Initial writes that come before everything: ``sb = po | IW * (M \\ IW)`` in models of C.

The engine has no such edges, and does not need them: nothing leads to an initial write, so they are on no
cycle.

I1: if no part of a term leads to an initial write, the term without these products loses only pairs that
begin at one. By induction: a composition loses a pair only if its first part does, or if its first part ends
at an initial write, which only the identity does. So it is acyclic, or irreflexive, before iff it is after.
"""

from __future__ import annotations

from mazurka.kat.cat import algebra
from mazurka.kat.cat.algebra import WITH_INITIAL, as_relation, between, sides, union_of
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import ACCESSES, INIT, classes_of_test
from mazurka.kat.meaning.facts import ends
from mazurka.kat.meaning.parts import parts, rebuilt
from mazurka.kat.meaning.rewrite import alternatives
from mazurka.kat.meaning.terms import Base, Difference, Empty, Guard, Identity, Relation

_LATER = terms.Not(terms.Primitive("INIT"))


def without_initial(term: Relation) -> Relation:
    """The term without products that begin at initial writes, if they cannot be on a cycle (I1)."""
    return _without(term) if _never_leads_there(term) else term


def _from_initial(term: Relation) -> bool:
    """Whether a term is a product from initial writes to others."""
    found = sides(term)
    if found is None:
        return False
    first, second = map(classes_of_test, found)
    return not first & ~INIT and not second & INIT


def _never_leads_there(term: Relation) -> bool:
    match term:
        case Base(name):
            return not ends(name)[1] & INIT
        case Guard() | Identity() | Empty():
            return True
        case Difference(left, _):
            return _never_leads_there(left)
        case terms.Intersection():
            return any(map(_never_leads_there, parts(term)))
        case terms.Union() | terms.Sequence() | terms.Plus() | terms.Star() | terms.Maybe():
            return _from_initial(term) or all(map(_never_leads_there, parts(term)))
    return False


def _without(term: Relation) -> Relation:
    if _from_initial(term):
        return Empty()
    match term:
        case Difference(left, right):
            rest = _without(left)
            return rest if rest == Empty() else Difference(rest, right)
        case terms.Union(left, right):
            return as_relation(union_of(_without(left), _without(right)))
        case terms.Intersection(left, right):
            first = without_initial(left)
            if right == WITH_INITIAL and not any(mask & INIT for mask in algebra.ends(first)):
                return Empty()
            return terms.Intersection(first, without_initial(right))
    return rebuilt(term, _without)


def ordered_after_initial(conflict: Relation, order: Relation) -> Relation:
    """The pairs that a rule has to look at: not those with initial writes, if the order begins with them."""
    steps = alternatives(order.body if isinstance(order, terms.Plus) else order)
    for one in filter(_from_initial, steps):
        found = sides(one)
        assert found is not None
        if not INIT & ~classes_of_test(found[0]) and not ACCESSES & ~INIT & ~classes_of_test(found[1]):
            return between(_LATER, conflict, _LATER)
    return conflict
