"""Assignments of threads to variables of Python, which are refused: a thread is run when it is traced, before
any execution, so other threads would see what it assigned last, whatever the execution. So are assignments of
conditions that count their rounds."""

from __future__ import annotations

import dis
from collections.abc import Callable, Collection, Iterator
from types import CodeType
from typing import Any

from mazurka.errors import ErrorCode
from mazurka.program import Position
from mazurka.tracing.places import mistake, shown_path

_HINT = "share a mazurka.atomic or mazurka.plain; or return it, and let after=… take what threads return"


def refuse_assignments(function: Callable[..., Any]) -> None:
    """Refuses a function that assigns to variables from outside of it (``global``, ``nonlocal``)."""
    code = getattr(
        getattr(function, "func", function), "__code__", None
    )  # of functools.partial: its function
    if not isinstance(code, CodeType):
        return
    for name, where in _assignments(code, code.co_freevars):
        message = f"'{code.co_name}' assigns to '{name}', which is not a variable of the program"
        raise mistake(message, _HINT, ErrorCode.UNSUPPORTED, where)


def refuse_counting(condition: Callable[..., Any]) -> None:
    """Refuses a condition that changes a variable of its thread from round to round, such as ``tries += 1``.

    Rounds that wait are not run again, so it would count one. To assign without having read is fine: what
    the last round has assigned remains.
    """
    code = getattr(getattr(condition, "func", condition), "__code__", None)
    if not isinstance(code, CodeType):
        return
    read = set[str]()
    for found in dis.get_instructions(code):
        is_outer = found.opname.endswith("_GLOBAL") or found.argval in code.co_freevars
        if found.opname in ("LOAD_DEREF", "LOAD_GLOBAL") and is_outer:
            read.add(found.argval)
        elif found.opname in ("STORE_DEREF", "STORE_GLOBAL") and found.argval in read:
            message = f"the condition changes '{found.argval}' in each round, but is run only once"
            hint = "to count attempts, use a loop such as 'for attempt in range(3)'"
            where = Position(shown_path(code.co_filename), _line(code, found), 0)
            raise mistake(message, hint, ErrorCode.UNSUPPORTED, where)


def _line(code: CodeType, found: dis.Instruction) -> int:
    lines = (line for start, end, line in code.co_lines() if start <= found.offset < end and line)
    return next(lines, code.co_firstlineno)


def _assignments(code: CodeType, outer: Collection[str]) -> Iterator[tuple[str, Position]]:
    """The variables from outside that a function and those in it assign to, and where."""
    for found in dis.get_instructions(code):
        is_outer = (
            found.opname == "STORE_DEREF" and found.argval in outer and found.argval in code.co_freevars
        )
        if found.opname == "STORE_GLOBAL" or is_outer:
            yield found.argval, Position(shown_path(code.co_filename), _line(code, found), 0)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _assignments(inner, outer)
