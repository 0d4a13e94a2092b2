"""Condition variables: ``pthread_cond_*`` and ``cnd_*``, as operations that ``sync_objects`` describes.

I1: between COND_SIGNAL and COND_CHOSEN a thread does nothing that could make it wait, so nobody waits for the
choice for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mazurka.frontend.assembly.code import Code, CodeBlock
from mazurka.frontend.library.arguments import argument, result
from mazurka.frontend.library.locks import on_mutex, operate, place_of
from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.emitter import Slot
from mazurka.program import Op
from mazurka.program.sync import Operation
from mazurka.program.sync_objects.conditions import (
    CHOOSING,
    COND_AWAIT,
    COND_BROADCAST,
    COND_CHOSEN,
    COND_DESTROY,
    COND_ENTER,
    COND_INIT,
    COND_LEAVE,
    COND_SIGNAL,
    COND_WAKE,
    MOST_THREADS,
    WAITER,
)
from mazurka.program.sync_objects.mutexes import ETIMEDOUT, THRD_TIMEDOUT

if TYPE_CHECKING:
    from mazurka.frontend.library.arguments import Handler
    from mazurka.frontend.lowering.function import FunctionLowering

_MANY = f"a condition variable in a program of more than {MOST_THREADS} threads"


def _waiter(e: FunctionLowering, thread: int) -> int:
    """The address of the word at which a thread is woken."""
    offset = e.emit(Op.MUL, thread, e.constant(WAITER.size))
    return e.emit(Op.ADD, e.constant(e.layout.waiters(WAITER.size * MOST_THREADS)), offset)


def _simple(operation: Operation) -> Handler:
    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        address, name = place_of(e, inst, 0)
        operate(e, operation, address, e.constant(0), name)
        return result(e, inst)

    return handler


def _begin(e: FunctionLowering, inst: ir.Inst) -> tuple[int, str]:
    """From now on the thread waits, without the mutex; where it is woken, and the condition's name."""
    address, name = place_of(e, inst, 0)
    thread = e.emit(Op.SUB, e.emit(Op.SELF), e.constant(1))
    refuse, go_on = CodeBlock(), CodeBlock()
    e.branch(e.emit(Op.ULT, thread, e.constant(MOST_THREADS)), go_on, refuse)
    e.start_block(refuse)
    e.append(Code(Op.REFUSE, a=e.pools.string(_MANY)))
    e.start_block(go_on)
    operate(e, COND_ENTER, address, e.constant(0), name)
    on_mutex(e, "pthread_mutex_unlock", *place_of(e, inst, 1))
    return _waiter(e, thread), name


def _end(e: FunctionLowering, inst: ir.Inst) -> None:
    on_mutex(e, "pthread_mutex_lock", *place_of(e, inst, 1))


def _wait(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    waiter, name = _begin(e, inst)
    operate(e, COND_AWAIT, waiter, e.constant(0), name)
    _end(e, inst)
    return result(e, inst)


def _timed_wait(late: int) -> Handler:
    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        waiter, name = _begin(e, inst)
        is_late = operate(e, COND_LEAVE, argument(e, inst, 0), e.constant(0), name)
        woken, after = CodeBlock(), CodeBlock()
        e.branch(is_late, after, woken)
        e.start_block(woken)
        operate(e, COND_AWAIT, waiter, e.constant(0), name)
        e.jump(after)
        e.start_block(after)
        _end(e, inst)
        return [e.emit(Op.MUL, is_late, e.constant(late))]

    return handler


def _signal(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    address, name = place_of(e, inst, 0)
    bits = operate(e, COND_SIGNAL, address, e.constant(0), name)
    some, several, wake, after = (CodeBlock() for _ in range(4))
    chosen = e.new_registers()
    e.append(Code(Op.MOV, chosen, bits))
    e.branch(bits, some, after)
    e.start_block(some)
    e.branch(e.emit(Op.ULE, e.constant(CHOOSING), bits), several, wake)
    e.start_block(several)
    _choose(e, bits, chosen, name)
    operate(e, COND_CHOSEN, argument(e, inst, 0), chosen, name)
    e.jump(wake)
    e.start_block(wake)
    operate(e, COND_WAKE, _waiter(e, e.emit(Op.CTTZ, chosen)), e.constant(0), name)
    e.jump(after)
    e.start_block(after)
    return result(e, inst)


def _choose(e: FunctionLowering, bits: int, chosen: int, name: str) -> None:
    """Any of the threads whose bits are set: the lowest bit, after some have been removed."""
    rest, left = e.new_registers(), e.new_registers()
    e.append(Code(Op.MOV, rest, e.emit(Op.XOR, bits, e.constant(CHOOSING))))
    most = e.emit(Op.SUB, e.emit(Op.CTPOP, rest), e.constant(1))
    e.append(Code(Op.CHOOSE, left, e.constant(0), most, expr=f"waiter of {name}"))
    again, remove, done = CodeBlock(), CodeBlock(), CodeBlock()
    e.jump(again)
    e.start_block(again)
    e.branch(left, remove, done)
    e.start_block(remove)
    e.append(Code(Op.AND, rest, rest, e.emit(Op.SUB, rest, e.constant(1))))
    e.append(Code(Op.SUB, left, left, e.constant(1)))
    e.jump(again)
    e.start_block(done)
    e.append(Code(Op.AND, chosen, rest, e.emit(Op.SUB, e.constant(0), rest)))


def _broadcast(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    address, name = place_of(e, inst, 0)
    rest = e.new_registers()
    e.append(Code(Op.MOV, rest, operate(e, COND_BROADCAST, address, e.constant(0), name)))
    again, wake, after = CodeBlock(), CodeBlock(), CodeBlock()
    e.jump(again)
    e.start_block(again)
    e.branch(rest, wake, after)
    e.start_block(wake)
    operate(e, COND_WAKE, _waiter(e, e.emit(Op.CTTZ, rest)), e.constant(0), name)
    e.append(Code(Op.AND, rest, rest, e.emit(Op.SUB, rest, e.constant(1))))
    e.jump(again)
    e.start_block(after)
    return result(e, inst)


CONDITIONS: dict[str, Handler] = {
    **dict.fromkeys(("pthread_cond_init", "cnd_init"), _simple(COND_INIT)),
    **dict.fromkeys(("pthread_cond_destroy", "cnd_destroy"), _simple(COND_DESTROY)),
    **dict.fromkeys(("pthread_cond_wait", "cnd_wait"), _wait),
    **dict.fromkeys(("pthread_cond_timedwait", "pthread_cond_clockwait"), _timed_wait(ETIMEDOUT)),
    "cnd_timedwait": _timed_wait(THRD_TIMEDOUT),
    **dict.fromkeys(("pthread_cond_signal", "cnd_signal"), _signal),
    **dict.fromkeys(("pthread_cond_broadcast", "cnd_broadcast"), _broadcast),
}
