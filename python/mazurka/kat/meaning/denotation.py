"""What a term of the model language denotes on a few events (thesis §3.1): pairs, as ``rows`` of bits.

Each operator follows its definition. To save time, a term is evaluated only once, and a composition whose
first side is empty does not evaluate the other. Subclasses supply base relations, views and tests: the
reference's graphs and the prover's counterexamples.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from mazurka.kat.meaning import terms
from mazurka.kat.meaning.parts import parts
from mazurka.kat.meaning.rows import Rows, closure, compose, identity, inverse, union
from mazurka.kat.meaning.terms import Relation

# What is known about equations, by their identity. They are kept here, as terms are below.
_VARYING: dict[int, tuple[tuple[terms.Equation, ...], list[int]]] = {}
_MOST_KEPT = 1000


class Denotation(ABC):
    """The relations that terms denote on ``size`` events."""

    size: int

    def __init__(self) -> None:
        # By the identity of the term. The term is kept here, so that no other term can get its identity.
        self._values: dict[int, tuple[Relation, Rows]] = {}
        self._variables: dict[str, Rows] = {}

    @abstractmethod
    def base(self, name: str) -> Rows:
        """A built-in or declared relation."""

    @abstractmethod
    def view(self, name: str) -> Rows:
        """What a view stands for."""

    @abstractmethod
    def passing(self, test: terms.Test) -> Rows:
        """The events that pass a test, each with itself."""

    @abstractmethod
    def rotation(self) -> Rows:
        """Raises an error: the rotational closure is about words, not about pairs of events."""

    def rows(self, term: Relation) -> Rows:
        """The relation that a term denotes."""
        known = self._values.get(id(term))
        if known is None:
            known = self._values[id(term)] = term, self._evaluate(term)
        return known[1]

    def _evaluate(self, term: Relation) -> Rows:
        match term:  # the most frequent first
            case terms.Sequence(left, right):
                first = self.rows(left)
                return compose(first, self.rows(right)) if any(first) else first
            case terms.Guard(test):
                return self.passing(test)
            case terms.Union(left, right):
                return union(self.rows(left), self.rows(right))
            case terms.Base(name):
                return self.base(name)
            case terms.View(name):
                return self.view(name)
            case terms.Empty():
                return [0] * self.size
            case terms.Identity():
                return identity(self.size)
            case terms.Intersection(left, right):
                return [a & b for a, b in zip(self.rows(left), self.rows(right), strict=True)]
            case terms.Difference(left, right):
                return [a & ~b for a, b in zip(self.rows(left), self.rows(right), strict=True)]
            case terms.Plus(body):
                return closure(self.rows(body))
            case terms.Star(body):
                return union(closure(self.rows(body)), identity(self.size))
            case terms.Maybe(body):
                return union(self.rows(body), identity(self.size))
            case terms.Inverse(body):
                return inverse(self.rows(body))
            case terms.Rotation():
                return self.rotation()
            case terms.Variable(name):
                return self._variables[name]
            case terms.Fixpoint(name, equations):
                return self._least(equations)[name]

    def _least(self, equations: tuple[terms.Equation, ...]) -> dict[str, Rows]:
        """The least solution: all variables are empty at first, and grow until nothing changes."""
        varying = _varying(equations)
        now: dict[str, Rows] = {equation.name: [0] * self.size for equation in equations}
        while True:
            self._variables |= now
            for number in varying:  # what was computed with smaller variables
                self._values.pop(number, None)
            then = {equation.name: self.rows(equation.body) for equation in equations}
            if then == now:
                return now
            now = then


def _varying(equations: tuple[terms.Equation, ...]) -> list[int]:
    """The identities of the parts of equations in which variables occur."""
    known = _VARYING.get(id(equations))
    if known is None:
        if len(_VARYING) == _MOST_KEPT:
            _VARYING.clear()
        found = [id(part) for equation in equations for part in _with_variables(equation.body)]
        known = _VARYING[id(equations)] = equations, found
    return known[1]


def _with_variables(term: Relation) -> list[Relation]:
    """The parts of a term, with itself, in which variables occur; each object once."""
    known: dict[int, bool] = {}
    found: list[Relation] = []

    def varies(part: Relation) -> bool:
        if id(part) not in known:
            inner = [varies(one) for one in parts(part)]
            known[id(part)] = any(inner) or isinstance(part, terms.Variable)
            found.extend([part] if known[id(part)] else [])
        return known[id(part)]

    varies(term)
    return found
