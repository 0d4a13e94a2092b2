"""What the functions of ``functions`` do, as operations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mazurka.litmus.c.functions import MEMORY_ORDERS, Function
from mazurka.litmus.meaning.operations import (
    CompareSwap,
    Fence,
    Load,
    LockOperation,
    Operand,
    Order,
    Rmw,
    Store,
)
from mazurka.litmus.meaning.values import TYPES, Type
from mazurka.litmus.text.problems import closest
from mazurka.litmus.text.tokens import Token
from mazurka.program import Op, RmwOp

if TYPE_CHECKING:
    from mazurka.litmus.c.expressions import Expressions, Typed

CELL = 8  # bytes of a shared variable
INT = TYPES["int"]
_READS = {Order.RELEASE: Order.RELAXED}  # a read-modify-write's order, as its read has it
_WRITES = {Order.ACQUIRE: Order.RELAXED, Order.CONSUME: Order.RELAXED}
_NOT_READ = (Order.RELEASE, Order.ACQUIRE_RELEASE)
_FORBIDDEN = {
    **{"load": _NOT_READ, "failed compare-exchange": _NOT_READ},
    "store": (Order.CONSUME, Order.ACQUIRE, Order.ACQUIRE_RELEASE),
}
_FOR_READS = "use memory_order_relaxed, memory_order_consume, memory_order_acquire or memory_order_seq_cst"
_ALLOWED_ORDERS = {
    **{"load": _FOR_READS, "failed compare-exchange": _FOR_READS},
    "store": "use memory_order_relaxed, memory_order_release or memory_order_seq_cst",
}


class Calls:
    """Reads the arguments of a call, and adds what it does."""

    def __init__(self, expressions: Expressions) -> None:
        self.e = expressions

    def call(self, name: Token, function: Function) -> Typed:
        """The value of a call whose parenthesis comes next."""
        tokens = self.e.tokens
        tokens.expect("(", f"call the function: {name.text}(…)")
        self.name, self.arguments = name, 0
        result: Typed = getattr(self, f"_{function.kind}")(function)
        if tokens.peek().text != ")":
            number = "no arguments" if not self.arguments else f"{self.arguments} arguments"
            number = "1 argument" if self.arguments == 1 else number
            raise tokens.unexpected(f"{name.text} takes {number}", "remove the others")
        tokens.take()
        return result

    # arguments

    def _separator(self) -> None:
        if self.arguments:
            self.e.tokens.expect(",", f"{self.name.text} takes more arguments")
        elif self.e.tokens.peek().text == ")":
            raise self.e.tokens.unexpected(
                f"{self.name.text} needs an argument", "name it in the parentheses"
            )
        self.arguments += 1

    def _value(self) -> Typed:
        self._separator()
        return self.e.value()

    def _pointer(self) -> tuple[Operand, Type]:
        """An address, and the type of what is there."""
        value, kind = self._value()
        return value, pointee(kind)

    def _place(self) -> tuple[Operand, Type]:
        self._separator()
        return self.e.place()

    def _order(self, what: str = "") -> Order:
        """An order; that of a load, a store or a failed compare-exchange cannot be any."""
        self._separator()
        token = self.e.tokens.name("a memory order", "such as memory_order_relaxed")
        if token.text not in MEMORY_ORDERS:
            raise self.e.tokens.source.problem(
                token.at,
                f"'{token.text}' is not a memory order",
                hint=closest(token.text, MEMORY_ORDERS, "such as memory_order_relaxed"),
                length=len(token.text),
            )
        order = MEMORY_ORDERS[token.text]
        if what and order in _FORBIDDEN[what]:
            raise self.e.tokens.source.problem(
                token.at,
                f"a {what} cannot have {token.text}",
                hint=_ALLOWED_ORDERS[what],
                length=len(token.text),
            )
        return order

    def _orders(self, function: Function) -> tuple[Order, Order]:
        """The orders of the halves of a read-modify-write."""
        if not function.has_order:
            return function.read, function.write
        order = self._order()
        return _READS.get(order, order), _WRITES.get(order, order)

    # what they do

    def _nothing(self, function: Function) -> Typed:
        if function.has_order:
            self._order()
        return 0, INT

    def _fence(self, function: Function) -> Typed:
        order = self._order() if function.has_order else Order.PLAIN
        self.e.emit(Fence(function.word, order))
        return 0, INT

    def _load(self, function: Function) -> Typed:
        address, kind = self._pointer()
        order = self._order("load") if function.has_order else function.read
        return self._loaded(address, kind, order)

    def _read_place(self, function: Function) -> Typed:
        address, kind = self._place()
        return self._loaded(address, kind, function.read)

    def _loaded(self, address: Operand, kind: Type, order: Order) -> Typed:
        dst = self.e.fresh()
        self.e.emit(Load(dst, address, CELL, order))
        return dst, kind

    def _store(self, function: Function) -> Typed:
        address, kind = self._pointer()
        value = self.e.converted(self._value(), kind)
        order = self._order("store") if function.has_order else function.write
        self.e.emit(Store(address, value, CELL, order))
        return value, kind

    def _store_and_fence(self, function: Function) -> Typed:
        stored = self._write_place(function) if self.e.at_place() else self._store(function)
        self.e.emit(Fence("mb"))
        return stored

    def _write_place(self, function: Function) -> Typed:
        address, kind = self._place()
        value = self.e.converted(self._value(), kind)
        self.e.emit(Store(address, value, CELL, function.write))
        return value, kind

    def _rmw(self, function: Function) -> Typed:
        """``f(pointer, value)``, with an order behind it or not; gives the old value."""
        address, kind = self._pointer()
        value = self.e.converted(self._value(), kind)
        read, write = self._orders(function)
        dst = self.e.fresh()
        self.e.emit(Rmw(function.op, dst, address, value, CELL, read, write))
        return dst, kind

    def _counted(self, function: Function) -> Typed:
        """The kernel's operations: ``f(value, pointer)``, or ``f(pointer)`` if the value is fixed."""
        given = (function.value, INT) if function.value is not None else self._value()
        address, kind = self._pointer()
        value = self.e.converted(given, kind)
        dst = None if function.returns == "nothing" else self.e.fresh()
        operands = (function.op, dst, address, value, CELL, function.read, function.write)
        self.e.emit(Rmw(*operands, clears=function.clears))
        if dst is None or function.returns == "old":
            return dst or 0, kind
        op = Op.SUB if function.op is RmwOp.SUB else Op.ADD
        new = self.e.narrowed(self.e.compute(op, dst, value), kind)
        if function.returns == "new":
            return new, kind
        return self.e.compute(Op.EQ if function.returns == "zero" else Op.SLT, new, 0), INT

    def _add_unless(self, function: Function) -> Typed:
        """``f(pointer, value, unless)``: 1 if it was added."""
        address, kind = self._pointer()
        fixed = function.value
        value = self.e.converted(self._value(), kind) if fixed is None else fixed
        unless = self.e.converted(self._value(), kind) if fixed is None else 0
        dst = self.e.fresh()
        operands = (RmwOp.ADD, dst, address, value, CELL, function.read, function.write)
        self.e.emit(Rmw(*operands, unless=unless))
        return self.e.compute(Op.NE, dst, unless), INT

    def _compare_swap(self, function: Function) -> Typed:
        """The kernel's ``cmpxchg(pointer, old, new)``: the old value. One that fails orders nothing."""
        address, kind = self._pointer()
        expected = self.e.converted(self._value(), kind)
        new = self.e.converted(self._value(), kind)
        dst = self.e.fresh()
        orders = (function.read, function.write, Order.ONCE)
        self.e.emit(CompareSwap(dst, address, expected, new, CELL, *orders))
        return dst, kind

    def _compare_exchange(self, function: Function) -> Typed:
        """C11's, and ``try_cmpxchg``: a variable has the expected value, and gets the one that is there."""
        address, kind = self._pointer()
        self._separator()
        expected = self.e.expected_variable()
        new = self.e.converted(self._value(), kind)
        (read, write), failure = (function.read, function.write), function.failure
        if function.has_order:
            read, write = self._orders(function)
            failure = self._order("failed compare-exchange")
        wanted = self.e.converted(expected.read(), kind)
        dst, success = self.e.fresh(), self.e.fresh()
        operands = (dst, address, wanted, new, CELL, read, write, failure)
        self.e.emit(CompareSwap(*operands, success=success, is_weak=function.is_weak))
        expected.write_unless(success, dst)
        return success, INT

    def _lock(self, function: Function) -> Typed:
        address, _ = self._pointer()
        value = self._value()[0] if function.word == "srcu-unlock" else None
        returns = function.word in ("trylock", "is-locked", "srcu-lock")
        dst = self.e.fresh() if returns else None
        self.e.emit(LockOperation(function.word, address, dst, value))
        return dst or 0, INT


def pointee(kind: Type) -> Type:
    """The type of what an address points to. Integers serve as addresses, too: of their own kind."""
    if kind.depth == 0:
        return kind
    return Type(kind.name, kind.size, kind.is_signed, kind.is_atomic, kind.depth - 1)
