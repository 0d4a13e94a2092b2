"""Which files a program was compiled from, and where the compiler looked for them in vain.

The compiler lists the headers that it read and the directories that it searches. What it did not find is not
listed, so every name that an include in those files may mean is looked up again in each of these directories:
a header that appears in one of them, or goes away, may change the program.

I1: what is cached with a ``Snapshot`` may be used exactly as long as its files have the same content and its
lookups the same result. Where that cannot be promised, there is no snapshot.
I2: there is no snapshot of a file that changed after the compiler was started, or so shortly before that the
clock of the file system cannot tell.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from mazurka.files import read_regular

_SEARCH = re.compile(r"^clang -cc1 version .*?^End of search list\.\n", re.M | re.S)
_DIRECTORY = re.compile(r'^(?: |ignoring nonexistent directory ")(?P<path>[^"\n]+?)"?$', re.M)

_BLANK = rb"(?:\s|//[^\n]*\n|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)*"
_WORDS = (b"include", b"import")  # a part of include_next, __has_include and __has_include_next, too
_NAME = re.compile(
    rb"(?:_next)?\b" + _BLANK + rb"(?:\(" + _BLANK + rb')?(?:"(?P<quoted>[^"\n]+)"|<(?P<angled>[^>\n]+)>)'
)
# The name comes from a macro: after an include directive, or after a question about one.
_MACRO = re.compile(rb"(?:_next)?\b" + _BLANK + rb"[A-Za-z_]")
_MACRO_ASKED = re.compile(rb"(?:_next)?" + _BLANK + rb"\(" + _BLANK + rb"[A-Za-z_]")
_DIRECTIVE = re.compile(rb"(?:^|\*/)\s*(?:#|%:|\?\?=)" + _BLANK + rb"$")
_CLOCKS = (b"__DATE__", b"__TIME__", b"__TIMESTAMP__")
_EMBED = re.compile(
    rb"(?:#|%:|\?\?=)" + _BLANK + rb"embed\b|__has_embed\b"
)  # the compiler does not list what it embeds
_CLOCK = 20_000_000  # nanoseconds: file systems take the time from a clock that ticks less often


class Trace(NamedTuple):
    """What the compiler reported about its files: those that it read, and where it looks for headers."""

    files: tuple[str, ...]
    directories: tuple[str, ...]
    started: int
    named: tuple[str, ...] = ()  # headers that were included without being asked for


class Snapshot(NamedTuple):
    """The contents of the files, and which names were found in which directories."""

    contents: Mapping[str, bytes]
    found: Mapping[str, Sequence[str]]  # by directory
    missing: Mapping[str, Sequence[str]]  # for a longer path, the first part that does not exist


def tracing(listing: str) -> list[str]:
    """Flags that make a clang list its headers in a file, and say where it looks for them."""
    flags = ("-v", "-sys-header-deps", "-header-include-file", listing)
    return [word for flag in flags for word in ("-Xclang", flag)]


def traced(said: str, source: str, listing: Path, started: int) -> tuple[str, Trace | None]:
    """What a compiler that was called with ``tracing`` said besides, and the Trace, if there is one."""
    searched, noise = _SEARCH.search(said), _SEARCH.sub("", said)
    try:
        headers = listing.read_text(
            encoding="utf-8", errors="surrogateescape"
        ).splitlines()  # it exists even if there are no headers
    except (OSError, ValueError):
        return noise, None
    if searched is None:
        return noise, None
    directories = tuple(match["path"] for match in _DIRECTORY.finditer(searched[0]))
    return noise, Trace(tuple(dict.fromkeys((source, *headers))), directories, started)


def snapshot(trace: Trace, named: Iterable[str]) -> Snapshot | None:
    """The state of what was compiled; ``named`` are headers that the flags name. None if I1 cannot hold."""
    contents: dict[str, bytes] = {}
    lookups: dict[str, set[str]] = {
        directory: {*named, *trace.named} for directory in ("", *trace.directories)
    }
    for file in trace.files:
        content = _content(file, trace.started)
        names = None if content is None else _names(content)
        if content is None or names is None:
            return None
        contents[file] = content
        for directory in (os.path.dirname(file), *trace.directories):
            lookups.setdefault(directory, set()).update(names)
    return _looked_up(contents, lookups, trace.started)


def merged(snapshots: Sequence[Snapshot]) -> Snapshot:
    """The state of all files of a program that were compiled one by one."""
    if len(snapshots) == 1:
        return snapshots[0]
    contents = {file: content for one in snapshots for file, content in one.contents.items()}
    return Snapshot(
        contents, _union([one.found for one in snapshots]), _union([one.missing for one in snapshots])
    )


def _union(tables: Sequence[Mapping[str, Sequence[str]]]) -> dict[str, list[str]]:
    names: dict[str, dict[str, None]] = {}
    for directory, found in (item for table in tables for item in table.items()):
        names.setdefault(directory, {}).update(dict.fromkeys(found))
    return {directory: list(found) for directory, found in names.items()}


def _content(file: str, started: int) -> bytes | None:
    """A file's content, if it is older than the compilation (I2), which is asked after it was read."""
    try:
        content = read_regular(file)
        return content if _is_older(file, started) else None
    except (OSError, ValueError):
        return None


def _is_older(file: str, started: int) -> bool:
    state = os.stat(file)
    return max(state.st_mtime_ns, state.st_ctime_ns) < started - _CLOCK


def _names(content: bytes) -> set[str] | None:
    """Every name of a file that a text may include or ask for; None if the text does not tell them all."""
    text = content.replace(b"\\\r\n", b"").replace(b"\\\n", b"")
    if any(word in text for word in _CLOCKS) or (b"embed" in text and _EMBED.search(text)):
        return None
    names = set()
    for at, end in _places(text):
        name = _NAME.match(text, end)
        if name is not None:
            names.add(os.fsdecode(name["quoted"] or name["angled"]))
        elif _is_computed(text, at, end):
            return None
    return names


def _is_computed(text: bytes, at: int, end: int) -> bool:
    if text.endswith(b"__has_", 0, at):
        return _MACRO_ASKED.match(text, end) is not None
    line = text[text.rfind(b"\n", 0, at) + 1 : at]
    return _DIRECTIVE.search(line) is not None and _MACRO.match(text, end) is not None


def _places(text: bytes) -> Iterator[tuple[int, int]]:
    """Where the words occur, even inside comments: an extra name does no harm."""
    for word in _WORDS:
        at = text.find(word)
        while at >= 0:
            yield at, at + len(word)
            at = text.find(word, at + 1)


def _looked_up(contents: dict[str, bytes], lookups: dict[str, set[str]], started: int) -> Snapshot | None:
    found: dict[str, list[str]] = {}
    missing: dict[str, dict[str, None]] = {}
    for directory, names in lookups.items():
        for name in sorted(names):
            path = os.path.join(directory, name)
            absent = _first_absent(directory, name)
            if absent is not None:
                missing.setdefault(directory, {})[absent] = None
            elif os.path.isfile(path) and _is_older(path, started):
                found.setdefault(directory, []).append(name)
            else:
                return None
    return Snapshot(contents, found, {directory: list(names) for directory, names in missing.items()})


def _first_absent(directory: str, name: str) -> str | None:
    """The shortest part of a path that does not exist: as long as it does not, nothing below it exists."""
    for end in (*(slash.start() for slash in re.finditer("/", name)), len(name)):
        if end and not os.access(os.path.join(directory, name[:end]), os.F_OK):
            return name[:end]
    return None
