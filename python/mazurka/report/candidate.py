"""The counterexample of a refuted claim in the words of people: locations have names, writes have values.

The values of a location's writes count up in coherence order from the initial 0, so they say co, and what a
read has read says rf. Access modes are shown where a claim or an assumption speaks of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from mazurka.kat.plan import CLASSES
from mazurka.prover import CandidateGraph, Query, Refuted, Step
from mazurka.prover.events import BUILT_IN, primitives
from mazurka.prover.queries import names_in

_MODES = ("SC", "ACQ", "REL", "RLX", "NA")
_LOCATIONS = "xyzwvutsrq"
_INITIAL = -1  # the thread of initial writes
# What columns and values say, or what follows from that.
_SAID = frozenset(
    (
        *("po", "po-loc", "po-imm", "same-thread", "loc-overlap", "any", "tc", "tj", "alloc", "free"),
        *("rf", "rfe", "rfi", "co", "coe", "coi", "fr", "fre", "fri", "rmw", "detour"),
    )
)


@dataclass(frozen=True)
class Counterexample:
    """A refuted claim's word and graph, ready to be shown."""

    refuted: Refuted
    modes: bool

    @property
    def graph(self) -> CandidateGraph:
        """The execution."""
        return self.refuted.graph

    @cached_property
    def threads(self) -> list[list[int]]:
        """The events of each thread in program order; initial writes are of none."""
        numbers = sorted(set(self.graph.threads) - {_INITIAL})
        members = ([e for e, t in enumerate(self.graph.threads) if t == number] for number in numbers)
        return [sorted(events, key=lambda e: self._rank("po", e)) for events in members]

    @cached_property
    def locations(self) -> dict[int, str]:
        """The names of locations, in the order in which the threads come upon them."""
        found = (self.graph.locations[event] for event in chain.from_iterable(self.threads))
        numbers = list(dict.fromkeys(number for number in found if number >= 0))
        return {number: _LOCATIONS[k] if k < len(_LOCATIONS) else f"x{k}" for k, number in enumerate(numbers)}

    @cached_property
    def values(self) -> dict[int, int]:
        """What each write has written and each read has read."""
        found = {e: self._rank("co", e) for e in range(self.graph.size) if self._is(e, "W")}
        for write in list(found):
            row = self.graph.relations["rf"][write]
            found |= {read: found[write] for read in range(self.graph.size) if row >> read & 1}
        return found

    def event(self, event: int) -> str:
        """An event in a few words, such as ``W.rel x = 1``."""
        text = self.kind(event)
        if event in self.values:
            text += f" {self.locations[self.graph.locations[event]]} = {self.values[event]}"
        extra = self.graph.kinds[event].extra
        return f"{text} ({', '.join(sorted(extra))})" if extra else text

    def kind(self, event: int) -> str:
        """What sort of event it is, such as ``W.rel``."""
        kind, *rest = CLASSES[self.graph.kinds[event].number].split(".")
        if rest and rest[-1] in ("rmw", "failed"):
            kind = "UX" if rest[-1] == "failed" else f"U{kind}"
        return f"{kind}.{rest[0]}" if rest and self.modes else kind

    @cached_property
    def others(self) -> dict[str, list[tuple[int, int]]]:
        """Dependencies and declared relations: what neither columns nor values say."""
        size = range(self.graph.size)
        found = {
            name: [(a, b) for a in size for b in size if rows[a] >> b & 1]
            for name, rows in self.graph.relations.items()
            if name not in _SAID
        }
        return {name: pairs for name, pairs in found.items() if pairs}

    def word(self) -> str:
        """The path or cycle that the claim is about."""
        steps = self.refuted.word
        if not steps:
            return "an event with itself"
        parts = [f"{self._test(step.before)} ; {_relation(step)}" for step in steps]
        if not self.refuted.cyclic:
            parts.append(self._test(steps[-1].after))
        return " ; ".join(parts)

    def _test(self, held: frozenset[str]) -> str:
        """A test by its sort, its mode, and what was declared."""
        sort = next((name for name in ("UR", "UW", "UX", "R", "W", "F") if name in held), "")
        mode = _mode(held) if self.modes and sort else ""
        names = [sort + mode] if sort else []
        names += sorted(held - BUILT_IN.keys())
        return f"[{' & '.join(names)}]"

    def _is(self, event: int, predicate: str) -> bool:
        return predicate in self.graph.kinds[event].predicates

    def _rank(self, relation: str, event: int) -> int:
        """How many events an order has before an event."""
        return sum(row >> event & 1 for row in self.graph.relations[relation])


def counterexample(query: Query, refuted: Refuted) -> Counterexample:
    """What to show of a refuted query."""
    claims = [query.claim, *(s.claim for s in query.theory.assumptions if s.claim is not None)]
    sides = chain.from_iterable((claim.left, claim.right) for claim in claims)
    tests = chain.from_iterable(names_in(side, query.theory.views)[1] for side in sides)
    named = set(chain.from_iterable(map(primitives, tests)))
    return Counterexample(refuted, modes=bool(named & set(_MODES)))


def _mode(held: frozenset[str]) -> str:
    if {"ACQ", "REL"} <= held and "SC" not in held:
        return ".acqrel"
    return next((f".{name.lower()}" for name in _MODES if name in held), "")


def _relation(step: Step) -> str:
    return f"{step.relation}^-1" if step.inverse else step.relation
