"""Where the user's code is: the places of steps, and of mistakes in programs that are written in Python."""

from __future__ import annotations

import os
import sys
from itertools import islice
from types import CodeType

from mazurka.errors import ErrorCode, Place, UsageError
from mazurka.program import Position


def mistake(
    message: str, hint: str, code: ErrorCode = ErrorCode.BAD_VALUE, where: Position | None = None
) -> UsageError:
    """The error about what the user's code does where it is now, or elsewhere."""
    where = where or caller()
    return UsageError(code, message, place=Place(where.file, where.line, where.column), hint=hint)


def caller() -> Position:
    """The place in the user's code that is being run."""
    frame = sys._getframe(1)
    while frame.f_globals.get("__name__", "").startswith("mazurka.tracing") and frame.f_back is not None:
        frame = frame.f_back
    code = frame.f_code
    return Position(shown_path(code.co_filename), frame.f_lineno, _column(code, frame.f_lasti))


def _column(code: CodeType, instruction: int) -> int:
    """The column of an instruction, counted from 1; 0 if the interpreter does not know (before 3.11)."""
    if sys.version_info < (3, 11):
        return 0
    places = next(islice(code.co_positions(), instruction // 2, None), None)
    return 0 if places is None or places[2] is None else places[2] + 1


def shown_path(path: str) -> str:
    """A path as reports show it: relative if it is below the working directory."""
    folder = os.getcwd() + os.sep
    return path.removeprefix(folder)
