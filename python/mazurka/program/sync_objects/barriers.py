"""Barriers. The word is how many threads meet, 0 before the barrier is initialised.

A second word, further on, is the number of rounds in which a thread was told that it is the serial one.
"""

from __future__ import annotations

from mazurka.program.opcodes import Mode
from mazurka.program.sync import (
    FIRST_RESULT,
    OLD,
    OPERAND,
    Call,
    Functions,
    Operation,
    SyncObject,
    becomes,
    meets,
    misuse,
    stays,
)

BARRIER = SyncObject("barrier", size=4, kind="barrier", title="a barrier is misused")
_DESTROYED = 0xFFFF_FFFF
_COUNT_BITS = 32
_SERIAL_THREAD = 0xFFFF_FFFF  # PTHREAD_BARRIER_SERIAL_THREAD is -1
_USE_OF_DEAD_BARRIER = misuse("use of a barrier that was destroyed", when=OLD.equals(_DESTROYED))
_USE_OF_NO_BARRIER = misuse("use of a barrier that was not initialised", when=OLD.equals(0))
_COUNT, _ROUND = OPERAND & 0xFFFF_FFFF, OPERAND >> _COUNT_BITS  # of what a thread learns when it comes

BARRIER_INIT = Operation(
    BARRIER,
    "init barrier",
    reads=None,
    writes=Mode.RLX,
    cases=(
        misuse("initialisation of a barrier with a count of zero", when=OPERAND.equals(0)),
        becomes(OPERAND),
    ),
    overwrites=(
        misuse(
            "initialisation of a barrier that is already in use",
            when=OLD.differs(0) & OLD.differs(_DESTROYED),
        ),
    ),
    makes=True,
    done="initialised",
)
BARRIER_CLEAR = Operation(
    BARRIER, "init barrier", reads=None, writes=Mode.RLX, cases=(becomes(0),), done="initialised"
)
BARRIER_LOOK = Operation(
    BARRIER,
    "come to",
    reads=Mode.RLX,
    writes=Mode.RLX,
    cases=(_USE_OF_DEAD_BARRIER, _USE_OF_NO_BARRIER, stays(OLD | (OPERAND << _COUNT_BITS))),
    counts_rounds=True,
)
# Which thread of a round is told that it is the one. The word is the number of rounds with such a thread.
BARRIER_PICK = Operation(
    BARRIER,
    "be the serial thread of",
    reads=Mode.RLX,
    writes=Mode.RLX,
    cases=(
        stays(_SERIAL_THREAD, when=_COUNT.equals(1)),
        becomes(_ROUND + 1, when=OLD <= _ROUND, result=_SERIAL_THREAD),
        stays(0),
    ),
    unchanged="no",
)
BARRIER_MEET = Operation(
    BARRIER,
    "meet at",
    reads=None,
    writes=Mode.RLX,
    cases=(meets(_COUNT),),
    done="reached",
    stuck="this thread waits at a barrier that too few threads reach",
    stuck_alone="this thread waits at a barrier that no other thread reaches",
)
BARRIER_DESTROY = Operation(
    BARRIER,
    "destroy barrier",
    reads=None,
    writes=Mode.RLX,
    cases=(becomes(_DESTROYED),),
    overwrites=(_USE_OF_DEAD_BARRIER, _USE_OF_NO_BARRIER),
    while_met="destruction of a barrier at which a thread waits",
    done="destroyed",
)
_PICK_OFFSET = 8

FUNCTIONS: Functions = {
    "pthread_barrier_init": (Call(BARRIER_INIT, operand=2), Call(BARRIER_CLEAR, offset=_PICK_OFFSET)),
    "pthread_barrier_wait": (
        Call(BARRIER_LOOK),
        Call(BARRIER_PICK, operand=FIRST_RESULT, offset=_PICK_OFFSET, if_used=True),
        Call(BARRIER_MEET, operand=FIRST_RESULT),
    ),
    "pthread_barrier_destroy": (Call(BARRIER_DESTROY),),
}
