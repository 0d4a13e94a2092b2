"""How a program is to be understood where C leaves it open, or where people expect more than C says.

A check whose program is cached needs this, so it is a named tuple, which is quick to load.
"""

from __future__ import annotations

from typing import NamedTuple

VOLATILE = ("plain", "relaxed", "acquire-release")


class Dialect(NamedTuple):
    """What the options say about the language."""

    strict: bool = False  # omissions that older compilers accept are errors (``omissions``)
    volatile: str = "plain"  # what volatile accesses are, one of ``VOLATILE``

    def words(self) -> list[str]:
        """What tells one dialect from another: a part of the key under which a program is cached."""
        return [f"{name}={value}" for name, value in self._asdict().items()]
