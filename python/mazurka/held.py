"""Programs that are not in files: source text, bytecode, and programs that are written in Python."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

from mazurka.cache.compiled import Compiled
from mazurka.errors import ErrorCode, MazurkaError, UsageError
from mazurka.frontend import compile_text
from mazurka.frontend.c.dialect import Dialect
from mazurka.program import Program


@dataclass(frozen=True)
class Source:
    """The text of a program. Its name is for reports, and says which language it is in."""

    text: str
    name: str = "program.c"


@runtime_checkable
class Traceable(Protocol):
    """A program that is written in Python (``mazurka.Threads``)."""

    def to_program(self, without: Collection[str] = ()) -> Program:
        """Its bytecode, ``without`` some passes."""


Held: TypeAlias = str | Source | Program | Traceable


def compile_held(
    held: Held,
    cflags: Sequence[str],
    cc: str | None,
    seconds: float | None,
    without: Sequence[str],
    dialect: Dialect,
) -> Compiled:
    """The program, compiled; a text that is given as such is C. Bytecode is taken as it is."""
    if isinstance(held, str):
        held = Source(held)
    if isinstance(held, Source):
        _check_source(held)
        options = {"cflags": cflags, "cc": cc, "without": without, "dialect": dialect}
        return Compiled.of(compile_text(held.text, held.name, seconds=seconds, **options))  # type: ignore[arg-type]
    if isinstance(held, Program):
        return Compiled.of(held)
    if isinstance(held, Traceable) and not isinstance(held, type):
        return Compiled.of(held.to_program(without))
    message = f"a program cannot be of type '{type(held).__name__}'"
    hint = "give the path of a file, the text of a C program, mazurka.Source(…) or mazurka.Threads(…)"
    raise UsageError(ErrorCode.USAGE, message, hint=hint)


_HINTS = {
    ErrorCode.ENDLESS_LOOP: "bound it with unroll=N; or try once, and leave out executions in which that "
    "fails, such as assume(lock.compare_exchange(0, 1) == 0)",
    ErrorCode.TOO_MANY_VALUES: "choose among fewer numbers",
}


def hint_for(held: Held, error: MazurkaError) -> str | None:
    """The cure for an error, in the language of the program."""
    usual = error.hint
    is_python = isinstance(held, Traceable) and not isinstance(held, (str, Source, Program))
    return _HINTS.get(error.code, usual) if is_python else usual


def _check_source(source: Source) -> None:
    """Refuses a text or a name of the wrong type: Python programs find out only at run time."""
    text: object = source.text
    name: object = source.name
    if not isinstance(text, str):
        message = f"the text of a program must be a str, not of type '{type(text).__name__}'"
        raise UsageError(ErrorCode.BAD_VALUE, message, hint='such as mazurka.Source("int main(void) { … }")')
    if not isinstance(name, str) or not name:
        message = f"{name!r} is not the name of a program"
        raise UsageError(ErrorCode.BAD_VALUE, message, hint='such as mazurka.Source(text, "queue.cpp")')
