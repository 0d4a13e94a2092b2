"""Turns virtual code into a Function: dead code, jumps to jumps, registers, block order, operands.

I1: jump targets are instruction indices of the finished code.
"""

from __future__ import annotations

from mazurka.frontend.assembly.code import COPIES, Code, CodeBlock, VirtualFunction
from mazurka.frontend.assembly.pools import Pools
from mazurka.frontend.assembly.registers import Allocation, remove_dead_code, sequence_copies
from mazurka.program import CONST, FrameObject, Function, Instr, Op, SwitchTable
from mazurka.program.flow.graph import reverse_postorder
from mazurka.program.instructions import FACTS


def assemble(
    function: VirtualFunction, pools: Pools, frame_size: int, objects: tuple[FrameObject, ...], position: int
) -> Function:
    """The finished function."""
    blocks = _order(function.blocks[0])
    remove_dead_code(blocks)
    _skip_empty_blocks(blocks)
    function.blocks = _order(blocks[0])
    writer = _Writer(function.blocks, Allocation(function), pools)
    code = writer.write()
    return Function(function.name, function.params, writer.registers, frame_size, objects, code, position)


def _order(entry: CodeBlock) -> list[CodeBlock]:
    """Reachable blocks in reverse postorder."""
    return reverse_postorder(entry, lambda block: block.terminator().targets)


def _skip_empty_blocks(blocks: list[CodeBlock]) -> None:
    """Makes jumps to a block that only jumps go to its target."""
    forward: dict[CodeBlock, CodeBlock] = {}
    for block in blocks:
        if len(block.code) == 1 and block.code[0].op == Op.JMP:
            forward[block] = block.code[0].targets[0]
    final: dict[CodeBlock, CodeBlock] = {}
    for block in blocks:
        last = block.terminator()
        last.targets = [_final(target, forward, final) for target in last.targets]
        if last.op == Op.BR and last.targets[0] is last.targets[1]:
            block.code[-1] = Code(Op.JMP, targets=last.targets[:1], position=last.position)


def _final(
    block: CodeBlock, forward: dict[CodeBlock, CodeBlock], final: dict[CodeBlock, CodeBlock]
) -> CodeBlock:
    """Where a jump to a block ends; ``final`` remembers it for every block on the way, which may be long."""
    passed: dict[CodeBlock, None] = {}
    while block in forward and block not in passed and block not in final:
        passed[block] = None
        block = forward[block]
    end = final.get(block, block)
    final.update(dict.fromkeys(passed, end))
    return end


class _Writer:
    """Writes blocks one after the other, on real registers."""

    def __init__(self, blocks: list[CodeBlock], allocation: Allocation, pools: Pools) -> None:
        self._blocks = blocks
        self._color = allocation.color
        self._pools = pools
        self._spare = allocation.count
        self.registers = allocation.count

    def write(self) -> tuple[Instr, ...]:
        pending: list[Code | Instr] = []
        start: dict[CodeBlock, int] = {}
        for block, following in zip(self._blocks, [*self._blocks[1:], None], strict=True):
            start[block] = len(pending)
            for code in block.code:
                if code.op == COPIES:
                    pending += self._copies(code)
                elif not self._skips(code, following):
                    pending.append(code)
        return tuple(item if isinstance(item, Instr) else self._instr(item, start) for item in pending)

    def _skips(self, code: Code, following: CodeBlock | None) -> bool:
        if code.op == Op.JMP:
            return code.targets[0] is following
        return code.op == Op.MOV and code.a >= 0 and self._color[code.a] == self._color[code.dst]

    def _copies(self, code: Code) -> list[Instr]:
        pairs = [
            (self._color[to], source if source < 0 else self._color[source]) for to, source in code.copies
        ]
        ordered, used_spare = sequence_copies(pairs, self._spare)
        if used_spare:
            self.registers = self._spare + 1
        return [
            Instr(Op.MOV, to, source if source >= 0 else CONST | ~source, position=code.position)
            for to, source in ordered
        ]

    def _operand(self, operand: int) -> int:
        return self._color[operand] if operand >= 0 else CONST | ~operand

    def _instr(self, code: Code, start: dict[CodeBlock, int]) -> Instr:
        op = Op(code.op)
        a, b, c = code.a, code.b, code.c
        count = code.operand_fields()
        if count > 0:
            a = self._operand(a)
        if count > 1:
            b = self._operand(b)
        if count > 2:
            c = self._operand(c)
        if op == Op.JMP:
            a = start[code.targets[0]]
        elif op == Op.BR:
            b, c = start[code.targets[0]], start[code.targets[1]]
        elif op == Op.SWITCH:
            targets = [start[target] for target in code.targets]
            cases = tuple(zip(code.cases, targets[:-1], strict=True))
            c = self._pools.switch(SwitchTable(cases, targets[-1]))
        elif FACTS[op].takes_list:
            c = self._pools.operand_list(tuple(map(self._operand, code.args)))
        results = code.results()
        dst = self._color[results[0]] if results else 0
        return Instr(op, dst, a, b, c, code.width, code.mode, code.x, code.position, code.expr)
