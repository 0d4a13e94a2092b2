"""Inclusion of terms as sets of words: letters are relations of which nothing is known.

A term becomes an automaton that has a state for each occurrence of a letter (Glushkov 1961), and inclusion
is decided by following the words of one automaton in the other.

I1: the search is bounded (``_MOST``), and gives up beyond: a yes is proved, a no may not be.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

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
)

_MOST = 500_000  # steps that are followed on the other side; our own models need a tenth of that
_START = 0


def words_included(first: Words, second: Words) -> bool:
    """Whether the words of a term are among those of another.

    A letter whose name begins with ``[`` is a test: a word of the second term may lack it, or repeat it.
    """
    start = _START, frozenset((_START,))
    seen, waiting = {start}, [start]
    steps = 0
    while waiting:
        state, others = waiting.pop()
        if state in first.final and not others & second.final:
            return False
        for letter, targets in first.steps[state].items():
            steps += len(others)
            after = second.behind(letter, others)
            for pair in ((target, after) for target in targets):
                if pair not in seen:
                    seen.add(pair)
                    waiting.append(pair)
        if steps > _MOST:
            return False
    return True


class _Ends(NamedTuple):
    """Of a part of a term: whether it has the empty word, and where its words begin and end."""

    nullable: bool
    first: frozenset[int]
    last: frozenset[int]


_NOTHING: frozenset[int] = frozenset()


@dataclass
class Words:
    """The words of a term, as an automaton. States are its occurrences of letters, and the start."""

    steps: list[dict[str, set[int]]] = field(default_factory=lambda: [{}])
    letters: list[str] = field(default_factory=lambda: [""])
    final: frozenset[int] = _NOTHING

    @classmethod
    def of(cls, term: Relation) -> Words:
        """Those of a term."""
        made = cls()
        ends = made._read(term)
        made._link(frozenset((_START,)), ends.first)
        made.final = ends.last | ({_START} if ends.nullable else set())
        return made

    def behind(self, letter: str, states: frozenset[int]) -> frozenset[int]:
        """Where a letter leads."""
        after = self._after(letter, states)
        if not letter.startswith("["):
            return after
        while after - states:
            states |= after
            after = self._after(letter, states)
        return states

    def _after(self, letter: str, states: frozenset[int]) -> frozenset[int]:
        return frozenset(target for state in states for target in self.steps[state].get(letter, ()))

    def _read(self, term: Relation) -> _Ends:
        match term:
            case Base(name):
                self.steps.append({})
                self.letters.append(name)
                here = frozenset((len(self.letters) - 1,))
                return _Ends(False, here, here)
            case Union(left, right):
                one, two = self._read(left), self._read(right)
                return _Ends(one.nullable or two.nullable, one.first | two.first, one.last | two.last)
            case Sequence(left, right):
                one, two = self._read(left), self._read(right)
                self._link(one.last, two.first)
                return _Ends(
                    one.nullable and two.nullable,
                    one.first | (two.first if one.nullable else _NOTHING),
                    two.last | (one.last if two.nullable else _NOTHING),
                )
            case Plus(body) | Star(body):
                ends = self._read(body)
                self._link(ends.last, ends.first)
                return ends._replace(nullable=ends.nullable or isinstance(term, Star))
            case Maybe(body):
                return self._read(body)._replace(nullable=True)
            case Identity():
                return _Ends(True, _NOTHING, _NOTHING)
            case Empty():
                return _Ends(False, _NOTHING, _NOTHING)
        raise AssertionError(f"{term} is not made of letters")

    def _link(self, sources: frozenset[int], targets: frozenset[int]) -> None:
        by_letter: dict[str, set[int]] = {}
        for target in targets:
            by_letter.setdefault(self.letters[target], set()).add(target)
        for source in sources:
            for letter, reached in by_letter.items():
                self.steps[source].setdefault(letter, set()).update(reached)
