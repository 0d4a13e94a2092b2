"""Translates the planner's automata for ``crates/automata``: labels, guards, and facts about the relations.

I1: facts come from ``meaning.facts`` and ``meaning.fact_words``, as the prover's do. Views are further
letters: what is within po is within each view, and what is within po-loc is within its pairs of one location.
I2: a kernel knows an event only by its class, and every class can occur.
I3: nothing relies on the atomicity of read-modify-writes. The engine ensures it separately from the axioms,
so a check must agree with the meaning of its axiom even in graphs that are not atomic.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from mazurka._engine import Guard, Kernel, Nfa, OutOfTime
from mazurka.deadline import late, seconds_left
from mazurka.kat.automata import automaton
from mazurka.kat.automata.guarded import HALVES, NAMES, Key
from mazurka.kat.meaning import facts
from mazurka.kat.meaning.classes import domain
from mazurka.kat.meaning.fact_words import words_within
from mazurka.kat.meaning.facts import Label, label
from mazurka.kat.meaning.plan import CLASSES, EVERY_CLASS, Symbol, Transition, view_of

_BITS = (len(CLASSES) - 1).bit_length()
_WHOLE = {half: whole for whole, halves in HALVES.items() for half in halves}


class Context:
    """A kernel that knows the relations of a Plan's tables and a number of views, some of them transitive.

    Without ``with_words`` it knows only which relations contain which others.
    """

    def __init__(self, views: int, transitive: frozenset[int], *, with_words: bool) -> None:
        self.kernel = Kernel(_BITS)
        self._guards: dict[int, Guard] = {0: self.kernel.none()}
        self._classes = [self._of_class(number) for number in range(len(CLASSES))]
        self._labels = _labels(views)
        self._symbols: dict[Label, Key] = {}
        for key, name in sorted(self._labels.items()):  # by number, so that words are found in that order
            self._symbols.setdefault(name, key)  # symmetric relations have one direction
        keys = list(self._symbols.values())
        self.kernel.define(
            self.guard(EVERY_CLASS), list(self._symbols), [self._relation(key, views) for key in keys]
        )
        self.kernel.set_letters([self._labels[key] for key in keys if key[0] not in HALVES])
        if with_words:
            self.kernel.set_words([(self._labels[key], self._words(key, transitive)) for key in keys])

    @contextmanager
    def limited(self) -> Iterator[None]:
        """The kernel's work inside keeps the time limit, which is set anew: contexts outlive checks."""
        seconds = seconds_left(math.inf)
        self.kernel.set_time_limit(None if math.isinf(seconds) else seconds)
        try:
            yield
        except OutOfTime:
            raise late() from None

    def _of_class(self, number: int) -> Guard:
        guard = self.kernel.all()
        for bit in range(_BITS):
            variable = self.kernel.variable(bit)
            guard &= variable if number >> (_BITS - 1 - bit) & 1 else ~variable
        return guard

    def guard(self, classes: int) -> Guard:
        """The events of some classes."""
        found = self._guards.get(classes)
        if found is None:
            found = self.kernel.none()
            for number, one in enumerate(self._classes):
                if classes >> number & 1:
                    found |= one
            self._guards[classes] = found
        return found

    def mask(self, guard: Guard) -> int:
        """The classes of a guard's events."""
        return sum(1 << number for number, one in enumerate(self._classes) if guard & one)

    def symbol(self, name: Label) -> Key:
        """What a label stands for."""
        return self._symbols[name]

    def nfa(self, states: int, steps: Iterable[Transition]) -> Nfa:
        """An automaton of some steps, without the empty word."""
        labels, guard = self._labels, self.guard
        edges = [
            (s.source, labels[s.symbol, s.inverse], s.target, guard(s.before), guard(s.after)) for s in steps
        ]
        return self.kernel.nfa(states, edges, self.kernel.none())

    def _relation(self, key: Key, views: int) -> tuple[object, ...]:
        symbol, inverse = key
        parts = [self._labels[part, inverse] for part in HALVES.get(symbol, (symbol,))]
        whole = _WHOLE.get(symbol)
        halves = None
        if whole is not None and symbol == HALVES[whole][0]:
            halves = self._labels[HALVES[whole][1], inverse], self._labels[whole, inverse]
        before, after = domain(symbol, inverse)
        within = _within(views)[self._labels[key]]
        ends = self.guard(before), self.guard(after)
        return self._labels[symbol, not inverse], within, parts, halves, None, ends

    def _words(self, key: Key, transitive: frozenset[int]) -> list[tuple[int, Label, int]]:
        """The words within a relation; those of a transitive view repeat it."""
        own, view = self._labels[key], view_of(key[0])
        repeats = view is not None and Symbol.VIEW + view in transitive
        return words_within(own, frozenset(own[:1]) if repeats else frozenset(), coherent=False)


def _name(symbol: int) -> str:
    """A relation's name among the facts; a view gets a name that models cannot write."""
    return NAMES.get(symbol, f"view({symbol})")


@lru_cache(8)
def _labels(views: int) -> dict[Key, Label]:
    symbols = [*NAMES, *(first + k for first in (Symbol.VIEW, Symbol.VIEW_LOC) for k in range(views))]
    return {(s, inverse): label(_name(s), inverse) for s in symbols for inverse in (False, True)}


@lru_cache(8)
def _within(views: int) -> dict[Label, list[Label]]:
    """For each relation, the relations that it contains (I1)."""
    base = set(_labels(0).values())
    found = {outer: [inner for inner in base if facts.contains(outer, inner, atomic=False)] for outer in base}
    for inverse in (False, True):
        for view in range(views):
            whole, local = (_labels(views)[first + view, inverse] for first in (Symbol.VIEW, Symbol.VIEW_LOC))
            found[local] = [local, *found["po-loc", inverse]]
            found[whole] = [whole, local, *found["po", inverse]]
            found["any", False] += [whole, local]
            found["loc-overlap", False].append(local)
    return {outer: sorted(inner) for outer, inner in found.items()}


@lru_cache(8)
def context(views: int, transitive: frozenset[int] = frozenset(), *, with_words: bool = True) -> Context:
    """The context for a number of views; each is made only once."""
    return Context(views, transitive, with_words=with_words)


def views_in(nfa: automaton.Nfa) -> int:
    """How many views a context needs for an automaton, rounded up so that few contexts are made."""
    numbers = [view_of(s.symbol) or 0 for s in nfa.steps if s.symbol >= Symbol.VIEW]
    return 2 << (max(numbers) // 2).bit_length() if numbers else 2
