"""What each instruction reads, writes, and does to control flow: the one table that all passes ask.

``Op`` has the names and numbers, ``docs/reference/bytecode.md`` the meaning.

I1: every Op has exactly one row.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from mazurka.program import Instr, Op, Program


class Flow(Enum):
    """Where control goes after an instruction."""

    NEXT = "next"  # to the instruction behind it
    JUMP = "jump"  # to ``a``
    BRANCH = "branch"  # to ``b`` or ``c``
    SWITCH = "switch"  # to a target of table ``c``
    RETURN = "return"  # to the caller
    NOWHERE = "nowhere"  # ends a block that nothing follows
    STOPS = "stops"  # ends the thread, though code may stand behind it


class Facts(NamedTuple):
    """A row. ``results`` counts registers from ``dst`` on; None: the field ``x`` says how many."""

    operands: int  # how many of a, b and c are operands
    takes_list: bool  # whether ``c`` is an operand list
    results: int | None
    flow: Flow
    is_pure: bool  # it only computes its results, and cannot fail
    is_access: bool  # it accesses the memory at ``a``


# operands (+ an operand list), results, flow, and whether it is pure or an access
_TABLE = """
1  1 next pure: MOV TRUNC SEXT CTPOP CTLZ CTTZ BSWAP BITREV ABS
1  1 next pure: FNEG FPTOSI FPTOUI SITOFP UITOFP FPEXT FPTRUNC FABS FSQRT FFLOOR FCEIL FTRUNC FROUND
2  1 next pure: ADD SUB MUL AND OR XOR SHL LSHR ASHR EQ NE ULT ULE SLT SLE SMAX SMIN UMAX UMIN
2  1 next pure: FADD FSUB FMUL FDIV FREM FCMP FDIGITS STEP
2  1 next: UDIV SDIV UREM SREM
2  2 next pure: SADDO UADDO SSUBO USUBO SMULO UMULO
3  1 next pure: SELECT FSHL FSHR
0  1 next pure: FRAMEADDR TLSADDR
0  1 next: LOOP SELF UNWIND
0  0 jump: JMP
1  0 branch: BR
1  0 switch: SWITCH
0+ x next: CALL
1+ x next: CALLI
0+ 0 return: RET
0  0 nowhere: UNREACHABLE
1  1 next access: LOAD TRYLOCK
2  0 next access: STORE
2  1 next access: RMW
3  2 next access: CAS
1  0 next access: LOCK UNLOCK MUTEX_INIT MUTEX_DESTROY
0  0 next: FENCE NOP
2  1 next: ALLOC CREATE
1  0 next: FREE ASSUME
1  1 next: OBJSIZE JOIN
1  0 stops: EXIT
0  0 stops: FAIL UNKNOWN REFUSE
0+ 0 next: PRINT
3  1 next: FILL COPY
"""


def _rows() -> dict[Op, Facts]:
    found: dict[Op, Facts] = {}
    for line in _TABLE.strip().splitlines():
        facts, _, names = line.partition(":")
        operands, results, flow, *kinds = facts.split()
        row = Facts(
            int(operands.rstrip("+")),
            operands.endswith("+"),
            None if results == "x" else int(results),
            Flow(flow),
            "pure" in kinds,
            "access" in kinds,
        )
        for name in names.split():
            assert Op[name] not in found, name
            found[Op[name]] = row
    return found


FACTS = _rows()
# Instructions that end a basic block.
TERMINATORS = frozenset(op for op, row in FACTS.items() if row.flow not in (Flow.NEXT, Flow.STOPS))


def results_of(instr: Instr) -> range:
    """The registers that an instruction writes."""
    count = FACTS[instr.op].results
    return range(instr.dst, instr.dst + (instr.x if count is None else count))


def successors(program: Program, pc: int, instr: Instr) -> tuple[int, ...]:
    """Where control can go from an instruction, within its function."""
    match FACTS[instr.op].flow:
        case Flow.NEXT:
            return (pc + 1,)
        case Flow.JUMP:
            return (instr.a,)
        case Flow.BRANCH:
            return instr.b, instr.c
        case Flow.SWITCH:
            table = program.switches[instr.c]
            return (*(target for _, target in table.cases), table.default)
        case Flow.RETURN | Flow.NOWHERE | Flow.STOPS:
            return ()
