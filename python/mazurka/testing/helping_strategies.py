"""Hypothesis strategies that draw tests in which threads help others.

A thread that *links* loads x, replaces y by a value, and makes the helped compare-exchange of x to that
value. A thread that *helps* loads y, and if it sees the value, makes the same compare-exchange. Other threads
load x and y, and refute what they see. In a *wrong* test, something about the helped compare-exchange is
different: it is missing, something comes before it, or it has other values.
"""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

from mazurka.program import Annotation, Mode
from mazurka.testing.operations import (
    CompareExchange,
    Exchange,
    Fence,
    FetchAdd,
    Guard,
    Load,
    Operation,
    Refute,
    Register,
    Store,
    Test,
    count_registers,
)
from mazurka.testing.strategies import Budget, Chunk

NAMES = ("x", "y", "z")
_STEPS = st.sampled_from(((0, 1), (0, 1), (1, 2)))  # what x is before, and after


class Modes(NamedTuple):
    """The modes of the accesses by which threads link and help."""

    known: Mode  # the load of x before the link
    link: Mode
    helped: Mode
    seen: Mode  # the load of the link
    helping: Mode
    failure: Mode


_STRONG = Modes(Mode.ACQ, Mode.ACQ_REL, Mode.ACQ_REL, Mode.ACQ, Mode.ACQ_REL, Mode.ACQ)
_LOADS = st.sampled_from((Mode.RLX, Mode.ACQ, Mode.SC))
_UPDATES = st.sampled_from((Mode.RLX, Mode.ACQ, Mode.REL, Mode.ACQ_REL, Mode.SC))


@st.composite
def _modes(draw: st.DrawFn) -> Modes:
    """Mostly the modes with which helpers may wait, sometimes all of them but one or two."""
    weaker = draw(st.lists(st.sampled_from(Modes._fields), max_size=2))
    drawn = {f: draw(_LOADS if f in ("known", "seen", "failure") else _UPDATES) for f in weaker}
    return _STRONG._replace(**drawn)


@st.composite
def helping_tests(
    draw: st.DrawFn, *, wrong: bool = False, max_events: int = 15, max_candidates: int = 4_000
) -> Test:
    """A random test with a thread that links, one that helps, and possibly others."""
    modes, step = draw(_modes()), draw(_STEPS)
    first = [_linking(draw, modes, step, wrong), _helping(draw, modes, step)]
    others = draw(st.lists(st.sampled_from((_linking, _helping, _looking, _looking)), max_size=2))
    more = [other(draw, modes, draw(_STEPS)) for other in others]
    budget, threads = Budget(NAMES, max_events, max_candidates), list[tuple[Operation, ...]]()
    for thread in (*first, *more):
        if budget.take(thread):
            threads.append(thread)
    before = draw(st.sampled_from((step[0], step[0], 1 - step[0])))
    return Test(tuple(threads), (("x", before), ("y", 0), ("z", 0)))


def _linking(draw: st.DrawFn, modes: Modes, step: tuple[int, int], wrong: bool = False) -> Chunk:
    old, new = step
    links: tuple[Operation, ...] = (Exchange(modes.link, "y", new), FetchAdd(modes.link, "y", new))
    link = draw(st.sampled_from(links))
    helped = CompareExchange(modes.helped, "x", old, new, modes.failure, Annotation.HELPED_CAS)
    before: Chunk = ()
    after: Chunk = (helped,)
    if wrong:
        other = CompareExchange(modes.helped, "x", new, old, modes.failure, Annotation.HELPED_CAS)
        plain = CompareExchange(modes.helped, "x", old, new, modes.failure)
        between = draw(_noise())
        after = draw(st.sampled_from(((), (other,), (plain,), (between, helped))))
    elif draw(st.booleans()):
        before = (draw(_noise()),)
    end = (draw(_noise()),) if draw(st.booleans()) else ()
    guarded = draw(st.sampled_from((True, True, True, False)))
    body: Chunk = (link, *after)
    known = (Guard(Register(count_registers(before)), old, body),) if guarded else body
    return (*before, Load(modes.known, "x"), *known, *end)


def _helping(draw: st.DrawFn, modes: Modes, step: tuple[int, int]) -> Chunk:
    old, new = step
    helping = CompareExchange(modes.helping, "x", old, new, modes.failure, Annotation.HELPING_CAS)
    before = (draw(_noise()),) if draw(st.booleans()) else ()
    after = _look(draw, count_registers(before) + 2) if draw(st.booleans()) else ()
    seen = Register(count_registers(before))
    between = (draw(_noise()),) if draw(st.booleans()) and not after else ()
    return (*before, Load(modes.seen, "y"), *between, Guard(seen, new, (helping,)), *after)


def _looking(draw: st.DrawFn, modes: Modes, step: tuple[int, int]) -> Chunk:
    first = _look(draw, 0)
    return (*first, *_look(draw, count_registers(first)))


def _look(draw: st.DrawFn, filled: int) -> Chunk:
    """A load, and possibly an assertion about it."""
    load = Load(draw(st.sampled_from((Mode.RLX, Mode.ACQ))), draw(st.sampled_from(("x", "x", "y", "z"))))
    refuted = draw(st.sampled_from((None, None, None, 0, 1, 2)))
    return (load,) if refuted is None else (load, Refute(Register(filled), refuted))


def _noise() -> st.SearchStrategy[Operation]:
    """Something else, which writes neither x nor y."""
    return st.sampled_from(
        (
            Store(Mode.RLX, "z", 1),
            Store(Mode.REL, "z", 2),
            Load(Mode.RLX, "z"),
            Load(Mode.ACQ, "x"),
            Fence(Mode.REL),
            Fence(Mode.ACQ),
            Fence(Mode.SC),
        )
    )
