"""Replaces a term that claim and assumptions share by a relation, which makes a question with fewer letters.

If dependencies occur in a claim only within one term, which the assumed axioms have too (the preserved
program order of two models, say), that term is replaced by a fresh relation. What is proved for any such
relation holds for that term. What is known about the relation: the events at its ends, that it is within po,
and the parts of the term without dependencies.
I1: the term satisfies everything that is assumed about the relation that replaces it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import SYMBOLS
from mazurka.kat.meaning.facts import BELOW
from mazurka.kat.meaning.parts import replaced, size, subterms, without
from mazurka.kat.meaning.terms import Inclusion, Relation
from mazurka.prover.theory.queries import Query, Theory, names_in

SHARED = "(shared)"  # a name that models cannot write
_PO = terms.Base("po")
_ENDS = (terms.Primitive("R"), terms.Primitive("W"), terms.Primitive("LOC"), terms.Anything())


def abstracted(query: Query, holds: Callable[[Query], bool]) -> Query | None:
    """A question whose proof proves the query, if there is a term to replace; ``holds`` decides claims."""
    claim, theory = query.claim, query.theory
    private = {name for name in _names((claim.left, claim.right), theory) if _is_private(name)}
    if not private:
        return None
    axioms = [
        s.claim.left for s in theory.assumptions if s.claim is not None and s.claim.right == terms.Empty()
    ]
    bodies = [claim.left, claim.right, *axioms]
    common = subterms(claim.left) & {term for axiom in axioms for term in subterms(axiom)}
    for term in sorted(common, key=size):
        inside = _names((term,), theory)
        fresh = Theory(views={name: replaced(body, term, _PO) for name, body in theory.views.items()})
        if (
            private <= inside
            and _is_positive(term)
            and not private & _names((replaced(body, term, _PO) for body in bodies), fresh)
        ):
            return _with(query, term, private, holds)
    return None


def _is_private(name: str) -> bool:
    """Whether little is known about a relation: dependencies and declared relations."""
    return name not in SYMBOLS and name not in BELOW


def _with(query: Query, term: Relation, private: set[str], holds: Callable[[Query], bool]) -> Query | None:
    """The query with a term replaced by a relation, if the term is within program order (I1)."""

    def bound(first: terms.Test, last: terms.Test) -> Relation:
        return terms.Sequence(terms.Guard(first), terms.Sequence(_PO, terms.Guard(last)))

    def within(first: terms.Test, last: terms.Test) -> bool:
        return holds(Query(query.name, Inclusion(term, bound(first, last)), query.theory))

    everything = _ENDS[-1]
    first = next((test for test in _ENDS if within(test, everything)), None)
    if first is None:
        return None
    last = next(test for test in _ENDS if within(first, test))
    shared = terms.Base(SHARED)
    public = without(term, private)
    span = query.theory.assumptions[0].span
    known = terms.Statement(Inclusion(shared, bound(first, last)), span)

    both = terms.Union(shared, public)

    def changed(body: Relation) -> Relation:
        return replaced(body, term, both)

    assumptions = [
        terms.Statement(Inclusion(changed(s.claim.left), changed(s.claim.right), s.claim.equal), s.span)
        if s.claim is not None
        else s
        for s in query.theory.assumptions
    ]
    views = {name: changed(body) for name, body in query.theory.views.items()}
    theory = Theory((*assumptions, known), query.theory.disjoint, views, (both, shared), query.theory.shown)
    smaller = replaced(query.claim.left, term, shared)
    claim = Inclusion(smaller, changed(query.claim.right), query.claim.equal)
    return Query(query.name, claim, theory, query.span)


def _names(bodies: Iterable[Relation], theory: Theory) -> set[str]:
    return {name for body in bodies for name in names_in(body, theory.views)[0]}


def _is_positive(term: Relation) -> bool:
    return not any(isinstance(part, terms.Difference) for part in subterms(term))
