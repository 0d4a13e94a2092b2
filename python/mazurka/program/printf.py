"""Formats what a checked program prints, as C's printf would, from the operands that the engine kept.

The format and the strings are read from the program's constants; a string in memory that the program may
write is shown by its address, since the engine keeps operands and not memory.

Python's % operator gives the digits. Signs, prefixes and padding are C's own rules (C11 7.21.6.1), and
where C does not fix the text (addresses, NaN and null strings), it is that of the GNU library.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator, Sequence

from mazurka.program import Pieces, Program

DIRECTIVE = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|-?\d*))?"
    r"(?P<length>hh|h|ll|l|j|z|t|L)?(?P<conversion>[a-zA-Z%])"
)
BITS = {"hh": 8, "h": 16, "l": 64, "ll": 64, "j": 64, "z": 64, "t": 64}
INT_BITS = 32
_INTEGERS = "diouxX"
_FLOATS = "aAeEfFgG"
_NOT_FINITE = ("inf", "nan", "INF", "NAN")
_MOST = 1 << 16  # characters of one directive; a longer one is cut
DEFAULT_DIGITS = 6  # digits of a float


def render(program: Program, operands: Sequence[int]) -> str:
    """The text that one call prints; the first operand is the address of the format."""
    text = string_at(program, operands[0])
    if text is None:
        return f"<format at {operands[0]:#x}>"
    arguments = iter(operands[1:])
    return DIRECTIVE.sub(lambda match: _directive(program, match, arguments), text)


def string_at(program: Program, address: int) -> str | None:
    """The C string that a constant holds at an address."""
    for item in program.globals:
        if item.constant and item.address <= address < item.address + item.size:
            return _string_from(item.data, address - item.address).decode(errors="replace")
    return None


def _string_from(data: Pieces, start: int) -> bytes:
    """The bytes from an offset to the next zero; the end of a piece counts as one."""
    for at, piece in data:
        if at <= start < at + len(piece):
            return piece[start - at :].split(b"\0", 1)[0]
    return b""


def _directive(program: Program, match: re.Match[str], arguments: Iterator[int]) -> str:
    conversion, flags = match["conversion"], match["flags"]
    if conversion == "%":
        return "%"
    try:
        width, precision = _number(match["width"], arguments), _number(match["precision"], arguments)
        value = next(arguments)
    except StopIteration:
        return match[0]  # fewer arguments than directives: undefined in C, shown as written
    if width is not None and width < 0:
        width, flags = -width, flags + "-"
    if precision is not None and precision < 0:
        precision = None  # counts as missing
    if conversion in "scp":
        return _pad("", _text(program, conversion, value, precision), width, flags.replace("0", ""))
    prefix, digits = _digits(conversion, flags, value, precision, BITS.get(match["length"] or "", INT_BITS))
    if digits is None:
        return match[0]
    if digits in _NOT_FINITE or (precision is not None and conversion in _INTEGERS):
        flags = flags.replace("0", "")
    return _pad(prefix, digits, width, flags)


def _text(program: Program, conversion: str, value: int, precision: int | None) -> str:
    if conversion == "c":
        return chr(value & 0xFF)
    if conversion == "p":
        return f"{value:#x}" if value else "(nil)"
    if value == 0:
        return "(null)" if precision is None or precision >= len("(null)") else ""
    text = string_at(program, value)
    return f"<{value:#x}>" if text is None else text[:precision]


def _digits(
    conversion: str, flags: str, value: int, precision: int | None, bits: int
) -> tuple[str, str | None]:
    """Sign or prefix, and digits; None for a conversion that is not known."""
    if conversion in _FLOATS:
        negative = bool(value >> 63)
        number = abs(struct.unpack("<d", struct.pack("<Q", value))[0])
        digits = _float_digits(conversion, "#" in flags, number, precision)
        prefix = "0" + "xX"[conversion == "A"] if conversion in "aA" and digits not in _NOT_FINITE else ""
    elif conversion in _INTEGERS:
        value &= (1 << bits) - 1
        negative = conversion in "di" and bool(value >> (bits - 1))
        magnitude = (1 << bits) - value if negative else value
        prefix, digits = _integer_digits(conversion, "#" in flags, magnitude, precision)
    else:
        return "", None
    if conversion in "di" + _FLOATS:
        sign = "-" if negative else "+" if "+" in flags else " " if " " in flags else ""
        prefix = sign + prefix
    return prefix, digits


def _integer_digits(
    conversion: str, alternate: bool, magnitude: int, precision: int | None
) -> tuple[str, str]:
    base = {"o": "o", "x": "x", "X": "X"}.get(conversion, "d")
    digits = format(magnitude, base) if magnitude or precision != 0 else ""
    digits = digits.rjust(min(precision or 0, _MOST), "0")
    if alternate and base == "o" and not digits.startswith("0"):
        digits = "0" + digits
    return ("0" + base if alternate and base in "xX" and magnitude else ""), digits


def _float_digits(conversion: str, alternate: bool, number: float, precision: int | None) -> str:
    if not math.isfinite(number):
        word = "nan" if math.isnan(number) else "inf"
        return word.upper() if conversion.isupper() else word
    if conversion in "aA":
        digits = _hexadecimal(number, alternate, precision)
        return digits.upper() if conversion == "A" else digits
    places = min(DEFAULT_DIGITS if precision is None else precision, _MOST)
    return f"%{'#' if alternate else ''}.{places}{conversion}" % number


def _hexadecimal(number: float, alternate: bool, precision: int | None) -> str:
    """``%a`` without its prefix, as the GNU library has it: the first digit is 0 for subnormal numbers."""
    bits = struct.unpack("<Q", struct.pack("<d", number))[0]
    exponent, fraction = bits >> 52, bits & (1 << 52) - 1
    lead = (1 << 52 if exponent else 0) | fraction
    power = (exponent or 1) - 1023 if lead else 0
    digits = 13
    if precision is not None and precision < digits:
        unit = 1 << 4 * (digits - precision)
        low = lead % unit
        lead = lead // unit * unit
        if low * 2 > unit or (low * 2 == unit and lead // unit & 1):
            lead += unit
    shown = f"{lead & (1 << 52) - 1:013x}"
    shown = shown.rstrip("0") if precision is None else shown[:precision].ljust(min(precision, _MOST), "0")
    return f"{lead >> 52}{'.' if shown or alternate else ''}{shown}p{power:+d}"


def _number(text: str | None, arguments: Iterator[int]) -> int | None:
    """A width or precision; ``*`` takes it from the arguments."""
    if text != "*":
        return int(text or 0) if text is not None else None
    value = next(arguments) & 0xFFFF_FFFF
    return value - (1 << 32) if value >> 31 else value


def _pad(prefix: str, text: str, width: int | None, flags: str) -> str:
    """Blanks before or after, or zeros between prefix and digits."""
    width = min(width or 0, _MOST)
    if "-" in flags:
        return (prefix + text).ljust(width)
    if "0" in flags:
        return prefix + text.rjust(width - len(prefix), "0")
    return (prefix + text).rjust(width)
