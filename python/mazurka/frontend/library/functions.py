"""The C library functions that the checked program may call; those about threads are in ``threads``.

Each handler emits the code of one call and returns the slots of its result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mazurka.frontend.assembly.code import Code, CodeBlock
from mazurka.frontend.library.arguments import argument, nothing, result
from mazurka.frontend.library.choices import choose
from mazurka.frontend.library.printing import printed_length, writes_memory
from mazurka.frontend.library.threadlocals import ERRNO, address_of
from mazurka.frontend.library.threads import THREADS
from mazurka.frontend.library.verification import VERIFICATION, fail_unless
from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.ir import CHECK, KEEP
from mazurka.frontend.lowering.copying import lower_copy, lower_fill
from mazurka.frontend.lowering.emitter import WORD, RefusalError, Slot
from mazurka.program import OFFSET_MASK, AllocFlag, Check, Op
from mazurka.program.kinds import ViolationKind

if TYPE_CHECKING:
    from mazurka.frontend.library.arguments import Handler
    from mazurka.frontend.lowering.function import FunctionLowering


_ENOMEM, _EINVAL = 12, 22
_WORD = (1 << 64) - 1
_INT = 32  # bits
_MOST_WIDTH_LOG = 7


def _exit_program(e: FunctionLowering, _inst: ir.Inst) -> list[Slot]:
    e.emit(Op.EXIT, e.constant(0), x=1, results=0)
    return []


def _allocation_flags(e: FunctionLowering, inst: ir.Inst) -> int:
    if e.module.dialect.leaks or e.function.name not in e.module.defined:  # the latter: a library function
        return 0  # that is called through a pointer
    escapes = not inst.result or e.module.escape.escapes(e.function.name, inst.result)
    return 0 if escapes else AllocFlag.PRIVATE


_MAY_RETURN_NULL = frozenset(
    ("malloc", "calloc", "aligned_alloc", "memalign", "posix_memalign", "realloc")
) | frozenset(("_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t"))


def _unless_it_fails(
    e: FunctionLowering, inst: ir.Inst, work: Callable[[], int], most: int | None = None
) -> int:
    """The block that ``work`` allocates or, with ``--malloc-may-fail``, a null pointer.

    ``most`` is an operand: 1 if it may fail, which is the default, or 0.
    """
    callee = inst.operands[0][1]
    name = callee.name if isinstance(callee, ir.Symbol) else ""
    if not e.module.dialect.malloc_may_fail or name not in _MAY_RETURN_NULL:
        return work()
    shown = "new" if name.startswith("_Z") else name
    most = e.constant(1) if most is None else most
    fails = choose(e, e.constant(0), most, 8, name=f"{shown} fails")
    failed, works, after = CodeBlock(), CodeBlock(), CodeBlock()
    block = e.new_registers()
    e.branch(fails, failed, works)
    e.start_block(failed)
    if name != "posix_memalign" and shown != "new":
        e.emit(Op.STORE, e.materialise(address_of(e, ERRNO)), e.constant(_ENOMEM), width=_INT, results=0)
    e.append(Code(Op.MOV, block, e.constant(0)))
    e.jump(after)
    e.start_block(works)
    e.append(Code(Op.MOV, block, work()))
    e.jump(after)
    e.start_block(after)
    return block


def allocate(e: FunctionLowering, inst: ir.Inst, size: int, align: int, flags: int = 0) -> list[Slot]:
    """Allocates some bytes; the result is null if they do not fit into memory."""
    flags |= _allocation_flags(e, inst)
    block = _unless_it_fails(e, inst, lambda: e.emit(Op.ALLOC, size, align, x=flags))
    known = e.pools.value(size)
    if known is not None and known <= OFFSET_MASK and not e.module.dialect.malloc_may_fail:
        e.room[block] = known
    return [block]


def malloc(e: FunctionLowering, inst: ir.Inst, flags: int = 0) -> list[Slot]:
    """Allocates as many bytes as the first argument says."""
    return allocate(e, inst, argument(e, inst, 0), e.constant(16), flags)


def _calloc(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """A product that overflows is too large for memory."""
    count, each = argument(e, inst, 0), argument(e, inst, 1)
    numbers = e.pools.value(count), e.pools.value(each)
    if numbers[0] is not None and numbers[1] is not None:
        size = e.constant(min(numbers[0] * numbers[1], -1 & _WORD))
    else:
        size = e.emit(Op.UMULO, count, each, results=2)
        size = e.emit(Op.SELECT, size + 1, e.constant(-1), size)
    return allocate(e, inst, size, e.constant(16), AllocFlag.ZERO)


def aligned_alloc(e: FunctionLowering, inst: ir.Inst, flags: int = 0) -> list[Slot]:
    """An alignment that is not a power of two is undefined in C."""
    align, size = argument(e, inst, 0), argument(e, inst, 1)
    single = e.emit(Op.EQ, e.emit(Op.CTPOP, align), e.constant(1))
    fail_unless(e, single, ViolationKind.UNDEFINED, "the alignment of an allocation is not a power of two")
    return allocate(e, inst, size, align, flags)


def _posix_memalign(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """Returns the error that keeps it from storing an address, if there is one."""
    align, size = argument(e, inst, 1), argument(e, inst, 2)
    refuse, attempt, fail, write, after = (CodeBlock() for _ in range(5))
    error = e.new_registers()
    single = e.emit(Op.EQ, e.emit(Op.CTPOP, align), e.constant(1))
    words = e.emit(Op.EQ, e.emit(Op.AND, align, e.constant(7)), e.constant(0))
    e.branch(e.emit(Op.AND, single, words), attempt, refuse)
    e.start_block(attempt)
    block = _unless_it_fails(e, inst, lambda: e.emit(Op.ALLOC, size, align))
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
    old, size = argument(e, inst, 0), argument(e, inst, 1)
    is_any = e.emit(Op.NE, size, e.constant(0))  # otherwise it only frees
    return [_unless_it_fails(e, inst, lambda: e.call(routine, [old, size]), is_any)]


def free(e: FunctionLowering, inst: ir.Inst, flags: int = 0) -> list[Slot]:
    """Frees what the first argument points to."""
    block = e.names.pointer_name(inst.operands[1][1])
    e.emit(Op.FREE, argument(e, inst, 0), x=flags, expr=block, results=0)
    return []


def _size(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """The size of a block, for ``libc/reuse.c``."""
    return [e.emit(Op.OBJSIZE, argument(e, inst, 0))]


def _choose_reuse(name: str) -> Handler:
    return lambda e, _: [choose(e, e.constant(0), e.constant(1), 8, name=name)]


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
    return [address_of(e, ERRNO)]


def _check_written(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """Of a local in a register, with a flag that says whether it was written (``analysis.reads``)."""
    e.emit(Op.CHECK, e.operand(*inst.operands[1]), e.constant(0), x=Check.WRITTEN, width=1, results=0)
    return []


def _checked_width(e: FunctionLowering, inst: ir.Inst) -> int:
    """The width of the numbers that a call of a sanitizer's function is about. The first argument describes
    their type, whose second member has the logarithm of the width."""
    described = inst.operands[1][1]
    for _ in range(2):
        item = e.module.ir.globals.get(described.name) if isinstance(described, ir.Symbol) else None
        if item is None or not isinstance(item.value, ir.Elements) or len(item.value.parts) < 2:
            raise RefusalError("a call of a sanitizer's function with other arguments than the compiler's")
        described = item.value.parts[1][1]
    if not isinstance(described, ir.Number) or described.bits >> 1 > _MOST_WIDTH_LOG:
        raise RefusalError("a call of a sanitizer's function with other arguments than the compiler's")
    return 1 << (described.bits >> 1)


def _check_signed_shift(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """The compiler calls it before a signed number is shifted to the left so that C has no result for it."""
    width = _checked_width(e, inst)
    if width > WORD:
        message = (
            f"left shift of a signed number of {width} bits that is negative, or whose result does not fit"
        )
        e.emit(Op.FAIL, e.pools.string(ViolationKind.UNDEFINED.value), e.pools.string(message), results=0)
        return []
    e.emit(Op.CHECK, argument(e, inst, 1), argument(e, inst, 2), x=Check.SHL, width=width, results=0)
    return []


def _check_divisor(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """The compiler calls it before a number is divided by 0 (``frontend.c.divisions``)."""
    if _checked_width(e, inst) <= WORD:
        e.emit(Op.UREM, argument(e, inst, 1), argument(e, inst, 2), width=WORD)
        return []
    kind = e.pools.string(ViolationKind.DIVISION_BY_ZERO.value)
    e.emit(Op.FAIL, kind, e.pools.string("division by zero"), results=0)
    return []


LIBRARY: dict[str, Handler] = {
    **THREADS,
    **VERIFICATION,
    **dict.fromkeys(("exit", "_exit", "_Exit"), _exit_program),
    "malloc": malloc,
    "calloc": _calloc,
    **dict.fromkeys(("aligned_alloc", "memalign"), aligned_alloc),
    "posix_memalign": _posix_memalign,
    "realloc": _realloc,
    "free": free,
    "__mazurka_size": _size,
    "__mazurka_keeps": _choose_reuse("free keeps the block"),
    "__mazurka_reuses": _choose_reuse("malloc reuses a block"),
    **dict.fromkeys(("memcpy", "mazurka.memcpy"), lambda e, inst: lower_copy(e, inst, overlap=False)),
    **dict.fromkeys(("memmove", "mazurka.memmove"), lambda e, inst: lower_copy(e, inst, overlap=True)),
    **dict.fromkeys(("memset", "mazurka.memset"), lower_fill),
    **{name: _routine(name) for name in ("memcmp", "strlen", "strcmp", "strncmp", "strcpy", "strncpy")},
    **{name: _routine(name) for name in ("strchr", "strcat", "strnlen")},
    "bcmp": _routine("memcmp"),
    "printf": _print(0),
    "fprintf": _print(1),
    "puts": _print_as("%s\n"),
    **dict.fromkeys(("fputs", "fputs_unlocked"), _print_as("%s")),
    "perror": _print_as("%s: error\n"),
    **dict.fromkeys(("putchar", "putc", "fputc"), _put_character),
    **dict.fromkeys(("putchar_unlocked", "putc_unlocked", "fputc_unlocked"), _put_character),
    KEEP: nothing,
    CHECK: _check_written,
    "__ubsan_handle_divrem_overflow_abort": _check_divisor,
    "__ubsan_handle_shift_out_of_bounds_abort": _check_signed_shift,
    **dict.fromkeys(("srand", "srandom"), nothing),
    **dict.fromkeys(("fflush", "fflush_unlocked", "setbuf", "setbuffer", "setlinebuf", "setvbuf"), nothing),
    **dict.fromkeys(("ferror", "ferror_unlocked", "feof", "feof_unlocked"), nothing),
    **dict.fromkeys(("clearerr", "clearerr_unlocked"), nothing),
    "__errno_location": _errno,
}
VARIADIC = frozenset(("printf", "fprintf"))
