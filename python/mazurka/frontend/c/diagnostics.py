"""What a compiler said about a program that it rejected, as an error with the source line and a cure."""

from __future__ import annotations

import os
import re

from mazurka.errors import ErrorCode, Place, SourceError, refuse_lost_folder
from mazurka.excerpts import marked_line
from mazurka.frontend.c.compiler import is_system_file
from mazurka.frontend.c.omissions import is_lenient_about
from mazurka.frontend.c.process import MOST_MEMORY

_KILLED = 128  # from here on, an exit status of the shell means a signal
_PLACE = r"^(?P<file>[^\n]+?):(?P<line>\d+):(?P<column>\d+): "
_SOURCE = r"(?:\n *\d+ \| (?P<source>.*)\n +\| (?P<mark>.*))?"
_KIND = r"(?: \[(?:-Werror,)?-W(?P<warning>[\w+-]+)(?:=[^\]]*)?\])?"
_ERROR = re.compile(rf"{_PLACE}(?:fatal )?error: (?P<text>.*?){_KIND}${_SOURCE}", re.M)
_INVALID_ORDER = re.compile(
    rf"{_PLACE}(?:warning|error): (?P<text>(?:\w+ )*memory order argument to atomic operation is invalid)"
    rf"{_KIND}${_SOURCE}",
    re.M,
)
_OPENMP = re.compile(rf"{_PLACE}warning: .* \[-Wsource-uses-openmp\]$", re.M)
OPENMP_WARNING = ("-Wsource-uses-openmp", "-Wno-error=source-uses-openmp")
# With these, the compiler says where an order is invalid: in C, and in functions of libc++.
ORDER_WARNINGS = ("-Watomic-memory-ordering", "-Wuser-defined-warnings")
ORDER_HINT = (
    "a load takes relaxed, consume, acquire or seq_cst; a store relaxed, release or seq_cst; "
    "a compare-exchange that fails is a load"
)
_USE = re.compile(rf"{_PLACE}note: .* requested here${_SOURCE}", re.M)
_MISSING_HEADER = re.compile(r"'(?P<name>[^']*)' file not found")
_HEADERS = {
    "omp.h": "OpenMP is not supported: write '#ifdef _OPENMP' around what needs it, or use threads instead",
}
_ATOMIC_POINTER = re.compile(r"is_trivially_copyable<std::shared_ptr<.*std::atomic<T>")
_UNDECLARED = re.compile(r"(?:use of undeclared identifier|unknown type name) '(?P<name>\w+)'")
_OF_C23 = ("true", "false", "bool", "nullptr", "static_assert", "thread_local", "constexpr", "typeof")
_ELSE = "this is the compiler's own error; other flags for the compiler go after '--'"


def order_error(noise: str) -> SourceError | None:
    """The error for an atomic operation with an order that it cannot have.

    The compiler only warns, and then leaves out the store, or has another order instead (C11 7.17.7).
    """
    found = _INVALID_ORDER.search(noise)
    if found is None:
        return None
    place = Place(found["file"], int(found["line"]), int(found["column"]))
    return SourceError(
        ErrorCode.COMPILE_ERROR, found["text"], place=place, hint=ORDER_HINT, snippet=_snippet(found)
    )


def openmp_ignored(noise: str) -> tuple[str, ...]:
    """The warning about pragmas of OpenMP, which the compiler ignores; it names only the first."""
    found = _OPENMP.search(noise)
    if found is None:
        return ()
    said = "OpenMP is not supported: this pragma and others are ignored, and the program runs without them"
    return (f"{found['file']}:{found['line']}: {said}",)


def compile_error(noise: str, status: int, path: str, *, strict: bool) -> SourceError:
    """The first error of the compiler; ``strict`` says that nothing was excused."""
    found = _ERROR.search(noise)
    if found is not None:
        at = _use(noise, found)
        place = Place(at["file"], int(at["line"]), int(at["column"]))
        hint = _cure(found["text"], found["warning"], strict)
        return SourceError(
            ErrorCode.COMPILE_ERROR, found["text"], place=place, hint=hint, snippet=_snippet(at)
        )
    if status >= _KILLED or "frontend command failed" in noise:
        message = f"the compiler crashed, or needed more than {MOST_MEMORY >> 30} GiB of memory"
        hint = "try a smaller program, with smaller initialisers and less nesting"
        return SourceError(ErrorCode.COMPILE_ERROR, message, place=Place(path), hint=hint)
    refuse_lost_folder()
    lines = [line for line in noise.splitlines() if "error:" in line] or noise.splitlines()
    text = lines[0].split("error: ", 1)[-1] if lines else f"no output, exit status {status}"
    hint = "check the flags given after '--', and the compiler if --cc or MAZURKA_CC names one"
    return SourceError(ErrorCode.COMPILE_ERROR, f"the compiler failed: {text}", place=Place(path), hint=hint)


def _use(noise: str, error: re.Match[str]) -> re.Match[str]:
    """Where the program uses a template of the library that has the error; else where the error is."""
    if not is_system_file(os.path.abspath(error["file"])):
        return error
    following = _ERROR.search(noise, error.end())
    uses = _USE.finditer(noise, error.end(), following.start() if following else len(noise))
    return next((use for use in uses if not is_system_file(os.path.abspath(use["file"]))), error)


def _snippet(found: re.Match[str]) -> str | None:
    """The source line, as the compiler shows it, with a mark below what is wrong in it."""
    if found["source"] is None:
        return None
    return "\n".join(marked_line(int(found["line"]), found["source"], found["mark"].find("^") + 1))


def _cure(text: str, warning: str | None, strict: bool) -> str:
    if warning is not None:
        if strict and is_lenient_about(warning):
            return "without --strict, this is a warning"
        return f"fix it, or accept it with '-- -Wno-error={warning}'"
    header = _MISSING_HEADER.match(text)
    if header:
        return (
            _HEADERS.get(header["name"])
            or "name the folder that has the header with -I, or the build's flags with --compile-commands"
        )
    if _ATOMIC_POINTER.search(text):
        return "libc++ lacks this: use std::atomic_load and std::atomic_store of a std::shared_ptr"
    name = _UNDECLARED.match(text)
    if name and name["name"] in _OF_C23:
        return f"'{name['name']}' is a keyword as of C23: accept it with '-- -std=gnu23'"
    if name:
        return f"include the header that declares '{name['name']}', or define it with -D"
    return _ELSE
