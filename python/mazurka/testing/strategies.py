"""Hypothesis strategies that draw random tests, small enough for brute force.

``litmus_tests()`` draws threads of *chunks* (an operation, a guarded block, or a critical section) and keeps
chunks, thread by thread, while the test stays under ``max_candidates`` and ``max_events``. Leaving chunks
out, rather than rejecting the example, keeps generation fast and lets Hypothesis shrink a failure by
deleting chunks: a shrunk example looks like a test written by hand.

I1: drawn tests satisfy the invariants of ``operations``: chunks refer to registers by a number that is
reduced modulo the registers filled so far, and chunks that need a register are replaced when there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from math import factorial
from typing import TypeAlias, TypeVar

from hypothesis import strategies as st

from mazurka.testing.modes import Palette, palettes
from mazurka.testing.operations import (
    ACCESSING,
    READING,
    Assume,
    Choose,
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
    Place,
    Refute,
    Register,
    Store,
    Test,
    Unlock,
    count_registers,
    flatten,
)

T = TypeVar("T")
_REGISTERS = st.integers(0, 3).map(Register)
NAMES = ("x", "y", "z", "w")
_MUTEX = "m"
_CHOICES = st.integers(1, 2).map(lambda last: (Choose(0, last),))


def weighted(*options: st.SearchStrategy[T]) -> st.SearchStrategy[T]:
    """One of the options; unlike with ``st.one_of``, one that is given twice is drawn twice as often."""
    return st.sampled_from(options).flatmap(lambda option: option)


@st.composite
def litmus_tests(
    draw: st.DrawFn,
    *,
    max_threads: int = 4,
    max_ops: int = 4,
    max_variables: int = 3,
    max_value: int = 2,
    max_events: int = 12,
    max_candidates: int = 10_000,
    mutexes: bool = True,
    assumes: bool = True,
    non_atomic: bool = False,
    choices: bool = False,
) -> Test:
    """A random test with at least two threads, whose threads may choose values."""
    names = NAMES[: draw(st.integers(1, max_variables))]
    chunks = _chunks(names, max_value, mutexes, assumes, draw(palettes(non_atomic)))
    if choices:
        chunks = weighted(_CHOICES, chunks, chunks)
    return draw_test(draw, names, chunks, max_threads, max_ops, Budget(names, max_events, max_candidates))


def draw_test(
    draw: st.DrawFn,
    names: tuple[str, ...],
    chunks: st.SearchStrategy[Chunk],
    max_threads: int,
    max_ops: int,
    budget: Budget,
) -> Test:
    """Two or more threads made of chunks, with the mutexes that these use."""
    thread = st.lists(chunks, min_size=1, max_size=max_ops)
    drawn = draw(st.lists(thread, min_size=2, max_size=max_threads))
    threads = tuple(assemble(parts, max_ops, budget) for parts in drawn)
    used = {o.mutex for thread in threads for o in flatten(thread) if isinstance(o, Lock)}
    initial = tuple((name, draw(st.integers(0, 1))) for name in names)
    return Test(threads, initial, tuple(sorted(used)))


Chunk: TypeAlias = tuple[Operation, ...]


@cache  # building strategies costs more than drawing from them
def _chunks(
    names: tuple[str, ...], max_value: int, mutexes: bool, assumes: bool, palette: Palette
) -> st.SearchStrategy[Chunk]:
    values = st.integers(0, max_value)
    return chunks_of(operations(names, values, palette), values, mutexes, assumes)


def chunks_of(
    single: st.SearchStrategy[Operation], values: st.SearchStrategy[int], mutexes: bool, assumes: bool
) -> st.SearchStrategy[Chunk]:
    """Chunks made of some operations."""
    plain = single.map(lambda operation: (operation,))
    body = st.lists(single, min_size=1, max_size=2).map(tuple)
    options = [plain, plain, plain, st.builds(_guarded, _REGISTERS, values, body)]
    if assumes:
        options.append(st.builds(_assumed, _REGISTERS, values))
    if mutexes:
        options.append(body.map(_critical_section))
    return weighted(*options)


def _guarded(register: Register, value: int, body: Chunk) -> Chunk:
    return (Guard(register, value, body),)


def _assumed(register: Register, value: int) -> Chunk:
    return (Assume(register, value),)


def _critical_section(body: Chunk) -> Chunk:
    return (Lock(_MUTEX), *body, Unlock(_MUTEX))


def operations(
    names: tuple[str, ...], values: st.SearchStrategy[int], palette: Palette
) -> st.SearchStrategy[Operation]:
    """Operations on some variables, with the modes of a palette; registers are made valid later (I1)."""
    places: st.SearchStrategy[Place] = st.sampled_from(names)
    if len(names) > 1:
        indexed: st.SearchStrategy[Place] = st.builds(Indexed, _REGISTERS, st.just(1))
        places = weighted(*[places] * 7, indexed)
    return operations_on(places, values, palette)


def operations_on(
    places: st.SearchStrategy[Place], values: st.SearchStrategy[int], palette: Palette
) -> st.SearchStrategy[Operation]:
    """Operations on some places, with the modes of a palette; registers are made valid later (I1)."""
    stored = st.one_of(values, _REGISTERS)
    modes = st.sampled_from(palette.updates)
    load = st.builds(Load, st.sampled_from(palette.loads), places)
    store = st.builds(Store, st.sampled_from(palette.stores), places, stored)
    return weighted(
        load,
        store,
        load,
        store,
        st.builds(FetchAdd, modes, places, st.just(1)),
        st.builds(Exchange, modes, places, stored),
        st.builds(CompareExchange, modes, places, values, values, st.sampled_from(palette.failures)),
        st.builds(Fence, st.sampled_from(palette.fences)),
    )


class Budget:
    """How many events and candidate graphs (choices of rf and co) the kept operations can have.

    A place that depends on a register counts for every variable it may name.
    """

    def __init__(self, names: Sequence[str], max_events: int, max_candidates: int) -> None:
        self.names = names
        self.max_events = max_events
        self.max_candidates = max_candidates
        self.events = 0
        self.values = 1  # ways to choose values
        self.reads = dict.fromkeys([*names, _MUTEX], 0)
        self.writes = dict.fromkeys([*names, _MUTEX], 0)

    def take(self, chunk: Chunk) -> bool:
        """Adds a chunk, unless that would exceed the budget."""
        before = self.events, self.values, dict(self.reads), dict(self.writes)
        for operation in flatten(chunk):
            self._count(operation)
        if self.events <= self.max_events and self._candidates() <= self.max_candidates:
            return True
        self.events, self.values, self.reads, self.writes = before
        return False

    def _count(self, operation: Operation) -> None:
        if isinstance(operation, Choose):
            self.events += 1
            self.values *= operation.last - operation.first + 1
            return
        reads = isinstance(operation, (*READING, Lock))
        writes = not isinstance(operation, Load | Fence | Guard | Assume | Refute)
        self.events += reads + writes + isinstance(operation, Fence)
        if not reads and not writes:
            return
        place = operation.place if isinstance(operation, ACCESSING) else _MUTEX
        for name in self.cells(place):
            self.reads[name] += reads
            self.writes[name] += writes

    def cells(self, place: Place) -> Iterable[str]:
        """What a place is counted for."""
        if isinstance(place, Part):
            raise AssertionError("parts are counted in mixed_strategies")
        return self.names[place.first :][: place.mask + 1] if isinstance(place, Indexed) else [place]

    def _candidates(self) -> int:
        product = self.values
        for name, writes in self.writes.items():
            product *= factorial(writes) * (writes + 1) ** self.reads[name]
        return product


def assemble(chunks: list[Chunk], max_ops: int, budget: Budget) -> tuple[Operation, ...]:
    """Joins the chunks of a thread that fit, with register numbers made valid (I1)."""
    operations: Chunk = ()
    for chunk in chunks:
        fixed = _fix(chunk, count_registers(operations), budget.names)
        size = len(operations) + len(fixed)
        if (size <= max_ops or not operations) and budget.take(fixed):
            operations += fixed
    return operations


def _fix(chunk: Chunk, filled: int, names: Sequence[str]) -> Chunk:
    """The chunk with registers among those filled before; without any, values become 0 and guards vanish."""
    fixed: Chunk = ()
    for operation in chunk:
        available = filled + count_registers(fixed)
        fixed += _fix_operation(operation, available, names)
    return fixed


def _fix_operation(operation: Operation, filled: int, names: Sequence[str]) -> Chunk:
    if isinstance(operation, Guard):
        body = _fix(operation.body, filled, names)
        return (Guard(_wrap(operation.register, filled), operation.value, body),) if filled else body
    if isinstance(operation, Assume):
        return (Assume(_wrap(operation.register, filled), operation.value),) if filled else ()
    if isinstance(operation, ACCESSING) and isinstance(operation.place, Indexed):
        register = _wrap(operation.place.register, filled)
        first = operation.place.first
        place = Indexed(register, operation.place.mask, first) if filled else names[first]
        operation = replace(operation, place=place)
    if isinstance(operation, Store | Exchange) and isinstance(operation.value, Register):
        operation = replace(operation, value=_wrap(operation.value, filled) if filled else 0)
    return (operation,)


def _wrap(register: Register, filled: int) -> Register:
    return Register(register.number % max(filled, 1))
