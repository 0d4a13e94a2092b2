"""Which addresses are those of a thread's own memory."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from mazurka.program import CONST, Function, Instr, Op
from mazurka.program.flow.function import FunctionFlow
from mazurka.program.instructions import results_of


def is_private(flow: FunctionFlow, pc: int, operand: int, known: AbstractSet[int]) -> bool:
    """Whether an operand of an instruction is an address of the thread's own memory, by what its block has
    done before it, and by the registers that are known to hold such addresses at its start.
    """
    while pc > flow.pcs(flow.block_of(pc)).start:
        pc -= 1
        instr = flow.code[pc]
        if operand in results_of(instr):
            if _makes_private(instr):
                return True
            return _keeps_private(instr) and is_private(flow, pc, instr.a, known)
    return operand in known


def private_registers(function: Function) -> set[int]:
    """The registers that only ever hold such addresses."""
    definitions: dict[int, list[Instr]] = {}
    for instr in function.code:
        for register in results_of(instr):
            definitions.setdefault(register, []).append(instr)
    private = {register for register in definitions if register >= function.params}
    while True:
        left = {r for r in private if all(_stays_private(i, private) for i in definitions[r])}
        if left == private:
            return private
        private = left


def _stays_private(instr: Instr, private: set[int]) -> bool:
    return _makes_private(instr) or (_keeps_private(instr) and instr.a in private)


def _makes_private(instr: Instr) -> bool:
    return instr.op in (Op.FRAMEADDR, Op.TLSADDR)


def _keeps_private(instr: Instr) -> bool:
    if instr.op in (Op.MOV, Op.STEP):  # outside its object, a STEP finds no memory
        return True
    return instr.op in (Op.ADD, Op.SUB) and bool(instr.b & CONST)
