"""A Program as plain data that JSON can hold, and back.

I1: every field of every part is written, in the order in which its class declares it; ``program_of`` gives
back an equal Program.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from mazurka.program import (
    FrameObject,
    Function,
    Global,
    Instr,
    Limited,
    Loop,
    Mode,
    Op,
    Position,
    Program,
    Source,
    SwitchTable,
    ThreadLocal,
    TypeInfo,
)
from mazurka.program.loop_notes import Fate, Hindrance, LoopNote, Obstacle, Reshaping
from mazurka.program.sync import Case, Effect, Expression, Hold, Operation, SyncObject, Term


def plain(value: Any) -> Any:
    """A Program, or a part of one, as lists, numbers and strings."""
    if is_dataclass(value):
        return [plain(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value.hex() if isinstance(value, bytes) else value


def program_of(data: list[Any]) -> Program:
    """The Program that ``plain`` was given; raises what a constructor raises if it is something else."""
    functions, entry, globals_, constants, lists, switches, strings, *rest = data
    positions, loops, types, thread_locals, operations, notes, sources, volatile, *said = rest
    machine, arguments, warnings, limited = said
    return Program(
        functions=tuple(_function(*row) for row in functions),
        entry=entry,
        globals=tuple(_global(*row) for row in globals_),
        constants=tuple(constants),
        lists=tuple(tuple(row) for row in lists),
        switches=tuple(SwitchTable(_pairs(cases), default) for cases, default in switches),
        strings=tuple(strings),
        positions=tuple(Position(*row) for row in positions),
        loops=tuple(Loop(*row) for row in loops),
        types=tuple(_type(*row) for row in types),
        thread_locals=tuple(
            ThreadLocal(offset, size, bytes.fromhex(data)) for offset, size, data in thread_locals
        ),
        operations=tuple(_operation(*row) for row in operations),
        notes=tuple(_note(*row) for row in notes),
        sources=sources,
        volatile=tuple((place, name) for place, name in volatile),
        machine=machine,
        arguments=arguments,
        warnings=tuple(warnings),
        limited=tuple(Limited(*row) for row in limited),
    )


def _function(
    name: str, params: int, registers: int, frame_size: int, objects: Any, code: Any, position: int
) -> Function:
    kept = tuple(FrameObject(*row) for row in objects)
    return Function(name, params, registers, frame_size, kept, tuple(_instr(*row) for row in code), position)


def _instr(op: int, dst: int, a: int, b: int, c: int, width: int, mode: int, x: int, *rest: Any) -> Instr:
    position, expr, source = rest
    return Instr(Op(op), dst, a, b, c, width, Mode(mode), x, position, expr, _source(source))


def _source(row: Any) -> Source | None:
    if row is None:
        return None
    mode, failure = row
    return Source(None if mode is None else Mode(mode), Mode(failure))


def _note(loop: int, fate: int, hindrance: Any, reshaping: int, tests_exchanges: bool) -> LoopNote:
    why = None
    if hindrance is not None:
        obstacle, position, target = hindrance
        why = Hindrance(Obstacle(obstacle), position, target)
    return LoopNote(loop, Fate(fate), why, Reshaping(reshaping), tests_exchanges)


def _global(name: str, address: int, size: int, data: Any, constant: bool, type_: int) -> Global:
    pieces = tuple((at, bytes.fromhex(digits)) for at, digits in data)
    return Global(name, address, size, pieces, constant, type_)


def _type(name: str, size: int, kind: str, members: Any, element: int) -> TypeInfo:
    return TypeInfo(
        name, size, kind, tuple((part, offset, type_) for part, offset, type_ in members), element
    )


def _operation(
    object_: Any, name: str, reads: int | None, writes: int, cases: Any, overwrites: Any, *rest: Any
) -> Operation:
    others = (*rest[:-1], Hold(rest[-1]))
    return Operation(
        SyncObject(*object_),
        name,
        None if reads is None else Mode(reads),
        Mode(writes),
        tuple(_case(*row) for row in cases),
        tuple(_case(*row) for row in overwrites),
        *others,
    )


def _case(when: Any, effect: int, value: Any, result: Any, message: str) -> Case:
    known = None if result is None else _expression(*result)
    return Case(_expression(*when), Effect(effect), _expression(*value), known, message)


def _expression(term: int, number: int, op: int, parts: Any) -> Expression:
    return Expression(Term(term), number, Op(op), tuple(_expression(*row) for row in parts))


def _pairs(cases: Any) -> tuple[tuple[int, int], ...]:
    return tuple((value, target) for value, target in cases)
