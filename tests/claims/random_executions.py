"""Random execution graphs with dependencies, from a seed, including graphs that no explorer builds.

Mostly, each location by itself is an interleaving of its accesses (such graphs are coherent, as every model
requires); otherwise each read reads from any write of its location, and co is any order. Either way po and rf
may have cycles. The relations that the evaluator does not know are put in: dependencies at random, within
what ``dependencies-base.kat`` and ``power-base.kat`` say of them; detour and rdw by their definitions.
"""

from __future__ import annotations

import random
from typing import TypeAlias

from mazurka.kat.meaning.rows import Rows, compose
from mazurka.kat.meaning.terms import Model
from mazurka.program import Mode
from mazurka.reference.graph import Graph
from mazurka.reference.relations import Relations
from mazurka.reference.running.labels import EventId, Kind, Label

READ_MODES = (Mode.RLX, Mode.RLX, Mode.ACQ, Mode.SC, Mode.NA)
WRITE_MODES = (Mode.RLX, Mode.RLX, Mode.REL, Mode.SC, Mode.NA)
FENCE_MODES = (Mode.ACQ, Mode.REL, Mode.ACQ_REL, Mode.SC, Mode.SC)
Dependencies: TypeAlias = dict[str, set[tuple[EventId, EventId]]]
DEPENDENCIES = ("addr", "data", "ctrl", "ctrl-isync")


class Execution:
    """A graph, and its dependencies by name: pairs of events."""

    def __init__(self, graph: Graph, dependencies: Dependencies) -> None:
        self.graph = graph
        self.dependencies = dependencies

    def relations(self, model: Model) -> Relations:
        """What terms of a model denote here."""
        relations = Relations(self.graph, model.views)
        given: dict[str, Rows] = {}
        for name in DEPENDENCIES:
            given[name] = [0] * relations.size
            for before, after in self.dependencies.get(name, ()):
                given[name][relations.numbers[before]] |= 1 << relations.numbers[after]
        for name, first in (("detour", "coe"), ("rdw", "fre")):
            path = compose(relations.base(first), relations.base("rfe"))
            given[name] = [a & b for a, b in zip(relations.base("po-loc"), path, strict=True)]
        relations._bases.update(given)
        return relations


def random_execution(rng: random.Random, events: int = 8) -> Execution:
    """A random execution of two to four threads."""
    return _Maker(rng, events).make()


class _Maker:
    def __init__(self, rng: random.Random, events: int) -> None:
        self.rng = rng
        self.labels: dict[EventId, Label] = {}
        self.events = events
        self.locations = [0x1000 + 8 * number for number in range(rng.choice((1, 2, 2, 2, 3)))]

    def make(self) -> Execution:
        threads = self.rng.randint(2, 4)
        lengths = [0] * threads
        while len(self.labels) < self.events:
            thread = self.rng.randrange(threads)
            for label in self._instruction():
                self.labels[thread, lengths[thread]] = label
                lengths[thread] += 1
        order = tuple(sorted(self.labels))
        graph = Graph(order, {event: self.labels[event] for event in order}, *self._choose())
        return Execution(graph, random_dependencies(self.rng, graph, 0.2))

    def _instruction(self) -> list[Label]:
        place = self.rng.choice(self.locations)
        read = Label(Kind.READ, self.rng.choice(READ_MODES), place, 8)
        write = Label(Kind.WRITE, self.rng.choice(WRITE_MODES), place, 8, value=1)
        match self.rng.choice(("read",) * 4 + ("write",) * 4 + ("fence", "rmw")):
            case "read":
                return [read]
            case "write":
                return [write]
            case "fence":
                return [Label(Kind.FENCE, self.rng.choice(FENCE_MODES))]
            case _:
                halves = self.rng.choice(((Mode.RLX, Mode.RLX), (Mode.ACQ, Mode.REL), (Mode.SC, Mode.SC)))
                return [
                    half._replace(mode=mode, exclusive=True)
                    for half, mode in zip((read, write), halves, strict=True)
                ]

    def _choose(self) -> tuple[dict[EventId, EventId | None], dict[int, tuple[EventId, ...]]]:
        """rf and co."""
        coherent = self.rng.random() < 0.9
        rf: dict[EventId, EventId | None] = {}
        co: dict[int, tuple[EventId, ...]] = {}
        for address in self.locations:
            accesses = [event for event, label in self.labels.items() if label.address == address]
            accesses = self._interleaved(accesses) if coherent else self.rng.sample(accesses, len(accesses))
            co[address] = tuple(event for event in accesses if self.labels[event].kind is Kind.WRITE)
            last: EventId | None = None
            for event in accesses:
                if self.labels[event].kind is Kind.WRITE:
                    last = event
                else:
                    rf[event] = last if coherent else self.rng.choice([None, *co[address]])
        return rf, co

    def _interleaved(self, accesses: list[EventId]) -> list[EventId]:
        """The accesses of one location, threads in po and the halves of a read-modify-write together."""
        threads: dict[int, list[EventId]] = {}
        for thread, index in sorted(accesses):
            threads.setdefault(thread, []).append((thread, index))
        result: list[EventId] = []
        while waiting := [events for events in threads.values() if events]:
            events = self.rng.choice(waiting)
            result.append(events.pop(0))
            label = self.labels[result[-1]]
            if label.exclusive and label.kind is Kind.READ:
                result.append(events.pop(0))
        return result


def random_dependencies(rng: random.Random, graph: Graph, share: float) -> Dependencies:
    """Some dependencies of a graph: ``share`` is the chance of a read to have one of a kind."""
    found: Dependencies = {name: set() for name in DEPENDENCIES}
    reads = [event for event in graph.order if graph.labels[event].kind is Kind.READ]
    for read in reads:
        later = [event for event in graph.order if event[0] == read[0] and event[1] > read[1]]
        accesses = [event for event in later if graph.labels[event].kind is not Kind.FENCE]
        writes = [event for event in accesses if graph.labels[event].kind is Kind.WRITE]
        for name, targets in (("data", writes), ("addr", accesses)):
            found[name] |= {(read, event) for event in targets if rng.random() < share / 2}
        for name in ("ctrl", "ctrl-isync"):
            if rng.random() < share:
                branch = rng.randint(0, len(later))
                found["ctrl"] |= {(read, event) for event in later[branch:]}
                found[name] |= {(read, event) for event in later[branch:]}
    return found
