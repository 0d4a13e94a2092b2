"""A Hypothesis strategy for tests in which threads may disagree: a cycle of communication, as in the papers.

Each thread's last access and the next thread's first are of one location, and one of the two writes; so
store buffering, message passing, load buffering, 2+2W, IRIW and their many mixtures are drawn often, while
threads of independent random accesses hardly ever show weak behaviour. Between the two accesses of a thread
there may be a fence or anything else, and any access may be a read-modify-write. One test in five has a shape
of ``SHAPES``, which tell models apart that hardly any random cycle does.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from hypothesis import strategies as st

from mazurka.program import Mode
from mazurka.testing.modes import Palette, palettes
from mazurka.testing.notation import parse_litmus
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
from mazurka.testing.strategies import NAMES, Budget, Chunk, assemble, litmus_tests, operations, weighted

_LINKS = st.sampled_from(["WR", "RW", "WW", "WR", "RW", "UR", "RU", "UW", "WU", "CR", "RC"])
_VALUES = st.integers(1, 2)
_SHORT = st.sampled_from([False, False, True])
# Shapes of the PLDI 2017 paper and of herd's catalogue, with all accesses SC; modes are drawn.
SHAPES = {
    "Z6.U": "Wsc x 1; Wsc y 1 || Asc y; Rsc y || Wsc y 3; Rsc x",
    "Z6.U, passed on": "Wsc x 1 || Rsc x; Wsc y 1 || Asc y; Rsc y || Wsc y 3; Rsc x",
    "W+RWC": "Wsc x 1; Wsc y 1 || Rsc y; Rsc z || Wsc z 1; Rsc x",
    "RWC": "Wsc x 1 || Rsc x; Rsc y || Wsc y 1; Rsc x",
    "IRIW": "Wsc x 1 || Rsc x; Rsc y || Rsc y; Rsc x || Wsc y 1",
    "release sequence": "Wsc x 1; Wsc y 1; Wsc y 2 || Rsc y; Rsc x",
}


def cycle_tests(
    *, max_events: int = 12, max_candidates: int = 10_000, non_atomic: bool = False
) -> st.SearchStrategy[Test]:
    """A random test of two to four threads around a cycle."""
    random = _random_cycles(max_events, max_candidates, non_atomic)
    return weighted(random, random, random, random, _shapes(max_events, max_candidates))


@st.composite
def _shapes(draw: st.DrawFn, max_events: int, max_candidates: int) -> Test:
    """A shape, most of whose events are SC; some threads have a fence."""
    shape = parse_litmus(draw(st.sampled_from(list(SHAPES.values()))))
    budget = Budget([name for name, _ in shape.variables], max_events, max_candidates)
    threads = []
    for thread in shape.threads:
        chunks: list[Chunk] = [(draw(_with_a_mode(one)),) for one in thread]
        if len(chunks) > 1 and draw(_SHORT):
            chunks.insert(1, (Fence(Mode.SC),))
        threads.append(assemble(chunks, 4, budget))
    return Test(tuple(threads), shape.variables)


@cache
def _with_a_mode(operation: Operation) -> st.SearchStrategy[Operation]:
    """An SC operation, or the same with a weaker mode: one in three."""
    assert isinstance(operation, Load | Store | FetchAdd), "shapes have no others"
    weaker = {Load: Mode.ACQ, Store: Mode.REL, FetchAdd: Mode.ACQ_REL}[type(operation)]
    return st.sampled_from([replace(operation, mode=m) for m in (*(Mode.SC,) * 4, weaker, Mode.RLX)])


@st.composite
def _random_cycles(draw: st.DrawFn, max_events: int, max_candidates: int, non_atomic: bool) -> Test:
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
    if short[0]:  # it communicates with the previous thread by the same location
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
    """What comes between a thread's two accesses: mostly nothing or a fence."""
    nothing: st.SearchStrategy[Chunk] = st.just(())
    fence: st.SearchStrategy[Chunk] = st.builds(Fence, st.sampled_from(palette.fences)).map(_alone)
    other = operations(names, _VALUES, palette).map(_alone)
    return weighted(nothing, nothing, fence, fence, other)


@cache
def _rarely(names: tuple[str, ...], palette: Palette) -> st.SearchStrategy[Chunk]:
    """What comes after them: mostly nothing."""
    nothing: st.SearchStrategy[Chunk] = st.just(())
    other = operations(names, _VALUES, palette)
    guarded = st.builds(Guard, st.just(Register(0)), _VALUES, other.map(_alone)).map(_alone)
    return weighted(nothing, nothing, nothing, other.map(_alone), guarded)


def _alone(operation: Operation) -> Chunk:
    return (operation,)


def varied_tests(*, max_candidates: int = 10_000, non_atomic: bool = False) -> st.SearchStrategy[Test]:
    """Tests around a cycle, and any others, with their guards, assumptions and mutexes."""
    cycles = cycle_tests(max_candidates=max_candidates, non_atomic=non_atomic)
    return weighted(cycles, cycles, litmus_tests(max_candidates=max_candidates, non_atomic=non_atomic))
