"""How the orders of a language become the modes of events.

C11's orders are the modes; consume is treated as acquire. On x86 all accesses are alike, mfence is an SC
fence, and lfence and sfence order nothing that x86-TSO does not order anyway. For AArch64, PowerPC and
RISC-V, the modes are those by which the models ``armv8``, ``power`` and ``riscv`` know the instructions.

Fences have the modes of C whose fences are compiled to them: dmb.sy, sync and fence rw,rw are SC fences,
dmb.ld and fence r,rw acquire, fence rw,w releases, lwsync and fence.tso do both. The others say what they
order. dsb is no weaker than dmb, and no model of memory tells them apart. fence.i orders nothing that
RVWMO knows of. RISC-V has no lw.aq, but litmus tests do: it acquires as LDAPR does. Under ``sc`` orders mean
nothing, and every machine is alike.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from mazurka.litmus.meaning.operations import Fence, Order
from mazurka.litmus.meaning.test import Language
from mazurka.program import Mode

_BARRIERS = (  # of the kernel
    *("mb", "rmb", "wmb", "barrier", "before-atomic", "after-atomic", "after-spinlock"),
    *("after-unlock-lock", "after-srcu-read-unlock"),
)
SRCU = {"srcu-lock": Mode.SRCU_LOCK, "srcu-unlock": Mode.SRCU_UNLOCK, "srcu-sync": Mode.SRCU_SYNC}
C11_FENCES = ("thread",)
# The mode of a read-modify-write, by the modes that a load and a store would have.
_TOGETHER = {
    **{(mode, mode): mode for mode in (Mode.NA, Mode.RLX, Mode.SC, Mode.AQRL)},
    **{(Mode.ACQ, Mode.RLX): Mode.ACQ, (Mode.RLX, Mode.REL): Mode.REL, (Mode.ACQ, Mode.REL): Mode.ACQ_REL},
    **{(Mode.ACQ, Mode.AQ): Mode.AQ, (Mode.RL, Mode.REL): Mode.RL, (Mode.AQRL, Mode.RLX): Mode.AQRL_RLX},
    **{(Mode.AQRL, Mode.REL): Mode.AQRL_REL, (Mode.RLX, Mode.AQRL): Mode.RLX_AQRL},
    **{(Mode.ACQ, Mode.AQRL): Mode.ACQ_AQRL, (Mode.NORET, Mode.RLX): Mode.NORET},
    **{(Mode.NORET, Mode.REL): Mode.NORET_REL},
}


@dataclass(frozen=True)
class Modes:
    """The modes of loads and of stores by their orders, and of fences by their names.

    ``NA`` is for fences that order nothing. ``halves`` has other modes for reads of read-modify-writes, and
    for exclusive loads. ``whole`` has other modes for read-modify-writes that are one instruction.
    """

    loads: dict[Order, Mode]
    stores: dict[Order, Mode]
    fences: dict[str, Mode]
    halves: dict[Order, Mode] = field(default_factory=dict)
    whole: dict[Mode, Mode] = field(default_factory=dict)
    ignores_fences: bool = False
    has_locks: bool = False  # whether locks have a meaning
    success_is_read: bool = False  # what depends on the success of a store conditional depends on the store

    def load(self, order: Order, *, is_half: bool = False) -> Mode | None:
        """The mode of a load, or of the read of a read-modify-write; None if there is none."""
        plain = self.loads.get(order)
        return self.halves.get(order, plain) if is_half else plain

    def store(self, order: Order) -> Mode | None:
        """The mode of a store; None if there is none."""
        return self.stores.get(order)

    def update(self, read: Order, write: Order, *, is_whole: bool = True) -> Mode | None:
        """The mode of a read-modify-write whose halves have these orders, as one instruction or as two."""
        first, second = self.load(read, is_half=True), self.store(write)
        if first is None or second is None:
            return None
        mode = _TOGETHER.get((first, second))
        return self.whole.get(mode, mode) if is_whole and mode is not None else mode

    def fence(self, fence: Fence) -> Mode | None:
        """The mode of a fence."""
        if self.ignores_fences:
            return Mode.NA
        if fence.kind not in C11_FENCES:
            return self.fences.get(fence.kind)
        return _C11_FENCE_MODES.get(fence.order)


_ALIKE = dict.fromkeys(Order, Mode.RLX)
_PLAIN = {Order.PLAIN: Mode.RLX}
_C11_COMMON = {Order.PLAIN: Mode.NA, Order.RELAXED: Mode.RLX, Order.SC: Mode.SC}
_OF_C11 = Modes(
    _C11_COMMON
    | dict.fromkeys((Order.CONSUME, Order.ACQUIRE, Order.ACQUIRE_RELEASE), Mode.ACQ)
    | {Order.RELEASE: Mode.RLX},
    _C11_COMMON
    | dict.fromkeys((Order.RELEASE, Order.ACQUIRE_RELEASE), Mode.REL)
    | dict.fromkeys((Order.CONSUME, Order.ACQUIRE), Mode.RLX),
    {},
)
_C11_FENCE_MODES = {
    **{Order.RELAXED: Mode.NA, Order.CONSUME: Mode.ACQ, Order.ACQUIRE: Mode.ACQ, Order.RELEASE: Mode.REL},
    **{Order.ACQUIRE_RELEASE: Mode.ACQ_REL, Order.SC: Mode.SC},
}
_X86 = Modes(_ALIKE, _ALIKE, {"mfence": Mode.SC, "lfence": Mode.NA, "sfence": Mode.NA})
_AARCH64_FENCES = {"sy": Mode.SC, "ld": Mode.ACQ, "st": Mode.W_W}
_OF_MACHINES = {
    Language.X86: _X86,
    Language.X86_64: _X86,
    Language.AARCH64: Modes(
        {
            **{Order.PLAIN: Mode.RLX, Order.ACQUIRE: Mode.ACQ, Order.ACQUIRE_PC: Mode.ACQ_PC},
            **{Order.NO_RETURN: Mode.NORET},
        },
        {Order.PLAIN: Mode.RLX, Order.RELEASE: Mode.REL},
        {
            **{f"{name}.{what}": mode for name in ("dmb", "dsb") for what, mode in _AARCH64_FENCES.items()},
            "isb": Mode.INSTR,
        },
        whole={Mode.ACQ_REL: Mode.AQRL},
    ),
    Language.PPC: Modes(
        _PLAIN,
        _PLAIN,
        {"sync": Mode.SC, "lwsync": Mode.ACQ_REL, "eieio": Mode.W_W, "isync": Mode.INSTR},
    ),
    Language.RISCV: Modes(
        _PLAIN | {Order.ACQUIRE: Mode.ACQ_PC},
        _PLAIN | {Order.ACQUIRE: Mode.AQ, Order.RELEASE: Mode.REL, Order.ACQUIRE_RELEASE: Mode.AQRL},
        {
            **{"fence.rw.rw": Mode.SC, "fence.r.rw": Mode.ACQ, "fence.rw.w": Mode.REL},
            **{"fence.tso": Mode.ACQ_REL, "fence.r.r": Mode.R_R, "fence.r.w": Mode.R_W},
            **{"fence.w.r": Mode.W_R, "fence.w.w": Mode.W_W, "fence.w.rw": Mode.W_RW},
            **{"fence.rw.r": Mode.RW_R, "fence.i": Mode.NA},
        },
        {Order.ACQUIRE: Mode.ACQ, Order.RELEASE: Mode.RL, Order.ACQUIRE_RELEASE: Mode.AQRL},
        success_is_read=True,
    ),
    Language.KERNEL: Modes(
        {
            **{Order.PLAIN: Mode.NA, Order.ONCE: Mode.RLX, Order.ACQUIRE: Mode.ACQ, Order.FULL: Mode.SC},
            **{Order.NO_RETURN: Mode.NORET},
        },
        {Order.PLAIN: Mode.NA, Order.ONCE: Mode.RLX, Order.RELEASE: Mode.REL, Order.FULL: Mode.SC},
        {
            **{"mb": Mode.SC, "rmb": Mode.R_R, "wmb": Mode.W_W, "barrier": Mode.NA},
            **{"before-atomic": Mode.BEFORE_ATOMIC, "after-atomic": Mode.AFTER_ATOMIC},
            **{"after-spinlock": Mode.AFTER_SPINLOCK, "after-unlock-lock": Mode.AFTER_UNLOCK_LOCK},
            **{"rcu-lock": Mode.RCU_LOCK, "rcu-unlock": Mode.RCU_UNLOCK, "sync-rcu": Mode.RCU_SYNC},
        },
        has_locks=True,
    ),
}
# Grace periods order more than ``sc`` knows.
_KERNEL_UNDER_SC = Modes(_ALIKE, _ALIKE, dict.fromkeys(_BARRIERS, Mode.NA))
_UNDER_SC = Modes(_ALIKE, _ALIKE, {}, ignores_fences=True)


# With the extension Ztso, AMOs acquire and release.
_RISCV_TSO = replace(
    _OF_MACHINES[Language.RISCV], whole=dict.fromkeys((Mode.RLX, Mode.AQ, Mode.RL), Mode.AQRL)
)


def modes_of(language: Language, model: str) -> Modes:
    """What the orders of a language mean under a model."""
    if language is Language.C11:
        return _OF_C11
    if language is Language.RISCV and model == "riscv-tso":
        return _RISCV_TSO
    if model == "sc":
        return _KERNEL_UNDER_SC if language is Language.KERNEL else _UNDER_SC
    return _OF_MACHINES[language]
