"""How the orders of a language become the modes of events.

C11's orders are the modes; consume is treated as acquire. On x86 all accesses are alike, mfence is an SC
fence, and lfence and sfence order nothing that x86-TSO does not order anyway. For AArch64 and PowerPC, the
modes are those by which the models ``armv8`` and ``power`` know the instructions: plain accesses are relaxed,
dmb.sy and sync are SC fences, dmb.ld is an acquire fence, lwsync one that acquires and releases. What has no
mode is refused: they do not run yet. Under ``sc`` orders mean nothing, and every machine is alike.
"""

from __future__ import annotations

from dataclasses import dataclass

from mazurka.litmus.meaning.operations import Fence, Order
from mazurka.litmus.meaning.test import Language
from mazurka.program import Mode

_BARRIERS = (  # of the kernel
    *("mb", "rmb", "wmb", "barrier", "before-atomic", "after-atomic", "after-spinlock"),
    *("after-unlock-lock", "after-srcu-read-unlock"),
)
_X86_FENCES = {"mfence": Mode.SC, "lfence": Mode.NA, "sfence": Mode.NA}
_C11_FENCES = ("thread",)


@dataclass(frozen=True)
class Modes:
    """The mode of each order, and of each fence by its name; ``NA`` for fences that order nothing."""

    orders: dict[Order, Mode]
    fences: dict[str, Mode]
    ignores_fences: bool = False

    def access(self, order: Order) -> Mode | None:
        """The mode of a load or a store; None if there is none."""
        return self.orders.get(order)

    def update(self, read: Order, write: Order) -> Mode | None:
        """The mode of a read-modify-write whose halves have these orders."""
        first, second = self.orders.get(read), self.orders.get(write)
        if first is None or second is None:
            return None
        if Mode.SC in (first, second):
            return Mode.SC
        acquires, releases = first in (Mode.ACQ, Mode.ACQ_REL), second in (Mode.REL, Mode.ACQ_REL)
        if acquires and releases:
            return Mode.ACQ_REL
        return Mode.ACQ if acquires else Mode.REL if releases else Mode.RLX

    def fence(self, fence: Fence) -> Mode | None:
        """The mode of a fence."""
        if self.ignores_fences:
            return Mode.NA
        if fence.kind not in _C11_FENCES:
            return self.fences.get(fence.kind)
        mode = self.orders.get(fence.order)
        return Mode.NA if mode is Mode.RLX else mode


_ALIKE = dict.fromkeys(Order, Mode.RLX)
_OF_C11 = Modes(
    {
        **{Order.PLAIN: Mode.NA, Order.RELAXED: Mode.RLX, Order.CONSUME: Mode.ACQ, Order.ACQUIRE: Mode.ACQ},
        **{Order.RELEASE: Mode.REL, Order.ACQUIRE_RELEASE: Mode.ACQ_REL, Order.SC: Mode.SC},
    },
    {},
)
_OF_MACHINES = {
    Language.X86: Modes(_ALIKE, _X86_FENCES),
    Language.X86_64: Modes(_ALIKE, _X86_FENCES),
    Language.AARCH64: Modes(
        {
            **{Order.PLAIN: Mode.RLX, Order.NO_RETURN: Mode.RLX},
            **{Order.ACQUIRE: Mode.ACQ, Order.RELEASE: Mode.REL},
        },
        {"dmb.sy": Mode.SC, "dsb.sy": Mode.SC, "dmb.ld": Mode.ACQ, "dsb.ld": Mode.ACQ},
    ),
    Language.PPC: Modes({Order.PLAIN: Mode.RLX}, {"sync": Mode.SC, "lwsync": Mode.ACQ_REL}),
    Language.RISCV: Modes({}, {}),
    Language.KERNEL: Modes({}, {}),
}
# Grace periods order more than ``sc`` knows.
_KERNEL_UNDER_SC = Modes(_ALIKE, dict.fromkeys(_BARRIERS, Mode.NA))
_UNDER_SC = Modes(_ALIKE, {}, ignores_fences=True)


def modes_of(language: Language, model: str) -> Modes:
    """What the orders of a language mean under a model."""
    if language is Language.C11:
        return _OF_C11
    if model == "sc":
        return _KERNEL_UNDER_SC if language is Language.KERNEL else _UNDER_SC
    return _OF_MACHINES[language]
