"""What threads share: atomic and plain variables, mutexes, fences, and values that are left open."""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any

from mazurka.program import Mode, RmwOp
from mazurka.spelling import hint_about
from mazurka.tracing.places import caller, mistake
from mazurka.tracing.recording import is_tracing, recorder
from mazurka.tracing.tree import Act, Place
from mazurka.tracing.values import Constant, NoValue, Number, Value, number, of_any_size, shown

ORDERS = {
    **{"relaxed": Mode.RLX, "acquire": Mode.ACQ, "release": Mode.REL},
    **{"acq_rel": Mode.ACQ_REL, "seq_cst": Mode.SC},
}
_LOADS = ("relaxed", "acquire", "seq_cst")
_STORES = ("relaxed", "release", "seq_cst")
_FENCES = ("acquire", "release", "acq_rel", "seq_cst")
_SIZES = (8, 16, 32, 64)


_ABOUT = ("refuse", "why_not")  # methods of all that is no value


class Shared(NoValue):
    """What threads share. It is no value, and in a function that is traced, neither are its methods."""

    __slots__ = ("place",)  # x.value = 1 is an error
    place: Place

    def __repr__(self) -> str:
        return f"{type(self).__name__.lower()}({self.place.name!r})"

    def why_not(self) -> tuple[str, str]:
        """Why it is no value, and the cure."""
        name = self.place.name
        if self.place.is_mutex:
            return f"'{name}' is a mutex, not a value", f"take it: with {name}:"
        return f"'{name}' is a variable, not its value", f"read it: {name}.load()"

    def __getattribute__(self, name: str) -> Any:
        found = object.__getattribute__(self, name)
        if not is_tracing() or not isinstance(found, MethodType) or name.startswith("_") or name in _ABOUT:
            return found
        return Uncalled(f"{self.place.name}.{name}", found)

    def __eq__(self, other: object) -> bool:
        if is_tracing():
            self.refuse()
        return self is other

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        if is_tracing():
            self.refuse()
        return True


class Uncalled(NoValue):
    """A method such as ``x.load``, which can be called, and is easily taken for ``x.load()``."""

    def __init__(self, name: str, method: Callable[..., Any]) -> None:
        self.name = name
        self.method = method

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self.method(*arguments, **options)

    def __repr__(self) -> str:
        return self.name

    def why_not(self) -> tuple[str, str]:
        """Why it is no value, and the cure."""
        return f"'{self.name}' is a method, not what it returns", f"call it: {self.name}()"

    def __eq__(self, other: object) -> bool:
        self.refuse()

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        self.refuse()


class Atomic(Shared):
    """An atomic integer with a sign that all threads share. The usual order is that of C: ``seq_cst``."""

    __slots__ = ()

    def __init__(self, name: str, initial: int = 0, *, bits: int = 32) -> None:
        if bits not in _SIZES:
            hint = f"use one of: {', '.join(map(str, _SIZES))}"
            raise mistake(f"a variable cannot have {bits} bits", hint)
        if isinstance(initial, bool) or not isinstance(initial, int) or not _fits(initial, bits):
            raise mistake(f"'{name}' cannot begin with {initial!r}: it has {bits} bits", _range(bits))
        self.place = Place(_checked(name), bits, initial)

    def load(self, order: str = "seq_cst") -> Value:
        """Reads the variable."""
        return self._act("load", _mode(order, _LOADS, "a load"))

    def store(self, value: Number, order: str = "seq_cst") -> None:
        """Writes the variable."""
        self._act("store", _mode(order, _STORES, "a store"), (_number_for(self.place, value),))

    def exchange(self, value: Number, order: str = "seq_cst") -> Value:
        """Replaces the value at once; returns the old one."""
        return self._rmw(RmwOp.XCHG, value, order)

    def fetch_add(self, value: Number, order: str = "seq_cst") -> Value:
        """Adds at once; returns the old value."""
        return self._rmw(RmwOp.ADD, value, order)

    def fetch_sub(self, value: Number, order: str = "seq_cst") -> Value:
        """Subtracts at once; returns the old value."""
        return self._rmw(RmwOp.SUB, value, order)

    def fetch_or(self, value: Number, order: str = "seq_cst") -> Value:
        """Sets bits at once; returns the old value."""
        return self._rmw(RmwOp.OR, value, order)

    def fetch_and(self, value: Number, order: str = "seq_cst") -> Value:
        """Clears bits at once; returns the old value."""
        return self._rmw(RmwOp.AND, value, order)

    def compare_exchange(
        self, expected: Number, new: Number, order: str = "seq_cst", failure: str = ""
    ) -> Value:
        """Replaces ``expected`` by ``new`` at once; returns the old value, which is ``expected`` if it did.

        ``failure`` is the order if it did not: by default ``order`` without its release half, as in C.
        """
        mode = _mode(order, tuple(ORDERS), "a compare-exchange")
        weaker = {"release": "relaxed", "acq_rel": "acquire"}.get(str(order), order)
        fails = _mode(failure or weaker, _LOADS, "a compare-exchange that fails")
        values = _number_for(self.place, expected), _number_for(self.place, new)
        return self._act("cas", mode, values, fails)

    def _rmw(self, op: RmwOp, value: Number, order: str) -> Value:
        mode = _mode(order, tuple(ORDERS), "a read-modify-write")
        values = (_number_for(self.place, value),)
        noted = recorder(f"'{self.place.name}'")
        return noted.act(Act("rmw", caller(), self.place, mode, values=values, rmw=op))

    def _act(self, kind: str, mode: Mode, values: tuple[Value, ...] = (), failure: Mode = Mode.NA) -> Value:
        noted = recorder(f"'{self.place.name}'")
        return noted.act(Act(kind, caller(), self.place, mode, failure, values))


class Plain(Shared):
    """A plain integer that all threads share; under models with a rule about races, its accesses may race."""

    __slots__ = ()

    def __init__(self, name: str, initial: int = 0, *, bits: int = 32) -> None:
        self.place = Atomic(name, initial, bits=bits).place

    def load(self) -> Value:
        """Reads the variable."""
        return recorder(f"'{self.place.name}'").act(Act("load", caller(), self.place))

    def store(self, value: Number) -> None:
        """Writes the variable."""
        values = (_number_for(self.place, value),)
        recorder(f"'{self.place.name}'").act(Act("store", caller(), self.place, values=values))


class Mutex(Shared):
    """A mutex; ``with mutex:`` takes and releases it."""

    __slots__ = ()

    def __init__(self, name: str) -> None:
        self.place = Place(_checked(name), 32, 0, is_mutex=True)

    def lock(self) -> None:
        """Takes the mutex; waits until it is free."""
        recorder(f"'{self.place.name}'").act(Act("lock", caller(), self.place))

    def unlock(self) -> None:
        """Releases the mutex."""
        recorder(f"'{self.place.name}'").act(Act("unlock", caller(), self.place))

    def __enter__(self) -> None:
        self.lock()

    def __exit__(self, *_: object) -> None:
        self.unlock()


def _fits(number: int, bits: int) -> bool:
    """Whether a number has so many bits, with a sign or without."""
    return -(1 << bits - 1) <= number < 1 << bits


def _range(bits: int) -> str:
    return f"give a whole number from {-(1 << bits - 1)} to {(1 << bits) - 1}, or other bits"


def _number_for(place: Place, given: object) -> Value:
    """A value for a variable: a number that is known must fit, and what is computed is cut, as in C."""
    value = of_any_size(given)
    if isinstance(value, Constant) and not _fits(value.value, place.bits):
        message = f"'{place.name}' cannot hold {shown(value.value)}: it has {place.bits} bits"
        raise mistake(message, _range(place.bits))
    return value


def atomic(name: str, initial: int = 0, *, bits: int = 32) -> Atomic:
    """An atomic integer that threads share."""
    return Atomic(name, initial, bits=bits)


def plain(name: str, initial: int = 0, *, bits: int = 32) -> Plain:
    """A plain integer that threads share."""
    return Plain(name, initial, bits=bits)


def mutex(name: str) -> Mutex:
    """A mutex that threads share."""
    return Mutex(name)


def fence(order: str = "seq_cst") -> None:
    """A fence."""
    recorder("a fence").act(Act("fence", caller(), mode=_mode(order, _FENCES, "a fence")))


def choose(first: int, last: int) -> Value:
    """One of the numbers from ``first`` to ``last``: each is explored."""
    noted, values = recorder("choose"), (number(first), number(last))
    if not all(isinstance(value, Constant) for value in values):
        hint = "choose among numbers, and let assume(…) leave out those that are too large"
        raise mistake("a choice is between numbers that are known", hint)
    if first > last:
        raise mistake(f"{first} is greater than {last}", "swap them")
    return values[0] if first == last else noted.act(Act("choose", caller(), values=values))


def assume(condition: Number) -> None:
    """Explores only executions in which a condition holds; the others count as blocked."""
    recorder("assume").act(Act("assume", caller(), values=(number(condition),)))


def _mode(order: str, allowed: tuple[str, ...], what: str) -> Mode:
    if order not in allowed:
        hint = hint_about(str(order), allowed, f"use one of: {', '.join(allowed)}")
        raise mistake(f"{what} cannot be '{order}'", hint)
    return ORDERS[order]


def _checked(name: str) -> str:
    if not isinstance(name, str) or not name.isidentifier():
        raise mistake(f"{name!r} is not a name", 'such as atomic("x")')
    return name
