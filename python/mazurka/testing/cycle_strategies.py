"""A Hypothesis strategy for tests in which threads may disagree: a cycle of communication, as in the papers.

Each thread's last access and the next thread's first are of one location, and one of the two writes; so
store buffering, message passing, load buffering, 2+2W, IRIW and their many mixtures are drawn often, while
threads of independent random accesses hardly ever show a weak behaviour. Between the two accesses of a thread
there may be a fence or anything else, and any access may be a read-modify-write.
"""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from mazurka.testing.modes import Palette, palettes
from mazurka.testing.operations import (
    CompareExchange,
    Exchange,
    Fence,
    FetchAdd,
    Guard,
    Load,
    Operation,
    Register,
    Store,
    Test,
)
from mazurka.testing.strategies import NAMES, Budget, Chunk, assemble, litmus_tests, operations

_LINKS = st.sampled_from(["WR", "RW", "WW", "WR", "RW", "UR", "RU", "UW", "WU", "CR", "RC"])
_VALUES = st.integers(1, 2)
_SHORT = st.sampled_from([False, False, True])


@st.composite
def cycle_tests(
    draw: st.DrawFn, *, max_events: int = 12, max_candidates: int = 10_000, non_atomic: bool = False
) -> Test:
    """A random test of two to four threads around a cycle."""
    palette = draw(palettes(non_atomic))
    threads = draw(st.integers(2, 4))
    links = [draw(_LINKS) for _ in range(threads)]
    short = [threads > 2 and draw(_SHORT) for _ in range(threads)]
    if threads - sum(short) < 2:
        short = [False] * threads
    at = _locations(short)
    names = tuple(dict.fromkeys(at))
    budget = Budget(names, max_events, max_candidates)
    drawn: list[list[Chunk]] = []
    for i in range(threads):
        first, last = links[i - 1][1], links[i][0]
        if short[i]:
            drawn.append([(draw(_access("W" if "W" in first + last else "U", at[i], palette)),)])
            continue
        around = [draw(_between(names, palette)), draw(_rarely(names, palette))]
        start, end = draw(_access(first, at[i - 1], palette)), draw(_access(last, at[i], palette))
        drawn.append([(start,), *around[:1], (end,), *around[1:]])
    kept = tuple(assemble([c for c in chunks if c], 4, budget) for chunks in drawn)
    return Test(kept, tuple((name, 0) for name in names))


def _locations(short: list[bool]) -> list[str]:
    """The location by which each thread communicates with the next; a short thread has only one."""
    at: list[str] = []
    for i in range(len(short)):
        at.append(at[-1] if short[i] and at else NAMES[len(set(at))])
    if short[0]:  # it communicates with the last thread where it does with the next
        at = [at[0] if name == at[-1] else name for name in at]
    return at


@cache
def _access(kind: str, name: str, palette: Palette) -> st.SearchStrategy[Operation]:
    loads, stores, updates = map(st.sampled_from, (palette.loads, palette.stores, palette.updates))
    place = st.just(name)
    options: dict[str, st.SearchStrategy[Operation]] = {
        "R": st.builds(Load, loads, place),
        "W": st.builds(Store, stores, place, _VALUES),
        "U": st.one_of(st.builds(FetchAdd, updates, place), st.builds(Exchange, updates, place, _VALUES)),
        "C": st.builds(
            CompareExchange, updates, place, st.integers(0, 1), _VALUES, st.sampled_from(palette.failures)
        ),
    }
    return options[kind]


@cache
def _between(names: tuple[str, ...], palette: Palette) -> st.SearchStrategy[Chunk]:
    """What stands between a thread's two accesses: mostly nothing or a fence."""
    nothing: st.SearchStrategy[Chunk] = st.just(())
    fence: st.SearchStrategy[Chunk] = st.builds(Fence, st.sampled_from(palette.fences)).map(_alone)
    other = operations(names, _VALUES, palette).map(_alone)
    return st.one_of(nothing, nothing, fence, fence, other)


@cache
def _rarely(names: tuple[str, ...], palette: Palette) -> st.SearchStrategy[Chunk]:
    """What stands after them: mostly nothing."""
    nothing: st.SearchStrategy[Chunk] = st.just(())
    other = operations(names, _VALUES, palette)
    guarded = st.builds(Guard, st.just(Register(0)), _VALUES, other.map(_alone)).map(_alone)
    return st.one_of(nothing, nothing, nothing, other.map(_alone), guarded)


def _alone(operation: Operation) -> Chunk:
    return (operation,)


def varied_tests(*, max_candidates: int = 10_000, non_atomic: bool = False) -> st.SearchStrategy[Test]:
    """Tests around a cycle, and any others, with their guards, assumptions and mutexes."""
    cycles = cycle_tests(max_candidates=max_candidates, non_atomic=non_atomic)
    return st.one_of(cycles, cycles, litmus_tests(max_candidates=max_candidates, non_atomic=non_atomic))
