"""Functions that C++ programs call without naming them: new and delete, and what ends a run.

I1: exceptions are never caught: the one who throws ends the run, with a finding that names the exception.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mazurka.frontend.library.arguments import nothing
from mazurka.frontend.library.functions import LIBRARY
from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.mangling import readable
from mazurka.program import Op
from mazurka.program.kinds import ViolationKind

if TYPE_CHECKING:
    from mazurka.frontend.library.arguments import Handler
    from mazurka.frontend.lowering.emitter import Slot
    from mazurka.frontend.lowering.function import FunctionLowering

_NEW = ("_Znwm", "_Znam", "_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t")
_ALIGNED_NEW = ("_ZnwmSt11align_val_t", "_ZnamSt11align_val_t")
_DELETE = tuple(
    f"_Zd{form}Pv{more}"
    for form in "la"
    for more in ("", "m", "RKSt9nothrow_t", "St11align_val_t", "mSt11align_val_t")
)


def _fail(e: FunctionLowering, message: str) -> list[Slot]:
    e.emit(Op.FAIL, e.pools.string(ViolationKind.EXCEPTION.value), e.pools.string(message), results=0)
    return []


def _throw(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """__cxa_throw: the second argument is the exception's type."""
    type_ = inst.operands[2][1]
    name = readable(type_.name) if isinstance(type_, ir.Symbol) else ""
    return _fail(e, f"an exception is thrown: {name}" if name else "an exception is thrown")


def _throw_named(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """An exception of the library: its type and what it says, if they are constants."""
    texts = [e.layout.string_at(operand[1]) or "" for operand in inst.operands[1:3]]
    return _fail(e, "an exception is thrown: " + ": ".join(text for text in texts if text))


def _aligned_new(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """Like aligned_alloc, which takes its arguments in the other order."""
    first, size, align = inst.operands
    inst.operands = [first, align, size]
    return LIBRARY["aligned_alloc"](e, inst)


def _ending(message: str) -> Handler:
    return lambda e, _: _fail(e, message)


CXX: dict[str, Handler] = {
    **dict.fromkeys(_NEW, LIBRARY["malloc"]),
    **dict.fromkeys(_ALIGNED_NEW, _aligned_new),
    **dict.fromkeys(_DELETE, LIBRARY["free"]),
    "__cxa_allocate_exception": LIBRARY["malloc"],
    "__cxa_free_exception": LIBRARY["free"],
    "__cxa_throw": _throw,
    "__cxa_rethrow": _ending("an exception is thrown again"),
    "__mazurka_throw": _throw_named,
    "_ZSt9terminatev": _ending("std::terminate() was called"),
    "_ZNSt3__122__libcpp_verbose_abortEPKcz": _ending("a check of the C++ library fails"),
    "__cxa_pure_virtual": _ending("a pure virtual function is called"),
    "__cxa_deleted_virtual": _ending("a deleted virtual function is called"),
    **dict.fromkeys(("__cxa_guard_abort", "__gxx_personality_v0"), nothing),
}
