"""How synchronisation objects are described: a word of memory, and operations that change it.

An operation is a list of cases. The first whose condition holds for the word says what happens: the word
gets a new value; it stays, and the thread gets a result; the thread waits; or it is misuse, a finding. An
operation may also be a meeting: the thread waits until enough threads have come, in whatever order.
Nothing else defines what an operation does: the front-end, the engine, the reference and the reports read the
description, and none of them knows an object by name. ``sync_objects`` has the objects;
``docs/reference/synchronisation.md`` says what descriptions mean.

I1: the last case of an operation always applies.
I2: an operation that does not read the word (``reads`` is None) is one write. Its cases are about what the
same thread wrote last; they neither wait nor have a result. ``overwrites`` says what it must not overwrite.
I3: a meeting (``meets``) is an operation of that one case. It neither reads nor writes the word.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from mazurka.program.opcodes import Mode, Op


class Term(IntEnum):
    """The forms of expressions."""

    OLD = 0  # the word's value
    THREAD = 1  # the ThreadId
    OPERAND = 2  # the instruction's operand
    NUMBER = 3
    COMPUTED = 4  # from two others, by a value instruction of 64 bits


@dataclass(frozen=True, slots=True)
class Expression:
    """A number made from the word, the thread and the operand; a condition holds if it is not 0."""

    term: Term
    number: int = 0
    op: Op = Op.MOV
    parts: tuple[Expression, ...] = ()

    def equals(self, other: Expression | int) -> Expression:
        """1 if both are the same, else 0."""
        return _computed(Op.EQ, self, other)

    def differs(self, other: Expression | int) -> Expression:
        """0 if both are the same, else 1."""
        return _computed(Op.NE, self, other)

    def __lt__(self, other: Expression | int) -> Expression:
        return _computed(Op.ULT, self, other)

    def __le__(self, other: Expression | int) -> Expression:
        return _computed(Op.ULE, self, other)

    def __add__(self, other: Expression | int) -> Expression:
        return _computed(Op.ADD, self, other)

    def __sub__(self, other: Expression | int) -> Expression:
        return _computed(Op.SUB, self, other)

    def __and__(self, other: Expression | int) -> Expression:
        return _computed(Op.AND, self, other)

    def __or__(self, other: Expression | int) -> Expression:
        return _computed(Op.OR, self, other)

    def __xor__(self, other: Expression | int) -> Expression:
        return _computed(Op.XOR, self, other)

    def __lshift__(self, other: Expression | int) -> Expression:
        return _computed(Op.SHL, self, other)

    def __rshift__(self, other: Expression | int) -> Expression:
        return _computed(Op.LSHR, self, other)


def number(value: int) -> Expression:
    """A constant."""
    return Expression(Term.NUMBER, value)


def _expression(value: Expression | int) -> Expression:
    return number(value) if isinstance(value, int) else value


def _computed(op: Op, left: Expression, right: Expression | int) -> Expression:
    return Expression(Term.COMPUTED, op=op, parts=(left, _expression(right)))


OLD, THREAD, OPERAND = (Expression(term) for term in (Term.OLD, Term.THREAD, Term.OPERAND))
ALWAYS, ZERO = number(1), number(0)


class Effect(IntEnum):
    """What happens in a case."""

    WRITE = 0  # the word becomes ``value``, and the thread gets ``result``
    STAY = 1  # the word stays as it is, and the thread gets ``result``
    WAIT = 2  # the thread waits until the word has another value
    MISUSE = 3  # a finding with this ``message``
    MEET = 4  # the thread waits until ``value`` threads have come


@dataclass(frozen=True, slots=True)
class Case:
    """What happens if a condition holds."""

    when: Expression
    effect: Effect
    value: Expression = ZERO
    result: Expression | None = None
    message: str = ""


def becomes(
    value: Expression | int, *, when: Expression = ALWAYS, result: Expression | int | None = None
) -> Case:
    """The word gets a new value."""
    return Case(when, Effect.WRITE, _expression(value), None if result is None else _expression(result))


def stays(result: Expression | int | None = None, *, when: Expression = ALWAYS) -> Case:
    """The word stays as it is."""
    return Case(when, Effect.STAY, result=None if result is None else _expression(result))


def waits(*, when: Expression = ALWAYS) -> Case:
    """The thread waits until the word has another value."""
    return Case(when, Effect.WAIT)


def misuse(message: str, *, when: Expression = ALWAYS) -> Case:
    """A finding."""
    return Case(when, Effect.MISUSE, message=message)


def meets(count: Expression) -> Case:
    """The thread waits until this many threads have come, itself included; then all of them go on."""
    return Case(ALWAYS, Effect.MEET, count)


@dataclass(frozen=True, slots=True)
class SyncObject:
    """What all operations on an object have in common."""

    name: str
    size: int  # bytes of its word
    kind: str  # the kind of violation that misuse is: a stable word
    title: str  # what the first line of a report says about misuse
    is_hidden: bool = False  # not an object of the program: reports use the name in the instruction
    unnamed: str = ""  # what reports use if the instruction has no name


class Hold(IntEnum):
    """What an operation that writes does to a thread's hold on the object."""

    NONE = 0
    TAKES = 1
    GIVES = 2  # gives it back


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that threads do with an object."""

    object: SyncObject
    name: str  # what reports call it, before the name of the object
    reads: Mode | None  # the mode of its read; None: it is a plain write (I2)
    writes: Mode  # the mode of its write
    cases: tuple[Case, ...]
    overwrites: tuple[Case, ...] = ()  # I2: misuse if the write before it, by any thread, has such a value
    unchanged: str = ""  # what reports add if it leaves the word as it is
    still: str = ""  # what reports call it instead if it leaves the word as it is
    done: str = "changed"  # what was done to the object, in "taken by T1"
    awaits: str = ""  # what a thread waits for in it, if it is not the object: "a signal of"
    stuck: str = ""  # the message if a thread waits in it forever
    stuck_alone: str = ""  # the same, if that thread itself wrote the word last, or came alone to a meeting
    while_met: str = ""  # the message if it is done while threads wait to meet at the object
    counts_rounds: bool = False  # its operand is the number of meetings here that the thread knows to be over
    makes: bool = False  # it makes the object, so the word need not have been written before
    fails_relaxed: bool = False  # a read that its write does not follow is relaxed
    shows: bool = False  # for reports: it looks at the object, so the row has the value that it saw
    is_internal: bool = False  # for reports: no operation of the program, so it has no row
    hold: Hold = Hold.NONE  # for reports: which threads hold the object

    @property
    def has_result(self) -> bool:
        """Whether the thread gets a result."""
        return any(case.result is not None for case in self.cases)

    @property
    def may_wait(self) -> bool:
        """Whether a thread waits in it, depending on what it reads."""
        return any(case.effect is Effect.WAIT for case in self.cases)

    @property
    def is_meeting(self) -> bool:
        """Whether threads meet in it (I3)."""
        return any(case.effect is Effect.MEET for case in self.cases)


@dataclass(frozen=True, slots=True)
class Call:
    """A step of a C function: an operation on the object that an argument points to."""

    operation: Operation
    argument: int = 0
    operand: int | None = None  # which argument is the operand; FIRST_RESULT: what the first step returned
    offset: int = 0  # of the word, in bytes from where the argument points
    if_used: bool = False  # only if the program uses what the function returns


Functions = dict[str, tuple[Call, ...]]  # by the name of a C function
FIRST_RESULT = -1
_NO_READ = 0xFF


def encode_operation(operation: Operation, string: Callable[[str], int]) -> bytes:
    """An operation as the engine (``program/sync.rs``) reads it; ``string`` gives texts their numbers."""
    reads = _NO_READ if operation.reads is None else operation.reads
    texts = (operation.object.kind, operation.stuck, operation.stuck_alone, operation.while_met)
    flags = operation.counts_rounds | operation.makes << 1 | operation.fails_relaxed << 2
    head = struct.pack("<5B", operation.object.size, reads, operation.writes, operation.has_result, flags)
    out = bytearray(head + struct.pack("<4I", *(string(text) for text in texts)))
    out += struct.pack("<I", len(operation.cases))
    for case in operation.cases:
        out += _encode_expression(case.when) + bytes((case.effect,)) + _encode_effect(case, string)
    out += struct.pack("<I", len(operation.overwrites))
    for case in operation.overwrites:
        out += _encode_expression(case.when) + struct.pack("<I", string(case.message))
    return bytes(out)


def _encode_effect(case: Case, string: Callable[[str], int]) -> bytes:
    match case.effect:
        case Effect.WRITE:
            return _encode_expression(case.value) + _encode_expression(case.result or ZERO)
        case Effect.STAY:
            return _encode_expression(case.result or ZERO)
        case Effect.WAIT:
            return b""
        case Effect.MISUSE:
            return struct.pack("<I", string(case.message))
        case Effect.MEET:
            return _encode_expression(case.value)


def _encode_expression(expression: Expression) -> bytes:
    head = bytes((expression.term,))
    if expression.term is Term.NUMBER:
        return head + struct.pack("<Q", expression.number)
    if expression.term is Term.COMPUTED:
        return head + bytes((expression.op,)) + b"".join(map(_encode_expression, expression.parts))
    return head
