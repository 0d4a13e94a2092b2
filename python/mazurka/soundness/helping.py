"""May helping compare-exchanges leave their work to the helped ones? What does not depend on the execution.

``docs/waiting.md`` has the argument. It needs that nobody uses what the two return, that a helping one
releases, and, under the models that order SC events among each other, that no access is SC. The engine looks
at the rest when it comes to a helping compare-exchange (``explore/annotations/helping.rs``).
"""

from __future__ import annotations

from collections.abc import Iterator

from mazurka.kat.meaning.plan import CLASSES
from mazurka.program import CONST, Annotation, Instr, Mode, Op, Program
from mazurka.program.flow.function import FunctionFlow
from mazurka.program.flow.liveness import bits
from mazurka.program.flow.program import ProgramFlow
from mazurka.program.instructions import results_of

# The models that the argument is about. In rc11-cpp11, a later write of the helped thread would release what
# the helped compare-exchange does.
_WHATEVER_THE_MODES = ("sc", "tso", "pso", "ra", "rc11-ra")
_WITHOUT_SC_ACCESSES = ("rc11", "rc11-genmc")
_SC_ACCESSES = sum(1 << i for i, name in enumerate(CLASSES) if name.startswith(("R.sc", "W.sc")))


def models_for_helping(program: Program, classes: int) -> tuple[str, ...]:
    """The models under which helping compare-exchanges of a program may leave their work to the helped ones.

    ``classes`` are those of the program's events. There are no models if nobody helps.
    """
    exchanges = [*_exchanges(program)]
    if not any(note is Annotation.HELPING_CAS for note, _, _ in exchanges):
        return ()
    for note, flow, pc in exchanges:
        releases = flow.code[pc].mode in (Mode.REL, Mode.ACQ_REL, Mode.SC)
        if (note is Annotation.HELPING_CAS and not releases) or _is_used(flow, pc):
            return ()
    return _WHATEVER_THE_MODES if classes & _SC_ACCESSES else _WHATEVER_THE_MODES + _WITHOUT_SC_ACCESSES


def _exchanges(program: Program) -> Iterator[tuple[Annotation, FunctionFlow, int]]:
    """The helped and helping compare-exchanges, each with its place."""
    flows = ProgramFlow(program)
    for index, function in enumerate(program.functions):
        for pc, instr in enumerate(function.code):
            if instr.op is Op.ANNOTATE and instr.a in (Annotation.HELPED_CAS, Annotation.HELPING_CAS):
                yield Annotation(instr.a), flows.of(index), pc + 1


def _is_used(flow: FunctionFlow, pc: int) -> bool:
    """Whether the results of an instruction, or their copies right after it, may be read later."""
    results = bits(results_of(flow.code[pc]))
    pc += 1
    while _copies(flow.code[pc], results):
        results |= 1 << flow.code[pc].dst
        pc += 1
    return bool(flow.live_before(pc) & results)


def _copies(instr: Instr, registers: int) -> bool:
    return instr.op is Op.MOV and not instr.a & CONST and bool(registers >> instr.a & 1)
