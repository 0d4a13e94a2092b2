"""How the orders of a language become the modes of events, for the models that can be run.

C11's orders are the modes; consume is treated as acquire. On x86 all accesses are alike, mfence is an SC
fence, and lfence and sfence order nothing that x86-TSO does not order anyway. Of the other machines only
the instructions are known yet, not the orders: they run under ``sc``, where orders mean nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from mazurka.litmus.meaning.operations import Fence, Order
from mazurka.litmus.meaning.test import Language
from mazurka.program import Mode

_C11 = {
    **{Order.PLAIN: Mode.NA, Order.RELAXED: Mode.RLX, Order.CONSUME: Mode.ACQ, Order.ACQUIRE: Mode.ACQ},
    **{Order.RELEASE: Mode.REL, Order.ACQUIRE_RELEASE: Mode.ACQ_REL, Order.SC: Mode.SC},
}


class Modes(Protocol):
    """What the orders of a language mean."""

    def access(self, order: Order) -> Mode:
        """The mode of a load or a store."""

    def update(self, read: Order, write: Order) -> Mode:
        """The mode of a read-modify-write."""

    def fence(self, fence: Fence) -> Mode | None:
        """The mode of a fence; ``NA`` if it orders nothing, None if that is not known."""


class _OfC11:
    def access(self, order: Order) -> Mode:
        return _C11[order]

    def update(self, read: Order, write: Order) -> Mode:
        acquires, releases = _C11[read] in (Mode.ACQ, Mode.ACQ_REL), _C11[write] in (Mode.REL, Mode.ACQ_REL)
        if Order.SC in (read, write):
            return Mode.SC
        if acquires and releases:
            return Mode.ACQ_REL
        return Mode.ACQ if acquires else Mode.REL if releases else Mode.RLX

    def fence(self, fence: Fence) -> Mode | None:
        mode = _C11[fence.order]
        return Mode.NA if mode is Mode.RLX else mode


@dataclass
class _Alike:
    """All accesses are alike."""

    fences: dict[str, Mode] | None

    def access(self, order: Order) -> Mode:
        del order
        return Mode.RLX

    def update(self, read: Order, write: Order) -> Mode:
        del read, write
        return Mode.RLX

    def fence(self, fence: Fence) -> Mode | None:
        return Mode.NA if self.fences is None else self.fences.get(fence.kind)


# Under ``sc`` the kernel's barriers order nothing more; grace periods would, but the model knows none.
_OF_KERNEL = _Alike(
    dict.fromkeys(
        (
            *("mb", "rmb", "wmb", "barrier", "before-atomic", "after-atomic", "after-spinlock"),
            *("after-unlock-lock", "after-srcu-read-unlock"),
        ),
        Mode.NA,
    )
)
_OF_X86 = _Alike({"mfence": Mode.SC, "lfence": Mode.NA, "sfence": Mode.NA})


def modes_of(language: Language) -> Modes:
    """What the orders of a language mean."""
    if language is Language.C11:
        return _OfC11()
    if language in (Language.X86, Language.X86_64):
        return _OF_X86
    if language is Language.KERNEL:
        return _OF_KERNEL
    return _Alike(None)
