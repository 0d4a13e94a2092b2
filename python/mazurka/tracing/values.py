"""Numbers that are only known in an execution: results of reads, and what is computed from them.

They have 64 bits and a sign. What is asked of one in an ``if`` is a question for the recorder.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import NoReturn

from mazurka.errors import ErrorCode
from mazurka.program import Op, Position
from mazurka.tracing.places import mistake

BITS = 64
_MASK = (1 << BITS) - 1


def signed(number: int, bits: int = BITS) -> int:
    """A number of some bits, with its sign."""
    number &= (1 << bits) - 1
    return number - (1 << bits) if number >> (bits - 1) else number


# What each operation computes, of numbers with signs.
MEANING: Mapping[Op, Callable[[int, int], int]] = {
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.AND: lambda a, b: a & b,
    Op.OR: lambda a, b: a | b,
    Op.XOR: lambda a, b: a ^ b,
    Op.EQ: lambda a, b: int(a == b),
    Op.NE: lambda a, b: int(a != b),
    Op.SLT: lambda a, b: int(a < b),
    Op.SLE: lambda a, b: int(a <= b),
}


class Value:
    """A number of an execution. Arithmetic, comparisons and ``if`` work as with other numbers.

    I1: ``runs`` are the runs of functions whose steps it comes from. It means nothing in others.
    """

    runs: frozenset[object] = frozenset()

    def __add__(self, other: Number) -> Value:
        return Computed(Op.ADD, self, number(other))

    def __radd__(self, other: Number) -> Value:
        return Computed(Op.ADD, number(other), self)

    def __sub__(self, other: Number) -> Value:
        return Computed(Op.SUB, self, number(other))

    def __rsub__(self, other: Number) -> Value:
        return Computed(Op.SUB, number(other), self)

    def __mul__(self, other: Number) -> Value:
        return Computed(Op.MUL, self, number(other))

    __rmul__ = __mul__

    def __and__(self, other: Number) -> Value:
        return Computed(Op.AND, self, number(other))

    __rand__ = __and__

    def __or__(self, other: Number) -> Value:
        return Computed(Op.OR, self, number(other))

    __ror__ = __or__

    def __xor__(self, other: Number) -> Value:
        return Computed(Op.XOR, self, number(other))

    __rxor__ = __xor__

    def __neg__(self) -> Value:
        return Computed(Op.SUB, Constant(0), self)

    def __pos__(self) -> Value:
        return self

    def __invert__(self) -> Value:
        return Computed(Op.XOR, self, Constant(-1))

    def __eq__(self, other: object) -> Value:  # type: ignore[override]
        return Computed(Op.EQ, self, number(other))

    def __ne__(self, other: object) -> Value:  # type: ignore[override]
        return Computed(Op.NE, self, number(other))

    def __lt__(self, other: Number) -> Value:
        return Computed(Op.SLT, self, number(other))

    def __le__(self, other: Number) -> Value:
        return Computed(Op.SLE, self, number(other))

    def __gt__(self, other: Number) -> Value:
        return Computed(Op.SLT, number(other), self)

    def __ge__(self, other: Number) -> Value:
        return Computed(Op.SLE, number(other), self)

    def __bool__(self) -> bool:
        from mazurka.tracing.recording import recorder  # late: it imports this module

        return recorder("a value of an execution").decide(self)

    def _is_unknown(self, *_: object) -> NoReturn:
        message = "this operation is not supported on a value that is only known when the program is explored"
        hint = "use + - * & | ^ ~ and comparisons of values, and if; loop over range(n) with a constant n"
        raise mistake(message, hint, ErrorCode.UNSUPPORTED)

    __index__ = __int__ = __float__ = __iter__ = __abs__ = __round__ = _is_unknown
    __floordiv__ = __rfloordiv__ = __truediv__ = __rtruediv__ = __mod__ = __rmod__ = _is_unknown
    __divmod__ = __rdivmod__ = __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _is_unknown
    __pow__ = __rpow__ = _is_unknown
    __hash__ = _is_unknown  # in a set or a dict, the number would have to be known


class Constant(Value):
    """A number that is known."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __repr__(self) -> str:
        return str(self.value)


class Result(Value):
    """The result of a step of a thread, by the number of that step among those with a result."""

    def __init__(self, number: int, run: object = None) -> None:
        self.number = number
        self.runs = frozenset([] if run is None else [run])

    def __repr__(self) -> str:
        return f"r{self.number}"


class Computed(Value):
    """What an operation makes of two values."""

    def __init__(self, op: Op, left: Value, right: Value) -> None:
        self.op = op
        self.left = left
        self.right = right
        self.runs = left.runs | right.runs

    def __repr__(self) -> str:
        return f"({self.left!r} {self.op.name} {self.right!r})"


Number = Value | int


class NoValue(ABC):
    """What is no value, though Python takes it for one: to it, ``x == 1`` is false, and ``if x:`` true."""

    __slots__ = ()

    @abstractmethod
    def why_not(self) -> tuple[str, str]:
        """Why it is none, and the cure."""

    def refuse(self) -> NoReturn:
        """Refuses to be a value."""
        raise mistake(*self.why_not())

    def _no_number(self, *_: object) -> NoReturn:
        self.refuse()

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __invert__ = _no_number
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _no_number
    __lt__ = __le__ = __gt__ = __ge__ = __int__ = __index__ = _no_number


def number(given: object, where: Position | None = None) -> Value:
    """A value, or a constant as one, which must fit the numbers of executions."""
    if isinstance(given, int) and signed(given) != given:
        hint = f"give a whole number from {-(1 << BITS - 1)} to {(1 << BITS - 1) - 1}"
        raise mistake(f"{shown(given)} does not fit {BITS} bits", hint, where=where)
    return of_any_size(given)


def shown(number: int) -> str:
    """A number in messages: Python itself refuses to write out very long ones."""
    size = number.bit_length()
    return str(number) if size <= 2 * BITS else f"a number of {size} bits"


def of_any_size(given: object) -> Value:
    """The same, for a constant whose size is known otherwise."""
    if isinstance(given, Value):
        return given
    if isinstance(given, int):
        return Constant(int(given))
    hint = "variables hold integers: use an int, or what a load returned"
    hint = given.why_not()[1] if isinstance(given, NoValue) else hint
    raise mistake(f"{given!r} is not a number", hint)


def evaluate(value: Value, results: Mapping[int, int]) -> int:
    """The number that a value is, given the results of steps."""
    if isinstance(value, Constant):
        return signed(value.value)
    if isinstance(value, Result):
        return results[value.number]
    assert isinstance(value, Computed), "there are three kinds of values"
    return signed(MEANING[value.op](evaluate(value.left, results), evaluate(value.right, results)))
