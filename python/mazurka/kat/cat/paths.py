"""Recursion that is not linear, but has a regular solution, as POWER's preserved program order.

The equations are tried with all variables but the last of each composition replaced by what they contain
anyway (their parts without variables). That makes them right-linear, and their solution can only be smaller.
If it also satisfies the stated equations, it is their least solution. Whether it does is a question about
words: the parts without variables are letters, whatever they denote.

I1: a solution is returned only if this was shown (``words`` I1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mazurka.kat.cat.words import Words, words_included
from mazurka.kat.meaning.parts import rebuilt
from mazurka.kat.meaning.rewrite import alternatives, chain, factors, leaves, union
from mazurka.kat.meaning.terms import Base, Relation, Variable

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
    right = _substituted(body, {Variable(other): term for other, term in found.items()})
    return words_included(Words.of(right), Words.of(found[name]))


def _substituted(term: Relation, meaning: Mapping[Relation, Relation]) -> Relation:
    known = meaning.get(term)
    return rebuilt(term, lambda part: _substituted(part, meaning)) if known is None else known
