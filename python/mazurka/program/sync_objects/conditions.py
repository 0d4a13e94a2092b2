"""Condition variables. The word has a bit for each thread that waits; one more is set while a signal chooses.

Waiting has four steps: the thread sets its bit, unlocks the mutex, waits until it is woken, and locks the
mutex. A signal clears the bit of one thread and wakes it, a broadcast those of all. A thread that comes later
has no bit yet, so it cannot steal a signal; if no bit is set, the signal is lost. If several are set, each
of them is chosen in some execution. The choice must not be disturbed, so other operations wait for its end.

Threads are woken at words of their own, the *waiters*, because a thread that was woken must not touch the
condition variable any more: it may have been destroyed, and its memory freed (POSIX). Besides, the order in
which threads wake up is not explored: only the mutex tells.

A timed wait clears its own bit when its time is over. If that is not set any more, the thread was woken.

A second word, further on, is the address of the mutex that the last thread to wait has used. It is not looked
at in programs that always wait with the same mutex.
"""

from __future__ import annotations

from collections.abc import Callable

from mazurka.program.opcodes import Mode
from mazurka.program.sync import (
    OLD,
    OPERAND,
    THREAD,
    Operation,
    SyncObject,
    becomes,
    misuse,
    number,
    stays,
    waits,
)

CONDITION = SyncObject(
    "condition variable", size=8, kind="condition", title="a condition variable is misused"
)
WAITER = SyncObject(
    "waiter",
    size=4,
    kind=CONDITION.kind,
    title=CONDITION.title,
    is_hidden=True,
    unnamed="a condition variable",
)
MOST_THREADS = 63  # that can wait: one bit of the word is for signals
CHOOSING = 1 << MOST_THREADS
_DESTROYED = (1 << 64) - 1
_ME = number(1) << THREAD
_DEAD = misuse("use of a condition variable that was destroyed", when=OLD.equals(_DESTROYED))
_IS_CHOOSING = waits(when=number(CHOOSING) <= OLD)
_ASLEEP, _WOKEN = 0, 1

COND_INIT = Operation(
    CONDITION,
    "init condition variable",
    reads=None,
    writes=Mode.RLX,
    cases=(becomes(0),),
    done="initialised",
)
MUTEX_OFFSET = 8
# The operand is the address of the mutex; the result says whether the last thread to wait had another one.
# The thread holds its mutex, so whoever waits with the same one does this before it or after COND_ENTER.
COND_BIND = Operation(
    CONDITION,
    "choose the mutex of",
    reads=Mode.RLX,
    writes=Mode.RLX,
    cases=(
        becomes(OPERAND, when=OLD.equals(0), result=0),
        stays(0, when=OLD.equals(OPERAND)),
        becomes(OPERAND, result=1),
    ),
    unchanged="the same",
    is_internal=True,
)
# The operand is that result.
COND_ENTER = Operation(
    CONDITION,
    "begin to wait on",
    reads=Mode.ACQ,
    writes=Mode.REL,
    cases=(
        _DEAD,
        _IS_CHOOSING,
        misuse("threads wait on a condition variable with different mutexes", when=OPERAND & OLD.differs(0)),
        becomes(OLD | _ME),
    ),
)
COND_AWAIT = Operation(
    WAITER,
    "wake up from waiting on",
    reads=Mode.ACQ,
    writes=Mode.RLX,
    cases=(becomes(_ASLEEP, when=OLD.equals(_WOKEN)), waits()),
    unchanged="waits",
    still="still waits on",
    awaits="a signal of",
    stuck="this thread waits for a signal that nobody sends",
    stuck_alone="this thread waits for a signal that nobody sends",
)
COND_WAKE = Operation(
    WAITER, "wake a thread that waits on", reads=None, writes=Mode.REL, cases=(becomes(_WOKEN),)
)
# The results are the bits of those who wait, with CHOOSING if one of several is to be chosen.
COND_SIGNAL = Operation(
    CONDITION,
    "signal",
    reads=Mode.ACQ,
    writes=Mode.REL,
    cases=(
        _DEAD,
        _IS_CHOOSING,
        stays(0, when=OLD.equals(0)),
        becomes(0, when=(OLD & (OLD - 1)).equals(0), result=OLD),
        becomes(OLD | CHOOSING, result=OLD | CHOOSING),
    ),
    unchanged="nobody waits",
    fails_relaxed=True,
)
# The operand is the bit of the thread that was chosen.
COND_CHOSEN = Operation(
    CONDITION, "choose a waiter of", reads=None, writes=Mode.REL, cases=(becomes(OLD ^ (OPERAND | CHOOSING)),)
)
COND_BROADCAST = Operation(
    CONDITION,
    "broadcast",
    reads=Mode.ACQ,
    writes=Mode.REL,
    cases=(_DEAD, _IS_CHOOSING, stays(0, when=OLD.equals(0)), becomes(0, result=OLD)),
    unchanged="nobody waits",
    fails_relaxed=True,
)
COND_LEAVE = Operation(
    CONDITION,
    "stop waiting on",
    reads=Mode.ACQ,
    writes=Mode.REL,
    cases=(_DEAD, _IS_CHOOSING, becomes(OLD ^ _ME, when=OLD & _ME, result=1), stays(0)),
    unchanged="woken already",
    fails_relaxed=True,
)
COND_DESTROY = Operation(
    CONDITION,
    "destroy condition variable",
    reads=Mode.RLX,
    writes=Mode.RLX,
    cases=(
        _DEAD,
        misuse("destruction of a condition variable that a thread waits on", when=OLD.differs(0)),
        becomes(_DESTROYED),
    ),
    done="destroyed",
)
# The arguments of each function that point to shared objects. Only timed waits can fail.
_ONE, _TWO = frozenset((0,)), frozenset((0, 1))
SHARED: dict[str, frozenset[int]] = {
    **{f"{kind}_{name}": _ONE for kind in ("pthread_cond", "cnd") for name in ("init", "destroy")},
    **{f"{kind}_{name}": _ONE for kind in ("pthread_cond", "cnd") for name in ("signal", "broadcast")},
    **dict.fromkeys(("pthread_cond_wait", "cnd_wait"), _TWO),
}
TIMED: dict[str, frozenset[int]] = dict.fromkeys(
    ("pthread_cond_timedwait", "pthread_cond_clockwait", "cnd_timedwait"), _TWO
)


def condition_state(word: int, name_of: Callable[[int], str]) -> str:
    """What reports call the state of a condition variable; ``name_of`` names a thread."""
    if word == _DESTROYED:
        return "destroyed"
    waiting = [name_of(thread) for thread in range(MOST_THREADS) if word >> thread & 1]
    return f"waited on by {', '.join(waiting)}" if waiting else "not waited on"


def waiter_state(word: int, _name_of: Callable[[int], str]) -> str:
    """What reports call the word at which a thread is woken."""
    return "woken" if word == _WOKEN else "asleep"
