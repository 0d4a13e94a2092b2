"""Terms for what cat's operators say, chosen so that regular relations stay regular.

Cat has operators that ``.kat`` files do not have: products of sets, complements, and ``loc``, ``int`` and
``ext`` as relations of their own. Each is a term (``any`` with tests around it, a difference), but an
intersection with one of them is often a simpler relation: ``po & loc`` is ``po-loc``, ``rf & ext`` is
``rfe``, and ``r & (A * B)`` is ``[A] ; r ; [B]``. The planner and the prover know the simpler ones.

A set is a test if it can be; a set such as ``domain(r)`` is a relation within ``id``.
I1: each function returns a term that denotes what the operator says, in every graph.
I2: relations between initial writes and others of their location go through co and rf, which is exact if all
accesses of a location have one size.
"""

from __future__ import annotations

from functools import reduce
from typing import TypeAlias

from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import ACCESSES, INIT, classes_of_test
from mazurka.kat.meaning.facts import HALVES, ONE_LOCATION
from mazurka.kat.meaning.facts import ends as ends_of
from mazurka.kat.meaning.plan import EVERY_CLASS
from mazurka.kat.meaning.rewrite import factors
from mazurka.kat.meaning.terms import Base, Difference, Empty, Guard, Identity, Relation, Test

EventSet: TypeAlias = Test | Relation
TESTS = (terms.Anything, terms.Primitive, terms.Not, terms.Both, terms.Either)

ANY = Base("any")
ACCESS = Guard(terms.Primitive("LOC"))
_INITIAL = Guard(terms.Primitive("INIT"))
_RF, _CO = Base("rf"), Base("co")
# From an initial write to the other accesses of its location (I2).
_FROM_INITIAL = terms.Sequence(_INITIAL, terms.Union(_RF, terms.Sequence(_CO, terms.Maybe(_RF))))
WITH_INITIAL = terms.Union(_FROM_INITIAL, terms.Inverse(_FROM_INITIAL))
SAME_LOCATION = terms.Union(terms.Union(Base("loc-overlap"), ACCESS), WITH_INITIAL)
INTERNAL = terms.Union(Base("same-thread"), Identity())
EXTERNAL = Difference(ANY, INTERNAL)
_INDEX = {EXTERNAL: 0, INTERNAL: 1}
# Read-modify-writes in one instruction and in two. Graphs tell them apart only if they acquire and release.
ONE, TWO, _RMW = Base("amo"), Base("lxsx"), Base("rmw")
ACQUIRE_LOAD = terms.Both(terms.Primitive("R"), terms.Primitive("ACQ"))
RELEASE_STORE = terms.Both(terms.Primitive("W"), terms.Primitive("REL"))
_ORDERED = terms.Both(terms.Primitive("AQ"), terms.Primitive("RL"))
_WHOLE = terms.Sequence(
    terms.Sequence(Guard(terms.Both(terms.Primitive("UR"), _ORDERED)), _RMW),
    Guard(terms.Both(terms.Primitive("UW"), _ORDERED)),
)


def as_relation(events: EventSet) -> Relation:
    """A set as the relation of its events with themselves."""
    if not isinstance(events, TESTS):
        return events
    return Guard(events) if classes_of_test(events) else Empty()


def union_of(left: EventSet, right: EventSet) -> EventSet:
    """``|`` of two sets or of two relations."""
    if isinstance(left, TESTS) and isinstance(right, TESTS):
        return terms.Either(left, right)
    return _union(as_relation(left), as_relation(right))


def _union(left: Relation, right: Relation) -> Relation:
    if Empty() in (left, right) or left == right:
        return right if left == Empty() else left
    if (left, right) in ((ONE, TWO), (TWO, ONE)):
        return _RMW
    return terms.Union(left, right)


def product(left: EventSet, right: EventSet) -> Relation:
    """``A * B``."""
    return composition(composition(as_relation(left), ANY), as_relation(right))


def composition(left: Relation, right: Relation) -> Relation:
    """``e ; f``, without steps that change nothing. ``e* ; e`` is ``e+``."""
    if Empty() in (left, right):
        return Empty()
    if left == terms.Sequence(Guard(ACQUIRE_LOAD), ONE) and right == Guard(RELEASE_STORE):
        return _WHOLE
    everything = (Identity(), Guard(terms.Anything()))
    if left in everything:
        return right
    for one, other in ((left, right), (right, left)):
        if isinstance(one, terms.Star) and one.body == other:
            return terms.Plus(other)
    return left if right in everything else terms.Sequence(left, right)


def complement(body: EventSet, *, is_set: bool) -> EventSet:
    """``~e``: the other events, or the other pairs."""
    if isinstance(body, terms.Not):
        return body.body
    if isinstance(body, TESTS):
        return terms.Not(body)
    return Difference(Identity() if is_set else ANY, body)


def difference(left: EventSet, right: EventSet) -> EventSet:
    r"""``\`` of two sets or of two relations."""
    if isinstance(left, TESTS) and isinstance(right, TESTS):
        return terms.Not(right) if left == terms.Anything() else terms.Both(left, terms.Not(right))
    one, two = as_relation(left), as_relation(right)
    if two == Empty():
        return one
    product_sides = sides(two)
    if product_sides is not None:  # not from A, or not to B
        outside = [complement(side, is_set=True) for side in product_sides]
        return _union(composition(as_relation(outside[0]), one), composition(one, as_relation(outside[1])))
    if two in (INTERNAL, EXTERNAL):
        return meet(one, EXTERNAL if two == INTERNAL else INTERNAL)
    if two == SAME_LOCATION and isinstance(one, Base):
        return Difference(one, meet(one, two))
    if two == SAME_LOCATION and isinstance(one, terms.Union):
        return union_of(difference(one.left, two), difference(one.right, two))
    return Difference(one, two)


def domain(relation: Relation) -> EventSet:
    """The events from which a relation leads somewhere."""
    match relation:
        case Base("rmw"):
            return terms.Primitive("UR")
        case _ if relation == _WHOLE:
            return terms.Both(terms.Primitive("UR"), _ORDERED)
        case terms.Sequence(Guard(test), Base("rmw")):
            return terms.Both(test, terms.Primitive("UR"))
        case Guard(test):
            return test
    return terms.Intersection(Identity(), composition(relation, ANY))


def range_of(relation: Relation) -> EventSet:
    """The events to which a relation leads."""
    match relation:
        case Base("rmw"):
            return terms.Primitive("UW")
        case _ if relation == _WHOLE:
            return terms.Both(terms.Primitive("UW"), _ORDERED)
        case terms.Sequence(Base("rmw"), Guard(test)):
            return terms.Both(terms.Primitive("UW"), test)
        case Guard(test):
            return test
    return terms.Intersection(Identity(), composition(ANY, relation))


def meet_of(left: EventSet, right: EventSet) -> EventSet:
    """``&`` of two sets or of two relations."""
    if isinstance(left, TESTS) and isinstance(right, TESTS):
        return terms.Both(left, right)
    return meet(as_relation(left), as_relation(right))


def meet(left: Relation, right: Relation) -> Relation:
    """The pairs of both relations."""
    if Empty() in (left, right):
        return Empty()
    for one, other in ((left, right), (right, left)):
        if isinstance(one, terms.Union) and one not in (SAME_LOCATION, INTERNAL) and _is_simple(one):
            return _union(meet(other, one.left), meet(other, one.right))
        if one == ANY:
            return other
    for one, other in ((left, right), (right, left)):
        if (found := sides(one)) is not None:
            return between(found[0], other, found[1])
    for which in (INTERNAL, EXTERNAL, SAME_LOCATION):
        if which in (left, right):
            return _narrowed(right if left == which else left, which)
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Difference) and one.left == ANY:  # a complement
            return as_relation(difference(other, one.right))
    return terms.Intersection(left, right)


def _is_simple(term: Relation) -> bool:
    """Whether an intersection with a term becomes a simpler relation."""
    if isinstance(term, terms.Union) and term not in (SAME_LOCATION, INTERNAL):
        return _is_simple(term.left) and _is_simple(term.right)
    return term in (ANY, SAME_LOCATION, INTERNAL, EXTERNAL) or sides(term) is not None


def sides(term: Relation) -> tuple[Test, Test] | None:
    """A and B of ``A * B``."""
    steps = factors(term)
    tests = [step.test for step in steps if isinstance(step, Guard)]
    if steps.count(ANY) != 1 or len(tests) != len(steps) - 1:
        return None
    at = steps.index(ANY)
    return _all_of(tests[:at]), _all_of(tests[at:])


def _all_of(tests: list[Test]) -> Test:
    return reduce(terms.Both, tests) if tests else terms.Anything()


def between(first: Test, term: Relation, second: Test) -> Relation:
    """``[A] ; e ; [B]``, without alternatives that lead from or to other events."""
    match term:
        case terms.Union(left, right):
            return _union(between(first, left, second), between(first, right, second))
        case terms.Sequence(Guard(test), rest):
            return between(_both(first, test), rest, second)
        case terms.Sequence(rest, Guard(test)):
            return between(first, rest, _both(test, second))
        case terms.Inverse(body):
            turned = between(second, body, first)
            return turned if turned == Empty() else terms.Inverse(turned)
        case Guard(test):
            whole = _both(_both(first, test), second)
            return Guard(whole) if classes_of_test(whole) else Empty()
    possible = ends(term)
    if not classes_of_test(first) & possible[0] or not classes_of_test(second) & possible[1]:
        return Empty()
    return composition(composition(Guard(first), term), Guard(second))


def _both(one: Test, two: Test) -> Test:
    return two if one in (two, terms.Anything()) else one if two == terms.Anything() else terms.Both(one, two)


def _narrowed(term: Relation, which: Relation) -> Relation:
    """The intersection of a relation with ``loc``, ``int`` or ``ext``."""
    if term == which:
        return term
    match term:
        case terms.Union(left, right):
            return _union(_narrowed(left, which), _narrowed(right, which))
        case terms.Sequence(Guard() as first, rest):
            return composition(first, _narrowed(rest, which))
        case terms.Sequence(rest, Guard() as last):
            return composition(_narrowed(rest, which), last)
        case Guard() | Identity() if which != SAME_LOCATION:
            return term if which == INTERNAL else Empty()
        case Base(name):
            found = _narrowed_base(name, which)
            if found is not None:
                return found
    if which == EXTERNAL:
        return Difference(term, INTERNAL)
    if which == SAME_LOCATION:
        return _of_one_location(term)
    return terms.Intersection(term, which)


def _narrowed_base(name: str, which: Relation) -> Relation | None:
    if name == "any":
        return which
    if which == SAME_LOCATION:
        if name == "po":
            return Base("po-loc")
        return Base(name) if name in ONE_LOCATION else None
    if name in ("rf", "co", "fr"):
        return Base(HALVES[name][_INDEX[which]])
    half = [halves.index(name) for whole, halves in HALVES.items() if name in halves and whole != "po-loc"]
    if half:
        return Base(name) if half[0] == _INDEX[which] else Empty()
    return None


def _of_one_location(term: Relation) -> Relation:
    """The intersection with ``loc``, without the parts to which the term never leads."""
    first, last = ends(term)
    parts: Relation = terms.Intersection(term, Base("loc-overlap"))
    if first & last & ACCESSES:
        parts = _union(parts, terms.Intersection(term, ACCESS))
    if (first | last) & INIT:
        parts = _union(parts, terms.Intersection(term, WITH_INITIAL))
    return parts


def ends(term: Relation) -> tuple[int, int]:
    """The classes that the first and the last event of a pair may have, or more than these."""
    match term:
        case Empty():
            return 0, 0
        case Guard(test):
            mask = classes_of_test(test)
            return mask, mask
        case Base(name):
            return ends_of(name)
        case terms.Union(left, right):
            one, two = ends(left), ends(right)
            return one[0] | two[0], one[1] | two[1]
        case terms.Intersection(left, right):
            one, two = ends(left), ends(right)
            return one[0] & two[0], one[1] & two[1]
        case Difference(left, _):
            return ends(left)
        case terms.Sequence(left, right):
            one, two = ends(left), ends(right)
            first = one[0] & two[0] if isinstance(left, Guard) else one[0]
            return first, one[1] & two[1] if isinstance(right, Guard) else two[1]
        case terms.Plus(body):
            return ends(body)
        case terms.Inverse(body):
            first, last = ends(body)
            return last, first
    return EVERY_CLASS, EVERY_CLASS
