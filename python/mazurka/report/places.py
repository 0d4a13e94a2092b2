"""The position of an event in the source.

Library routines such as ``strcpy`` have no lines: their events are shown at the call. What main wrote before
the first thread does not say which call that was, so it is shown there only if the program calls the routine
in only one place.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from pathlib import PurePath

from mazurka.checking.execution import Event, position
from mazurka.checking.outcome import InitialWrite
from mazurka.checking.wrappers import hidden, location
from mazurka.program import Op, Position, Program


class Places:
    """Positions of events, and how the margin of a report shows them."""

    def __init__(self, program: Program, file: str) -> None:
        self._program = program
        self._file = file  # the file whose lines need no file name

    def of(self, event: Event | InitialWrite) -> Position | None:
        """The position of an event; None if it is not known."""
        if isinstance(event, Event):
            return location(self._program, event.stack)
        return position(self._program, event.function, event.pc) or self._only_call(event.function)

    def path(self, event: Event) -> str:
        """The calls between the place that is shown and the event: ``ck_pr_load_int at ck_pr.h:102``."""
        return ", ".join(self._call(*call) for call in hidden(self._program, event.stack))

    def _call(self, function: int, pc: int) -> str:
        where = position(self._program, function, pc)
        name = self._program.functions[function].name
        return f"{name} at {PurePath(where.file).name}:{where.line}" if where else name

    def line(self, where: Position | None) -> str:
        """The line number; with the file if that is not the violation's."""
        if where is None:
            return ""
        self._file = self._file or where.file
        return str(where.line) if where.file == self._file else f"{PurePath(where.file).name}:{where.line}"

    def routine(self, event: Event) -> str:
        """The library routine that an event without a position belongs to; else nothing."""
        return "" if self.of(event) else self._program.functions[event.function].name

    def source(self, where: Position) -> str:
        """The text of a source line."""
        lines = self._program.sources.get(where.file, "").splitlines()
        return lines[where.line - 1].strip() if 0 < where.line <= len(lines) else ""

    def _only_call(self, function: int) -> Position | None:
        places = self._calls_of(function, frozenset())
        return next(iter(places)) if len(places) == 1 else None

    def _calls_of(self, function: int, seen: frozenset[int]) -> set[Position | None]:
        """Where a function is called; for a call inside another routine, where that is called."""
        if function in seen:
            return set()
        found: set[Position | None] = set()
        for caller, pc in self._callers[function]:
            where = position(self._program, caller, pc)
            found |= {where} if where else self._calls_of(caller, seen | {function})
        return found

    @cached_property
    def _callers(self) -> defaultdict[int, list[tuple[int, int]]]:
        callers: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for f, function in enumerate(self._program.functions):
            for pc, instr in enumerate(function.code):
                if instr.op == Op.CALL:
                    callers[instr.a].append((f, pc))
        return callers
