"""Compound assignments to ``_Atomic`` variables, some of which clang 22 computes wrongly.

For ``x op= y``, clang converts the old value of ``x`` as if its type, which is atomic, were neither signed
nor ``_Bool``. C converts it, and the result, as if it were not atomic (C11 6.5.16.2). So clang is wrong about

- ``_Bool``: the result is cut to a byte, whereas C asks whether it differs from 0 (``b |= 4``, ``--b``).
  The IR shows this type, and the conversion is put right here.
- small signed integers: they are extended with zeros, which a division, a remainder or a shift to the right
  notices (``_Atomic short s; s /= 2``), and any signed integer that becomes a floating-point number
  (``i *= 0.5``). The IR does not show whether the type is signed, unless the result is used; so these
  assignments are refused, even for unsigned types.
- integers to which a floating-point number is added: the number is converted first (``i += 0.5``).
  Refused, unless the number is a constant that makes no difference (``i += 2.0``). Constants are looked for
  in IR in which the compiler has not computed their conversions (``c.additions``).

The blocks and values are recognised by the names that clang gives them.
"""

from __future__ import annotations

import re
import struct
from itertools import count

from mazurka.errors import ErrorCode, Place, SourceError
from mazurka.frontend.cleaning.screen import place_of
from mazurka.frontend.llvm.debuginfo import SourceFiles

_FUNCTION = re.compile(r"^define .*?^}", re.M | re.S)
_NAME = r'%(?:"[^"]*"|[-\w.$]+)'
_OLD = re.compile(
    rf"^atomic_op\d*:.*\n  (?P<old>{_NAME}) = phi (?P<type>i\d+) "
    rf"\[ (?P<one>{_NAME}), .*?\[ (?P<two>{_NAME}), ",
    re.M,
)
_FLOAT_ADDED = re.compile(rf"^  ({_NAME}) = fptoui \w+ .*\n  .* = atomicrmw \w+ .*, i\d+ \1 ", re.M)
_CONSTANT_ADDED = re.compile(
    rf"^  (?P<new>{_NAME}) = call i(?P<bits>\d+) @llvm\.experimental\.constrained\.fptoui\.[\w.]+"
    r"\((?P<type>\w+) (?P<value>[^,\n]+), .*!dbg (?P<place>!\d+)\n"
    r"  .* = atomicrmw \w+ .*, i(?P=bits) (?P=new) .*!dbg (?P=place)$",
    re.M,
)
_EXACT = {"double": 32, "float": 16}  # integers of so many bits can be added to without rounding
_MISREAD = "clang computes this assignment to an _Atomic variable wrongly if the variable is signed"
_ADDED = (
    "clang computes this assignment to an _Atomic variable wrongly: it converts the floating-point number"
)
_HINT = (
    "compute the new value from one that was read (int old = x), "
    "and write it with atomic_compare_exchange_weak, in a loop"
)


def with_right_assignments(text: str, files: SourceFiles, shown: str) -> str:
    """The compiler's output with right conversions to ``_Bool``; other wrong assignments are refused."""

    def refuse(at: int, message: str) -> None:
        place = place_of(text, at, files) or Place(shown)
        raise SourceError(ErrorCode.UNSUPPORTED, message, place=place, hint=_HINT)

    if "= atomicrmw " in text and (added := _FLOAT_ADDED.search(text)):
        refuse(added.start(), _ADDED)
    if "\natomic_op" not in text:
        return text

    def corrected(function: re.Match[str]) -> str:
        body = function[0]
        names = count()
        for found in list(_OLD.finditer(function[0])):
            right: str | None = body
            if _is_bool(body, found):
                right = _with_bool(body, found, names)
            elif _is_misread(body, found):
                right = None
            if right is None:
                refuse(function.start() + found.start("old"), _MISREAD)
            body = right or body
        return body

    return _FUNCTION.sub(corrected, text)


def refuse_added_constants(unfolded: str, files: SourceFiles, shown: str) -> None:
    """Refuses assignments that add a floating-point constant, unless it may be converted first."""
    for found in _CONSTANT_ADDED.finditer(unfolded):
        if not _is_integer(found["type"], found["value"], int(found["bits"])):
            place = place_of(unfolded, found.start(), files) or Place(shown)
            raise SourceError(ErrorCode.UNSUPPORTED, _ADDED, place=place, hint=_HINT)


def _is_integer(kind: str, value: str, bits: int) -> bool:
    """Whether adding the constant is the same as adding it as an integer of so many bits."""
    if bits > _EXACT.get(kind, 0) or value.startswith("%"):
        return False
    number = struct.unpack(">d", bytes.fromhex(value[2:]))[0] if value.startswith("0x") else float(value)
    return bool(number.is_integer() and 0 <= number < 2 ** (bits - 1))


def _is_bool(body: str, found: re.Match[str]) -> bool:
    """Whether both values of the variable, that before the loop and that after a failure, were bits."""
    return all(
        re.search(rf"^  {re.escape(found[value])} = zext i1 .* to i8(?:,|$)", body, re.M)
        for value in ("one", "two")
    )


def _with_bool(body: str, found: re.Match[str], names: count[int]) -> str | None:
    """The function with a comparison with 0 where the new value is cut to a byte; None if it is not found."""
    old = re.escape(found["old"])
    written = re.search(rf" = cmpxchg .*, i8 {old}, i8 ({_NAME}) ", body)
    if written is None:  # a constant, or the old value itself
        return body
    new = re.escape(written[1])
    made = re.search(
        rf"^  {new} = (?P<op>trunc|fptoui|fptosi|add) (?P<type>\w+) (?P<value>[^,\n]+)(?P<rest>.*)$",
        body,
        re.M,
    )
    if made is None:
        return None
    value, kind = made["value"].removesuffix(" to i8"), made["type"]
    position = "".join(re.findall(r", !dbg !\d+", made["rest"]))
    bit, lines = f"%atomic.bit{next(names)}", []
    if made["op"] == "add":
        value = f"%atomic.sum{next(names)}"
        lines.append(f"  {value} = {made[0].split(' = ', 1)[1]}")
    compared = (
        f"fcmp une {kind} {value}, 0.0" if made["op"].startswith("fp") else f"icmp ne {kind} {value}, 0"
    )
    lines.append(f"  {bit} = {compared}{position}")
    lines.append(f"  {written[1]} = zext i1 {bit} to i8{position}")
    return body[: made.start()] + "\n".join(lines) + body[made.end() :]


def _is_misread(body: str, found: re.Match[str]) -> bool:
    """Whether the old value is extended with zeros where that makes a difference, and may be signed."""
    old = re.escape(found["old"])
    used = re.search(rf"^  ({_NAME}) = (zext|uitofp) {found['type']} {old} to ", body, re.M)
    if used is None:
        return False
    wide = re.escape(used[1])
    if used[2] == "zext" and not re.search(rf" = (?:[su]div|[su]rem|[al]shr) (?:exact )?i\d+ {wide}, ", body):
        return False
    written = re.search(rf" = cmpxchg .*, {found['type']} {old}, {found['type']} ({_NAME}) ", body)
    return written is None or not re.search(
        rf" = (?:zext|uitofp) {found['type']} {re.escape(written[1])} to ", body
    )
