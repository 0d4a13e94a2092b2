"""Reads ``compile_commands.json``: which files a build compiles, and with which flags.

The format is Clang's (JSON Compilation Database). An entry has a directory, in which its relative names are
meant, a file, and the command as one text or as a list of words. Of the command, only the flags that say what
the program means are of interest here.

I1: flags about the output, the dependencies and the diagnostics of a build are left out. All others are
passed on, and those that ``flags`` refuses are refused with the file and the database that have them.
I2: names in flags mean the same as in the entry's directory, though the compiler runs in ours.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, NoReturn

from mazurka.errors import ErrorCode, MazurkaError, Place, UsageError
from mazurka.frontend.c.driver import read_bytes
from mazurka.frontend.c.flags import FLAGS_WITH_VALUE, check_flags, language_of

NAME = "compile_commands.json"
_WRITE_ONE = "'cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON', 'meson setup' and 'bear -- make' write such a file"
# What a build wants besides the program (I1); a value may be the next word of those in ``FLAGS_WITH_VALUE``.
_LEFT_OUT = re.compile(
    r"-c|--|-pipe|-fsyntax-only|-o.*|-M(?:[DGMPV]|MD)?|-M[FTQJ].*|-Wp,-MM?D,.*|-f(?:no-)?color-diagnostics"
    r"|-fdiagnostics-.*|--serialize-diagnostics.*|--?save-temps.*|-Werror(?:=.*)?|-pedantic-errors|-mtune=.*"
)
_MOST_NESTED = 16  # files of flags that name others
_LAUNCHERS = ("ccache", "sccache", "distcc", "icecc")  # stand before the compiler
_FOLDERS = ("-isystem", "-iquote", "-idirafter", "-isysroot", "--sysroot=", "--sysroot", "-I", "-F", "-B")
_HEADERS = ("-include", "-imacros")  # looked for in the working directory first, then like other headers


class Database(NamedTuple):
    """The files of a program, the flags of each that has an entry, and what the user should know of them."""

    paths: list[str]
    flags: dict[str, tuple[str, ...]]
    warnings: tuple[str, ...]


class _Entry(NamedTuple):
    file: str  # as we would name it here
    flags: tuple[str, ...]
    compiler: str


def read_database(path: str, files: Sequence[str], cflags: Sequence[str] = ()) -> Database:
    """The entries of some files, or all of them; the path is a database or a folder that has one.

    ``cflags`` are the flags that follow those of each entry.
    """
    path = os.path.join(path, NAME) if os.path.isdir(path) else path
    entries: dict[str, list[_Entry]] = {}
    for item in _items(path):
        entry = _entry(path, item)
        entries.setdefault(os.path.realpath(entry.file), []).append(entry)
    paths = list(files) or [same[0].file for same in entries.values()]
    if not paths:
        _refuse(path, "the compilation database has no entries", _WRITE_ONE)
    flags: dict[str, tuple[str, ...]] = {}
    warnings: list[str] = []
    for file in paths:
        same = entries.get(os.path.realpath(file), [])
        if same:
            _check(path, same[0])
            flags[file] = same[0].flags
        warnings += _warnings(path, file, same, cflags)
    return Database(paths, flags, tuple(warnings))


def _items(path: str) -> list[Any]:
    try:
        items = json.loads(read_bytes(path))
    except MazurkaError as error:
        raise UsageError(error.code, error.message, hint=_WRITE_ONE) from None
    except (ValueError, RecursionError) as error:
        place = Place(path, *((error.lineno, error.colno) if isinstance(error, json.JSONDecodeError) else ()))
        message = "the compilation database is not JSON"
        raise UsageError(ErrorCode.BAD_VALUE, message, place=place, hint=_WRITE_ONE) from None
    if not isinstance(items, list):
        _refuse(path, "the compilation database is not a list of entries", _WRITE_ONE)
    return items


def _entry(path: str, item: object) -> _Entry:
    fields = item if isinstance(item, dict) else {}
    folder, file, words = fields.get("directory", ""), fields.get("file"), fields.get("arguments")
    if words is None and isinstance(fields.get("command"), str):
        try:
            words = shlex.split(fields["command"])
        except ValueError:  # a quote is not closed
            words = None
    is_list = isinstance(words, list) and all(isinstance(word, str) for word in words)
    if not (isinstance(file, str) and isinstance(folder, str) and is_list and words):
        message = f"an entry of the compilation database cannot be read: {json.dumps(item)[:80]}"
        hint = "an entry has a 'directory', a 'file', and a 'command' or a list of 'arguments'"
        _refuse(path, message, hint)
    folder = os.path.join(os.path.dirname(path), folder)
    words = list(_expanded(words, folder))
    own = os.path.join(folder, file)
    begin = 1 if len(words) > 1 and os.path.basename(words[0]) in _LAUNCHERS else 0
    return _Entry(_named_here(own), tuple(_flags(words[begin + 1 :], folder, own)), words[begin])


def _expanded(words: Sequence[str], folder: str, depth: int = 0) -> Iterator[str]:
    """The words of a command, with those of the files that it names as ``@file``. One that cannot be read
    stays as it is, and is refused if the entry is needed."""
    for word in words:
        inside: list[str] | None = None
        if word.startswith("@") and depth < _MOST_NESTED:
            with contextlib.suppress(
                MazurkaError, ValueError
            ):  # also: it is no text, or a quote is not closed
                inside = shlex.split(read_bytes(os.path.join(folder, word[1:])).decode())
        yield from [word] if inside is None else _expanded(inside, folder, depth + 1)


def _named_here(path: str) -> str:
    """The shorter one of a path's relative and absolute names."""
    absolute = os.path.abspath(path)
    return min(os.path.relpath(absolute), absolute, key=len)


def _flags(words: Sequence[str], folder: str, own: str) -> Iterator[str]:
    """The flags of a command that say what the program means, for our working directory (I1, I2)."""
    is_here = os.path.realpath(folder) == os.path.realpath(os.curdir)
    rest = iter(words)
    for word in rest:
        if not word.startswith("-") and os.path.realpath(os.path.join(folder, word)) == os.path.realpath(own):
            continue
        value = next(rest, None) if word in FLAGS_WITH_VALUE else None
        if _LEFT_OUT.fullmatch(word) or _is_own_language(word, value, own):
            continue
        both = [word] if value is None else [word, value]
        yield from both if is_here else _moved(both, folder)


def _is_own_language(word: str, value: str | None, file: str) -> bool:
    """Whether a flag names the language that the file has by its name."""
    name = value if word == "-x" else word.removeprefix("-x") if word.startswith("-x") else None
    return name is not None and name.upper() == language_of(file)


def _moved(words: list[str], folder: str) -> list[str]:
    """A flag, and its value if that is a word of its own, with names that mean the same here (I2)."""
    for option in (*_FOLDERS, *_HEADERS):
        if words[0].startswith(option) and (len(words) > 1) == (words[0] == option):
            name = words[-1].removeprefix(option) if len(words) == 1 else words[1]
            there = os.path.join(folder, name)
            if os.path.isabs(name) or (option in _HEADERS and not os.path.isfile(there)):
                return words
            return [option, _named_here(there)] if len(words) > 1 else [option + _named_here(there)]
    return words


def _check(path: str, entry: _Entry) -> None:
    """Refuses an entry whose flags do not ask for a program that can be checked."""
    unread = next((flag for flag in entry.flags if flag.startswith("@")), None)
    if unread is not None:
        message = f"the file of flags '{unread[1:]}' cannot be read (in the entry of '{entry.file}')"
        _refuse(path, message, "build the project first, or write the flags into the entry")
    try:
        check_flags(entry.flags)
    except UsageError as error:
        hint = "take it out of the entry, or name the files to check and their flags without the database"
        _refuse(path, f"{error.message} (in the entry of '{entry.file}')", hint)
    if "++" in os.path.basename(entry.compiler) and language_of(entry.file) == "C":
        message = f"'{entry.file}' is compiled as C++, because '{entry.compiler}' compiles it"
        _refuse(path, message, "give the file a name of C++, such as .cpp")


def _warnings(path: str, file: str, same: Sequence[_Entry], cflags: Sequence[str]) -> Iterator[str]:
    if not same and language_of(file) != "LLVM IR":
        yield f"{file} has no entry in {path}: it was compiled with the flags after '--' alone"
    if len({entry.flags for entry in same}) > 1:
        yield f"{file} has several entries in {path}; its first one was used"
    if same and _defines_ndebug((*same[0].flags, *cflags)):
        yield f"{file} is built with -DNDEBUG, which removes its assertions; '-- -UNDEBUG' keeps them"


def _defines_ndebug(flags: Sequence[str]) -> bool:
    text = " ".join(flags)
    return max(text.rfind("-DNDEBUG"), text.rfind("-D NDEBUG")) > max(
        text.rfind("-UNDEBUG"), text.rfind("-U NDEBUG")
    )


def _refuse(path: str, message: str, hint: str) -> NoReturn:
    raise UsageError(ErrorCode.BAD_VALUE, message, place=Place(path), hint=hint)
