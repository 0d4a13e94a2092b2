"""An execution of a litmus test as a graph for Graphviz: events by thread, with po, rf, co and fr."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from mazurka.litmus.meaning.test import LitmusTest
from mazurka.litmus.running.layout import Layout
from mazurka.program import Mode, Program

if TYPE_CHECKING:
    from mazurka._engine import RawEvent, RawGraph

_Edge: TypeAlias = tuple[str, str, str]  # what it is, and the names of its events
_COLOURS = {"po": "black", "rf": "red", "co": "blue", "fr": "orange"}


def as_dot(test: LitmusTest, layout: Layout, graph: RawGraph, program: Program) -> str:
    """The graph; main's events, and accesses of memory that the test does not name, are not shown."""
    drawing = _Drawing(layout, graph, program)
    lines = [f"digraph {_quoted(test.name)} {{", "  node [shape=none];"]
    for number in range(len(test.threads)):
        lines += [f"  subgraph cluster{number} {{", f'    label="P{number}";']
        lines += [f"    {name} [label={_quoted(label)}];" for name, label in drawing.nodes(number + 1)]
        lines.append("  }")
    edges = (*drawing.program_order(), *drawing.reads_from(), *drawing.coherence())
    lines += [f"  {a} -> {b} [label={kind} color={_COLOURS[kind]}];" for kind, a, b in edges]
    return "\n".join([*lines, "}", ""])


class _Drawing:
    """Names and labels of events, and the edges between them."""

    def __init__(self, layout: Layout, graph: RawGraph, program: Program) -> None:
        self.layout = layout
        self.graph = graph
        self.program = program
        self.cells = {*layout.cells.values(), layout.success}
        self.shown = [
            (thread, number)
            for thread, events in enumerate(graph.threads)
            for number, event in enumerate(events.events)
            if thread and event.address not in self.cells and event.kind in ("R", "W", "F")
        ]

    def nodes(self, thread: int) -> Iterator[tuple[str, str]]:
        """The events of a thread: their names and labels."""
        for one in self.shown:
            if one[0] == thread:
                yield _name(one), self._label(self.graph.threads[one[0]].events[one[1]])

    def _label(self, event: RawEvent) -> str:
        mode = "" if event.mode in (Mode.NA, Mode.RLX) else f".{Mode(event.mode).name.lower()}"
        if event.kind == "F":
            function, pc = event.stack[0]
            name = self.program.functions[function].code[pc].expr
            return f"F {name}" if name else f"F{mode}"
        return f"{event.kind}{mode} {self._place(event.address)}={self._value(event.value)}"

    def _place(self, address: int) -> str:
        for item in self.layout.objects.values():
            if item.address <= address < item.address + item.size:
                offset = address - item.address
                return f"{item.name}+{offset}" if offset else item.name
        return hex(address)

    def _value(self, value: int) -> str:
        place = self._place(value)
        return place if not place.startswith("0x") else str(value)

    def program_order(self) -> Iterator[_Edge]:
        """The immediate steps of each thread."""
        yield from (("po", _name(a), _name(b)) for a, b in pairwise(self.shown) if a[0] == b[0])

    def reads_from(self) -> Iterator[_Edge]:
        """From writes to the reads that see them; of a read of initial memory, fr to the first write."""
        first = {at: writes[0] for at, _, writes in self.graph.co if writes}
        for read, event in self._reads():
            sources = [write for _, _, write, _ in event.parts] or [event.rf]
            yield from (("rf", _name(write), _name(read)) for write in dict.fromkeys(sources) if write)
            if not event.parts and event.rf is None and event.address in first:
                yield "fr", _name(read), _name(first[event.address])

    def coherence(self) -> Iterator[_Edge]:
        """The immediate steps of each location, and fr to the write after the one that was read."""
        after: dict[tuple[int, int], tuple[int, int]] = {}
        for at, _, writes in self.graph.co:
            if at not in self.cells:
                after.update(pairwise(writes))
        yield from (("co", _name(a), _name(b)) for a, b in after.items())
        for (thread, number), event in self._reads():
            following = after.get(event.rf) if event.rf else None
            if following is not None and following != (thread, number + 1):
                yield "fr", _name((thread, number)), _name(following)

    def _reads(self) -> Iterator[tuple[tuple[int, int], RawEvent]]:
        events = ((one, self.graph.threads[one[0]].events[one[1]]) for one in self.shown)
        return ((one, event) for one, event in events if event.kind == "R")


def _name(event: tuple[int, int]) -> str:
    return f"e{event[0]}_{event[1]}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
