"""The synchronisation objects: the word and operations of each, and the C functions that use them.

Each module describes one object with the words of ``sync``. Everything else reads these tables.
"""

from __future__ import annotations

from collections.abc import Callable

from mazurka.program.sync import Functions
from mazurka.program.sync_objects import (
    barriers,
    conditions,
    kernel_locks,
    mutexes,
    once,
    rwlocks,
    semaphores,
)
from mazurka.program.sync_objects.mutexes import (
    LOCK,
    MUTEX,
    MUTEX_DESTROY,
    SPINLOCK,
    TRYLOCK,
    TYPED_FUNCTIONS,
    UNLOCK,
)

__all__ = ["FUNCTIONS", "LOCK", "MUTEX_DESTROY", "OBJECTS", "STATES", "TRYLOCK", "TYPED_FUNCTIONS", "UNLOCK"]

# C functions: the operations that each performs, in order. A function returns the last result, or 0.
FUNCTIONS: Functions = {
    **mutexes.FUNCTIONS,
    **barriers.FUNCTIONS,
    **semaphores.FUNCTIONS,
    **rwlocks.FUNCTIONS,
    **kernel_locks.FUNCTIONS,
}
# The objects that C programs can use.
OBJECTS = tuple(
    dict.fromkeys(
        (
            *(call.operation.object for calls in FUNCTIONS.values() for call in calls),
            once.ONCE,
            conditions.CONDITION,
        )
    )
)
# What reports call the word of an object, by the object's name; the function names a thread.
STATES: dict[str, Callable[[int, Callable[[int], str]], str]] = {
    MUTEX.name: mutexes.lock_state,
    SPINLOCK.name: mutexes.lock_state,
    kernel_locks.KERNEL_LOCK.name: mutexes.lock_state,
    rwlocks.RWLOCK.name: rwlocks.rwlock_state,
    semaphores.SEMAPHORE.name: semaphores.semaphore_state,
    conditions.CONDITION.name: conditions.condition_state,
    conditions.WAITER.name: conditions.waiter_state,
}
