"""Which sites the program reaches, and which of them matter for a violation.

The compiled program says which lines have code. An ordering in a macro is reached where the macro is used.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from mazurka.repair.sites import Site
from mazurka.repair.variants import SlotRef, Sources

if TYPE_CHECKING:
    from mazurka.checking.execution import Violation
    from mazurka.program import Program

Lines = set[tuple[str, int]]  # absolute paths, and lines


def lines_with_code(program: Program) -> Lines:
    """The lines that have instructions."""
    used = {instr.position for function in program.functions for instr in function.code}
    return {_line(program, i) for i in used if i < len(program.positions)}


def _line(program: Program, index: int) -> tuple[str, int]:
    place = program.positions[index]
    return os.path.abspath(place.file), place.line


class Ranks:
    """How close lines are to a violation: 0 they pass on something, 1 they are executed, 2 not."""

    def __init__(self, program: Program, violation: Violation | None) -> None:
        self._executed: Lines = set()
        self._passing: Lines = set()
        graph = violation.graph if violation else None
        if graph is None:
            return
        for thread, position in graph.refs():
            event = graph[thread, position]
            lines = _stack_lines(program, event.stack)
            self._executed |= lines
            for writer in event.writers:
                if writer[0] != thread:
                    self._passing |= lines | _stack_lines(program, graph[writer].stack)

    def of(self, lines: Lines) -> int:
        """The rank of something in these lines."""
        return 0 if lines & self._passing else 1 if lines & self._executed else 2


def _stack_lines(program: Program, stack: Iterable[tuple[int, int]]) -> Lines:
    positions = (program.functions[function].code[pc].position for function, pc in stack)
    return {_line(program, i) for i in positions if i < len(program.positions)}


class Reached:
    """The lines of sites, as far as the program reaches them."""

    def __init__(self, sources: Sources, lines: Lines) -> None:
        self._lines = lines
        self._uses = _macro_lines(sources, lines)
        self.sites = {
            (file, number): found
            for file, sites in sources.sites.items()
            for number, site in enumerate(sites)
            if (found := self._of(file, site))
        }
        self.slots = [
            SlotRef(file, number, slot)
            for file, number in self.sites
            for slot in range(len(sources.sites[file][number].slots))
        ]

    def _of(self, file: str, site: Site) -> Lines:
        if site.macro is not None:
            return self._uses.get(site.macro, set())
        first, last = site.lines
        return {(file, line) for line in range(first, last + 1)} & self._lines


def _macro_lines(sources: Sources, lines: Lines) -> dict[str, Lines]:
    """The lines with code in which each macro is used, also by way of others."""
    bodies: dict[str, set[str]] = {}
    for uses in sources.uses.values():
        for macro, words in uses.macros.items():
            bodies.setdefault(macro, set()).update(words)
    found: dict[str, Lines] = {}
    for file, uses in sources.uses.items():
        for line, words in uses.lines.items():
            if (file, line) in lines:
                for macro in _closure(words & bodies.keys(), bodies):
                    found.setdefault(macro, set()).add((file, line))
    return found


def _closure(macros: set[str], bodies: dict[str, set[str]]) -> set[str]:
    found, waiting = set(macros), list(macros)
    while waiting:
        more = (bodies[waiting.pop()] & bodies.keys()) - found
        found |= more
        waiting += more
    return found
