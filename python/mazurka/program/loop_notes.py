"""What passes did to a loop, or why they did nothing. ``report.loops`` says it in sentences."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Fate(IntEnum):
    """What happens to rounds that are known to change nothing before the program runs."""

    REPEATED = 0  # none is known to be one
    STOPPED = 1  # they stop their thread
    SOME_STOPPED = 2  # they do so on some ways round
    NOT_CALLED = 3  # the function waits by calling itself, and does not call itself again


class Reshaping(IntEnum):
    """How a loop was changed so that such rounds show."""

    NONE = 0
    ROTATED = 1
    MERGED = 2  # with equal code before it


class Obstacle(IntEnum):
    """Why a round is not known to change nothing."""

    CONSTANT_ROUNDS = 0  # nobody waits in a loop with a constant number of rounds
    NO_EXIT = 1
    ENTERED_INSIDE = 2  # the loop can be entered elsewhere than at its start
    NEVER_ROUND = 3  # no way round was found
    TOO_MANY_WAYS = 4
    READS_NOTHING = 5  # that other threads write
    VALUE_CHANGES = 6  # a live register
    STORE = 7
    ALLOCATION = 8
    FREE = 9
    THREAD_CREATION = 10
    JOIN = 11
    SYNC_OBJECT = 12
    PRINT = 13
    CALL_NOT_FOLLOWED = 14
    CALL_BY_ADDRESS = 15
    OTHER_EFFECT = 16
    INNER_LOOP = 17  # may have effects
    COMPARE_EXCHANGE = 18  # may succeed
    READ_MODIFY_WRITE = 19  # may change memory
    EXCHANGE_FIRST = 20  # an exchange would have to be tested that a rotation copies


@dataclass(frozen=True, slots=True)
class Hindrance:
    """An obstacle, and where it is."""

    obstacle: Obstacle
    position: int  # into Program.positions, or NO_POSITION
    target: str = ""  # what a store writes, as in the source


@dataclass(frozen=True, slots=True)
class LoopNote:
    """What became of a loop, or of a function that calls itself to wait."""

    loop: int  # into Program.loops
    fate: Fate
    hindrance: Hindrance | None = None  # why not all rounds without effect are known
    reshaping: Reshaping = Reshaping.NONE
    tests_exchanges: bool = False  # a round is only stopped if its exchanges wrote back what they read
