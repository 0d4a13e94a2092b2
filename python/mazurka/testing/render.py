"""Renders a test as a C11 program with pthreads that means the same.

Registers become local variables; a place that a register selects goes through a constant table, whose
accesses are not events. A variable that is accessed in parts is an array of bytes.
"""

from __future__ import annotations

from collections.abc import Iterator

from mazurka.program import Mode
from mazurka.testing.build import variable_size
from mazurka.testing.operations import (
    FILLING,
    Assume,
    Choose,
    CompareExchange,
    Exchange,
    Fence,
    FetchAdd,
    Guard,
    Indexed,
    Load,
    Lock,
    Operation,
    Part,
    Place,
    Refute,
    Register,
    Repeat,
    Section,
    Shape,
    Store,
    Test,
    Unlock,
    Value,
    count_registers,
    flatten,
    has_parts,
    has_wide_parts,
    parts,
)

_ORDERS = {
    Mode.RLX: "memory_order_relaxed",
    Mode.ACQ: "memory_order_acquire",
    Mode.REL: "memory_order_release",
    Mode.ACQ_REL: "memory_order_acq_rel",
    Mode.SC: "memory_order_seq_cst",
}
_INDENT = "    "
_WIDE = "unsigned __int128"


def to_c(test: Test) -> str:
    """The test's C source."""
    return "\n".join([*_head(test), *_threads(test), *_main(len(test.threads)), ""])


def _head(test: Test) -> Iterator[str]:
    yield from ("#include <pthread.h>", "#include <stdatomic.h>", "#include <stddef.h>")
    if any(isinstance(o, Refute) for thread in test.threads for o in flatten(thread)):
        yield "#include <assert.h>"
    if any(isinstance(o, Assume | Choose | Section) for thread in test.threads for o in flatten(thread)):
        yield "#include <mazurka.h>"
    if has_parts(test):
        yield "#include <stdint.h>"
    yield ""
    for name, value in test.variables:
        if any(part.variable == name for part in parts(test)):
            data = ", ".join(map(str, value.to_bytes(variable_size(test, name), "little")))
            yield f"static _Alignas(16) unsigned char {name}[] = {{{data}}};"
        else:
            yield f"static atomic_int {name} = {value};"
    for mutex in test.mutexes:
        yield f"static pthread_mutex_t {mutex} = PTHREAD_MUTEX_INITIALIZER;"
    if any(isinstance(getattr(o, "place", None), Indexed) for t in test.threads for o in flatten(t)):
        names = ", ".join(f"&{name}" for name, _ in test.variables)
        yield f"static atomic_int *const places[] = {{{names}}};"
    yield ""


def _threads(test: Test) -> Iterator[str]:
    for number, operations in enumerate(test.threads):
        yield f"static void *thread{number}(void *argument)"
        yield "{"
        yield f"{_INDENT}(void)argument;"
        for register in range(count_registers(operations)):
            yield f"{_INDENT}{_register_type(test)} r{register} = 0;"
        yield from _Renderer().block(operations, 1)
        yield f"{_INDENT}return NULL;"
        yield "}"
        yield ""


def _main(threads: int) -> Iterator[str]:
    yield "int main(void)"
    yield "{"
    yield f"{_INDENT}pthread_t threads[{threads}];"
    for number in range(threads):
        yield f"{_INDENT}pthread_create(&threads[{number}], NULL, thread{number}, NULL);"
    for number in range(threads):
        yield f"{_INDENT}pthread_join(threads[{number}], NULL);"
    yield f"{_INDENT}return 0;"
    yield "}"


class _Renderer:
    """Renders one thread's statements, counting the registers that they fill."""

    def __init__(self) -> None:
        self.filled = 0
        self.loops = 0

    def block(self, operations: tuple[Operation, ...], depth: int) -> Iterator[str]:
        """The statements of a block, indented."""
        for operation in operations:
            if isinstance(operation, Guard):
                yield f"{_INDENT * depth}if (r{operation.register.number} == {_value(operation.value)}) {{"
                yield from self.block(operation.body, depth + 1)
                yield f"{_INDENT * depth}}}"
            elif isinstance(operation, Section):
                yield f"{_INDENT * depth}__VERIFIER_atomic_begin();"
                yield from self.block(operation.body, depth)
                yield f"{_INDENT * depth}__VERIFIER_atomic_end();"
            elif isinstance(operation, Repeat):
                yield from (f"{_INDENT * depth}{line}" for line in self._loop(operation))
            else:
                yield f"{_INDENT * depth}{self._statement(operation)};"

    def _loop(self, loop: Repeat) -> Iterator[str]:
        """A loop in one of its shapes; a bounded one counts with a variable of its own."""
        number = self.loops
        self.loops += 1
        stays = " || ".join(f"r{r.number} != {_value(value)}" for r, value in loop.until) or "0"
        if loop.most is not None:
            yield f"for (int i{number} = 0; i{number} < {loop.most}; i{number}++) {{"
            yield from self.block(loop.body, 1)
            yield f"{_INDENT}if (!({stays})) break;"
            yield "}"
            return
        match loop.shape:
            case Shape.DO_WHILE:
                first, last = "do {", f"}} while ({stays});"
            case Shape.WHILE:
                first, last = "while (1) {", f"{_INDENT}if (!({stays})) break; }}"
            case Shape.FOR:
                first = f"for (int stays{number} = 1; stays{number};) {{"
                last = f"{_INDENT}stays{number} = {stays}; }}"
            case Shape.GOTO:
                first, last = f"again{number}: {{", f"}} if ({stays}) goto again{number};"
        yield first
        yield from self.block(loop.body, 1)
        yield last

    def _statement(self, operation: Operation) -> str:
        if not isinstance(operation, FILLING):
            return _effect(operation)
        target = f"r{self.filled}"
        self.filled += 1
        match operation:
            case Choose(first, last):
                return f"{target} = __VERIFIER_nondet_range({first}, {last})"
            case Load(Mode.NA, place):
                return f"{target} = {_plain(place)}"
            case Load(mode, place):
                return f"{target} = atomic_load_explicit({_place(place)}, {_ORDERS[mode]})"
            case FetchAdd(mode, place, value):
                arguments = f"{_place(place)}, {_value(value)}, {_ORDERS[mode]}"
                return f"{target} = atomic_fetch_add_explicit({arguments})"
            case Exchange(mode, place, value):
                arguments = f"{_place(place)}, {_value(value)}, {_ORDERS[mode]}"
                return f"{target} = atomic_exchange_explicit({arguments})"
            case CompareExchange(mode, place, expected, new, failure):
                orders = f"{_ORDERS[mode]}, {_ORDERS[failure]}"
                if isinstance(place, Part):
                    found = f"found{self.filled}"
                    arguments = f"{_place(place)}, &{found}, {_value(new)}, {orders}"
                    return (
                        f"{_type(place)} {found} = {_value(expected)};"
                        f" atomic_compare_exchange_strong_explicit({arguments}); {target} = {found}"
                    )
                arguments = f"{_place(place)}, &{target}, {new}, {orders}"
                return f"{target} = {_value(expected)}; atomic_compare_exchange_strong_explicit({arguments})"


def _effect(operation: Operation) -> str:
    match operation:
        case Store(Mode.NA, place, value):
            return f"{_plain(place)} = {_value(value)}"
        case Store(mode, place, value):
            return f"atomic_store_explicit({_place(place)}, {_value(value)}, {_ORDERS[mode]})"
        case Fence(mode):
            return f"atomic_thread_fence({_ORDERS[mode]})"
        case Refute(register, value):
            return f"assert(r{register.number} != {_value(value)})"
        case Assume(register, value):
            return f"__VERIFIER_assume(r{register.number} == {_value(value)})"
        case Lock(mutex):
            return f"pthread_mutex_lock(&{mutex})"
        case Unlock(mutex):
            return f"pthread_mutex_unlock(&{mutex})"
    raise AssertionError(f"not a statement without a result: {operation}")


def _place(place: Place) -> str:
    if isinstance(place, Indexed):
        index = f"r{place.register.number} & {place.mask}"
        return f"places[{place.first} + ({index})]" if place.first else f"places[{index}]"
    if isinstance(place, Part):
        return f"(_Atomic {_type(place)} *)({place.variable} + {place.first})"
    return f"&{place}"


def _plain(place: Place) -> str:
    """A place without its atomicity, for non-atomic accesses."""
    if isinstance(place, Part):
        return f"*({_type(place)} *)({place.variable} + {place.first})"
    return f"*(int *){_place(place)}"


def _type(part: Part) -> str:
    return f"uint{8 * part.size}_t" if part.size <= 8 else _WIDE


def _register_type(test: Test) -> str:
    if has_wide_parts(test):
        return _WIDE
    return "uint64_t" if has_parts(test) else "int"


def _value(value: Value) -> str:
    if isinstance(value, Register):
        return f"r{value.number}"
    high, low = divmod(value, 1 << 64)  # C has no larger numbers
    return f"(({_WIDE}){high} << 64 | {low}u)" if high else str(value)
