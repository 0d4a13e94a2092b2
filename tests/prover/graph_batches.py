"""Relation algebra on many graphs at once: bit k of an integer is about graph k.

A relation on graphs of n events is n by n such integers, so one evaluation of a term takes as many operations
on integers as it would take on bits for one graph.
I1: all graphs of a batch have the same number of events and of initial writes, which come last.
I2: what nothing says of a graph (access modes, declared predicates and relations) is a free bit of it: with
``tiled`` a batch has each graph once for each choice of some free bits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import permutations
from typing import TypeAlias

from mazurka.kat.meaning import terms
from mazurka.kat.meaning.terms import Relation
from small_graphs import CREATE, UPDATE_WRITE, Shape, shapes

Row: TypeAlias = list[int]
Matrix: TypeAlias = list[Row]


@dataclass(frozen=True)
class Batch:
    """Graphs of one size (I1): for each kind of event which are of it, and the base relations."""

    events: int
    nodes: int
    count: int
    kinds: Mapping[str, Row] = field(repr=False)
    relations: Mapping[str, Matrix] = field(repr=False)
    atomic: int = field(repr=False)  # the graphs whose read-modify-writes are, as in every model

    @cached_property
    def all(self) -> int:
        """The bits of all graphs."""
        return (1 << self.count) - 1

    def tiled(self, doublings: int, names: Iterable[str]) -> Batch:
        """Each graph ``2 ** doublings`` times, one batch after the other (I2), with only some relations."""
        kinds = {name: [self._tiled(bits, doublings) for bits in row] for name, row in self.kinds.items()}
        relations = {
            name: [[self._tiled(bits, doublings) for bits in row] for row in self.relations[name]]
            for name in names
        }
        atomic = self._tiled(self.atomic, doublings)
        return Batch(self.events, self.nodes, self.count << doublings, kinds, relations, atomic)

    def _tiled(self, bits: int, doublings: int) -> int:
        if bits == self.all:
            return (1 << (self.count << doublings)) - 1
        return _doubled(bits, self.count, doublings) if bits else 0


def _doubled(bits: int, width: int, doublings: int) -> int:
    """The bits repeated, by copying what is there already; a multiplication would take longer."""
    for index in range(doublings):
        bits |= bits << (width << index)
    return bits


def free_bits(count: int, number: int) -> list[int]:
    """The free bits of a batch of ``count`` graphs that was tiled with so many doublings."""
    found = []
    for index in range(number):
        half = count << index
        found.append(_doubled(((1 << half) - 1) << half, 2 * half, number - index - 1))
    return found


@cache
def batches(size: int, kinds: str) -> tuple[Batch, ...]:
    """All graphs of so many events of some kinds, by the number of their locations."""
    groups: dict[int, list[Shape]] = defaultdict(list)
    for shape in shapes(size, kinds):
        groups[shape.places].append(shape)
    return tuple(_batch(size, size + places, group) for places, group in sorted(groups.items()))


class _Columns:
    """Bits of graphs, written for some graphs at a time and read as integers."""

    def __init__(self, count: int) -> None:
        self._columns: dict[tuple[str, int, int], bytearray] = defaultdict(lambda: bytearray(b"0" * count))

    def put(self, graphs: range, name: str, a: int, b: int = 0) -> None:
        self._columns[name, a, b][graphs.start : graphs.stop : graphs.step] = b"1" * len(graphs)

    def bits(self, name: str, a: int, b: int = 0) -> int:
        column = self._columns.get((name, a, b))
        return 0 if column is None else int(bytes(column), 2)


def _batch(events: int, nodes: int, group: list[Shape]) -> Batch:
    parts = [(shape, shape.readings(), shape.orders()) for shape in group]
    count = sum(len(readings) * len(orders) for _, readings, orders in parts)
    columns = _Columns(count)
    start = 0
    for shape, readings, orders in parts:
        own = range(start, start + len(readings) * len(orders))
        start = own.stop
        _write_shape(columns, own, shape)
        for number, rf in enumerate(readings):
            for a, b in rf:
                columns.put(own[number * len(orders) : (number + 1) * len(orders)], "rf", a, b)
        for number, co in enumerate(orders):
            for a, b in co:
                columns.put(own[number :: len(orders)], "co", a, b)
    kinds = {kind: [columns.bits(kind, e) for e in range(nodes)] for kind in "RWFrwCJI"}
    relations = {
        name: [[columns.bits(name, a, b) for b in range(nodes)] for a in range(nodes)]
        for name in ("po", "rf", "co", "same-thread", "loc-overlap", "rmw", "tc", "tj")
    }
    relations |= _derived(relations, (1 << count) - 1)
    atomic = (1 << count) - 1 & ~_broken_updates(relations)
    return Batch(events, nodes, count, kinds, relations, atomic)


def _broken_updates(relations: Mapping[str, Matrix]) -> int:
    """The graphs in which a read-modify-write's write does not follow in co what it read, at once."""
    before = minus(compose(relations["rf"], relations["rmw"]), relations["co"])
    between = meet(relations["rmw"], compose(relations["fr"], relations["co"]))
    return _some(before) | _some(between)


def _write_shape(columns: _Columns, own: range, shape: Shape) -> None:
    size = len(shape.kinds)
    for event, kind in enumerate(shape.kinds):
        columns.put(own, kind, event)
        if kind == UPDATE_WRITE:
            columns.put(own, "rmw", event - 1, event)
    for place in range(shape.places):
        columns.put(own, "I", size + place)
    for a, b in shape.po:
        columns.put(own, "po", a, b)
    for a, b in permutations(range(size), 2):
        if shape.threads[a] == shape.threads[b]:
            columns.put(own, "same-thread", a, b)
        if shape.locations[a] == shape.locations[b] != -1:
            columns.put(own, "loc-overlap", a, b)
    for event, child in shape.children:
        for other in (e for e in range(size) if shape.threads[e] == child):
            creates = shape.kinds[event] == CREATE
            columns.put(own, *(("tc", event, other) if creates else ("tj", other, event)))


def _derived(known: Mapping[str, Matrix], every: int) -> dict[str, Matrix]:
    """The built-in relations that others define (docs/reference/models.md)."""
    nodes = range(len(known["po"]))
    found = {
        "fr": compose(inverse(known["rf"]), known["co"]),
        "po-loc": meet(known["po"], known["loc-overlap"]),
        "po-imm": minus(known["po"], compose(known["po"], known["po"])),
        "any": [[every for _ in nodes] for _ in nodes],
    }
    for whole in ("rf", "co", "fr"):
        rows = known[whole] if whole in known else found[whole]
        found[f"{whole}i"] = meet(rows, known["same-thread"])
        found[f"{whole}e"] = minus(rows, known["same-thread"])
    return found


# Operations ---------------------------------------------------------------------------------------------


def union(one: Matrix, two: Matrix) -> Matrix:
    """The pairs of either."""
    return [[a | b for a, b in zip(p, q, strict=True)] for p, q in zip(one, two, strict=True)]


def meet(one: Matrix, two: Matrix) -> Matrix:
    """The pairs of both."""
    return [[a & b for a, b in zip(p, q, strict=True)] for p, q in zip(one, two, strict=True)]


def minus(one: Matrix, two: Matrix) -> Matrix:
    """The pairs of the first alone."""
    return [[a & ~b for a, b in zip(p, q, strict=True)] for p, q in zip(one, two, strict=True)]


def inverse(rows: Matrix) -> Matrix:
    """The pairs turned around."""
    return [list(column) for column in zip(*rows, strict=True)]


def compose(one: Matrix, two: Matrix) -> Matrix:
    """A step of one, then a step of the other."""
    nodes = range(len(two))
    result = []
    for row in one:
        out = [0] * len(two)
        for middle in nodes:
            if row[middle]:
                for b, bits in enumerate(two[middle]):
                    if bits:
                        out[b] |= row[middle] & bits
        result.append(out)
    return result


def closure(rows: Matrix) -> Matrix:
    """One or more steps (Warshall)."""
    result = [list(row) for row in rows]
    for middle, via in enumerate(result):
        for row in result:
            if row[middle]:
                there = row[middle]
                for b, bits in enumerate(list(via)):
                    if bits:
                        row[b] |= there & bits
    return result


class Algebra:
    """What terms denote on the graphs of a batch, for given sets of events and free relations."""

    def __init__(
        self, batch: Batch, tests: Mapping[str, Row], relations: Mapping[str, Matrix] | None = None
    ) -> None:
        self.batch = batch
        self.tests = tests
        self.relations = {**batch.relations, **(relations or {})}
        self._known: dict[Relation, Matrix] = {}

    def violations(self, claim: terms.Inclusion) -> int:
        """The graphs in which an inclusion or an equality does not hold."""
        left, right = self.matrix(claim.left), self.matrix(claim.right)
        found = _some(minus(left, right))
        return found | _some(minus(right, left)) if claim.equal else found

    def matrix(self, term: Relation) -> Matrix:
        """The pairs of a term."""
        known = self._known.get(term)
        if known is None:
            known = self._known[term] = self._evaluate(term)
        return known

    def _evaluate(self, term: Relation) -> Matrix:
        match term:
            case terms.Empty():
                return self._diagonal([0] * self.batch.nodes)
            case terms.Identity():
                return self._diagonal([self.batch.all] * self.batch.nodes)
            case terms.Guard(test):
                return self._diagonal(self.passing(test))
            case terms.Base(name):
                return self.relations[name]
            case terms.Union(left, right):
                return union(self.matrix(left), self.matrix(right))
            case terms.Intersection(left, right):
                return meet(self.matrix(left), self.matrix(right))
            case terms.Difference(left, right):
                return minus(self.matrix(left), self.matrix(right))
            case terms.Sequence(left, right):
                return compose(self.matrix(left), self.matrix(right))
            case terms.Inverse(body):
                return inverse(self.matrix(body))
            case terms.Plus(body):
                return closure(self.matrix(body))
            case terms.Star(body):
                return union(self.matrix(terms.Plus(body)), self.matrix(terms.Identity()))
            case terms.Maybe(body):
                return union(self.matrix(body), self.matrix(terms.Identity()))
            case _:
                raise AssertionError(f"{term} has no meaning on graphs")

    def _diagonal(self, row: Row) -> Matrix:
        return [[bits if a == b else 0 for b in range(len(row))] for a, bits in enumerate(row)]

    def passing(self, test: terms.Test) -> Row:
        """The events that pass a test."""
        match test:
            case terms.Anything():
                return [self.batch.all] * self.batch.nodes
            case terms.Primitive(name):
                return self.tests[name]
            case terms.Not(body):
                return [self.batch.all & ~bits for bits in self.passing(body)]
            case terms.Both(left, right):
                return [a & b for a, b in zip(self.passing(left), self.passing(right), strict=True)]
            case terms.Either(left, right):
                return [a | b for a, b in zip(self.passing(left), self.passing(right), strict=True)]


def _some(rows: Iterable[Row]) -> int:
    found = 0
    for row in rows:
        for bits in row:
            found |= bits
    return found
