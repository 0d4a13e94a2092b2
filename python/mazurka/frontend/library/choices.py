"""Values that the program leaves open: the functions that ask for one, and the code that chooses it.

A synchronisation function, or any other handler, that has to choose calls ``choose``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mazurka.frontend.assembly.code import Code
from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.emitter import WORD, RefusalError, Slot
from mazurka.program import OPEN, SIGNED, Op

if TYPE_CHECKING:
    from mazurka.frontend.c.dialect import Stub
    from mazurka.frontend.lowering.function import FunctionLowering

# The types of the functions __VERIFIER_nondet_*: bits, and whether values have a sign.
_INTEGERS: dict[str, tuple[int, bool]] = {
    "bool": (1, False),
    **dict.fromkeys(("_Bool", "boolean"), (1, False)),
    **dict.fromkeys(("char", "schar"), (8, True)),
    **dict.fromkeys(("uchar", "u8", "unsigned_char"), (8, False)),
    "short": (16, True),
    **dict.fromkeys(("ushort", "u16", "unsigned_short"), (16, False)),
    "int": (32, True),
    **dict.fromkeys(("uint", "unsigned", "u32", "unsigned_int"), (32, False)),
    **dict.fromkeys(("long", "longlong", "loff_t", "ptrdiff_t"), (64, True)),
    **dict.fromkeys(("ulong", "ulonglong", "size_t", "u64", "sector_t", "unsigned_long"), (64, False)),
    **dict.fromkeys(("pointer", "pchar", "charp", "const_char_pointer", "pthread_t"), (64, False)),
}
_PREFIXES = ("__VERIFIER_nondet_", "nondet_")  # the latter is what CBMC and ESBMC have


def choose(
    e: FunctionLowering,
    first: int,
    last: int,
    width: int = 64,
    *,
    signed: bool = False,
    is_open: bool = False,
    name: str = "",
) -> int:
    """The register with one of the values from ``first`` to ``last``, each of which is explored.

    Both are operands. Reports call the value by ``name``, and show it with a sign if it is ``signed``. If it
    ``is_open``, the program names no range for it, and the user may (``--nondet``).
    """
    x = SIGNED * signed | OPEN * is_open
    code = Code(Op.CHOOSE, e.new_registers(), first, last, width=width, x=x, expr=name)
    e.append(code)
    return code.dst


def choose_in_range(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """``__VERIFIER_nondet_range(first, last)``."""
    first, last = (e.operand(*operand) for operand in inst.operands[1:3])
    width = _width(inst)
    _check_not_empty(e.pools.value(first), e.pools.value(last), width)
    return [choose(e, first, last, width, signed=True, name=e.names.value_name(inst.result))]


def choose_below(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """``klee_range(first, end, name)``: a value from ``first`` to the one before ``end``."""
    first, end = (e.operand(*operand) for operand in inst.operands[1:3])
    width = _width(inst)
    known = e.pools.value(end)
    last = e.constant((known - 1) % (1 << width)) if known is not None else None
    if last is None:
        last = e.emit(Op.SUB, end, e.constant(1), width=width)
    return [choose(e, first, last, width, signed=True, name=e.names.value_name(inst.result))]


def _check_not_empty(first: int | None, last: int | None, width: int) -> None:
    """Refuses a range of known ends that has no value."""
    if first is None or last is None:
        return
    half = 1 << width - 1
    low, high = ((end + half) % (2 * half) - half for end in (first, last))
    if low > high:
        raise RefusalError(f"a choice from the empty range {low}..{high}")


def _width(inst: ir.Inst, least: int = 1) -> int:
    """The bits of a value that is chosen; the program may declare the function with another result."""
    width = ir.width(inst.type)
    if not isinstance(inst.type, (ir.IntType, ir.PointerType)) or not least <= width <= WORD:
        raise RefusalError(f"an open value of type '{inst.type}'")
    return width


def choose_any(name: str) -> tuple[int, bool] | None:
    """Bits and sign of what a function ``__VERIFIER_nondet_*`` returns; None if it is no such function."""
    prefix = next((prefix for prefix in _PREFIXES if name.startswith(prefix)), None)
    return None if prefix is None else _INTEGERS.get(name.removeprefix(prefix))


def lower_choice(e: FunctionLowering, inst: ir.Inst, name: str) -> list[Slot] | None:
    """The result of a function ``__VERIFIER_nondet_*``; None if it is no such function."""
    found = choose_any(name)
    if found is None:
        if name.startswith(_PREFIXES[0]):
            raise RefusalError(f"'{name}', whose values are not integers of at most 64 bits,")
        return None
    return [_any(e, inst, *found)]


def _any(e: FunctionLowering, inst: ir.Inst, bits: int, signed: bool) -> int:
    """Any value of so many bits."""
    low = -(1 << bits - 1) if signed else 0
    width = _width(inst, bits)
    first, last = (e.constant(value & (1 << width) - 1) for value in (low, low + (1 << bits) - 1))
    name = e.names.value_name(inst.result)
    return choose(e, first, last, width, signed=signed, is_open=True, name=name)


def lower_stub(e: FunctionLowering, inst: ir.Inst, stub: Stub) -> list[Slot]:
    """What the user says about a function that the program does not define."""
    if stub.kind == "skip" and inst.result in e.used:
        raise RefusalError(f"the result of '{stub.name}', which '--stub {stub.name}=skip' leaves open,")
    if stub.kind != "nondet":
        return [e.constant(0)] * len(ir.scalars(inst.type))
    if not isinstance(inst.type, ir.IntType) or not 1 <= ir.width(inst.type) <= 64:
        raise RefusalError(f"'{stub.name}', whose values are not integers of at most 64 bits,")
    width = ir.width(inst.type)
    if stub.low is None or stub.high is None:
        return [_any(e, inst, width, width > 1)]
    if stub.low < -(1 << width - 1) or stub.high >= 1 << width:
        raise RefusalError(f"'{stub.name}', whose values have {width} bits, fewer than '--stub' asks for,")
    first, last = (e.constant(value % (1 << width)) for value in (stub.low, stub.high))
    name = e.names.value_name(inst.result)
    return [choose(e, first, last, width, signed=stub.low < 0, name=name)]
