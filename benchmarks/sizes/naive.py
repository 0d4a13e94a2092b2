"""Mixer against TruSt on single bytes (Mixer §7.1).

The paper's baseline takes an access for a sequence of accesses of one byte and filters torn executions out at
the end. Here the same test is written twice, with whole accesses and with their bytes, and both are explored
by the engine. The baseline's seconds are without the filter, which would only add to them.

The paper shows its synthetic programs in a figure without names. These shapes are ours: loads and stores of
words and of their parts, and its examples 2.3, 3.1 and 3.4 with more threads.

Not done: read-modify-writes. Byte by byte they are no longer a read of all bytes and then a write of all of
them, so this would consider something else (``mazurka.reference.mixing.naive`` counts them).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import process_time

from mazurka import _engine
from mazurka.kat.language.load import named_model
from mazurka.kat.planning.planner import tables_of
from mazurka.testing import parse_litmus, to_program

MODEL = "rc11-ra"
# Seconds for the baseline.
PATIENCE = 10.0


@dataclass(frozen=True)
class Access:
    """A relaxed load (``value`` is None), or a store of a value to each of the bytes from ``first`` on."""

    first: int
    size: int
    value: int | None = None

    def whole(self) -> str:
        """In litmus notation."""
        last = self.first + self.size - 1
        place = f"x[{self.first}]" if self.size == 1 else f"x[{self.first}:{last}]"
        if self.value is None:
            return f"Rrlx {place}"
        return f"Wrlx {place} {sum(self.value << 8 * byte for byte in range(self.size)):#x}"

    def bytes(self) -> str:
        """Byte by byte."""
        return "; ".join(Access(self.first + at, 1, self.value).whole() for at in range(self.size))


Thread = Sequence[Access]


@dataclass(frozen=True)
class ByteShape:
    """Threads of accesses."""

    name: str
    threads: Sequence[Thread]

    @property
    def whole(self) -> str:
        """With whole accesses."""
        return " || ".join("; ".join(access.whole() for access in thread) for thread in self.threads)

    @property
    def bytes(self) -> str:
        """With the bytes of accesses."""
        return " || ".join("; ".join(access.bytes() for access in thread) for thread in self.threads)


def words(writers: int, readers: int, size: int) -> ByteShape:
    """Threads that store a word, and threads that load it."""
    stores = [[Access(0, size, number + 1)] for number in range(writers)]
    return ByteShape(f"words({writers},{readers},{size})", [*stores, *[[Access(0, size)]] * readers])


def halves(writers: int, readers: int) -> ByteShape:
    """As many writers of each half of a 4-byte word, and readers of the word."""
    stores = [[Access(2 * half, 2, number + 1)] for number in range(writers) for half in (0, 1)]
    return ByteShape(f"halves({writers},{readers})", [*stores, *[[Access(0, 4)]] * readers])


def example_2_3(writers: int) -> ByteShape:
    """A thread that stores one byte and loads another, beside threads that store both."""
    return ByteShape(
        f"2.3({writers})",
        [[Access(0, 1, 9), Access(1, 1)], *([Access(0, 2, number + 1)] for number in range(writers))],
    )


def example_3_1(readers: int) -> ByteShape:
    """Threads that load two bytes, and threads that store one each."""
    return ByteShape(f"3.1({readers})", [*[[Access(0, 2)]] * readers, [Access(0, 1, 1)], [Access(1, 1, 1)]])


def example_3_4(readers: int) -> ByteShape:
    """Threads that load a word, of which others store the first byte and each half."""
    return ByteShape(
        f"3.4({readers})",
        [[Access(0, 1, 2)], *[[Access(0, 4)]] * readers, [Access(0, 2, 1)], [Access(2, 2, 1)]],
    )


SHAPES = (
    *(words(1, 1, 4), words(1, 1, 8), words(2, 1, 4), words(2, 2, 4), words(2, 1, 8), words(3, 1, 4)),
    *(words(3, 2, 4), words(2, 2, 8)),
    *(halves(1, 1), halves(1, 2), halves(2, 1), halves(2, 2)),
    *(example_2_3(1), example_2_3(2), example_2_3(3), example_2_3(4)),
    *(example_3_1(1), example_3_1(2), example_3_1(3)),
    *(example_3_4(1), example_3_4(2), example_3_4(3)),
)
SHORT = ("words(1,1,4)", "2.3(2)", "3.4(1)")


@dataclass(frozen=True)
class Side:
    """Executions considered, and seconds."""

    executions: int
    seconds: float


@dataclass(frozen=True)
class Waste:
    """A shape in both ways; the baseline is None if it took too long."""

    shape: ByteShape
    mixer: Side
    naive: Side | None


def select(names: Sequence[str], short: bool) -> list[ByteShape]:
    """The shapes of some names (``words`` or ``words(1,1,4)``), or all."""
    shapes = [shape for shape in SHAPES if not short or shape.name in SHORT]
    return [
        shape for shape in shapes if not names or shape.name in names or shape.name.partition("(")[0] in names
    ]


def compare(shapes: Sequence[ByteShape]) -> Iterator[Waste]:
    """Explores each shape in both ways."""
    for shape in shapes:
        mixer = _explore(shape.whole, mixed_sizes=True)
        assert mixer is not None
        yield Waste(shape, mixer, _explore(shape.bytes, mixed_sizes=False))


def _explore(source: str, *, mixed_sizes: bool) -> Side | None:
    program = to_program(parse_litmus(source)).encode()
    plan = tables_of(named_model(MODEL), mixed_sizes=mixed_sizes).encode()
    start = process_time()
    found = _engine.explore(
        program, plan, mixed_sizes=mixed_sizes, load_annotations=False, time_limit=PATIENCE
    )
    seconds = process_time() - start
    return Side(found.complete + found.blocked, seconds) if found.status == "finished" else None
