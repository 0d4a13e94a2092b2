"""Instructions that only order accesses, or only pause: of x86, ARM, POWER and RISC-V.

Each becomes the fence of C that comes closest, never a weaker one. Where C has no fence that orders stores
only, it is a release fence.
"""

from __future__ import annotations

from mazurka.frontend.inline.template import Instruction
from mazurka.program import Mode

# Hints for the processor, and instructions that concern its instruction stream alone.
_NOTHING = frozenset(
    (
        *(
            "pause",
            "rep nop",
            "repz nop",
            "nop",
            "yield",
            "wfe",
            "sev",
            "sevl",
            "hint #1",
            "isb",
            "isb sy",
            "isync",
        ),
        *("or 27,27,27", "or 31,31,31", "or 1,1,1", "or 2,2,2"),
    )
)
_FENCES = {
    **dict.fromkeys(("mfence",), Mode.SC),
    "lfence": Mode.ACQ,
    "sfence": Mode.REL,
    **dict.fromkeys(("sync", "hwsync", "sync 0"), Mode.SC),
    **dict.fromkeys(("lwsync", "sync 1", "fence.tso"), Mode.ACQ_REL),
    "eieio": Mode.REL,
}
_ARM = ("dmb", "dsb")
_ARM_DOMAINS = ("", "sy", "ish", "osh", "nsh", "un")
_BOTH, _READS, _WRITES = ("rw", "iorw"), ("r", "ir"), ("w", "ow")


def is_pause(instruction: Instruction) -> bool:
    """Whether an instruction does nothing that a program could see."""
    return _text(instruction) in _NOTHING


def fence_of(instruction: Instruction) -> Mode | None:
    """The fence that an instruction is, if it is one."""
    if instruction.word in _ARM:
        return _arm(instruction)
    if instruction.word == "fence":
        return _risc_v([operand.lower() for operand in instruction.operands])
    return _FENCES.get(_text(instruction))


def _text(instruction: Instruction) -> str:
    words = (instruction.prefix, instruction.word, ",".join(instruction.operands).lower().replace(" ", ""))
    return " ".join(filter(None, words))


def _arm(instruction: Instruction) -> Mode | None:
    """``dmb ish`` orders everything, ``dmb ishld`` what comes after reads, ``dmb ishst`` stores."""
    domain = instruction.operands[0].lower() if instruction.operands else ""
    for ending, mode in (("ld", Mode.ACQ), ("st", Mode.REL), ("", Mode.SC)):
        if domain.endswith(ending) and domain.removesuffix(ending) in _ARM_DOMAINS:
            return mode
    return None


def _risc_v(sets: list[str]) -> Mode | None:
    """What comes before and what comes after: ``fence rw, w`` is a release fence."""
    if not sets:
        return Mode.SC
    if len(sets) != 2 or any(part not in (*_BOTH, *_READS, *_WRITES) for part in sets):
        return None
    before, after = sets
    if before in _READS:
        return Mode.ACQ
    if after in _WRITES:
        return Mode.REL
    return Mode.SC
