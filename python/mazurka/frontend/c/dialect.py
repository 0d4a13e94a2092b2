"""How a program is to be understood where C leaves it open, or where people expect more than C says.

A check whose program is cached needs this, so it is a named tuple, which is quick to load.
"""

from __future__ import annotations

from typing import NamedTuple

VOLATILE = ("plain", "relaxed", "acquire-release")


class Stub(NamedTuple):
    """What the user says about a function that the program calls and does not define (``--stub``)."""

    name: str
    kind: str  # zero skip nondet
    low: int | None = None  # nondet: the range, if there is one
    high: int | None = None

    def __str__(self) -> str:
        return f"{self.name}={self.kind}" + (f":{self.low}..{self.high}" if self.low is not None else "")

    @property
    def meaning(self) -> str:
        """What each call does, as a sentence about it goes on."""
        if self.kind == "nondet":
            return f"returns {'any value' if self.low is None else f'one of {self.low}..{self.high}'}"
        return "returns 0" if self.kind == "zero" else "does nothing"


class Dialect(NamedTuple):
    """What the options say about the language."""

    strict: bool = False  # omissions that older compilers accept are errors (``omissions``)
    undefined: bool = False  # signed overflow, and bad shifts and conversions of floats, are findings
    volatile: str = "plain"  # what volatile accesses are, one of ``VOLATILE``
    nondet: tuple[int, int] | None = None  # the range of values that the program leaves open
    stubs: tuple[Stub, ...] = ()
    spurious_wakeups: bool = False  # waiting on a condition variable may end without a signal
    target: str | None = None  # with a property: the function that must not be called, or ""

    malloc_may_fail: bool = False  # each allocation may return a null pointer
    reuse_memory: bool = False  # malloc may return memory that was freed before (``libc/reuse.c``)
    leaks: bool = False  # the engine looks for leaks, so it must see all heap objects

    def words(self) -> list[str]:
        """What tells one dialect from another: a part of the key under which a program is cached."""
        return [f"{name}={value}" for name, value in self._asdict().items()]
