"""Finds out whether a program may catch exceptions, before it is compiled.

Code that only matters after a throw makes modules larger, so it is made for programs that need it.
What is found may be too much, such as handlers in a header that is left out; ``cpp.unwinding`` looks again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from mazurka.files import read_regular
from mazurka.frontend.c.flags import language_of

_NOT_CODE = re.compile(
    rb'//[^\n]*|/\*.*?\*/|\b[0-9][\w\'.]*|R"(?P<end>[^()\s]*)\(.*?\)(?P=end)"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'',
    re.S,
)
_CATCH = re.compile(rb"\bcatch\b")
_INCLUDED = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.M)
_FOLDERS = re.compile(r"(-I|-iquote|-isystem|-idirafter|-include)(.*)", re.S)
_VARIABLES = ("CPATH", "CPLUS_INCLUDE_PATH")  # with folders for headers, which the compiler looks at, too
_IN_IR = b"__cxa_begin_catch"


def mentions_handlers(path: str, cflags: Sequence[str]) -> bool:
    """Whether a file, or one of the headers that it includes from the program's folders, has a handler."""
    language = language_of(path)
    if language == "LLVM IR":
        return _IN_IR in _content(path)
    if language != "C++":
        return False
    folders, included = _from_flags(cflags)
    waiting, seen = [path, *(found for name in included for found in _places(name, ["", *folders]))], set()
    while waiting:
        file = os.path.normpath(waiting.pop())
        if file in seen:
            continue
        seen.add(file)
        content = _content(file)
        if _CATCH.search(content) and _CATCH.search(_NOT_CODE.sub(b" ", content)):
            return True
        for quoted, angled in _INCLUDED.findall(content):
            name = os.fsdecode(quoted or angled)
            waiting += _places(name, [os.path.dirname(file), *folders])
    return False


def _from_flags(cflags: Sequence[str]) -> tuple[list[str], list[str]]:
    """Folders for headers, and headers that are included by name."""
    named = os.pathsep.join(os.environ.get(name, "") for name in _VARIABLES)
    folders = [folder for folder in named.split(os.pathsep) if folder]
    included: list[str] = []
    words = iter(cflags)
    for word in words:
        found = _FOLDERS.fullmatch(word)
        if found:
            value = found[2] or next(words, "")
            (included if found[1] == "-include" else folders).append(value)
    return folders, included


def _places(name: str, folders: Sequence[str]) -> Iterator[str]:
    places = (os.path.join(folder, name) for folder in folders)
    yield from (place for place in places if os.path.isfile(place))


def _content(path: str) -> bytes:
    """What is in a file; nothing if it cannot be read, which is reported elsewhere."""
    try:
        return read_regular(path)
    except (OSError, ValueError):
        return b""
