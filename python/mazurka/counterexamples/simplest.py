"""The same counterexample with the weakest events that still make one.

The prover picks any event that a word allows: a non-atomic read where any read would do, an SC
read-modify-write where a write would. People want the simplest one, and a C program needs atomic accesses,
because others would race.
I1: the result refutes the query just as the given graph does: it is an execution of a program without
undefined behaviour, all assumptions hold, the claim does not, and the word's steps are there.
I2: if the word itself belongs to the claim's left side, it still does.
Not done: fewer steps; the prover's words are already the shortest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import TypeVar

from mazurka.kat.meaning.classes import EXCLUSIVE_READS, EXCLUSIVE_WRITES, INIT, READS, WRITES
from mazurka.kat.meaning.facts import BELOW
from mazurka.kat.meaning.plan import CLASSES
from mazurka.kat.meaning.rows import Rows, bits, compose, inverse
from mazurka.prover import CandidateGraph, Evaluator, PathStep, Query, Refuted
from mazurka.prover.refuting.undefined import is_undefined
from mazurka.prover.theory.events import EventKind
from mazurka.prover.theory.wellformed import flaws

_T = TypeVar("_T")
Change = Mapping[int, int | None]  # the new classes of some events; None for those that go
_UPDATES = (("rlx", "rlx"), ("acq", "rlx"), ("rlx", "rel"), ("acq", "rel"), ("sc", "sc"))
_LOADS, _STORES, _FENCES = ("rlx", "acq", "sc"), ("rlx", "rel", "sc"), ("acq", "rel", "acqrel", "sc")


def path_of(refuted: Refuted) -> tuple[int, ...]:
    """The events of the graph that the word leads through, the first one once."""
    found = next(_walks(refuted, ()), None)
    assert found is not None, "a refutation's graph has its word (answers.py I1)"
    return found


def _walks(refuted: Refuted, so_far: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    graph, word = refuted.graph, refuted.word
    wanted = len(word) if refuted.cyclic and word else len(word) + 1
    if len(so_far) == wanted:
        if not refuted.cyclic or _has_steps(graph, word, so_far):
            yield so_far
        return
    at = len(so_far)
    for event in range(graph.size):
        if word and graph.kinds[event].predicates != (word[at].before if at < len(word) else word[-1].after):
            continue
        if event not in so_far and (not at or _related(graph, word[at - 1], so_far[-1], event)):
            yield from _walks(refuted, (*so_far, event))


def _related(graph: CandidateGraph, step: PathStep, a: int, b: int) -> bool:
    first, second = (b, a) if step.inverse else (a, b)
    return step.relation in graph.relations and bool(graph.relations[step.relation][first] >> second & 1)


def _has_steps(graph: CandidateGraph, word: tuple[PathStep, ...], path: tuple[int, ...]) -> bool:
    return all(
        _related(graph, step, path[number], path[(number + 1) % len(path)])
        for number, step in enumerate(word)
    )


class Simplifier:
    """Weakens the events of a counterexample one after the other (I1, I2)."""

    def __init__(self, query: Query, refuted: Refuted) -> None:
        self.query = query
        self.word = refuted.word
        self.cyclic = refuted.cyclic
        self.left = query.claim.right if refuted.side == "right" else query.claim.left
        self.graph = refuted.graph
        self.path = path_of(refuted)
        self._wordy = self._is_word(self.graph, self.path)

    def run(self) -> None:
        """Leaves the simplest graph that was found in ``graph``, and the word's events in ``path``."""
        event = self.graph.size - 1
        while event >= 0:  # from the last one, so that the numbers of those to come stay
            for change in self._changes(event):
                if self._try(change):
                    break
            event = min(event, self.graph.size) - 1

    def names_any_mode(self) -> frozenset[int]:
        """The events of the word that may also be non-atomic: any access of their kind will do."""
        kept, found = self.graph, set[int]()
        for event in self.path:
            name = CLASSES[self.graph.kinds[event].number].split(".")
            if name[1:] in (["rlx", "load"], ["rlx", "store"]):
                number = CLASSES.index(f"{name[0]}.na.{name[2]}")
                if self._try({event: number}):
                    found.add(event)
        self.graph = kept
        return frozenset(found)

    def _try(self, change: Change) -> bool:
        """Makes a change if the result is still a counterexample."""
        made = _changed(self.graph, change)
        if made is None:
            return False
        graph, moved = made
        path = tuple(moved[event] for event in self.path)
        if not _has_steps(graph, self.word, path) or not self._refutes(graph):
            return False
        if self._wordy and not self._is_word(graph, path):
            return False
        self.graph, self.path = graph, path
        return True

    def _refutes(self, graph: CandidateGraph) -> bool:
        theory = self.query.theory
        evaluator = Evaluator(graph, theory.views)
        if evaluator.holds(self.query.claim) or any(True for _ in flaws(graph)):
            return False
        if theory.errors is not None and is_undefined(graph, theory.errors, theory.views):
            return False
        # An assumption of totality (no claim) is not checked here: then nothing is simplified.
        return all(s.claim is not None and evaluator.holds(s.claim) for s in theory.assumptions)

    def _is_word(self, graph: CandidateGraph, path: tuple[int, ...]) -> bool:
        """Whether the claim's left side relates the word's ends by the word's own steps."""
        size = len(path)
        relations: dict[str, Rows] = {}
        for number, step in enumerate(self.word):
            ends = number, (number + 1) % size
            first, second = reversed(ends) if step.inverse else ends
            for name in (step.relation, *(outer for outer in BELOW if step.relation in BELOW[outer])):
                relations.setdefault(name, [0] * size)[first] |= 1 << second
        kinds = tuple(graph.kinds[event] for event in path)
        alone = CandidateGraph(kinds, (0,) * size, (-1,) * size, relations)
        last = 0 if self.cyclic else size - 1
        return bool(Evaluator(alone, self.query.theory.views).rows(self.left)[0] >> last & 1)

    def _changes(self, event: int) -> Iterator[Change]:
        """What could replace an event, the simplest first; a pair is changed at its write."""
        kind = self.graph.kinds[event]
        if kind.extra or _is(kind, INIT):
            return
        rmw = self.graph.relations["rmw"]
        if _is(kind, EXCLUSIVE_WRITES) and (reads := bits(inverse(rmw)[event])):
            yield from self._pair_changes(reads[0], event)
        elif not (_is(kind, EXCLUSIVE_READS) and rmw[event]):
            if event not in self.path:
                yield {event: None}
            yield from ({event: number} for number in _weaker(_alone(kind), kind.number))

    def _pair_changes(self, read: int, write: int) -> Iterator[Change]:
        loads, stores = _alone(self.graph.kinds[read]), _alone(self.graph.kinds[write])
        if read not in self.path and write not in self.path:
            yield {read: None, write: None}
        if write not in self.path:
            yield from ({read: load, write: None} for load in loads)
        if read not in self.path:
            yield from ({read: None, write: store} for store in stores)
        yield from ({read: load, write: store} for load, store in product(loads, stores))
        updates = [(CLASSES.index(f"R.{r}.rmw"), CLASSES.index(f"W.{w}.rmw")) for r, w in _UPDATES]
        now = self.graph.kinds[read].number, self.graph.kinds[write].number
        yield from ({read: one, write: two} for one, two in _weaker(updates, now))


def _is(kind: EventKind, classes: int) -> bool:
    return bool(classes >> kind.number & 1)


def _alone(kind: EventKind) -> list[int]:
    """The classes that could replace that of a single event, the weakest first."""
    if _is(kind, READS):
        return [CLASSES.index(f"R.{mode}.load") for mode in _LOADS]
    if _is(kind, WRITES):
        return [CLASSES.index(f"W.{mode}.store") for mode in _STORES]
    return [CLASSES.index(f"F.{mode}") for mode in _FENCES]


def _weaker(choices: list[_T], now: _T) -> list[_T]:
    """The choices before the present one; all of them if that is not among them."""
    return choices[: choices.index(now)] if now in choices else choices


def _changed(graph: CandidateGraph, change: Change) -> tuple[CandidateGraph, dict[int, int]] | None:
    """The graph after a change, and the new numbers of its events; None if a read has no write then."""
    kept = [event for event in range(graph.size) if change.get(event, 0) is not None]
    rf = graph.relations["rf"]
    if any(rf[write] >> read & 1 for write in range(graph.size) if write not in kept for read in kept):
        return None
    moved = {event: number for number, event in enumerate(kept)}
    relations = {name: _restricted(rows, kept) for name, rows in graph.relations.items()}
    po = relations["po"]
    relations["po-imm"] = [a & ~b for a, b in zip(po, compose(po, po), strict=True)]
    kinds = list(graph.kinds)
    for event, number in change.items():
        if number is not None:
            kinds[event] = EventKind(number, kinds[event].extra)
    shown = tuple(kinds[event] for event in kept)
    pairs = relations["rmw"]
    halves = sum(1 << n for n, kind in enumerate(shown) if _is(kind, EXCLUSIVE_READS | EXCLUSIVE_WRITES))
    relations["rmw"] = [row & halves if halves >> n & 1 else 0 for n, row in enumerate(pairs)]
    return replace(
        graph,
        kinds=shown,
        threads=tuple(graph.threads[event] for event in kept),
        locations=tuple(graph.locations[event] for event in kept),
        relations=relations,
    ), moved


def _restricted(rows: Rows, kept: list[int]) -> Rows:
    return [sum((rows[a] >> b & 1) << n for n, b in enumerate(kept)) for a in kept]
