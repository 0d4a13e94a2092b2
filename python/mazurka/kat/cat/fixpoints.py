"""Recursive definitions: the least solution of equations, as closed terms where these are regular.

An equation is linear if its alternatives have at most one variable, at the right end of a composition in all
of them or at the left end in all of them. Linear equations are solved by elimination (Arden's lemma: the
least solution of ``x = a ; x | b`` is ``a* ; b``), and ``x = a | x ; x`` is ``a+``. Of others a regular
solution is looked for (``paths``). The rest stay fixpoints, which only the reference evaluates.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from mazurka.kat.cat.algebra import composition
from mazurka.kat.cat.paths import regular_solution
from mazurka.kat.meaning.parts import parts
from mazurka.kat.meaning.rewrite import alternatives, chain, factors, union
from mazurka.kat.meaning.terms import (
    Difference,
    Empty,
    Equation,
    Fixpoint,
    Identity,
    Plus,
    Relation,
    Sequence,
    Star,
    Variable,
)

_Row = dict[str | None, Relation]  # the coefficient of each variable; None: of the part without one


def negative(term: Relation, names: set[str], *, grows: bool = True) -> str | None:
    """A variable that a term contains under an odd number of complements."""
    if isinstance(term, Variable):
        return None if grows or term.name not in names else term.name
    inner = parts(term)
    signs = [grows, not grows] if isinstance(term, Difference) else [grows] * len(inner)
    found = (negative(part, names, grows=sign) for part, sign in zip(inner, signs, strict=True))
    return next((name for name in found if name is not None), None)


def least(equations: Mapping[str, Relation]) -> dict[str, Relation]:
    """The least solution of equations between variables, by name."""
    plain = {name: _squared(name, body) for name, body in equations.items()}
    for right in (True, False):
        found = _linear_solution(plain, right=right)
        if found is not None:
            return found
    found = regular_solution(equations, partial(_linear_solution, right=True))
    if found is not None:
        return found
    system = tuple(Equation(name, body) for name, body in equations.items())
    return {name: Fixpoint(name, system) for name in equations}


def _linear_solution(equations: Mapping[str, Relation], *, right: bool) -> dict[str, Relation] | None:
    """The solution of equations whose variables are all at the right end, or all at the left end."""
    rows = {name: _row(body, {*equations}, right=right) for name, body in equations.items()}
    linear = {name: row for name, row in rows.items() if row is not None}
    return _solved(linear, right) if len(linear) == len(rows) else None


def _squared(name: str, body: Relation) -> Relation:
    """``x = a | x ; x`` without its square, if ``a`` does not contain x."""
    square = Sequence(Variable(name), Variable(name))
    others = [part for part in alternatives(body) if part not in (square, Variable(name))]
    if square in alternatives(body) and not any(_occurs(part, {name}) for part in others):
        return Plus(union(others)) if others else Empty()
    return body


def _occurs(term: Relation, names: set[str]) -> bool:
    if isinstance(term, Variable):
        return term.name in names
    return any(_occurs(part, names) for part in parts(term))


def _row(body: Relation, names: set[str], *, right: bool) -> _Row | None:
    """An equation's right side as coefficients; None if it is not linear at that end."""
    row: _Row = {}
    for part in alternatives(body):
        steps = factors(part)
        at = [number for number, step in enumerate(steps) if _occurs(step, names)]
        key = None
        if at:
            end = len(steps) - 1 if right else 0
            last = steps[end]
            if at != [end] or not isinstance(last, Variable):
                return None
            key, steps = last.name, steps[:-1] if right else steps[1:]
        row[key] = union([*([row[key]] if key in row else []), chain(steps)])
    return row


def _solved(rows: dict[str, _Row], right: bool) -> dict[str, Relation]:
    """Eliminates the variables one after the other, then puts the solutions in, the other way round."""

    def joined(outer: Relation, inner: Relation) -> Relation:
        return composition(outer, inner) if right else composition(inner, outer)

    def without(name: str, value: _Row, row: _Row) -> _Row:
        factor = row.pop(name, None)
        for key, part in value.items() if factor is not None else ():
            assert factor is not None
            row[key] = union([*([row[key]] if key in row else []), joined(factor, part)])
        return row

    order = list(rows)
    for position in reversed(range(len(order))):
        name = order[position]
        loop = rows[name].pop(name, None)
        if loop is not None and loop != Identity():
            rows[name] = {key: joined(Star(loop), part) for key, part in rows[name].items()}
        for other in order[:position]:
            rows[other] = without(name, rows[name], rows[other])
    solved: dict[str, Relation] = {}
    for position, name in enumerate(order):
        for earlier in order[:position]:
            rows[name] = without(earlier, {None: solved[earlier]}, rows[name])
        solved[name] = rows[name].get(None, Empty())
    return solved
