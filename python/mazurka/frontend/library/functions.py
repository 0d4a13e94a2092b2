"""The C library and pthread functions that the checked program may call.

Each handler emits the code of one call and returns the slots of its result. Attributes of threads and
mutexes are ignored; functions that return error codes never return one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mazurka.frontend.assembly.code import Code, CodeBlock
from mazurka.frontend.library.printing import printed_length, writes_memory
from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.ir import KEEP
from mazurka.frontend.lowering.copying import lower_copy, lower_fill
from mazurka.frontend.lowering.emitter import Private, RefusalError, Slot
from mazurka.program import OFFSET_MASK, AllocFlag, Annotation, Op
from mazurka.program.kinds import ViolationKind
from mazurka.program.sync import FIRST_RESULT, Call
from mazurka.program.sync_objects import FUNCTIONS

if TYPE_CHECKING:
    from mazurka.frontend.lowering.function import FunctionLowering

    Handler = Callable[[FunctionLowering, ir.Inst], list[Slot]]


_ENOMEM, _EINVAL = 12, 22
_WORD = (1 << 64) - 1


def argument(e: FunctionLowering, inst: ir.Inst, index: int) -> int:
    """The operand of a scalar argument."""
    return e.operand(*inst.operands[index + 1])


def result(e: FunctionLowering, inst: ir.Inst, value: int = 0) -> list[Slot]:
    """A constant result, if the call has one."""
    return [e.constant(value)] * len(ir.scalars(inst.type))


def store_unless_null(e: FunctionLowering, inst: ir.Inst, index: int, value: int) -> None:
    """Writes a 64-bit result through an optional pointer argument."""
    type_, pointer = inst.operands[index + 1]
    if e.number(pointer, type_) == 0:
        return
    where = e.operand(type_, pointer)
    name = e.names.access(pointer, 0)
    if e.number(pointer, type_) is None and not isinstance(e.slots(type_, pointer)[0], Private):
        write, after = CodeBlock(), CodeBlock()
        e.branch(where, write, after)
        e.start_block(write)
        e.emit(Op.STORE, where, value, expr=name, results=0)
        e.jump(after)
        e.start_block(after)
    else:
        e.emit(Op.STORE, where, value, expr=name, results=0)


def _create(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    thread = e.emit(Op.CREATE, argument(e, inst, 2), argument(e, inst, 3))
    type_, pointer = inst.operands[1]
    e.emit(Op.STORE, e.operand(type_, pointer), thread, expr=e.names.access(pointer, 0), results=0)
    return result(e, inst)


def _join(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    is_unused = e.number(inst.operands[2][1], inst.operands[2][0]) == 0
    returned = e.emit(Op.JOIN, argument(e, inst, 0), x=int(is_unused))
    store_unless_null(e, inst, 1, returned)
    return result(e, inst)


def _exit_thread(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """Ends the lifetimes of the locals of all functions that have not returned, then the thread."""
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


def _exit_program(e: FunctionLowering, _inst: ir.Inst) -> list[Slot]:
    e.emit(Op.EXIT, e.constant(0), x=1, results=0)
    return []


def _self(e: FunctionLowering, _inst: ir.Inst) -> list[Slot]:
    return [e.emit(Op.SELF)]


def _equal(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    return [e.emit(Op.EQ, argument(e, inst, 0), argument(e, inst, 1))]


def synchronise(calls: tuple[Call, ...]) -> Handler:
    """Emits what a function does to synchronisation objects, according to their description."""

    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        value = result(e, inst)
        first: int | None = None
        for call in calls:
            if call.if_used and inst.result not in e.used:
                continue
            name = e.names.place_name(inst.operands[call.argument + 1][1])
            address = argument(e, inst, call.argument)
            if call.offset:
                address = e.emit(Op.ADD, address, e.constant(call.offset))
            if call.operand == FIRST_RESULT and first is not None:
                operand = first
            else:
                operand = e.constant(0) if call.operand is None else argument(e, inst, call.operand)
            number, results = e.pools.operation(call.operation), int(call.operation.has_result)
            width = 8 * call.operation.object.size
            code = Code(
                Op.SYNC, e.new_registers(results), address, operand, number, width, x=results, expr=name
            )
            e.append(code)
            value = [code.dst] if results else value
            first = code.dst if first is None else first
        return value

    return handler


def _loop_bound(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    type_, value = inst.operands[1]
    bound = e.number(value, type_)
    if bound is None or not 1 <= bound < 1 << 31:
        raise RefusalError("a '__VERIFIER_loop_bound' that is not a positive constant")
    if not e.bound_loop(bound):
        raise RefusalError("a '__VERIFIER_loop_bound' outside of a loop")
    return []


_END_OF_ANNOTATION = 0xFF  # mazurka.h


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


def _nothing(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    return result(e, inst)


def _fail(e: FunctionLowering, message: str) -> list[Slot]:
    e.emit(Op.FAIL, e.pools.string(ViolationKind.ASSERTION.value), e.pools.string(message), results=0)
    return []


def _assert_fail(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    text = e.layout.string_at(inst.operands[1][1])
    return _fail(e, f"Assertion failed: {text}" if text is not None else "Assertion failed")


def _unless(e: FunctionLowering, condition: int, kind: ViolationKind, message: str) -> None:
    """A finding if a condition does not hold."""
    bad, good = CodeBlock(), CodeBlock()
    e.branch(condition, good, bad)
    e.start_block(bad)
    e.emit(Op.FAIL, e.pools.string(kind.value), e.pools.string(message), results=0)
    e.append(Code(Op.UNREACHABLE))
    e.start_block(good)


def _verifier_assert(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    _unless(e, argument(e, inst, 0), ViolationKind.ASSERTION, "Assertion failed: __VERIFIER_assert")
    return []


def _assume(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    e.emit(Op.ASSUME, argument(e, inst, 0), results=0)
    return []


def _mark(op: Op) -> Handler:
    """Begins or ends an atomic section."""

    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        e.emit(op, results=0)
        return result(e, inst)

    return handler


def _allocation_flags(e: FunctionLowering, inst: ir.Inst) -> int:
    if e.function.name not in e.module.defined:  # a library function that is called through a pointer
        return 0
    escapes = not inst.result or e.module.escape.escapes(e.function.name, inst.result)
    return 0 if escapes else AllocFlag.PRIVATE


def _allocate(e: FunctionLowering, inst: ir.Inst, size: int, align: int, flags: int = 0) -> list[Slot]:
    block = e.emit(Op.ALLOC, size, align, x=_allocation_flags(e, inst) | flags)
    known = e.pools.value(size)
    if known is not None and known <= OFFSET_MASK:
        e.room[block] = known
    return [block]


def _malloc(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    return _allocate(e, inst, argument(e, inst, 0), e.constant(16))


def _calloc(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """A product that overflows is too large for memory."""
    count, each = argument(e, inst, 0), argument(e, inst, 1)
    numbers = e.pools.value(count), e.pools.value(each)
    if numbers[0] is not None and numbers[1] is not None:
        size = e.constant(min(numbers[0] * numbers[1], -1 & _WORD))
    else:
        size = e.emit(Op.UMULO, count, each, results=2)
        size = e.emit(Op.SELECT, size + 1, e.constant(-1), size)
    return _allocate(e, inst, size, e.constant(16), AllocFlag.ZERO)


def _aligned_alloc(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """An alignment that is not a power of two is undefined in C."""
    align, size = argument(e, inst, 0), argument(e, inst, 1)
    single = e.emit(Op.EQ, e.emit(Op.CTPOP, align), e.constant(1))
    _unless(e, single, ViolationKind.UNDEFINED, "the alignment of an allocation is not a power of two")
    return _allocate(e, inst, size, align)


def _posix_memalign(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """Returns the error that keeps it from storing an address, if there is one."""
    align, size = argument(e, inst, 1), argument(e, inst, 2)
    refuse, attempt, fail, write, after = (CodeBlock() for _ in range(5))
    error = e.new_registers()
    single = e.emit(Op.EQ, e.emit(Op.CTPOP, align), e.constant(1))
    words = e.emit(Op.EQ, e.emit(Op.AND, align, e.constant(7)), e.constant(0))
    e.branch(e.emit(Op.AND, single, words), attempt, refuse)
    e.start_block(attempt)
    block = e.emit(Op.ALLOC, size, align)
    e.branch(block, write, fail)
    for start, code in ((refuse, _EINVAL), (fail, _ENOMEM), (write, 0)):
        e.start_block(start)
        if start is write:
            type_, pointer = inst.operands[1]
            e.emit(Op.STORE, e.operand(type_, pointer), block, expr=e.names.access(pointer, 0), results=0)
        e.append(Code(Op.MOV, error, e.constant(code)))
        e.jump(after)
    e.start_block(after)
    return [error] * len(ir.scalars(inst.type))


def _realloc(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    grain = e.names.element_size(inst.result)
    routine = e.module.routine("realloc", grain << 8 | _allocation_flags(e, inst))
    return [e.call(routine, [argument(e, inst, 0), argument(e, inst, 1)])]


def _free(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    e.emit(Op.FREE, argument(e, inst, 0), expr=e.names.pointer_name(inst.operands[1][1]), results=0)
    return []


def _routine(name: str) -> Handler:
    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        args = [argument(e, inst, i) for i in range(len(inst.operands) - 1)]
        return [e.call(e.module.routine(name, 1), args)]

    return handler


def _print(first: int) -> Handler:
    """printf and fprintf: the format is argument ``first``."""

    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        args = [argument(e, inst, i) for i in range(first, len(inst.operands) - 1)]
        source = e.layout.string_at(inst.operands[first + 1][1]) or ""
        constant = e.layout.bytes_at(inst.operands[first + 1][1])
        text = None if constant is None else constant.decode("latin-1")
        if text is not None and writes_memory(text):
            raise RefusalError("a printf with '%n'")
        e.append(Code(Op.PRINT, a=e.pools.string(source), args=args))
        if inst.result not in e.used:
            return result(e, inst)
        if text is None:
            raise RefusalError("the result of a printf whose format is not a constant")
        return [printed_length(e, text, args[1:])]

    return handler


def _put_character(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    _print_as("%c")(e, inst)
    return [e.emit(Op.AND, argument(e, inst, 0), e.constant(255))]


def _print_as(text: str) -> Handler:
    """Functions that print their first argument in a fixed format."""

    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        args = [e.constant(e.layout.text(text)), argument(e, inst, 0)]
        e.append(Code(Op.PRINT, a=e.pools.string(text), args=args))
        return result(e, inst)

    return handler


def _errno(e: FunctionLowering, _inst: ir.Inst) -> list[Slot]:
    if e.module.escape.tls_escapes("errno"):
        raise RefusalError("the address of 'errno' outside its thread")
    return [Private(Op.TLSADDR, e.layout.reserve_tls("errno", 8), 8)]


LIBRARY: dict[str, Handler] = {
    "pthread_create": _create,
    "pthread_join": _join,
    "pthread_exit": _exit_thread,
    "pthread_self": _self,
    "pthread_equal": _equal,
    **{name: synchronise(calls) for name, calls in FUNCTIONS.items()},
    **dict.fromkeys(("pthread_attr_init", "pthread_attr_destroy", "pthread_attr_setstacksize"), _nothing),
    **dict.fromkeys(
        ("pthread_attr_setdetachstate", "pthread_attr_setscope", "pthread_setconcurrency"), _nothing
    ),
    **dict.fromkeys(("pthread_mutexattr_init", "pthread_mutexattr_destroy", "pthread_detach"), _nothing),
    **dict.fromkeys(("pthread_barrierattr_init", "pthread_barrierattr_destroy"), _nothing),
    **dict.fromkeys(("sched_yield", "pthread_yield", "usleep", "sleep", "nanosleep"), _nothing),
    "__assert_fail": _assert_fail,
    "abort": lambda e, inst: _fail(e, "abort() was called"),
    "__VERIFIER_error": lambda e, inst: _fail(e, "__VERIFIER_error() was called"),
    "__VERIFIER_assert": _verifier_assert,
    "__VERIFIER_assume": _assume,
    "__VERIFIER_loop_bound": _loop_bound,
    "__VERIFIER_atomic_begin": _mark(Op.BEGIN),
    "__VERIFIER_atomic_end": _mark(Op.END),
    "__VERIFIER_annotate": _annotate,
    **dict.fromkeys(("exit", "_exit", "_Exit", "quick_exit"), _exit_program),
    "malloc": _malloc,
    "calloc": _calloc,
    **dict.fromkeys(("aligned_alloc", "memalign"), _aligned_alloc),
    "posix_memalign": _posix_memalign,
    "realloc": _realloc,
    "free": _free,
    **dict.fromkeys(("memcpy", "mazurka.memcpy"), lambda e, inst: lower_copy(e, inst, overlap=False)),
    **dict.fromkeys(("memmove", "mazurka.memmove"), lambda e, inst: lower_copy(e, inst, overlap=True)),
    **dict.fromkeys(("memset", "mazurka.memset"), lower_fill),
    **{name: _routine(name) for name in ("memcmp", "strlen", "strcmp", "strncmp", "strcpy", "strncpy")},
    **{name: _routine(name) for name in ("strchr", "strcat", "strnlen")},
    "bcmp": _routine("memcmp"),
    "printf": _print(0),
    "fprintf": _print(1),
    "puts": _print_as("%s\n"),
    "fputs": _print_as("%s"),
    "perror": _print_as("%s: error\n"),
    **dict.fromkeys(("putchar", "putc", "fputc", "putc_unlocked", "putchar_unlocked"), _put_character),
    KEEP: _nothing,
    **dict.fromkeys(("fflush", "setbuf", "setvbuf"), _nothing),
    "__errno_location": _errno,
}
VARIADIC = frozenset(("printf", "fprintf"))
