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

    ASSERTION = "assertion"  # reaches code that says so
    UNINITIALIZED = "uninitialized"  # uses memory that nobody wrote
    UNALLOCATED = "unallocated"  # accesses memory that is in no object
    FREED = "freed"  # accesses an object after its life
    DOUBLE_FREE = "double-free"  # frees an object twice
    INVALID_FREE = "invalid-free"  # frees what is not the start of a heap object
    DEADLOCK = "deadlock"  # all threads wait for each other
    THREAD = "thread"  # joins what is not a thread
    UNDEFINED = "undefined"  # reaches what must not be reached
    DIVISION_BY_ZERO = "division-by-zero"  # divides an integer by zero
    STACK_OVERFLOW = "stack-overflow"  # calls too deeply
