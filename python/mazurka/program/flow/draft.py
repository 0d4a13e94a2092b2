"""A function as a graph of instructions, which can be changed: edges are redirected, and nodes added.

Bytecode has an order, and a jump is an instruction of its own. Here each instruction names those that may
come after it, so that code can be copied and joined without regard to where it will lie. ``finish`` puts the
reachable instructions in an order, with jumps where they are needed.

I1: nodes keep their numbers while a draft is changed. First they are the pcs of the function. What SPIN names
is a node, too, which is kept, although control does not go there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mazurka.program import Function, Instr, Op, Program, SwitchTable
from mazurka.program.flow.graph import FlowGraph
from mazurka.program.instructions import FACTS, Flow, successors

Targets = tuple[int, ...]


class Draft:
    """A function of a program, as nodes and edges."""

    def __init__(self, program: Program, function: Function) -> None:
        self.program = program
        self.function = function
        self.registers = function.registers
        self.entry = 0
        self.code: list[Instr] = list(function.code)
        # What may come after each: of a branch first where it goes if the condition holds, of a switch the
        # cases in the order of its table and then the default.
        self.targets: list[Targets] = [
            successors(program, pc, instr) for pc, instr in enumerate(function.code)
        ]

    def copy(self) -> Draft:
        """Another draft with the same nodes."""
        made = Draft(self.program, self.function)
        made.registers, made.entry = self.registers, self.entry
        made.code, made.targets = list(self.code), list(self.targets)
        return made

    def graph(self) -> FlowGraph:
        """Its control flow, with an instruction in each node."""
        return FlowGraph(self.targets, self.entry)

    def add(self, instr: Instr, *targets: int) -> int:
        """A new node."""
        self.code.append(instr)
        self.targets.append(targets)
        return len(self.code) - 1

    def redirect(self, node: int, old: int, new: int) -> None:
        """Lets the edges from a node to another go elsewhere."""
        self.targets[node] = tuple(new if target == old else target for target in self.targets[node])

    def new_register(self) -> int:
        """A register that nothing uses yet."""
        self.registers += 1
        return self.registers - 1

    def finish(self, switches: list[SwitchTable]) -> Function:
        """The function as bytecode; tables of switches are added to those of the program."""
        return replace(
            self.function, registers=self.registers, code=tuple(_Layout(self, switches).instructions())
        )


class _Layout:
    """Puts the nodes of a draft in an order."""

    def __init__(self, draft: Draft, switches: list[SwitchTable]) -> None:
        self.draft = draft
        self.switches = switches
        self.pcs: dict[int, int] = {}
        self.placed: list[tuple[Instr, Targets]] = []

    def instructions(self) -> list[Instr]:
        left = [self.draft.entry]
        while left:
            node = left.pop()
            if node not in self.pcs:
                left += reversed(self._place_from(node))
        return [self._located(instr, targets) for instr, targets in self.placed]

    def _place_from(self, node: int) -> Sequence[int]:
        """Places nodes, one after the other, up to a branch, of which it returns the targets."""
        while node not in self.pcs:
            self.pcs[node] = len(self.placed)
            instr, targets = self.draft.code[node], self.draft.targets[node]
            if instr.op != Op.JMP:
                self.placed.append((instr, targets))
                if instr.op == Op.SPIN:
                    return (instr.b,)
                if FACTS[instr.op].flow is not Flow.NEXT:
                    return targets
            (node,) = targets
        self.placed.append((Instr(Op.JMP), (node,)))
        return ()

    def _located(self, instr: Instr, targets: Targets) -> Instr:
        """An instruction with the places where its targets lie."""
        pcs = [self.pcs[target] for target in targets]
        if instr.op == Op.JMP:
            return replace(instr, a=pcs[0])
        if instr.op == Op.BR:
            return replace(instr, b=pcs[0], c=pcs[1])
        if instr.op == Op.SPIN:
            return replace(instr, b=self.pcs[instr.b])
        if instr.op == Op.SWITCH:
            table = self.draft.program.switches[instr.c]
            cases = tuple((value, pc) for (value, _), pc in zip(table.cases, pcs, strict=False))
            self.switches.append(SwitchTable(cases, pcs[-1]))
            return replace(instr, c=len(self.switches) - 1)
        return instr
