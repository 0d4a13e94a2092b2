"""Hypothesis strategies that draw tests in which threads wait: for values, for their own locks, for mutexes.

Each thread is a list of chunks as in ``strategies``. An *await* is a load, or a compare-exchange that may
fail, and an assumption about what it read; a *lock* is a compare-exchange that an assumption makes succeed,
a body, and the store that releases it; a critical section takes one or two mutexes, in any order, so that
some tests deadlock.
"""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from mazurka.program import Annotation, Mode
from mazurka.testing.modes import Palette, palettes
from mazurka.testing.operations import (
    Assume,
    CompareExchange,
    Fence,
    Load,
    Lock,
    Operation,
    Register,
    Store,
    Test,
    Unlock,
)
from mazurka.testing.strategies import NAMES, Budget, Chunk, draw_test, operations, weighted

_LAST = Register(-1)  # the newest register, once it is reduced modulo their number


@st.composite
def waiting_tests(
    draw: st.DrawFn,
    *,
    max_threads: int = 4,
    max_ops: int = 6,
    max_variables: int = 2,
    max_value: int = 2,
    max_events: int = 12,
    max_candidates: int = 10_000,
    mutexes: bool = True,
    non_atomic: bool = False,
    annotations: bool = False,
) -> Test:
    """A random test with at least two threads, in which most threads wait for something."""
    names = NAMES[: draw(st.integers(1, max_variables))]
    chunks = _chunks(names, max_value, mutexes, annotations, draw(palettes(non_atomic)))
    return draw_test(draw, names, chunks, max_threads, max_ops, Budget(names, max_events, max_candidates))


@cache  # building strategies costs more than drawing from them
def _chunks(
    names: tuple[str, ...], max_value: int, mutexes: bool, annotations: bool, palette: Palette
) -> st.SearchStrategy[Chunk]:
    values, places = st.integers(0, max_value), st.sampled_from(names)
    single = operations(names, values, palette)
    plain = single.map(lambda operation: (operation,))
    body = st.lists(single, max_size=2).map(tuple)
    load = st.builds(Load, st.sampled_from(palette.loads), places)
    update, failure = st.sampled_from(palette.updates), st.sampled_from(palette.failures)
    exchange = st.builds(CompareExchange, update, places, values, values, failure)
    fences = weighted(st.just(()), st.just(()), st.builds(Fence, st.sampled_from(palette.fences)).map(_one))
    options = [
        plain,
        plain,
        st.builds(_await, load, fences, values),
        st.builds(_await, exchange, fences, values),
        st.builds(_own_lock, places, update, body, st.sampled_from(palette.stores)),
    ]
    if mutexes:
        options.append(st.builds(_critical_section, st.sampled_from(("m", "n", "mn", "nm")), body))
    if annotations:
        writes = st.sampled_from((Annotation.FINAL_WRITE, Annotation.LOCAL_WRITE))
        store = st.builds(Store, st.sampled_from(palette.stores), places, values, writes)
        helps = st.sampled_from((Annotation.HELPED_CAS, Annotation.HELPING_CAS))
        help_ = st.builds(CompareExchange, update, places, values, values, failure, helps)
        confirm = st.builds(_confirmed_lock, places, st.sampled_from(palette.loads), update, failure, body)
        options += [confirm, confirm, store.map(_one), help_.map(_one)]
    return weighted(*options)


def _one(operation: Operation) -> Chunk:
    return (operation,)


def _await(read: Load | CompareExchange, fences: Chunk, value: int) -> Chunk:
    return (read, *fences, Assume(_LAST, value))


def _own_lock(place: str, mode: Mode, body: Chunk, release: Mode) -> Chunk:
    return (
        CompareExchange(mode, place, 0, 1),
        Assume(_LAST, 0),
        *body,
        Store(release, place, 0),
    )


def _confirmed_lock(place: str, load: Mode, update: Mode, failure: Mode, body: Chunk) -> Chunk:
    exchange = CompareExchange(update, place, 0, 1, failure, Annotation.CONFIRMING_CAS)
    return (Load(load, place), Assume(_LAST, 0), exchange, Assume(_LAST, 0), *body, Store(Mode.REL, place, 0))


def _critical_section(mutexes: str, body: Chunk) -> Chunk:
    return (*map(Lock, mutexes), *body, *map(Unlock, reversed(mutexes)))
