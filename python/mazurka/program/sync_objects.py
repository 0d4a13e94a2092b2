"""The synchronisation objects: the word and operations of each, and the C functions that use them.

A new object is a new section here, described with the words of ``sync``. Everything else reads these tables.
"""

from __future__ import annotations

from mazurka.program.opcodes import Mode
from mazurka.program.sync import OLD, THREAD, Call, Operation, SyncObject, becomes, misuse, stays, waits

# Mutexes of the default type. The word is 0 when the mutex is free, and the holder's ThreadId + 1 when taken.
MUTEX = SyncObject("mutex", size=4, kind="mutex", title="a mutex is misused")
_FREE, _DESTROYED = 0, 0xFFFF_FFFF
_ME = THREAD + 1
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

# C functions: the operations that each performs, in order. A function returns the last result, or 0.
FUNCTIONS: dict[str, tuple[Call, ...]] = {
    "pthread_mutex_init": (Call(MUTEX_INIT),),
    "pthread_mutex_lock": (Call(LOCK),),
    "pthread_mutex_trylock": (Call(TRYLOCK),),
    "pthread_mutex_unlock": (Call(UNLOCK),),
    "pthread_mutex_destroy": (Call(MUTEX_DESTROY),),
}
# The objects that C programs can use.
OBJECTS = tuple(dict.fromkeys(call.operation.object for calls in FUNCTIONS.values() for call in calls))
