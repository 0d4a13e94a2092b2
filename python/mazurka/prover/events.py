"""Which predicates an event can satisfy together: tests as masks of blocks of indistinguishable events.

An event has one class of ``plan.CLASSES``, which decides the built-in predicates, and any of the other
predicates (declared ones, and built-in ones that graphs do not have) that ``disjoint`` lets it have.
I1: a block is a set of such events that no test of the query and no relation's domain tells apart, so that a
test is a bit mask over blocks; their number depends on the predicates that occur, not on all there are.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from mazurka.kat import terms
from mazurka.kat.classes import DOMAINS, PREDICATES
from mazurka.kat.plan import CLASSES

_WITHOUT_CLASSES = frozenset(("TB", "TE", "TK", "HPRET", "HPPROT", "NOTHPPROT"))
BUILT_IN = {name: mask for name, mask in PREDICATES.items() if name not in _WITHOUT_CLASSES}
MOST_BLOCKS = 4096


class TooManyPredicates(Exception):  # noqa: N818 - says what a query is, not that something broke
    """The predicates of a query can be combined in more ways than is sensible."""


class Kind(NamedTuple):
    """A block's representative: its class and the other predicates it satisfies."""

    number: int  # of the class
    extra: frozenset[str]

    @property
    def predicates(self) -> frozenset[str]:
        """All that holds of it."""
        return self.extra | {name for name, mask in BUILT_IN.items() if mask >> self.number & 1}


class Events:
    """The blocks of a query (I1). ``everything`` is the mask of all of them."""

    def __init__(self, names: Iterable[str], disjoint: Iterable[tuple[str, ...]] = ()) -> None:
        self._disjoint = [frozenset(group) for group in disjoint]
        named = {*names, *chain.from_iterable(self._disjoint)}
        built_in = [BUILT_IN[name] for name in sorted(named) if name in BUILT_IN]
        domains = sorted({mask for pair in DOMAINS.values() for mask in pair})
        self._class_groups = _grouped([*built_in, *domains])
        self._free = sorted(named - BUILT_IN.keys())
        self.kinds: list[Kind] = self._blocks()
        self.everything = (1 << len(self.kinds)) - 1

    def _blocks(self) -> list[Kind]:
        found = [Kind(number, frozenset()) for number in self._class_groups if self._possible(number, ())]
        for name in self._free:
            found += [
                Kind(kind.number, kind.extra | {name})
                for kind in found
                if self._possible(kind.number, (*kind.extra, name))
            ]
            if len(found) > MOST_BLOCKS:
                raise TooManyPredicates(f"{len(self._free)} predicates that may be combined freely")
        return found

    def _possible(self, number: int, extra: Iterable[str]) -> bool:
        holding = {name for name, mask in BUILT_IN.items() if mask >> number & 1} | set(extra)
        return all(len(group & holding) < 2 for group in self._disjoint)

    def of_classes(self, classes: int) -> int:
        """The blocks of a set of built-in classes."""
        return sum(1 << index for index, kind in enumerate(self.kinds) if classes >> kind.number & 1)

    def mask(self, test: terms.Test) -> int:
        """The blocks whose events pass a test."""
        match test:
            case terms.Anything():
                return self.everything
            case terms.Primitive(name):
                if name in BUILT_IN:
                    return self.of_classes(BUILT_IN[name])
                return sum(1 << index for index, kind in enumerate(self.kinds) if name in kind.extra)
            case terms.Not(body):
                return self.everything & ~self.mask(body)
            case terms.Both(left, right):
                return self.mask(left) & self.mask(right)
            case terms.Either(left, right):
                return self.mask(left) | self.mask(right)


def _grouped(masks: list[int]) -> list[int]:
    """One class of each group that no mask tells apart; initial writes last."""
    seen: dict[tuple[int, ...], int] = {}
    for number in range(len(CLASSES)):
        seen.setdefault(tuple(mask >> number & 1 for mask in masks), number)
    return sorted(seen.values())


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
