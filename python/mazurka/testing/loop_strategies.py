"""A Hypothesis strategy that draws tests with loops: threads that wait, retry, lock, count and poll.

A thread is a few pieces, each an operation or a loop of some form. The forms are those that programs have;
which places and values they wait for is random, so that many threads wait in vain. What a thread saw last is
stored where nobody else writes, which makes it part of the final memory.

I1: drawn tests satisfy the invariants of ``operations``: a piece is told how many registers precede it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from hypothesis import strategies as st

from mazurka.program import Annotation, Mode
from mazurka.testing.modes import Palette, palettes
from mazurka.testing.operations import (
    Assume,
    CompareExchange,
    Exchange,
    Fence,
    FetchAdd,
    Guard,
    Load,
    Lock,
    Operation,
    Refute,
    Register,
    Repeat,
    Shape,
    Store,
    Test,
    Unlock,
    count_registers,
    flatten,
)

_NAMES = ("x", "y", "l")
_MUTEX = "m"
_MINUS_ONE = 0xFFFF_FFFF

Piece: TypeAlias = tuple[Operation, ...]


class _Pieces:
    """Draws the pieces of a test; ``at`` is the number of registers that are filled before a piece."""

    def __init__(self, draw: st.DrawFn, palette: Palette, only_spins: bool) -> None:
        self.draw = draw
        self.palette = palette
        self.wanted: list[tuple[str, int]] = []  # what threads wait for
        self.forms = [
            *[self.operation] * 9,
            *[self.wait, self.lock] * 2,
            *[self.wait_exchange, self.retry, self.back_off, self.poll, self.write_and_wait],
            *[self.consistent_pair, self.bounded, self.fenced, self.both, self.nested, self.sometimes],
            *[self.test_and_lock, self.condition, self.look_twice],
            *[self.store_meanwhile, self.remember] * 3,
        ]
        if only_spins:
            self.forms = [
                *[self.operation] * 4,
                *[self.wait, self.wait_exchange, self.retry, self.consistent_pair, self.fenced],
                *[self.look_twice, self.both, self.lock, self.test_and_lock],
            ]

    def piece(self, at: int) -> Piece:
        """A piece of any form."""
        return self.draw(st.sampled_from(self.forms))(at)

    def operation(self, at: int) -> Piece:
        """One access or fence."""
        kind = self.draw(st.integers(0, 6))
        operations: list[Operation] = [
            self.load(),
            self.store(),
            self.store(),
            FetchAdd(self.update(), self.place(), 1),
            Exchange(self.update(), self.place(), self.value()),
            CompareExchange(self.update(), self.place(), self.value(), self.value()),
            Fence(self.draw(st.sampled_from(self.palette.fences))),
        ]
        return (operations[kind],)

    def condition(self, at: int) -> Piece:
        """An assumption, an assertion or a guard about what was read."""
        if not at:
            return self.operation(at)
        register, value = Register(self.draw(st.integers(0, at - 1))), self.value()
        kinds: list[Operation] = [
            Assume(register, value),
            Refute(register, 2),
            Guard(register, value, (self.store(),)),
        ]
        return (self.draw(st.sampled_from(kinds)),)

    def wait(self, at: int) -> Piece:
        """Until a place has a value."""
        place, value = self.place(), self.value()
        self.wanted.append((place, value))
        return (self.loop((self.load(place),), at, value),)

    def wait_exchange(self, at: int) -> Piece:
        """Until a place has a value, which is replaced."""
        place, expected = self.place(), self.value()
        self.wanted.append((place, expected))
        exchange = CompareExchange(self.update(), place, expected, self.value())
        return (self.loop((exchange,), at, expected),)

    def lock(self, at: int) -> Piece:
        """A lock that exchanges, an access with it taken, and mostly its release."""
        loop = self.loop((Exchange(self.update(), "l", 1),), at, 0)
        return (loop, *self.locked())

    def test_and_lock(self, at: int) -> Piece:
        """The same, with a lock that looks before it exchanges."""
        confirms = Annotation.CONFIRMING_CAS if self.flip() else None
        exchange = CompareExchange(self.update(), "l", 0, 1, annotation=confirms)
        take = exchange if self.flip() else Exchange(self.update(), "l", 1)
        body = Load(self.reading(), "l"), Guard(Register(at), 0, (take,))
        until = (Register(at), 0), (Register(at + 1), 0)
        return (Repeat(body, until, shape=self.shape()), *self.locked())

    def locked(self) -> Piece:
        """What is done with a lock taken, and its release."""
        place = self.draw(st.sampled_from(("x", "y")))
        access = self.load(place) if self.flip() else self.store(place)
        release = (Store(self.writing(), "l", 0),) if self.draw(st.integers(0, 3)) else ()
        return (access, *release)

    def retry(self, at: int) -> Piece:
        """An exchange of what was just loaded."""
        place = self.place()
        exchange = CompareExchange(self.update(), place, Register(at), self.value())
        until = ((Register(at + 1), Register(at)),)
        return (Repeat((Load(self.reading(), place), exchange), until, shape=self.shape()),)

    def back_off(self, at: int) -> Piece:
        """Adds, and takes it back unless it was the first."""
        place, old = self.place(), Register(at)
        undo = (FetchAdd(self.update(), place, _MINUS_ONE),)
        body = FetchAdd(self.update(), place, 1), Guard(old, 1, undo), Guard(old, 2, undo)
        return (Repeat(body, ((old, 0),), shape=self.shape()),)

    def poll(self, at: int) -> Piece:
        """Until a place has a value, which is read with a mutex."""
        return (self.loop((Lock(_MUTEX), self.load(), Unlock(_MUTEX)), at),)

    def write_and_wait(self, at: int) -> Piece:
        """A round that writes, too."""
        return (self.loop((self.store(), self.load()), at),)

    def consistent_pair(self, at: int) -> Piece:
        """Until a place was the same before and after another was read."""
        first, second = self.place(), self.place()
        body = tuple(Load(self.reading(), place) for place in (first, second, first))
        return (Repeat(body, ((Register(at + 2), Register(at)),), shape=self.shape()),)

    def bounded(self, at: int) -> Piece:
        """At most two rounds."""
        body = self.operation(at)
        until = ((Register(at), self.value()),) if count_registers(body) else ((Register(max(at - 1, 0)), 1),)
        return (Repeat(body, until if at or count_registers(body) else (), most=2),)

    def fenced(self, at: int) -> Piece:
        """A wait with a fence in each round."""
        return (self.loop((self.load(), Fence(self.draw(st.sampled_from(self.palette.fences)))), at),)

    def look_twice(self, at: int) -> Piece:
        """Until a place has a value, with a look at another in each round."""
        return (self.loop((self.load(), self.load()), at),)

    def both(self, at: int) -> Piece:
        """Until two places have values at the same time."""
        until = (Register(at), self.value()), (Register(at + 1), self.value())
        return (Repeat((self.load(), self.load()), until, shape=self.shape()),)

    def nested(self, at: int) -> Piece:
        """A wait in a wait."""
        return (Repeat((*self.wait(at), self.load()), ((Register(at + 1), self.value()),)),)

    def sometimes(self, at: int) -> Piece:
        """A wait that writes if it sees a certain value."""
        return (self.loop((self.load(), Guard(Register(at), self.value(), (self.store(),))), at),)

    # Rounds that look like waiting, but have an effect: it shows whether there was such a round.

    def store_meanwhile(self, at: int) -> Piece:
        """A wait that stores until it is over."""
        return self.meanwhile(at, lambda elsewhere: Store(self.writing(), elsewhere, 2))

    def remember(self, at: int) -> Piece:
        """A wait after which it is known what the rounds before the last one have read."""
        return self.meanwhile(at, self.load)

    def meanwhile(self, at: int, access: Callable[[str], Operation]) -> Piece:
        """A wait until a place is 1, with an access elsewhere as long as it is 0."""
        place, elsewhere = self.draw(st.permutations(("x", "y")))
        self.wanted.append((place, 1))
        return (self.loop((self.load(place), Guard(Register(at), 0, (access(elsewhere),))), at, 1),)

    def loop(self, body: Piece, at: int, value: int | None = None) -> Repeat:
        """A loop until its first register has a value."""
        wanted = self.value() if value is None else value
        return Repeat(body, ((Register(at), wanted),), shape=self.shape())

    def load(self, place: str | None = None) -> Load:
        return Load(self.reading(), place or self.place())

    def store(self, place: str | None = None) -> Store:
        return Store(self.writing(), place or self.place(), self.value())

    def place(self) -> str:
        return self.draw(st.sampled_from(("x", "x", "y", "l")))

    def value(self) -> int:
        return self.draw(st.sampled_from((1, 1, 1, 0, 2)))

    def flip(self) -> bool:
        return self.draw(st.booleans())

    def shape(self) -> Shape:
        return self.draw(st.sampled_from(list(Shape)))

    def reading(self) -> Mode:
        return self.draw(st.sampled_from(self.palette.loads))

    def writing(self) -> Mode:
        return self.draw(st.sampled_from(self.palette.stores))

    def update(self) -> Mode:
        return self.draw(st.sampled_from(self.palette.updates))


@st.composite
def loop_tests(
    draw: st.DrawFn, *, max_threads: int = 3, max_pieces: int = 2, only_spins: bool = False
) -> Test:
    """A random test with at least two threads and at least one loop; if asked for, with no loop that has an
    effect in a round after which it goes on.
    """
    pieces = _Pieces(draw, draw(palettes(False)), only_spins)
    count = draw(st.integers(2, max_threads))
    threads = [_thread(pieces, number, draw(st.integers(1, max_pieces))) for number in range(count)]
    if pieces.wanted and draw(st.sampled_from((True, True, False))):
        wakes = tuple(Store(pieces.writing(), place, value) for place, value in pieces.wanted[:3])
        threads[-1] = wakes if draw(st.booleans()) else (*threads[-1][:1], *wakes)
    if not any(isinstance(o, Repeat) for thread in threads for o in flatten(thread)):
        threads[0] = pieces.wait(0)
    used = {o.mutex for thread in threads for o in flatten(thread) if isinstance(o, Lock)}
    results = tuple((f"out{number}", 9) for number in range(count))
    initial = tuple((name, 0) for name in _NAMES)
    return Test(tuple(threads), (*initial, *results), tuple(sorted(used)))


def _thread(pieces: _Pieces, number: int, count: int) -> Piece:
    operations: Piece = ()
    for _ in range(count):
        operations += pieces.piece(count_registers(operations))
    filled = count_registers(operations)
    seen = (Store(Mode.RLX, f"out{number}", Register(filled - 1)),) if filled else ()
    return (*operations, *seen)
