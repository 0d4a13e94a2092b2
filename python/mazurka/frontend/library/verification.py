"""Functions by which a program talks to its verifier, under the names that Mazurka and other tools have.

Assumptions, assertions, errors, atomic sections, bounds, annotations, and what the Linux kernel's names stand
for; open values are in ``choices``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mazurka.frontend.assembly.code import Code, CodeBlock
from mazurka.frontend.library.arguments import argument, result
from mazurka.frontend.library.choices import choose_below, choose_in_range
from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.emitter import RefusalError, Slot
from mazurka.program import Annotation, Mode, Op, RmwOp
from mazurka.program.kinds import ViolationKind

if TYPE_CHECKING:
    from mazurka.frontend.library.arguments import Handler
    from mazurka.frontend.lowering.function import FunctionLowering

_END_OF_ANNOTATION = 0xFF  # mazurka.h


# SV-COMP's programs define this function, which stops executions that are of no interest.
_ASSUMING = "assume_abort_if_not"


def fail_unless(e: FunctionLowering, condition: int, kind: ViolationKind, message: str) -> None:
    """A finding if a condition does not hold."""
    bad, good = CodeBlock(), CodeBlock()
    e.branch(condition, good, bad)
    e.start_block(bad)
    e.emit(Op.FAIL, e.pools.string(kind.value), e.pools.string(message), results=0)
    e.append(Code(Op.UNREACHABLE))
    e.start_block(good)


def fail(e: FunctionLowering, message: str) -> list[Slot]:
    """Ends the run with a failed assertion; if the user asks about a property, which is not about these,
    the thread just stops."""
    if e.module.dialect.target is not None:
        return _stop(e)
    e.emit(Op.FAIL, e.pools.string(ViolationKind.ASSERTION.value), e.pools.string(message), results=0)
    return []


def _stop(e: FunctionLowering) -> list[Slot]:
    """What comes after is of no interest."""
    e.emit(Op.ASSUME, e.constant(0), results=0)
    return []


def reach_target(e: FunctionLowering, inst: ir.Inst, name: str) -> list[Slot]:
    """A call of the function that a property is about, or of ``reach_error`` if there is no property."""
    e.module.calls_target = True
    kind, message = ViolationKind.ASSERTION.value, f"{name}() was called"
    e.emit(Op.FAIL, e.pools.string(kind), e.pools.string(message), results=0)
    return result(e, inst)


def _abort(e: FunctionLowering, _inst: ir.Inst) -> list[Slot]:
    return _stop(e) if e.function.name == _ASSUMING else fail(e, "abort() was called")


def _assert_fail(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    text = e.layout.string_at(inst.operands[1][1])
    return fail(e, f"Assertion failed: {text}" if text is not None else "Assertion failed")


def _asserts(name: str) -> Handler:
    """An assertion; some tools have what it says as a second argument."""

    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        said = e.layout.string_at(inst.operands[2][1]) if len(inst.operands) > 2 else None
        if e.module.dialect.target is not None:  # a property, which is not about it
            return _assume(e, inst)
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


def _retire(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """An object that nobody frees, though the program has given it up."""
    if e.module.dialect.leaks:
        raise RefusalError("'__VERIFIER_hp_retire' in a check for leaks")
    return result(e, inst)


# What ``lkmm.h`` calls: the kernel's barriers, RCU, SRCU, and updates that return nothing.
_FENCES = {
    **{"smp_rmb": Mode.R_R, "smp_wmb": Mode.W_W},
    **{"smp_mb_before_atomic": Mode.BEFORE_ATOMIC, "smp_mb_after_atomic": Mode.AFTER_ATOMIC},
    **{"smp_mb_after_spinlock": Mode.AFTER_SPINLOCK, "smp_mb_after_unlock_lock": Mode.AFTER_UNLOCK_LOCK},
    **{"rcu_read_lock": Mode.RCU_LOCK, "rcu_read_unlock": Mode.RCU_UNLOCK},
    **{"synchronize_rcu": Mode.RCU_SYNC},
}
# Those of SRCU, and the bits of an srcu_struct that they are about: all, or the byte of a section.
_FENCES_AT = {
    "srcu_read_lock": (Mode.SRCU_LOCK, 8),
    "srcu_read_unlock": (Mode.SRCU_UNLOCK, 8),
    "synchronize_srcu": (Mode.SRCU_SYNC, 64),
}
# What lkmm.h notices, by number.
_MISUSES = {
    0: "rcu_read_unlock without rcu_read_lock",
    1: "srcu_read_unlock of a critical section that this thread has not begun, "
    "or that belongs to another srcu_struct",
}
_UNSUPPORTED = {
    2: "more than eight open SRCU critical sections in one thread",
    3: "srcu_up_read in a different thread from srcu_down_read",
}
_SIZES = (1, 2, 4, 8)


def _fence(name: str, mode: Mode) -> Handler:
    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        e.emit(Op.FENCE, mode=mode, expr=name, results=0)
        return result(e, inst)

    return handler


def _fence_at(name: str, mode: Mode, width: int) -> Handler:
    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        e.emit(Op.FENCE_AT, argument(e, inst, 0), width=width, mode=mode, expr=name, results=0)
        return result(e, inst)

    return handler


def _rcu_misuse(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """``__VERIFIER_rcu_misuse(number)``: what comes after is of no interest."""
    type_, value = inst.operands[1]
    number = e.number(value, type_)
    if number in _MISUSES:
        e.emit(Op.FAIL, e.pools.string(ViolationKind.RCU.value), e.pools.string(_MISUSES[number]), results=0)
    elif number in _UNSUPPORTED:
        e.emit(Op.REFUSE, e.pools.string(_UNSUPPORTED[number]), results=0)
    else:
        raise RefusalError("an unknown '__VERIFIER_rcu_misuse'")
    return result(e, inst)


def _update(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """``__VERIFIER_update(object, size, operation, operand)``: nobody gets the old value."""
    size, number = (e.number(inst.operands[i][1], inst.operands[i][0]) for i in (2, 3))
    if size not in _SIZES or number not in [op.value for op in RmwOp]:
        raise RefusalError("a '__VERIFIER_update' whose size or operation is not a known constant")
    expr = e.names.access(inst.operands[1][1], 0)
    e.emit(
        Op.RMW,
        argument(e, inst, 0),
        argument(e, inst, 3),
        width=8 * size,
        x=RmwOp(number),
        mode=Mode.NORET,
        expr=expr,
    )
    return result(e, inst)


_TOOLS = ("__VERIFIER", "__ESBMC", "__CPROVER")
VERIFICATION: dict[str, Handler] = {
    "__assert_fail": _assert_fail,
    "abort": _abort,
    "__VERIFIER_error": lambda e, _: fail(e, "__VERIFIER_error() was called"),
    **{f"{tool}_assert": _asserts(f"{tool}_assert") for tool in _TOOLS},
    **{f"{tool}_assume": _assume for tool in _TOOLS},
    **dict.fromkeys(("__VERIFIER_assume_bool", "klee_assume"), _assume),
    **{f"{tool}_atomic_begin": _mark(Op.BEGIN) for tool in _TOOLS},
    **{f"{tool}_atomic_end": _mark(Op.END) for tool in _TOOLS},
    "__VERIFIER_nondet_range": choose_in_range,
    "klee_range": choose_below,
    "__VERIFIER_loop_bound": _loop_bound,
    "__VERIFIER_annotate": _annotate,
    "__VERIFIER_retire": _retire,
    **{f"__VERIFIER_{name}": _fence(name, mode) for name, mode in _FENCES.items()},
    **{f"__VERIFIER_{name}": _fence_at(name, *row) for name, row in _FENCES_AT.items()},
    "__VERIFIER_rcu_misuse": _rcu_misuse,
    "__VERIFIER_update": _update,
}
