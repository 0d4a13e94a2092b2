"""Local objects that are created when control reaches them: variable-length arrays, and memory from alloca.

A register per object holds the one that was made last, or 0. Its lifetime ends when its block is left
(``stackrestore``) or when the function returns: FREE of 0 does nothing.

I1: no lifetime ends too early. If a loop makes an object again without leaving a block, the old one is
forgotten and lives on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mazurka.frontend.assembly.code import Code
from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.emitter import Slot, check_type
from mazurka.program import AllocFlag, Op

if TYPE_CHECKING:
    from mazurka.frontend.lowering.function import FunctionLowering


class DynamicLocals:
    """The objects of one function; built before its first block is lowered, in the block that comes first."""

    def __init__(self, e: FunctionLowering, made: list[str]) -> None:
        self._e = e
        self._last = {name: e.new_registers() for name in made}
        self._forget(made)

    def _forget(self, made: list[str]) -> None:
        for name in made:
            self._e.append(Code(Op.MOV, self._last[name], self._e.constant(0)))

    def allocate(self, inst: ir.Inst) -> list[Slot]:
        """Makes an object."""
        e = self._e
        assert inst.source is not None
        size = e.constant(inst.source.size)
        if inst.operands:
            type_, value = inst.operands[0]
            check_type(type_)
            size = e.emit(Op.MUL, e.operand(type_, value), size)
        private = 0 if e.module.escape.escapes(e.function.name, inst.result) else AllocFlag.PRIVATE
        name = e.names.object_name(inst.result)
        made = e.emit(Op.ALLOC, size, e.constant(16), x=AllocFlag.STACK | private, expr=name)
        e.append(Code(Op.MOV, self._last[inst.result], made))
        return [made]

    def enter(self, save: ir.Inst) -> list[Slot]:
        """Enters a block: objects of an earlier round do not belong to it."""
        self._forget(self._inside(save))
        return [self._e.constant(0)]

    def leave(self, restore: ir.Inst) -> list[Slot]:
        """Leaves a block: ends the objects that were made in it."""
        value = restore.operands[1][1]
        save = self._e.cfg.definition(value.name) if isinstance(value, ir.Local) else None
        if save is not None and save.op == "call":
            self._end(self._inside(save))
        return []

    def end_all(self) -> None:
        """The function returns."""
        self._end(list(self._last))

    def _end(self, made: list[str]) -> None:
        for name in made:
            self._e.emit(Op.FREE, self._last[name], x=AllocFlag.STACK, results=0)
        self._forget(made)

    def _inside(self, save: ir.Inst) -> list[str]:
        """The objects that are made only after a block begins."""
        cfg, block = self._e.cfg, self._e.cfg.block_of(save.result)
        first = [inst.result for inst in cfg.blocks[block].insts]
        return [
            name
            for name in self._last
            if cfg.dominates(block, at := cfg.block_of(name))
            and (at != block or first.index(name) > first.index(save.result))
        ]
