"""Puts a ROUND at the header of each loop whose rounds may turn out to be spins when they are made.

The engine compares the thread at a ROUND with what it was when it came there before (thesis §7.2.5;
``crates/engine/src/explore/spinning``). This pass says which registers it has to compare: those that are live
at the header and that the loop writes; no round changes any other. Memory is compared by the engine.

A loop gets no ROUND if no round of it can be a spin:

- the number of its rounds is the same in every execution, or it has no exit, so nobody waits in it,
- a register that is live at its header is counted up or down in each round,
- it prints, since each line is an effect, or
- nothing in it can read what other threads write, or wait for them.

I1: comes after all passes that change loops. What it adds is for the engine alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mazurka.program import CONST, Instr, Op, Program, Rounds
from mazurka.program.flow.function import CodeLoop, FunctionFlow
from mazurka.program.flow.liveness import members
from mazurka.program.flow.private import is_private
from mazurka.program.flow.program import ProgramFlow
from mazurka.program.flow.rewriting import rewrite
from mazurka.program.instructions import results_of
from mazurka.program.passes.attempts import find_attempt
from mazurka.program.passes.round_writes import blind_updates, marked_store
from mazurka.program.passes.spinning.terms import Term

FAILED = 2  # the x of a ROUND that stands where an attempt has failed
_READS = frozenset((Op.LOAD, Op.RMW, Op.CAS, Op.LOAD_PAIR, Op.RMW_PAIR, Op.CAS_PAIR))
_MAY_READ = frozenset((Op.SYNC, Op.CALL, Op.CALLI))


def mark_rounds(flow: ProgramFlow) -> Program:
    """The program with a ROUND at the header of each loop that may spin, and marks at writes."""
    program = flow.program
    if not program.loops:
        return program
    printing = _printing_functions(flow)
    marks = _Marks(program)
    for index in range(len(program.functions)):
        for loop in flow.of(index).loops.values():
            if _may_spin(flow.of(index), loop, printing):
                marks.add_round(index, flow.of(index), loop)
    if not marks.rounds:
        return program
    for index in range(len(program.functions)):
        marks.changed.update({(index, pc): i for pc, i in blind_updates(flow.of(index))})
    return marks.applied()


class _Marks:
    """What is added to a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.registers = [function.registers for function in program.functions]
        self.lists = list(program.lists)
        self.constants = list(program.constants)
        self.rounds: dict[tuple[int, int], Instr] = {}  # by function and header
        self.changed: dict[tuple[int, int], Instr] = {}  # by function and pc

    def add_round(self, index: int, flow: FunctionFlow, loop: CodeLoop) -> None:
        """A ROUND at the header of a loop, with a register of its own, and a mark at its first store."""
        (counter,), (number,) = members(loop.counters), loop.numbers
        self.lists.append(tuple(members(loop.carried)))
        position = flow.code[loop.header].position
        free, live = self.registers[index], len(self.lists) - 1
        self.registers[index] += 1
        self.rounds[index, loop.header] = Instr(Op.ROUND, free, counter, number, live, position=position)
        self.changed |= {(index, pc): i for pc, i in marked_store(flow, loop, number)}
        self._add_attempt(index, flow, loop, number)

    def _add_attempt(self, index: int, flow: FunctionFlow, loop: CodeLoop, number: int) -> None:
        """A ROUND where an attempt has failed, with which the rounds of a loop begin, and a mark at it."""
        attempt = find_attempt(flow, loop)
        if attempt is None:
            return
        (counter,) = members(loop.counters)
        self.lists.append(() if attempt.exactly is None else (self._operand(attempt.exactly),))
        free, wanted = self.registers[index], len(self.lists) - 1
        self.registers[index] += 1
        position = flow.code[attempt.pc].position
        self.rounds[index, attempt.failed] = Instr(
            Op.ROUND, free, counter, number, wanted, x=FAILED, position=position
        )
        self.changed[index, attempt.pc] = replace(flow.code[attempt.pc], c=attempt.mark(number))

    def _operand(self, term: Term) -> int:
        """An operand with the value of a number or of a register."""
        kind, value = term
        if kind != "number":
            return int(value)
        if value not in self.constants:
            self.constants.append(value)
        return CONST | self.constants.index(value)

    def applied(self) -> Program:
        """The program with all of it."""
        functions = zip(self.program.functions, self.registers, strict=True)
        wider = tuple(replace(function, registers=registers) for function, registers in functions)
        program = replace(
            self.program, functions=wider, lists=tuple(self.lists), constants=tuple(self.constants)
        )

        def with_marks(index: int, pc: int) -> Sequence[Instr]:
            instr = self.changed.get((index, pc), program.functions[index].code[pc])
            mark = self.rounds.get((index, pc))
            return (instr,) if mark is None else (mark, instr)

        return rewrite(program, with_marks)


def _may_spin(flow: FunctionFlow, loop: CodeLoop, printing: set[int]) -> bool:
    body = [flow.code[pc] for pc in loop.body]
    marks = [i for i in body if i.op == Op.LOOP and i.a in loop.numbers]
    return (
        not loop.is_irreducible
        and len(loop.numbers) == 1
        and all(i.x == Rounds.ANY for i in marks)
        and any(_may_see_others(flow, pc) for pc in loop.body)
        and not any(_prints(i, printing) for i in body)
        and not any(_counts(flow, loop, register) for register in members(loop.carried))
    )


def _may_see_others(flow: FunctionFlow, pc: int) -> bool:
    """Whether an instruction may read what other threads write, or wait for them."""
    instr = flow.code[pc]
    return instr.op in _MAY_READ or (instr.op in _READS and not is_private(flow, pc, instr.a, set()))


def _prints(instr: Instr, printing: set[int]) -> bool:
    if instr.op == Op.CALLI:
        return bool(printing)
    return instr.op == Op.PRINT or (instr.op == Op.CALL and instr.a in printing)


def _printing_functions(flow: ProgramFlow) -> set[int]:
    """The functions that may print, also through calls."""
    found = {i for i, one in enumerate(flow.program.functions) if any(c.op == Op.PRINT for c in one.code)}
    grown = found
    while grown:
        calling = {
            i for i, one in enumerate(flow.program.functions) if any(_prints(c, found) for c in one.code)
        }
        grown = calling - found
        found |= grown
    return found


def _counts(flow: FunctionFlow, loop: CodeLoop, register: int) -> bool:
    """Whether each round adds the same number, which is not 0, to a register, and nothing else writes it."""
    writer = _only_writer(flow, loop, register)
    if writer is None or not all(flow.dominates(writer, back) for back in loop.back):
        return False
    instr = flow.code[writer]
    if instr.op == Op.MOV and not instr.a & CONST:
        source = _only_writer(flow, loop, instr.a)
        if source is None or not flow.dominates(source, writer):
            return False
        instr = flow.code[source]
    if instr.op not in (Op.ADD, Op.SUB) or instr.a != register or not instr.b & CONST:
        return False
    return flow.program.constants[instr.b & ~CONST] % (1 << instr.width) != 0


def _only_writer(flow: FunctionFlow, loop: CodeLoop, register: int) -> int | None:
    """The only instruction of a loop that writes a register."""
    writers = [pc for pc in loop.body if register in results_of(flow.code[pc])]
    return writers[0] if len(writers) == 1 else None
