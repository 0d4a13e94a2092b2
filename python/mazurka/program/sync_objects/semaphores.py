"""POSIX semaphores without a name. The word is the semaphore's value.

Results are numbers of errors: a C function returns -1 for those, and sets ``errno``. A timed wait that finds
the semaphore empty gives up or waits longer. If it waits longer it sees a later write, so the one that gives
up is like ``sem_trywait``.
"""

from __future__ import annotations

from collections.abc import Callable

from mazurka.program.opcodes import Mode
from mazurka.program.sync import (
    OLD,
    OPERAND,
    Call,
    Functions,
    Operation,
    SyncObject,
    becomes,
    misuse,
    number,
    stays,
    waits,
)

SEMAPHORE = SyncObject("semaphore", size=4, kind="semaphore", title="a semaphore is misused")
_MOST, _DESTROYED = 0x7FFF_FFFF, 0xFFFF_FFFF
_EAGAIN, _ETIMEDOUT = 11, 110
_USE_OF_DEAD = misuse("use of a semaphore that was destroyed", when=OLD.equals(_DESTROYED))

SEM_INIT = Operation(
    SEMAPHORE,
    "init semaphore",
    reads=None,
    writes=Mode.RLX,
    cases=(
        misuse("initialisation of a semaphore with more than SEM_VALUE_MAX", when=number(_MOST) < OPERAND),
        becomes(OPERAND),
    ),
    done="initialised",
)
SEM_WAIT = Operation(
    SEMAPHORE,
    "wait for",
    reads=Mode.ACQ,
    writes=Mode.RLX,
    cases=(_USE_OF_DEAD, becomes(OLD - 1, when=number(0) < OLD), waits()),
    unchanged="waits",
    done="last changed",
    stuck="this thread waits for a semaphore that nobody will post",
    stuck_alone="this thread waits for a semaphore that nobody else will post",
)


def _attempt(name: str, failure: int) -> Operation:
    return Operation(
        SEMAPHORE,
        name,
        reads=Mode.ACQ,
        writes=Mode.RLX,
        cases=(_USE_OF_DEAD, becomes(OLD - 1, when=number(0) < OLD, result=0), stays(failure)),
        unchanged="empty",
        fails_relaxed=True,
    )


SEM_POST = Operation(
    SEMAPHORE,
    "post",
    reads=Mode.RLX,
    writes=Mode.REL,
    cases=(
        _USE_OF_DEAD,
        misuse("post of a semaphore that has reached SEM_VALUE_MAX", when=number(_MOST) <= OLD),
        becomes(OLD + 1),
    ),
    done="last posted",
)
SEM_LOOK = Operation(
    SEMAPHORE,
    "read the value of",
    reads=Mode.RLX,
    writes=Mode.RLX,
    cases=(_USE_OF_DEAD, stays(OLD)),
    shows=True,
)
SEM_DESTROY = Operation(
    SEMAPHORE,
    "destroy semaphore",
    reads=None,
    writes=Mode.RLX,
    cases=(becomes(_DESTROYED),),
    overwrites=(_USE_OF_DEAD,),
    done="destroyed",
)
FUNCTIONS: Functions = {
    "sem_init": (Call(SEM_INIT, operand=2),),
    "sem_wait": (Call(SEM_WAIT),),
    "sem_trywait": (Call(_attempt("try", _EAGAIN)),),
    **dict.fromkeys(("sem_timedwait", "sem_clockwait"), (Call(_attempt("timed wait for", _ETIMEDOUT)),)),
    "sem_post": (Call(SEM_POST),),
    "sem_getvalue": (Call(SEM_LOOK),),
    "sem_destroy": (Call(SEM_DESTROY),),
}
FAILING = frozenset(("sem_trywait", "sem_timedwait", "sem_clockwait"))  # they return -1, and set errno


def semaphore_state(word: int, _name_of: Callable[[int], str]) -> str:
    """What reports call the state of a semaphore."""
    return "destroyed" if word == _DESTROYED else str(word)
