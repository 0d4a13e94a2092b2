"""Inclusion of automata's languages, by a search for a word of one that is not one of the other.

The search walks one automaton and keeps the set of states that the other can be in (an antichain of such
sets, so that a larger set is not looked at where a smaller one was). Classes of events that make no
difference are walked together, as one mask.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from mazurka.deadline import look
from mazurka.kat.automata.automaton import END, START, Nfa
from mazurka.kat.meaning.plan import CLASSES, EVERY_CLASS, Transition


class Step(NamedTuple):
    """A step of a word: a relation between two sets of classes."""

    symbol: int
    inverse: bool
    before: int
    after: int


# For the classes of the first event that make no difference: for those of the second, the states reached.
_Table: TypeAlias = list[tuple[int, list[tuple[int, int]]]]
_Letter: TypeAlias = tuple[int, bool]  # a symbol, and whether it is walked backwards
_Outgoing: TypeAlias = dict[int, list[tuple[_Letter, int, int, int]]]  # with guards and target
# A place in the search for a word that is lacking: a state of the other automaton, the states of this one
# that the same word leads to, at events of which classes; the place before it, the step from there, and the
# classes of events there.
_Place: TypeAlias = tuple[int, int, int, int, _Letter, int]


class Language:
    """An automaton's words, made ready for questions about which other words are among them.

    The states that a word leads to are a bit set, worked out once and remembered, for as many classes at a
    time as make no difference.
    """

    def __init__(self, nfa: Nfa) -> None:
        self.nfa = nfa
        self._steps: dict[_Letter, dict[int, list[tuple[int, int, int]]]] = {}
        for source, symbol, target, before, after, inverse in nfa.steps:
            from_source = self._steps.setdefault((symbol, inverse), {})
            from_source.setdefault(source, []).append((before, after, 1 << target))
        self._known: dict[_Letter, dict[int, _Table]] = defaultdict(dict)
        self._more: Language | None = None  # a language that has all these steps and others
        self._changed: dict[_Letter, int] = {}  # the states at which it has others

    def without(self, steps: frozenset[Transition]) -> Language:
        """The language without some steps; what was worked out elsewhere need not be again."""
        fewer = Language(Nfa(self.nfa.states, self.nfa.steps - steps, self.nfa.nullable))
        fewer._more = self
        for s in steps:
            letter = (s.symbol, s.inverse)
            fewer._changed[letter] = fewer._changed.get(letter, 0) | 1 << s.source
        return fewer

    def _after(self, states: int, letter: _Letter) -> _Table:
        """What a step leads to from a set of states."""
        known = self._known[letter]
        found = known.get(states)
        if found is None:
            if self._more is not None and not states & self._changed.get(letter, 0):
                found = self._more._after(states, letter)
            else:
                found = _table(self._enabled(states, letter))
            known[states] = found
        return found

    def _enabled(self, states: int, letter: _Letter) -> dict[tuple[int, int], int]:
        """The steps from a set of states, with their targets together where their guards are the same."""
        enabled: dict[tuple[int, int], int] = {}
        for state, steps in self._steps.get(letter, {}).items():
            if states >> state & 1:
                for before, after, target in steps:
                    enabled[(before, after)] = enabled.get((before, after), 0) | target
        return enabled

    def lacks(
        self,
        nfa: Nfa,
        starts: int = EVERY_CLASS,
        ends: int = EVERY_CLASS,
        spend: Callable[[], None] = look,
    ) -> tuple[Step, ...] | None:
        """A shortest word of another automaton that is not one of these; None if there is none.

        Only words that start and end in given classes are looked at. ``spend`` is called at each place, and
        may end the search by an exception.
        """
        if nfa.nullable & starts & ends & ~self.nfa.nullable:
            return ()
        outgoing = _outgoing(nfa)
        places: list[_Place] = [(START, 1 << START, starts, -1, (0, False), 0)]
        known: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for number, (state, states, here, *_) in enumerate(places):  # which grows meanwhile
            spend()
            for letter, before, after, target in outgoing.get(state, ()):
                first = here & before
                if not first:
                    continue
                for firsts, seconds in self._after(states, letter):
                    if not firsts & first:
                        continue
                    for second, reached in seconds:
                        there = second & after
                        if target == END:
                            if there & ends and not reached >> END & 1:
                                return _word(places, (END, 0, there & ends, number, letter, firsts & first))
                            continue
                        if not there:
                            continue
                        # With more states of this automaton a word is lacking only if it is with fewer.
                        for old, covered in known[target]:
                            if old & reached == old:
                                there &= ~covered
                                if not there:
                                    break
                        else:
                            known[target].append((reached, there))
                            places.append((target, reached, there, number, letter, firsts & first))
        return None

    def widened(self, word: tuple[Step, ...], nfa: Nfa) -> tuple[Step, ...]:
        """A word that is lacking, for people: with all classes at each place for which it is."""
        if not word:
            return word
        blocks = _blocks({EVERY_CLASS, *guards_of(nfa), *guards_of(self.nfa)})
        chosen = [word[0].before, *(step.after for step in word)]
        places = [next(block for block in blocks if block & classes) for classes in chosen]
        for index in range(len(places)):
            for block in blocks:
                one = [*places[:index], block, *places[index + 1 :]]
                more = [*places[:index], places[index] | block, *places[index + 1 :]]
                if _accepts(nfa.steps, word, one) and not _accepts(self.nfa.steps, word, more, blocks):
                    places = more
        ends = zip(word, pairwise(places), strict=True)
        return tuple(Step(s.symbol, s.inverse, before, after) for s, (before, after) in ends)


def _table(steps: dict[tuple[int, int], int]) -> _Table:
    groups: list[tuple[int, list[tuple[int, int]]]] = [(EVERY_CLASS, [])]
    for (before, after), target in steps.items():
        split = []
        for firsts, enabled in groups:
            if firsts & before:
                split.append((firsts & before, [*enabled, (after, target)]))
            if firsts & ~before:
                split.append((firsts & ~before, enabled))
        groups = split
    return [(firsts, _targets(enabled)) for firsts, enabled in groups]


def _targets(enabled: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """For classes of the second event that make no difference the states reached."""
    reached = {0: EVERY_CLASS}
    for after, target in enabled:
        split: dict[int, int] = {}
        for states, classes in reached.items():
            if classes & after:
                split[states | target] = split.get(states | target, 0) | classes & after
            if classes & ~after:
                split[states] = split.get(states, 0) | classes & ~after
        reached = split
    return [(classes, states) for states, classes in reached.items()]


def _outgoing(nfa: Nfa) -> _Outgoing:
    """The steps from each state, in an order that does not depend on how the automaton was made."""
    outgoing: _Outgoing = {}
    for source, symbol, target, before, after, inverse in sorted(nfa.steps):
        outgoing.setdefault(source, []).append(((symbol, inverse), before, after, target))
    return outgoing


def _word(places: list[_Place], last: _Place) -> tuple[Step, ...]:
    """The word that led to a place, with classes that fit the steps before and after them."""
    word: list[Step] = []
    _, _, there, origin, letter, here = last
    while origin >= 0:
        word.append(Step(*letter, here, there))
        there = here
        _, _, _, origin, letter, here = places[origin]
    return tuple(reversed(word))


def _accepts(
    steps: Iterable[Transition], word: tuple[Step, ...], places: list[int], blocks: Iterable[int] = ()
) -> bool:
    """Whether the steps lead from start to end by a word through some choice of a block at each place."""
    known = list(steps)
    at = [[b for b in blocks if b & place] or [place] for place in places]
    configurations = {(START, block) for block in at[0]}
    for step, there in zip(word, at[1:], strict=True):
        configurations = {
            (s.target, block)
            for state, here in configurations
            for s in known
            if (s.source, s.symbol, s.inverse) == (state, step.symbol, step.inverse) and s.before & here
            for block in there
            if s.after & block
        }
    return any(state == END for state, _ in configurations)


def _blocks(masks: set[int]) -> list[int]:
    """The coarsest partition of the classes of which every mask is a union."""
    ordered = sorted(masks)
    groups: dict[tuple[int, ...], int] = defaultdict(int)
    for index in range(len(CLASSES)):
        groups[tuple(m >> index & 1 for m in ordered)] |= 1 << index
    return sorted(groups.values())


def guards_of(nfa: Nfa) -> set[int]:
    """The sets of classes that an automaton's steps name."""
    return {m for s in nfa.steps for m in (s.before, s.after)}


def included(left: Nfa, right: Nfa) -> bool:
    """Whether each word of the first is one of the second."""
    return Language(right).lacks(left) is None


def counterexample(left: Nfa, right: Nfa) -> tuple[Step, ...] | None:
    """A shortest word of the first that is not one of the second, if there is one."""
    language = Language(right)
    word = language.lacks(left)
    return None if word is None else language.widened(word, left)
