"""The Linux kernel's spinlocks, as ``lkmm.h`` has them: those of ``mutexes``, with modes of their own.

A model tells by these modes what takes a lock and what releases it. Nothing destroys such a lock.
"""

from __future__ import annotations

from dataclasses import replace

from mazurka.program.opcodes import Mode
from mazurka.program.sync import Call, Functions, Operation, SyncObject, stays, waits
from mazurka.program.sync_objects.mutexes import initialise, take, unlock

KERNEL_LOCK = SyncObject("spinlock", size=4, kind="spinlock", title="a spinlock is misused")


def _taking(operation: Operation) -> Operation:
    """One that does not take the lock orders nothing."""
    return replace(operation, reads=Mode.LOCK, writes=Mode.LOCK, fails_relaxed=True)


FUNCTIONS: Functions = {
    "__VERIFIER_spin_lock_init": (Call(initialise(KERNEL_LOCK)),),
    "__VERIFIER_spin_lock": (Call(_taking(take(KERNEL_LOCK, "lock", waits()))),),
    "__VERIFIER_spin_trylock": (Call(_taking(take(KERNEL_LOCK, "trylock", stays(0), result=1))),),
    "__VERIFIER_spin_unlock": (Call(replace(unlock(KERNEL_LOCK), writes=Mode.UNLOCK)),),
}
