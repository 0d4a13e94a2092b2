"""Programs with a structure that litmus tests lack: threads of threads, handles, mutexes, heap objects.

A ``Structure`` is main's steps; a ``Spawn`` holds the steps of the thread that it creates. All threads share
two integers, two mutexes, a pointer ``p`` and a thread's handle ``h``, which are 0 at first.

I1: a thread has one register for data, LAST, which is 0 at first: whatever a step reads, or a joined thread
returns, goes there, and the thread returns it.
I2: LAST never holds a handle or an address, so executions do not depend on how threads are numbered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from mazurka.testing.operations import CompareExchange, Exchange, Fence, FetchAdd, Load, Register, Store

LAST = Register(0)  # as a value to store (I1)
OBJECT = "*p"  # the place that an access through a pointer names
INTEGERS, MUTEXES = ("x", "y"), ("m", "n")
Access: TypeAlias = Load | Store | FetchAdd | Exchange | CompareExchange


class Source(Enum):
    """How a thread knows a handle or a pointer; if its argument is neither, ARGUMENT means SHARED."""

    OWN = "own"  # it created the thread, or allocated the object
    SHARED = "shared"  # it reads h or p
    ARGUMENT = "argument"  # it got it as its argument


class Argument(Enum):
    """What a thread is given when it is created, if its creator has one."""

    NOTHING = "nothing"
    HANDLE = "handle"  # of the thread that the creator created last
    POINTER = "pointer"  # to the object that the creator allocated last


@dataclass(frozen=True)
class Spawn:
    """Creates a thread; ``publish`` stores its handle in h."""

    steps: tuple[Step, ...]
    argument: Argument = Argument.NOTHING
    publish: bool = False


@dataclass(frozen=True)
class Join:
    """Joins a thread, if it knows one; ``number`` counts the threads that the same steps created before."""

    source: Source
    number: int = 0


@dataclass(frozen=True)
class Acquire:
    """Runs the body with a mutex taken, or skips it if an attempt fails; ``release`` releases the mutex."""

    mutex: str
    body: tuple[Step, ...] = ()
    attempt: bool = False
    release: bool = True


@dataclass(frozen=True)
class Destroy:
    """Ends a mutex."""

    mutex: str


class Fill(Enum):
    """When a new object is written for the first time, if at all."""

    ZEROED = "zeroed"
    BEFORE = "before"  # it is published
    AFTER = "after"
    NEVER = "never"


@dataclass(frozen=True)
class New:
    """Allocates an object and publishes its address in p."""

    fill: Fill


@dataclass(frozen=True)
class Use:
    """Accesses an object (the access names the place OBJECT); unless ``blind``, a null pointer is left alone.

    A load that is ``moved`` may read bytes that were never written.
    """

    source: Source
    access: Access
    blind: bool = False
    moved: bool = False


@dataclass(frozen=True)
class Delete:
    """Frees an object; ``exchange`` takes it out of p at the same time, so that no other can free it."""

    source: Source
    exchange: bool = True


@dataclass(frozen=True)
class When:
    """Runs the body if LAST is not 0."""

    body: tuple[Step, ...]


@dataclass(frozen=True)
class Require:
    """Blocks the thread if LAST is 0."""


@dataclass(frozen=True)
class Exit:
    """Ends the thread, or the ``whole`` program."""

    whole: bool


Step: TypeAlias = (
    Access | Fence | Spawn | Join | Acquire | Destroy | New | Use | Delete | When | Require | Exit
)


@dataclass(frozen=True)
class Structure:
    """What main does; if ``synchronised``, handles and pointers are released and acquired, else relaxed."""

    steps: tuple[Step, ...]
    synchronised: bool = False


def bodies(step: Step) -> tuple[Step, ...]:
    """The steps inside a step."""
    if isinstance(step, Spawn):
        return step.steps
    return step.body if isinstance(step, When | Acquire) else ()


def all_steps(steps: tuple[Step, ...]) -> Iterator[Step]:
    """All steps in textual order, each before those inside it."""
    for step in steps:
        yield step
        yield from all_steps(bodies(step))


def place_of(access: Access) -> str:
    """The place that an access names; in structures all have names."""
    assert isinstance(access.place, str), "structures index nothing"
    return access.place
