"""Thread-specific data (``pthread_key_create``, ``tss_create``) and what a thread does at its end.

The values of a thread are in a private array, one for each key. Which function destroys the values of a key
is in a shared array, which starts with the number of keys made so far. It is accessed with relaxed atomics: a
key reaches the threads that use it by other means. In a program with keys, each thread ends by a routine that
destroys its values, in the order of the keys, as often as POSIX asks for.

Functions that ``pthread_cleanup_push`` has announced are in a list of the thread's own, newest first. They
are called by ``pthread_exit`` (``include/pthread.h`` says how they come there).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mazurka.frontend.assembly.code import Code, CodeBlock
from mazurka.frontend.library.arguments import argument, result
from mazurka.frontend.library.routines import Assembler
from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.emitter import Private, Slot
from mazurka.program import AllocFlag, Function, Instr, Mode, Op, RmwOp

if TYPE_CHECKING:
    from mazurka.frontend.assembly.pools import Pools
    from mazurka.frontend.library.arguments import Handler
    from mazurka.frontend.lowering.function import FunctionLowering
    from mazurka.frontend.lowering.layout import Layout

MOST_KEYS = 32
MAKES_KEYS = frozenset(("pthread_key_create", "tss_create"))
END_OF_THREAD = "thread.end"
_WORD = 8  # bytes
_INT = 32  # bits
_TIMES = 4  # PTHREAD_DESTRUCTOR_ITERATIONS
_VALUES, _CLEANUP, _REGISTERED = "thread-specific values", "cleanup functions", "registered for cancellation"
_MANY = f"more than {MOST_KEYS} keys of thread-specific data"
# The parts of a record that pthread_cleanup_push makes: include/pthread.h.
_FUNCTION, _ARGUMENT, _OLDER = (e * _WORD for e in range(3))


def _values(e: FunctionLowering) -> int:
    size = _WORD * MOST_KEYS
    return e.materialise(Private(Op.TLSADDR, e.layout.reserve_tls(_VALUES, size), size))


def _own(e: FunctionLowering, name: str) -> int:
    """The address of a word of the thread."""
    return e.materialise(Private(Op.TLSADDR, e.layout.reserve_tls(name, _WORD), _WORD))


def _element(e: FunctionLowering, array: int, index: int) -> int:
    return e.emit(Op.ADD, array, e.emit(Op.MUL, index, e.constant(_WORD)))


def _keys(layout: Layout) -> int:
    """The address of the number of keys; a word for each of them follows."""
    return layout.words("keys", _WORD * (1 + MOST_KEYS))


def _destroyer(e: FunctionLowering, key: int) -> int:
    """Where the function is that destroys the values of a key."""
    return _element(e, e.constant(_keys(e.layout) + _WORD), key)


def _create(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    number = e.constant(_keys(e.layout))
    key = e.emit(Op.RMW, number, e.constant(1), x=RmwOp.ADD, mode=Mode.RLX, expr="number of keys")
    refuse, make = CodeBlock(), CodeBlock()
    e.branch(e.emit(Op.ULT, key, e.constant(MOST_KEYS)), make, refuse)
    e.start_block(refuse)
    e.append(Code(Op.REFUSE, a=e.pools.string(_MANY)))
    e.start_block(make)
    e.emit(Op.STORE, _destroyer(e, key), argument(e, inst, 1), mode=Mode.RLX, expr="destructor", results=0)
    name = e.names.access(inst.operands[1][1], 0)
    e.emit(Op.STORE, argument(e, inst, 0), key, width=_INT, expr=name, results=0)
    return result(e, inst)


def _delete(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """From now on nobody destroys the values of the key."""
    where = _destroyer(e, argument(e, inst, 0))
    e.emit(Op.STORE, where, e.constant(0), mode=Mode.RLX, expr="destructor", results=0)
    return result(e, inst)


def _get(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    return [e.emit(Op.LOAD, _element(e, _values(e), argument(e, inst, 0)))]


def _set(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    where = _element(e, _values(e), argument(e, inst, 0))
    e.emit(Op.STORE, where, argument(e, inst, 1), results=0)
    return result(e, inst)


def _push_cleanup(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    older = e.emit(Op.LOAD, _own(e, _CLEANUP))
    record = argument(e, inst, 0)
    parts = ((_FUNCTION, argument(e, inst, 1)), (_ARGUMENT, argument(e, inst, 2)), (_OLDER, older))
    for offset, value in parts:
        e.emit(Op.STORE, e.emit(Op.ADD, record, e.constant(offset)), value, results=0)
    e.emit(Op.STORE, _own(e, _CLEANUP), record, results=0)
    return []


def _pop_cleanup(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    record = argument(e, inst, 0)
    older = e.emit(Op.LOAD, e.emit(Op.ADD, record, e.constant(_OLDER)))
    e.emit(Op.STORE, _own(e, _CLEANUP), older, results=0)
    return []


def clean_up(e: FunctionLowering) -> None:
    """Calls the functions that were announced for the end of the thread, and destroys its values."""
    functions = e.module.ir.functions
    if "__mazurka_cleanup_push" in functions:
        _call_announced(e)
    if "__pthread_register_cancel" in functions:
        go_on, refuse = CodeBlock(), CodeBlock()
        e.branch(e.emit(Op.LOAD, _own(e, _REGISTERED)), refuse, go_on)
        e.start_block(refuse)
        what = "pthread_exit between pthread_cleanup_push and pthread_cleanup_pop of a preprocessed file"
        e.append(Code(Op.REFUSE, a=e.pools.string(what)))
        e.start_block(go_on)
    if e.module.has_keys:
        e.call(e.module.routine(END_OF_THREAD, 0), [], results=0)


def _call_announced(e: FunctionLowering) -> None:
    again, one, done = CodeBlock(), CodeBlock(), CodeBlock()
    e.jump(again)
    e.start_block(again)
    record = e.emit(Op.LOAD, _own(e, _CLEANUP))
    e.branch(record, one, done)
    e.start_block(one)
    function, value, older = (
        e.emit(Op.LOAD, e.emit(Op.ADD, record, e.constant(offset)))
        for offset in (_FUNCTION, _ARGUMENT, _OLDER)
    )
    e.emit(Op.STORE, _own(e, _CLEANUP), older, results=0)
    e.append(Code(Op.CALLI, a=function, args=[value]))
    e.jump(again)
    e.start_block(done)


def _register(change: int) -> Handler:
    """What glibc's own pthread_cleanup_push calls, in files that were preprocessed elsewhere."""

    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        number = e.emit(Op.ADD, e.emit(Op.LOAD, _own(e, _REGISTERED)), e.constant(change))
        e.emit(Op.STORE, _own(e, _REGISTERED), number, results=0)
        return result(e, inst)

    return handler


_END = """
         mov r5, #{times}
round:   mov r6, #0
         mov r0, #0
next:    tlsaddr r1, {values}
         add r1, r1, r0
         load r2, r1
         br r2, used, skip
used:    add r3, r0, #{destroyers}
         peek r3, r3
         br r3, destroy, skip
destroy: store r1, #0
         mov r6, #1
         calli r3, r2
skip:    add r0, r0, #{word}
         ult r4, r0, #{size}
         br r4, next, last
last:    br r6, again, done
again:   sub r5, r5, #1
         br r5, round, done
done:    ret #0
"""


def end_of_thread(pools: Pools, layout: Layout) -> Function:
    """Destroys the values of a thread, and those that this makes, a few times."""
    size = _WORD * MOST_KEYS
    values, destroyers = layout.reserve_tls(_VALUES, size), _keys(layout) + _WORD
    text = _END.format(times=_TIMES, values=values, destroyers=destroyers, word=_WORD, size=size)
    return Assembler(END_OF_THREAD, 0, pools).assemble(text)


def start_of_thread(name: str, function: int, begin: int | None, end: int | None, pools: Pools) -> Function:
    """Calls what comes first, a function, and what comes last; then ends the lifetimes of thread-locals."""
    nothing = pools.operand_list(())
    code = [] if begin is None else [Instr(Op.CALL, 2, begin, c=nothing, x=1)]
    code.append(Instr(Op.CALL, 1, function, c=pools.operand_list((0,)), x=1))
    if end is not None:
        code.append(Instr(Op.CALL, 2, end, c=nothing, x=1))
    if begin is not None:
        again = len(code)
        code += [
            Instr(Op.UNWIND, 2),
            Instr(Op.BR, a=2, b=again + 2, c=again + 4),
            Instr(Op.FREE, a=2, x=AllocFlag.STACK),
            Instr(Op.JMP, a=again),
        ]
    code.append(Instr(Op.RET, c=pools.operand_list((1,))))
    return Function(name, 1, 3, 0, (), tuple(code))


KEYS: dict[str, Handler] = {
    **dict.fromkeys(MAKES_KEYS, _create),
    **dict.fromkeys(("pthread_key_delete", "tss_delete"), _delete),
    **dict.fromkeys(("pthread_getspecific", "tss_get"), _get),
    **dict.fromkeys(("pthread_setspecific", "tss_set"), _set),
    "__mazurka_cleanup_push": _push_cleanup,
    "__mazurka_cleanup_pop": _pop_cleanup,
    **dict.fromkeys(("__pthread_register_cancel", "__pthread_register_cancel_defer"), _register(1)),
    **dict.fromkeys(("__pthread_unregister_cancel", "__pthread_unregister_cancel_restore"), _register(-1)),
}
