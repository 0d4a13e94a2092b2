"""What the user says about what the program leaves open: ``--nondet LO..HI`` and ``--stub NAME=…``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NoReturn

from mazurka.errors import ErrorCode, UsageError
from mazurka.frontend.c.dialect import Stub

_RANGE = re.compile(r"(-?[0-9]{1,20})\.\.(-?[0-9]{1,20})")
_STUB = re.compile(r"(?P<name>[A-Za-z_]\w*)=(?P<kind>zero|skip|nondet)(?::(?P<range>.*))?", re.S)
_RANGE_HINT = "write the first and the last value, such as 0..3"
_STUB_HINT = "write NAME=zero, NAME=skip, NAME=nondet or NAME=nondet:LO..HI, such as rand=nondet:0..3"


def read_range(text: str | tuple[int, int]) -> tuple[int, int]:
    """Understands ``LO..HI``."""
    found = _RANGE.fullmatch(text) if isinstance(text, str) else None
    ends: object = (int(found[1]), int(found[2])) if found else text
    if not isinstance(ends, tuple) or len(ends) != 2 or not all(isinstance(one, int) for one in ends):
        _complain(f"{text!r} is not a range of values", _RANGE_HINT)
    low, high = ends
    if low > high:
        _complain(f"'{low}..{high}' is not a range of values", _RANGE_HINT)
    return low, high


def read_stubs(texts: Sequence[str]) -> tuple[Stub, ...]:
    """Understands ``NAME=…``, any number of them."""
    stubs: dict[str, Stub] = {}
    for text in texts:
        parts = _STUB.fullmatch(text)
        if parts is None or (parts["range"] is not None and parts["kind"] != "nondet"):
            _complain(f"'{text}' does not say what a function does", _STUB_HINT)
        name = parts["name"]
        if name in stubs:
            _complain(f"there are two stubs for '{name}'", "leave one of them out")
        low, high = (None, None) if parts["range"] is None else read_range(parts["range"])
        stubs[name] = Stub(name, parts["kind"], low, high)
    return tuple(sorted(stubs.values()))


def _complain(message: str, hint: str) -> NoReturn:
    raise UsageError(ErrorCode.BAD_VALUE, message, hint=hint)
