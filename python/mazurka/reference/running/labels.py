"""What a thread asks for: a label for each event, or an ending (thesis Def. 2.2.1).

Departs 1: blocked and failed threads are endings, not events; they add nothing to any relation.
Departs 2: creation and join of threads, allocation and deallocation are events too.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from mazurka.program import Annotation, Mode, Source
from mazurka.reference.running.sync import Use

EventId: TypeAlias = tuple[int, int]  # ThreadId, position in the thread
INIT = None  # the initial write, which every location has
# What a read that counts rounds of meetings gets: its value, and this many times the number of rounds.
ROUNDS = 1 << 64
Reads: TypeAlias = frozenset[int]  # of one thread, by their positions in it
NO_READS: Reads = frozenset()


class Dependencies(NamedTuple):
    """The reads of its thread that an event depends on (``dependencies``)."""

    addr: Reads = NO_READS
    data: Reads = NO_READS
    ctrl: Reads = NO_READS


class Late(Enum):
    """What is known about a read whose place in rf is not: whether its compare-exchange writes."""

    FAILS = "fails"  # or it is a plain read
    SUCCEEDS = "succeeds"


# What a thread is given for an event: a value, or for the read of a section the bytes that it reads.
Given: TypeAlias = int | tuple[tuple[int, int], ...] | Late


class ReferenceUnsupported(Exception):  # noqa: N818 - says what is missing, not that something broke
    """The reference does not interpret this; the engine may."""


class Kind(str, Enum):
    """Kinds of events, named as in the engine's graphs."""

    READ = "R"
    WRITE = "W"
    FENCE = "F"
    ALLOC = "ALLOC"
    FREE = "FREE"
    CREATE = "CREATE"
    JOIN = "JOIN"
    ARRIVE = "ARRIVE"
    DEPART = "DEPART"
    CHOOSE = "CHOOSE"


class Label(NamedTuple):
    """An event without its place in a graph; fields a kind does not use are 0.

    CREATE has the function's address, the argument as ``value`` and the new thread as ``other``. ARRIVE and
    DEPART have the number of threads that meet as ``value`` and the round as ``other``. A
    compare-exchange's read has ``expected``: reading anything else gives it the mode ``failure``. ``tame``
    says that unwritten bytes are not an error: for a read that only moves them, or an ALLOC that clears them.
    ``use`` is the operation on a synchronisation object that makes the event. ``initial`` is what a read
    finds in the initial write. ``annotation`` is what the program says about the access; the read of an
    annotated compare-exchange has as ``value`` what it would write. The read and the write of an atomic
    section have their bytes in ``scattered``, in increasing order; ``size`` counts them, and values have them
    in this order. CHOOSE has the values to choose from in ``options``; in a graph, the one that was
    chosen is its ``value``. ``depends`` is what the event depends on, if that is tracked. ``awaits`` are the
    late reads from which a write's value, or what a compare-exchange expects, was computed. ``source`` is
    what the source says of the instruction, if that was compiled for a machine.
    """

    kind: Kind
    mode: Mode = Mode.NA
    address: int = 0
    size: int = 0
    value: int = 0
    exclusive: bool = False
    other: int = 0
    expected: int | None = None
    failure: Mode = Mode.NA
    tame: bool = False
    use: Use | None = None
    annotation: Annotation | None = None
    initial: int = 0
    scattered: tuple[int, ...] | None = None
    options: tuple[int, ...] = ()
    depends: Dependencies | None = None
    awaits: Reads = NO_READS
    source: Source | None = None

    @property
    def footprint(self) -> Sequence[int]:
        """The bytes of an access."""
        return range(self.address, self.address + self.size) if self.scattered is None else self.scattered

    @property
    def ranges(self) -> list[tuple[int, int]]:
        """Its runs of neighbouring bytes: where each begins and ends."""
        if self.scattered is None:
            return [(self.address, self.address + self.size)]
        gaps = [number for number, (a, b) in enumerate(pairwise(self.scattered), 1) if b > a + 1]
        parts = pairwise((0, *gaps, self.size)) if self.size else ()
        return [(self.scattered[start], self.scattered[end - 1] + 1) for start, end in parts]

    def byte(self, at: int) -> int:
        """What a write writes at an address."""
        return self.value >> 8 * self.footprint.index(at) & 0xFF


class Fate(Enum):
    """How a thread ended."""

    DONE = "done"
    EXITED = "exited"  # and the program with it
    BLOCKED = "blocked"
    SPINNING = "spinning"  # in a loop, of which a round has changed nothing
    WAITING = "waiting"  # for a synchronisation object
    CUT = "cut"
    NEEDS = "needs"  # the values of late reads
    FAILED = "failed"


class Ending(NamedTuple):
    """The end of a thread: what it returned or which object it waits for; a finding's kind and message.

    A thread that spins has done so since it had ``since`` events, if that is known; ``needs`` are the
    late reads without which it cannot go on. If dependencies are tracked, ``decided`` are the reads by which
    its last branches were decided, if these are of one source line.
    """

    fate: Fate
    value: int = 0
    finding: str = ""
    message: str = ""
    since: int | None = None
    needs: Reads = NO_READS
    decided: Reads = NO_READS
