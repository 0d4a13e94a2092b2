"""What the front-end's tests share."""

from __future__ import annotations

from mazurka.frontend import compile_text
from mazurka.program import Function, Instr, Op, Program

THREADS = "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n#include <string.h>\n"


def compiled(source: str) -> Program:
    """A program with the usual headers in front; the source starts at line 5."""
    return compile_text(THREADS + source)


def function(program: Program, name: str) -> Function:
    return next(f for f in program.functions if f.name == name)


def instructions(program: Program, name: str, *ops: Op) -> list[Instr]:
    """The instructions of a function that have one of the operations."""
    return [i for i in function(program, name).code if i.op in ops]


def exprs(program: Program, name: str) -> list[str]:
    """What the loads, stores and atomics of a function access, as reports would write it."""
    return [i.expr for i in instructions(program, name, Op.LOAD, Op.STORE, Op.RMW, Op.CAS)]
