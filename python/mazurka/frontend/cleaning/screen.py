"""Looks at the compiler's output before LLVM reads it, and refuses what no later stage could report.

Another target gives sizes and byte orders that the bytecode does not have; assembly outside functions
is not an instruction that could be refused where it is reached; what an ifunc stands for is known only when
its resolver has run; LLVM ends the whole process when a struct of gigabytes is passed by value; and of an
atomic store or load with an order that it cannot have, clang leaves nothing but the temporary for its value.
It warns of most of these (``c.diagnostics``), but not where it folds the order only when it writes the IR.
"""

from __future__ import annotations

import re

from mazurka.errors import ErrorCode, Place, SourceError
from mazurka.frontend.c.diagnostics import ORDER_HINT
from mazurka.frontend.llvm.debuginfo import DebugInfo, SourceFiles
from mazurka.frontend.llvm.lexer import unquote
from mazurka.frontend.llvm.parser import ModuleParser
from mazurka.frontend.lowering.layout import LARGEST_OBJECT

_LAYOUT = re.compile(r'^target datalayout = "([^"]*)"', re.M)
_TRIPLE = re.compile(r'^target triple = "([^"]*)"', re.M)
_ASSEMBLY = re.compile(r'^module asm "(.*)"$', re.M)
_RESERVED = re.compile(r'^(?:(?:declare|define) [^@\n]*)?@"?(mazurka\.[^"( ]*)', re.M)
_IFUNC = re.compile(r'^@("[^"]*"|[-\w.$]+) = [^"\n]*?\bifunc\b.*?, ptr @("[^"]*"|[-\w.$]+)', re.M)
_POINTER = re.compile(r"p:(\d+)")
_BY_VALUE = re.compile(r'byval\((%(?:"[^"]*"|[-\w.$]+))\)')
_POSITION = re.compile(r"!dbg (!\d+)")
_FUNCTION = re.compile(r"^define .*?^}", re.M | re.S)
_TEMPORARY = re.compile(r'^  (%"?(?:\.atomictmp|atomic-temp)\d*"?) = alloca ', re.M)
_USES = r"^(?!  (?:#dbg_|call void @llvm\.lifetime)).*{}(?![-\w.$]).*$"
_MOST_DIMENSIONS = 64
_DIMENSIONS = re.compile(rf"(?:\[\d+ x ){{{_MOST_DIMENSIONS + 1}}}")


def screen(text: str, files: SourceFiles, shown: str) -> None:
    """Refuses a module for its target, its assembly, its ifuncs, or the size of what it passes by value."""
    _check_target(text, shown)
    assembly = _ASSEMBLY.search(text)
    if assembly is not None:
        raise SourceError(
            ErrorCode.UNSUPPORTED,
            f'assembly outside of functions ("{assembly[1][:40]}") is not supported',
            place=Place(shown),
            hint="write it in C, or hide it behind '#ifndef __MAZURKA__'",
        )
    reserved = _RESERVED.search(text)
    if reserved is not None:
        raise SourceError(
            ErrorCode.UNSUPPORTED,
            f"the name '{reserved[1]}' is not supported: Mazurka needs it",
            place=Place(shown),
            hint="names must not begin with 'mazurka.'",
        )
    _refuse_ifuncs(text, files, shown)
    if _DIMENSIONS.search(text):
        raise SourceError(
            ErrorCode.TOO_LARGE,
            f"an array has more than {_MOST_DIMENSIONS} dimensions",
            place=Place(shown),
            hint="use an array with fewer dimensions",
        )
    if "atomictmp" in text or "atomic-temp" in text:
        _refuse_dropped_atomics(text, files, shown)
    if "byval(" in text:
        _check_arguments(text, files, shown)


def _check_target(text: str, shown: str) -> None:
    layout, triple = _LAYOUT.search(text), _TRIPLE.search(text)
    specification = layout[1].split("-") if layout is not None else ["e"]
    pointers = [int(found[1]) for found in map(_POINTER.match, specification) if found is not None]
    if "E" in specification or any(bits != 64 for bits in pointers):
        named = f"'{triple[1]}'" if triple is not None else "of the compiler"
        raise SourceError(
            ErrorCode.UNSUPPORTED,
            f"the target {named} is not supported: it is not a little-endian 64-bit machine",
            place=Place(shown),
            hint="leave out flags such as -m32 and -target after '--'",
        )


def _refuse_ifuncs(text: str, files: SourceFiles, shown: str) -> None:
    found = _IFUNC.search(text)
    if found is None:
        return
    # The compiler gives the position of the resolver, but not that of the ifunc.
    resolver = re.search(rf"^define .*@{re.escape(found[2])}\(", text, re.M)
    raise SourceError(
        ErrorCode.UNSUPPORTED,
        f"the function '{unquote('@' + found[1])}', which a resolver picks (ifunc), is not supported",
        place=(resolver and place_of(text, resolver.end(), files)) or Place(shown),
        hint="call the function that the resolver returns, or hide the function behind '#ifndef __MAZURKA__'",
    )


def _refuse_dropped_atomics(text: str, files: SourceFiles, shown: str) -> None:
    """Refuses values for an atomic store that are never stored, and those of a load that never happens."""
    for function in _FUNCTION.finditer(text):
        for local in _TEMPORARY.finditer(function[0]):
            uses = re.finditer(_USES.format(re.escape(local[1])), function[0], re.M)
            found = [use for use in uses if use.start() != local.start()]
            kind = "store" if "atomictmp" in local[1] else "load"
            if {use[0].split(" = ")[-1].split()[0] for use in found} != {kind}:
                continue
            raise SourceError(
                ErrorCode.COMPILE_ERROR,
                f"this atomic {kind} has an order that a {kind} cannot have",
                place=place_of(text, function.start() + found[0].start(), files) or Place(shown),
                hint=ORDER_HINT,
            )


def _check_arguments(text: str, files: SourceFiles, shown: str) -> None:
    types = ModuleParser()
    types.define_structs(text.split("\n"))
    for found in _BY_VALUE.finditer(text):
        struct = types.structs.get(unquote(found[1]))
        if struct is not None and struct.size >= LARGEST_OBJECT:
            raise SourceError(
                ErrorCode.TOO_LARGE,
                f"an argument of {struct.size} bytes is too large",
                place=place_of(text, found.start(), files) or Place(shown),
                hint="pass a pointer to it; objects may have up to 256 MiB",
            )


def place_of(text: str, at: int, files: SourceFiles) -> Place | None:
    """Where the call or function on a line of the module stands in the source."""
    number = _POSITION.search(text, text.rfind("\n", 0, at) + 1, text.find("\n", at))
    if number is None:
        return None
    nodes = (node.partition(" = ") for node in text.split("\n") if node.startswith("!"))
    debug = DebugInfo({name: rest for name, _, rest in nodes}, files)
    where = debug.position(number[1]) or debug.function_position(number[1])
    return Place(where.file, where.line, where.column) if where is not None else None
