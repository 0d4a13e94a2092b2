"""Whether a program has mutexes of other types than the default one: recursive or error-checking ones.

They come from attributes (``pthread_mutexattr_settype``), from C11 (``mtx_init``), or from glibc's static
initialisers, which are constants or stores to a member of the mutex.
"""

from __future__ import annotations

from collections.abc import Iterator

from mazurka.frontend.llvm import ir
from mazurka.program.sync_objects.mutexes import ERROR_CHECKING, MUTEX_TYPE_OFFSET, RECURSIVE

_MUTEX = "struct.__pthread_mutex_s"  # what glibc calls it
_TYPE = 4  # the number of the member
_SPECIAL = (RECURSIVE, ERROR_CHECKING)


def has_mutex_types(module: ir.Module) -> bool:
    """Whether the type of some mutex may matter."""
    constants = (item.value for item in module.globals.values() if item.value is not None)
    if any(_sets_type(part) for value in constants for part in _parts(value)):
        return True
    insts = (i for function in module.functions.values() for b in function.blocks for i in b.insts)
    return any(_may_set_type(inst) for inst in insts)


def _parts(value: ir.Value) -> Iterator[ir.Elements]:
    """All aggregates in a constant."""
    if isinstance(value, ir.Elements):
        yield value
        for _, part in value.parts:
            yield from _parts(part)


def _sets_type(value: ir.Elements) -> bool:
    """Whether a constant is a mutex with a special type: its layout tells, since unions lose names."""
    if len(value.parts) <= _TYPE + 1:
        return False
    words, (_, kind) = value.parts[: _TYPE + 1], value.parts[_TYPE]
    return (
        all(isinstance(type_, ir.IntType) and 8 * type_.size == type_.bits == 32 for type_, _ in words)
        and sum(type_.size for type_, _ in words[:_TYPE]) == MUTEX_TYPE_OFFSET
        and all(isinstance(part, ir.Number) and part.bits == 0 for _, part in words[:_TYPE])
        and isinstance(kind, ir.Number)
        and kind.bits in _SPECIAL
    )


def _may_set_type(inst: ir.Inst) -> bool:
    if inst.op == "getelementptr":
        is_mutex = isinstance(inst.source, ir.StructType) and inst.source.name == _MUTEX
        return is_mutex and inst.operands[-1][1] == ir.Number(_TYPE)
    if inst.op != "call" or not isinstance(inst.operands[0][1], ir.Symbol) or len(inst.operands) != 3:
        return False
    name, kind = inst.operands[0][1].name, inst.operands[2][1]
    if name == "pthread_mutexattr_settype":
        return not isinstance(kind, ir.Number) or kind.bits in _SPECIAL
    return name == "mtx_init" and (not isinstance(kind, ir.Number) or kind.bits & RECURSIVE != 0)
