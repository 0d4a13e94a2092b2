"""Functions that use synchronisation objects: mutexes, semaphores, read-write locks, barriers.

What each operation does is described in ``mazurka.program.sync_objects``. Here are the functions that also
access other memory, or call functions of the program.

The type of a mutex is where glibc has it, in the mutex itself and in its attributes, so static initialisers
need no care. It is only looked at in programs that have mutexes of several types (``analysis.mutextypes``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mazurka.frontend.assembly.code import Code, CodeBlock
from mazurka.frontend.library.arguments import argument, nothing, result, store_unless_null
from mazurka.frontend.library.threadlocals import ERRNO, address_of
from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.emitter import Slot
from mazurka.program import Op
from mazurka.program.sync import FIRST_RESULT, Call, Operation
from mazurka.program.sync_objects import FUNCTIONS, TYPED_FUNCTIONS
from mazurka.program.sync_objects.mutexes import MUTEX_TYPE_OFFSET, RECURSIVE
from mazurka.program.sync_objects.once import ONCE_BEGIN, ONCE_END
from mazurka.program.sync_objects.semaphores import FAILING, SEM_LOOK

if TYPE_CHECKING:
    from mazurka.frontend.library.arguments import Handler
    from mazurka.frontend.lowering.function import FunctionLowering

_INT = 32  # bits


def operate(e: FunctionLowering, operation: Operation, address: int, operand: int, name: str) -> int:
    """Emits one operation on the object at an address; the register of its result, if it has one."""
    number, results = e.pools.operation(operation), int(operation.has_result)
    width = 8 * operation.object.size
    code = Code(Op.SYNC, e.new_registers(results), address, operand, number, width, x=results, expr=name)
    e.append(code)
    return code.dst


def place_of(e: FunctionLowering, inst: ir.Inst, index: int) -> tuple[int, str]:
    """The address of the object that an argument points to, and its name."""
    return argument(e, inst, index), e.names.place_name(inst.operands[index + 1][1])


def synchronise(calls: tuple[Call, ...]) -> Handler:
    """Emits what a function does to synchronisation objects, according to their description."""

    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        value = result(e, inst)
        first: int | None = None
        for call in calls:
            if call.if_used and inst.result not in e.used:
                continue
            address, name = place_of(e, inst, call.argument)
            if call.offset:
                address = e.emit(Op.ADD, address, e.constant(call.offset))
            if call.operand == FIRST_RESULT and first is not None:
                operand = first
            else:
                operand = e.constant(0) if call.operand is None else argument(e, inst, call.operand)
            code = operate(e, call.operation, address, operand, name)
            value = [code] if call.operation.has_result else value
            first = code if first is None else first
        return value

    return handler


def mutex_type(e: FunctionLowering, address: int) -> int:
    """The type of a mutex."""
    where = e.emit(Op.ADD, address, e.constant(MUTEX_TYPE_OFFSET))
    return e.emit(Op.LOAD, where, width=_INT)


def on_mutex(e: FunctionLowering, function: str, address: int, name: str) -> int | None:
    """What a function does to a mutex; its result, if there is one."""
    is_typed = e.module.has_mutex_types and function in TYPED_FUNCTIONS
    (call,) = TYPED_FUNCTIONS[function] if is_typed else FUNCTIONS[function]
    operand = mutex_type(e, address) if is_typed else e.constant(0)
    code = operate(e, call.operation, address, operand, name)
    return code if call.operation.has_result else None


def _mutex_function(function: str) -> Handler:
    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        code = on_mutex(e, function, *place_of(e, inst, 0))
        return result(e, inst) if code is None else [code]

    return handler


def _init_mutex(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """With attributes, which may be null, or with a C11 type."""
    address = argument(e, inst, 0)
    if e.module.has_mutex_types:
        type_, value = inst.operands[2]
        kind = e.new_registers()
        if not isinstance(type_, ir.PointerType):
            e.append(Code(Op.AND, kind, argument(e, inst, 1), e.constant(RECURSIVE)))
        elif e.number(value, type_) == 0:
            e.append(Code(Op.MOV, kind, e.constant(0)))
        else:
            _take_type(e, inst, kind)
        where = e.emit(Op.ADD, address, e.constant(MUTEX_TYPE_OFFSET))
        e.emit(Op.STORE, where, kind, width=_INT, results=0)
    return synchronise(FUNCTIONS["pthread_mutex_init"])(e, inst)


def _take_type(e: FunctionLowering, inst: ir.Inst, kind: int) -> None:
    """The type in attributes; the default if there are none."""
    given, after = CodeBlock(), CodeBlock()
    attributes = argument(e, inst, 1)
    e.append(Code(Op.MOV, kind, e.constant(0)))
    e.branch(attributes, given, after)
    e.start_block(given)
    e.append(Code(Op.MOV, kind, e.emit(Op.LOAD, argument(e, inst, 1), width=_INT)))
    e.jump(after)
    e.start_block(after)


def _init_mutex_type(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    if e.module.has_mutex_types:
        e.emit(Op.STORE, argument(e, inst, 0), e.constant(0), width=_INT, results=0)
    return result(e, inst)


def _set_mutex_type(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    if e.module.has_mutex_types:
        e.emit(Op.STORE, argument(e, inst, 0), argument(e, inst, 1), width=_INT, results=0)
    return result(e, inst)


def _get_mutex_type(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    kind = e.constant(0)
    if e.module.has_mutex_types:
        kind = e.emit(Op.LOAD, argument(e, inst, 0), width=_INT)
    e.emit(Op.STORE, argument(e, inst, 1), kind, width=_INT, results=0)
    return result(e, inst)


def _set_robust(name: str) -> Handler:
    """Only the attribute's default is known; others are refused where they are set."""

    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        type_, value = inst.operands[2]
        if e.number(value, type_) != 0:
            e.emit(Op.UNKNOWN, e.pools.string(name), results=0)
        return result(e, inst)

    return handler


def _fails_with_errno(handler: Handler) -> Handler:
    """A function that returns -1 and sets errno where the operation has a result."""

    def failing(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        (error,) = handler(e, inst)
        assert isinstance(error, int)
        failed, after = CodeBlock(), CodeBlock()
        value = e.new_registers()
        e.append(Code(Op.MOV, value, e.constant(0)))
        e.branch(error, failed, after)
        e.start_block(failed)
        e.emit(Op.STORE, e.materialise(address_of(e, ERRNO)), error, width=_INT, results=0)
        e.append(Code(Op.MOV, value, e.constant((1 << _INT) - 1)))
        e.jump(after)
        e.start_block(after)
        return [value]

    return failing


def _value_of_semaphore(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    value = operate(e, SEM_LOOK, argument(e, inst, 0), e.constant(0), place_of(e, inst, 0)[1])
    store_unless_null(e, inst, 1, value, width=_INT)
    return result(e, inst)


def _once(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    address, name = place_of(e, inst, 0)
    run, after = CodeBlock(), CodeBlock()
    e.branch(operate(e, ONCE_BEGIN, address, e.constant(0), name), run, after)
    e.start_block(run)
    e.append(Code(Op.CALLI, a=argument(e, inst, 1)))
    operate(e, ONCE_END, argument(e, inst, 0), e.constant(0), name)
    e.jump(after)
    e.start_block(after)
    return result(e, inst)


_ATTRIBUTES = (
    *(f"pthread_{kind}attr_{what}" for kind in ("rwlock", "barrier", "cond") for what in ("init", "destroy")),
    *(f"pthread_{kind}attr_setpshared" for kind in ("mutex", "rwlock", "barrier", "cond")),
    *("pthread_mutexattr_destroy", "pthread_mutexattr_setprotocol", "pthread_mutexattr_setprioceiling"),
    *("pthread_rwlockattr_setkind_np", "pthread_condattr_setclock"),
)
LOCKS: dict[str, Handler] = {
    **{name: synchronise(calls) for name, calls in FUNCTIONS.items()},
    **{name: _mutex_function(name) for name in TYPED_FUNCTIONS},
    **dict.fromkeys(("pthread_mutex_init", "mtx_init"), _init_mutex),
    "pthread_mutexattr_init": _init_mutex_type,
    "pthread_mutexattr_settype": _set_mutex_type,
    "pthread_mutexattr_gettype": _get_mutex_type,
    **{name: _set_robust(name) for name in ("pthread_mutexattr_setrobust", "pthread_mutexattr_setrobust_np")},
    **{name: _fails_with_errno(synchronise(FUNCTIONS[name])) for name in FAILING},
    "sem_getvalue": _value_of_semaphore,
    **dict.fromkeys(("pthread_once", "call_once"), _once),
    **dict.fromkeys(_ATTRIBUTES, nothing),
}
