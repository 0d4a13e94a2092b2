"""The number of characters that printf returns, computed by the program itself.

It does not depend on whether the output is shown. Strings are read as printf would read them, byte by
byte; the digits of a float are counted by an instruction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mazurka.frontend.lowering.emitter import RefusalError
from mazurka.program import Op
from mazurka.program.printf import BITS, DEFAULT_DIGITS, DIRECTIVE, INT_BITS

if TYPE_CHECKING:
    from mazurka.frontend.lowering.function import FunctionLowering

_BASES = {"d": 10, "i": 10, "u": 10, "o": 8, "x": 16, "X": 16}
_FORMS = {"f": 0, "F": 0, "e": 1, "E": 1, "g": 2, "G": 2}
_ALTERNATE = 4
_NO_LIMIT = -1
_NULL_POINTER = len("(nil)")


def printed_length(e: FunctionLowering, text: str, arguments: list[int]) -> int:
    """A register with the number of characters; ``text`` is the format, one character per byte."""
    length = _Length(e, iter(arguments))
    literal, total = DIRECTIVE.sub("", text), e.constant(0)
    if "%" in literal:
        raise RefusalError("the result of a printf with an unknown directive")
    for match in DIRECTIVE.finditer(text):
        try:
            total = e.emit(Op.ADD, total, length.directive(match))
        except StopIteration:
            raise RefusalError("the result of a printf with too few arguments") from None
    return e.emit(Op.ADD, total, e.constant(len(literal)), width=INT_BITS)


def writes_memory(text: str) -> bool:
    """Whether a format stores how much was printed so far."""
    return any(match["conversion"] == "n" for match in DIRECTIVE.finditer(text))


class _Length:
    """Emits the length of one directive after the other."""

    def __init__(self, e: FunctionLowering, arguments: Iterator[int]) -> None:
        self._e = e
        self._arguments = arguments

    def directive(self, match: re.Match[str]) -> int:
        e, conversion = self._e, match["conversion"]
        if conversion == "%":
            return e.constant(1)
        width, precision = self._number(match["width"]), self._number(match["precision"])
        value = next(self._arguments)
        wide = match["length"] == "l" and conversion in "cs"
        if conversion in _BASES:
            length = self._integer(match, value, self._or_default(precision, 1))
        elif conversion in _FORMS:
            length = self._float(match, value, self._or_default(precision, DEFAULT_DIGITS))
        elif conversion == "s" and not wide:
            limit = self._or_default(precision, _NO_LIMIT)
            length = e.call(e.module.routine("strnlen", 1), [value, limit])
        elif conversion == "p":
            digits = e.emit(Op.ADD, self._digits(value, 16), e.constant(2))
            length = e.emit(Op.SELECT, value, digits, e.constant(_NULL_POINTER))
        elif conversion == "c" and not wide:
            length = e.constant(1)
        else:
            raise RefusalError(f"the result of a printf with '{match[0]}'")
        return length if width is None else e.emit(Op.UMAX, length, e.emit(Op.ABS, width))

    def _number(self, text: str | None) -> int | None:
        """A width or precision as a signed number; ``*`` takes it from the arguments."""
        e = self._e
        if text == "*":
            return e.emit(Op.SEXT, next(self._arguments), width=INT_BITS, x=64)
        return e.constant(int(text or 0)) if text is not None else None

    def _or_default(self, precision: int | None, default: int) -> int:
        """A negative precision counts as missing."""
        e = self._e
        if precision is None:
            return e.constant(default)
        negative = e.emit(Op.SLT, precision, e.constant(0))
        return e.emit(Op.SELECT, negative, e.constant(default), precision)

    def _digits(self, value: int, base: int) -> int:
        e = self._e
        return e.call(e.module.routine("printf.digits", 1), [value, e.constant(base)])

    def _integer(self, match: re.Match[str], value: int, precision: int) -> int:
        e, conversion, flags = self._e, match["conversion"], match["flags"]
        bits = BITS.get(match["length"] or "", INT_BITS)
        magnitude = number = e.emit(Op.TRUNC, value, width=bits)
        if conversion in "di":
            magnitude = e.emit(Op.ABS, number, width=bits)
        length = self._digits(magnitude, _BASES[conversion])
        if "#" in flags and conversion == "o":
            length = e.emit(Op.ADD, length, e.constant(1))
        length = e.emit(Op.UMAX, length, precision)
        if "#" in flags and conversion in "xX":
            prefix = e.emit(Op.SHL, e.emit(Op.NE, magnitude, e.constant(0)), e.constant(1))
            length = e.emit(Op.ADD, length, prefix)
        return self._signed(length, flags, number, bits) if conversion in "di" else length

    def _float(self, match: re.Match[str], value: int, precision: int) -> int:
        form = _FORMS[match["conversion"]] | ("#" in match["flags"]) * _ALTERNATE
        length = self._e.emit(Op.FDIGITS, value, precision, x=form)
        return self._signed(length, match["flags"], value, 64)

    def _signed(self, length: int, flags: str, value: int, bits: int) -> int:
        e = self._e
        always = "+" in flags or " " in flags
        sign = e.constant(1) if always else e.emit(Op.LSHR, value, e.constant(bits - 1), width=bits)
        return e.emit(Op.ADD, length, sign)
