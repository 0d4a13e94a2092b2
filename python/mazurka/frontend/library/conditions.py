"""Condition variables: ``pthread_cond_*`` and ``cnd_*``, as operations that ``sync_objects`` describes.

With ``--spurious-wakeups`` a thread that waits may choose to stop waiting. To keep explorations finite it
does so once: at the same call it then waits for a signal, and only after that may it choose again.

I1: between COND_SIGNAL and COND_CHOSEN a thread does nothing that could make it wait, so nobody waits for the
choice for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mazurka.frontend.assembly.code import Code, CodeBlock
from mazurka.frontend.library.arguments import argument, result
from mazurka.frontend.library.choices import choose
from mazurka.frontend.library.locks import on_mutex, operate, place_of
from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.emitter import Private, Slot
from mazurka.program import Op
from mazurka.program.sync_objects.conditions import (
    CHOOSING,
    COND_AWAIT,
    COND_BIND,
    COND_BROADCAST,
    COND_CHOSEN,
    COND_DESTROY,
    COND_ENTER,
    COND_INIT,
    COND_LEAVE,
    COND_SIGNAL,
    COND_WAKE,
    MOST_THREADS,
    MUTEX_OFFSET,
    SHARED,
    TIMED,
    WAITER,
)
from mazurka.program.sync_objects.mutexes import ETIMEDOUT, THRD_TIMEDOUT

if TYPE_CHECKING:
    from mazurka.frontend.library.arguments import Handler
    from mazurka.frontend.lowering.function import FunctionLowering

_WAITS = {name for name, shared in (SHARED | TIMED).items() if len(shared) > 1}  # with a mutex
_MANY = f"a condition variable in a program of more than {MOST_THREADS} threads"


def _waiter(e: FunctionLowering, thread: int) -> int:
    """The address of the word at which a thread is woken."""
    offset = e.emit(Op.MUL, thread, e.constant(WAITER.size))
    return e.emit(Op.ADD, e.constant(e.layout.words("waiters", WAITER.size * MOST_THREADS)), offset)


def _init(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    address, name = place_of(e, inst, 0)
    operate(e, COND_INIT, address, e.constant(0), name)
    if not e.module.has_one_waiting_mutex:
        operate(e, COND_INIT, _second_word(e, address), e.constant(0), name)
    return result(e, inst)


def _destroy(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    address, name = place_of(e, inst, 0)
    operate(e, COND_DESTROY, address, e.constant(0), name)
    return result(e, inst)


def _second_word(e: FunctionLowering, address: int) -> int:
    return e.emit(Op.ADD, address, e.constant(MUTEX_OFFSET))


def has_one_waiting_mutex(module: ir.Module) -> bool:
    """Whether all threads that wait on condition variables do so with the same mutex, a global variable."""
    insts = (i for function in module.functions.values() for b in function.blocks for i in b.insts)
    callees = ((i, i.operands[0][1]) for i in insts if i.op == "call")
    mutexes = {
        i.operands[2][1] for i, callee in callees if isinstance(callee, ir.Symbol) and callee.name in _WAITS
    }
    return len(mutexes) <= 1 and all(isinstance(mutex, ir.Symbol) for mutex in mutexes)


def _begin(e: FunctionLowering, inst: ir.Inst) -> tuple[int, str]:
    """From now on the thread waits, without the mutex; where it is woken, and the condition's name."""
    address, name = place_of(e, inst, 0)
    thread = e.emit(Op.SUB, e.emit(Op.SELF), e.constant(1))
    refuse, go_on = CodeBlock(), CodeBlock()
    e.branch(e.emit(Op.ULT, thread, e.constant(MOST_THREADS)), go_on, refuse)
    e.start_block(refuse)
    e.append(Code(Op.REFUSE, a=e.pools.string(_MANY)))
    e.start_block(go_on)
    is_other = e.constant(0)
    if not e.module.has_one_waiting_mutex:
        is_other = operate(e, COND_BIND, _second_word(e, address), argument(e, inst, 1), name)
    operate(e, COND_ENTER, address, is_other, name)
    on_mutex(e, "pthread_mutex_unlock", *place_of(e, inst, 1))
    return _waiter(e, thread), name


def _end(e: FunctionLowering, inst: ir.Inst) -> None:
    on_mutex(e, "pthread_mutex_lock", *place_of(e, inst, 1))


def _wait(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    waiter, name = _begin(e, inst)
    after = CodeBlock()
    if e.module.dialect.spurious_wakeups:
        wakes, sleeps = CodeBlock(), CodeBlock()
        flag = _spurious_flag(e)
        e.branch(_may_be_spurious(e, flag, name), wakes, sleeps)
        e.start_block(wakes)
        left = operate(e, COND_LEAVE, argument(e, inst, 0), e.constant(0), name)
        e.emit(Op.ASSUME, left, results=0)  # or it was woken: then it did not choose to stop
        e.emit(Op.STORE, _own(e, flag), e.constant(1), results=0)
        e.jump(after)
        e.start_block(sleeps)
        e.emit(Op.STORE, _own(e, flag), e.constant(0), results=0)
    operate(e, COND_AWAIT, waiter, e.constant(0), name)
    e.jump(after)
    e.start_block(after)
    _end(e, inst)
    return result(e, inst)


def _spurious_flag(e: FunctionLowering) -> int:
    """A word of the thread for a call: whether it has stopped waiting without a signal since the last one."""
    return e.layout.reserve_tls(f"spurious wake-up {len(e.layout.tls)}", 8)


def _own(e: FunctionLowering, flag: int) -> int:
    return e.materialise(Private(Op.TLSADDR, flag, 8))


def _may_be_spurious(e: FunctionLowering, flag: int, name: str) -> int:
    """Whether the thread chooses to go on without a signal."""
    most = e.emit(Op.EQ, e.emit(Op.LOAD, _own(e, flag)), e.constant(0))
    return choose(e, e.constant(0), most, name=f"spurious wake-up from {name}")


def _timed_wait(late: int) -> Handler:
    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        waiter, name = _begin(e, inst)
        is_late = e.new_registers()
        e.append(Code(Op.MOV, is_late, operate(e, COND_LEAVE, argument(e, inst, 0), e.constant(0), name)))
        given_up, woken, after = CodeBlock(), CodeBlock(), CodeBlock()
        flag = _spurious_flag(e) if e.module.dialect.spurious_wakeups else None
        e.branch(is_late, given_up, woken)
        e.start_block(given_up)
        if flag is not None:
            is_spurious = _may_be_spurious(e, flag, name)
            already = e.emit(Op.LOAD, _own(e, flag))
            e.emit(Op.STORE, _own(e, flag), e.emit(Op.OR, already, is_spurious), results=0)
            e.append(Code(Op.SUB, is_late, is_late, is_spurious))
        e.jump(after)
        e.start_block(woken)
        if flag is not None:
            e.emit(Op.STORE, _own(e, flag), e.constant(0), results=0)
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
    **dict.fromkeys(("pthread_cond_init", "cnd_init"), _init),
    **dict.fromkeys(("pthread_cond_destroy", "cnd_destroy"), _destroy),
    **dict.fromkeys(("pthread_cond_wait", "cnd_wait"), _wait),
    **dict.fromkeys(("pthread_cond_timedwait", "pthread_cond_clockwait"), _timed_wait(ETIMEDOUT)),
    "cnd_timedwait": _timed_wait(THRD_TIMEDOUT),
    **dict.fromkeys(("pthread_cond_signal", "cnd_signal"), _signal),
    **dict.fromkeys(("pthread_cond_broadcast", "cnd_broadcast"), _broadcast),
}
