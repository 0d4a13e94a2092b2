"""The letters of a query's words, and the facts about relations that the kernel is given.

I1: a letter is a relation with a direction. rf, co and fr are letters only if the query never tells their
halves apart; otherwise their halves are the letters. So the words of the claim's smaller side consist of
letters, and the parts of a larger relation follow from ``facts``.
I2: a guard contains only events that can stand at that end of the letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mazurka._engine import Guard, Nfa
from mazurka.kat.meaning.fact_words import words_within
from mazurka.kat.meaning.facts import HALVES, IRREFLEXIVE, ONE_LOCATION, WHOLE, Label, contains, ends, label
from mazurka.prover.theory.events import Events

START, END = 0, 1
# The part of a relation that keeps the location.
_KEEPING = {"po": "po-loc", "any": "loc-overlap"}


class NfaStep(NamedTuple):
    """A step of an automaton: a relation between the events of two sets."""

    source: int
    label: Label
    target: int
    before: Guard
    after: Guard


def edges_of(nfa: Nfa) -> list[NfaStep]:
    """The steps of an automaton."""
    return [NfaStep(*edge) for edge in nfa.edges]


class Alphabet:
    """The letters of a query.

    ``alive`` is the set of events that may exist. ``transitive`` names the relations that are assumed to be
    transitive. ``narrower`` restricts the ends of some relations further. ``reflexive`` says which events a
    relation is assumed to relate to themselves.
    """

    def __init__(
        self,
        events: Events,
        names: Iterable[str],
        alive: Guard,
        transitive: Iterable[str] = (),
        narrower: Mapping[str, tuple[Guard, Guard]] | None = None,
        reflexive: Mapping[str, Guard] | None = None,
    ) -> None:
        self.events = events
        self.kernel = events.kernel
        self.alive = alive
        self._split = {WHOLE[name] for name in names if name in WHOLE}
        if self._split:
            # What coherence says about a half depends on whether po-loc leaves the thread.
            self._split.add("po-loc")
        self._transitive = frozenset(transitive)
        self._narrower = narrower or {}
        self.loops = {"any": alive, **(reflexive or {})}
        self._domains: dict[Label, tuple[Guard, Guard]] = {}
        all_names = {*IRREFLEXIVE, "any", *names}
        self._labels = sorted({label(name, inverse) for name in all_names for inverse in (False, True)})
        relations = [self._relation(one) for one in self._labels]
        self.kernel.define(events.everything, self._labels, relations)
        self.set_words(coherent=False)

    def set_words(self, *, coherent: bool) -> None:
        """Tells the kernel which words lie within each relation, in all graphs or in coherent ones."""
        words = [(one, words_within(one, self._transitive, coherent=coherent)) for one in self._labels]
        self.kernel.set_words(words)

    def _relation(self, which: Label) -> tuple[object, ...]:
        """What the kernel gets to know about a relation: see ``_engine.Kernel.define``."""
        name, inverse = which
        within = [inner for inner in self._labels if contains(which, inner)]
        whole = WHOLE.get(name)
        halves = None
        if whole is not None and name == HALVES[whole][0]:
            halves = label(HALVES[whole][1], inverse), label(whole, inverse)
        kept = name if name in ONE_LOCATION else _KEEPING.get(name)
        return (
            label(name, not inverse),
            within,
            self.parts(which),
            halves,
            None if kept is None else label(kept, inverse),
            self.domain(which),
        )

    def parts(self, which: Label) -> list[Label]:
        """The letters whose union is the relation (I1)."""
        name, inverse = which
        names = HALVES[name] if name in self._split else (name,)
        return [label(part, inverse) for part in names]

    def domain(self, which: Label) -> tuple[Guard, Guard]:
        """The events that can stand at the two ends of a step (I2)."""
        if which not in self._domains:
            before, after = (self.events.of_classes(classes) & self.alive for classes in ends(which[0]))
            first, last = self._narrower.get(which[0], (self.alive, self.alive))
            before, after = before & first, after & last
            self._domains[which] = (after, before) if which[1] else (before, after)
        return self._domains[which]

    @property
    def letters(self) -> list[Label]:
        """The letters so far."""
        return self.kernel.letters()

    def add_letters(self, name: str) -> None:
        """Makes the parts of a relation letters."""
        self.kernel.set_letters([*self.letters, *self.parts((name, False))])

    def has_words(self, which: Label) -> bool:
        """Whether words over the letters so far may lie within a relation."""
        words = words_within(which, self._transitive, coherent=True)
        return any(self.kernel.has_letters(part) for part in (which, *(part for _, part, _ in words)))

    # Small automata -------------------------------------------------------------------------------------

    def step(self, which: Label, before: Guard, after: Guard) -> Nfa:
        """One step."""
        return self.kernel.nfa(2, [NfaStep(START, which, END, before, after)], self.kernel.none())

    def test(self, events: Guard) -> Nfa:
        """The automaton that relates each of the given events to itself."""
        return self.kernel.nfa(2, [], events)
