"""What can go wrong outside the checked program's executions, split by whose fault it is.

A finding (a violation) is a value, never an exception. An exception of this module says that there is
no answer: the source is at fault (``SourceError``), the model (``ModelError``), the call or its options
(``UsageError``), or Mazurka itself (``InternalError``). Each carries a code from one enum, a message,
a place if there is one, and a hint that says what to do about it.

I1: codes are stable words; they are added, never renamed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from typing import NamedTuple


class ErrorCode(str, Enum):
    """The stable words by which programs recognise an error; the comment says when it is raised."""

    # the source
    MISSING_FILE = "missing-file"  # the named file does not exist or cannot be read
    IS_A_DIRECTORY = "is-a-directory"  # the named file is a directory
    NOT_A_FILE = "not-a-file"  # the named file is a pipe or a device
    NOT_TEXT = "not-text"  # the named file is not UTF-8 text
    COMPILE_ERROR = "compile-error"  # the compiler rejected the source
    NO_MAIN = "no-main"  # the program has no function main
    DEFINED_TWICE = "defined-twice"  # two files of the program define the same name
    UNSUPPORTED = "unsupported"  # a construct that this version does not model
    UNKNOWN_FUNCTION = "unknown-function"  # an unknown external function was reached
    MIXED_SIZE = "mixed-size"  # shared bytes are accessed with different sizes
    ENDLESS_LOOP = "endless-loop"  # a loop or recursion did not end and no bound was given
    TOO_MANY_VALUES = "too-many-values"  # a value that the program leaves open has too large a range
    BAD_LITMUS = "bad-litmus"  # a litmus test that does not parse
    TOO_LARGE = "too-large"  # an object or a program exceeds what the bytecode can address
    # the model
    UNKNOWN_MODEL = "unknown-model"  # no model of that name or file
    BAD_MODEL = "bad-model"  # a model file that does not parse or is not supported
    # the call
    USAGE = "usage"  # arguments that do not fit together
    UNKNOWN_OPTION = "unknown-option"  # an option that does not exist
    BAD_VALUE = "bad-value"  # an option's value is out of range or not of its type
    BAD_COMPILER = "bad-compiler"  # the compiler named by --cc or MAZURKA_CC does not run or is not a clang
    COMPILER_VERSION = "compiler-version"  # the compiler writes IR that the installed llvmlite cannot read
    BAD_PROJECT = "bad-project"  # a mazurka.toml that cannot be read
    BAD_EXPECTATION = "bad-expectation"  # what is expected of a program cannot be read
    CANNOT_WRITE = "cannot-write"  # an output file cannot be written
    CHANGED = "changed"  # a witness cannot be replayed, because something has changed since it was written
    # Mazurka
    INTERNAL = "internal"  # a bug in Mazurka

    def __str__(self) -> str:
        return self.value


class Place(NamedTuple):
    """A place in a file; line and column count from 1, 0 when unknown."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        parts = [self.file]
        if self.line:
            parts.append(str(self.line))
            if self.column:
                parts.append(str(self.column))
        return ":".join(parts)


class MazurkaError(Exception):
    """There is no answer, and this says why, where, and what to do."""

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        *,
        place: Place | None = None,
        hint: str | None = None,
        snippet: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.place = place
        self.hint = hint
        self.snippet = snippet  # the line at fault and a caret under what is wrong in it

    def __str__(self) -> str:
        prefix = f"{self.place}: " if self.place else ""
        text = f"{prefix}error: {self.message} [{self.code}]"
        if self.snippet:
            text += f"\n{self.snippet}"
        return f"{text}\n  hint: {self.hint}" if self.hint else text

    def __reduce__(self) -> tuple[object, ...]:
        """For pickle, which would call ``__init__`` with the message alone."""
        return _remade, (type(self), self.args), self.__dict__


def _remade(kind: type[MazurkaError], arguments: tuple[object, ...]) -> MazurkaError:
    error = kind.__new__(kind)
    error.args = arguments
    return error


class SourceError(MazurkaError):
    """The checked program is at fault, or uses something that is not supported."""


class ModelError(MazurkaError):
    """The memory model is at fault."""


class UsageError(MazurkaError):
    """The call, its options or its environment are at fault."""


class InternalError(MazurkaError):
    """Mazurka is at fault: one of its invariants broke."""

    def __init__(self, message: str, *, place: Place | None = None, hint: str | None = None) -> None:
        super().__init__(ErrorCode.INTERNAL, message, place=place, hint=hint)


class OutOfTime(Exception):  # noqa: N818 - nothing went wrong
    """The user's time limit passed before there was a partial answer; says what was being done."""


@contextmanager
def foreseen() -> Iterator[None]:
    """Turns an unexpected exception into an InternalError that keeps its cause."""
    try:
        yield
    except (MazurkaError, OutOfTime, KeyboardInterrupt, SystemExit):
        raise
    except MemoryError as error:
        message = "there is not enough memory to find the answer"
        hint = "try a smaller program or model, or allow more memory"
        raise UsageError(ErrorCode.TOO_LARGE, message, hint=hint) from error
    # A Rust panic arrives as a BaseException that is not an Exception.
    except BaseException as error:
        if _was_interrupted(error):
            raise KeyboardInterrupt from error
        if isinstance(error, FileNotFoundError):
            refuse_lost_folder()
        raise InternalError(f"{type(error).__name__}: {error}", hint=_report_hint()) from error


def refuse_lost_folder() -> None:
    """Refuses to work in a folder that has been deleted: there are no relative paths, and clang fails."""
    try:
        os.getcwd()
    except FileNotFoundError:
        message = "the working directory no longer exists"
        raise UsageError(ErrorCode.MISSING_FILE, message, hint="change to another one with 'cd'") from None


def _was_interrupted(error: BaseException | None) -> bool:
    """Whether a signal caused an exception: the interpreter wraps one that is raised in a class body."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _report_hint() -> str:
    from mazurka import __version__  # late: the package imports this module

    return (
        f"this is a bug in Mazurka {__version__}, not in your program: "
        "please report it with the program and the options"
    )
