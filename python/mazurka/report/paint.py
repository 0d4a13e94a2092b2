"""Colour for terminals. Everything reads the same without it."""

from __future__ import annotations

from typing import NamedTuple

_CODES = {
    "good": "32",
    "bad": "31;1",
    "fail": "31;1",
    "unsure": "33",
    "head": "1",
    "fold": "2",
}


class Paint(NamedTuple):
    """Wraps text in a style's escape codes, if colour is on."""

    on: bool = False

    def __call__(self, style: str, text: str) -> str:
        code = _CODES.get(style)
        return f"\x1b[{code}m{text}\x1b[0m" if self.on and code else text
