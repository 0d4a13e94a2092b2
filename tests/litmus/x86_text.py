"""Small tests as x86 assembly in herd's format: all accesses are alike, and fences are MFENCE."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

from mazurka.program import Mode
from mazurka.testing import (
    CompareExchange,
    Exchange,
    Fence,
    FetchAdd,
    Guard,
    Load,
    Operation,
    Register,
    Store,
    Test,
)

REGISTERS = 8  # a thread's registers are R8D to R15D; EAX and ECX hold intermediate values


def plain(test: Test) -> Test:
    """The test without modes."""
    return replace(test, threads=tuple(tuple(map(_plain, thread)) for thread in test.threads))


def _plain(operation: Operation) -> Operation:
    match operation:
        case Guard(register, value, body):
            return Guard(register, value, tuple(map(_plain, body)))
        case Fence():
            return Fence(Mode.SC)
        case CompareExchange():
            return replace(operation, mode=Mode.RLX, failure=Mode.RLX)
        case Load() | Store() | FetchAdd() | Exchange():
            return replace(operation, mode=Mode.RLX)
    return operation


def to_x86(test: Test) -> str:
    """The file of a plain test."""
    initial = " ".join(f"{name}={value};" for name, value in test.variables)
    columns = [[f"P{number}", *_Thread().lines(thread)] for number, thread in enumerate(test.threads)]
    rows = [" | ".join(cells) + " ;" for cells in zip_longest(*columns, fillvalue="")]
    return "\n".join(["X86 random", f"{{ {initial} }}", *rows, "exists (true)", ""])


class _Thread:
    """Writes a thread, counting the registers that it fills and the labels that it uses."""

    def __init__(self) -> None:
        self.filled = 0
        self.labels = 0

    def lines(self, operations: tuple[Operation, ...]) -> Iterator[str]:
        for operation in operations:
            if isinstance(operation, Guard):
                self.labels += 1
                label = f"L{self.labels}"
                yield from (f"CMP {_value(operation.register)},{_value(operation.value)}", f"JNE {label}")
                yield from self.lines(operation.body)
                yield f"{label}:"
            else:
                yield from self._access(operation)

    def _access(self, operation: Operation) -> Iterator[str]:
        target = f"R{8 + self.filled}D"
        match operation:
            case Fence():
                yield "MFENCE"
                return
            case Store(_, place, value):
                yield f"MOV [{place}],{_value(value)}"
                return
            case Load(_, place):
                yield f"MOV {target},[{place}]"
            case FetchAdd(_, place, value):
                yield from (f"MOV {target},{_value(value)}", f"LOCK XADD [{place}],{target}")
            case Exchange(_, place, value):
                yield from (f"MOV {target},{_value(value)}", f"XCHG {target},[{place}]")
            case CompareExchange(_, place, expected, new):
                yield from (f"MOV EAX,{_value(expected)}", f"MOV ECX,${new}")
                yield from (f"LOCK CMPXCHG [{place}],ECX", f"MOV {target},EAX")
        self.filled += 1


def _value(value: int | Register) -> str:
    return f"R{8 + value.number}D" if isinstance(value, Register) else f"${value}"
