"""The letters of a query's words, and automata over them with numbers for letters.

I1: a letter is a relation with a direction; rf, co and fr are letters only if the query nowhere tells their
halves apart, else their halves are. So the words of the claim's smaller side are over letters, and what a
larger relation is made of follows from ``facts``.
I2: a guard has only blocks that the letter's ends can have.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mazurka.prover.automata import Edge
from mazurka.prover.events import Events
from mazurka.prover.facts import HALVES, WHOLE, Label, contains, ends, label


class Arc(NamedTuple):
    """A step by a letter, as the search sees it."""

    source: int
    letter: int
    target: int
    before: int
    after: int


class Alphabet:
    """The letters of a query; ``alive`` are the blocks that some event may be of."""

    def __init__(self, events: Events, names: Iterable[str], alive: int) -> None:
        self.events = events
        self.alive = alive
        self._split = {WHOLE[name] for name in names if name in WHOLE}
        self.letters: list[Label] = []
        self._numbers: dict[Label, int] = {}
        self._domains: dict[Label, tuple[int, int]] = {}
        self._below: dict[Label, list[int]] = {}

    def parts(self, which: Label) -> list[Label]:
        """The letters that a relation is the union of (I1)."""
        name, inverse = which
        names = HALVES[name] if name in self._split else (name,)
        return [label(part, inverse) for part in names]

    def domain(self, which: Label) -> tuple[int, int]:
        """The blocks that the two ends of a step can have."""
        if which not in self._domains:
            before, after = (self.events.of_classes(classes) & self.alive for classes in ends(which[0]))
            self._domains[which] = (after, before) if which[1] else (before, after)
        return self._domains[which]

    def has(self, letter: Label) -> bool:
        """Whether a relation is a letter."""
        return letter in self._numbers

    def number(self, letter: Label) -> int:
        """The number of a letter, which is one from now on."""
        if letter not in self._numbers:
            self._numbers[letter] = len(self.letters)
            self.letters.append(letter)
            self._below.clear()
        return self._numbers[letter]

    def exactly(self, edges: Iterable[Edge]) -> list[Arc]:
        """Steps over letters that mean the same, for the smaller side of an inclusion."""
        return [
            arc
            for e in edges
            for part in self.parts(e.label)
            for arc in self._arcs(e, self.number(part), part)
        ]

    def within(self, edges: Iterable[Edge]) -> list[Arc]:
        """Steps over letters whose relations are within those of the edges, for the larger side."""
        found: dict[tuple[int, int, int, int], int] = {}
        for e in edges:
            for number in self.letters_below(e.label):
                for arc in self._arcs(e, number, self.letters[number]):
                    key = (*arc[:3], arc.before)
                    found[key] = found.get(key, 0) | arc.after
        return [Arc(s, a, t, before, after) for (s, a, t, before), after in found.items()]

    def letters_below(self, which: Label) -> list[int]:
        """The letters whose relations are within one."""
        if which not in self._below:
            whole = label(*which)
            self._below[which] = [n for n, inner in enumerate(self.letters) if contains(whole, inner)]
        return self._below[which]

    def _arcs(self, edge: Edge, number: int, letter: Label) -> list[Arc]:
        first, second = self.domain(letter)
        outer = self.domain(edge.label)
        before, after = edge.before & first & outer[0], edge.after & second & outer[1]
        return [Arc(edge.source, number, edge.target, before, after)] if before and after else []
