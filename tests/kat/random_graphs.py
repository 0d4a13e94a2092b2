"""Random execution graphs, and random terms and axioms of the model language, from a seed.

A graph is built event by event, each read from what is there: so po and rf are acyclic, as in the graphs that
the explorer builds, and every such graph can come. Read-modify-writes are mostly, not always, atomic.
"""

from __future__ import annotations

import random
from functools import reduce

from mazurka.kat.meaning import terms
from mazurka.program import Mode
from mazurka.reference.graph import Graph
from mazurka.reference.running.labels import EventId, Kind, Label

READ_MODES = (Mode.NA, Mode.RLX, Mode.ACQ, Mode.SC)
WRITE_MODES = (Mode.NA, Mode.RLX, Mode.REL, Mode.SC)
FENCE_MODES = (Mode.RLX, Mode.ACQ, Mode.REL, Mode.ACQ_REL, Mode.SC)
LOCATIONS = (0x1000, 0x1008)


class GraphMaker:
    """Makes one random graph; ``modes`` restricts the modes of accesses and fences."""

    def __init__(
        self, rng: random.Random, size: int, modes: tuple[Mode, ...] = tuple(Mode), bare: bool = False
    ) -> None:
        self.rng = rng
        self.modes = modes
        self.bare = bare  # only accesses and fences, besides creation and join
        self.graph = Graph()
        self.size = size

    def make(self) -> Graph:
        children = self.rng.randint(1, 3)
        joined: set[int] = set()
        for child in range(1, children + 1):
            self._add(0, Label(Kind.CREATE, other=child))
            if self.rng.random() < 0.2:
                self._event(0)
        while len(self.graph.order) < self.size:
            thread = self.rng.randint(0, children)
            if thread in joined:
                continue
            if thread and self.rng.random() < 0.05:
                self._add(0, Label(Kind.JOIN, other=thread))
                joined.add(thread)
            else:
                self._event(thread)
        return self.graph

    def _add(self, thread: int, label: Label) -> EventId:
        event = (thread, self.graph.length(thread))
        self.graph = self.graph.add(event, label)
        return event

    def _event(self, thread: int) -> None:
        kinds = ["read"] * 4 + ["write"] * 4 + ["rmw"] * 2 + ["fence"] * 2
        if not self.bare:
            kinds += ["failed", "alloc", "free"]
        match self.rng.choice(kinds):
            case "read":
                self._read(thread, Label(Kind.READ, self._mode(READ_MODES), self._place(), 8))
            case "write":
                self._write(thread, Label(Kind.WRITE, self._mode(WRITE_MODES), self._place(), 8, value=1))
            case "rmw":
                place = self._place()
                read = self._mode(READ_MODES[1:])
                self._read(thread, Label(Kind.READ, read, place, 8, exclusive=True))
                self._write(
                    thread, Label(Kind.WRITE, self._mode(WRITE_MODES[1:]), place, 8, value=1, exclusive=True)
                )
            case "failed":
                failure = self._mode(READ_MODES[1:])
                label = Label(
                    Kind.READ, Mode.RLX, self._place(), 8, exclusive=True, expected=99, failure=failure
                )
                self._read(thread, label)
            case "fence":
                self._add(thread, Label(Kind.FENCE, self._mode(FENCE_MODES)))
            case "alloc":
                self._add(thread, Label(Kind.ALLOC, address=LOCATIONS[0], size=8))
            case "free":
                self._add(thread, Label(Kind.FREE, address=LOCATIONS[0], size=8))

    def _place(self) -> int:
        return self.rng.choice(LOCATIONS)

    def _mode(self, modes: tuple[Mode, ...]) -> Mode:
        return self.rng.choice([mode for mode in modes if mode in self.modes])

    def _read(self, thread: int, label: Label) -> None:
        event = self._add(thread, label)
        writes = self.graph.writes(label.address)
        self.graph = self.graph.set_rf(event, self.rng.choice([None, *writes, *writes]))

    def _write(self, thread: int, label: Label) -> None:
        event = self._add(thread, label)
        read = (event[0], event[1] - 1)
        if label.exclusive and self.rng.random() < 0.9:
            self.graph = self.graph.set_co(self.graph.rf[read], event)
        else:
            writes = self.graph.writes(label.address)
            last = writes[-1] if writes and self.rng.random() < 0.5 else self.rng.choice([None, *writes])
            self.graph = self.graph.set_co(last, event)


def random_graph(seed: int, modes: tuple[Mode, ...] = tuple(Mode), bare: bool = False) -> Graph:
    """The random graph of a seed, of some three to twelve events."""
    rng = random.Random(seed)
    return GraphMaker(rng, rng.randint(4, 12), modes, bare).make()


_BASES = (
    "po",
    "po",
    "rf",
    "co",
    "fr",
    "rfe",
    "rfi",
    "coe",
    "coi",
    "fre",
    "fri",
    "rmw",
    "po-loc",
    "po-imm",
    "tc",
    "tj",
)
_ODD_BASES = ("same-thread", "loc-overlap", "any", "alloc", "free")
_PREDICATES = ("R", "W", "F", "INIT", "SC", "ACQ", "REL", "NA", "RLX", "UR", "UW", "UX", "EXCL", "TC", "LOC")


class TermMaker:
    """Makes random terms; ``plain`` ones have no inverse and no ``&`` or difference."""

    def __init__(self, rng: random.Random, plain: bool, views: tuple[str, ...] = ()) -> None:
        self.rng = rng
        self.plain = plain
        self.views = views

    def test(self) -> terms.Test:
        one: terms.Test = terms.Primitive(self.rng.choice(_PREDICATES))
        other = terms.Primitive(self.rng.choice(_PREDICATES))
        return self.rng.choice([one, one, terms.Both(one, other), terms.Either(one, other), terms.Not(one)])

    def leaf(self) -> terms.Relation:
        if self.views and self.rng.random() < 0.25:
            return terms.View(self.rng.choice(self.views))
        if self.rng.random() < 0.2:
            return terms.Guard(self.test())
        if not self.plain and self.rng.random() < 0.15:
            return self._by_location()
        odd = not self.plain and self.rng.random() < 0.1
        return terms.Base(self.rng.choice(_ODD_BASES if odd else _BASES))

    def _by_location(self) -> terms.Relation:
        """A relation between accesses of one location, or to another one."""
        if self.views and self.rng.random() < 0.5:
            return terms.Intersection(terms.View(self.rng.choice(self.views)), terms.Base("loc-overlap"))
        return terms.Difference(terms.Base("po"), terms.Base("po-loc"))

    def term(self, depth: int) -> terms.Relation:
        if depth == 0:
            return self.leaf()
        shapes = ["union", "union", "sequence", "sequence", "guarded", "guarded", "plus", "maybe"]
        if not self.plain:
            shapes += ["and", "minus", "inverse"]
        left = self.term(depth - 1)
        match self.rng.choice(shapes):
            case "union":
                return terms.Union(left, self.term(depth - 1))
            case "sequence":
                return terms.Sequence(left, self.term(depth - 1))
            case "guarded":
                inner = terms.Sequence(terms.Guard(self.test()), left)
                return terms.Sequence(inner, terms.Guard(self.test()))
            case "plus":
                return terms.Plus(left)
            case "maybe":
                return terms.Sequence(terms.Maybe(left), self.leaf())
            case "and":
                return terms.Intersection(left, self.term(depth - 1))
            case "minus":
                return terms.Difference(left, self.term(depth - 1))
            case _:
                return terms.Inverse(left)

    def past(self, depth: int) -> terms.Relation:
        """A relation that a view may have: po, rf and rmw, forwards, of at least one step."""
        if depth == 0:
            return terms.Base(self.rng.choice(("po", "rf", "rfe", "rmw", "po-imm", "po-loc")))
        left, right = self.past(depth - 1), self.past(depth - 1)
        match self.rng.choice(("union", "sequence", "sequence", "guarded", "plus", "maybe")):
            case "union":
                return terms.Union(left, right)
            case "sequence":
                return terms.Sequence(left, right)
            case "plus":
                return terms.Plus(left)
            case "maybe":
                return terms.Sequence(left, terms.Maybe(right))
            case _:
                inner = terms.Sequence(terms.Guard(self.test()), left)
                return terms.Sequence(inner, terms.Guard(self.test()))

    def usual(self) -> terms.Relation:
        """A union of rf, co, fr and guarded paths of po through one or two events, or views."""
        parts: list[terms.Relation] = [
            terms.Base(name) for name in ("rf", "rfe", "co", "fr", "coe") if self.rng.random() < 0.6
        ]
        for _ in range(self.rng.randint(1, 3)):
            steps: list[terms.Relation] = [terms.Guard(self.test())]
            for _ in range(self.rng.randint(1, 3)):
                steps += [self._order(), terms.Guard(self.test())]
            parts.append(reduce(terms.Sequence, steps))
        return reduce(terms.Union, parts)

    def _order(self) -> terms.Relation:
        if self.views and self.rng.random() < 0.3:
            return terms.View(self.rng.choice(self.views))
        return terms.Base("po" if self.rng.random() < 0.8 else self.rng.choice(_BASES))
