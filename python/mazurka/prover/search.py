"""Inclusion of languages, by a search for a shortest word of one automaton that another does not accept.

The search walks one automaton breadth first and keeps the set of states that the other can be in, as an
antichain: a larger set is not looked at where a smaller one was. Blocks of events that make no difference are
walked together, as one mask.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from mazurka.prover.alphabet import Arc
from mazurka.prover.automata import END, START

# For the blocks of the first event that make no difference: for those of the second, the states reached.
Table: TypeAlias = list[tuple[int, list[tuple[int, int]]]]


class OutOfTime(Exception):  # noqa: N818 - the caller's limit, not an error
    """The time that was given is used up."""


class Letter(NamedTuple):
    """A step of a word that was found: blocks of which any choice will do."""

    letter: int
    before: int
    after: int


class Steps:
    """Where an automaton's steps lead from a set of states, worked out once for each set."""

    def __init__(self, arcs: Iterable[Arc], everything: int) -> None:
        self._everything = everything
        self._from: dict[int, dict[int, list[tuple[int, int, int]]]] = defaultdict(lambda: defaultdict(list))
        self._sources: dict[int, int] = defaultdict(int)
        self.states: set[int] = set()  # the states from which steps lead, and to which
        for arc in arcs:
            self.states |= {arc.source, arc.target}
            self._from[arc.letter][arc.source].append((arc.before, arc.after, 1 << arc.target))
            self._sources[arc.letter] |= 1 << arc.source
        self._known: dict[tuple[int, int], Table] = {}

    def after(self, states: int, letter: int) -> Table:
        """What a step leads to from a set of states, for all blocks of its two events."""
        states &= self._sources.get(letter, 0)
        key = (states, letter)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._table(states, letter)
        return found

    def _table(self, states: int, letter: int) -> Table:
        enabled: dict[tuple[int, int], int] = defaultdict(int)
        outgoing = self._from[letter]
        while states:
            lowest = states & -states
            states ^= lowest
            for before, after, target in outgoing[lowest.bit_length() - 1]:
                enabled[before, after] |= target
        groups: list[tuple[int, list[tuple[int, int]]]] = [(self._everything, [])]
        for (before, after), target in enabled.items():
            split = []
            for firsts, steps in groups:
                if firsts & before:
                    split.append((firsts & before, [*steps, (after, target)]))
                if firsts & ~before:
                    split.append((firsts & ~before, steps))
            groups = split
        return [(firsts, self._targets(steps)) for firsts, steps in groups]

    def _targets(self, steps: list[tuple[int, int]]) -> list[tuple[int, int]]:
        reached = {0: self._everything}
        for after, target in steps:
            split: dict[int, int] = defaultdict(int)
            for states, blocks in reached.items():
                if blocks & after:
                    split[states | target] |= blocks & after
                if blocks & ~after:
                    split[states] |= blocks & ~after
            reached = split
        return [(blocks, states) for states, blocks in reached.items()]


_Place: TypeAlias = tuple[
    int, int, int, int, int, int
]  # state, states, here, place before, letter, blocks there


class Search:
    """A search for words of ``left`` that ``right`` lacks.

    ``starts`` is the set of states that ``right`` starts in; it accepts where all states of one of
    ``accepting`` are reached.
    """

    def __init__(
        self, left: Iterable[Arc], right: Steps, starts: int, accepting: list[int], deadline: float | None
    ) -> None:
        self._outgoing: dict[int, list[Arc]] = defaultdict(list)
        for arc in sorted(left):
            self._outgoing[arc.source].append(arc)
        self._right = right
        self._starts = starts
        self._accepting = accepting
        self._deadline = deadline
        self.size = 0

    def words(self, first: int, last: int) -> Iterator[tuple[Letter, ...]]:
        """Words from an event of some blocks to one of others, shortest first, each from another place."""
        places: list[_Place] = [(START, self._starts, first, -1, 0, 0)]
        known: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for number, (state, states, here, *_) in enumerate(places):  # which grows meanwhile
            self.size += 1
            if self._deadline is not None and number % 64 == 0 and time.monotonic() > self._deadline:
                raise OutOfTime
            for arc in self._outgoing.get(state, ()):
                origin = here & arc.before
                if not origin:
                    continue
                for firsts, seconds in self._right.after(states, arc.letter):
                    if not firsts & origin:
                        continue
                    for second, reached in seconds:
                        there = second & arc.after
                        if not there:
                            continue
                        if arc.target == END:
                            if there & last and not self._accepts(reached):
                                step = (END, 0, there & last, number, arc.letter, firsts & origin)
                                yield _word(places, step)
                            continue
                        there = _uncovered(known[arc.target], reached, there)
                        if there:
                            known[arc.target].append((reached, there))
                            places.append((arc.target, reached, there, number, arc.letter, firsts & origin))

    def _accepts(self, states: int) -> bool:
        return any(states & needed == needed for needed in self._accepting)


def _uncovered(known: list[tuple[int, int]], reached: int, blocks: int) -> int:
    """The blocks for which no smaller set of states was looked at, for which more words are lacking."""
    for old, covered in known:
        if old & reached == old:
            blocks &= ~covered
            if not blocks:
                return 0
    return blocks


def _word(places: list[_Place], last: _Place) -> tuple[Letter, ...]:
    """The word that led to a place."""
    word: list[Letter] = []
    _, _, there, origin, letter, here = last
    while origin >= 0:
        word.append(Letter(letter, here, there))
        there = here
        _, _, _, origin, letter, here = places[origin]
    return tuple(reversed(word))
