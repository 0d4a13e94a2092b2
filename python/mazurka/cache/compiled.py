"""A compiled program in the form that the engine reads; the Program itself is decoded on demand.

Most checks find no violation and never need the Program.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mazurka.program import Program


class Compiled:
    """The bytes that the engine runs, the classes of events that these can make, and the decoded Program."""

    def __init__(
        self,
        code: bytes,
        classes: int,
        load: Callable[[], Program],
        rounds: str = "",
        helping: tuple[str, ...] = (),
        warnings: tuple[str, ...] = (),
        machine: str = "",
        limited: tuple[tuple[str, str, int, int], ...] = (),
        arguments: str = "",
    ) -> None:
        self.code = code
        self.classes = classes  # a mask over ``kat.meaning.plan.CLASSES``
        self.rounds = rounds  # what ``program_classes.rounds_of`` says
        self.helping = helping  # what ``soundness.helping`` says
        self.warnings = warnings  # of the Program
        self.machine = machine  # of the Program
        self.limited = limited  # of the Program
        self.arguments = arguments  # of the Program
        self._load = load

    @classmethod
    def of(cls, program: Program) -> Compiled:
        """A Program, compiled."""
        from mazurka.kat.planning.program_classes import classes_of, rounds_of
        from mazurka.soundness.helping import models_for_helping

        classes = classes_of(program)
        helping = models_for_helping(program, classes)
        notes = program.warnings, program.machine, program.limited, program.arguments
        return cls(program.encode(), classes, lambda: program, rounds_of(program), helping, *notes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Compiled) and self.program == other.program

    def __hash__(self) -> int:
        return hash(self.code)

    def __reduce__(self) -> tuple[object, ...]:
        return _compiled, (
            self.code,
            self.classes,
            self.program,
            self.rounds,
            self.helping,
            self.warnings,
            self.machine,
            self.limited,
            self.arguments,
        )

    @cached_property
    def program(self) -> Program:
        """The Program, with everything that a report needs."""
        return self._load()


def _compiled(code: bytes, classes: int, program: Program, *rest: Any) -> Compiled:
    """Restores a pickled one. The pickle holds the Program, because the file it came from may be gone."""
    return Compiled(code, classes, lambda: program, *rest)
