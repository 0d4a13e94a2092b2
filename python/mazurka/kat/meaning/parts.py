"""The parts of terms, and terms rebuilt from changed parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from mazurka.kat.meaning import terms
from mazurka.kat.meaning.terms import Relation

# A larger term, with its names written out, is too large for functions that walk terms recursively.
DEEPEST = 250
LARGEST = 50_000


def parts(term: Relation) -> tuple[Relation, ...]:
    """The immediate subterms of a term that are relations."""
    match term:
        case terms.Union() | terms.Intersection() | terms.Difference() | terms.Sequence():
            return (term.left, term.right)
        case terms.Plus() | terms.Star() | terms.Maybe() | terms.Inverse() | terms.Rotation():
            return (term.body,)
        case terms.Fixpoint(_, equations):
            return tuple(equation.body for equation in equations)
        case _:
            return ()


def rebuilt(term: Relation, change: Callable[[Relation], Relation]) -> Relation:
    """The term with each of its parts changed."""
    match term:
        case terms.Union() | terms.Intersection() | terms.Difference() | terms.Sequence():
            return type(term)(change(term.left), change(term.right))
        case terms.Plus() | terms.Star() | terms.Maybe() | terms.Inverse() | terms.Rotation():
            return type(term)(change(term.body))
        case terms.Fixpoint(name, equations):
            return terms.Fixpoint(name, tuple(terms.Equation(e.name, change(e.body)) for e in equations))
        case _:
            return term


def replaced(term: Relation, old: Relation, new: Relation) -> Relation:
    """The term with every occurrence of a subterm replaced."""
    return new if term == old else rebuilt(term, lambda part: replaced(part, old, new))


def without(term: Relation, names: set[str]) -> Relation:
    """The term with some relations made empty; it denotes a subset where they occur positively."""
    if isinstance(term, terms.Base) and term.name in names:
        return terms.Empty()
    return rebuilt(term, lambda part: without(part, names))


def subterms(term: Relation) -> set[Relation]:
    """The compound terms in a term, including itself."""
    found: set[Relation] = set()
    waiting = [term]
    while waiting:
        one = waiting.pop()
        if one not in found and parts(one):
            found.add(one)
            waiting += parts(one)
    return found


def has_rotation(term: Relation) -> bool:
    """Whether ``rot`` occurs in a term, not counting the definitions of views."""
    return _has(term, terms.Rotation)


def has_fixpoint(term: Relation) -> bool:
    """Whether a fixpoint occurs in a term, not counting the definitions of views."""
    return _has(term, terms.Fixpoint)


def _has(term: Relation, kind: type[Relation]) -> bool:
    return any(isinstance(one, kind) for one in _each_once(term))


def relations_in(term: Relation) -> set[str]:
    """The names of the base relations in a term."""
    return {one.name for one in _each_once(term) if isinstance(one, terms.Base)}


def relations_of(model: terms.Model) -> set[str]:
    """The names of the base relations in a model: in its definitions, used or not, its axioms and its ppo."""
    stated = [*model.definitions.values(), *(axiom.relation for axiom in model.axioms), model.ppo]
    relations = (term for term in stated if term is not None and not isinstance(term, terms.Test))
    return set().union(*map(relations_in, relations))


def _each_once(term: Relation) -> Iterator[Relation]:
    """The term and its parts; those that it shares with itself come once."""
    seen: dict[int, Relation] = {}
    waiting = [term]
    while waiting:
        one = waiting.pop()
        if id(one) not in seen:
            seen[id(one)] = one
            yield one
            waiting += parts(one)


def size(term: Relation) -> int:
    """How many operators and names a term has."""
    return 1 + sum(size(part) for part in parts(term))


def signed_leaves(term: Relation, views: Mapping[str, Relation]) -> Iterator[tuple[Relation, bool]]:
    """The leaves of a term, each view opened once, with whether the term grows when the leaf does."""
    waiting = [(term, True)]
    opened: set[tuple[str, bool]] = set()
    while waiting:
        one, grows = waiting.pop()
        match one:
            case terms.View(name):
                if (name, grows) not in opened:
                    opened.add((name, grows))
                    waiting.append((views[name], grows))
            case terms.Difference(left, right):
                waiting += [(right, not grows), (left, grows)]
            case _ if parts(one):
                waiting += [(part, grows) for part in reversed(parts(one))]
            case _:
                yield one, grows
