"""The machines of assembly litmus tests: a table of instructions for each, in terms of ``litmus.operations``.

An instruction that a table does not have is refused by its name and line.
"""

from __future__ import annotations

from mazurka.litmus.machines.aarch64 import AARCH64
from mazurka.litmus.machines.lines import Line, Machine
from mazurka.litmus.machines.ppc import PPC
from mazurka.litmus.machines.riscv import RISCV
from mazurka.litmus.machines.x86 import X86, X86_64
from mazurka.litmus.meaning.operations import END, Branch, Instruction, Label
from mazurka.litmus.meaning.test import Language, Thread
from mazurka.litmus.text.columns import Cell
from mazurka.litmus.text.problems import Source, closest

MACHINES: dict[Language, Machine] = {
    Language.AARCH64: AARCH64,
    Language.PPC: PPC,
    Language.RISCV: RISCV,
    Language.X86: X86,
    Language.X86_64: X86_64,
}


def assemble(source: Source, machine: Machine, cells: list[Cell]) -> Thread:
    """The thread that a column describes."""
    labels: dict[str, Cell] = {}
    for cell in cells:
        if cell.is_label and cell.text in labels:
            raise source.problem(
                cell.at, f"the label '{cell.text}' is defined twice", hint="rename one", length=len(cell.text)
            )
        if cell.is_label:
            labels[cell.text] = cell
    return Thread(tuple(_instruction(source, machine, cell, labels) for cell in cells))


def _instruction(source: Source, machine: Machine, cell: Cell, labels: dict[str, Cell]) -> Instruction:
    place = source.place(cell.at)
    if cell.is_label:
        return Instruction(f"{cell.text}:", (Label(cell.text),), place)
    line = Line(source, cell)
    machine.translate(line)
    for operation in line.operations:
        if isinstance(operation, Branch) and operation.target not in (*labels, END):
            raise source.problem(
                cell.at,
                f"there is no label '{operation.target}' in this thread",
                hint=closest(operation.target, labels, f"add a line '{operation.target}:'"),
                length=len(cell.text),
            )
    return Instruction(cell.text, tuple(line.operations), place)
