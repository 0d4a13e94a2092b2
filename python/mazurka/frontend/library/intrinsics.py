"""LLVM intrinsics: what clang emits for builtins of C.

An intrinsic is recognised by its whole name: the words after ``llvm.``, and the kinds of the types that
follow them (``i32``, ``f64``, ``p0``). Everything else is refused by name, where it is reached.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from mazurka.frontend.library import variadic
from mazurka.frontend.library.floatclasses import classify
from mazurka.frontend.library.floats import FLOATS, FUNCTIONS
from mazurka.frontend.library.threadlocals import address_of
from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.copying import lower_copy, lower_fill
from mazurka.frontend.lowering.emitter import RefusalError, Slot, check_type
from mazurka.frontend.lowering.vectors import count_of, one_element
from mazurka.program import Check, Mode, Op
from mazurka.program.kinds import ViolationKind

if TYPE_CHECKING:
    from mazurka.frontend.lowering.function import FunctionLowering

    Handler = Callable[[FunctionLowering, ir.Inst], list[Slot]]

_TYPES = re.compile(r"(?:\.(?:v\d+)?(?:i\d+|f\d+|bf16|p\d+))+$")
_KIND = re.compile(r"\.(?:(v)\d+)?([a-z])")
_VECTOR = re.compile(r"\.v\d+")
_INTEGERS = {
    "ctpop": Op.CTPOP, "ctlz": Op.CTLZ, "cttz": Op.CTTZ, "bswap": Op.BSWAP, "bitreverse": Op.BITREV,
    "smax": Op.SMAX, "smin": Op.SMIN, "umax": Op.UMAX, "umin": Op.UMIN,
    "fshl": Op.FSHL, "fshr": Op.FSHR,
}  # fmt: skip
_FLOATS = {
    "fabs": Op.FABS, "sqrt": Op.FSQRT, "floor": Op.FFLOOR, "ceil": Op.FCEIL, "trunc": Op.FTRUNC,
    "round": Op.FROUND,
}  # fmt: skip
_OPERANDS = {Op.SMAX: 2, Op.SMIN: 2, Op.UMAX: 2, Op.UMIN: 2, Op.FSHL: 3, Op.FSHR: 3}
_OVERFLOW = {
    "sadd": Op.SADDO, "uadd": Op.UADDO, "ssub": Op.SSUBO, "usub": Op.USUBO, "smul": Op.SMULO,
    "umul": Op.UMULO,
}  # fmt: skip
# libm functions that are one instruction of the bytecode; clang calls them when errno might matter
INTRINSICS = {
    name + suffix: f"llvm.{name}.f{bits}" for name in _FLOATS for suffix, bits in (("", 64), ("f", 32))
} | {"abs": "llvm.abs.i32", **dict.fromkeys(("labs", "llabs", "imaxabs"), "llvm.abs.i64"), **FUNCTIONS}

_C_TYPES = {"f64": "double", "f32": "float", "i32": "i32", "i64": "i64"}


def _c_types(intrinsic: str, count: int) -> list[str]:
    """The types of a library function's result and operands, as the name of its intrinsic has them."""
    first, *others = (_C_TYPES[suffix] for suffix in intrinsic.split(".")[2:])
    return [first, *(others or [first]) * (count - 1)]


def lower_intrinsic(e: FunctionLowering, inst: ir.Inst, name: str) -> list[Slot]:
    """The slots of an intrinsic's result."""
    full = INTRINSICS.get(name, name)
    base = _TYPES.sub("", full)
    kinds = _KIND.findall(full[len(base) :])
    if any(vector for vector, _ in kinds):
        return _by_elements(e, inst, _VECTOR.sub(".", full))
    handler = _KNOWN.get((base.removeprefix("llvm."), "".join(kind for _, kind in kinds)))
    if handler is None:
        raise RefusalError("a coroutine" if ".coro." in name else f"the intrinsic '{name}'")
    types = [inst.type, *(type_ for type_, _ in inst.operands[1:])]
    for type_ in types:
        check_type(type_)
    if name in INTRINSICS and [repr(type_) for type_ in types] != _c_types(full, len(types)):
        raise RefusalError(f"a call of '{name}' with types other than those of the C library")
    return handler(e, inst)


def _by_elements(e: FunctionLowering, inst: ir.Inst, name: str) -> list[Slot]:
    """An intrinsic on vectors whose result is a vector, too."""
    if not isinstance(inst.type, ir.ArrayType):
        raise RefusalError(f"the intrinsic '{name}' on vectors")
    parts = (lower_intrinsic(e, one_element(e, inst, number), name) for number in range(count_of(inst)))
    return [slot for part in parts for slot in part]


def _operands(e: FunctionLowering, inst: ir.Inst, count: int) -> list[int]:
    return [e.operand(*inst.operands[number]) for number in range(1, count + 1)]


def _operation(op: Op) -> Handler:
    """An intrinsic that is one instruction."""

    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        return [e.emit(op, *_operands(e, inst, _OPERANDS.get(op, 1)), width=ir.width(inst.type))]

    return handler


def _absolute(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """C leaves open what it is for the least number, as the second operand says if there is one."""
    (value,), width = _operands(e, inst, 1), ir.width(inst.type)
    if e.undefined and (len(inst.operands) == 2 or e.number(inst.operands[2][1], inst.operands[2][0])):
        e.emit(Op.CHECK, e.constant(0), value, x=Check.SUB, width=width, results=0)
    return [e.emit(Op.ABS, value, width=width)]


def _overflow(op: Op) -> Handler:
    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        value = e.emit(op, *_operands(e, inst, 2), width=ir.width(inst.operands[1][0]), results=2)
        e.known_bits[value + 1] = 1
        return [value, value + 1]

    return handler


def _multiply_add(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    a, b, c = _operands(e, inst, 3)
    width = ir.width(inst.type)
    return [e.emit(Op.FADD, e.emit(Op.FMUL, a, b, width=width), c, width=width)]


def _float_class(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    type_, value = inst.operands[1]
    classes = e.number(inst.operands[2][1], inst.operands[2][0])
    assert classes is not None  # LLVM allows constants only
    return [classify(e, e.operand(type_, value), ir.width(type_), classes)]


def _nothing(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """A hint for the optimiser; the result, if any, is a handle for related intrinsics."""
    return [e.constant(0)] * len(ir.scalars(inst.type))


def _threadlocal(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    symbol = inst.operands[1][1]
    if not isinstance(symbol, ir.Symbol):
        raise RefusalError("the address of this thread-local variable")
    return [address_of(e, e.module.ir.resolve(symbol.name))]


def _object_size(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """Unknown: -1, or 0 when the caller asks for the least."""
    least = e.number(inst.operands[2][1], inst.operands[2][0]) == 1
    return [e.constant(0 if least else -1)]


def _constant(value: int) -> Handler:
    return lambda e, inst: [e.constant(value)]


def _fence(mode: Mode, name: str) -> Handler:
    """A builtin that is a fence of the machine (``inline.barriers`` has the others)."""

    def handler(e: FunctionLowering, _inst: ir.Inst) -> list[Slot]:
        e.module.relies_on(name, e.place)
        e.emit(Op.FENCE, mode=mode, results=0)
        return []

    return handler


def _trap(e: FunctionLowering, _inst: ir.Inst) -> list[Slot]:
    e.emit(
        Op.FAIL,
        e.pools.string(ViolationKind.ASSERTION.value),
        e.pools.string("__builtin_trap() was reached"),
        results=0,
    )
    return []


_KNOWN: dict[tuple[str, str], Handler] = {  # by name and the kinds of its types
    **{(name, "i"): _operation(op) for name, op in _INTEGERS.items()},
    ("abs", "i"): _absolute,
    **{(name, "f"): _operation(op) for name, op in _FLOATS.items()},
    **{(f"{name}.with.overflow", "i"): _overflow(op) for name, op in _OVERFLOW.items()},
    **dict.fromkeys((("memcpy", "ppi"), ("memcpy.inline", "ppi")), lambda e, i: lower_copy(e, i, False)),
    ("memmove", "ppi"): lambda e, inst: lower_copy(e, inst, overlap=True),
    **dict.fromkeys((("memset", "pi"), ("memset.inline", "pi")), lower_fill),
    ("fmuladd", "f"): _multiply_add,
    **FLOATS,
    ("is.fpclass", "f"): _float_class,
    **{("is.constant", kind): _constant(0) for kind in "ifp"},
    ("objectsize", "ip"): _object_size,
    ("threadlocal.address", "p"): _threadlocal,
    **dict.fromkeys((("trap", ""), ("debugtrap", ""), ("ubsantrap", "")), _trap),
    **{(name, ""): _nothing for name in ("assume", "donothing", "sideeffect", "fake.use")},
    **{(f"lifetime.{end}", "p"): _nothing for end in ("start", "end")},
    **{(f"invariant.{end}", "p"): _nothing for end in ("start", "end")},
    **{(f"dbg.{what}", ""): _nothing for what in ("declare", "value", "assign", "label")},
    ("va_start", "p"): variadic.start,
    ("va_copy", "p"): variadic.copy,
    ("va_end", "p"): _nothing,
    ("stacksave", "p"): lambda e, inst: e.dynamic.enter(inst),
    ("stackrestore", "p"): lambda e, inst: e.dynamic.leave(inst),
    ("experimental.noalias.scope.decl", ""): _nothing,
    ("prefetch", "p"): _nothing,
    ("ptrmask", "pi"): lambda e, inst: [e.emit(Op.AND, *_operands(e, inst, 2))],
    ("x86.sse2.pause", ""): _nothing,
    ("x86.sse2.mfence", ""): _fence(Mode.SC, "mfence"),
    ("x86.sse2.lfence", ""): _fence(Mode.ACQ, "lfence"),
    ("x86.sse.sfence", ""): _fence(Mode.REL, "sfence"),
    ("var.annotation", "pp"): _nothing,
}
