"""Stops a thread after a round of a loop that changed nothing (thesis §7.2.3, "spin-assume").

An edge back to the header of a natural loop is *pure* if every way round the loop that ends with it is
(``spinning.ways`` says which are). On such an edge SPIN takes the place of LOOP, so the thread stops there as
by a false assumption.

``docs/waiting.md`` says why nothing is lost, even if a read-modify-write wrote back the value that it read.
Loops without an exit and loops with a constant number of rounds stay as they are.
"""

from __future__ import annotations

from dataclasses import replace

from mazurka.program import Loop, Op, Program, SwitchTable
from mazurka.program.flow.draft import Draft
from mazurka.program.flow.graph import reverse_postorder
from mazurka.program.flow.program import ProgramFlow
from mazurka.program.loop_notes import LoopNote, Reshaping
from mazurka.program.passes.spinning.code import Code
from mazurka.program.passes.spinning.merging import merge_alike
from mazurka.program.passes.spinning.notes import note_calls, note_loop
from mazurka.program.passes.spinning.recursion import stop_recursion
from mazurka.program.passes.spinning.stopping import Stopping


def stop_spinning(flow: ProgramFlow) -> Program:
    """The program with SPIN on pure edges back; read-modify-writes count as effects."""
    return _Plain(flow).run()


def stop_exchanging(flow: ProgramFlow) -> Program:
    """The same, if read-modify-writes only write back what they read."""
    return _Exchanging(flow).run()


def stop_merged_loops(flow: ProgramFlow) -> Program:
    """The same, for loops all of whose edges back are pure once they are merged with code before them."""
    return _Merging(flow).run()


def stop_rotated_loops(flow: ProgramFlow) -> Program:
    """The same, for edges back that are pure once their loop is rotated."""
    return _Rotating(flow).run()


class _Plain:
    """Goes through the functions, callees first."""

    def __init__(self, flow: ProgramFlow) -> None:
        self.flow = flow
        self.program = flow.program
        functions = enumerate(self.program.functions)
        self.codes = {index: Code(Draft(self.program, function)) for index, function in functions}
        self.loops: list[Loop] = list(self.program.loops)
        self.notes = {note.loop: note for note in self.program.notes}
        self.changed: dict[int, Draft] = {}

    def run(self) -> Program:
        """The program after the pass."""
        for index in self._callees_first():
            self._function(index)
        notes = tuple(note for _, note in sorted(self.notes.items()))
        if not self.changed:
            return self.program if notes == self.program.notes else replace(self.program, notes=notes)
        switches: list[SwitchTable] = list(self.program.switches)
        functions = tuple(
            self.changed[index].finish(switches) if index in self.changed else function
            for index, function in enumerate(self.program.functions)
        )
        return replace(
            self.program,
            functions=functions,
            switches=tuple(switches),
            loops=tuple(self.loops),
            notes=notes,
        )

    def _callees_first(self) -> list[int]:
        found: list[int] = []
        for root in range(len(self.program.functions)):
            order = reverse_postorder(root, lambda index: sorted(self.flow.calls(index)))
            found += [index for index in reversed(order) if index not in found]
        return found

    def _function(self, index: int) -> None:
        function = self.program.functions[index]
        if not any(i.op == Op.LOOP or (i.op == Op.CALL and i.a == index) for i in function.code):
            return
        stopping = self._stopping(Draft(self.program, function))
        if stopping is None:
            return
        for number in stopping.numbers():
            self._note(note_loop(stopping, number, self.notes.get(number)))
        self._calls(index, stopping)
        if stopping.editing.stopped:
            self.changed[index] = stopping.draft
            self.codes[index] = Code(stopping.draft)

    def _stopping(self, draft: Draft) -> Stopping | None:
        """A function's loops, looked at; none if nothing is to be said."""
        stopping = Stopping(draft, self.codes)
        stopping.run()
        return stopping

    def _calls(self, index: int, stopping: Stopping) -> None:
        """Stops a function that calls itself to wait."""
        if stop_recursion(stopping.editing, self.codes, index, len(self.loops), exchanges=stopping.exchanges):
            self._note(note_calls(len(self.loops)))
            function = self.program.functions[index]
            self.loops.append(Loop(function.name, function.position))

    def _note(self, note: LoopNote) -> None:
        self.notes[note.loop] = note


class _Exchanging(_Plain):
    """The same for loops that exchange."""

    rotates = False

    def _stopping(self, draft: Draft) -> Stopping | None:
        stopping = Stopping(draft, self.codes, exchanges=True, rotates=self.rotates)
        stopping.run()
        return stopping


class _Rotating(_Exchanging):
    """The same for loops that are rotated."""

    rotates = True


class _Merging(_Plain):
    """The same for functions with loops that can be merged with code before them."""

    def _stopping(self, draft: Draft) -> Stopping | None:
        merged = merge_alike(draft)
        if merged is None:
            return None
        changed, numbers = merged
        stopping = Stopping(changed, self.codes, exchanges=True)
        stopping.run()
        stopping.editing.reshaped |= dict.fromkeys(numbers, Reshaping.MERGED)
        return None if numbers & stopping.going_on() else stopping
