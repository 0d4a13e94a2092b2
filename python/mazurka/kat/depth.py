"""How deep the terms of a model are, with names opened.

The parser bounds how deep one expression is nested; names put expressions into each other. Whoever walks
terms does so by recursion.
I1: after ``make_room`` there is stack for walking the model's terms, or the model was refused.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from mazurka.errors import ErrorCode, ModelError, Place
from mazurka.kat import terms
from mazurka.kat.parts import parts
from mazurka.kat.terms import Model, Relation

DEEPEST = 1_000
_FRAMES = 12  # of Python's stack that the walks of one operator take, at most


def make_room(model: Model) -> None:
    """Sees to it that a model's terms can be walked (I1)."""
    known: dict[int, int] = {}
    found = 0
    for term in _relations(model):
        found = max(found, _depth(term, model.views, known))
    if found > DEEPEST:
        raise ModelError(
            ErrorCode.BAD_MODEL,
            f"its definitions are nested {found} operators deep, through names; the limit is {DEEPEST}",
            place=Place(str(model.path)),
            hint="say it with fewer definitions inside each other",
        )
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 500 + _FRAMES * found))


def _relations(model: Model) -> list[Relation]:
    claims = [s.claim for s in (*model.assumptions, *model.assertions)]
    claims += [rule.constraint for rule in model.errors]
    claims += [axiom.unless for axiom in model.axioms]
    sides = [side for claim in claims if claim is not None for side in (claim.left, claim.right)]
    return [*(axiom.relation for axiom in model.axioms), *model.views.values(), *sides]


def _depth(term: Relation, views: Mapping[str, Relation], known: dict[int, int]) -> int:
    """How many operators and views stand above each other; by identity, as names share what they are."""
    waiting = [term]
    while waiting:
        one = waiting[-1]
        inside = (views[one.name],) if isinstance(one, terms.View) else parts(one)
        missing = [part for part in inside if id(part) not in known]
        if missing:
            waiting += missing
        else:
            waiting.pop()
            known[id(one)] = 1 + max((known[id(part)] for part in inside), default=0)
    return known[id(term)]
