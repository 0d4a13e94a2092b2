"""The synchronisation objects: the word and operations of each, and the C functions that use them.

A new object is a new section here, described with the words of ``sync``. Everything else reads these tables.
"""

from __future__ import annotations

from mazurka.program.opcodes import Mode
from mazurka.program.sync import (
    FIRST_RESULT,
    OLD,
    OPERAND,
    THREAD,
    Call,
    Operation,
    SyncObject,
    becomes,
    meets,
    misuse,
    stays,
    waits,
)

# Mutexes of the default type. The word is 0 when the mutex is free, and the holder's ThreadId + 1 when taken.
MUTEX = SyncObject("mutex", size=4, kind="mutex", title="a mutex is misused")
_FREE, _DESTROYED = 0, 0xFFFF_FFFF
_ME = THREAD + 1
MUTEX_STATES = {_FREE: "free", _DESTROYED: "destroyed"}  # what reports call these words; others name a holder
_EBUSY = 16
_DEAD = misuse("lock of a mutex that was destroyed", when=OLD.equals(_DESTROYED))
_USE_OF_DEAD = misuse("use of a mutex that was destroyed", when=OLD.equals(_DESTROYED))

LOCK = Operation(
    MUTEX,
    "lock",
    reads=Mode.ACQ,
    writes=Mode.RLX,
    cases=(becomes(_ME, when=OLD.equals(_FREE)), _DEAD, waits()),
    unchanged="waits",
    done="taken",
    stuck="this thread waits for a mutex that will never be given back",
    stuck_alone="this thread waits for a mutex that it holds itself",
)
TRYLOCK = Operation(
    MUTEX,
    "trylock",
    reads=Mode.ACQ,
    writes=Mode.RLX,
    cases=(becomes(_ME, when=OLD.equals(_FREE), result=0), _DEAD, stays(_EBUSY)),
    unchanged="busy",
    done="taken",
)
UNLOCK = Operation(
    MUTEX,
    "unlock",
    reads=None,
    writes=Mode.REL,
    cases=(
        becomes(_FREE, when=OLD.equals(_ME)),
        misuse("unlock of a mutex that this thread does not hold"),
    ),
    overwrites=(_USE_OF_DEAD,),
)
MUTEX_INIT = Operation(MUTEX, "init mutex", reads=None, writes=Mode.RLX, cases=(becomes(_FREE),))
MUTEX_DESTROY = Operation(
    MUTEX,
    "destroy mutex",
    reads=None,
    writes=Mode.RLX,
    cases=(becomes(_DESTROYED),),
    overwrites=(
        _USE_OF_DEAD,
        misuse("destruction of a mutex that is held", when=OLD.differs(_FREE)),
    ),
)


def holder_of(word: int) -> int:
    """The thread that holds a mutex with this word."""
    return word - 1


# Barriers. The word is how many threads meet, 0 before the barrier is initialised.
BARRIER = SyncObject("barrier", size=4, kind="barrier", title="a barrier is misused")
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
            "initialisation of a barrier that is in use already",
            when=OLD.differs(0) & OLD.differs(_DESTROYED),
        ),
    ),
    makes=True,
)
BARRIER_CLEAR = Operation(BARRIER, "init barrier", reads=None, writes=Mode.RLX, cases=(becomes(0),))
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
)
_PICK_OFFSET = 8

# C functions: the operations that each performs, in order. A function returns the last result, or 0.
FUNCTIONS: dict[str, tuple[Call, ...]] = {
    "pthread_mutex_init": (Call(MUTEX_INIT),),
    "pthread_mutex_lock": (Call(LOCK),),
    "pthread_mutex_trylock": (Call(TRYLOCK),),
    "pthread_mutex_unlock": (Call(UNLOCK),),
    "pthread_mutex_destroy": (Call(MUTEX_DESTROY),),
    "pthread_barrier_init": (Call(BARRIER_INIT, operand=2), Call(BARRIER_CLEAR, offset=_PICK_OFFSET)),
    "pthread_barrier_wait": (
        Call(BARRIER_LOOK),
        Call(BARRIER_PICK, operand=FIRST_RESULT, offset=_PICK_OFFSET, if_used=True),
        Call(BARRIER_MEET, operand=FIRST_RESULT),
    ),
    "pthread_barrier_destroy": (Call(BARRIER_DESTROY),),
}
# The objects that C programs can use.
OBJECTS = tuple(dict.fromkeys(call.operation.object for calls in FUNCTIONS.values() for call in calls))
