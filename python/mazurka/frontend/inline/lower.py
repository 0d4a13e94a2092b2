"""Lowers a call of inline assembly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mazurka.frontend.inline.barriers import fence_of, is_pause
from mazurka.frontend.inline.constraints import operands_of
from mazurka.frontend.inline.template import Instruction, instructions, shown
from mazurka.frontend.inline.x86 import X86, NotKnown
from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.emitter import RefusalError, Slot
from mazurka.program import Op

if TYPE_CHECKING:
    from mazurka.frontend.lowering.function import FunctionLowering

_MOST_SHOWN = 40  # characters of an instruction


def lower_assembly(e: FunctionLowering, inst: ir.Inst, assembly: ir.Assembly) -> list[Slot]:
    """The result's slots. An ``asm`` without instructions only stops a compiler that reorders."""
    machine = X86(e, operands_of(inst, assembly))
    told = Instruction("", (), "", assembly.template.strip())
    try:
        for told in instructions(assembly.template):
            if is_pause(told):
                continue
            fence = fence_of(told)
            if fence is not None:
                e.emit(Op.FENCE, mode=fence, results=0)
            else:
                machine.run(told)
            e.module.relies_on(shown(told.text), e.place)
        return list(machine.results())
    except (NotKnown, IndexError):
        raise RefusalError(f'inline assembly "{shown(told.text)[:_MOST_SHOWN]}"') from None
