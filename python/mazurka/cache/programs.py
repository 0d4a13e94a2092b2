"""Compiles C files to a Program, or takes it from the cache (``cache.disk``).

I1: a key depends on the files' names, the flags, the compiler, the working directory, the dialect and the
passes that are switched off. The entry has digests of all files that were read and the results of all
searches for files. If any of these has changed, the program is compiled again. An unnoticed change would give
a wrong answer, so nothing is kept if a flag might read other files.
I2: programs that the compiler refuses are not kept.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mazurka.cache import disk
from mazurka.cache.compiled import Compiled
from mazurka.files import read_regular, real_path, with_lines_of_c
from mazurka.frontend import NO_FLAGS, PLAIN, compile_program, compile_traced
from mazurka.frontend.c.compiler import Compiler
from mazurka.frontend.c.dialect import Dialect

if TYPE_CHECKING:
    from mazurka.frontend.c.dependencies import Snapshot, Trace
    from mazurka.frontend.linking.shelf import Shelf
    from mazurka.program import Program

_WITH_VALUE = ("-D", "-U", "-I", "-isystem", "-iquote", "-idirafter", "-include")
_PREDICTABLE = (
    r"-std=[\w:+]+|-O[0-3sgz]?|-g[0-3]?|-W[\w=+-]*|-w|-ansi|-pedantic(?:-errors)?|-pthread|-m(?!llvm)[\w.-]+"
    r"|-f(?:no-)?(?:builtin|wrapv|strict-aliasing|common|inline|exceptions|short-enums|signed-char)"
    r"|-f(?:unsigned-char|freestanding|hosted|ms-extensions|gnu89-inline|no-omit-frame-pointer)"
)


def compile_files(
    paths: Sequence[str],
    cflags: Sequence[str] = (),
    cc: str | None = None,
    seconds: float | None = None,
    without: Sequence[str] = (),
    dialect: Dialect = PLAIN,
    own: Mapping[str, Sequence[str]] = NO_FLAGS,
    *,
    keep: bool = True,
) -> Compiled:
    """The program of some files, from the cache or compiled now within ``seconds``, ``without`` passes.

    ``own`` has flags of single files, which come before ``cflags``. Without ``keep``, the cache has only what
    was compiled of libraries.
    """
    options: dict[str, Any] = {"seconds": seconds, "without": without, "dialect": dialect, "own": own}
    apart = [list(own.get(path, ())) for path in paths] if own else []
    headers, place = _named_headers([*cflags, *(flag for flags in apart for flag in flags)]), _place(paths)
    if headers is None or place is None or not disk.is_on():
        return Compiled.of(compile_program(*paths, cflags=cflags, cc=cc, **options))
    compiler = Compiler(cc)
    if not keep:
        return Compiled.of(compile_traced(paths, cflags, compiler, shelf=_shelf(), **options)[0])
    key = disk.key_of(
        "program",
        *place,
        *cflags,
        *map(repr, apart),
        "--",
        *compiler.identity(),
        "--",
        *sorted(without),
        *dialect.words(),
    )
    kept = disk.load(key)
    return (kept and _read(kept)) or _compile_and_keep(paths, cflags, compiler, headers, key, options)


def _place(paths: Sequence[str]) -> list[str] | None:
    try:
        return [*paths, *map(real_path, paths), os.getcwd()]
    except OSError:  # the working directory no longer exists
        return None


def _named_headers(cflags: Sequence[str]) -> list[str] | None:
    """The headers that flags name; None if flags may read other files or vary in meaning from run to run."""
    headers, rest = [], iter(cflags)
    for flag in rest:
        option = next((option for option in _WITH_VALUE if flag.startswith(option)), None)
        if option is None:
            if not re.fullmatch(_PREDICTABLE, flag):
                return None
            continue
        value = flag[len(option) :] or next(rest, "")
        if option == "-D" and "__" in value:  # __TIME__, __has_include…
            return None
        if option == "-include":
            headers.append(value)
    return headers


def _read(entry: dict[str, Any]) -> Compiled | None:
    """The program of an entry, if nothing that it was made from has changed (I1)."""
    try:
        if not _is_unchanged(entry):
            return None
        text = str(entry["program"])
        rounds, helping = str(entry["rounds"]), tuple(map(str, entry["helping"]))
        code, classes = bytes.fromhex(entry["code"]), int(entry["classes"])
        notes = tuple(map(str, entry["warnings"])), str(entry["machine"])
        limited = tuple((str(f), str(file), int(line), int(n)) for f, file, line, n in entry["limited"])
        arguments = str(entry["arguments"])
        return Compiled(code, classes, lambda: _program(text), rounds, helping, *notes, limited, arguments)
    except (AttributeError, KeyError, OSError, TypeError, ValueError):
        return None


def _program(text: str) -> Program:
    from mazurka.program.plain_data import program_of

    return program_of(json.loads(text))


def _is_unchanged(entry: dict[str, Any]) -> bool:
    return (
        all(_digest_of(file) == digest for file, digest in entry["files"].items())
        and all(os.path.realpath(file) == real for file, real in entry["links"].items())
        and all(os.path.isfile(path) for path in _paths(entry["found"]))
        and not any(os.access(path, os.F_OK) for path in _paths(entry["missing"]))
    )


def _digest_of(file: str) -> str:
    return disk.digest(read_regular(file))


def _paths(names: Mapping[str, Sequence[str]]) -> Iterator[str]:
    return (os.path.join(directory, name) for directory, found in names.items() for name in found)


def _compile_and_keep(
    paths: Sequence[str],
    cflags: Sequence[str],
    compiler: Compiler,
    headers: list[str],
    key: str,
    options: dict[str, Any],
) -> Compiled:
    program, traces = compile_traced(paths, cflags, compiler, shelf=_shelf(), **options)
    compiled = Compiled.of(program)
    snapshot = _snapshot(traces, headers)
    # The texts that reports show were read separately from the texts that were compiled.
    if snapshot is not None and all(
        _lines(snapshot.contents[path]) == program.sources[path] for path in paths if path in program.sources
    ):
        disk.store(key, _entry(compiled, snapshot))
    return compiled


def _lines(contents: bytes) -> str:
    return with_lines_of_c(contents.decode(errors="surrogateescape"))


def _shelf() -> Shelf:
    from mazurka.frontend.linking.shelf import Shelf

    return Shelf(disk.key_of, disk.load, disk.store)


def _snapshot(traces: Sequence[Trace | None], headers: list[str]) -> Snapshot | None:
    """What all files together were made from."""
    from mazurka.frontend.c.dependencies import merged, snapshot

    try:
        found = [None if trace is None else snapshot(trace, headers) for trace in traces]
    except OSError:  # a file has disappeared meanwhile
        return None
    known = [one for one in found if one is not None]
    return merged(known) if len(known) == len(found) else None


def _entry(compiled: Compiled, snapshot: Snapshot) -> dict[str, Any]:
    from mazurka.frontend.c.compiler import is_system_file
    from mazurka.program.plain_data import plain

    own = [file for file in snapshot.contents if not is_system_file(os.path.abspath(file))]
    return {
        "files": {file: disk.digest(content) for file, content in snapshot.contents.items()},
        "links": {file: os.path.realpath(file) for file in own},  # reports use these names
        "found": snapshot.found,
        "missing": snapshot.missing,
        "code": compiled.code.hex(),
        "classes": compiled.classes,
        "rounds": compiled.rounds,
        "helping": list(compiled.helping),
        "warnings": list(compiled.warnings),
        "machine": compiled.machine,
        "limited": compiled.limited,
        "arguments": compiled.arguments,
        "program": json.dumps(plain(compiled.program)),  # decoded on demand: most checks do not need it
    }
