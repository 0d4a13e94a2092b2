"""What instructions of all machines, and statements of C, are made of.

An instruction is a sequence of operations on a thread's registers. Dependencies follow from them: an
operation reads the registers among its operands and fills its destinations, and nothing else.

I1: addresses are computed into registers: an access has one operand for its address.
I2: registers that no program can name, such as flags and intermediate results, begin with ``%``.
I3: registers have 64 bits. ``Compute`` works on ``width`` bits and clears the others; so do loads.
I4: a machine's zero register is the number 0 where it is read, and ``None`` where it is filled.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from mazurka.errors import Place
from mazurka.litmus.meaning.values import Address
from mazurka.program import Op, RmwOp


@dataclass(frozen=True, slots=True)
class Register:
    """A register of the thread, by its full name."""

    name: str


Operand: TypeAlias = Register | int | Address


class Order(Enum):
    """How an access is marked. A machine or a language uses some of these."""

    PLAIN = "plain"  # of a machine: nothing is said; of C: not atomic
    RELAXED = "relaxed"  # C11
    ONCE = "once"  # the kernel's READ_ONCE, WRITE_ONCE, and relaxed atomics
    CONSUME = "consume"
    ACQUIRE = "acquire"
    ACQUIRE_PC = "acquire-pc"  # LDAPR
    RELEASE = "release"
    ACQUIRE_RELEASE = "acquire-release"  # RISC-V's .aqrl, and of C11's read-modify-writes
    SC = "sc"
    FULL = "full"  # the kernel's atomics that return a value: a full fence on both sides
    NO_RETURN = "no-return"  # an atomic operation whose instruction returns nothing


@dataclass(frozen=True, slots=True)
class Compute:
    """``dst = op(a, b, c)`` on ``width`` bits; ``x`` as in the bytecode, which has the same opcodes."""

    op: Op
    dst: Register
    a: Operand
    b: Operand = 0
    c: Operand = 0
    width: int = 64
    x: int = 0


@dataclass(frozen=True, slots=True)
class Load:
    """Reads ``size`` bytes, without a sign; of 16 bytes, ``high`` gets the upper half.

    An exclusive load begins what an exclusive store of the thread ends.
    """

    dst: Register | None
    address: Operand
    size: int
    order: Order = Order.PLAIN
    is_exclusive: bool = False
    high: Register | None = None


@dataclass(frozen=True, slots=True)
class Store:
    """Writes ``size`` bytes. An exclusive store may fail; ``status`` gets 0 if it succeeds, and else 1."""

    address: Operand
    value: Operand
    size: int
    order: Order = Order.PLAIN
    is_exclusive: bool = False
    status: Register | None = None
    high: Operand | None = None


@dataclass(frozen=True, slots=True)
class Rmw:
    """Reads, and writes what ``op`` makes of the old value and ``value``, at once.

    With ``unless`` it writes only if the old value is another one. ``clears`` stands for the operation
    ``old & ~value``, which the bytecode does not have: ``op`` is AND then.
    """

    op: RmwOp
    dst: Register | None
    address: Operand
    value: Operand
    size: int
    read: Order = Order.PLAIN
    write: Order = Order.PLAIN
    clears: bool = False
    unless: Operand | None = None


@dataclass(frozen=True, slots=True)
class CompareSwap:
    """Writes ``new`` if it reads ``expected``, at once; ``dst`` gets what it read. Pairs have upper halves.

    ``success`` gets 1 if it wrote, and else 0. A failed one is a read with the order ``failure``; a weak one
    may fail for no reason.
    """

    dst: Register | None
    address: Operand
    expected: Operand
    new: Operand
    size: int
    read: Order = Order.PLAIN
    write: Order = Order.PLAIN
    failure: Order = Order.PLAIN
    high: tuple[Register | None, Operand, Operand] | None = None
    success: Register | None = None
    is_weak: bool = False


@dataclass(frozen=True, slots=True)
class Fence:
    """A fence, by its name: ``dmb.sy``, ``lwsync``, ``fence.rw.w``, ``mfence``, ``rcu-lock``."""

    kind: str
    order: Order = Order.PLAIN  # of C11's


@dataclass(frozen=True, slots=True)
class LockOperation:
    """An operation of the kernel's on a lock: ``lock``, ``unlock``, ``trylock``, ``is-locked``.

    Of SRCU: ``srcu-lock``, ``srcu-unlock``, ``srcu-sync``, where ``value`` is the index to unlock.
    """

    kind: str
    address: Operand
    dst: Register | None = None
    value: Operand | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """Goes to a label if the condition is not 0, or always without one.

    In C, control dependencies end where the branches meet again, at the label ``join``; on machines never.
    """

    condition: Register | None
    target: str
    join: str | None = None


@dataclass(frozen=True, slots=True)
class Label:
    """A place that branches can name."""

    name: str


Operation: TypeAlias = Compute | Load | Store | Rmw | CompareSwap | Fence | LockOperation | Branch | Label
_SOURCES = ("a", "b", "c", "address", "value", "expected", "new", "high", "unless", "condition")
END = ""  # the label behind the last instruction


def sources(operation: Operation) -> tuple[Operand, ...]:
    """What an operation reads: registers, numbers and addresses of locations."""
    if isinstance(operation, Load):
        return (operation.address,)
    if isinstance(operation, CompareSwap) and operation.high is not None:
        _, expected, new = operation.high
        return (operation.address, operation.expected, operation.new, expected, new)
    found = (getattr(operation, name, None) for name in _SOURCES)
    return tuple(operand for operand in found if operand is not None)


@dataclass(frozen=True, slots=True)
class Instruction:
    """An instruction or a statement as it is written, and what it does, in order."""

    text: str
    operations: tuple[Operation, ...]
    place: Place
