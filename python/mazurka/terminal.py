"""The terminal and the files that commands write to: encoding, width, colour, and readers that have left."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from mazurka.errors import ErrorCode, UsageError

DEFAULT_WIDTH = 100


def never_fail_to_encode(stream: TextIO) -> None:
    """A terminal that lacks a character of the report shows another one instead."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")


def print_text(text: str) -> None:
    """Writes to standard output."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has left, and the exit status still holds. The interpreter must not
        # complain either when it flushes at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_text(path: str, text: str, option: str = "--json") -> None:
    """Writes to a file, or to standard output if that is what ``-`` asks for."""
    if path == "-":
        print_text(text)
        return
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(
            ErrorCode.CANNOT_WRITE,
            f"cannot write {path}: {error.strerror}",
            hint=f"give {option} a path that you may write, or - for standard output",
        ) from error


def width() -> int:
    """The width to lay out for: COLUMNS, else the terminal's."""
    if os.environ.get("COLUMNS", "").isdigit():
        return max(int(os.environ["COLUMNS"]), 40)
    if sys.stdout.isatty():
        return max(os.get_terminal_size(sys.stdout.fileno()).columns, 40)
    return DEFAULT_WIDTH


def has_colour(stream: TextIO) -> bool:
    """Whether a stream is a terminal that shows colours."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
