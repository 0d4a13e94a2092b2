"""Read-write locks. The word has the writer's ThreadId + 1 in its lower 20 bits, and above them the readers.

Each of the first threads has four bits that count how often it has taken the lock for reading; the bits above
these are for all other threads together. So of those, an unlock by a thread that holds nothing is misuse only
if none of the others is a reader. Preferences among readers and writers only affect who goes first, so they
are ignored.
"""

from __future__ import annotations

from collections.abc import Callable

from mazurka.program.opcodes import Mode
from mazurka.program.sync import (
    OLD,
    THREAD,
    Call,
    Case,
    Functions,
    Hold,
    Operation,
    SyncObject,
    becomes,
    misuse,
    number,
    stays,
    waits,
)

RWLOCK = SyncObject("read-write lock", size=8, kind="rwlock", title="a read-write lock is misused")
_FREE, _DESTROYED = 0, (1 << 64) - 1
_WRITER_BITS, _COUNT_BITS = 20, 4
_COUNTED = 8  # threads with a count of their own
_WRITER = (1 << _WRITER_BITS) - 1
_OTHERS_SHIFT = _WRITER_BITS + _COUNT_BITS * _COUNTED
_ME = THREAD + 1
# All bits if the thread has a count of its own, or if it has none.
_IS_COUNTED, _IS_OTHER = number(0) - (THREAD < _COUNTED), (THREAD < _COUNTED) - 1
_SHIFT = number(_WRITER_BITS) + (((_IS_COUNTED & THREAD) | (_IS_OTHER & _COUNTED)) << 2)
_MOST = number((1 << _COUNT_BITS) - 1) | (_IS_OTHER & ((1 << 64 - _OTHERS_SHIFT) - 1))
_READER, _MINE = number(1) << _SHIFT, (OLD >> _SHIFT) & _MOST
_EBUSY, _ETIMEDOUT = 16, 110
_HAS_NO_WRITER = (OLD & _WRITER).equals(0)
_DEAD = misuse("use of a read-write lock that was destroyed", when=OLD.equals(_DESTROYED))


def _lock(name: str, success: Case, *others: Case) -> Operation:
    return Operation(
        RWLOCK,
        name,
        reads=Mode.ACQ,
        writes=Mode.RLX,
        cases=(success, _DEAD, *others),
        unchanged="waits" if others[-1] == waits() else "busy",
        done="taken",
        fails_relaxed=others[-1] != waits(),
        hold=Hold.TAKES,
        stuck="this thread waits for a read-write lock that will never be released",
        stuck_alone="this thread waits for a read-write lock that it holds itself",
    )


def _read_lock(name: str, otherwise: Case) -> Operation:
    result = None if otherwise == waits() else 0
    full = misuse("a read-write lock has too many readers", when=_HAS_NO_WRITER)
    can_read = _HAS_NO_WRITER & (_MINE < _MOST)
    return _lock(name, becomes(OLD + _READER, when=can_read, result=result), full, otherwise)


def _write_lock(name: str, otherwise: Case) -> Operation:
    result = None if otherwise == waits() else 0
    return _lock(name, becomes(_ME, when=OLD.equals(_FREE), result=result), otherwise)


RWLOCK_UNLOCK = Operation(
    RWLOCK,
    "unlock",
    reads=Mode.RLX,
    writes=Mode.REL,
    cases=(
        _DEAD,
        becomes(_FREE, when=OLD.equals(_ME)),
        becomes(OLD - _READER, when=_MINE),
        misuse("unlock of a read-write lock that this thread does not hold"),
    ),
    done="last released",
    hold=Hold.GIVES,
)
RWLOCK_INIT = Operation(
    RWLOCK, "init read-write lock", reads=None, writes=Mode.RLX, cases=(becomes(_FREE),), done="initialised"
)
RWLOCK_DESTROY = Operation(
    RWLOCK,
    "destroy read-write lock",
    reads=None,
    writes=Mode.RLX,
    cases=(becomes(_DESTROYED),),
    overwrites=(_DEAD, misuse("destruction of a read-write lock that is held", when=OLD.differs(_FREE))),
    done="destroyed",
)
_TIMED = ("timedrdlock", "clockrdlock"), ("timedwrlock", "clockwrlock")
FUNCTIONS: Functions = {
    f"pthread_rwlock_{name}": (Call(operation),)
    for name, operation in {
        "init": RWLOCK_INIT,
        "rdlock": _read_lock("read-lock", waits()),
        "tryrdlock": _read_lock("try to read-lock", stays(_EBUSY)),
        **dict.fromkeys(_TIMED[0], _read_lock("timed read-lock", stays(_ETIMEDOUT))),
        "wrlock": _write_lock("write-lock", waits()),
        "trywrlock": _write_lock("try to write-lock", stays(_EBUSY)),
        **dict.fromkeys(_TIMED[1], _write_lock("timed write-lock", stays(_ETIMEDOUT))),
        "unlock": RWLOCK_UNLOCK,
        "destroy": RWLOCK_DESTROY,
    }.items()
}


def rwlock_state(word: int, name_of: Callable[[int], str]) -> str:
    """What reports call the state of a read-write lock; ``name_of`` names a thread."""
    if word in (_FREE, _DESTROYED):
        return "free" if word == _FREE else "destroyed"
    if word & _WRITER:
        return f"taken by {name_of((word & _WRITER) - 1)} for writing"
    holders = []
    for thread in range(_COUNTED):
        times = word >> _WRITER_BITS + _COUNT_BITS * thread & (1 << _COUNT_BITS) - 1
        holders += [name_of(thread) + (f" {times} times" if times > 1 else "")] if times else []
    others = word >> _OTHERS_SHIFT
    holders += [f"{others} other reader{'s' * (others > 1)}"] if others else []
    return f"taken by {', '.join(holders)} for reading"
