"""Inclusion of automata's languages, decided by ``crates/automata`` with the facts that hold in every graph.

``included(a, b)`` shows that a's relation is within b's. b also accepts the words that the facts put within
its own (``kernel`` I1): for example, several steps of po in place of one. A failure shows nothing.
This is about the graphs that the explorer builds: well-formed, and without cycles of po and rf.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from mazurka import _engine
from mazurka.deadline import look
from mazurka.kat.automata.automaton import END, START, Nfa
from mazurka.kat.automata.kernel import Context, context, views_in
from mazurka.kat.meaning.plan import CLASSES, EVERY_CLASS, Transition

_NO_VIEWS: frozenset[int] = frozenset()


class WordStep(NamedTuple):
    """A step of a word: a relation between two sets of classes."""

    symbol: int
    inverse: bool
    before: int
    after: int


Word = tuple[WordStep, ...]


class SearchBudget:
    """A budget of places that searches may visit in total; ``BudgetSpent`` ends a search that exceeds it."""

    def __init__(self, places: int) -> None:
        self.left = places


class BudgetSpent(Exception):  # noqa: N818 - ends a search
    """A search has used up the budget."""


class Language:
    """An automaton's words and those that the facts put within them, to compare with other automata.

    ``transitive`` are the views known to be transitive; without ``facts`` the words are the automaton's own.
    """

    def __init__(self, nfa: Nfa, transitive: frozenset[int] = _NO_VIEWS, *, facts: bool = True) -> None:
        self.nfa = nfa
        self._transitive = transitive
        self._facts = facts
        self._views = views_in(nfa)
        self._made: tuple[Context, _engine.Language] | None = None

    def _ready(self, views: int) -> tuple[Context, _engine.Language]:
        """The language for words that name at most ``views`` views."""
        if self._made is None or views > self._views:
            self._views = max(views, self._views)
            known = context(self._views, self._transitive, with_words=self._facts)
            with known.limited():
                closed = known.kernel.close(known.nfa(self.nfa.states, self.nfa.steps))
                self._made = known, known.kernel.language(closed)
        return self._made

    def lacks(self, nfa: Nfa, events: int = EVERY_CLASS, work: SearchBudget | None = None) -> Word | None:
        """A shortest word of another automaton that this language lacks; None if it has them all.

        Only words that start and end in the given classes count.
        """
        look()
        if nfa.nullable & events & ~self.nfa.nullable:
            return ()
        known, language = self._ready(views_in(nfa))
        most = 1 << 62 if work is None else work.left
        with known.limited():
            left = known.nfa(nfa.states, nfa.steps)
            word, places, is_complete = language.lacks(left, known.guard(events), most)
        if work is not None:
            work.left -= places
            if word is None and not is_complete:
                raise BudgetSpent
        if word is None:
            return None
        labels, places_of_word = word
        ends = pairwise(known.mask(guard) for guard in places_of_word)
        return tuple(WordStep(*known.symbol(name), *pair) for name, pair in zip(labels, ends, strict=True))

    def widened(self, word: Word, nfa: Nfa) -> Word:
        """A lacking word, generalised for messages: each place has all classes for which it is lacking."""
        if not word:
            return word
        steps = self._steps()
        guards = {m for s in (*nfa.steps, *steps) for m in (s.before, s.after)}
        blocks = _blocks({EVERY_CLASS, *guards})
        chosen = [word[0].before, *(step.after for step in word)]
        places = [next(block for block in blocks if block & classes) for classes in chosen]
        for index in range(len(places)):
            for block in blocks:
                one = [*places[:index], block, *places[index + 1 :]]
                more = [*places[:index], places[index] | block, *places[index + 1 :]]
                if _accepts(nfa.steps, word, one) and not _accepts(steps, word, more, blocks):
                    places = more
        ends = zip(word, pairwise(places), strict=True)
        return tuple(WordStep(s.symbol, s.inverse, before, after) for s, (before, after) in ends)

    def _steps(self) -> list[Transition]:
        """The steps and those that the facts put within them, over letters."""
        known, _ = self._ready(self._views)
        with known.limited():
            saturated = known.kernel.saturate(known.nfa(self.nfa.states, self.nfa.steps), [])
        found = []
        for source, name, target, before, after in saturated.edges:
            symbol, inverse = known.symbol(name)
            found.append(Transition(source, symbol, target, known.mask(before), known.mask(after), inverse))
        return found


def _accepts(steps: Iterable[Transition], word: Word, places: list[int], blocks: Iterable[int] = ()) -> bool:
    """Whether the steps lead from start to end by a word, for some choice of a block at each place."""
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
    """The coarsest partition of the classes such that every mask is a union of blocks."""
    ordered = sorted(masks)
    groups: dict[tuple[int, ...], int] = defaultdict(int)
    for index in range(len(CLASSES)):
        groups[tuple(m >> index & 1 for m in ordered)] |= 1 << index
    return sorted(groups.values())


def included(left: Nfa, right: Nfa, transitive: frozenset[int] = _NO_VIEWS) -> bool:
    """Whether an automaton's relation is shown to be within another's, given the ``transitive`` views."""
    return Language(right, transitive).lacks(left) is None


def equal(left: Nfa, right: Nfa) -> bool:
    """Whether two automata are shown to denote the same relation."""
    return included(left, right) and included(right, left)


def counterexample(left: Nfa, right: Nfa, *, facts: bool = True) -> Word | None:
    """A shortest word of the first that is not one of the second; None if there is none."""
    language = Language(right, facts=facts)
    word = language.lacks(left)
    return None if word is None else language.widened(word, left)
