"""For each condition of ``docs/waiting.md`` under which helpers may wait: without it, something is lost.

Thread 1 links, and thread 2 helps; the others look.
"""

from __future__ import annotations

from typing import NamedTuple

from mazurka.program import Annotation, Mode
from mazurka.reference.canonical import Canonical, final_memory
from mazurka.testing import Test
from mazurka.testing.build import variable_address
from mazurka.testing.operations import (
    CompareExchange,
    Exchange,
    Fence,
    Guard,
    Load,
    Operation,
    Register,
    Store,
)

Thread = tuple[Operation, ...]


class Condition(NamedTuple):
    """A test that breaks it, and a model under which something is lost if that is not noticed."""

    model: str
    test: Test


def _linking(
    *after: Operation, known: Mode = Mode.ACQ, link: Mode = Mode.ACQ_REL, failure: Mode = Mode.RLX
) -> Thread:
    helped = CompareExchange(Mode.ACQ_REL, "x", 0, 1, failure, Annotation.HELPED_CAS)
    return Load(known, "x"), Guard(Register(0), 0, (Exchange(link, "y", 1), helped, *after))


def _helping(seen: Mode = Mode.ACQ, mode: Mode = Mode.ACQ_REL) -> Thread:
    helping = CompareExchange(mode, "x", 0, 1, Mode.RLX, Annotation.HELPING_CAS)
    return Load(seen, "y"), Guard(Register(0), 1, (helping,))


def _test(*threads: Thread, x: int = 0) -> Test:
    return Test(threads, (("x", x), ("y", 0), ("z", 0)))


_PUT = Store(Mode.RLX, "z", 1)
_LOOK: Thread = (Load(Mode.ACQ, "x"), Load(Mode.RLX, "z"))  # whether who sees the step sees _PUT

# What the program and the model must be like.
STATIC = {
    "what a helped one returns is not used": Condition(
        "sc", _test(_linking(Guard(Register(2), 1, (_PUT,))), _helping())
    ),
    "a helping one releases": Condition("rc11", _test((_PUT, *_linking()), _helping(mode=Mode.ACQ), _LOOK)),
    "no access is SC": Condition(
        "rc11",
        _test(
            _linking(Fence(Mode.SC), Load(Mode.RLX, "z")),
            _helping(),
            (Store(Mode.SC, "z", 1), Load(Mode.SC, "x")),
            (Load(Mode.RLX, "x"), Guard(Register(0), 1, (Store(Mode.RLX, "x", 3),))),
        ),
    ),
    "stores do not continue release sequences": Condition(
        "rc11-cpp11", _test((_PUT, *_linking(Store(Mode.RLX, "x", 3))), _helping(), _LOOK)
    ),
}
# What the execution must be like.
DYNAMIC = {
    "the link is acquired": Condition("rc11", _test((_PUT, *_linking()), _helping(seen=Mode.RLX), _LOOK)),
    "the link releases": Condition("rc11", _test((_PUT, *_linking(link=Mode.RLX)), _helping(), _LOOK)),
    "what is replaced was acquired before the link": Condition(
        "rc11",
        _test(
            _linking(Load(Mode.RLX, "z"), known=Mode.RLX),
            _helping(),
            (_PUT, Store(Mode.REL, "x", 0)),
            x=2,
        ),
    ),
}


def outcome(test: Test, form: Canonical) -> object:
    """What is left in memory, and what threads read, but for x where two threads link and help."""
    x = variable_address(test, "x")
    threads = (
        tuple((e[2], e[4]) for e in events if e[0] == "R" and not (e[2] == x and t in (1, 2)))
        for t, events in enumerate(form[0])
    )
    return tuple(threads), final_memory(form)
