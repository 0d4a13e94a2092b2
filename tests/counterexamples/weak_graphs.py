"""Random execution graphs of weak behaviours, and which models allow them."""

from __future__ import annotations

import random
from functools import cache
from itertools import pairwise

from mazurka.counterexamples import Counterexample
from mazurka.kat.meaning.plan import CLASSES
from mazurka.kat.meaning.rows import closure, compose, is_irreflexive, union
from mazurka.prover import CandidateGraph, Evaluator, Query, weaker
from mazurka.prover.refuting.completion import Sketch, completions
from mazurka.prover.theory.events import EventKind
from refutations import model

_UPDATES = (("rlx", "rlx"), ("acq", "rlx"), ("rlx", "rel"), ("acq", "rel"), ("sc", "sc"))
_LOADS, _STORES, _FENCES = ("rlx", "acq", "sc"), ("rlx", "rel", "sc"), ("acq", "rel", "acqrel", "sc")


class _Drawer:
    def __init__(self, rng: random.Random, dependencies: bool) -> None:
        self.rng = rng
        self.dependencies = dependencies
        self.kinds: list[EventKind] = []
        self.places: list[int] = []
        self.edges: list[tuple[int, str, int]] = []

    def graph(self) -> CandidateGraph | None:
        """A graph, unless a read would read from a later write of its thread."""
        for place in range(self.rng.choice((1, 2, 2, 3))):
            self._event("INIT", place)
        initial = len(self.kinds)
        for _ in range(self.rng.choice((2, 2, 3))):
            self._thread(range(initial))
        for place in range(initial):
            self._communicate(place)
        return next(completions(Sketch(self.kinds, self.edges)), None)

    def _event(self, name: str, place: int) -> int:
        self.kinds.append(EventKind(CLASSES.index(name), frozenset()))
        self.places.append(place)
        return len(self.kinds) - 1

    def _thread(self, places: range) -> None:
        line: list[int] = []
        for _ in range(self.rng.choice((1, 2, 2, 3))):
            new = self._unit(self.rng.choice("RRRWWWFUX"), self.rng.choice(places))
            if self.dependencies and line:
                self._depend(line, new)
            line += new
        self.edges += [(a, "po", b) for a, b in pairwise(line)]

    def _unit(self, letter: str, place: int) -> list[int]:
        choice = self.rng.choice
        if letter == "U":
            read, write = choice(_UPDATES)
            pair = [self._event(f"R.{read}.rmw", place), self._event(f"W.{write}.rmw", place)]
            self.edges.append((pair[0], "rmw", pair[1]))
            for name in ("data", "ctrl"):
                if self.dependencies and self.rng.random() < 0.2:
                    self.edges.append((pair[0], name, pair[1]))
                    break
            return pair
        if letter == "F":
            return [self._event(f"F.{choice(_FENCES)}", -1)]
        if letter == "W":
            return [self._event(f"W.{choice(_STORES)}.store", place)]
        return [self._event(f"R.{choice(_LOADS)}.{'failed' if letter == 'X' else 'load'}", place)]

    def _depend(self, line: list[int], new: list[int]) -> None:
        reads = [event for event in line if CLASSES[self.kinds[event].number].startswith("R.")]
        last = CLASSES[self.kinds[new[-1]].number]
        if reads and last[0] != "F" and self.rng.random() < 0.5:
            name = self.rng.choice(("addr", "ctrl", "data") if last[0] == "W" else ("addr", "ctrl"))
            target = new[-1] if name == "data" else new[0]
            self.edges.append((self.rng.choice(reads), name, target))

    def _communicate(self, place: int) -> None:
        """A coherence order and sources of reads, at random."""
        here = [event for event, at in enumerate(self.places) if at == place]
        writes = [event for event in here if CLASSES[self.kinds[event].number][0] == "W"]
        self.rng.shuffle(writes)
        writes = [place, *writes]
        self.edges += [(a, "co", b) for a, b in pairwise(writes)]
        for read in here:
            if CLASSES[self.kinds[read].number][0] == "R":
                own = {b for a, name, b in self.edges if a == read and name == "rmw"}
                sources = [write for write in writes if write not in own]
                self.edges.append((self.rng.choice(sources), "rf", read))


def weak_graph(rng: random.Random, *, dependencies: bool) -> CandidateGraph:
    """A graph that is atomic, coherent and causal, as all models require, but is not an interleaving."""
    while True:
        graph = _Drawer(rng, dependencies).graph()
        if graph is None or not _is_atomic(graph) or _is_acyclic(graph, "po", "rf", "co", "fr"):
            continue
        if _is_acyclic(graph, "po-loc", "rf", "co", "fr") and _is_acyclic(graph, "po", "rf"):
            return graph


def _is_atomic(graph: CandidateGraph) -> bool:
    between = compose(graph.relations["fr"], graph.relations["co"])
    return not any(a & b for a, b in zip(graph.relations["rmw"], between, strict=True))


def _is_acyclic(graph: CandidateGraph, *names: str) -> bool:
    rows = [0] * graph.size
    for name in names:
        rows = union(rows, graph.relations[name])
    return is_irreflexive(closure(rows))


@cache
def _axioms(name: str) -> list[Query]:
    return weaker(model(name), model(name))


def allows(name: str, graph: CandidateGraph) -> bool:
    """Whether a model allows a graph, by its axioms."""
    return all(Evaluator(graph, query.theory.views).holds(query.claim) for query in _axioms(name))


def shown(graph: CandidateGraph) -> Counterexample:
    """A graph without a word."""
    return Counterexample((), False, (0,), graph)
