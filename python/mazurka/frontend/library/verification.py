"""Functions by which a program talks to its verifier, under the names that Mazurka and other tools have.

Assumptions, assertions, errors, atomic sections, bounds and annotations; open values are in ``choices``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mazurka.frontend.assembly.code import Code, CodeBlock
from mazurka.frontend.library.arguments import argument, result
from mazurka.frontend.library.choices import choose_below, choose_in_range
from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.emitter import RefusalError, Slot
from mazurka.program import Annotation, Op
from mazurka.program.kinds import ViolationKind

if TYPE_CHECKING:
    from mazurka.frontend.library.arguments import Handler
    from mazurka.frontend.lowering.function import FunctionLowering

_END_OF_ANNOTATION = 0xFF  # mazurka.h


def fail_unless(e: FunctionLowering, condition: int, kind: ViolationKind, message: str) -> None:
    """A finding if a condition does not hold."""
    bad, good = CodeBlock(), CodeBlock()
    e.branch(condition, good, bad)
    e.start_block(bad)
    e.emit(Op.FAIL, e.pools.string(kind.value), e.pools.string(message), results=0)
    e.append(Code(Op.UNREACHABLE))
    e.start_block(good)


def fail(e: FunctionLowering, message: str) -> list[Slot]:
    """Ends the run with a failed assertion."""
    e.emit(Op.FAIL, e.pools.string(ViolationKind.ASSERTION.value), e.pools.string(message), results=0)
    return []


def _fails(name: str) -> Handler:
    """A function that must not be called."""
    return lambda e, _: fail(e, f"{name}() was called")


def _assert_fail(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    text = e.layout.string_at(inst.operands[1][1])
    return fail(e, f"Assertion failed: {text}" if text is not None else "Assertion failed")


def _asserts(name: str) -> Handler:
    """An assertion; some tools have what it says as a second argument."""

    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        said = e.layout.string_at(inst.operands[2][1]) if len(inst.operands) > 2 else None
        fail_unless(e, argument(e, inst, 0), ViolationKind.ASSERTION, f"Assertion failed: {said or name}")
        return result(e, inst)

    return handler


def _assume(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    e.emit(Op.ASSUME, argument(e, inst, 0), results=0)
    return result(e, inst)


def _mark(op: Op) -> Handler:
    """Begins or ends an atomic section."""

    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        e.emit(op, results=0)
        return result(e, inst)

    return handler


def _loop_bound(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    type_, value = inst.operands[1]
    bound = e.number(value, type_)
    if bound is None or not 1 <= bound < 1 << 31:
        raise RefusalError("a '__VERIFIER_loop_bound' that is not a positive constant")
    if not e.bound_loop(bound):
        raise RefusalError("a '__VERIFIER_loop_bound' outside of a loop")
    return []


def _annotate(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    type_, value = inst.operands[1]
    number = e.number(value, type_)
    if number == _END_OF_ANNOTATION:
        e.end_annotation()
        return []
    if number is None or number not in [annotation.value for annotation in Annotation]:
        raise RefusalError("an unknown '__VERIFIER_annotate'")
    e.begin_annotation(Annotation(number))
    return []


_TOOLS = ("__VERIFIER", "__ESBMC", "__CPROVER")
VERIFICATION: dict[str, Handler] = {
    "__assert_fail": _assert_fail,
    **{name: _fails(name) for name in ("abort", "reach_error", "__VERIFIER_error")},
    **{f"{tool}_assert": _asserts(f"{tool}_assert") for tool in _TOOLS},
    **{f"{tool}_assume": _assume for tool in _TOOLS},
    **dict.fromkeys(("__VERIFIER_assume_bool", "klee_assume"), _assume),
    **{f"{tool}_atomic_begin": _mark(Op.BEGIN) for tool in _TOOLS},
    **{f"{tool}_atomic_end": _mark(Op.END) for tool in _TOOLS},
    "__VERIFIER_nondet_range": choose_in_range,
    "klee_range": choose_below,
    "__VERIFIER_loop_bound": _loop_bound,
    "__VERIFIER_annotate": _annotate,
}
