"""An execution of a litmus test as a picture for Graphviz: events by thread, with po, rf, co and fr."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from mazurka.litmus.meaning.test import LitmusTest
from mazurka.litmus.running.layout import Layout
from mazurka.pictures.columns import Box, Listed, ReadPart
from mazurka.pictures.dot import dot
from mazurka.program import Mode, Program

if TYPE_CHECKING:
    from mazurka._engine import RawEvent, RawGraph


def as_dot(test: LitmusTest, layout: Layout, graph: RawGraph, program: Program) -> str:
    """The execution; main's events, and accesses of memory that the test does not name, are not shown."""
    listed = _Drawing(layout, graph, program).listed(len(test.threads))
    return dot(listed.picture(test.name, [test.name]))


class _Drawing:
    """Which events are shown, and what they are called."""

    def __init__(self, layout: Layout, graph: RawGraph, program: Program) -> None:
        self.layout = layout
        self.graph = graph
        self.program = program
        hidden = {*layout.cells.values(), layout.success}
        shown = [
            (thread, number)
            for thread, events in enumerate(graph.threads)
            for number, event in enumerate(events.events)
            if thread and event.address not in hidden and event.kind in ("R", "W", "F")
        ]
        self.boxes = {event: number for number, event in enumerate(shown)}

    def listed(self, threads: int) -> Listed:
        """The execution with a column per thread."""
        reads = list(self._reads())
        initial = {
            part.place: f"{self._place(part.place)}={self._value(value)}"
            for part, value in reads
            if part.source is None
        }
        return Listed(
            columns=[f"P{number}" for number in range(threads)],
            boxes=[Box(thread - 1, self._label(self._event(thread, n))) for thread, n in self.boxes],
            po=[(self.boxes[a], self.boxes[b]) for a, b in pairwise(self.boxes) if a[0] == b[0]],
            reads=[part for part, _ in reads],
            chains=self._chains(),
            initial=initial,
        )

    def _event(self, thread: int, number: int) -> RawEvent:
        return self.graph.threads[thread].events[number]

    def _reads(self) -> Iterator[tuple[ReadPart, int]]:
        """What each read sees, and the value of that."""
        for event, box in self.boxes.items():
            read = self._event(*event)
            if read.kind != "R":
                continue
            whole = (read.address, read.size, read.rf, read.value)
            for address, _, write, value in read.parts or [whole]:
                if write is None or write in self.boxes:
                    yield ReadPart(box, address, None if write is None else self.boxes[write]), value

    def _chains(self) -> dict[int, list[int]]:
        return {
            address: [self.boxes[write] for write in writes if write in self.boxes]
            for address, _, writes in self.graph.co
        }

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
