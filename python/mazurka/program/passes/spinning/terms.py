"""Values as expressions, and what the branches of a path say about them.

A term is a tuple: ``("number", n)``, ``("start", register)`` for what a register held where the path begins,
``("unknown", n)`` for what the path cannot know, ``("flag", n)`` for whether a compare-exchange succeeded,
``("frame", depth, n)`` for an unknown address in a private object, or an operation with its terms.

I1: what is known is true on every run that takes the path. So a term that is known to be a number is that
number, and a path with a contradiction is never taken. What is not known may still be so.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from mazurka.program import Instr, Op

Term: TypeAlias = tuple[Any, ...]

_COMPARISONS = (Op.EQ, Op.NE, Op.ULT, Op.ULE, Op.SLT, Op.SLE, Op.FCMP)


def number(value: int) -> Term:
    """A constant."""
    return ("number", value)


def masked(term: Term, width: int) -> Term:
    """A term at a width: registers hold values of their width, so only constants change."""
    return number(term[1] & ((1 << width) - 1)) if term[0] == "number" else term


def operation(instr: Instr, parts: tuple[Term, ...]) -> Term:
    """What an instruction computes from terms, simplified where branches need it."""
    op = instr.op
    parts = tuple(masked(part, instr.width) for part in parts)
    if op == Op.MOV and instr.width == 64:
        return parts[0]
    if op == Op.TRUNC and is_boolean(parts[0]):
        return parts[0]
    if op in (Op.EQ, Op.NE):
        return _comparison(instr, *parts)
    if op == Op.XOR and parts[1] == number(1) and is_boolean(parts[0]):
        return negation(parts[0])
    values = [part[1] for part in parts if part[0] == "number"]
    if len(values) == len(parts) == 2 and op in _FOLDED:
        return masked(number(_FOLDED[op](*values)), instr.width)
    return (op, instr.width, instr.x, *parts)


_FOLDED = {
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.AND: lambda a, b: a & b,
    Op.OR: lambda a, b: a | b,
    Op.XOR: lambda a, b: a ^ b,
}


def _comparison(instr: Instr, a: Term, b: Term) -> Term:
    is_equal = instr.op == Op.EQ
    if a[0] == "number":
        a, b = b, a
    if a == b:
        return number(int(is_equal))
    if b[0] == "number":
        if a[0] == "number":
            return number(int((a[1] == b[1]) == is_equal))
        if is_boolean(a) and b[1] in (0, 1):
            return a if is_equal == (b[1] == 1) else negation(a)
    equal = (Op.EQ, instr.width, 0, a, b)
    return equal if is_equal else negation(equal)


def negation(term: Term) -> Term:
    """The opposite of a term that is 0 or 1."""
    if term[0] == "number":
        return number(1 - term[1])
    if term[0] == "not":
        inner: Term = term[1]
        return inner
    return ("not", term)


def is_boolean(term: Term) -> bool:
    """Whether a term is surely 0 or 1."""
    if term[0] in ("flag", "not") or term in (number(0), number(1)):
        return True
    return isinstance(term[0], Op) and (term[0] in _COMPARISONS or term[1] == 1)


class Attempt(NamedTuple):
    """A compare-exchange: what it found, and what it was to replace."""

    old: Term
    expected: Term


class Knowledge:
    """What a path knows."""

    def __init__(self) -> None:
        self.values: dict[Term, int] = {}
        self.nonzero: set[Term] = set()
        self.different: set[frozenset[Term]] = set()
        self.attempts: dict[Term, Attempt] = {}  # by flag

    def copy(self) -> Knowledge:
        """The same knowledge, for a path that goes another way from here."""
        made = Knowledge()
        made.values, made.nonzero = dict(self.values), set(self.nonzero)
        made.different, made.attempts = set(self.different), dict(self.attempts)
        return made

    def value(self, term: Term) -> int | None:
        """The number that a term is known to be."""
        if term[0] == "number":
            found: int = term[1]
            return found
        if term in self.values:
            return self.values[term]
        if term[0] == "not":
            inner = self.value(term[1])
            return None if inner is None else 1 - inner
        if term[0] == "flag":
            return self._success(term)
        if term[0] == Op.EQ:
            return self._equality(term[3], term[4])
        return None

    def is_true(self, term: Term) -> bool | None:
        """Whether a term is known to be other than 0, or to be 0."""
        value = self.value(term)
        if value is not None:
            return value != 0
        return True if term in self.nonzero else None

    def are_equal(self, a: Term, b: Term) -> bool | None:
        """Whether two terms are known to have the same value, or not to."""
        if a == b:
            return True
        found = self._equality(a, b)
        return None if found is None else bool(found)

    def _success(self, flag: Term) -> int | None:
        attempt = self.attempts.get(flag)
        return None if attempt is None else self._equality(*attempt)

    def _equality(self, a: Term, b: Term) -> int | None:
        one, other = self.value(a), self.value(b)
        if one is not None and other is not None:
            return int(one == other)
        if (one == 0 and b in self.nonzero) or (other == 0 and a in self.nonzero):
            return 0
        return 0 if frozenset((a, b)) in self.different else None

    def learn(self, term: Term, is_true: bool) -> bool:
        """Adds that a term is not 0, or is 0; says whether that is possible."""
        if not is_true:
            return self.learn_value(term, 0)
        if is_boolean(term):
            return self.learn_value(term, 1)
        if self.is_true(term) is False:
            return False
        self.nonzero.add(term)
        return True

    def learn_value(self, term: Term, value: int) -> bool:
        """Adds that a term is a number; says whether that is possible."""
        known = self.value(term)
        if known is not None:
            return known == value
        if value == 0 and term in self.nonzero:
            return False
        self.values[term] = value
        if term[0] == "not":
            return self.learn_value(term[1], 1 - value)
        if term[0] == "flag" and term in self.attempts:
            return self._learn_equality(*self.attempts[term], bool(value))
        if term[0] == Op.EQ:
            return self._learn_equality(term[3], term[4], bool(value))
        if ((term[0] == Op.AND and value == 1) or (term[0] == Op.OR and value == 0)) and term[1] == 1:
            return self.learn_value(term[3], value) and self.learn_value(term[4], value)
        return True

    def _learn_equality(self, a: Term, b: Term, equal: bool) -> bool:
        if not equal:
            self.different.add(frozenset((a, b)))
            for one, other in ((a, b), (b, a)):
                if self.value(other) == 0 and not self.learn(one, True):
                    return False
            return self._equality(a, b) != 1
        left, right = self.value(a), self.value(b)
        if right is not None:
            return self.learn_value(a, right)
        return left is None or self.learn_value(b, left)
