"""What a test is made of: threads of operations on a few shared integers and mutexes.

I1: each operation that reads (load, fetch-add, exchange, compare-exchange) or chooses fills the next register
of its thread, numbered in textual order; a register whose operation was skipped by a guard holds 0.
I2: an operation uses only registers that are filled before it in the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from mazurka.program import Annotation, Mode


@dataclass(frozen=True)
class Register:
    """The value that the ``number``-th operation of the same thread that reads or chooses obtained."""

    number: int


@dataclass(frozen=True)
class Indexed:
    """The variable whose number is ``first`` and a register's value masked with ``mask``, added up.

    With the mask 0 the address is computed from the register, but does not change with it.
    """

    register: Register
    mask: int
    first: int = 0


@dataclass(frozen=True)
class Part:
    """Some bytes of a variable."""

    variable: str
    first: int
    size: int


Place: TypeAlias = str | Indexed | Part  # a variable by its name is its first four bytes
Value: TypeAlias = int | Register


@dataclass(frozen=True)
class Load:
    """Reads a variable into the next register."""

    mode: Mode
    place: Place


@dataclass(frozen=True)
class Store:
    """Writes a number or a register to a variable."""

    mode: Mode
    place: Place
    value: Value
    annotation: Annotation | None = None


@dataclass(frozen=True)
class Fence:
    """Orders by its mode. Of SRCU, in the domain of a variable; a critical section is one byte of it."""

    mode: Mode
    place: Part | Indexed | None = None


@dataclass(frozen=True)
class FetchAdd:
    """Adds to a variable atomically; the old value goes to the next register."""

    mode: Mode
    place: Place
    value: Value = 1


@dataclass(frozen=True)
class Exchange:
    """Replaces a variable atomically; the old value goes to the next register."""

    mode: Mode
    place: Place
    value: Value


@dataclass(frozen=True)
class CompareExchange:
    """Replaces ``expected`` by ``new``; the old value goes to the next register.

    If it finds another value it is a read with the mode ``failure``.
    """

    mode: Mode
    place: Place
    expected: Value
    new: int
    failure: Mode = Mode.RLX
    annotation: Annotation | None = None


@dataclass(frozen=True)
class Choose:
    """One of the numbers from ``first`` to ``last`` goes to the next register."""

    first: int
    last: int


@dataclass(frozen=True)
class Guard:
    """Runs the body only if a register has a value."""

    register: Register
    value: int
    body: tuple[Operation, ...]


class Shape(Enum):
    """How C writes a loop."""

    DO_WHILE = "do-while"
    WHILE = "while"
    FOR = "for"
    GOTO = "goto"


@dataclass(frozen=True)
class Repeat:
    """Runs the body until some registers have some values, at most ``most`` times if that is given.

    Registers keep their values from one round to the next (I1 holds of the first round).
    """

    body: tuple[Operation, ...]
    until: tuple[tuple[Register, Value], ...]
    most: int | None = None
    shape: Shape = Shape.DO_WHILE


@dataclass(frozen=True)
class Section:
    """Runs the body at once: an atomic section."""

    body: tuple[Operation, ...]


@dataclass(frozen=True)
class Refute:
    """An assertion that fails if a register has a value."""

    register: Register
    value: int


@dataclass(frozen=True)
class Assume:
    """Blocks the thread for good unless a register has a value."""

    register: Register
    value: int


@dataclass(frozen=True)
class Lock:
    """Takes a mutex, waiting until it is free."""

    mutex: str


@dataclass(frozen=True)
class Unlock:
    """Releases a mutex."""

    mutex: str


Operation: TypeAlias = (
    Load
    | Store
    | Fence
    | FetchAdd
    | Exchange
    | CompareExchange
    | Choose
    | Guard
    | Repeat
    | Section
    | Refute
    | Assume
    | Lock
    | Unlock
)
READING = (Load, FetchAdd, Exchange, CompareExchange)
ACCESSING = (*READING, Store)
FILLING = (*READING, Choose)


@dataclass(frozen=True)
class Test:
    """Threads of operations, the variables with their initial values, and the mutexes."""

    __test__ = False  # not a test case, whatever pytest reads into the name

    threads: tuple[tuple[Operation, ...], ...]
    variables: tuple[tuple[str, int], ...]
    mutexes: tuple[str, ...] = ()


def flatten(operations: tuple[Operation, ...]) -> Iterator[Operation]:
    """All operations in textual order; a guard, a loop or a section comes before its body."""
    for operation in operations:
        yield operation
        if isinstance(operation, Guard | Repeat | Section):
            yield from flatten(operation.body)


def parts(test: Test) -> list[Part]:
    """The parts of variables that a test accesses."""
    accesses = (o for thread in test.threads for o in flatten(thread) if isinstance(o, ACCESSING))
    return [access.place for access in accesses if isinstance(access.place, Part)]


def has_parts(test: Test) -> bool:
    """Whether a test accesses parts of variables; then its registers have 64 bits, and 32 otherwise."""
    return bool(parts(test))


def has_wide_parts(test: Test) -> bool:
    """Whether a test accesses parts of 16 bytes; then its registers have 128 bits."""
    return any(part.size > 8 for part in parts(test))


def count_registers(operations: tuple[Operation, ...]) -> int:
    """How many registers a thread has (I1)."""
    return sum(isinstance(operation, FILLING) for operation in flatten(operations))
