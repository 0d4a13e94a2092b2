"""Recursion that is not linear, but has a regular solution, as POWER's preserved program order.

The equations are tried with all variables but the last of each composition replaced by what they contain
anyway (their parts without variables). That makes them right-linear, and their solution can only be smaller.
If it also satisfies the stated equations, it is their least solution. Whether it does is a question about
words: the parts without variables are letters, whatever they denote.

I1: a solution is returned only if this was shown. The search is bounded (``_MOST``), and gives up beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from mazurka.kat.cat.algebra import composition
from mazurka.kat.meaning.parts import rebuilt
from mazurka.kat.meaning.rewrite import alternatives, chain, factors, leaves, union
from mazurka.kat.meaning.terms import (
    Base,
    Empty,
    Identity,
    Maybe,
    Plus,
    Relation,
    Sequence,
    Star,
    Union,
    Variable,
)

_MOST = 3_000  # pairs of a word's rest and what may follow on the other side
_Solve = Callable[[Mapping[str, Relation]], dict[str, Relation] | None]


def regular_solution(equations: Mapping[str, Relation], solve: _Solve) -> dict[str, Relation] | None:
    """The least solution as regular terms, if it is found; ``solve`` solves right-linear equations."""
    letters: dict[Relation, Base] = {}
    lettered = {name: _lettered(body, {*equations}, letters) for name, body in equations.items()}
    if any(body is None for body in lettered.values()):
        return None
    system = {name: body for name, body in lettered.items() if body is not None}
    found = solve({name: _linear(body, system) for name, body in system.items()})
    if found is None or not all(_satisfies(name, body, found) for name, body in system.items()):
        return None
    meaning: dict[Relation, Relation] = {letter: term for term, letter in letters.items()}
    return {name: _substituted(term, meaning) for name, term in found.items()}


def _lettered(body: Relation, names: set[str], letters: dict[Relation, Base]) -> Relation | None:
    """An equation's right side with letters for all that is not a variable; None if it is not of that form.

    All alternatives without variables are one letter.
    """
    constant = [part for part in alternatives(body) if not _mentions(part, names)]
    choices = [_letter(union(constant), letters)] if constant else []
    for part in alternatives(body):
        if part in constant:
            continue
        steps = factors(part)
        if any(not isinstance(step, Variable) and _mentions(step, names) for step in steps):
            return None
        choices.append(chain([step if _mentions(step, names) else _letter(step, letters) for step in steps]))
    return union(choices)


def _letter(term: Relation, letters: dict[Relation, Base]) -> Relation:
    return letters.setdefault(term, Base(f"#{len(letters)}"))


def _mentions(term: Relation, names: set[str]) -> bool:
    return any(isinstance(leaf, Variable) and leaf.name in names for leaf in leaves(term))


def _linear(body: Relation, system: Mapping[str, Relation]) -> Relation:
    """The right side with all variables replaced but the last of each composition."""
    choices = []
    for part in alternatives(body):
        steps = factors(part)
        first = [_known(step, system, set()) if isinstance(step, Variable) else step for step in steps[:-1]]
        choices.append(chain([*first, *steps[-1:]]))
    return union(choices)


def _known(variable: Variable, system: Mapping[str, Relation], seen: set[str]) -> Relation:
    """The letters, and words of them, that a variable contains without any composition of variables."""
    seen.add(variable.name)
    found: list[Relation] = []
    for part in alternatives(system[variable.name]):
        if isinstance(part, Variable):
            found += [] if part.name in seen else [_known(part, system, seen)]
        elif not any(isinstance(step, Variable) for step in factors(part)):
            found.append(part)
    return union(found)


def _satisfies(name: str, body: Relation, found: Mapping[str, Relation]) -> bool:
    """Whether the words of an equation's right side are words of the solution."""
    return _included(
        _substituted(body, {Variable(other): term for other, term in found.items()}), found[name]
    )


def _substituted(term: Relation, meaning: Mapping[Relation, Relation]) -> Relation:
    known = meaning.get(term)
    return rebuilt(term, lambda part: _substituted(part, meaning)) if known is None else known


# Words --------------------------------------------------------------------------------------------------


def _included(one: Relation, two: Relation) -> bool:
    """Whether the words of a term are among those of another (by partial derivatives, Antimirov 1996)."""
    start = one, frozenset((two,))
    seen, waiting = {start}, [start]
    while waiting:
        left, right = waiting.pop()
        if _nullable(left) and not any(map(_nullable, right)):
            return False
        for letter, rests in _derivatives(left).items():
            after = frozenset(rest for term in right for rest in _derivatives(term).get(letter, ()))
            for rest in rests:
                pair = rest, after
                if pair not in seen:
                    seen.add(pair)
                    waiting.append(pair)
        if len(seen) > _MOST:
            return False
    return True


def _nullable(term: Relation) -> bool:
    match term:
        case Identity() | Star() | Maybe():
            return True
        case Union(left, right):
            return _nullable(left) or _nullable(right)
        case Sequence(left, right):
            return _nullable(left) and _nullable(right)
        case Plus(body):
            return _nullable(body)
    return False


@lru_cache(maxsize=_MOST)
def _derivatives(term: Relation) -> dict[Relation, set[Relation]]:
    """For each letter with which a word can begin, terms for what can follow."""
    found: dict[Relation, set[Relation]] = {}

    def add(inner: Relation, behind: Relation) -> None:
        for letter, rests in _derivatives(inner).items():
            found.setdefault(letter, set()).update(composition(rest, behind) for rest in rests)

    match term:
        case Base():
            found[term] = {Identity()}
        case Union(left, right):
            add(left, Identity())
            add(right, Identity())
        case Sequence(left, right):
            add(left, right)
            if _nullable(left):
                add(right, Identity())
        case Plus(body) | Star(body):
            add(body, Star(body))
        case Maybe(body):
            add(body, Identity())
        case Empty() | Identity():
            pass
    return found
