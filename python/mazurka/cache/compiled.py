"""A compiled program, in a form that the engine reads; the Program itself is made when somebody asks for it.

Most checks find nothing, and then nobody does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mazurka.program import Program


class Compiled:
    """What the engine runs, which classes of events it can make, and the Program behind it."""

    def __init__(self, code: bytes, classes: int, load: Callable[[], Program]) -> None:
        self.code = code
        self.classes = classes  # a mask over ``kat.meaning.plan.CLASSES``
        self._load = load

    @classmethod
    def of(cls, program: Program) -> Compiled:
        """A Program, compiled."""
        from mazurka.kat.planning.program_classes import classes_of

        return cls(program.encode(), classes_of(program), lambda: program)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Compiled) and self.program == other.program

    def __hash__(self) -> int:
        return hash(self.code)

    def __reduce__(self) -> tuple[object, ...]:
        return _compiled, (self.code, self.classes, self.program)

    @cached_property
    def program(self) -> Program:
        """The Program, with all that a report needs to talk about it."""
        return self._load()


def _compiled(code: bytes, classes: int, program: Program) -> Compiled:
    """Makes one again from a pickle, which holds the Program: what it was loaded from may be gone."""
    return Compiled(code, classes, lambda: program)
