"""x86: the instructions of litmus tests, with operands as Intel writes them (X86) and AT&T does (X86_64)."""

from __future__ import annotations

from collections.abc import Callable

from mazurka.litmus.machines.flags import condition
from mazurka.litmus.machines.lines import Line, Machine
from mazurka.litmus.machines.x86_instructions import BINARY, CONDITIONS, SUFFIXES, UNARY, X86Instruction
from mazurka.litmus.machines.x86_operands import Part, X86Operand, parse_att, parse_intel, registers
from mazurka.litmus.text.columns import Cell

_LOCKABLE = frozenset((*BINARY, *UNARY, "xadd", "cmpxchg", "xchg", "not", "neg"))


def _jump(line: Line, name: str) -> bool:
    """JMP and Jcc, whose operand is a label."""
    if name == "jmp":
        line.expect(1)
        line.branch(None, line.label(0))
    elif name[:1] == "j" and name[1:] in CONDITIONS:
        line.expect(1)
        line.branch(condition(line, CONDITIONS[name[1:]]), line.label(0))
    else:
        return False
    return True


def _known() -> frozenset[str]:
    names = {
        "mov",
        "xchg",
        "cmp",
        "test",
        "xadd",
        "cmpxchg",
        "lea",
        "mfence",
        "lfence",
        "sfence",
        "nop",
        "jmp",
        "ret",
    }
    names |= {*BINARY, *UNARY, "not", "neg", "lock", "pause", "endbr64", "movabs", "movzx", "movsx"}
    names |= {"shl", "sal", "shr", "sar", "retq"}
    names |= {f"mov{kind}{sizes}" for kind in "zs" for sizes in ("bw", "bl", "bq", "wl", "wq")} | {"movslq"}
    return frozenset((*names, *(f"j{name}" for name in CONDITIONS), *(f"cmov{name}" for name in CONDITIONS)))


_NAMES = _known()
_SIZED = frozenset(
    (
        *BINARY,
        *UNARY,
        *(f"cmov{name}" for name in CONDITIONS),
        "shl",
        "sal",
        "shr",
        "sar",
        "mov",
        "xchg",
        "cmp",
        "test",
        "xadd",
        "cmpxchg",
        "lea",
        "not",
        "neg",
        "nop",
    )
)


def _split_suffix(name: str) -> tuple[str, int | None]:
    """AT&T's names end in the size of the operands."""
    if name not in _NAMES and name[-1:] in SUFFIXES and name[:-1] in _SIZED:
        return name[:-1], SUFFIXES[name[-1]]
    return name, None


def _translator(parse: Callable[[Line, int], X86Operand], *, is_att: bool) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        name, locked, written = line.mnemonic.lower(), False, line
        if name in ("lock", "lock;") and line.cell.text[len(name) :].strip():
            rest = line.cell.text[len(name) :].lstrip()
            inner = Line(line.source, Cell(rest, line.cell.at + len(line.cell.text) - len(rest)))
            line.mnemonic, line.operands, line.starts = inner.mnemonic, inner.operands, inner.starts
            name, locked, written = inner.mnemonic.lower(), True, inner
        if _jump(line, name):
            return
        name, bits = _split_suffix(name) if is_att else (name, None)
        if name not in _NAMES and not name.startswith(("set", "cmov")):
            raise written.unknown(map(str.upper, _NAMES), "x86")
        if locked and name not in _LOCKABLE:
            raise line.problem(0, f"LOCK cannot precede {line.mnemonic}", "remove LOCK")
        operands = [parse(line, number) for number in range(len(line.operands))]
        if is_att:
            operands.reverse()
        sizes = [operand.bits for operand in operands if isinstance(operand, Part)]
        instruction = X86Instruction(line, name, operands, bits or (sizes[0] if sizes else 32), locked)
        if not instruction.run():
            raise line.unknown(map(str.upper, _NAMES), "x86")

    return translate


X86 = Machine("X86", registers, _translator(parse_intel, is_att=False))
X86_64 = Machine("X86_64", registers, _translator(parse_att, is_att=True))
