"""Which predicates an event can satisfy together: tests as guards, which are sets of events.

An event has one class of ``plan.CLASSES``, which decides the built-in predicates, and any combination of the
other predicates (declared ones, and built-in ones that graphs do not have) that ``disjoint`` permits.
I1: a guard is symbolic: a few variables encode the class, and each other predicate has one variable. So the
number of events to examine does not grow with the number of predicates.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, combinations
from typing import NamedTuple

from mazurka._engine import Guard, Kernel
from mazurka.kat.meaning import terms
from mazurka.kat.meaning.classes import OF_MACHINES, PREDICATES
from mazurka.kat.meaning.plan import CLASSES, EVERY_CLASS
from mazurka.prover.theory.limits import Limits

_WITHOUT_CLASSES = frozenset(("TB", "TE", "TK", "HPRET", "HPPROT", "NOTHPPROT"))
BUILT_IN = {name: mask for name, mask in PREDICATES.items() if name not in _WITHOUT_CLASSES}
_CLASS_BITS = (len(CLASSES) - 1).bit_length()


# Claims are about programs in C, whose read-modify-writes are atomic, and which have no others' instructions.
NEVER = PREDICATES["NA"] & (PREDICATES["EXCL"] | PREDICATES["UX"]) | OF_MACHINES


class EventKind(NamedTuple):
    """What an event is: its class and the other predicates it satisfies."""

    number: int  # of the class
    extra: frozenset[str]

    @property
    def predicates(self) -> frozenset[str]:
        """All predicates that hold for it."""
        return self.extra | {name for name, mask in BUILT_IN.items() if mask >> self.number & 1}


class Events:
    """The guards of a query (I1). ``everything`` is the guard of all events."""

    def __init__(
        self,
        names: Iterable[str],
        disjoint: Iterable[tuple[str, ...]] = (),
        limits: Limits | None = None,
    ) -> None:
        groups = [frozenset(group) for group in disjoint]
        self._free = sorted({*names, *chain.from_iterable(groups)} - BUILT_IN.keys())
        self.kernel = Kernel(_CLASS_BITS + len(self._free), *(limits or Limits()))
        self._classes = [self._of_class(number) for number in range(len(CLASSES))]
        self.everything = self.of_classes(EVERY_CLASS & ~NEVER)
        for group in groups:
            for one, two in combinations(sorted(group), 2):
                self.everything &= ~(self._primitive(one) & self._primitive(two))

    def _of_class(self, number: int) -> Guard:
        guard = self.kernel.all()
        for bit in range(_CLASS_BITS):
            variable = self.kernel.variable(bit)
            guard &= variable if number >> (_CLASS_BITS - 1 - bit) & 1 else ~variable
        return guard

    def _primitive(self, name: str) -> Guard:
        if name in BUILT_IN:
            return self.of_classes(BUILT_IN[name])
        return self.kernel.variable(_CLASS_BITS + self._free.index(name))

    def of_classes(self, classes: int) -> Guard:
        """The events of a set of built-in classes."""
        guard = self.kernel.none()
        for number, one in enumerate(self._classes):
            if classes >> number & 1:
                guard |= one
        return guard

    def kind(self, event: list[bool]) -> EventKind:
        """The kind of the event that an assignment of the variables describes."""
        number = int("".join("01"[value] for value in event[:_CLASS_BITS]), 2)
        held = zip(self._free, event[_CLASS_BITS:], strict=True)
        return EventKind(number, frozenset(name for name, value in held if value))

    def is_possible(self, kind: EventKind) -> bool:
        """Whether such an event can exist."""
        guard = self._classes[kind.number] & self.everything
        for name in self._free:
            variable = self._primitive(name)
            guard &= variable if name in kind.extra else ~variable
        return bool(guard)

    def mask(self, test: terms.Test) -> Guard:
        """The events that pass a test."""
        match test:
            case terms.Anything():
                return self.everything
            case terms.Primitive(name):
                return self._primitive(name) & self.everything
            case terms.Not(body):
                return self.everything & ~self.mask(body)
            case terms.Both(left, right):
                return self.mask(left) & self.mask(right)
            case terms.Either(left, right):
                return self.mask(left) | self.mask(right)


def primitives(test: terms.Test) -> set[str]:
    """The predicates that a test names."""
    match test:
        case terms.Anything():
            return set()
        case terms.Primitive(name):
            return {name}
        case terms.Not(body):
            return primitives(body)
        case terms.Both(left, right) | terms.Either(left, right):
            return primitives(left) | primitives(right)
