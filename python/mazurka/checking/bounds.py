"""Bounds of loops: what ``--unroll`` says, in terms of the program's loops and functions.

``4`` bounds everything; ``push=3`` bounds the loops of a function, and how often it calls itself;
``queue.c:41=5`` bounds the loop that starts on that line. Several bounds are separated by commas. If a loop
has several, a line takes precedence over a function, a function over ``__VERIFIER_loop_bound`` in the source,
and that over a number for everything. Two bounds for one place are an error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from mazurka.errors import ErrorCode, UsageError

if TYPE_CHECKING:
    from mazurka.program import Loop, Program

LARGEST = (1 << 32) - 1
_LINE = re.compile(r"(.+):([0-9]+)")


class Cut(NamedTuple):
    """What a bound cut: a ``loop`` in the function, the ``recursion`` of the function, or an open value in it
    (``nondet``), of which only ``bound`` values were explored. Or which formula of a ``property`` was not
    decided: it stands for the function."""

    kind: str
    function: str
    file: str
    line: int
    bound: int


class Unroll(NamedTuple):
    """What the user asked for; places are functions (without a line) and lines of files."""

    everything: int | None = None
    functions: tuple[tuple[str, int], ...] = ()
    lines: tuple[tuple[str, int, int], ...] = ()

    @property
    def has_places(self) -> bool:
        """Whether the program must be known to make sense of it."""
        return bool(self.functions or self.lines)


class Bounds(NamedTuple):
    """The same for the engine: by number of a loop, and by number of a function."""

    unroll: int | None = None
    loop_bounds: tuple[tuple[int, int], ...] = ()
    call_bounds: tuple[tuple[int, int], ...] = ()

    def of_loop(self, program: Program, loop: int) -> int:
        """The bound that cut a loop."""
        from mazurka.program import Op  # late: most checks need no Program

        named = dict(self.loop_bounds).get(loop)
        code = (i for function in program.functions for i in function.code)
        written = (i.b for i in code if i.op == Op.LOOP and i.a == loop)
        return named or next(written, 0) or self.unroll or 0

    def of_function(self, function: int) -> int:
        """The bound that cut the recursion of a function."""
        return dict(self.call_bounds).get(function) or self.unroll or 0


def read_unroll(asked: int | str | None) -> Unroll:
    """Understands an option."""
    if asked is None:
        return Unroll()
    everything: int | None = None
    functions: list[tuple[str, int]] = []
    lines: list[tuple[str, int, int]] = []
    for part in str(asked).split(","):
        place, equals, number = part.strip().rpartition("=")
        bound = _number(number, part)
        line = _LINE.fullmatch(place)
        if line is not None:
            lines.append((line[1], int(line[2]), bound))
        elif place:
            if place in dict(functions):
                _complain(f"'{asked}' has two bounds for '{place}'")
            functions.append((place, bound))
        elif everything is None and not equals:
            everything = bound
        else:
            _complain(f"'{asked}' has two bounds for all loops" if not equals else f"'{part}' names no place")
    return Unroll(everything, tuple(functions), tuple(lines))


def _number(text: str, part: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,20}", text):
        _complain(f"'{part}' is not a loop bound")
    if not 1 <= int(text) <= LARGEST:
        _complain(f"a loop bound of {text} is out of range")
    return int(text)


def _complain(message: str) -> NoReturn:
    hint = f"give --unroll a number from 1 to {LARGEST}, or bounds of places such as push=3,queue.c:41=5"
    raise UsageError(ErrorCode.BAD_VALUE, message, hint=hint)


def bounds_in(program: Program, unroll: Unroll) -> Bounds:
    """The bounds of a program's loops and functions; unknown places are errors."""
    loops: dict[int, int] = {}
    calls: dict[int, int] = {}
    for name, bound in unroll.functions:
        inside = [number for number, loop in enumerate(program.loops) if loop.function == name]
        recursive = [
            i for i, f in enumerate(program.functions) if f.name == name and _calls_itself(program, i)
        ]
        if not inside and not recursive:
            of_line = bound if name.isdigit() else None
            _unknown(program, f"there is no loop in a function '{name}', nor does it call itself", of_line)
        loops.update((number, bound) for number in inside)
        calls.update((number, bound) for number in recursive)
    at_lines: dict[int, int] = {}
    for file, line, bound in unroll.lines:
        there = _loops_at(program, file, line)
        if not there:
            _unknown(program, f"no loop starts at {file}:{line}")
        if not at_lines.keys().isdisjoint(there):
            _complain(f"the loop at {file}:{line} has two bounds")
        at_lines.update((number, bound) for number in there)
    loops.update(at_lines)
    return Bounds(unroll.everything, tuple(loops.items()), tuple(calls.items()))


def _lines(program: Program) -> Iterator[tuple[str, int] | None]:
    """Where each loop starts."""
    for loop in program.loops:
        at = program.positions[loop.position] if loop.position < len(program.positions) else None
        yield (at.file, at.line) if at else None


def _loops_at(program: Program, file: str, line: int) -> list[int]:
    """The loops in a line of a file that is called by its path, however spelt, or by the end of it."""
    in_line = [(n, at[0]) for n, at in enumerate(_lines(program)) if at is not None and at[1] == line]
    exactly = [n for n, known in in_line if os.path.realpath(known) == os.path.realpath(file)]
    end = f"/{os.path.normpath(file)}"
    return exactly or [n for n, known in in_line if os.path.abspath(known).endswith(end)]


def _unknown(program: Program, message: str, number: int | None = None) -> NoReturn:
    """Complains; with the ``number`` that follows what may be a line without its file."""
    known = sorted({f"{at[0]}:{at[1]} (in {loop.function})" for at, loop in _named(program)})
    hint = f"the loops are at {', '.join(known)}" if known else "the program has no loops"
    if known and number is not None:
        hint = f"for a line, write FILE:LINE=N, such as {known[0].split(' ')[0]}={number}; {hint}"
    raise UsageError(ErrorCode.BAD_VALUE, message, hint=hint)


def _named(program: Program) -> Iterator[tuple[tuple[str, int], Loop]]:
    pairs = zip(_lines(program), program.loops, strict=True)
    return ((at, loop) for at, loop in pairs if at is not None)


def _calls_itself(program: Program, function: int) -> bool:
    from mazurka.program.flow.program import ProgramFlow

    flow = ProgramFlow(program)
    reached, new = set[int](), set(flow.calls(function))
    while new:
        reached |= new
        new = {callee for caller in new for callee in flow.calls(caller)} - reached
    return function in reached
