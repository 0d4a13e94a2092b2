"""Random executions around one cycle: threads that each see something of the one before.

Uniformly random graphs hardly ever tell two models apart; what does is a cycle of program order and of edges
between threads (rf, fr or co of one location), with fences, modes and dependencies that break it in one model
only. The method is that of diy (Alglave et al., Fences in weak memory models, CAV 2010).

I1: within a thread, the access that the edge before enters is first, the one the edge after leaves is last.
"""

from __future__ import annotations

import random

from mazurka.program import Mode
from mazurka.reference.graph import Graph
from mazurka.reference.running.labels import EventId, Kind, Label
from random_executions import FENCE_MODES, READ_MODES, WRITE_MODES, Execution, random_dependencies

ENDS = {"rf": "WR", "fr": "RW", "co": "WW"}
RMW_MODES = ((Mode.RLX, Mode.RLX), (Mode.ACQ, Mode.RLX), (Mode.RLX, Mode.REL), (Mode.SC, Mode.SC))


def cycle_execution(rng: random.Random, sc: float = 0.3) -> Execution:
    """A random execution of two to four threads; accesses are SC with the given probability at least."""
    while True:
        found = _Cycle(rng, sc).make()
        if found is not None:
            return found


class _Cycle:
    def __init__(self, rng: random.Random, sc: float) -> None:
        self.rng = rng
        self.sc = sc
        self.labels: dict[EventId, Label] = {}

    def make(self) -> Execution | None:
        count = self.rng.randint(2, 4)
        edges = [self.rng.choice(tuple(ENDS)) for _ in range(count)]
        places = [0x1000 + 8 * number for number in range(count)]
        shapes: list[str] = []
        for thread in range(count):
            shapes.append(self._shape(edges[thread - 1], edges[thread]))
            if shapes[-1] in ("one", "rmw"):  # both edges are of one location
                self._merge(places, places[thread - 1], places[thread])
        ends = [
            self._thread(thread, shapes[thread], edges[thread - 1], edges[thread], places)
            for thread in range(count)
        ]
        wanted = [(edges[thread], ends[thread][1], ends[(thread + 1) % count][0]) for thread in range(count)]
        chosen = self._choose(wanted)
        if chosen is None:
            return None
        order = tuple(sorted(self.labels))
        graph = Graph(order, {event: self.labels[event] for event in order}, *chosen)
        return Execution(graph, random_dependencies(self.rng, graph, 0.3))

    def _shape(self, before: str, after: str) -> str:
        enters, leaves = ENDS[before][1], ENDS[after][0]
        shapes = ["two"] * 4 + ["three"]
        if enters == leaves:
            shapes += ["one"] * 2
        if (enters, leaves) == ("R", "W"):
            shapes.append("rmw")
        return self.rng.choice(shapes)

    def _merge(self, places: list[int], one: int, other: int) -> None:
        places[:] = [one if place == other else place for place in places]

    def _thread(
        self, thread: int, shape: str, before: str, after: str, places: list[int]
    ) -> tuple[EventId, EventId]:
        first = self._access(ENDS[before][1], places[thread - 1])
        last = self._access(ENDS[after][0], places[thread])
        match shape:
            case "one":
                labels = [first]
            case "rmw":
                labels = self._update(places[thread])
            case _:
                labels = [first]
                if shape == "three":
                    place = self.rng.choice(places)
                    labels += self.rng.choice(
                        ([self._access("R", place)], [self._access("W", place)], self._update(place))
                    )
                labels += [*self._fence(), last]
        for index, label in enumerate(labels):
            self.labels[thread, index] = label
        return (thread, 0), (thread, len(labels) - 1)

    def _fence(self) -> list[Label]:
        some = self.rng.random() < 0.3
        return [Label(Kind.FENCE, self.rng.choice(FENCE_MODES))] if some else []

    def _access(self, letter: str, place: int) -> Label:
        modes = READ_MODES if letter == "R" else WRITE_MODES
        mode = Mode.SC if self.rng.random() < self.sc else self.rng.choice(modes)
        return Label(Kind.READ if letter == "R" else Kind.WRITE, mode, place, 8)

    def _update(self, place: int) -> list[Label]:
        read, write = self.rng.choice(RMW_MODES)
        return [
            Label(Kind.READ, read, place, 8, exclusive=True),
            Label(Kind.WRITE, write, place, 8, exclusive=True),
        ]

    def _choose(
        self, wanted: list[tuple[str, EventId, EventId]]
    ) -> tuple[dict[EventId, EventId | None], dict[int, tuple[EventId, ...]]] | None:
        """rf and co that have the wanted edges, or None if a few attempts found none."""
        for _ in range(8):
            rf, co = self._any()
            for kind, source, target in wanted:
                if kind == "rf":
                    rf[target] = source
            if all(self._has(rf, co, *edge) for edge in wanted):
                return rf, co
        return None

    def _any(self) -> tuple[dict[EventId, EventId | None], dict[int, tuple[EventId, ...]]]:
        co: dict[int, tuple[EventId, ...]] = {}
        rf: dict[EventId, EventId | None] = {}
        for address in {label.address for label in self.labels.values() if label.kind is not Kind.FENCE}:
            accesses = [e for e, label in self.labels.items() if label.address == address]
            writes = [e for e in accesses if self.labels[e].kind is Kind.WRITE]
            co[address] = tuple(self.rng.sample(writes, len(writes)))
            for read in (e for e in accesses if self.labels[e].kind is Kind.READ):
                rf[read] = self.rng.choice((None, *writes))
        return rf, co

    def _has(
        self,
        rf: dict[EventId, EventId | None],
        co: dict[int, tuple[EventId, ...]],
        kind: str,
        source: EventId,
        target: EventId,
    ) -> bool:
        if kind == "rf":
            return rf[target] == source
        order = co[self.labels[target].address]
        start = rf[source] if kind == "fr" else source
        return start is None or order.index(start) < order.index(target)
