"""Writes terms as the language writes them, with no more parentheses than needed.

I1: parsing what ``show`` wrote gives the term back (except for an inverted test, which the language refuses,
and for a fixpoint, which only ``.cat`` files have).
"""

from __future__ import annotations

from mazurka.kat.meaning import terms
from mazurka.kat.meaning.terms import Relation, Test

# How tightly an expression binds; an operand that binds less tightly needs parentheses.
_UNION, _MEET, _SEQUENCE, _POSTFIX, _PREFIX, _ATOM = range(6)


def show(relation: Relation) -> str:
    """A relation as text."""
    return _relation(relation)[0]


def show_test(test: Test) -> str:
    """A test as text, without the brackets of a guard."""
    return _test(test)[0]


def show_inclusion(claim: terms.Inclusion) -> str:
    """A constraint as text."""
    return f"{show(claim.left)} {'=' if claim.equal else '<='} {show(claim.right)}"


def _relation(relation: Relation) -> tuple[str, int]:
    match relation:
        case terms.Empty():
            return "0", _ATOM
        case terms.Identity():
            return "id", _ATOM
        case terms.Base(name) | terms.View(name):
            return name, _ATOM
        case terms.Guard(terms.Anything()):
            return "[]", _ATOM
        case terms.Guard(test):
            return f"[{show_test(test)}]", _ATOM
        case terms.Union(left, right):
            return _binary("|", _relation(left), _relation(right), _UNION)
        case terms.Intersection(left, right):
            return _binary("&", _relation(left), _relation(right), _MEET)
        case terms.Difference(left, right):
            return _binary("\\", _relation(left), _relation(right), _MEET)
        case terms.Sequence(left, right):
            return _binary(";", _relation(left), _relation(right), _SEQUENCE)
        case terms.Plus(body):
            return _at(_relation(body), _POSTFIX) + "+", _POSTFIX
        case terms.Star(body):
            return _at(_relation(body), _POSTFIX) + "*", _POSTFIX
        case terms.Maybe(body):
            return _at(_relation(body), _POSTFIX) + "?", _POSTFIX
        case terms.Inverse(body):
            return _at(_relation(body), _POSTFIX) + "^-1", _POSTFIX
        case terms.Rotation(body):
            return "rot " + _at(_relation(body), _PREFIX), _PREFIX
        case terms.Variable(name):
            return name, _ATOM
        case terms.Fixpoint(name, equations):  # as in .cat files
            stated = " and ".join(f"{e.name} = {show(e.body)}" for e in equations)
            return f"(let rec {stated} in {name})", _ATOM


def _test(test: Test) -> tuple[str, int]:
    match test:
        case terms.Anything():
            return "[]", _ATOM
        case terms.Primitive(name):
            return name, _ATOM
        case terms.Not(body):
            return _binary("\\", ("[]", _ATOM), _test(body), _MEET)
        case terms.Both(left, terms.Not(body)) if left != terms.Anything():
            return _binary("\\", _test(left), _test(body), _MEET)
        case terms.Both(left, right):
            return _binary("&", _test(left), _test(right), _MEET)
        case terms.Either(left, right):
            return _binary("|", _test(left), _test(right), _UNION)


def _binary(op: str, left: tuple[str, int], right: tuple[str, int], level: int) -> tuple[str, int]:
    """Operators group to the left, so of operands of the same level only the right one needs parentheses."""
    return f"{_at(left, level)} {op} {_at(right, level + 1)}", level


def _at(part: tuple[str, int], level: int) -> str:
    text, tightness = part
    return text if tightness >= level else f"({text})"
