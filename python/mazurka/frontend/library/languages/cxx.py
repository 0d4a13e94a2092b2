"""Functions that C++ programs call without naming them: new and delete, and what ends a run.

I1: an exception that is not caught ends the run where it is thrown, with a finding that names it. If the
program has handlers, ``include/cxx/exceptions.cpp`` decides; otherwise none is caught.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mazurka.frontend.assembly.code import CodeBlock
from mazurka.frontend.library.arguments import nothing
from mazurka.frontend.library.functions import aligned_alloc, free, malloc
from mazurka.frontend.library.verification import fail_unless
from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.mangling import readable
from mazurka.program import AllocFlag, Op
from mazurka.program.kinds import ViolationKind

if TYPE_CHECKING:
    from mazurka.frontend.library.arguments import Handler
    from mazurka.frontend.lowering.emitter import Slot
    from mazurka.frontend.lowering.function import FunctionLowering

    Marking = Callable[[FunctionLowering, ir.Inst, int], list[Slot]]

# Forms of new and delete, for objects and for arrays.
_FORMS = (("w", "l", AllocFlag.NEW), ("a", "a", AllocFlag.ARRAY))
_KINDS = ("object", "array")  # of forms, for allocation.cpp
_BUILT_IN = {"i": "int", "j": "unsigned", "l": "long", "m": "unsigned long", "b": "bool", "c": "char"}
_BUILT_IN |= {"d": "double", "f": "float", "PKc": "const char *", "Pv": "void *", "Dn": "nullptr_t"}
_DELETES = ("", "m", "RKSt9nothrow_t", "St11align_val_t", "mSt11align_val_t")


def _fail(e: FunctionLowering, message: str) -> list[Slot]:
    e.emit(Op.FAIL, e.pools.string(ViolationKind.EXCEPTION.value), e.pools.string(message), results=0)
    return []


def _throw(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """__cxa_throw: the second argument is the exception's type."""
    type_ = inst.operands[2][1]
    if not isinstance(type_, ir.Symbol):
        return _throw_again(e, e.operand(*inst.operands[2]))
    return _fail(e, _thrown(type_.name))


def _thrown(symbol: str) -> str:
    name = _BUILT_IN.get(symbol.removeprefix("_ZTI")) or readable(symbol)
    return f"an exception is thrown: {name}" if name else "an exception is thrown"


def _throw_again(e: FunctionLowering, type_: int) -> list[Slot]:
    """Throws an exception whose type is known when the program runs: it is one of those that there are."""
    for name in (name for name in e.module.ir.globals if name.startswith("_ZTI")):
        it, another = CodeBlock(), CodeBlock()
        e.branch(e.emit(Op.EQ, type_, e.constant(e.layout.symbol(name))), it, another)
        e.start_block(it)
        _fail(e, _thrown(name))
        e.jump(another)
        e.start_block(another)
    return _fail(e, "an exception is thrown")


def _throw_named(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """An exception of the library: its type and what it says, if they are constants."""
    texts = [e.layout.string_at(operand[1]) or "" for operand in inst.operands[1:3]]
    return _fail(e, "an exception is thrown: " + ": ".join(text for text in texts if text))


def _aligned_new(e: FunctionLowering, inst: ir.Inst, flags: int) -> list[Slot]:
    """Like aligned_alloc, which takes its arguments in the other order."""
    first, size, align = inst.operands
    inst.operands = [first, align, size]
    return aligned_alloc(e, inst, flags)


def _throwing(handler: Marking) -> Marking:
    """Throws where there is no room, instead of returning a null pointer."""

    def throwing(e: FunctionLowering, inst: ir.Inst, flags: int) -> list[Slot]:
        block = e.materialise(handler(e, inst, flags)[0])
        if block not in e.room:  # that is where the size is known to fit
            fail_unless(e, block, ViolationKind.EXCEPTION, "an exception is thrown: std::bad_alloc")
        return [block]

    return throwing


def _marked(handler: Marking, flag: AllocFlag) -> Handler:
    """Marks memory of new and delete. Where freed memory is used again, all comes from ``libc/reuse.c``."""
    return lambda e, inst: handler(e, inst, 0 if e.module.dialect.reuse_memory else flag)


def _ending(message: str) -> Handler:
    return lambda e, _: _fail(e, message)


CXX: dict[str, Handler] = {
    **{f"_Zn{new}m": _marked(_throwing(malloc), flag) for new, _, flag in _FORMS},
    **{f"_Zn{new}mRKSt9nothrow_t": _marked(malloc, flag) for new, _, flag in _FORMS},
    **{f"_Zn{new}mSt11align_val_t": _marked(_throwing(_aligned_new), flag) for new, _, flag in _FORMS},
    **{f"__mazurka_new_{kind}": _marked(malloc, form[2]) for kind, form in zip(_KINDS, _FORMS, strict=True)},
    "__mazurka_new": lambda e, inst: _throwing(malloc)(e, inst, 0),
    **{f"_Zd{delete}Pv{more}": _marked(free, flag) for _, delete, flag in _FORMS for more in _DELETES},
    "__cxa_allocate_exception": malloc,
    "__cxa_free_exception": free,
    **dict.fromkeys(("__cxa_throw", "__mazurka_uncaught"), _throw),
    "__cxa_rethrow": _ending("an exception is thrown again"),
    "__mazurka_throw": _throw_named,
    "_ZSt9terminatev": _ending("std::terminate() was called"),
    "_ZNSt3__122__libcpp_verbose_abortEPKcz": _ending("a check of the C++ library fails"),
    "__cxa_pure_virtual": _ending("a pure virtual function is called"),
    "__cxa_deleted_virtual": _ending("a deleted virtual function is called"),
    "__cxa_call_unexpected": _ending("std::unexpected() was called"),
    "__gxx_personality_v0": nothing,
}
