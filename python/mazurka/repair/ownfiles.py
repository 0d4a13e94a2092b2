"""The user's own files of a program: those that may be changed.

They are the files that are named, those with code in the compiled program, and the headers that these include
by ``#include "…"``, which may have nothing but macros. Headers of the system and of Mazurka are none of them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence

from mazurka.files import read_regular
from mazurka.frontend.c.compiler import is_system_file
from mazurka.frontend.c.flags import language_of

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.MULTILINE)


def shown(path: str) -> str:
    """A path as reports show it: relative, if the file is below the working directory."""
    relative = os.path.relpath(path)
    return path if relative.startswith(os.pardir + os.sep) else relative


def own_texts(files: Iterable[str], cflags: Sequence[str]) -> dict[str, str]:
    """The texts of the user's own files that are C or C++, by absolute path."""
    found: dict[str, str] = {}
    folders = list(_folders(cflags))
    waiting = [os.path.abspath(file) for file in files]
    for file in waiting:
        if file in found or is_system_file(file) or language_of(file) not in ("C", "C++"):
            continue
        try:
            found[file] = read_regular(file).decode()
        except (OSError, UnicodeDecodeError):
            continue
        for name in _INCLUDE.findall(found[file]):
            places = (os.path.join(folder, name) for folder in (os.path.dirname(file), *folders))
            waiting += [os.path.abspath(place) for place in places if os.path.isfile(place)][:1]
    return found


def _folders(cflags: Sequence[str]) -> Iterator[str]:
    """The folders in which flags look for headers."""
    flags = iter(cflags)
    for flag in flags:
        for option in ("-I", "-iquote", "-isystem"):
            if flag.startswith(option):
                yield flag[len(option) :] or next(flags, "")
                break
