"""What the source says about what happens: the modes of its accesses, and where a function has no return.

Rules about the source, such as C11's about races, are explained with the modes that the source has, also of
a program that was compiled for a machine.

clang++ makes the same instruction, ``unreachable``, of the end of a function without its ``return`` and of
other points that control must not reach. That of a missing ``return`` has the position of what was evaluated
last, such as a condition; that of ``__builtin_unreachable``, of a macro or of a function
that must not return has the position of the call. If what was evaluated last is a call as well, the two look
alike, and nothing is said. In C, a missing ``return`` is no error as long as nobody uses the value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

from mazurka.checking.execution import Event, Graph, instruction
from mazurka.checking.wrappers import shown
from mazurka.program import Op, Position, Program

UNREACHABLE = "control reached a point that must be unreachable"  # the engine's message
_CPP = (".cpp", ".cc", ".cxx", ".c++", ".C", ".hpp", ".hh", ".h")
_CALL = re.compile(r"(?:(?!(?:if|for|while|do|switch)\b)[A-Za-z_:][\w:]*\s*(?:[(;:]|$)|goto\b|\[\[|$)")


def source_graph(program: Program, graph: Graph) -> Graph:
    """The graph in which accesses and fences have the modes of the source, and other fences order nothing."""
    threads = (
        replace(thread, events=tuple(_in_source(program, event) for event in thread.events))
        for thread in graph.threads
    )
    return replace(graph, threads=tuple(threads))


def _in_source(program: Program, event: Event) -> Event:
    if event.kind not in ("R", "W", "F"):
        return event
    source = instruction(program, event.function, event.pc).source
    if source is None:
        return event
    if source.mode is None:
        return replace(event, kind="CHOOSE")  # it stays where it is, and is no fence
    is_exchange = instruction(program, event.function, event.pc).op in (Op.CAS, Op.CAS_PAIR)
    failed = is_exchange and event.kind == "R" and not event.exclusive
    return replace(event, mode=source.failure if failed else source.mode)


def end_of_function(program: Program, where: Position | None, stack: Sequence[tuple[int, int]]) -> str | None:
    """What to say if a function ended without the return that it needs; None if that is not known."""
    lines = program.sources.get(where.file, "").splitlines() if where else []
    if where is None or PurePath(where.file).suffix not in _CPP or not 0 < where.line <= len(lines):
        return None
    if _CALL.match(lines[where.line - 1][max(where.column - 1, 0) :]):
        return None
    name = program.functions[stack[shown(program, stack)][0]].name
    return f"the end of '{name}' was reached without a return"
