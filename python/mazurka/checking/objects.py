"""The objects in an execution's memory, and the position of an address that is outside all of them.

The engine gives the address of an invalid access or free; here it becomes
"just past the end of a (12 bytes)".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mazurka.checking.execution import Event, Graph, instruction, position
from mazurka.checking.outcome import InitialObject
from mazurka.program import CONST, REGION_SHIFT, AllocFlag, Global, Op, Program, Region
from mazurka.program.instructions import FACTS

LITERAL = ".str"  # how clang names string literals
NEAR = 256  # bytes: an address further away from an object is unrelated to it


@dataclass(frozen=True, slots=True)
class Allocation:
    """Memory that was allocated: where, by whom, and by which instruction."""

    address: int
    size: int
    who: str
    function: int
    pc: int

    @property
    def end(self) -> int:
        return self.address + self.size

    def holds(self, address: int) -> bool:
        return self.address <= address < self.address + max(self.size, 1)

    def describe(self, program: Program) -> str:
        """``16 bytes that T1 allocated at line 5``, ``local variable x of main at line 7``."""
        instr = instruction(program, self.function, self.pc)
        where = position(program, self.function, self.pc)
        line = f" at line {where.line}" if where else ""
        if instr.x & AllocFlag.STACK:
            kind = "thread-local" if instr.x & AllocFlag.ZERO else "local"
            return " ".join(f"{kind} variable {instr.expr} of {self.who}{line}".split())
        return f"{count(self.size)} that {self.who} allocated{line}"


def thread_name(thread: int) -> str:
    """What people call a thread."""
    return f"T{thread}" if thread else "main"


def count(size: int) -> str:
    """``1 byte``, ``4 bytes``."""
    return "1 byte" if size == 1 else f"{size} bytes"


def byte_range(access: Event, start: int, end: int) -> str:
    """The bytes from one address up to another as bytes of an access: ``0``, ``4-7``."""
    first, last = start - access.address, end - access.address - 1
    return str(first) if first == last else f"{first}-{last}"


def allocations(initial: Iterable[InitialObject], graph: Graph | None) -> list[Allocation]:
    """What main allocated before the threads, and what the events of a graph allocate."""
    found = [Allocation(o.address, o.size, "main", o.function, o.pc) for o in initial]
    for t, thread in enumerate(graph.threads if graph is not None else ()):
        found += [
            Allocation(e.address, e.size, thread_name(t), e.function, e.pc)
            for e in thread.events
            if e.kind == "ALLOC"
        ]
    return found


def part_of(program: Program, address: int, objects: Iterable[Allocation]) -> str:
    """What to call memory that an access has no name for: ``part of v``, if it is in a local variable."""
    owner = next((item for item in objects if item.holds(address)), None)
    if owner is None:
        return "memory"
    instr = instruction(program, owner.function, owner.pc)
    if instr.x & AllocFlag.STACK:
        return f"part of {instr.expr}" if instr.expr else "memory"
    return f"memory (in {_shown(program, owner)})"


def access_size(program: Program, function: int, pc: int) -> int:
    """The bytes that an instruction accesses."""
    instr = instruction(program, function, pc)
    return program.operations[instr.c].object.size if instr.op == Op.SYNC else instr.width // 8


@dataclass(frozen=True, slots=True)
class _Near:
    """An object as a neighbour of an address."""

    start: int
    size: int
    name: str

    @property
    def end(self) -> int:
        return self.start + self.size

    def distance(self, address: int) -> int:
        return max(self.start - address, address - self.end, 0)


def _private(program: Program, functions: Iterable[int], start: int, end: int) -> _Near:
    """An object that only its thread sees; a local variable is named if its size identifies it."""
    size = end - start
    if start >> REGION_SHIFT != Region.FRAME:
        return _Near(start, size, f"an object of {count(size)}")
    objects = [o for f in set(functions) for o in program.functions[f].objects if o.size == size]
    if len(objects) == 1 and objects[0].name:
        return _Near(start, size, f"{objects[0].name} ({count(size)})")
    return _Near(start, size, f"a local variable of {count(size)}")


def _neighbour(program: Program, address: int, objects: Sequence[Allocation]) -> _Near | None:
    """The object nearest to an address; the one before it if two are equally near."""
    near = [_Near(g.address, g.size, f"{_name(g)} ({count(g.size)})") for g in program.globals]
    near += [_Near(o.address, o.size, _shown(program, o)) for o in objects]
    near = [item for item in near if item.distance(address) <= NEAR]
    return min(near, key=lambda item: (item.distance(address), item.start), default=None)


def _name(item: Global) -> str:
    return "a string literal" if item.name.startswith(LITERAL) else item.name


def _shown(program: Program, item: Allocation) -> str:
    text = item.describe(program)
    is_heap = not instruction(program, item.function, item.pc).x & AllocFlag.STACK
    return f"the {text}" if is_heap else f"{text} ({count(item.size)})"


def bad_private_access(
    program: Program, address: int, size: int, functions: Iterable[int], extent: tuple[int, int]
) -> str | None:
    """What an access outside a private object touches; ``functions`` are the functions of its call stack."""
    return _beside(address, size, _private(program, functions, *extent))


def bad_access(program: Program, address: int, size: int, objects: Sequence[Allocation]) -> str | None:
    """What an access outside every live object touches; None if nothing is near."""
    item = _neighbour(program, address, objects)
    return None if item is None else _beside(address, size, item)


def bad_stray_access(program: Program, function: int, pc: int, message: str) -> str:
    """The ``message`` about an access far outside its object, with the object, if the source names it."""
    instr = instruction(program, function, pc)
    named = next((item for item in program.globals if _steps_from(program, function, item, instr.expr)), None)
    if named is not None:
        size = access_size(program, function, pc)
        message = f"access of {count(size)} outside {named.name} ({count(named.size)})"
    return f"{message}: {instr.expr}" if instr.expr else message


def _steps_from(program: Program, function: int, item: Global, expr: str) -> bool:
    """Whether an access is of an element of a variable, in a function that uses the variable's address.

    Otherwise, the name in the source may be that of a pointer.
    """
    if not expr.startswith(f"{item.name}["):
        return False
    constants = {
        program.constants[operand & ~CONST]
        for instr in program.functions[function].code
        for operand in (instr.a, instr.b, instr.c)[: FACTS[Op(instr.op)].operands]
        if operand & CONST
    }
    return any(item.address <= address < item.address + item.size for address in constants) and (
        item.type >= 0 and program.types[item.type].kind == "array"
    )


def _beside(address: int, size: int, item: _Near) -> str | None:
    where, past = _outside(address, item), address - item.end
    if where is not None:
        return f"access of {count(size)}, {where}"
    if past + size <= 0:
        return None  # it is inside: not the place that is wrong
    return f"access of {count(size)}, {past + size} of them past the end of {item.name}"


def _outside(address: int, item: _Near) -> str | None:
    """Where an address is that does not lie in an object."""
    if address < item.start:
        return f"{count(item.start - address)} before the start of {item.name}"
    past = address - item.end
    if past < 0:
        return None
    return f"{'just' if past == 0 else count(past)} past the end of {item.name}"


def bad_private_free(
    program: Program, address: int, functions: Iterable[int], extent: tuple[int, int]
) -> str:
    """What a free frees instead of a heap object, in memory that only its thread sees."""
    item = _private(program, functions, *extent)
    where = _outside(address, item)
    if where is not None:
        return f"free of the address {where}"
    inside = address - item.start
    if inside:
        return _into(inside, item.name)
    return f"free of {item.name}, which malloc did not return"


def bad_free(program: Program, address: int, objects: Sequence[Allocation], message: str) -> str | None:
    """What a free that frees no heap object frees instead; None if nothing is near.

    A heap object itself is freed in a wrong way, and ``message`` says in which.
    """
    for item in program.globals:
        if item.address <= address < item.address + item.size:
            inside, name = address - item.address, _name(item)
            kind = "the global variable " if name == item.name else ""
            return f"free of {kind}{name}" if not inside else _into(inside, name)
    for allocation in objects:
        if allocation.holds(address):
            inside = address - allocation.address
            text = _shown(program, allocation)
            if not inside and text.startswith("the "):
                return f"{message}: {text}"
            return f"free of {text}" if not inside else _into(inside, text)
    return None


def _into(inside: int, name: str) -> str:
    return f"free of the address {count(inside)} into {name}"
