"""Mutexes and spinlocks. The word is 0 when the lock is free, and the holder's ThreadId + 1 when it is taken.

Operations on mutexes that may be recursive or error-checking have the mutex's type as their operand. The word
of a recursive mutex also counts how often its holder has taken it again, from bit 20 on. A program without
such mutexes does not pay for them: unlocking a mutex of the default type is a plain write.

A timed lock that finds the mutex taken gives up or waits longer. If it waits longer it sees a later write, so
the one that gives up is like a ``trylock``.
"""

from __future__ import annotations

from collections.abc import Callable

from mazurka.program.opcodes import Mode
from mazurka.program.sync import (
    OLD,
    OPERAND,
    THREAD,
    Call,
    Case,
    Functions,
    Hold,
    Operation,
    SyncObject,
    becomes,
    misuse,
    stays,
    waits,
)

MUTEX = SyncObject("mutex", size=4, kind="mutex", title="a mutex is misused")
SPINLOCK = SyncObject("spinlock", size=4, kind="spinlock", title="a spinlock is misused")
_FREE, _DESTROYED = 0, 0xFFFF_FFFF
_HOLDER_BITS = 20
_HOLDER, _AGAIN = (1 << _HOLDER_BITS) - 1, 1 << _HOLDER_BITS
_ME = THREAD + 1
_IS_FREE, _IS_MINE = OLD.equals(_FREE), (OLD & _HOLDER).equals(_ME)
EPERM, EAGAIN, EBUSY, EDEADLK, ETIMEDOUT = 1, 11, 16, 35, 110
THRD_BUSY, THRD_TIMEDOUT = 1, 4

RECURSIVE, ERROR_CHECKING = 1, 2  # the types of mutexes that differ from the default one, as in pthread.h
MUTEX_TYPE_OFFSET = 16  # bytes: where glibc keeps the type in a mutex
_IS_RECURSIVE, _IS_CHECKED = OPERAND.equals(RECURSIVE), OPERAND.equals(ERROR_CHECKING)


def _when_dead(what: str, lock: SyncObject) -> Case:
    return misuse(f"{what} of a {lock.name} that was destroyed", when=OLD.equals(_DESTROYED))


def take(lock: SyncObject, name: str, *cases: Case, result: int | None = None) -> Operation:
    """Takes a lock that is free; ``cases`` says what happens to others."""
    can_wait = cases[-1] == waits()
    return Operation(
        lock,
        name,
        reads=Mode.ACQ,
        writes=Mode.RLX,
        cases=(becomes(_ME, when=_IS_FREE, result=result), _when_dead("lock", lock), *cases),
        unchanged="waits" if can_wait else "busy",
        done="taken",
        fails_relaxed=not can_wait,
        hold=Hold.TAKES,
        stuck=f"this thread waits for a {lock.name} that will never be released" if can_wait else "",
        stuck_alone=f"this thread waits for a {lock.name} that it holds itself" if can_wait else "",
    )


def unlock(lock: SyncObject) -> Operation:
    """Gives a lock back."""
    return Operation(
        lock,
        "unlock",
        reads=None,
        writes=Mode.REL,
        cases=(
            becomes(_FREE, when=OLD.equals(_ME)),
            misuse(f"unlock of a {lock.name} that this thread does not hold"),
        ),
        overwrites=(_when_dead("use", lock),),
        hold=Hold.GIVES,
        done="unlocked",
    )


def _destroy(lock: SyncObject) -> Operation:
    return Operation(
        lock,
        f"destroy {lock.name}",
        reads=None,
        writes=Mode.RLX,
        cases=(becomes(_DESTROYED),),
        overwrites=(
            _when_dead("use", lock),
            misuse(f"destruction of a {lock.name} that is held", when=OLD.differs(_FREE)),
        ),
        done="destroyed",
    )


def initialise(lock: SyncObject) -> Operation:
    """Makes a lock free."""
    return Operation(
        lock, f"init {lock.name}", reads=None, writes=Mode.RLX, cases=(becomes(_FREE),), done="initialised"
    )


LOCK = take(MUTEX, "lock", waits())
TRYLOCK = take(MUTEX, "trylock", stays(EBUSY), result=0)
UNLOCK = unlock(MUTEX)
MUTEX_INIT = initialise(MUTEX)
MUTEX_DESTROY = _destroy(MUTEX)

# The same for mutexes of any type. The word of one that is locked once does not depend on the type.
_TIMES = OLD & (_DESTROYED - _HOLDER)
_AGAIN_IF_RECURSIVE = (
    stays(EAGAIN, when=_IS_RECURSIVE & _IS_MINE & _TIMES.equals(_DESTROYED - _HOLDER)),
    becomes(OLD + _AGAIN, when=_IS_RECURSIVE & _IS_MINE, result=0),
)
_REFUSED_IF_CHECKED = stays(EDEADLK, when=_IS_CHECKED & _IS_MINE)
TYPED_LOCK = take(MUTEX, "lock", *_AGAIN_IF_RECURSIVE, _REFUSED_IF_CHECKED, waits(), result=0)
TYPED_UNLOCK = Operation(
    MUTEX,
    "unlock",
    reads=Mode.RLX,
    writes=Mode.REL,
    cases=(
        _when_dead("use", MUTEX),
        becomes(OLD - _AGAIN, when=_IS_MINE & _TIMES.differs(0), result=0),
        becomes(_FREE, when=_IS_MINE, result=0),
        stays(EPERM, when=_IS_RECURSIVE | _IS_CHECKED),
        misuse("unlock of a mutex that this thread does not hold"),
    ),
    unchanged="not held",
    hold=Hold.GIVES,
    done="unlocked",
)


def _typed_trylock(busy: int) -> Operation:
    return take(MUTEX, "trylock", *_AGAIN_IF_RECURSIVE, stays(busy), result=0)


def _timedlock(late: int) -> Operation:
    return take(MUTEX, "timedlock", stays(late), result=0)


def _typed_timedlock(late: int) -> Operation:
    return take(MUTEX, "timedlock", *_AGAIN_IF_RECURSIVE, _REFUSED_IF_CHECKED, stays(late), result=0)


_COMMON: Functions = {
    "pthread_mutex_destroy": (Call(MUTEX_DESTROY),),
    "mtx_destroy": (Call(MUTEX_DESTROY),),
}
# What the functions do in programs in which all mutexes are of the default type.
FUNCTIONS: Functions = {
    **_COMMON,
    **dict.fromkeys(("pthread_mutex_init", "mtx_init"), (Call(MUTEX_INIT),)),
    **dict.fromkeys(("pthread_mutex_lock", "mtx_lock"), (Call(LOCK),)),
    **dict.fromkeys(("pthread_mutex_unlock", "mtx_unlock"), (Call(UNLOCK),)),
    "pthread_mutex_trylock": (Call(TRYLOCK),),
    "mtx_trylock": (Call(take(MUTEX, "trylock", stays(THRD_BUSY), result=0)),),
    **dict.fromkeys(("pthread_mutex_timedlock", "pthread_mutex_clocklock"), (Call(_timedlock(ETIMEDOUT)),)),
    "mtx_timedlock": (Call(_timedlock(THRD_TIMEDOUT)),),
    "pthread_spin_init": (Call(initialise(SPINLOCK)),),
    "pthread_spin_lock": (Call(take(SPINLOCK, "lock", waits())),),
    "pthread_spin_trylock": (Call(take(SPINLOCK, "trylock", stays(EBUSY), result=0)),),
    "pthread_spin_unlock": (Call(unlock(SPINLOCK)),),
    "pthread_spin_destroy": (Call(_destroy(SPINLOCK)),),
}
# What they do in other programs: the type of the mutex is the operand.
TYPED_FUNCTIONS: Functions = {
    **dict.fromkeys(("pthread_mutex_lock", "mtx_lock"), (Call(TYPED_LOCK),)),
    **dict.fromkeys(("pthread_mutex_unlock", "mtx_unlock"), (Call(TYPED_UNLOCK),)),
    "pthread_mutex_trylock": (Call(_typed_trylock(EBUSY)),),
    "mtx_trylock": (Call(_typed_trylock(THRD_BUSY)),),
    **dict.fromkeys(
        ("pthread_mutex_timedlock", "pthread_mutex_clocklock"), (Call(_typed_timedlock(ETIMEDOUT)),)
    ),
    "mtx_timedlock": (Call(_typed_timedlock(THRD_TIMEDOUT)),),
}


def lock_state(word: int, name_of: Callable[[int], str]) -> str:
    """What reports call the state of a lock; ``name_of`` names a thread."""
    if word in (_FREE, _DESTROYED):
        return "free" if word == _FREE else "destroyed"
    times = (word >> _HOLDER_BITS) + 1
    often = f" {times} times" if times > 1 else ""
    return f"taken{often} by {name_of((word & _HOLDER) - 1)}"
