"""Statements of C, as programs with pthreads and herd's litmus tests both write them.

Departs 1: a litmus test's functions get pointers to the shared variables, and declare a register where they
fill it; herd has no compare-exchange whose expected value is a register, so these are refused there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mazurka.counterexamples.realise import (
    MASK,
    Branch,
    FailedUpdate,
    Fence,
    Load,
    Statement,
    Store,
    Unrealizable,
    Update,
)

_ORDERS = {
    "rlx": "memory_order_relaxed",
    "acq": "memory_order_acquire",
    "rel": "memory_order_release",
    "acqrel": "memory_order_acq_rel",
    "sc": "memory_order_seq_cst",
}
_INDENT = "    "
NEVER = -1  # a value that no location has


@dataclass(frozen=True)
class Dialect:
    """How the address of a shared variable is written, and what stands before a register that is filled."""

    address: str
    declared: str

    def block(self, statements: tuple[Statement, ...], depth: int = 1) -> Iterator[str]:
        """The lines of a block."""
        for statement in statements:
            if isinstance(statement, Branch):
                yield f"{_INDENT * depth}if ({statement.register} == {statement.value}) {{"
                yield from self.block(statement.body, depth + 1)
                yield f"{_INDENT * depth}}}"
            else:
                yield from (f"{_INDENT * depth}{line};" for line in self._lines(statement))

    def _lines(self, statement: Statement) -> Iterator[str]:
        match statement:
            case Fence(mode):
                yield f"atomic_thread_fence({_ORDERS[mode]})"
            case Load(register, place, "na", address):
                yield f"{self.declared}{register} = {self._plain(place, address)}"
            case Load(register, place, mode, address):
                pointer = self._pointer(place, address)
                yield f"{self.declared}{register} = atomic_load_explicit({pointer}, {_ORDERS[mode]})"
            case Store(place, value, "na", address, data):
                yield f"{self._plain(place, address)} = {_depending(str(value), data)}"
            case Store(place, value, mode, address, data):
                arguments = f"{self._pointer(place, address)}, {_depending(str(value), data)}"
                yield f"atomic_store_explicit({arguments}, {_ORDERS[mode]})"
            case Update(expected=None):
                yield self._exchange(statement)
            case Update(register, place, value, mode, address, data, _, int(expected)):
                desired = _depending(str(value), data)
                yield from self._compare(register, place, address, expected, desired, mode, "rlx")
            case FailedUpdate(register, place, mode, address):
                yield from self._compare(register, place, address, NEVER, "0", mode, mode)

    def _exchange(self, update: Update) -> str:
        """An exchange, or an addition if what is written depends on what is read."""
        function, value = ("exchange", update.value)
        if update.added is not None:
            function, value = ("fetch_add", update.added)
        arguments = f"{self._pointer(update.place, update.address)}, {_depending(str(value), update.data)}"
        call = f"atomic_{function}_explicit({arguments}, {_ORDERS[update.mode]})"
        return f"{self.declared}{update.register} = {call}"

    def _compare(
        self,
        register: str,
        place: str,
        address: tuple[str, ...],
        expected: int,
        desired: str,
        success: str,
        failure: str,
    ) -> Iterator[str]:
        if self.declared:
            raise Unrealizable("herd's C has no compare-exchange with a register")
        yield f"{register} = {expected}"
        orders = f"{_ORDERS[success]}, {_ORDERS[failure]}"
        arguments = f"{self._pointer(place, address)}, &{register}, {desired}, {orders}"
        yield f"atomic_compare_exchange_strong_explicit({arguments})"

    def _pointer(self, place: str, address: tuple[str, ...]) -> str:
        return _depending(f"{self.address}{place}", address)

    def _plain(self, place: str, address: tuple[str, ...]) -> str:
        """A location without its atomicity."""
        pointer = self._pointer(place, address)
        cast = "(int *)" if self.address else ""
        return f"*{cast}({pointer})" if address else f"*{cast}{pointer}"


def _depending(what: str, registers: tuple[str, ...]) -> str:
    """A value with a dependency that does not change it."""
    if not registers:
        return what
    together = registers[0] if len(registers) == 1 else f"({' | '.join(registers)})"
    return f"{what} + ({together} & {MASK})"


def has_dependency(statements: tuple[Statement, ...]) -> bool:
    """Whether some address or value depends on a register."""
    return any(
        has_dependency(statement.body)
        if isinstance(statement, Branch)
        else bool(getattr(statement, "address", ()) or getattr(statement, "data", ()))
        for statement in statements
    )
