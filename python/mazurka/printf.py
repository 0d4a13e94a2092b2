"""Formats what a checked program prints, as C's printf would, from the operands that the engine kept.

The format and the strings are read from the program's constants; a string in memory that the program may
write is shown by its address, since the engine keeps operands and not memory.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence

from mazurka.program import Program

_DIRECTIVE = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d*))?"
    r"(?P<length>hh|h|ll|l|j|z|t|L)?(?P<conversion>[a-zA-Z%])"
)
_BITS = {"hh": 8, "h": 16, "l": 64, "ll": 64, "j": 64, "z": 64, "t": 64}
_INT_BITS = 32


def render(program: Program, operands: Sequence[int]) -> str:
    """The text that one call prints; the first operand is the address of the format."""
    text = string_at(program, operands[0])
    if text is None:
        return f"<format at {operands[0]:#x}>"
    arguments = iter(operands[1:])
    return _DIRECTIVE.sub(lambda match: _directive(program, match, arguments), text)


def string_at(program: Program, address: int) -> str | None:
    """The C string that a constant holds at an address."""
    for item in program.globals:
        if item.constant and item.address <= address < item.address + item.size:
            data = item.data.ljust(item.size, b"\0")[address - item.address :]
            return data.split(b"\0", 1)[0].decode(errors="replace")
    return None


def _directive(program: Program, match: re.Match[str], arguments: Iterator[int]) -> str:
    conversion = match["conversion"]
    if conversion == "%":
        return "%"
    try:
        width, flags = _number(match["width"], arguments), match["flags"]
        precision = _number(match["precision"], arguments)
        value = next(arguments)
    except StopIteration:
        return match[0]  # fewer arguments than directives: undefined in C, shown as it stands
    if width is not None and width < 0:
        width, flags = -width, flags + "-"
    if conversion == "s":
        text = string_at(program, value)
        return _pad(f"<{value:#x}>" if text is None else text[:precision], width, flags)
    if conversion == "c":
        return _pad(chr(value & 0xFF), width, flags)
    if conversion == "p":
        return _pad(f"{value:#x}", width, flags)
    spec = f"%{flags}{'' if width is None else width}{'' if precision is None else f'.{precision}'}"
    return _numeric(spec, conversion, value, _BITS.get(match["length"] or "", _INT_BITS)) or match[0]


def _numeric(spec: str, conversion: str, value: int, bits: int) -> str | None:
    """Python's own % operator knows C's flags; what it does not know is the width of integers."""
    if conversion in "feEgGF":
        return (spec + conversion) % struct.unpack("<d", struct.pack("<Q", value))
    value &= (1 << bits) - 1
    if conversion in "di":
        return (spec + "d") % (value - (1 << bits) if value >> (bits - 1) else value)
    if conversion in "uxXo":
        return (spec + conversion.replace("u", "d")) % value
    return None


def _number(text: str | None, arguments: Iterator[int]) -> int | None:
    """A width or precision; ``*`` takes it from the arguments."""
    if text != "*":
        return int(text or 0) if text is not None else None
    value = next(arguments) & 0xFFFF_FFFF
    return value - (1 << 32) if value >> 31 else value


def _pad(text: str, width: int | None, flags: str) -> str:
    return text.ljust(width or 0) if "-" in flags else text.rjust(width or 0)
