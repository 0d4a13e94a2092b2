"""A Hypothesis strategy that draws random structures, small enough for brute force.

As in ``strategies``, steps that do not fit the budget are left out; the example is not rejected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import factorial
from typing import TypeAlias, TypeVar

from hypothesis import strategies as st

from mazurka.program import Mode
from mazurka.testing.modes import Palette, palettes
from mazurka.testing.operations import CompareExchange, Exchange, Fence, FetchAdd, Load, Store
from mazurka.testing.structures import (
    INTEGERS,
    LAST,
    MUTEXES,
    OBJECT,
    Access,
    Acquire,
    Argument,
    Delete,
    Destroy,
    Exit,
    Fill,
    Join,
    New,
    Require,
    Source,
    Spawn,
    Step,
    Structure,
    Use,
    When,
    place_of,
)

_VALUES = st.integers(0, 2)
_SOURCES = st.sampled_from(Source)
_RARELY = st.sampled_from([False] * 7 + [True])
_MOSTLY = st.sampled_from([True] * 7 + [False])
_PLACES = st.sampled_from(INTEGERS)
_FEATURES = ("objects", "threads", "joins", "mutexes", "branches", "exits", "assistants")
_PROFILES = [frozenset(some) for size in (1, 2, 3) for some in combinations(_FEATURES, size)]
_DEPTH = 2  # main creates threads, which may create threads, which do not

Features: TypeAlias = frozenset[str]
T = TypeVar("T")


@st.composite
def structures(
    draw: st.DrawFn,
    *,
    max_threads: int = 4,
    max_events: int = 16,
    max_candidates: int = 10_000,
    non_atomic: bool = False,
    always: Features = frozenset(),
) -> Structure:
    """A random structure whose main creates at least two threads, with few features at a time.

    A program with few features meets their corner cases more often than one with all features.
    The features in ``always`` are drawn in addition.
    """
    features, palette = draw(st.sampled_from(_PROFILES)) | always, draw(palettes(non_atomic))
    if "objects" in features:
        max_candidates *= 2  # the pointer and the object double the number of steps that are needed
    prologue = draw(st.lists(_steps(features & {"mutexes", "objects"}, 0, palette), max_size=1))
    spawns = _spawns(features, _DEPTH - 1, palette)
    rest = st.lists(_steps(features, _DEPTH, palette), max_size=3)
    threads = _assisted(spawns, palette) if "assistants" in features else _pairs(spawns)
    joins = _joins(2 if "assistants" in always else 0)
    steps = (*prologue, *draw(threads), *draw(rest), *draw(joins))
    return Structure(_Budget(max_threads, max_events, max_candidates).trim(steps), draw(st.booleans()))


@cache  # building strategies costs more than drawing from them
def _steps(features: Features, depth: int, palette: Palette) -> st.SearchStrategy[Step]:
    """Steps with threads nested up to a depth."""
    simple = _simple(features, palette)
    options: list[st.SearchStrategy[Step]] = [simple]
    threads = [_spawns(features, depth - 1, palette)] if "threads" in features and depth else []
    if "branches" in features:
        body = st.lists(_alternatives([simple, *threads]), min_size=1, max_size=2).map(tuple)
        options.append(st.builds(When, body))
    if "mutexes" in features:
        body = st.lists(simple, max_size=2).map(tuple)
        options.append(st.builds(Acquire, st.sampled_from(MUTEXES), body, st.booleans(), _MOSTLY))
    return _alternatives([*options, *threads])


def _spawns(features: Features, depth: int, palette: Palette) -> st.SearchStrategy[Spawn]:
    steps = st.lists(_steps(features, depth, palette), min_size=2, max_size=4).map(tuple)
    argument = st.sampled_from(Argument) if features & {"joins", "objects"} else st.just(Argument.NOTHING)
    return st.builds(Spawn, steps, argument, st.booleans() if "joins" in features else st.just(False))


def _pairs(spawns: st.SearchStrategy[Spawn]) -> st.SearchStrategy[tuple[Step, ...]]:
    return st.tuples(spawns, spawns)


def _joins(least: int) -> st.SearchStrategy[list[Join]]:
    """Joins of main's first threads, in any order."""
    numbers = st.tuples(st.permutations(range(2)), st.integers(least, 2))
    return numbers.map(lambda drawn: [Join(Source.OWN, number) for number in drawn[0][: drawn[1]]])


def _assisted(spawns: st.SearchStrategy[Spawn], palette: Palette) -> st.SearchStrategy[tuple[Step, ...]]:
    """Two threads, of which the second joins the first if it has read something; main may join it again."""
    modes = st.tuples(st.sampled_from(palette.stores), st.sampled_from(palette.loads))

    def turn(
        threads: tuple[Spawn, Spawn], modes: tuple[Mode, Mode], place: str, value: int
    ) -> tuple[Step, ...]:
        first, second = threads
        store, load = Store(modes[0], place, value), Load(modes[1], place)
        steps = (load, When((Join(Source.ARGUMENT),)), *second.steps[:1])
        return (
            Store(modes[0], place, 1 - value),
            replace(first, steps=(store, *first.steps[:1])),
            replace(second, steps=steps, argument=Argument.HANDLE),
        )

    return st.builds(turn, st.tuples(spawns, spawns), modes, _PLACES, st.integers(0, 1))


@cache
def _simple(features: Features, palette: Palette) -> st.SearchStrategy[Step]:
    """Steps without steps inside them; all kinds are equally likely."""
    accesses = _accesses(_PLACES, palette)
    fences = st.builds(Fence, st.sampled_from(palette.fences))
    options: list[st.SearchStrategy[Step]] = [_alternatives([accesses, accesses, accesses, fences])]
    if "joins" in features:
        options.append(st.builds(Join, _SOURCES, st.integers(0, 2)))
    if "objects" in features:
        options += [
            st.builds(New, st.sampled_from([Fill.BEFORE, Fill.ZEROED, Fill.BEFORE, Fill.AFTER, Fill.NEVER])),
            st.builds(Use, _SOURCES, _accesses(st.just(OBJECT), palette), _RARELY, _RARELY),
            st.builds(Delete, _SOURCES, _MOSTLY),
        ]
    if "branches" in features:
        options.append(_alternatives([accesses, accesses, st.just(Require())]))
    if "exits" in features:
        exits = st.builds(Exit, st.booleans())
        destroys = st.builds(Destroy, st.sampled_from(MUTEXES)) if "mutexes" in features else exits
        options.append(_alternatives([accesses, accesses, exits, destroys]))
    return _alternatives(options)


def _accesses(places: st.SearchStrategy[str], palette: Palette) -> st.SearchStrategy[Access]:
    modes, stored = st.sampled_from(palette.updates), st.one_of(_VALUES, st.just(LAST))
    loads = st.builds(Load, st.sampled_from(palette.loads), places)
    stores = st.builds(Store, st.sampled_from(palette.stores), places, stored)
    return _alternatives(
        [
            loads,
            stores,
            loads,
            stores,
            st.builds(FetchAdd, modes, places, st.just(1)),
            st.builds(Exchange, modes, places, stored),
            st.builds(CompareExchange, modes, places, _VALUES, _VALUES, st.sampled_from(palette.failures)),
        ]
    )


def _alternatives(options: list[st.SearchStrategy[T]]) -> st.SearchStrategy[T]:
    """One of some strategies; unlike ``one_of``, it counts as a single alternative when it is nested."""
    return st.integers(0, len(options) - 1).flatmap(options.__getitem__)


class _Budget:
    """How many threads, events and candidate graphs (choices of rf and co) the kept steps can have."""

    def __init__(self, max_threads: int, max_events: int, max_candidates: int) -> None:
        self.max_threads = max_threads
        self.max_events = max_events
        self.max_candidates = max_candidates
        self.counted: Counter[str] = Counter()

    def trim(self, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        """The steps that fit, with those inside them trimmed likewise."""
        kept: list[Step] = []
        for step in steps:
            before = self.counted.copy()
            self.counted.update(_costs(step))
            if not self._fits():
                self.counted = before
            elif isinstance(step, Spawn):
                kept.append(replace(step, steps=self.trim(step.steps)))
            elif isinstance(step, When | Acquire):
                kept.append(replace(step, body=self.trim(step.body)))
            else:
                kept.append(step)
        return tuple(kept)

    def _fits(self) -> bool:
        threads = self.counted["threads"]
        product = 1
        for name in (*INTEGERS, *MUTEXES, "h", "p", OBJECT):
            reads, writes = self.counted["R" + name], self.counted["W" + name]
            product *= factorial(writes) * (writes + 1) ** reads
        events = self.counted.total() - threads
        return threads <= self.max_threads and events <= self.max_events and product <= self.max_candidates


def _costs(step: Step) -> Iterator[str]:
    """The events that a step has, not counting steps inside it: R or W and a place, or any other word."""
    match step:
        case Spawn(_, _, publish):
            yield from ["threads", "create", *["Wh"] * publish]
        case Join(source):
            yield from ["join", *["Rh"] * (source is not Source.OWN)]
        case Acquire(mutex, _, _, release):
            yield from ["R" + mutex, "W" + mutex, *["W" + mutex] * release]
        case Destroy(mutex):
            yield "W" + mutex
        case New(fill):
            yield from ["alloc", "Wp", *["W" + OBJECT] * (fill in (Fill.BEFORE, Fill.AFTER))]
        case Use(source, access):
            yield from ["Rp"] * (source is not Source.OWN)
            yield from _costs(access)
        case Delete(source, exchange):
            yield from ["free", *["Rp"] * (exchange or source is not Source.OWN), *["Wp"] * exchange]
        case Fence():
            yield "fence"
        case Load() | Store() | FetchAdd() | Exchange() | CompareExchange():
            yield from ["R" + place_of(step)] * (not isinstance(step, Store))
            yield from ["W" + place_of(step)] * (not isinstance(step, Load))
