"""What a traced function does: a tree of steps, with a fork for each question whose answer is not known."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from mazurka.program import Mode, Position, RmwOp
from mazurka.tracing.values import Value


@dataclass(frozen=True)
class Place:
    """A shared variable or mutex: its name, its bits and its initial value."""

    name: str
    bits: int
    initial: int
    is_mutex: bool = False


@dataclass(frozen=True, eq=False)
class Act:
    """A step on shared memory. Which fields mean something depends on ``kind``."""

    kind: str  # load store rmw cas fence lock unlock choose assume
    where: Position
    place: Place | None = None
    mode: Mode = Mode.NA
    failure: Mode = Mode.NA  # cas
    values: tuple[Value, ...] = ()
    rmw: RmwOp = RmwOp.XCHG

    @property
    def has_result(self) -> bool:
        """Whether a value comes of it."""
        return self.kind in ("load", "rmw", "cas", "choose")

    def signature(self) -> tuple[object, ...]:
        """What makes two steps the same."""
        shown = tuple(map(repr, self.values))
        return self.kind, self.where, self.place, self.mode, self.failure, shown, self.rmw


@dataclass(frozen=True, eq=False)
class Question:
    """An ``if``: whether a value is not zero."""

    value: Value
    answer: bool


@dataclass(frozen=True)
class LoopBegin:
    """Where rounds of a waiting loop begin."""

    where: Position


@dataclass(frozen=True, eq=False)
class LoopEnd:
    """Leaves the innermost loop if a value is not zero, and begins the next round otherwise."""

    value: Value


@dataclass(frozen=True, eq=False)
class Returned:
    """The function returns these values."""

    values: tuple[Value, ...]


@dataclass(frozen=True)
class Failed:
    """An assertion of the function fails."""

    message: str
    where: Position


@dataclass(frozen=True)
class Again:
    """The condition of a waiting loop is not true on this way: the next round begins."""


Step: TypeAlias = Act | Question | LoopBegin | LoopEnd
End: TypeAlias = Returned | Failed | Again


@dataclass
class Node:
    """A place in the tree: the step that comes next, and what follows it; or how the function ends."""

    step: Step | None = None
    after: Node | None = None  # of a question: if the answer is yes
    otherwise: Node | None = None  # of a question: if the answer is no
    end: End | None = None
    number: int = field(default=-1)  # of an act (I2)
