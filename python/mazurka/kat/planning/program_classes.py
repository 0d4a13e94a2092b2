"""Which classes of events a program can make: a model restricted to these is often simpler (``simplify``).

Every instruction that may run once threads exist counts. What main does before it creates the first thread
makes no events (docs/reference/bytecode.md, "The prologue"), and neither do accesses to private memory.
I1: the answer may be too large but never too small: it has the class of each event of each execution.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from mazurka.kat.meaning.plan import CLASSES
from mazurka.program import CONST, AllocFlag, Instr, Mode, Op, Program, Region
from mazurka.program.flow.function import FunctionFlow
from mazurka.program.flow.private import is_private, private_registers
from mazurka.program.flow.program import ProgramFlow
from mazurka.program.instructions import FACTS, compared_loops
from mazurka.program.sync import Effect, Operation

_READ = {
    **{Mode.NA: "na", Mode.RLX: "rlx", Mode.REL: "rlx", Mode.ACQ: "acq", Mode.ACQ_REL: "acq", Mode.SC: "sc"},
    **{Mode.ACQ_PC: "pc", Mode.AQ: "acq", Mode.RL: "rl", Mode.AQRL: "aqrl", Mode.AQRL_RLX: "aqrl"},
    **{Mode.AQRL_REL: "aqrl", Mode.RLX_AQRL: "rlx", Mode.ACQ_AQRL: "acq", Mode.NORET: "noret"},
    **{Mode.NORET_REL: "noret", Mode.SUCCESS: "success", Mode.LOCK: "lock"},
}
_WRITE = {
    **{Mode.NA: "na", Mode.RLX: "rlx", Mode.ACQ: "rlx", Mode.REL: "rel", Mode.ACQ_REL: "rel", Mode.SC: "sc"},
    **{Mode.AQ: "aq", Mode.RL: "rel", Mode.AQRL: "aqrl", Mode.AQRL_RLX: "rlx", Mode.AQRL_REL: "rel"},
    **{Mode.RLX_AQRL: "aqrl", Mode.ACQ_AQRL: "aqrl", Mode.NORET: "rlx", Mode.NORET_REL: "rel"},
    **{Mode.LOCK: "lock", Mode.UNLOCK: "unlock"},
}
_FENCE = {
    **{Mode.NA: "rlx", Mode.RLX: "rlx", Mode.ACQ: "acq", Mode.REL: "rel", Mode.ACQ_REL: "acqrel"},
    **{Mode.SC: "sc", Mode.R_R: "r-r", Mode.R_W: "r-w", Mode.W_R: "w-r", Mode.W_W: "w-w"},
    **{Mode.W_RW: "w-rw", Mode.RW_R: "rw-r", Mode.INSTR: "i"},
    **{Mode.BEFORE_ATOMIC: "before-atomic", Mode.AFTER_ATOMIC: "after-atomic"},
    **{Mode.AFTER_SPINLOCK: "after-spinlock", Mode.AFTER_UNLOCK_LOCK: "after-unlock-lock"},
    **{Mode.RCU_LOCK: "rcu-lock", Mode.RCU_UNLOCK: "rcu-unlock", Mode.RCU_SYNC: "rcu-sync"},
    **{Mode.SRCU_LOCK: "srcu-lock", Mode.SRCU_UNLOCK: "srcu-unlock", Mode.SRCU_SYNC: "srcu-sync"},
}
_MODES = {"R": _READ, "W": _WRITE, "F": _FENCE}
_BY_OPERATION = ("c",)  # the events of the operation that this field names
_CODE_WORD_END = re.compile(rb"[\x50-\x5f]\0\0")  # of a little-endian address in CODE


def classes_of(program: Program) -> int:
    """The classes of the events that a program can make, as a mask."""
    names = {name for instr in _Running(program).instructions() for name in _events(program, instr)}
    return sum(1 << CLASSES.index(name) for name in names)


def rounds_of(program: Program) -> str:
    """Empty if no rounds of a program are compared; else how its threads learn of each other.

    ``ordered``: who reads from another thread, and goes on, is ordered after it. Atomic stores are at least
    release, atomic loads at least acquire. Operations on synchronisation objects are no weaker, or who finds
    their word unchanged waits. ``meeting``: also without reading, at a barrier. ``relaxed``: otherwise.
    """
    if not compared_loops(program):
        return ""
    if any(operation.is_meeting for operation in program.operations):
        return "meeting"
    instructions = _Running(program).instructions()
    return "ordered" if all(_is_ordered(program, instr) for instr in instructions) else "relaxed"


def _is_ordered(program: Program, instr: Instr) -> bool:
    match instr.op:
        case Op.LOAD | Op.LOAD_PAIR:
            return instr.mode in (Mode.NA, Mode.ACQ, Mode.SC)
        case Op.STORE | Op.STORE_PAIR:
            return instr.mode in (Mode.NA, Mode.REL, Mode.SC)
        case Op.RMW | Op.RMW_PAIR:
            return instr.mode in (Mode.ACQ_REL, Mode.SC)
        case Op.CAS | Op.CAS_PAIR:
            return instr.mode in (Mode.ACQ_REL, Mode.SC) and instr.x in (Mode.ACQ, Mode.SC)
        case Op.SYNC:
            operation = program.operations[instr.c]
            if operation.reads is None:
                return operation.writes in (Mode.REL, Mode.SC)
            goes_on = any(case.effect is Effect.STAY for case in operation.cases)
            return operation.reads in (Mode.ACQ, Mode.SC) and not goes_on
        case _:
            return True


def _events(program: Program, instr: Instr) -> list[str]:
    """The names of the classes of events that an instruction can make, by its row in the table."""
    if instr.op == Op.ALLOC and instr.x & AllocFlag.PRIVATE:
        return []
    if instr.op == Op.ANNOTATE:
        return ["FREE"]  # whether it holds is asked of the order that tells whether an object may end
    events = FACTS[instr.op].events
    if events == _BY_OPERATION:
        return _events_of(program.operations[instr.c])
    return [_class_name(event, instr) for event in events]


def _events_of(operation: Operation) -> list[str]:
    """The same for an operation on a synchronisation object, by its description."""
    if operation.is_meeting:
        return ["BARRIER"]
    writes = _MODES["W"][operation.writes]
    if operation.reads is None:
        return [f"W.{writes}.store"]
    reads = _MODES["R"][operation.reads]
    failed = _MODES["R"][Mode.RLX] if operation.fails_relaxed else reads
    return [f"R.{reads}.rmw", f"W.{writes}.rmw", f"R.{failed}.failed"]


def _class_name(event: str, instr: Instr) -> str:
    """The class of an event in a row, with the mode taken from a field of the instruction."""
    kind, _, rest = event.partition(".")
    field, dot, role = rest.partition(".")
    if field not in ("mode", "x"):
        return event
    mode = _MODES[kind][instr.mode if field == "mode" else Mode(instr.x)]
    return f"{kind}.{mode}{dot}{role}"


class _Running:
    """Finds the instructions that may run once threads exist."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.flow = ProgramFlow(program)
        self.taken = _address_taken(program)
        self.creators = self._creators()

    def instructions(self) -> Iterable[Instr]:
        """The instructions that may make events."""
        late: dict[int, set[int]] = {}  # by function: the instructions that may run when threads exist
        seen: set[tuple[int, bool]] = set()
        waiting = [(self.program.entry, False)]  # a function, and whether threads may exist when it is called
        while waiting:
            call = waiting.pop()
            if call in seen:
                continue
            seen.add(call)
            index, threads = call
            function = self.program.functions[index]
            creating = {pc for pc, instr in enumerate(function.code) if self._creates(instr)}
            running = set(range(len(function.code))) if threads else self.flow.of(index).after(creating)
            late[index] = late.get(index, set()) | running | creating
            for pc, instr in enumerate(function.code):
                concurrent = pc in running or instr.op in (Op.CREATE, Op.CALLI)
                waiting += [(callee, concurrent) for callee in self._called(instr)]
        for index, pcs in late.items():
            function = self.program.functions[index]
            flow, known = self.flow.of(index), private_registers(function)
            yield from (function.code[pc] for pc in pcs if not self._is_private(flow, pc, known))

    def _called(self, instr: Instr) -> list[int]:
        if instr.op == Op.CALL:
            return [instr.a]
        return sorted(self.taken) if instr.op in (Op.CALLI, Op.CREATE) else []

    def _creates(self, instr: Instr) -> bool:
        """Whether main's accesses may be events after an instruction: it may create a thread, or choose."""
        is_call = instr.op == Op.CALL and instr.a in self.creators
        return instr.op in (Op.CREATE, Op.CALLI, Op.CHOOSE) or is_call

    def _creators(self) -> set[int]:
        """The functions that may create a thread or choose a value; a call by address may do both."""
        self.creators = set()
        while True:
            found = {
                index
                for index, function in enumerate(self.program.functions)
                if any(self._creates(instr) for instr in function.code)
            }
            if found == self.creators:
                return found
            self.creators = found

    def _is_private(self, flow: FunctionFlow, pc: int, known: set[int]) -> bool:
        """Whether an access is to memory that no other thread can see, or that is never written."""
        instr = flow.code[pc]
        if not FACTS[instr.op].is_access:
            return False
        if not instr.a & CONST:
            return is_private(flow, pc, instr.a, known)
        address = self.program.constants[instr.a & ~CONST]
        return any(g.constant and g.address <= address < g.address + g.size for g in self.program.globals)


def _address_taken(program: Program) -> set[int]:
    """The functions whose address occurs in the program, among constants or in initial memory."""
    words = set(program.constants)
    locals_ = (local.data for local in program.thread_locals)
    for data in (*locals_, *(piece for item in program.globals for _, piece in item.data)):
        padded = bytes(7) + data + bytes(7)  # zeros at the ends of a piece are left out
        ends = (found.end() for found in _CODE_WORD_END.finditer(padded))
        words |= {int.from_bytes(padded[end - 8 : end], "little") for end in ends}
    found = {(word & 0x0FFF_FFFF) // 16 for word in words if word >> 44 == Region.CODE}
    return {index for index in found if index < len(program.functions)}
