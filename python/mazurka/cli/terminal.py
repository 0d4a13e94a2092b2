"""The terminal and the files that commands write to: encoding, width, colour, and failures to write.

I1: a failure to write is a ``UsageError``, never a traceback, and never changes what an exit status means. A
reader that has exited (``mazurka … | head``) is not a failure.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
from typing import TextIO

from mazurka.errors import ErrorCode, UsageError
from mazurka.files import real_path

DEFAULT_WIDTH = 100
LEAST_WIDTH = 40
MOST_WIDTH = 1000


def open_streams() -> None:
    """Replaces standard streams that are closed, so that no other file gets their numbers.

    They are opened for reading: writing to them fails as it would have.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - for as long as we run
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def never_fail_to_encode(stream: TextIO) -> None:
    """Lets streams replace characters that they cannot encode."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")


_INPUTS = {  # the options that name files to read, and what these are
    "files": "a file of the program",
    "asked": "asked about",
    "model": "the model",
    "races": "a model",
    "property": "the property",
    "compile_commands": "the compilation database",
}


def refuse_overwriting(
    options: Namespace, outputs: Iterable[str], more: Iterable[tuple[str, str]] = ()
) -> None:
    """Refuses to write to a file that is read, or to one file twice. The error goes to neither of them.

    ``more`` are files that the options do not name, and what each is.
    """
    taken = {real_path(path): f"'{path}' is {what}" for path, what in (*_read(options), *more)}
    for option in outputs:
        path = getattr(options, option, None)
        if path is None or path == "-" or (os.path.exists(path) and not os.path.isfile(path)):
            continue
        place = real_path(path)
        if place in taken:
            vars(options).update(dict.fromkeys(outputs))
            message = f"--{option} would overwrite what is needed: {taken[place]}"
            raise UsageError(ErrorCode.USAGE, message, hint=f"give --{option} another file")
        taken[place] = f"--{option} writes '{path}'"


def refuse_sharing(options: Namespace, outputs: Iterable[str]) -> None:
    """Refuses two outputs on standard output."""
    given = [f"--{output}" for output in outputs if getattr(options, output) == "-"]
    if len(given) > 1:
        message = "only one output may use standard output"
        raise UsageError(ErrorCode.USAGE, message, hint=f"give {' or '.join(given)} a file")


def say_written(options: Namespace, paths: Iterable[str]) -> None:
    """Says which files were written: on standard error if standard output has one of them."""
    shown = [path for path in paths if path != "-"]
    if shown:
        say = complain if "-" in vars(options).values() else lambda text: print_text(f"{text}\n")
        say(f"written: {', '.join(shown)}")


def _read(options: Namespace) -> Iterator[tuple[str, str]]:
    """The files that options name, and what each is; models and claims may also be named by words."""
    for name, what in _INPUTS.items():
        given = getattr(options, name, None)
        for path in given if isinstance(given, list) else [] if given is None else [given]:
            if os.path.isfile(path):
                yield path, "a litmus test" if path.endswith(".litmus") else what


def print_text(text: str) -> None:
    """Writes to standard output (I1)."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop(sys.stdout)
    except OSError as error:
        _drop(sys.stdout)
        raise UsageError(
            ErrorCode.CANNOT_WRITE,
            f"cannot write to standard output: {error.strerror}",
            hint="redirect it to a file or pipe that you can write to",
        ) from error


def complain(text: str) -> None:
    """Writes a line to standard error; if that fails, there is no way to report it."""
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except OSError:
        _drop(sys.stderr)


def interrupted() -> int:
    """Reports that a signal ended the run before there was an answer; returns the exit status."""
    complain("mazurka: interrupted before there was an answer")
    return 3


def _drop(stream: TextIO) -> None:
    """Discards the rest of a stream's buffer: otherwise the interpreter complains at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def write_text(path: str, text: str, option: str = "--json") -> None:
    """Writes to a file, or to standard output if that is what ``-`` asks for."""
    if path == "-":
        print_text(text)
        return
    try:
        with open(path, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
    except (OSError, ValueError) as error:
        raise _cannot_write(path, error, option) from error


def check_writable(path: str | None, option: str) -> None:
    """Refuses a path that cannot be written, before the answer has been worked out."""
    if path is None or path == "-":
        return
    try:
        if os.path.isdir(path):
            raise IsADirectoryError(0, "it is a directory")
        if os.path.lexists(path):
            if not os.access(path, os.W_OK):
                raise PermissionError(0, "no permission")
            return
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        os.unlink(path)  # a new file must not exist if there is no answer to write
    except (OSError, ValueError) as error:
        raise _cannot_write(path, error, option) from error


def _cannot_write(path: str, error: OSError | ValueError, option: str) -> UsageError:
    reason = error.strerror if isinstance(error, OSError) else error
    return UsageError(
        ErrorCode.CANNOT_WRITE,
        f"cannot write {path}: {reason}",
        hint=f"give {option} a path that you can write to, or - for standard output",
    )


def width_of(stream: TextIO) -> int:
    """How many characters fit on a line of the terminal that a stream writes to."""
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):  # it is not a terminal
        columns = 0
    return columns or width()


def width() -> int:
    """The width to lay out for: COLUMNS, else the terminal's."""
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdigit():
        columns = int(given[:9])
    else:
        try:
            columns = os.get_terminal_size(sys.stdout.fileno()).columns
        except (OSError, ValueError):  # it is not a terminal
            columns = 0
    return min(max(columns, LEAST_WIDTH), MOST_WIDTH) if columns else DEFAULT_WIDTH


def has_colour(stream: TextIO) -> bool:
    """Whether a stream is a terminal that shows colours."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
