"""The C library's functions that are written in C: compiled to IR when a program needs them, and linked.

The sources are our own, next to this module. Others are lowered directly (``frontend.library``): those that
are one instruction, or that must know more than their arguments' values.

I1: these functions have no debug information, so an event in one of them is shown at the line of the call.
I2: they are marked (``ir.LIBRARY_SECTION``): a bound on the program's loops does not cut theirs, which end by
themselves or run into a memory finding.
"""

from __future__ import annotations

import os
import re
from functools import cache

from mazurka.frontend.c.compiler import Compiler
from mazurka.frontend.linking.link import Library
from mazurka.frontend.linking.shelf import Shelf
from mazurka.frontend.llvm.ir import LIBRARY_SECTION

_FOLDER = os.path.dirname(os.path.realpath(__file__))
_FLAGS = ("-std=gnu11", "-g0", "-w", "-fno-builtin")
# Functions and variables that a source defines for others stand at the beginning of a line.
_DEFINITION = re.compile(
    r"^(?!static|typedef|enum|struct)\w[\w*() ]*?[ *](\w+)(?:;| = [^;]*;|\([^;]*?\) \{)", re.M
)
_COMPARING = "ordering.c"  # what it calls may throw
_REUSE = ("reuse.c", "reuse_new.c")
_ALLOCATOR = re.compile(r"@(malloc|free)\b")
_FUNCTION = re.compile(r"^(define .*?)(?: \{)$", re.M)


def c_library(
    compiler: Compiler, shelf: Shelf, *, reuse_memory: bool = False, handled: bool = False
) -> Library:
    """The C library, as far as a program needs it; exceptions of C++ may be ``handled``."""
    headers = [_path(name) for name in sorted(os.listdir(_FOLDER)) if name.endswith(".h")]

    def member_of(name: str) -> str | None:
        member = members().get(name)
        return None if member in _REUSE and not reuse_memory else member

    def text(member: str) -> str:
        own = ("-fexceptions",) if handled and member == _COMPARING else ()
        compiled = _marked(shelf.text(_path(member), (*_FLAGS, *own), compiler, headers))
        return reusing(compiled) if reuse_memory and member not in _REUSE else compiled

    return Library(member_of, text)


def reusing(text: str) -> str:
    """A module that calls the functions of ``reuse.c`` in place of malloc and free."""
    return _ALLOCATOR.sub(r"@__mazurka_\1", text)


@cache
def members() -> dict[str, str]:
    """The names that can be linked, and the sources that define them."""
    found = {}
    for source in sorted(os.listdir(_FOLDER)):
        if source.endswith(".c"):
            with open(_path(source), encoding="utf-8") as file:
                found.update(dict.fromkeys(_DEFINITION.findall(file.read()), source))
    return found


def _path(member: str) -> str:
    return os.path.join(_FOLDER, member)


def _marked(text: str) -> str:
    return _FUNCTION.sub(rf'\1 section "{LIBRARY_SECTION}" {{', text)
