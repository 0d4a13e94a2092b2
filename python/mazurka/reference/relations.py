"""What a term of the model language denotes on a graph: its relations and events for ``denotation``.

Events are numbered in insertion order, then initial writes. ``Relations`` are between events, and ``Pieces``
between the pieces of accesses of several sizes.

Not done: relations that a model declares are refused, except for those that the shipped models do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import TypeAlias

from mazurka.kat.meaning import terms
from mazurka.kat.meaning.denotation import Denotation
from mazurka.kat.meaning.rows import Rows, bits, closure, compose, union
from mazurka.reference.bases import BASES, Pairs, accesses, cells, initial_write, is_initial
from mazurka.reference.graph import Cell, Graph
from mazurka.reference.predicates import Facts, facts, passes
from mazurka.reference.running.labels import EventId, ReferenceUnsupported

SYNONYMS = {"mo": "co", "moe": "coe", "moi": "coi"}
_COMMUNICATION = ("rf", "co", "fr")

_MOST_TESTS = 1000
_NUMBERS: dict[Facts, int] = {}  # of all facts so far, of which there are few

Piece: TypeAlias = tuple[EventId, Cell | None]
PiecePairs: TypeAlias = set[tuple[Piece, Piece]]


class Guards:
    """Which of some events pass tests; all graphs whose events have the same facts share it."""

    def __init__(self, events: Sequence[Facts]) -> None:
        self._events = events
        # By the identity of the test, which is kept here as terms are in ``Denotation``.
        self._known: dict[int, tuple[terms.Test, Rows]] = {}

    def passing(self, test: terms.Test) -> Rows:
        """The events that pass a test, each with itself."""
        known = self._known.get(id(test))
        if known is None:
            if len(self._known) == _MOST_TESTS:
                self._known.clear()
            rows = [passes(event, test) << number for number, event in enumerate(self._events)]
            known = self._known[id(test)] = test, rows
        return known[1]


def guards_of(events: Sequence[Facts]) -> Guards:
    """The tests of events with these facts."""
    return _guards(tuple(_NUMBERS.setdefault(event, len(_NUMBERS)) for event in events))


@lru_cache(maxsize=500)
def _guards(numbers: tuple[int, ...]) -> Guards:
    every = list(_NUMBERS)
    return Guards([every[number] for number in numbers])


class Relations(Denotation):
    """The relations of one graph, under the views of one model."""

    def __init__(self, graph: Graph, views: Mapping[str, terms.Relation]) -> None:
        super().__init__()
        self.graph = graph
        self.views = views
        self.events: list[EventId] = [*graph.order, *map(initial_write, cells(graph))]
        self.size = len(self.events)
        self.numbers = {event: number for number, event in enumerate(self.events)}
        self._guards = guards_of([facts(graph, event) for event in self.events])
        self._bases: dict[str, Rows] = {}
        self._views: dict[str, Rows] = {}

    def pairs(self, term: terms.Relation) -> Pairs:
        """The same as a set of pairs of events."""
        return {(self.events[a], self.events[b]) for a, row in enumerate(self.rows(term)) for b in bits(row)}

    def passing(self, test: terms.Test) -> Rows:
        """The events that pass a test, each with itself."""
        return self._guards.passing(test)

    def rotation(self) -> Rows:
        """Not evaluated."""
        raise ReferenceUnsupported("the rotational closure, which only the prover knows")

    def base(self, name: str) -> Rows:
        """A built-in relation."""
        name = SYNONYMS.get(name, name)
        if name not in self._bases:
            self._bases[name] = self._build(name)
        return self._bases[name]

    def _build(self, name: str) -> Rows:
        match name:
            case "po":
                return closure(self.base("po-imm"))
            case "po-loc":
                return [a & b for a, b in zip(self.base("po"), self.base("loc-overlap"), strict=True)]
            case "any":
                return [(1 << self.size) - 1] * self.size
        if name not in BASES:
            raise ReferenceUnsupported(f"the relation {name}")
        rows = [0] * self.size
        for before, after in BASES[name](self.graph):
            rows[self.numbers[before]] |= 1 << self.numbers[after]
        if name == "ctrl":  # goes on into threads that are created, and past joins
            return union(rows, compose(rows, self.base("po")))
        return rows

    def view(self, name: str) -> Rows:
        """What a view stands for."""
        if name not in self._views:
            self._views[name] = self.rows(self.views[name])
        return self._views[name]


class Pieces(Denotation):
    """The relations between the pieces of a graph's accesses, for a model with ``si``, under its views.

    A piece is an access with one of its cells; other events, and initial writes, are one piece each. rf, co
    and fr are those of cells, and accesses have the same location where they share a cell. Whatever else
    relates two events relates all their pieces. Nothing is said here about torn accesses: the axioms say
    what a thread may see of a part of an access.
    """

    def __init__(self, graph: Graph, views: Mapping[str, terms.Relation]) -> None:
        super().__init__()
        self.graph = graph
        self.views = views
        reached = set(accesses(graph))
        self.of: dict[EventId, list[Piece]] = {
            event: [(event, cell) for cell in graph.cells(event)] if event in reached else [(event, None)]
            for event in graph.order
        }
        self.of |= {initial_write(cell): [(initial_write(cell), cell)] for cell in cells(graph)}
        self.pieces = [piece for event in self.of for piece in self.of[event]]
        self.size = len(self.pieces)
        self._numbers = {piece: number for number, piece in enumerate(self.pieces)}
        self._guards = guards_of([facts(graph, event) for event, _ in self.pieces])
        self._bases: dict[str, Rows] = {}

    def passing(self, test: terms.Test) -> Rows:
        """The pieces of events that pass a test, each with itself."""
        return self._guards.passing(test)

    def rotation(self) -> Rows:
        """Not evaluated."""
        raise ReferenceUnsupported("the rotational closure, which only the prover knows")

    def view(self, name: str) -> Rows:
        """What a view stands for."""
        return self.rows(self.views[name])

    def base(self, name: str) -> Rows:
        """A built-in relation."""
        if name not in self._bases:
            self._bases[name] = self._build(name)
        return self._bases[name]

    def _build(self, name: str) -> Rows:
        match name:
            case "si":
                return self._rows({pair for pieces in self.of.values() for pair in product(pieces, pieces)})
            case "any":
                return [(1 << self.size) - 1] * self.size
            case "po":
                return closure(self.base("po-imm"))
            case "po-loc":
                return [a & b for a, b in zip(self.base("po"), self.base("loc-overlap"), strict=True)]
            case "loc-overlap":
                return self._rows({(a, b) for a, b in product(self.pieces, repeat=2) if _share_cell(a, b)})
        if name[:2] in _COMMUNICATION and name[2:] in ("", "e", "i"):
            pairs = getattr(self, f"_{name[:2]}")()
            return self._rows({pair for pair in pairs if name[2:] in ("", _side(*pair))})
        if name not in BASES or name == "detour":
            raise ReferenceUnsupported(f"the relation {name} between pieces of accesses")
        whole = {pair for a, b in BASES[name](self.graph) for pair in product(self.of[a], self.of[b])}
        rows = self._rows(whole)
        return union(rows, compose(rows, self.base("po"))) if name == "ctrl" else rows

    def _rows(self, pairs: PiecePairs) -> Rows:
        rows = [0] * self.size
        for before, after in pairs:
            rows[self._numbers[before]] |= 1 << self._numbers[after]
        return rows

    def _orders(self) -> dict[Cell, list[Piece]]:
        """The pieces of the writes of each cell, the initial one first."""
        return {
            cell: [(write, cell) for write in (initial_write(cell), *self.graph.writes(cell))]
            for cell in cells(self.graph)
        }

    def _co(self) -> PiecePairs:
        return {pair for order in self._orders().values() for pair in combinations(order, 2)}

    def _rf(self) -> PiecePairs:
        pairs: PiecePairs = set()
        for read in self.graph.rf:
            for cell in self.graph.cells(read):
                source = self.graph.source(read, cell)
                pairs.add(((initial_write(cell) if source is None else source, cell), (read, cell)))
        return pairs

    def _fr(self) -> PiecePairs:
        later = self._co()
        return {(read, write) for source, read in self._rf() for older, write in later if older == source}


def _share_cell(one: Piece, two: Piece) -> bool:
    """Whether two pieces are of different accesses and of one cell, which is no initial write's."""
    is_real = not is_initial(one[0]) and not is_initial(two[0])
    return is_real and one[0] != two[0] and one[1] is not None and one[1] == two[1]


def _side(one: Piece, two: Piece) -> str:
    """Whether two pieces are of one thread (``i``) or of several (``e``)."""
    return "i" if one[0][0] == two[0][0] and not is_initial(one[0]) else "e"
