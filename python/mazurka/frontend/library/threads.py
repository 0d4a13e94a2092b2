"""Functions about threads themselves: starting, joining and ending them, and what only affects scheduling.

Functions that take time or give way do nothing: all schedules are explored anyway.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mazurka.frontend.assembly.code import CodeBlock
from mazurka.frontend.library.arguments import argument, nothing, result, store_unless_null
from mazurka.frontend.library.conditions import CONDITIONS
from mazurka.frontend.library.keys import KEYS, clean_up
from mazurka.frontend.library.locks import LOCKS, operate
from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.emitter import Slot
from mazurka.program import AllocFlag, Op, Region, address
from mazurka.program.sync import Operation
from mazurka.program.sync_objects.handles import HANDLE, MOST_THREADS, THREAD_DETACH, THREAD_JOIN

if TYPE_CHECKING:
    from mazurka.frontend.library.arguments import Handler
    from mazurka.frontend.lowering.function import FunctionLowering

_INT = 32  # bits
_LAST_OF_PTHREAD = 3  # the number of the last argument of pthread_create, whose second are attributes
DETACHING = ("pthread_detach", "thrd_detach")


def _create(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """The last two arguments are the function and what it is given."""
    last = len(inst.operands) - 2
    is_wrapped = e.module.has_keys or e.module.shared_thread_locals
    start = _with_end(e, inst.operands[last]) if is_wrapped else argument(e, inst, last - 1)
    thread = e.emit(Op.CREATE, start, argument(e, inst, last))
    if last == _LAST_OF_PTHREAD and e.module.detaches_by_attributes:
        _detach_by_attributes(e, inst, thread)
    type_, pointer = inst.operands[1]
    e.emit(Op.STORE, e.operand(type_, pointer), thread, expr=e.names.access(pointer, 0), results=0)
    return result(e, inst)


def _with_end(e: FunctionLowering, start: ir.Operand) -> int:
    """A function that begins the thread, calls what it is started with, and ends the thread."""

    def wrapped(name: str) -> int:
        return e.constant(address(Region.CODE, 16 * e.module.thread_start(name)))

    if isinstance(start[1], ir.Symbol) and e.module.ir.resolve(start[1].name) in e.module.defined:
        return wrapped(e.module.ir.resolve(start[1].name))
    target = e.operand(*start)
    chosen = target
    for name, function in e.module.ir.functions.items():
        if name in e.module.defined and len(function.params) == 1:
            is_it = e.emit(Op.EQ, target, e.constant(e.layout.symbol(name)))
            chosen = e.emit(Op.SELECT, is_it, wrapped(name), chosen)
    return chosen


def _detach_by_attributes(e: FunctionLowering, inst: ir.Inst, thread: int) -> None:
    """Detaches a new thread if the attributes, which may be null, say so."""
    given, detach, after = CodeBlock(), CodeBlock(), CodeBlock()
    e.branch(argument(e, inst, 1), given, after)
    e.start_block(given)
    e.branch(e.emit(Op.LOAD, argument(e, inst, 1), width=_INT), detach, after)
    e.start_block(detach)
    _change(e, THREAD_DETACH, thread)
    e.jump(after)
    e.start_block(after)


def _change(e: FunctionLowering, operation: Operation, thread: int) -> None:
    """What becomes of a thread; a number that is no thread's is left to others."""
    number = e.emit(Op.SUB, thread, e.constant(1))
    known, after = CodeBlock(), CodeBlock()
    e.branch(e.emit(Op.ULT, number, e.constant(MOST_THREADS)), known, after)
    e.start_block(known)
    words = e.constant(e.layout.words("threads", HANDLE.size * MOST_THREADS))
    place = e.emit(Op.ADD, words, e.emit(Op.MUL, number, e.constant(HANDLE.size)))
    operate(e, operation, place, e.constant(0), "thread")
    e.jump(after)
    e.start_block(after)


def _detach(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    _change(e, THREAD_DETACH, argument(e, inst, 0))
    return result(e, inst)


def _init_attributes(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    if e.module.detaches_by_attributes:
        e.emit(Op.STORE, argument(e, inst, 0), e.constant(0), width=_INT, results=0)
    return result(e, inst)


def _set_detached(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    if e.module.detaches_by_attributes:
        e.emit(Op.STORE, argument(e, inst, 0), argument(e, inst, 1), width=_INT, results=0)
    return result(e, inst)


def detaches_by_attributes(module: ir.Module) -> bool:
    """Whether attributes may say that a thread is detached."""
    insts = (i for function in module.functions.values() for b in function.blocks for i in b.insts)
    callees = ((i, i.operands[0][1]) for i in insts if i.op == "call")
    return any(
        isinstance(callee, ir.Symbol)
        and callee.name == "pthread_attr_setdetachstate"
        and i.operands[2][1] not in (ir.Number(0), ir.Zero())
        for i, callee in callees
    )


def _join(width: int) -> Handler:
    """Stores what the thread returned, a pointer or a number of so many bits."""

    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        is_unused = e.number(inst.operands[2][1], inst.operands[2][0]) == 0
        if e.module.detaches:
            _change(e, THREAD_JOIN, argument(e, inst, 0))
        returned = e.emit(Op.JOIN, argument(e, inst, 0), x=int(is_unused))
        store_unless_null(e, inst, 1, returned, width=width)
        return result(e, inst)

    return handler


def _exit_thread(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """Calls the functions for the end, then ends the lifetimes of all locals, then the thread."""
    clean_up(e)
    if e.module.has_shared_locals:
        again, end, done = CodeBlock(), CodeBlock(), CodeBlock()
        e.jump(again)
        e.start_block(again)
        local = e.emit(Op.UNWIND)
        e.branch(local, end, done)
        e.start_block(end)
        e.emit(Op.FREE, local, x=AllocFlag.STACK, results=0)
        e.jump(again)
        e.start_block(done)
    e.emit(Op.EXIT, argument(e, inst, 0), results=0)
    return []


def _self(e: FunctionLowering, _inst: ir.Inst) -> list[Slot]:
    return [e.emit(Op.SELF)]


def _equal(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    return [e.emit(Op.EQ, argument(e, inst, 0), argument(e, inst, 1))]


def _set_cancellation(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """Nobody cancels a thread. What was set before is reported as the default."""
    store_unless_null(e, inst, 1, e.constant(0), width=_INT)
    return result(e, inst)


_SETTINGS = (
    "pthread_attr_destroy",
    *(f"pthread_attr_set{name}" for name in ("stack", "stackaddr", "stacksize", "guardsize", "scope")),
    *(f"pthread_attr_set{name}" for name in ("inheritsched", "schedparam", "schedpolicy")),
    *("pthread_attr_setaffinity_np", "pthread_attr_setsigmask_np", "pthread_setattr_default_np"),
    *("pthread_setaffinity_np", "pthread_setname_np", "pthread_setschedparam", "pthread_setschedprio"),
    *("pthread_setconcurrency", "pthread_getconcurrency", "pthread_testcancel", "pthread_atfork"),
    *(f"sched_set{name}" for name in ("affinity", "attr", "param", "scheduler")),
)
_DELAYS = (
    *("sched_yield", "pthread_yield", "thrd_yield"),
    *("sleep", "usleep", "nanosleep", "clock_nanosleep", "thrd_sleep"),
)
THREADS: dict[str, Handler] = {
    **dict.fromkeys(("pthread_create", "thrd_create"), _create),
    "pthread_join": _join(64),
    "thrd_join": _join(_INT),
    **dict.fromkeys(DETACHING, _detach),
    "pthread_attr_init": _init_attributes,
    "pthread_attr_setdetachstate": _set_detached,
    **dict.fromkeys(("pthread_exit", "thrd_exit"), _exit_thread),
    **dict.fromkeys(("pthread_self", "thrd_current"), _self),
    **dict.fromkeys(("pthread_equal", "thrd_equal"), _equal),
    **dict.fromkeys(("pthread_setcancelstate", "pthread_setcanceltype"), _set_cancellation),
    **dict.fromkeys((*_SETTINGS, *_DELAYS), nothing),
    **LOCKS,
    **CONDITIONS,
    **KEYS,
}
