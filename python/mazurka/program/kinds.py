"""The kinds of violations: the stable words by which programs recognise what is wrong with an execution.

``docs/reference/cli.md`` documents each, and some program of ``tests/programs`` shows it. The engine has the
same words (``crates/engine/src/detect/kinds.rs``). Error rules of a model, such as ``race``, name their own,
and so do synchronisation objects (``sync_objects``).

I1: words are added, never renamed.
"""

from __future__ import annotations

from enum import Enum


class ViolationKind(str, Enum):
    """What an execution does wrong."""

    ASSERTION = "assertion"  # reaches code that reports a failure
    UNINITIALIZED = "uninitialized"  # uses memory that was never written
    UNALLOCATED = "unallocated"  # accesses memory outside of every object
    FREED = "freed"  # accesses an object after the end of its lifetime
    DOUBLE_FREE = "double-free"  # frees an object twice
    INVALID_FREE = "invalid-free"  # frees something that is not the start of a heap object
    ANNOTATION = "annotation"  # does not do what an annotation says
    DEADLOCK = "deadlock"  # threads wait for ever, for synchronisation objects and for each other
    LIVENESS = "liveness"  # threads wait for ever, at least one of them in a loop
    THREAD = "thread"  # joins something that is not a thread, or joins or detaches one twice
    UNDEFINED = "undefined"  # does what C leaves undefined, such as reaching code that must be unreachable
    DIVISION_BY_ZERO = "division-by-zero"  # divides an integer by zero
    STACK_OVERFLOW = "stack-overflow"  # nests calls too deeply
    EXCEPTION = "exception"  # throws a C++ exception, or ends by std::terminate
    OVERFLOW = "overflow"  # computes a signed number that its type cannot hold
    RCU = "rcu"  # ends a critical section of RCU or SRCU that has not begun
    LEAK = "leak"  # never frees memory that it has allocated


# These are about all that happens, and not only about what the failing thread has seen of it.
OF_THE_WHOLE = frozenset(
    (
        ViolationKind.ANNOTATION,
        ViolationKind.DEADLOCK,
        ViolationKind.LIVENESS,
        ViolationKind.THREAD,
        ViolationKind.LEAK,
    )
)
