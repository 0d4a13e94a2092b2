"""What each instruction reads, writes and does to control flow: the rows of ``opcodes``, taken apart.

The front-end, the control-flow graph, the passes, and the code that finds a program's classes of events use
it. The engine has the same rows: it is built from ``opcodes``, and a test compares the two.

I1: each opcode has a row, and each row has the form that ``opcodes`` describes; otherwise loading this module
fails.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from mazurka.program import CONST, Instr, Op, Program


class Field(Enum):
    """What one of the fields ``a``, ``b`` and ``c`` names."""

    UNUSED = ""
    OPERAND = "operand"  # a register or a constant
    TARGET = "target"  # an instruction of the same function
    SWITCH = "switch"  # into Program.switches
    LIST = "list"  # into Program.lists: operands
    STRING = "string"  # into Program.strings
    FUNCTION = "function"  # into Program.functions
    LOOP = "loop"  # into Program.loops
    OPERATION = "operation"  # into Program.operations
    NUMBER = "number"  # a plain number


class Flow(Enum):
    """Where control goes after an instruction."""

    NEXT = "next"  # to the next instruction
    JUMPS = "jumps"  # to one of its targets
    RETURNS = "returns"  # to the caller
    NOWHERE = "nowhere"  # ends a block that nothing follows
    STOPS = "stops"  # ends the thread, though code may follow it


class Effect(Enum):
    """What an instruction does besides computing its results and branching."""

    NONE = "quiet"
    FAILS = "fails"  # nothing, or it is a finding
    READS = "reads"  # reads memory, which may be a finding
    ORDERS = "orders"  # orders accesses
    BLOCKS = "blocks"  # nothing, or the thread stops
    CHANGES = "changes"  # anything else


class Facts(NamedTuple):
    """A row. ``results`` counts registers from ``dst`` on; None: the field ``x`` says how many."""

    shape: str
    fields: tuple[Field, Field, Field]  # a, b, c
    results: int | None
    reads_dst: bool  # it reads its result register first
    flow: Flow
    effect: Effect
    is_pure: bool  # it only computes its results: if they are unused, it can be left out
    is_access: bool  # it accesses the memory at ``a``
    events: tuple[str, ...]

    @property
    def operands(self) -> int:
        """How many of a, b and c are operands; they come first."""
        return self.fields.count(Field.OPERAND)

    @property
    def takes_list(self) -> bool:
        """Whether ``c`` is an operand list."""
        return self.fields[2] is Field.LIST


_RESULTS = {"": 0, "dst": 1, "dst dst+1": 2, "dst dst+1 dst+2": 3, "dst...": None}
_FLOWS = {flow.value: flow for flow in Flow if flow is not Flow.NEXT}
_EFFECTS = {effect.value: effect for effect in Effect if effect is not Effect.CHANGES}


def _facts(row: str) -> Facts:
    assert row, "an opcode has no row"
    shape, properties, events = (part.strip() for part in f"{row};;".split(";")[:3])
    left, _, right = shape.rpartition("=")
    fields = _fields(right.replace("dst", ""))
    words = properties.split()
    is_pure, is_access = "pure" in words, "access" in words
    rest = [word for word in words if word not in ("pure", "access")]
    flows = [_FLOWS[word] for word in rest if word not in _EFFECTS]
    effects = [_EFFECTS[word] for word in rest if word in _EFFECTS]
    assert len(flows) + is_pure <= 1, row
    assert len(effects) + is_pure <= 1, row
    return Facts(
        shape,
        fields,
        _RESULTS[left.strip()],
        "dst" in right,
        flows[0] if flows else Flow.NEXT,
        effects[0] if effects else Effect.NONE if is_pure else Effect.CHANGES,
        is_pure,
        is_access,
        tuple(events.split()),
    )


def _fields(text: str) -> tuple[Field, Field, Field]:
    found = dict.fromkeys("abc", Field.UNUSED)
    for word in text.split():
        letter, colon, kind = word.partition(":")
        assert found[letter] is Field.UNUSED, text
        found[letter] = Field(kind) if colon else Field.OPERAND
    a, b, c = found.values()
    count = (a, b, c).count(Field.OPERAND)
    assert (a, b, c)[:count] == (Field.OPERAND,) * count, text
    return a, b, c


FACTS = {op: _facts(op.row) for op in Op}
# Instructions that end a basic block.
TERMINATORS = frozenset(op for op, row in FACTS.items() if row.flow not in (Flow.NEXT, Flow.STOPS))


def results_of(instr: Instr) -> range:
    """The registers that an instruction writes."""
    count = FACTS[instr.op].results
    return range(instr.dst, instr.dst + (instr.x if count is None else count))


def operands_of(program: Program, instr: Instr) -> tuple[int, ...]:
    """What an instruction reads: registers and constants."""
    facts = FACTS[instr.op]
    found = (instr.a, instr.b, instr.c)[: facts.operands]
    if facts.takes_list:
        found += program.lists[instr.c]
    return (*found, instr.dst) if facts.reads_dst else found


def registers_read(program: Program, instr: Instr) -> list[int]:
    """The registers that an instruction reads."""
    return [operand for operand in operands_of(program, instr) if not operand & CONST]


def compared_loops(program: Program) -> set[int]:
    """The loops whose rounds the engine compares."""
    code = (instr for function in program.functions for instr in function.code)
    return {instr.b for instr in code if instr.op is Op.ROUND and not instr.x}


def attempt_loops(program: Program) -> set[int]:
    """The loops that begin with an attempt which the engine may stop at."""
    code = (instr for function in program.functions for instr in function.code)
    return {instr.b for instr in code if instr.op is Op.ROUND and instr.x}


def successors(program: Program, pc: int, instr: Instr) -> tuple[int, ...]:
    """Where control can go from an instruction, within its function."""
    facts = FACTS[instr.op]
    if facts.flow is Flow.NEXT:
        return (pc + 1,)
    return targets(program, instr) if facts.flow is Flow.JUMPS else ()


def targets(program: Program, instr: Instr) -> tuple[int, ...]:
    """The instructions that an instruction names: cases of a switch first, then its default."""
    found: list[int] = []
    for kind, field in zip(FACTS[instr.op].fields, (instr.a, instr.b, instr.c), strict=True):
        if kind is Field.TARGET:
            found.append(field)
        elif kind is Field.SWITCH:
            table = program.switches[field]
            found += [*(target for _, target in table.cases), table.default]
    return tuple(found)
