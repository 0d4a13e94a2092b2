"""What the last branches of a thread were decided by, and what decided about the values that they compare.

A value is computed from reads, through registers, private memory and calls (``dependencies``). But often it
is a constant, and the branch that leads to it is what depends on reads:

- on the same source line: ``ok = x || y`` is 1 because of ``x``, and all parts of ``assert(a && b)`` count;
- in a function that was called: ``return false`` after a search. If what it returns was computed from nothing
  but what its branches were decided by, then all of these count.
"""

from __future__ import annotations

from dataclasses import dataclass

from mazurka.program import NO_POSITION, Instr, Op, Program
from mazurka.program.instructions import results_of
from mazurka.reference.running.dependencies import CALLS, DECIDE, Tracker, union
from mazurka.reference.running.labels import NO_READS, Ending, Reads
from mazurka.reference.running.processor import Frame


@dataclass
class _Call:
    """The decisions of a function while it runs."""

    line: object = None  # that of the last branch
    here: Reads = NO_READS  # what the branches of this line were decided by
    every: Reads = NO_READS  # what all branches were decided by, in the functions that it calls as well


class ReasonTracker(Tracker):
    """The sets of one thread, and what its branches were decided by."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._calls = [_Call()]
        self._line: object = None  # of the instruction

    def begin(self, i: Instr) -> Ending | None:
        """Before an instruction."""
        ending = super().begin(i)
        if i.position != NO_POSITION:
            where = self.program.positions[i.position]
            self._line = where.file, where.line
        if i.op in DECIDE:
            call = self._calls[-1]
            call.here = self._operands[0] | (call.here if call.line == self._line else NO_READS)
            call.every |= self._operands[0]
            call.line = self._line
            self.branched = call.here
        return ending

    def end(self, i: Instr, frame: Frame) -> None:
        """After an instruction."""
        super().end(i, frame)
        if i.op in CALLS:
            self._calls.append(_Call())
        elif i.op is Op.RET:
            done = self._calls.pop()
            self._calls[-1].every |= done.every
            if union(self._operands) <= done.every:
                self._add(results_of(frame.function.code[frame.pc - 1]), done.every)
        elif self._calls[-1].line == self._line:
            self._add(results_of(i), self._calls[-1].here)

    def _add(self, registers: range, reads: Reads) -> None:
        known = self._frames[-1]
        known.update({register: known.get(register, NO_READS) | reads for register in registers})
