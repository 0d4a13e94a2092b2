"""Functions that Rust programs call without naming them: the allocator, and panics.

Rust's ``core`` and ``alloc`` are compiled with the program where they are generic or inlined. What is left
are calls of functions whose names have a hash of the crate in them, so they are recognised by their paths.

I1: a panic ends the run with a finding: nothing catches it, and no destructor runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from mazurka.frontend.library.arguments import argument, nothing
from mazurka.frontend.library.functions import LIBRARY, allocate
from mazurka.frontend.library.verification import fail
from mazurka.frontend.llvm import ir
from mazurka.program import AllocFlag

if TYPE_CHECKING:
    from mazurka.frontend.library.arguments import Handler
    from mazurka.frontend.lowering.emitter import Slot
    from mazurka.frontend.lowering.function import FunctionLowering

# A path of a crate, modules and a function, without generic parameters: Rust's mangling (RFC 2603), and the
# older one, which looks like that of C++ and ends in a hash.
_PATH = re.compile(r"_R(?:N[a-zA-Z])+C(?:s[0-9a-zA-Z]*_)?(?P<names>\d.*)|_ZN(?P<old>\d.*)17h[0-9a-f]{16}E")
_LENGTH = re.compile(r"(\d+)_?")
_PANICS = (
    "panic",
    "unwrap_failed",
    "expect_failed",
    "handle_alloc_error",
    "capacity_overflow",
    "assert_failed",
)


def rust_path(symbol: str) -> tuple[str, ...]:
    """The names of a path, such as ``("core", "panicking", "panic")``; nothing for other symbols."""
    found = _PATH.fullmatch(symbol)
    text, names = (found["names"] or found["old"] if found else ""), []
    while length := _LENGTH.match(text):
        end = length.end() + int(length[1])
        if end > len(text):
            return ()
        names.append(text[length.end() : end])
        text = text[end:]
    return tuple(names) if not text else ()


def rust_function(symbol: str) -> Handler | None:
    """What a function of Rust's libraries does, if it is one that is known."""
    path = rust_path(symbol)
    if len(path) == 2 and path[0] == "__rustc":
        return _ALLOCATOR.get(path[1])
    if path[:1] in (("core",), ("alloc",)) and (path[1] == "panicking" or path[-1].startswith(_PANICS)):
        return _panic(path[-1])
    return nothing if symbol == "rust_eh_personality" else None


def _panic(name: str) -> Handler:
    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        operands = inst.operands[1:]
        text = _text(e, *operands[:2]) if name in ("panic", "panic_nounwind", "expect_failed") else None
        said = text or _SAID.get(name) or name.removeprefix("panic_const_").replace("_", " ")
        return fail(e, f"panic: {said}")

    return handler


def _text(
    e: FunctionLowering, pointer: tuple[ir.Type, ir.Value], length: tuple[ir.Type, ir.Value]
) -> str | None:
    """A constant ``&str``."""
    text, size = e.layout.string_at(pointer[1]), e.number(length[1], length[0])
    return None if text is None or size is None else text.encode()[:size].decode(errors="replace")


def _alloc(flags: int) -> Handler:
    return lambda e, inst: allocate(e, inst, argument(e, inst, 0), argument(e, inst, 1), flags)


def _realloc(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """Its arguments are the pointer, the old size, the alignment and the new size."""
    function, pointer, _, _, size = inst.operands
    inst.operands = [function, pointer, size]
    return LIBRARY["realloc"](e, inst)


_SAID = {
    "panic_fmt": "its message is made while the program runs",
    "panic_nounwind_fmt": "its message is made while the program runs",
    "panic_bounds_check": "index out of bounds",
    "panic_explicit": "explicit panic",
    "panic_cannot_unwind": "a panic leaves a function that cannot unwind",
    "panic_in_cleanup": "a panic in a destructor during cleanup",
    "handle_alloc_error": "an allocation failed",
}
_ALLOCATOR: dict[str, Callable[[FunctionLowering, ir.Inst], list[Slot]]] = {
    "__rust_alloc": _alloc(0),
    "__rust_alloc_zeroed": _alloc(AllocFlag.ZERO),
    "__rust_dealloc": LIBRARY["free"],
    "__rust_realloc": _realloc,
    "__rust_no_alloc_shim_is_unstable_v2": nothing,
}
