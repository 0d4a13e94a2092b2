"""The relations that a model names, on an execution: its views and definitions, such as hb and sw, its ppo,
and the dependencies that these need.

The specification evaluates them. Those of large graphs are not drawn, because the specification is slow, nor
are those with dependencies if the engine did not track them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mazurka.checking.execution import Event, EventRef, Graph, instruction
from mazurka.errors import MazurkaError
from mazurka.kat.language.load import named_model
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.parts import relations_of
from mazurka.kat.meaning.rows import Rows, bits, compose, is_irreflexive, is_within
from mazurka.pictures.colours import DEPENDENCIES
from mazurka.pictures.executions.boxes import Boxes
from mazurka.pictures.executions.communication import Pair
from mazurka.program import Op, Program
from mazurka.reference.bases import is_initial
from mazurka.reference.graph import NOTHING, Choice, per_byte
from mazurka.reference.graph import Graph as ReferenceGraph
from mazurka.reference.relations import Relations
from mazurka.reference.running.labels import Dependencies, Kind, Label, ReferenceUnsupported
from mazurka.report.relevance import writes_back

MOST_EVENTS = 300
MOST_PAIRS = 80  # of a relation: more cannot be told apart
FIRST = ("hb", "sw", *DEPENDENCIES)  # of the relations that models name
_MAY_FAIL = (Op.CAS, Op.CAS_PAIR, Op.SYNC)


class NamedRelation(NamedTuple):
    """A relation between boxes; ``symmetric`` if each pair is meant both ways."""

    name: str
    pairs: tuple[Pair, ...]
    symmetric: bool


class Names:
    """The relations that a model names."""

    def __init__(self, model: str, *, only_views: bool = False) -> None:
        """``only_views`` leaves out all but the views and sw."""
        self.left_out: dict[str, str] = {}  # what is not drawn, and why
        try:
            found = named_model(model)
        except MazurkaError:
            found = None
        self.views = found.views if found else {}
        self.has_dependencies = found is not None and not relations_of(found).isdisjoint(DEPENDENCIES)
        self.terms: dict[str, terms.Relation] = {}
        for name, term in self._named(found) if found else ():
            if only_views and name not in (*self.views, *FIRST):
                self.left_out[name] = "with many executions, only views, sw and dependencies are drawn"
            else:
                self.terms[name] = term

    def _named(self, model: terms.Model) -> Iterator[tuple[str, terms.Relation]]:
        """The dependencies, if the model needs any, and what it defines, by the shortest unique names."""
        dependencies = DEPENDENCIES if self.has_dependencies else ()
        yield from ((name, terms.Base(name)) for name in dependencies)
        taken = set(dependencies)
        for full, term in model.definitions.items():
            if isinstance(term, terms.Test | terms.Guard):
                continue
            short = full.rpartition("::")[2]  # a file that is included has its name before its definitions
            name = full if short in taken else short
            taken.add(name)
            yield name, term
        if model.ppo is not None and "ppo" not in taken:
            yield "ppo", model.ppo

    def on(self, program: Program, graph: Graph, boxes: Boxes) -> list[NamedRelation]:
        """Those that some boxes are in: the ``FIRST`` ones, then in the order of the model file."""
        size = sum(len(thread.events) for thread in graph.threads)
        if size > MOST_EVENTS:
            why = f"the execution has {size} events, and the model's relations are drawn up to {MOST_EVENTS}"
            self.left_out |= dict.fromkeys(self.terms, why)
            return []
        relations = Relations(reference_graph(program, graph), self.views)
        found = []
        for name in sorted(self.terms, key=lambda name: name not in FIRST):
            try:
                pairs = self._pairs(relations, self.terms[name], boxes)
            except ReferenceUnsupported as missing:
                self.left_out[name] = f"it needs {missing}"
                continue
            if len(pairs) > MOST_PAIRS:
                self.left_out[name] = f"more than {MOST_PAIRS} pairs, which cannot be told apart"
            elif pairs:
                found.append(_relation(name, pairs))
        return found

    def _pairs(self, relations: Relations, term: terms.Relation, boxes: Boxes) -> set[Pair]:
        """A relation between boxes: an order by its immediate pairs, without those that follow from po."""
        numbers = [None if is_initial(event) else boxes.of.get(event) for event in relations.events]
        rows = _lifted(relations.rows(term), numbers, len(boxes.events))
        po = _lifted(relations.base("po"), numbers, len(boxes.events))
        longer = compose(rows, rows)
        is_order = is_within(longer, rows) and is_irreflexive(longer)
        left_out = [longer] if is_order else []
        if is_order and (not self.has_dependencies or is_within(po, rows)):
            left_out.append(po)
        # What goes on along po, such as ctrl, leads to the first box only.
        further = compose(rows, po), compose(po, rows)
        left_out += [more for more in further if is_within(more, rows) and is_irreflexive(more)]
        for implied in left_out:
            rows = [row & ~more for row, more in zip(rows, implied, strict=True)]
        return {(a, b) for a, row in enumerate(rows) for b in bits(row)}


def _lifted(rows: Rows, numbers: list[int | None], size: int) -> Rows:
    """A relation between events as one between their boxes."""
    found = [0] * size
    for a, row in enumerate(rows):
        first = numbers[a]
        for second in (numbers[b] for b in bits(row)) if first is not None else ():
            if second is not None and second != first:
                found[first or 0] |= 1 << second
    return found


def _relation(name: str, pairs: set[Pair]) -> NamedRelation:
    symmetric = all((b, a) in pairs for a, b in pairs)
    return NamedRelation(name, tuple(sorted((a, b) for a, b in pairs if not symmetric or a < b)), symmetric)


def reference_graph(program: Program, graph: Graph) -> ReferenceGraph:
    """A graph of the engine as one of the specification."""
    order = tuple(sorted(graph.refs(), key=lambda ref: graph[ref].stamp))
    labels = {ref: _label(program, graph, ref) for ref in order}
    rf = {ref: _choice(graph[ref]) for ref in order if graph[ref].kind == "R"}
    empty = ReferenceGraph(order, labels, rf, {})
    co = {
        cell: next((c.writes for c in graph.co if c.address <= cell < c.address + c.size), ())
        for cell in empty.edges
    }
    return ReferenceGraph(order, labels, rf, {cell: writes for cell, writes in co.items() if writes})


def _choice(read: Event) -> Choice:
    writes = tuple(part.write for part in read.pieces for _ in range(part.size))
    return per_byte(writes) if writes else NOTHING


def _label(program: Program, graph: Graph, ref: EventRef) -> Label:
    event = graph[ref]
    is_met = event.kind in ("ARRIVE", "DEPART")
    may_fail = instruction(program, event.function, event.pc).op in _MAY_FAIL
    fails = event.kind == "R" and may_fail and not writes_back(graph, ref)
    scattered = tuple(at for p in event.parts for at in range(p.address, p.address + p.size))
    return Label(
        kind=Kind(event.kind),
        mode=event.mode,
        address=event.address,
        size=len(scattered) if event.section else event.size,
        value=event.value,
        exclusive=event.exclusive,
        other=event.value if is_met else event.other or 0,
        # The specification knows that a compare-exchange fails by what it reads, which is not this.
        expected=event.value ^ 1 if fails else None,
        failure=event.mode,
        initial=event.value,
        scattered=scattered if event.section else None,
        depends=None if event.depends is None else Dependencies(*map(frozenset, event.depends)),
    )
