"""Emits the virtual code of one function: registers, operands, blocks, and the values of IR names.

I1: the value of an IR name has one slot per scalar, and a slot is an operand or a place in the frame or in
the thread-local block, whose address is made where it is used (cheaper than a register kept alive).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mazurka.errors import ErrorCode, Place, SourceError
from mazurka.frontend.assembly.code import Code, CodeBlock
from mazurka.frontend.assembly.pools import Pools
from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.layout import Layout, NotConstantError
from mazurka.program import NO_POSITION, Annotation, Mode, Op, Position

WORD = 64  # bits of a register
_EXCHANGES = (Op.CAS, Op.CAS_PAIR)
_WRITES = (Op.STORE, Op.RMW, Op.STORE_PAIR, Op.RMW_PAIR, *_EXCHANGES)
# What each annotation can be about.
_ANNOTATED = {
    Annotation.FINAL_WRITE: _WRITES,
    Annotation.LOCAL_WRITE: _WRITES,
    Annotation.HELPED_CAS: _EXCHANGES,
    Annotation.HELPING_CAS: _EXCHANGES,
    Annotation.CONFIRMING_CAS: _EXCHANGES,
}


class RefusalError(Exception):
    """A construct that is not supported; becomes a REFUSE instruction in its place."""


@dataclass(frozen=True, slots=True)
class Private:
    """The address of a byte in a private object, by the instruction that makes it (FRAMEADDR or TLSADDR)."""

    op: Op
    start: int
    size: int
    inside: int = 0


Slot = int | Private


class Emitter:
    """Appends code to a current block."""

    def __init__(self, pools: Pools, layout: Layout) -> None:
        self.pools = pools
        self.layout = layout
        self.values: dict[str, tuple[Slot, ...]] = {}
        self.registers = 0
        self.groups: list[tuple[int, int]] = []
        self.block = CodeBlock()
        self.position = NO_POSITION
        self.place: Position | None = None
        self.known_bits: dict[int, int] = {}  # registers known to hold fewer bits than their type says
        self.truth: dict[
            int, tuple[int, bool]
        ] = {}  # register -> one that is zero (or, if set, nonzero) with it
        self.moving: frozenset[str] = frozenset()  # loads whose value is only moved (``moves``)
        self.room: dict[int, int] = {}  # registers that hold an address: bytes from there to the object's end
        self.accessed: frozenset[str] = frozenset()  # addresses that are only accessed (``addresses``)
        self.undefined = (
            False  # whether signed overflow, and bad shifts and conversions of floats, are findings
        )
        self.announced: Annotation | None = None  # of the next access that it can be about
        self.around: Annotation | None = None  # what stands between its parentheses is being lowered
        self.volatile = (Mode.NA, Mode.NA)  # modes of volatile loads and stores
        self.volatile_places: set[tuple[int, str]] = set()  # positions and names of plain volatile accesses
        self._made: dict[Private, int] = {}

    def start_block(self, block: CodeBlock) -> None:
        """Continues in another block."""
        self.block = block
        self._made = {}

    def new_registers(self, count: int = 1) -> int:
        """The first of some new consecutive registers."""
        first = self.registers
        self.registers += count
        if count > 1:
            self.groups.append((first, count))
        return first

    def constant(self, value: int) -> int:
        """A constant operand."""
        return self.pools.constant(value)

    def append(self, code: Code) -> None:
        """Adds an instruction, unless the block has ended already."""
        if not self.block.ended():
            if code.position == NO_POSITION:
                code.position = self.position
            if self.around is not None:
                self._announce(code)
            self.block.code.append(code)

    def begin_annotation(self, annotation: Annotation) -> None:
        """What comes next, up to ``end_annotation``, has one access that this is about."""
        if self.around is not None:
            raise RefusalError("an annotation within another")
        self.announced = self.around = annotation

    def end_annotation(self) -> None:
        """The annotation must have met its access."""
        is_missing = self.announced is not None
        self.announced = self.around = None
        if is_missing:
            raise RefusalError("an annotation that is not around a write or compare-exchange")

    def _announce(self, code: Code) -> None:
        """Puts the annotation before the access that it is about."""
        assert self.around is not None
        if code.op not in _ANNOTATED[self.around]:
            return
        if self.announced is None:
            self.around = None
            self.refuse("an annotation around more than one write or compare-exchange")
            return
        self.block.code.append(Code(Op.ANNOTATE, a=self.announced, position=code.position))
        self.announced = None

    def emit(
        self, op: Op, a: int = 0, b: int = 0, c: int = 0, *,
        width: int = 64, x: int = 0, mode: Mode = Mode.NA, expr: str = "", results: int = 1,
        args: list[int] | None = None,
    ) -> int:  # fmt: skip
        """Adds an instruction with new result registers; returns the first."""
        dst = self.new_registers(results) if results else 0
        self.append(Code(op, dst, a, b, c, width, mode, x, expr=expr, args=args or []))
        return dst

    def call(self, function: int, args: list[int], results: int = 1) -> int:
        """Calls a function of the program."""
        dst = self.new_registers(results) if results else 0
        self.append(Code(Op.CALL, dst, function, args=args, x=results))
        return dst

    def volatile_load(self, address: int, bits: int, expr: str) -> int:
        """A load that the source calls volatile."""
        self.note_volatile(expr)
        return self.emit(Op.LOAD, address, width=bits, mode=self.volatile[0], expr=expr)

    def volatile_store(self, address: int, value: int, bits: int, expr: str) -> None:
        """A store that the source calls volatile."""
        self.note_volatile(expr)
        self.emit(Op.STORE, address, value, width=bits, mode=self.volatile[1], expr=expr, results=0)

    def note_volatile(self, expr: str) -> None:
        """Remembers for reports that an access which is about to be emitted is volatile."""
        if self.volatile[0] == Mode.NA:
            self.volatile_places.add((self.position, expr))

    def jump(self, target: CodeBlock) -> None:
        """Ends the block with a jump."""
        self.append(Code(Op.JMP, targets=[target]))

    def branch(self, condition: int, yes: CodeBlock, no: CodeBlock) -> None:
        """Ends the block with a conditional jump, if possible on the value that the condition tests."""
        while condition in self.truth:
            condition, negated = self.truth[condition]
            if negated:
                yes, no = no, yes
        self.append(Code(Op.BR, a=condition, targets=[yes, no]))

    def refuse(self, construct: str) -> None:
        """Stops the program here, with the name of what is not supported."""
        self.emit(Op.REFUSE, self.pools.string(construct), results=0)

    def unsupported(self, construct: str, hint: str) -> SourceError:
        """An error for what is refused before the program runs."""
        where = self.place
        place = Place(where.file, where.line, where.column) if where else None
        return SourceError(ErrorCode.UNSUPPORTED, f"{construct} is not supported", place=place, hint=hint)

    def operand(self, type_: ir.Type, value: ir.Value) -> int:
        """The operand of a scalar that fits into a register."""
        slots = self.slots(type_, value)
        if len(slots) != 1 or (isinstance(type_, ir.IntType) and type_.bits > WORD):
            raise RefusalError(f"a value of type '{type_}' here")
        return self.materialise(slots[0])

    def operands(self, type_: ir.Type, value: ir.Value) -> list[int]:
        """The operands of all scalars of a value."""
        return [self.materialise(slot) for slot in self.slots(type_, value)]

    def materialise(self, slot: Slot) -> int:
        """A slot as an operand."""
        if isinstance(slot, int):
            return slot
        if slot not in self._made:
            frame = slot.op == Op.FRAMEADDR
            where = (slot.start, slot.inside) if frame else (slot.start + slot.inside, 0)
            self._made[slot] = self.emit(slot.op, *where)
        return self._made[slot]

    def slots(self, type_: ir.Type, value: ir.Value) -> tuple[Slot, ...]:
        """The slots of a value."""
        if isinstance(value, ir.Local):
            return self.values[value.name]
        check_type(type_)
        if isinstance(value, (ir.Zero, ir.Undefined)):
            return (self.constant(0),) * len(ir.scalars(type_))
        if isinstance(value, ir.Elements):
            return tuple(slot for part in value.parts for slot in self.slots(*part))
        if isinstance(value, ir.Bytes):
            return tuple(map(self.constant, value.data))
        try:
            number = self.layout.constant(type_, value)
        except NotConstantError as reason:
            raise RefusalError(str(reason)) from None
        count = len(ir.scalars(type_))
        return tuple(self.constant(number >> WORD * i & (1 << WORD) - 1) for i in range(count))

    def number(self, value: ir.Value, type_: ir.Type) -> int | None:
        """The value of an operand if it is a constant."""
        if isinstance(value, ir.Local):
            slots = self.values.get(value.name, ())
            only = slots[0] if len(slots) == 1 else None
            return self.pools.value(only) if isinstance(only, int) else None
        try:
            return self.layout.constant(type_, value)
        except NotConstantError:
            return None

    def add(self, base: Slot, offset: int) -> Slot:
        """An address plus a constant, for an access only: nothing is checked before the access."""
        if offset == 0:
            return base
        if isinstance(base, Private):
            inside = base.inside + offset
            return replace(base, inside=inside) if 0 <= inside <= base.size else self._plus(base, offset)
        known = self.pools.value(base)
        if known is not None:
            return self.constant(known + offset)
        result = self._plus(base, offset)
        if 0 < offset <= self.room.get(base, 0):
            self.room[result] = self.room[base] - offset
        return result

    def step(self, base: Slot, offset: int) -> Slot:
        """An address computed from another; it remembers the object, and leaving that puts it in none."""
        if isinstance(base, int):
            known = self.pools.value(base)
            if known is not None:
                return self.constant(self.layout.step(known, offset))
        if offset == 0 or self._room(base) >= offset > 0:
            return self.add(base, offset)
        if isinstance(base, Private) and base.inside + offset >= 0 > offset:
            return self.add(base, offset)
        return self.step_by(base, self.constant(offset))

    def step_by(self, base: Slot, offset: int) -> int:
        """The same for an offset that is an operand."""
        return self.emit(Op.STEP, self.materialise(base), offset, self._room(base))

    def knows_object(self, base: Slot) -> bool:
        """Whether it is known in which object an address lies."""
        return isinstance(base, Private) or base in self.room or self.pools.value(base) is not None

    def _room(self, base: Slot) -> int:
        """How many bytes there are at least from an address to the end of its object."""
        if isinstance(base, Private):
            return base.size - base.inside
        known = self.pools.value(base)
        return self.room.get(base, 0) if known is None else self.layout.room(known)

    def _plus(self, base: Slot, offset: int) -> int:
        return self.emit(Op.ADD, self.materialise(base), self.constant(offset))


def check_type(type_: ir.Type) -> None:
    """Refuses types that do not fit into registers: one for each scalar, or two for a wide integer."""
    for _, leaf in ir.scalars(type_):
        if isinstance(leaf, ir.FloatType) and leaf.bits not in (32, 64):
            raise RefusalError(f"the type '{leaf.source_name()}'")
        if ir.width(leaf) > WORD:
            raise RefusalError(f"an integer of {ir.width(leaf)} bits")
