"""Register allocation: gives virtual code a small frame.

Snapshots copy all registers of all active frames at every event, so frames must be small. Liveness comes from
``program.flow``; colouring is greedy in the order of the code, and copies prefer the register of the other
side, which removes most of them.

I1: two registers that are live at once have different colours, unless one is a copy of the other.
I2: a group (the results of one instruction) gets consecutive colours; parameters keep 0..params-1.
"""

from __future__ import annotations

from mazurka.deadline import look
from mazurka.frontend.assembly.code import COPIES, PURE, Code, CodeBlock, VirtualFunction
from mazurka.program import Op
from mazurka.program.flow.graph import FlowGraph
from mazurka.program.flow.liveness import live_in, live_out, members, touched


def remove_dead_code(blocks: list[CodeBlock]) -> None:
    """Drops pure instructions whose results nobody reads."""
    while True:
        look()
        read: set[int] = set()
        for block in blocks:
            for code in block.code:
                read.update(code.operands())
        removed = False
        for block in blocks:
            kept = [code for code in block.code if _needed(code, read)]
            removed |= len(kept) < len(block.code)
            block.code = kept
        if not removed:
            return


def _needed(code: Code, read: set[int]) -> bool:
    if code.op == COPIES:
        before = len(code.copies)
        code.copies = [pair for pair in code.copies if pair[0] in read]
        return before == len(code.copies) or bool(code.copies)
    return code.op not in PURE or any(register in read for register in code.results())


class Allocation:
    """Colours the registers of one function."""

    def __init__(self, function: VirtualFunction) -> None:
        self.function = function
        self.color: dict[int, int] = {}
        self.count = function.params
        self._neighbours: dict[int, int] = {}
        self._partners: dict[int, list[int]] = {}
        self._live_out: dict[CodeBlock, int] = {}
        self._find_live_out()
        for block in function.blocks:
            self._add_interference(block)
        self._make_symmetric()
        self._assign()

    def _find_live_out(self) -> None:
        blocks = self.function.blocks
        numbers = {block: number for number, block in enumerate(blocks)}
        graph = FlowGraph([[numbers[target] for target in b.terminator().targets] for b in blocks])
        live = live_in(graph, [touched(map(_reads_and_writes, block.code)) for block in blocks])
        self._live_out = {block: live_out(graph, live, number) for block, number in numbers.items()}
        entry = live[0] | (1 << self.function.params) - 1
        for register in range(self.function.params):
            self._neighbours[register] = entry & ~(1 << register)

    def _add_interference(self, block: CodeBlock) -> None:
        look()
        live = self._live_out[block]
        for code in reversed(block.code):
            results = code.results()
            if results:
                live = self._define(code, results, live)
            for operand in code.operands():
                if operand >= 0:
                    live |= 1 << operand

    def _define(self, code: Code, results: range | list[int], live: int) -> int:
        together = 0
        for register in results:
            together |= 1 << register
        copies = dict(code.copies) if code.op == COPIES else {}
        if code.op == Op.MOV:
            copies = {code.dst: code.a}
        for register in results:
            others = (live | together) & ~(1 << register)
            source = copies.get(register, -1)
            if source >= 0:
                others &= ~(1 << source) | together
                self._partners.setdefault(register, []).append(source)
                self._partners.setdefault(source, []).append(register)
            self._neighbours[register] = self._neighbours.get(register, 0) | others
        return live & ~together

    def _make_symmetric(self) -> None:
        for register, others in list(self._neighbours.items()):
            look()
            for other in members(others):
                self._neighbours[other] = self._neighbours.get(other, 0) | (1 << register)

    def _assign(self) -> None:
        for register in range(self.function.params):
            self.color[register] = register
        for first, count in self.function.groups:
            self._assign_group(first, count)
        for block in self.function.blocks:
            for code in block.code:
                for register in code.results():
                    if register not in self.color:
                        self._assign_one(register)

    def _taken(self, register: int) -> set[int]:
        color = self.color
        return {color[other] for other in members(self._neighbours.get(register, 0)) if other in color}

    def _assign_one(self, register: int) -> None:
        look()
        taken = self._taken(register)
        for partner in self._partners.get(register, ()):
            wanted = self.color.get(partner)
            if wanted is not None and wanted not in taken:
                self._set(register, wanted)
                return
        self._set(register, _lowest(taken))

    def _assign_group(self, first: int, count: int) -> None:
        taken = [self._taken(register) for register in range(first, first + count)]
        base = 0
        while any(base + i in taken[i] for i in range(count)):
            base += 1
        for i in range(count):
            self._set(first + i, base + i)

    def _set(self, register: int, color: int) -> None:
        self.color[register] = color
        self.count = max(self.count, color + 1)


def sequence_copies(copies: list[tuple[int, int]], spare: int) -> tuple[list[tuple[int, int]], bool]:
    """Parallel copies (on real registers; negative sources are constants) one after the other.

    Returns the copies and whether the spare register was needed to break a cycle.
    """
    pending = {target: source for target, source in copies if target != source}
    done: list[tuple[int, int]] = []
    used_spare = False
    while pending:
        free = [target for target in pending if target not in pending.values()]
        if not free:
            target, source = next(iter(pending.items()))
            done.append((spare, source))
            pending[target] = spare
            used_spare = True
            continue
        for target in free:
            done.append((target, pending.pop(target)))
    return done, used_spare


def _reads_and_writes(code: Code) -> tuple[list[int], range | list[int]]:
    return [operand for operand in code.operands() if operand >= 0], code.results()


def _lowest(taken: set[int]) -> int:
    color = 0
    while color in taken:
        color += 1
    return color
