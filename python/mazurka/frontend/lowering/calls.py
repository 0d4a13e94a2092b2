"""Lowers calls: to functions of the program, through pointers, to known library functions.

I1: a call to an external function that is not known becomes UNKNOWN, an error only if it is reached.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mazurka.frontend.assembly.code import Code, CodeBlock
from mazurka.frontend.inline.lower import lower_assembly
from mazurka.frontend.library.choices import choose_any, lower_choice, lower_stub
from mazurka.frontend.library.functions import LIBRARY, VARIADIC
from mazurka.frontend.library.intrinsics import INTRINSICS, lower_intrinsic
from mazurka.frontend.library.languages.cxx import CXX
from mazurka.frontend.library.languages.rust import rust_function
from mazurka.frontend.library.libatomic import lower_atomic_call
from mazurka.frontend.library.variadic import variable_arguments
from mazurka.frontend.library.verification import reach_target
from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.mangling import readable
from mazurka.frontend.lowering.emitter import RefusalError, Slot, check_type
from mazurka.program import Op

if TYPE_CHECKING:
    from collections.abc import Callable

    from mazurka.frontend.lowering.function import FunctionLowering

_CPP_LIBRARY = ("_ZNSt", "_ZNKSt", "_ZSt")  # how symbols of the namespace std begin
_JUMPS = frozenset(("setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "longjmp", "_longjmp", "siglongjmp"))


def lower_call(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """The result's slots."""
    callee = inst.operands[0][1]
    if isinstance(callee, ir.Assembly):
        return lower_assembly(e, inst, callee)
    if isinstance(callee, ir.Symbol):
        return _named_call(e, inst, e.module.ir.resolve(callee.name))
    target = e.operand(*inst.operands[0])
    if "varargs" in inst.words:
        return _variadic_call(e, inst, target)
    return _finish(e, inst, Code(Op.CALLI, a=target, args=_arguments(e, inst)))


def _variadic_call(e: FunctionLowering, inst: ir.Inst, target: int) -> list[Slot]:
    """A call through a pointer with variable arguments: each function that takes them is a case."""
    check_type(inst.type)
    count = len(ir.scalars(inst.type))
    result = e.new_registers(count) if count else 0
    after = CodeBlock()
    ours = (name for name in e.module.defined if e.module.ir.functions[name].varargs)
    known = VARIADIC & e.module.ir.functions.keys() - e.module.defined
    for name in (*sorted(known), *sorted(ours)):
        chosen, other = CodeBlock(), CodeBlock()
        e.branch(e.emit(Op.EQ, target, e.constant(e.layout.symbol(name))), chosen, other)
        e.start_block(chosen)
        slots = e.or_refusal(inst, _call_of(e, name))
        _give(e, [e.constant(0)] * count if slots is None else slots, result, after)
        e.start_block(other)
    _give(e, _finish(e, inst, Code(Op.CALLI, a=target, args=_arguments(e, inst))), result, after)
    e.start_block(after)
    return list(range(result, result + count))


def _call_of(e: FunctionLowering, name: str) -> Callable[[ir.Inst], list[Slot]]:
    lower = _defined_call if name in e.module.defined else _external_call
    return lambda inst: lower(e, inst, name)


def _give(e: FunctionLowering, slots: list[Slot], result: int, after: CodeBlock) -> None:
    for i, slot in enumerate(slots):
        e.append(Code(Op.MOV, result + i, e.materialise(slot)))
    e.jump(after)


def known_function(name: str) -> bool:
    """Whether a call of an external function can be lowered."""
    return (
        name in LIBRARY
        or name in CXX
        or rust_function(name) is not None
        or name in INTRINSICS
        or name.startswith(("__atomic_", "__sync_"))
        or choose_any(name) is not None
    )


def _named_call(e: FunctionLowering, inst: ir.Inst, name: str) -> list[Slot]:
    if name in e.module.null:
        return _finish(e, inst, Code(Op.CALLI, a=e.constant(0), args=_arguments(e, inst)))
    if name == "__sigsetjmp" and "__pthread_register_cancel" in e.module.ir.functions:
        return [e.constant(0)]  # glibc's pthread_cleanup_push: nobody cancels the thread
    if name in _JUMPS:
        raise e.unsupported(f"'{name.lstrip('_')}'", "restructure the program without non-local jumps")
    if name in e.module.defined:
        return _defined_call(e, inst, name)
    if name == e.module.target:
        return reach_target(e, inst, name)
    if name in e.module.stubs:
        return lower_stub(e, inst, e.module.stubs[name])
    return _external_call(e, inst, name)


def _external_call(e: FunctionLowering, inst: ir.Inst, name: str) -> list[Slot]:
    """A call of a function that the program does not define."""
    if "passed on" in inst.words:
        raise RefusalError(f"a call of '{name}' with the variable arguments of its caller")
    try:
        slots = _library_call(e, inst, name)
    except IndexError:  # an old-style declaration let the program pass too few arguments
        raise RefusalError(f"a call of '{name}' with too few arguments") from None
    except ValueError:  # or a declaration of the program's own says something else
        raise RefusalError(f"a call of '{name}' with the wrong number of arguments") from None
    if slots is None:
        if name.startswith(_CPP_LIBRARY) and readable(name):
            where = " in LLVM IR" if e.module.file.endswith((".ll", ".bc")) else ""
            raise RefusalError(f"'{readable(name)}'{where}")
        e.emit(Op.UNKNOWN, e.pools.string(name), results=0)
        return [e.constant(0)] * len(ir.scalars(inst.type))
    missing = len(ir.scalars(inst.type)) - len(slots)
    if missing and inst.result in e.used:
        raise RefusalError(f"the result of '{name}' as a value of type '{inst.type}'")
    return [*slots, *[e.constant(0)] * missing]


def _library_call(e: FunctionLowering, inst: ir.Inst, name: str) -> list[Slot] | None:
    """The result of a function that is not defined; nothing if it is not known."""
    handler = LIBRARY.get(name) or CXX.get(name) or rust_function(name)
    if handler is not None:
        return handler(e, inst)
    if name.startswith(("__atomic_", "__sync_")):
        return lower_atomic_call(e, inst, name)
    chosen = lower_choice(e, inst, name)
    if chosen is None and (name.startswith("llvm.") or name in INTRINSICS):
        return lower_intrinsic(e, inst, name)
    return chosen


def _defined_call(e: FunctionLowering, inst: ir.Inst, name: str) -> list[Slot]:
    """A call of a function of the program, which may have been declared otherwise or not at all."""
    function = e.module.ir.functions[name]
    args = _arguments(e, inst)
    wanted = sum(len(ir.scalars(p.type)) for p in function.params)
    args = (args + [e.constant(0)] * wanted)[:wanted]
    if function.varargs:
        args.append(variable_arguments(e, inst, len(function.params)))
    return _finish(e, inst, Code(Op.CALL, a=e.module.function_index(name), args=args))


def _arguments(e: FunctionLowering, inst: ir.Inst) -> list[int]:
    args: list[int] = []
    for type_, value in inst.operands[1:]:
        check_type(type_)
        args += e.operands(type_, value)
    return args


def _finish(e: FunctionLowering, inst: ir.Inst, code: Code) -> list[Slot]:
    check_type(inst.type)
    code.x = len(ir.scalars(inst.type))
    code.dst = e.new_registers(code.x) if code.x else 0
    e.append(code)
    return list(range(code.dst, code.dst + code.x))
