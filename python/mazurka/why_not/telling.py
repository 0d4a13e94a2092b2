"""Executions of litmus tests in words: events with their instructions, and what lies between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mazurka.files import read_regular
from mazurka.litmus import LitmusTest
from mazurka.litmus.running.layout import Layout
from mazurka.program import NO_POSITION, Instr, Mode, Program
from mazurka.reference.bases import is_initial
from mazurka.reference.graph import Graph
from mazurka.reference.machine import Machine
from mazurka.reference.running.labels import EventId, Kind
from mazurka.why_not.paths import Step

_SHOWN = (Kind.READ, Kind.WRITE, Kind.FENCE)


class Teller:
    """Names the events of one execution, without the writes that keep registers for the final state."""

    def __init__(
        self, test: LitmusTest, layout: Layout, program: Program, machine: Machine, graph: Graph
    ) -> None:
        self.layout = layout
        self.program = program
        self.graph = graph
        self.lines = read_regular(test.file).decode("utf-8-sig").splitlines()
        kept = {*layout.cells.values(), layout.success}
        of_test = (e for e in sorted(graph.order) if e[0] and graph.labels[e].kind in _SHOWN)
        self.shown = [event for event in of_test if graph.labels[event].address not in kept]
        self.instructions = {t: machine.instructions(graph, t) for t in {event[0] for event in self.shown}}

    def cycle(self, steps: Sequence[Step]) -> Iterator[str]:
        """One line per event, with the relation that leads to the next."""
        events = [step.before for step in steps]
        if steps and steps[-1].after != steps[0].before:
            events.append(steps[-1].after)
        rows = [self.words(event) for event in events]
        width = max(map(len, rows), default=0)
        for row, step in zip(rows, [*steps, None][: len(rows)], strict=True):
            name = "" if step is None else f"  --{step.name}-->"
            yield f"    {row:{width if name else 0}}{name}"
        if steps and steps[-1].after == steps[0].before:
            yield f"    {rows[0]}"

    def execution(self) -> Iterator[str]:
        """All accesses and fences of the test; of each read, the write that it sees."""
        rows = [(event, self.words(event)) for event in self.shown]
        width = max((len(row) for _, row in rows), default=0)
        for event, row in rows:
            source = self._source(event)
            yield f"    {row:{width}}  {source}".rstrip()
        for cell, writes in sorted(self.graph.co.items()):
            if len(writes) > 1 and writes[0] in self.shown:
                order = ", then ".join(self._at(write) for write in writes)
                yield f"    {self._place(cell)} is written by {order}"

    def _source(self, event: EventId) -> str:
        if event not in self.graph.rf:
            return ""
        (source,) = self.graph.sources(event)
        return "<- initial value" if source is None else f"<- {self._at(source)}"

    def words(self, event: EventId) -> str:
        """``P1:6  r1 = LOAD(x)  (R x=1)``."""
        if is_initial(event):
            return f"the initial value of {self._place(event[1])}"
        label = self.graph.labels[event]
        mode = "" if label.mode in (Mode.NA, Mode.RLX) else f".{label.mode.name.lower()}"
        access = f" {self._place(label.address)}={self._value(event)}" if label.kind is not Kind.FENCE else ""
        text = self._text(event)
        return f"{self._at(event)}  {text}{'  ' if text else ''}({label.kind.value}{mode}{access})"

    def _at(self, event: EventId) -> str:
        line = self._position(event)[0]
        return f"P{event[0] - 1}:{line}" if line else f"P{event[0] - 1}"

    def _instruction(self, event: EventId) -> Instr:
        return self.instructions[event[0]][event[1]]

    def _position(self, event: EventId) -> tuple[int, int]:
        if event[0] not in self.instructions:
            return 0, 0
        index = self._instruction(event).position
        found = None if index == NO_POSITION else self.program.positions[index]
        return (found.line, found.column) if found else (0, 0)

    def _text(self, event: EventId) -> str:
        """The instruction as the file has it: up to the end of its column, or of its statement."""
        line, column = self._position(event)
        if not 0 < line <= len(self.lines):
            return ""
        text = re.split(r"[|;]", self.lines[line - 1][max(column, 1) - 1 :])[0]
        return " ".join(text.split())

    def _value(self, event: EventId) -> str:
        label = self.graph.labels[event]
        value = label.value if label.kind is Kind.WRITE else self.graph.value(event)
        place = self._place(value)
        return str(value) if place.startswith("0x") else place

    def _place(self, address: int) -> str:
        for item in self.layout.objects.values():
            if item.address <= address < item.address + item.size:
                offset = address - item.address
                return f"{item.name}+{offset}" if offset else item.name
        return hex(address)
