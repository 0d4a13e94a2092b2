"""Runs short pieces of x86 code on the operands of an ``asm``, while its function is lowered.

Memory is accessed as the processor does: an instruction with a ``lock`` prefix, and any ``xchg`` with memory,
is a read-modify-write that is ordered with everything; other instructions read and write memory as
volatile accesses do. Registers are values. Of the flags, zero and sign are known.

I1: what is not known, such as a jump or the carry flag, is refused (``NotKnown``), never guessed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from mazurka.frontend.inline.constraints import AsmOperand, Operands
from mazurka.frontend.inline.registers import MODIFIERS, REGISTERS, STACK, SUFFIXES
from mazurka.frontend.inline.template import Immediate, Indirect, Instruction, Operand, Reference, operand
from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.access import exchange
from mazurka.frontend.lowering.emitter import WORD
from mazurka.program import Mode, Op, RmwOp

if TYPE_CHECKING:
    from mazurka.frontend.lowering.function import FunctionLowering

_ARITHMETIC = {"add": Op.ADD, "sub": Op.SUB, "and": Op.AND, "or": Op.OR, "xor": Op.XOR}
_LOCKED = {"add": RmwOp.ADD, "sub": RmwOp.SUB, "and": RmwOp.AND, "or": RmwOp.OR, "xor": RmwOp.XOR}
_ONE = {"inc": "add", "dec": "sub"}
_SC = (Mode.SC, Mode.SC)
# A condition: which flag, and whether it is clear.
_CONDITIONS = {
    **dict.fromkeys(("e", "z"), ("zero", False)),
    **dict.fromkeys(("ne", "nz"), ("zero", True)),
    "s": ("sign", False),
    "ns": ("sign", True),
}


class NotKnown(Exception):  # noqa: N818 - named for what it is
    """An instruction, or a use of one, that is not known."""


class Place(NamedTuple):
    """A place in memory: its address, and its name in the source."""

    address: int
    name: str
    bits: int  # 0 if the operand does not say


class X86:
    """The registers and flags of one ``asm``."""

    def __init__(self, e: FunctionLowering, operands: Operands) -> None:
        self._e = e
        self._operands = operands
        self._values: dict[str, int] = {}  # by register, or by the number of an operand
        self._flags: dict[str, int] = {}
        for number, item in enumerate(operands.all):
            if item.value is not None and number not in operands.tied:
                self._values[self._key(number, item)] = e.operand(*item.value)

    def run(self, instruction: Instruction) -> None:
        """Emits one instruction."""
        word, suffix = self._word(instruction.word)
        parts = [operand(text) for text in instruction.operands]
        if any(part is None for part in parts):
            raise NotKnown
        known = [part for part in parts if part is not None]
        if word.startswith("set") and not instruction.prefix:
            self._write(known[0], 8, self._condition(word[3:]))
            return
        size = suffix or self._size(known)
        _RUN[word](self, instruction.prefix == "lock", size, known)

    def results(self) -> list[int]:
        """What the outputs hold in the end."""
        found: dict[int, int] = {}
        for number, item in enumerate(self._operands.all):
            if item.result is None:
                continue
            if item.register.startswith("@cc"):
                found[item.result] = self._condition(item.register[3:])
            elif (key := self._key(number, item)) in self._values:
                found[item.result] = self._values[key]
            else:
                raise NotKnown
        return [found[number] for number in sorted(found)]

    def _word(self, word: str) -> tuple[str, int]:
        if word in _RUN or word.startswith("set"):
            return word, 0
        if word[:-1] in _RUN and word[-1] in SUFFIXES:
            return word[:-1], SUFFIXES[word[-1]]
        raise NotKnown

    def _key(self, number: int, item: AsmOperand) -> str:
        return REGISTERS.get(item.register, (item.register, 0))[0] or f"${number}"

    def _item(self, part: Reference) -> tuple[int, AsmOperand]:
        number = self._operands.tied.get(part.number, part.number)
        item = self._operands.of(part.number)
        if item is None:
            raise NotKnown
        return number, item

    def _size(self, parts: list[Operand]) -> int:
        """The size that the operands give an instruction without a suffix: a register's, else memory's."""
        memory = 0
        for part in parts:
            if isinstance(part, Reference):
                number_of_bits = ir.width(self._item(part)[1].type)
                if self._item(part)[1].address is None:
                    return MODIFIERS.get(part.modifier, number_of_bits)
                memory = number_of_bits
            elif not isinstance(part, (Immediate, Indirect)):
                return self._named(part.name)[1]
        return memory

    def _named(self, name: str) -> tuple[str, int]:
        if name not in REGISTERS:
            raise NotKnown
        return REGISTERS[name]

    def _place(self, part: Operand) -> Place | None:
        """Where an operand is in memory, if it is."""
        e = self._e
        if isinstance(part, Reference):
            item = self._item(part)[1]
            if item.address is None:
                return None
            return Place(e.operand(*item.address), e.names.access(item.address[1], 0), ir.width(item.type))
        if not isinstance(part, Indirect):
            return None
        if not isinstance(part.base, Reference):
            return Place(self._read(part.base, WORD), "", 0)
        item = self._item(part.base)[1]
        base = self._read(part.base, WORD)
        address = e.emit(Op.ADD, base, e.constant(part.offset)) if part.offset else base
        return Place(address, e.names.access(item.value[1], part.offset) if item.value else "", 0)

    def _read(self, part: Operand, size: int) -> int:
        e = self._e
        if isinstance(part, Immediate):
            return e.constant(part.value & ((1 << size) - 1))
        place = self._place(part)
        if place is not None:
            return e.volatile_load(place.address, size, place.name)
        key, bits = self._register(part)
        if key not in self._values or size > bits:
            raise NotKnown
        value = self._values[key]
        return value if size == bits else e.emit(Op.TRUNC, value, width=size)

    def _register(self, part: Operand) -> tuple[str, int]:
        if isinstance(part, Reference):
            number, item = self._item(part)
            bits = ir.width(item.type)
            if not isinstance(item.type, (ir.IntType, ir.PointerType)) or bits > WORD:
                raise NotKnown
            return self._key(number, item), bits
        if isinstance(part, (Immediate, Indirect)):
            raise NotKnown
        return self._named(part.name)[0], WORD

    def _write(self, part: Operand, size: int, value: int) -> None:
        e = self._e
        place = self._place(part)
        if place is not None:
            e.volatile_store(place.address, value, size, place.name)
            return
        key, bits = self._register(part)
        if size < min(bits, 32):  # the rest of the register stays
            if key not in self._values:
                raise NotKnown
            kept = e.emit(Op.AND, self._values[key], e.constant(-1 << size), width=bits)
            value = e.emit(Op.OR, kept, value, width=bits)
        self._values[key] = value

    def _condition(self, name: str) -> int:
        flag, is_clear = _CONDITIONS.get(name, ("", False))
        if flag not in self._flags:
            raise NotKnown
        value = self._flags[flag]
        return self._e.emit(Op.XOR, value, self._e.constant(1), width=1) if is_clear else value

    def _set_flags(self, result: int, size: int) -> None:
        e = self._e
        self._flags["zero"] = e.emit(Op.EQ, result, e.constant(0), width=size)
        self._flags["sign"] = e.emit(Op.LSHR, result, e.constant(size - 1), width=size)

    def move(self, is_locked: bool, size: int, parts: list[Operand]) -> None:
        """mov"""
        self._write(parts[1], size, self._read(parts[0], size))

    def arithmetic(self, word: str, is_locked: bool, size: int, source: Operand, to: Operand) -> None:
        """add, sub, and, or, xor: on a register, on memory in two accesses, or locked on memory in one."""
        e = self._e
        by = self._read(source, size)
        if is_locked and isinstance(to, Indirect) and self._is_stack(to):
            if e.pools.value(by) != 0 or word == "and":
                raise NotKnown
            e.emit(Op.FENCE, mode=Mode.SC, results=0)  # only the lock matters
            return
        if is_locked:
            old = self._locked(_LOCKED[word], self._needed(to), size, by)
            result = e.emit(_ARITHMETIC[word], old, by, width=size)
        else:
            result = e.emit(_ARITHMETIC[word], self._read(to, size), by, width=size)
            self._write(to, size, result)
        self._set_flags(result, size)

    def _is_stack(self, part: Indirect) -> bool:
        return not isinstance(part.base, Reference) and self._named(part.base.name)[0] == STACK

    def _needed(self, part: Operand) -> Place:
        place = self._place(part)
        if place is None:  # the processor raises an exception
            raise NotKnown
        return place

    def _locked(self, op: RmwOp, place: Place, size: int, by: int) -> int:
        return self._e.emit(Op.RMW, place.address, by, width=size, x=op, mode=Mode.SC, expr=place.name)

    def exchange(self, is_locked: bool, size: int, parts: list[Operand]) -> None:
        """xchg: locked in any case, if an operand is memory."""
        one, two = parts
        if self._place(one) is not None:
            one, two = two, one
        place = self._place(two)
        mine = self._read(one, size)
        old = self._read(two, size) if place is None else self._locked(RmwOp.XCHG, place, size, mine)
        if place is None:
            self._write(two, size, mine)
        self._write(one, size, old)

    def exchange_add(self, is_locked: bool, size: int, parts: list[Operand]) -> None:
        """lock xadd: the register gets the old value."""
        self._need_lock(is_locked)
        by = self._read(parts[0], size)
        old = self._locked(RmwOp.ADD, self._needed(parts[1]), size, by)
        self._write(parts[0], size, old)
        self._set_flags(self._e.emit(Op.ADD, old, by, width=size), size)

    def compare_exchange(self, is_locked: bool, size: int, parts: list[Operand]) -> None:
        """lock cmpxchg: what it expects is in ax, and what it finds goes there."""
        self._need_lock(is_locked)
        place = self._needed(parts[1])
        values = [self._accumulator(size), self._read(parts[0], size)]
        found = exchange(self._e, place.address, values, size, _SC, place.name)
        self._values["ax"], self._flags["zero"] = found[0], found[1]
        self._flags.pop("sign", None)

    def _accumulator(self, size: int) -> int:
        if "ax" not in self._values:
            raise NotKnown
        return self._e.emit(Op.TRUNC, self._values["ax"], width=size) if size < WORD else self._values["ax"]

    def compare_exchange_pair(self, is_locked: bool, _size: int, parts: list[Operand]) -> None:
        """lock cmpxchg16b: expects dx and ax, writes cx and bx."""
        self._need_lock(is_locked)
        place = self._needed(parts[0])
        if any(name not in self._values for name in ("ax", "bx", "cx", "dx")):
            raise NotKnown
        values = [self._values[name] for name in ("ax", "dx", "bx", "cx")]
        found = exchange(self._e, place.address, values, 2 * WORD, _SC, place.name)
        self._values["ax"], self._values["dx"], self._flags["zero"] = found
        self._flags.pop("sign", None)

    def compare(self, is_locked: bool, size: int, parts: list[Operand]) -> None:
        """cmp"""
        right, left = self._read(parts[0], size), self._read(parts[1], size)
        self._set_flags(self._e.emit(Op.SUB, left, right, width=size), size)

    def test(self, is_locked: bool, size: int, parts: list[Operand]) -> None:
        """test"""
        both = self._read(parts[0], size), self._read(parts[1], size)
        self._set_flags(self._e.emit(Op.AND, *both, width=size), size)

    def _need_lock(self, is_locked: bool) -> None:
        if not is_locked:
            raise NotKnown


def _binary(word: str) -> Run:
    def run(machine: X86, is_locked: bool, size: int, parts: list[Operand]) -> None:
        machine.arithmetic(word, is_locked, size, parts[0], parts[1])

    return run


def _unary(word: str) -> Run:
    def run(machine: X86, is_locked: bool, size: int, parts: list[Operand]) -> None:
        machine.arithmetic(_ONE[word], is_locked, size, Immediate(1), parts[0])

    return run


def _unlocked(run: Run) -> Run:
    def checked(machine: X86, is_locked: bool, size: int, parts: list[Operand]) -> None:
        if is_locked:
            raise NotKnown
        run(machine, is_locked, size, parts)

    return checked


Run = Callable[[X86, bool, int, list[Operand]], None]
_RUN: dict[str, Run] = {
    "mov": _unlocked(X86.move),
    **{word: _binary(word) for word in _ARITHMETIC},
    **{word: _unary(word) for word in _ONE},
    "xchg": X86.exchange,
    "xadd": X86.exchange_add,
    "cmpxchg": X86.compare_exchange,
    "cmpxchg16b": X86.compare_exchange_pair,
    "cmp": _unlocked(X86.compare),
    "test": _unlocked(X86.test),
}
