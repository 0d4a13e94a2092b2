"""An execution as people write it: threads in columns, locations x, y, z, values that identify writes.

I1: the writes of a location have the values 1, 2, … in the order of co, and initial ones 0; a read has the
value of the write that it reads from, so the values of all reads determine rf.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from mazurka.counterexamples.simplest import Simplifier
from mazurka.kat.meaning.classes import INIT
from mazurka.kat.meaning.plan import CLASSES
from mazurka.kat.meaning.rows import bits, compose, inverse
from mazurka.prover import CandidateGraph, PathStep, Query, Refuted

_LOCATIONS = "xyzwvu"
_WITHIN = frozenset(("po", "po-loc", "po-imm", "rmw", "ctrl", "addr", "data", "rfi", "coi", "fri"))


class Shown(NamedTuple):
    """An event with its names; ``register`` is where a read keeps what it read."""

    number: int  # in the graph
    kind: str  # R W F, or another class's name
    mode: str
    form: str  # load, store, rmw, failed; empty if it is not an access
    place: str
    value: int
    register: str


@dataclass(frozen=True)
class Counterexample:
    """A word, the graph with it, and the names of its events.

    ``path`` are the word's events; ``any_mode`` are those whose mode does not matter, not even whether they
    are atomic.
    """

    word: tuple[PathStep, ...]
    cyclic: bool
    path: tuple[int, ...]
    graph: CandidateGraph
    any_mode: frozenset[int] = frozenset()
    threads: tuple[tuple[int, ...], ...] = field(init=False)  # events of each thread, in po
    initial: tuple[int, ...] = field(init=False)
    coherence: dict[str, tuple[int, ...]] = field(init=False)  # writes of each location in co, initial first
    events: dict[int, Shown] = field(init=False)

    def __post_init__(self) -> None:
        names = _Names(self)
        object.__setattr__(self, "threads", names.threads)
        object.__setattr__(self, "initial", names.initial)
        object.__setattr__(self, "coherence", names.coherence)
        object.__setattr__(self, "events", names.events())

    def pairs(self, relation: str) -> list[tuple[int, int]]:
        """The pairs of a relation."""
        rows = self.graph.relations.get(relation, [])
        return [(a, b) for a, row in enumerate(rows) for b in bits(row)]

    def steps(self) -> list[tuple[int, PathStep, int]]:
        """The word's steps with their events, in the direction of the word."""
        size = len(self.path)
        return [(self.path[n], step, self.path[(n + 1) % size]) for n, step in enumerate(self.word)]

    def source(self, read: int) -> int:
        """The write that a read reads from."""
        return bits(inverse(self.graph.relations["rf"])[read])[0]


def counterexample(query: Query, refuted: Refuted) -> Counterexample:
    """A refutation in presentable form, with events as weak as possible."""
    simplifier = Simplifier(query, refuted)
    simplifier.run()
    any_mode = simplifier.names_any_mode()
    graph, path = simplifier.graph, simplifier.path
    word, path = _rotated(refuted.word, path, graph) if refuted.cyclic else (refuted.word, path)
    return Counterexample(word, refuted.cyclic, path, graph, any_mode)


def _rotated(
    word: tuple[PathStep, ...], path: tuple[int, ...], graph: CandidateGraph
) -> tuple[tuple[PathStep, ...], tuple[int, ...]]:
    """The cyclic word, started where it enters a thread (if possible by rf, and stays), as in papers."""

    def merit(number: int) -> int:
        before, after = word[number - 1], word[number]
        enters = graph.threads[path[number - 1]] != graph.threads[path[number]]
        return 4 * (enters and after.relation in _WITHIN) + 2 * enters + before.relation.startswith("rf")

    start = max(range(len(word)), key=merit, default=0)
    return word[start:] + word[:start], path[start:] + path[:start]


class _Names:
    """Names everything of a counterexample in the order in which the word meets it."""

    def __init__(self, example: Counterexample) -> None:
        self.graph = example.graph
        self.met = list(dict.fromkeys((*_first_writer(example), *range(self.graph.size))))
        kinds = [CLASSES[kind.number] for kind in self.graph.kinds]
        self.initial = tuple(event for event, kind in enumerate(kinds) if kind == "INIT")
        threads = dict.fromkeys(self.graph.threads[event] for event in self.met)
        threads.pop(-1, None)
        self.threads = tuple(self._in_order(thread) for thread in threads)
        places = dict.fromkeys(self.graph.locations[e] for events in self.threads for e in events)
        places |= dict.fromkeys(self.graph.locations[event] for event in self.initial)
        places.pop(-1, None)
        self.places = {place: _location_name(number) for number, place in enumerate(places)}
        self.coherence = {name: self._writes(place) for place, name in self.places.items()}

    def _in_order(self, thread: int) -> tuple[int, ...]:
        events = [event for event in range(self.graph.size) if self.graph.threads[event] == thread]
        later = self.graph.relations["po"]
        return tuple(sorted(events, key=lambda event: -later[event].bit_count()))

    def _writes(self, place: int) -> tuple[int, ...]:
        kinds = self.graph.kinds
        later = self.graph.relations["co"]
        found = [
            event
            for event in range(self.graph.size)
            if self.graph.locations[event] == place and CLASSES[kinds[event].number][0] in "WI"
        ]
        return tuple(sorted(found, key=lambda event: -later[event].bit_count()))

    def events(self) -> dict[int, Shown]:
        """All events with their names and values (I1)."""
        values = {e: value for writes in self.coherence.values() for value, e in enumerate(writes)}
        values |= {read: values[write] for write, read in self._pairs("rf")}
        order = [event for events in self.threads for event in events]
        reads = [event for event in order if CLASSES[self.graph.kinds[event].number].startswith("R.")]
        registers = {event: f"r{number}" for number, event in enumerate(reads)}
        found = {}
        for event in (*self.initial, *order):
            kind, mode, form = (*CLASSES[self.graph.kinds[event].number].split("."), "", "")[:3]
            place = self.places.get(self.graph.locations[event], "")
            value, register = values.get(event, 0), registers.get(event, "")
            found[event] = Shown(event, kind, mode, form, place, value, register)
        return found

    def _pairs(self, relation: str) -> list[tuple[int, int]]:
        return [(a, b) for a, row in enumerate(self.graph.relations[relation]) for b in bits(row)]


def _first_writer(example: Counterexample) -> tuple[int, ...]:
    """The word's events from where it enters a thread without reading: the thread read from comes first."""
    for number, (_, step, event) in enumerate(example.steps()):
        leaves = example.word[(number + 1) % len(example.word)].relation in _WITHIN
        if leaves and step.relation.startswith(("fr", "co")) and example.cyclic:
            start = example.path.index(event)
            return example.path[start:] + example.path[:start]
    return example.path


def _location_name(number: int) -> str:
    return _LOCATIONS[number] if number < len(_LOCATIONS) else f"x{number}"


def reduced(example: Counterexample, relation: str) -> list[tuple[int, int]]:
    """The pairs of an order that do not follow from its other pairs by transitivity."""
    rows = example.graph.relations[relation]
    longer = compose(rows, rows)
    return [(a, b) for a, b in example.pairs(relation) if not longer[a] >> b & 1]


def is_initial(example: Counterexample, event: int) -> bool:
    """Whether an event is an initial write."""
    return bool(INIT >> example.graph.kinds[event].number & 1)
