"""A search through all small graphs for one that refutes a query, without the prover.

What a query names and nothing in a graph decides (access modes, declared predicates and relations) is chosen
in every way, bit by bit, as far as that makes at most ``2 ** most_bits`` graphs: beyond, in some
``2 ** sample_bits`` random ways.
I1: two kinds of event are told apart only where the query's predicates do.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

from graph_batches import Algebra, Batch, Matrix, Row, batches, compose, free_bits, meet, union
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import PREDICATES
from mazurka.kat.meaning.plan import CLASSES
from mazurka.prover import Query
from mazurka.prover.theory.events import primitives
from mazurka.prover.theory.queries import names_in

# C's read-modify-writes are atomic, whether they write or not.
_ALL = [c for c in CLASSES if not c.endswith((".na.rmw", ".na.failed"))]
_CLASSES_OF = {
    "R": [c for c in _ALL if c.startswith("R.") and not c.endswith(".rmw")],
    "W": [c for c in _ALL if c.startswith("W.") and not c.endswith(".rmw")],
    "r": [c for c in _ALL if c.startswith("R.") and c.endswith(".rmw")],
    "w": [c for c in _ALL if c.startswith("W.") and c.endswith(".rmw")],
    "F": [c for c in CLASSES if c.startswith("F.")],
    "C": ["CREATE"],
    "J": ["JOIN"],
    "I": ["INIT"],
}
_DEPENDENCIES = ("addr", "data", "ctrl")
_UPDATES = {"rmw", "UR", "UW", "EXCL", "NEXCL"}
_TILE = 1 << 20  # graphs at a time


@dataclass(frozen=True)
class Counterexample:
    """A graph that satisfies the assumptions and not the claim."""

    batch: Batch
    number: int
    algebra: Algebra

    def __str__(self) -> str:
        lines = []
        for kind, row in self.batch.kinds.items():
            events = [str(e) for e, bits in enumerate(row) if bits >> self.number & 1]
            lines += [f"{kind}: {' '.join(events)}"] if events else []
        for name, rows in self.algebra.relations.items():
            pairs = [
                f"{a}-{b}"
                for a, row in enumerate(rows)
                for b, bits in enumerate(row)
                if bits >> self.number & 1
            ]
            lines += [f"{name}: {' '.join(pairs)}"] if pairs and name != "any" else []
        for name, row in self.algebra.tests.items():
            lines.append(f"[{name}]: {[e for e, bits in enumerate(row) if bits >> self.number & 1]}")
        return "\n".join(lines)


class GraphSearch:
    """The search for one query; ``exhaustive`` says afterwards whether nothing was left to chance."""

    def __init__(self, query: Query, *, most_bits: int = 26, sample_bits: int = 20) -> None:
        self.exhaustive = True
        self._most = most_bits
        self._samples = 1 << sample_bits
        self._query = query
        relations, tests = _names(query)
        self._predicates = sorted({name for test in tests for name in primitives(test)})
        self._variants = {kind: self._variants_of(classes) for kind, classes in _CLASSES_OF.items()}
        most = max(len(variants) for variants in self._variants.values())
        self._code = (most - 1).bit_length()  # bits that choose a variant
        self._updates = bool(_UPDATES & (relations | set(self._predicates)))
        known = batches(1, "RWF")[0].relations.keys()
        self._orders = [_order_of(s.total) for s in query.theory.assumptions if s.total is not None]
        self._orders = [(name, test) for name, test in self._orders if name not in known]
        ordered = {name for name, _ in self._orders}
        self._free = sorted(relations - known - ordered)
        self._named = sorted(
            (relations & known) | ({"po"} if set(self._free) & set(_DEPENDENCIES) else set())
        )

    def _variants_of(self, classes: list[str]) -> list[frozenset[str]]:
        """The sets of the query's predicates that events of some classes can satisfy (I1)."""
        found = {
            frozenset(
                n for n in self._predicates if n in PREDICATES and PREDICATES[n] >> CLASSES.index(c) & 1
            )
            for c in classes
        }
        for name in self._predicates:
            if name not in PREDICATES:
                found |= {variant | {name} for variant in found}
        return sorted(found, key=sorted)

    def counterexample(self, size: int, kinds: str) -> Counterexample | None:
        """A graph of so many events of some kinds that refutes the query."""
        for batch in batches(size, kinds + "rw" * self._updates):
            for algebra in self._settings(batch):
                found = self._refuting(algebra)
                if found:
                    return Counterexample(algebra.batch, found.bit_length() - 1, algebra)
        return None

    def _refuting(self, algebra: Algebra) -> int:
        left = algebra.batch.atomic
        for statement in self._query.theory.assumptions:
            if statement.claim is not None and left:
                left &= ~algebra.violations(statement.claim)
        return left & algebra.violations(self._query.claim) if left else 0

    # What is free ---------------------------------------------------------------------------------------

    def _settings(self, batch: Batch) -> Iterator[Algebra]:
        """The batch with every choice of what is free, some at a time."""
        places = self._places(batch)
        number = self._code * self._told_apart(batch) + len(places)
        if (batch.count << number) > 1 << self._most:
            self.exhaustive = False
            yield from self._sampled(batch, number)
            return
        inner = 0
        while inner < number and batch.count << (inner + 1) <= _TILE:
            inner += 1
        tiled = batch.tiled(inner, self._named)
        tile = free_bits(batch.count, inner)
        for outer in range(1 << (number - inner)):
            constant = [tiled.all if outer >> index & 1 else 0 for index in range(number - inner)]
            yield from self._algebras(tiled, [*tile, *constant])

    def _sampled(self, batch: Batch, number: int) -> Iterator[Algebra]:
        draw = random.Random(number)
        tiled = batch.tiled((self._samples // batch.count).bit_length(), self._named)
        code = self._code * self._told_apart(batch)
        chosen = [draw.getrandbits(tiled.count) for _ in range(number)]
        # Few pairs of a free relation, as most assumptions fail for many.
        sparse = [bits & draw.getrandbits(tiled.count) for bits in chosen[code:]]
        yield from self._algebras(tiled, chosen[:code] + sparse)

    def _told_apart(self, batch: Batch) -> int:
        """How many events may be of several kinds; initial writes only by declared predicates."""
        return batch.nodes if len(self._variants["I"]) > 1 else batch.events

    def _places(self, batch: Batch) -> list[tuple[str, int, int]]:
        """The pairs that may be in a free relation; initial writes are in dependencies never."""
        found = []
        for name in self._free:
            size = batch.events if name in _DEPENDENCIES else batch.nodes
            found += [
                (name, a, b)
                for a in range(size)
                for b in range(size)
                if name not in _DEPENDENCIES or batch.relations["po"][a][b]
            ]
        return found

    def _algebras(self, batch: Batch, free: list[int]) -> Iterator[Algebra]:
        code = self._code * self._told_apart(batch)
        tests = self._tests(batch, free[:code])
        relations: dict[str, Matrix] = {
            name: [[0] * batch.nodes for _ in range(batch.nodes)] for name in self._free
        }
        for (name, a, b), bits in zip(self._places(batch), free[code:], strict=True):
            relations[name][a][b] = bits
        for name in _DEPENDENCIES:
            if name in relations:
                relations[name] = _dependency(name, relations[name], batch)
        if not self._orders:
            yield Algebra(batch, tests, relations)
            return
        ((order, test),) = self._orders
        inside = Algebra(batch, tests).passing(test)
        for line in permutations(range(batch.events)):
            place = {event: index for index, event in enumerate(line)}
            rows = [
                [
                    inside[a] & inside[b] if max(a, b) < batch.events and place[a] < place[b] else 0
                    for b in range(batch.nodes)
                ]
                for a in range(batch.nodes)
            ]
            yield Algebra(batch, tests, {**relations, order: rows})

    def _tests(self, batch: Batch, free: list[int]) -> dict[str, Row]:
        """For each predicate the events that satisfy it, by the variants that the free bits choose."""
        tests: dict[str, Row] = {name: [0] * batch.nodes for name in self._predicates}
        for event in range(batch.nodes):
            code = free[event * self._code : (event + 1) * self._code]
            for number in range(1 << self._code):
                chosen = batch.all
                for index, bits in enumerate(code):
                    chosen &= bits if number >> index & 1 else ~bits
                for kind, variants in self._variants.items():
                    here = batch.kinds[kind][event] & chosen
                    for name in variants[number % len(variants)] if here else ():
                        tests[name][event] |= here
        return tests


def _dependency(name: str, raw: Matrix, batch: Batch) -> Matrix:
    """Pairs along po from a read, for data to a write; what ctrl reaches, all that follows is reached by."""
    po, size = batch.relations["po"], range(batch.nodes)
    reads = [a | b for a, b in zip(batch.kinds["R"], batch.kinds["r"], strict=True)]
    writes = [a | b for a, b in zip(batch.kinds["W"], batch.kinds["w"], strict=True)]
    ends = writes if name == "data" else [batch.all] * batch.nodes
    rows = meet(meet(raw, po), [[reads[a] & ends[b] for b in size] for a in size])
    return union(rows, compose(rows, po)) if name == "ctrl" else rows


def _names(query: Query) -> tuple[set[str], list[terms.Test]]:
    claims = [s.claim for s in query.theory.assumptions if s.claim is not None]
    sides = [side for claim in (query.claim, *claims) for side in (claim.left, claim.right)]
    relations, tests = set[str](), list[terms.Test]()
    for term in (*sides, *(s.total for s in query.theory.assumptions if s.total is not None)):
        more, others = names_in(term, query.theory.views)
        relations |= more
        tests += others
    return relations, tests


def _order_of(term: terms.Relation) -> tuple[str, terms.Test]:
    """The relation and the test of ``total [T] ; r ; [T]`` or ``total r``."""
    match term:
        case terms.Sequence(terms.Sequence(terms.Guard(test), terms.Base(name)), terms.Guard()):
            return name, test
        case terms.Base(name):
            return name, terms.Anything()
    raise AssertionError(f"{term} is not a total order of events that pass a test")
