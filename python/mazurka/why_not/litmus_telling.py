"""Executions of litmus tests in words: events with their instructions."""

from __future__ import annotations

import re
from typing import Any

from mazurka.files import read_regular
from mazurka.litmus import LitmusTest
from mazurka.litmus.meaning.operations import Instruction, Load, Store
from mazurka.litmus.running.layout import Layout
from mazurka.program import Position, Program
from mazurka.reference.bases import is_initial
from mazurka.reference.running.labels import EventId, Kind
from mazurka.why_not.candidates import Candidate
from mazurka.why_not.telling import Teller


def _has_exclusive_store(instruction: Instruction) -> bool:
    return any(isinstance(o, Store) and o.is_exclusive for o in instruction.operations)


class LitmusTeller(Teller):
    """Names the events of a test, without the writes that keep registers for the final state."""

    def __init__(self, test: LitmusTest, layout: Layout, program: Program, candidate: Candidate) -> None:
        self.layout = layout
        self.threads = test.threads
        self.lines = read_regular(test.file).decode("utf-8-sig").splitlines()
        kept = {*layout.cells.values(), layout.success}
        labels = candidate.graph.labels
        super().__init__(program, candidate, lambda event: event[0] > 0 and labels[event].address not in kept)

    def position(self, event: EventId) -> Position | None:
        """Where an event is; the two halves of an exclusive pair are in two places."""
        where = super().position(event)
        if where is None or self.graph.labels[event].kind is not Kind.WRITE:
            return where
        instructions = iter(self.threads[event[0] - 1].instructions)
        for instruction in instructions:
            is_load = any(isinstance(o, Load) and o.is_exclusive for o in instruction.operations)
            if is_load and tuple(instruction.place[1:3]) == (where.line, where.column):
                return next((Position(*i.place) for i in instructions if _has_exclusive_store(i)), where)
        return where

    def at(self, event: EventId) -> str:
        """``P1:6``."""
        where = self.position(event)
        return f"P{event[0] - 1}:{where.line}" if where else f"P{event[0] - 1}"

    def text(self, event: EventId) -> str:
        """The instruction as the file has it: up to the end of its column, or of its statement."""
        where = self.position(event)
        if where is None or not 0 < where.line <= len(self.lines):
            return ""
        text = re.split(r"[|;]", self.lines[where.line - 1][max(where.column, 1) - 1 :])[0]
        return " ".join(text.split())

    def value(self, event: EventId) -> str:
        """A number, or the location that it is the address of."""
        value = self.number(event)
        place = self.place(value)
        return str(value) if place.startswith("0x") else place

    def place(self, address: int) -> str:
        """``x``, ``x+4``."""
        for item in self.layout.objects.values():
            if item.address <= address < item.address + item.size:
                offset = address - item.address
                return f"{item.name}+{offset}" if offset else item.name
        return hex(address)

    def event(self, event: EventId) -> dict[str, Any]:
        """An event for programs, with its instruction. Threads count from 0, as in tests."""
        if is_initial(event):
            return {**super().event(event), "instruction": None}
        return {**super().event(event), "thread": event[0] - 1, "instruction": self.text(event)}

    def events(self) -> list[dict[str, Any]]:
        """The execution for programs; of a read, where in this list the write is that it sees."""
        index = {event: number for number, event in enumerate(self.shown)}
        sees = {event: source for event in self.graph.rf for source in self.graph.sources(event)}
        return [
            {**self.event(event), "rf": None if (write := sees.get(event)) is None else index.get(write)}
            for event in self.shown
        ]
