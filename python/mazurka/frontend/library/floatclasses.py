"""Which class a floating-point number belongs to: the tests behind ``isnan``, ``isinf`` and their kin.

LLVM asks for a set of classes, one bit each. A number without its sign is an unsigned integer, in whose
order zero, subnormal and normal numbers, infinity, signalling and quiet NaNs follow each other: a class is
an interval.
"""

from __future__ import annotations

from mazurka.frontend.lowering.emitter import Emitter
from mazurka.program import Op

_FRACTION = {32: 23, 64: 52}  # bits of the fraction
_SIGNALLING, _QUIET = 0, 1
_SIGNED = {"infinity": (2, 9), "normal": (3, 8), "subnormal": (4, 7), "zero": (5, 6)}  # negative, positive


def classify(e: Emitter, value: int, bits: int, classes: int) -> int:
    """A register that is 1 if the number's class is one of ``classes``."""
    test = _Test(e, value, bits)
    found = e.constant(0)
    for bit, name in ((_SIGNALLING, "signalling"), (_QUIET, "quiet")):
        if classes >> bit & 1:
            found = test.either(found, test.has(name))
    for name, (negative, positive) in _SIGNED.items():
        signs = classes >> negative & 1, classes >> positive & 1
        if any(signs):
            inside = test.has(name)
            found = test.either(found, inside if all(signs) else test.signed(inside, negative=bool(signs[0])))
    return found


class _Test:
    """Emits the tests of one number."""

    def __init__(self, e: Emitter, value: int, bits: int) -> None:
        self._e = e
        self._bits = bits
        top = 1 << (bits - 1)
        self._sign = e.emit(Op.LSHR, value, e.constant(bits - 1), width=bits)
        self._magnitude = e.emit(Op.AND, value, e.constant(top - 1), width=bits)
        fraction = _FRACTION[bits]
        infinity = top - (1 << fraction)
        quiet = infinity + (1 << (fraction - 1))
        self._ranges = {
            "zero": (0, 1),
            "subnormal": (1, 1 << fraction),
            "normal": (1 << fraction, infinity),
            "infinity": (infinity, infinity + 1),
            "signalling": (infinity + 1, quiet),
            "quiet": (quiet, top),
        }

    def has(self, name: str) -> int:
        """Whether the number without its sign lies in a class's interval."""
        first, end = self._ranges[name]
        e = self._e
        distance = e.emit(Op.SUB, self._magnitude, e.constant(first), width=self._bits)
        return self._bit(e.emit(Op.ULT, distance, e.constant(end - first), width=self._bits))

    def signed(self, inside: int, *, negative: bool) -> int:
        sign = self._sign if negative else self._e.emit(Op.XOR, self._sign, self._e.constant(1))
        return self._bit(self._e.emit(Op.AND, inside, sign))

    def either(self, left: int, right: int) -> int:
        return right if left == self._e.constant(0) else self._bit(self._e.emit(Op.OR, left, right))

    def _bit(self, register: int) -> int:
        self._e.known_bits[register] = 1
        return register
