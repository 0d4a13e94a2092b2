"""Unions of base relations between classes: the part of the language where ``&`` and ``\\`` can be computed.

Such a union says, for each relation and each class of the first event, which classes the second may have. Two
unions can be intersected or subtracted cell by cell wherever it is known whether their relations are disjoint
or one contains the other.

I1: rf, co and fr are kept as their external and internal halves, which are disjoint; ``merged`` joins them.
I2: a row only has classes that the relation's ends can have (``classes.domain``), so equal unions are equal
values.
I3: the rows are one integer, with the row of class 0 lowest, so that one operation works on all cells.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TypeAlias

from mazurka.kat.meaning import facts
from mazurka.kat.meaning.builtins import SYNONYMS
from mazurka.kat.meaning.classes import SYMBOLS, domain
from mazurka.kat.meaning.plan import CLASSES, EVERY_CLASS, Symbol

IDENTITY = -1  # stands for id among the symbols; its rows are diagonal
Key: TypeAlias = tuple[int, bool]  # a symbol, and whether it is walked backwards
Rows: TypeAlias = int  # by class of the first event: the classes of the second (I3)
Guarded: TypeAlias = dict[Key, Rows]

NAMES: dict[int, str] = {
    **{symbol: name for name, symbol in SYMBOLS.items() if name not in SYNONYMS},
    Symbol.PO_IMM_LOC: facts.STEP_LOC,
    Symbol.PO_IMM_ELSEWHERE: facts.STEP_ELSEWHERE,
}
_NUMBERS = {name: int(symbol) for symbol, name in NAMES.items()}
HALVES: dict[int, tuple[int, int]] = {
    SYMBOLS[whole]: (SYMBOLS[external], SYMBOLS[internal])
    for whole, (external, internal) in facts.HALVES.items()
    if external in SYMBOLS  # the halves of po-loc are the prover's
}


class NotRegular(Exception):  # noqa: N818 - says what a term is, not that something broke
    """A term has no automaton; the message names the part that is to blame."""


_WIDTH = len(CLASSES)


@lru_cache(4096)
def _spread(before: int) -> int:
    """The lowest bit of the row of each class in a set."""
    return sum(1 << index * _WIDTH for index in range(_WIDTH) if before >> index & 1)


def rectangle(before: int, after: int) -> Rows:
    """The rows of all pairs between two sets of classes."""
    return _spread(before & EVERY_CLASS) * (after & EVERY_CLASS)


def row_list(rows: Rows) -> list[int]:
    """The rows one by one."""
    return [rows >> index * _WIDTH & EVERY_CLASS for index in range(_WIDTH)]


@lru_cache(8192)
def rectangles(rows: Rows) -> tuple[tuple[int, int], ...]:
    """A few pairs of sets of classes whose products make up the rows (a greedy cover by largest products)."""
    whole = row_list(rows)
    distinct = {row for row in whole if row}
    products = []
    for after in distinct:
        before = sum(1 << c for c, row in enumerate(whole) if row & after == after)
        products.append((before, after, rectangle(before, after)))
    left = rows
    found: list[tuple[int, int]] = []
    while left:
        _, before, after, product = max(((left & p).bit_count(), b, a, p) for b, a, p in products)
        found.append((before, after))
        left &= ~product
    return tuple(found)


@cache
def parts(symbol: int, inverse: bool = False) -> tuple[tuple[int, bool, int, int], ...]:
    """The symbols and directions that stand for a whole relation (I1), each with its ends' classes (I2)."""
    inverse = inverse and NAMES.get(symbol) not in facts.SYMMETRIC
    return tuple((int(part), inverse, *domain(part, inverse)) for part in HALVES.get(symbol, (symbol,)))


def base(symbol: int, inverse: bool = False) -> Guarded:
    """A whole relation (I1)."""
    return {(part, way): rectangle(first, second) for part, way, first, second in parts(symbol, inverse)}


@cache
def _diagonal(mask: int) -> Rows:
    return sum(1 << index * (_WIDTH + 1) for index in range(_WIDTH) if mask >> index & 1)


def test(mask: int) -> Guarded:
    """The relation of each event of some classes to itself."""
    return {(IDENTITY, False): _diagonal(mask)} if mask else {}


def diagonal(union: Guarded) -> int:
    """The classes whose events the union relates to themselves through id."""
    rows = union.get((IDENTITY, False), 0)
    return sum(1 << index for index in range(_WIDTH) if rows >> index * (_WIDTH + 1) & 1) if rows else 0


def unite(left: Guarded, right: Guarded) -> Guarded:
    """The pairs of either union."""
    out = dict(left)
    for key, rows in right.items():
        out[key] = out.get(key, 0) | rows
    return out


def restrict(union: Guarded, before: int = EVERY_CLASS, after: int = EVERY_CLASS) -> Guarded:
    """The pairs whose ends are of given classes."""
    window = rectangle(before, after)
    return _without_empty({key: rows & window for key, rows in union.items()})


def intersect(left: Guarded, right: Guarded) -> Guarded:
    """The pairs of both; NotRegular where it is not known how two relations overlap."""
    out: Guarded = {}
    for one, rows in left.items():
        for two, others in right.items():
            common = rows & others
            if common:
                met = _meet(one, two)
                if met is not None:
                    out = unite(out, {met: common & rectangle(*domain(*met))})
    return _without_empty(out)


def subtract(left: Guarded, right: Guarded) -> Guarded:
    """The pairs of the first that are not in the second; NotRegular as for ``intersect``."""
    out: Guarded = {}
    for one, kept in left.items():
        rows = kept
        for two, others in right.items():
            if not rows & others:
                continue
            met = _meet(one, two)
            if met == one:
                rows &= ~others
            elif met is not None:
                raise NotRegular("a difference of two relations, neither of which contains the other")
        out[one] = rows
    return _without_empty(out)


def _meet(one: Key, two: Key) -> Key | None:
    """The intersection of two relations, None if they are disjoint."""
    if one == two:
        return one
    if IDENTITY in (one[0], two[0]):
        return _meet_identity(one, two)
    if max(one[0], two[0]) >= Symbol.VIEW:
        return _meet_view(one, two)
    try:
        met = facts.meet((NAMES[one[0]], one[1]), (NAMES[two[0]], two[1]), atomic=False)
    except facts.NotKnown as reason:
        raise NotRegular(str(reason)) from reason
    return None if met is None else (_NUMBERS[met[0]], met[1])


def _meet_identity(one: Key, two: Key) -> Key | None:
    other = two if one[0] == IDENTITY else one
    if other[0] >= Symbol.VIEW:
        raise NotRegular("an intersection of a view with id")
    return (IDENTITY, False) if other[0] == Symbol.ANY else None  # the others are irreflexive


def _meet_view(one: Key, two: Key) -> Key | None:
    """An intersection with a view, known only for ``any`` and for all pairs of one location."""
    view, other = (one, two) if one[0] >= Symbol.VIEW else (two, one)
    if other[0] == Symbol.ANY:
        return view
    if other[0] == Symbol.LOC_OVERLAP and view[0] < Symbol.VIEW_LOC:
        return Symbol.VIEW_LOC + view[0] - Symbol.VIEW, view[1]
    raise NotRegular("an intersection of a view with a relation that is not known to contain or exclude it")


def _without_empty(union: Guarded) -> Guarded:
    return {key: rows for key, rows in union.items() if rows}


def merged(union: Guarded) -> Guarded:
    """The union with whole rf, co and fr where both halves have a pair of classes (undoes I1)."""
    out = dict(union)
    for whole, (external, internal) in HALVES.items():
        for inverse in (False, True):
            outer, inner = out.get((external, inverse)), out.get((internal, inverse))
            if outer is None or inner is None:
                continue
            inner_domain = rectangle(*domain(internal, inverse))
            # A pair with an initial write has no internal half.
            common = outer & (inner | ~inner_domain)
            out[(whole, inverse)] = common
            out[(external, inverse)] = outer & ~common
            out[(internal, inverse)] = inner & ~common
    return _without_empty(out)
