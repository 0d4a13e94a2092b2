"""Tests of ``mazurka.testing`` as programs that are written in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mazurka
from mazurka.program import Mode
from mazurka.testing import (
    Assume,
    CompareExchange,
    Exchange,
    Fence,
    FetchAdd,
    Guard,
    Indexed,
    Load,
    Lock,
    Operation,
    Part,
    Refute,
    Register,
    Section,
    Store,
    Test,
    Unlock,
)
from mazurka.testing.operations import Choose, count_registers, flatten
from mazurka.tracing.variables import ORDERS

NAMES = {mode: order for order, mode in ORDERS.items()}


def traced(test: Test) -> mazurka.Threads:
    """A test as Python functions, each of which returns all that it read."""

    def function(operations: tuple[Operation, ...]) -> Callable[[], Any]:
        return lambda: tuple(_Thread(test).run(operations))

    return mazurka.Threads(*map(function, test.threads))


def can_be_traced(test: Test) -> bool:
    """Whether a test has only what Python programs have: neither parts of variables nor atomic sections."""
    operations = [operation for thread in test.threads for operation in flatten(thread)]
    parts = any(isinstance(getattr(operation, "place", None), Part) for operation in operations)
    return not parts and not any(isinstance(operation, Section) for operation in operations)


class _Thread:
    """Does what the operations of a thread say."""

    def __init__(self, test: Test) -> None:
        self.atomics = {name: mazurka.atomic(name, value) for name, value in test.variables}
        self.plains = {name: mazurka.plain(name, value) for name, value in test.variables}
        self.mutexes = {name: mazurka.mutex(name) for name in test.mutexes}
        self.names = [name for name, _ in test.variables]
        self.read: list[Any] = []

    def run(self, operations: tuple[Operation, ...]) -> list[Any]:
        """All that was read or chosen, in textual order."""
        for operation in operations:
            match operation:
                case Guard(register, value, body):
                    if self.read[register.number] == value:
                        self.run(body)
                    else:
                        self.read += [0] * count_registers(body)
                case Assume(register, value):
                    mazurka.assume(self.read[register.number] == value)
                case Refute(register, value):
                    assert self.read[register.number] != value
                case Lock(mutex):
                    self.mutexes[mutex].lock()
                case Unlock(mutex):
                    self.mutexes[mutex].unlock()
                case Fence(mode):
                    mazurka.fence(NAMES[mode])
                case Choose(first, last):
                    self.read.append(mazurka.choose(first, last))
                case _:
                    self._access(operation)
        return self.read

    def _access(self, operation: Operation) -> None:
        assert isinstance(operation, Load | Store | FetchAdd | Exchange | CompareExchange)
        name = self._name(operation.place)
        if operation.mode is Mode.NA:
            plain = self.plains[name]
            if isinstance(operation, Load):
                self.read.append(plain.load())
            else:
                assert isinstance(operation, Store)
                plain.store(self._value(operation.value))
            return
        place, order = self.atomics[name], NAMES[operation.mode]
        match operation:
            case Load():
                self.read.append(place.load(order))
            case Store(_, _, value):
                place.store(self._value(value), order)
            case FetchAdd(_, _, value):
                self.read.append(place.fetch_add(self._value(value), order))
            case Exchange(_, _, value):
                self.read.append(place.exchange(self._value(value), order))
            case CompareExchange(_, _, expected, new, failure):
                self.read.append(place.compare_exchange(self._value(expected), new, order, NAMES[failure]))

    def _name(self, place: object) -> str:
        """The variable that is accessed; one that a register selects is found by asking."""
        if not isinstance(place, Indexed):
            return str(place)
        index = self.read[place.register.number] & place.mask
        for number in range(place.mask):
            if index == number:
                return self.names[place.first + number]
        return self.names[place.first + place.mask]

    def _value(self, value: int | Register) -> Any:
        return self.read[value.number] if isinstance(value, Register) else value
