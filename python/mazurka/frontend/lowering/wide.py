"""Lowers arithmetic on integers of 65 to 128 bits, which are in two registers, the lower 64 bits first.

Values, copies and choices of such integers need nothing special: they have two scalars (``ir.scalars``).
Operations on constants are folded, because the compiler puts structs of two words together with shifts and
masks.

I1: the upper register holds what is above 64 bits, zero-extended, as every register does.
Not done: conversions from and to floats, which are refused by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mazurka.frontend.library.routines import DIVIDE
from mazurka.frontend.library.verification import fail_unless
from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.emitter import WORD, Emitter, RefusalError, Slot, check_type
from mazurka.program import Op
from mazurka.program.kinds import ViolationKind

if TYPE_CHECKING:
    from mazurka.frontend.lowering.function import FunctionLowering

_ONES = (1 << WORD) - 1
_BITWISE = {"and": Op.AND, "or": Op.OR, "xor": Op.XOR}
_STRICT = {"u": Op.ULT, "s": Op.SLT}
# By slots, as everything of several scalars.
_BY_SLOTS = frozenset(("select", "extractvalue", "insertvalue", "freeze", "bitcast"))
_SHIFTS = ("shl", "lshr", "ashr")
_CHECKED = {  # with --undefined; what the result is called
    **{"add": "sum", "sub": "difference", "mul": "product", "sdiv": "quotient", "srem": "quotient"},
    **dict.fromkeys(_SHIFTS, ""),
}
_FOLDED: dict[Op, Callable[[int, int], int]] = {
    Op.AND: lambda a, b: a & b,
    Op.OR: lambda a, b: a | b,
    Op.XOR: lambda a, b: a ^ b,
    Op.SUB: lambda a, b: (a - b) & _ONES,
    Op.SHL: lambda a, b: a << b & _ONES if b < WORD else 0,
    Op.LSHR: lambda a, b: a >> min(b, WORD),
}


def is_wide(type_: ir.Type) -> bool:
    """Whether a type is an integer that needs two registers."""
    return isinstance(type_, ir.IntType) and type_.bits > WORD


def computes_wide(inst: ir.Inst) -> bool:
    """Whether an instruction computes with such integers."""
    if inst.op in _BY_SLOTS:
        return False
    return is_wide(inst.type) or any(is_wide(type_) for type_, _ in inst.operands)


def lower_wide(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """The slots of the result."""
    for type_ in (inst.type, *(type_ for type_, _ in inst.operands)):
        check_type(type_)
    lowering = _LOWERINGS.get(inst.op)
    if lowering is None:
        raise RefusalError(f"the operation '{inst.op}' on integers of more than {WORD} bits")
    if not e.undefined or inst.op not in _CHECKED:
        return lowering(e, inst)
    if inst.op in _SHIFTS:
        _check_shift(e, inst)
        return lowering(e, inst)
    if inst.op in ("sdiv", "srem"):
        _check_quotient(e, inst)
    slots = lowering(e, inst)
    if inst.op in ("add", "sub", "mul") and "nsw" in inst.words:
        check = _check_product if inst.op == "mul" else _check_sum
        check(e, inst, [e.materialise(slot) for slot in slots])
    return slots


def _emit(e: Emitter, op: Op, a: int, b: int) -> int:
    """An operation of 64 bits, folded if its operands are known."""
    left, right = e.pools.value(a), e.pools.value(b)
    if left is not None and right is not None:
        return e.constant(_FOLDED[op](left, right))
    if right == 0 and op is not Op.AND:
        return a
    if op in (Op.OR, Op.XOR) and left == 0:
        return b
    if op in (Op.SHL, Op.LSHR) and (left == 0 or (right is not None and right >= WORD)):
        return e.constant(0)
    if op is Op.AND and 0 in (left, right):
        return e.constant(0)
    if op is Op.AND and _ONES in (left, right):
        return a if right == _ONES else b
    return e.emit(op, a, b)


def _either(e: Emitter, *parts: int) -> int:
    whole = parts[0]
    for part in parts[1:]:
        whole = _emit(e, Op.OR, whole, part)
    return whole


def _upper_width(type_: ir.Type) -> int:
    return ir.width(type_) - WORD


def _cut(e: Emitter, upper: int, type_: ir.Type) -> int:
    """The upper register of a result (I1)."""
    width = _upper_width(type_)
    return upper if width == WORD else _emit(e, Op.AND, upper, e.constant((1 << width) - 1))


def _bitwise(e: Emitter, inst: ir.Inst) -> list[Slot]:
    left, right = (e.operands(*operand) for operand in inst.operands)
    return [_emit(e, _BITWISE[inst.op], a, b) for a, b in zip(left, right, strict=True)]


def _add(e: Emitter, inst: ir.Inst) -> list[Slot]:
    """Addition with carry, or subtraction with borrow."""
    (low, high), (other_low, other_high) = (e.operands(*operand) for operand in inst.operands)
    whole, with_carry = (Op.ADD, Op.UADDO) if inst.op == "add" else (Op.SUB, Op.USUBO)
    first = e.emit(with_carry, low, other_low, results=2)
    e.known_bits[first + 1] = 1
    width = _upper_width(inst.type)
    upper = e.emit(whole, high, other_high, width=width)
    return [first, e.emit(whole, upper, first + 1, width=width)]


def _upper_product(e: Emitter, low: int, other_low: int) -> int:
    """The upper 64 bits of the product of two registers, by halves of 32 bits."""
    half, mask = e.constant(WORD // 2), e.constant((1 << WORD // 2) - 1)
    a, b = _emit(e, Op.LSHR, low, half), _emit(e, Op.LSHR, other_low, half)
    c, d = _emit(e, Op.AND, low, mask), _emit(e, Op.AND, other_low, mask)
    inner = e.emit(Op.MUL, c, b)
    carried = e.emit(Op.ADD, e.emit(Op.MUL, a, d), e.emit(Op.LSHR, e.emit(Op.MUL, c, d), half))
    middle = e.emit(Op.ADD, _emit(e, Op.AND, carried, mask), inner)
    upper = e.emit(Op.MUL, a, b)
    for part in (_emit(e, Op.LSHR, carried, half), _emit(e, Op.LSHR, middle, half)):
        upper = e.emit(Op.ADD, upper, part)
    return upper


def _multiply(e: Emitter, inst: ir.Inst) -> list[Slot]:
    """Long multiplication."""
    (low, high), (other_low, other_high) = (e.operands(*operand) for operand in inst.operands)
    upper = _upper_product(e, low, other_low)
    for one, two in ((low, other_high), (high, other_low)):
        upper = e.emit(Op.ADD, upper, e.emit(Op.MUL, one, two))
    return [e.emit(Op.MUL, low, other_low), _cut(e, upper, inst.type)]


def _divide(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """By a routine for unsigned numbers, which gets the absolute values of signed ones."""
    left, right = ([*e.operands(*operand)] for operand in inst.operands)
    is_signed, is_remainder = inst.op[0] == "s", inst.op[1:] == "rem"
    if not is_signed:
        results = e.call(e.module.routine(DIVIDE, 0), [*left, *right], 4)
        first = results + 2 * is_remainder
        return [first, first + 1]
    width = _upper_width(inst.type)
    for number in (left, right):
        if width < WORD:
            number[1] = e.emit(Op.SEXT, number[1], width=width, x=WORD)
    minus, other = (e.emit(Op.SLT, high, e.constant(0)) for _, high in (left, right))
    absolute = [*_negated(e, left, minus), *_negated(e, right, other)]
    results = e.call(e.module.routine(DIVIDE, 0), absolute, 4)
    first = results + 2 * is_remainder
    sign = minus if is_remainder else e.emit(Op.XOR, minus, other)
    low, high = _negated(e, [first, first + 1], sign)
    return [low, _cut(e, high, inst.type)]


def _negated(e: Emitter, number: list[int], condition: int) -> list[int]:
    """A number of 128 bits, with the other sign if a condition holds: all bits inverted, plus one."""
    ones = e.emit(Op.SUB, e.constant(0), condition)
    low = e.emit(Op.UADDO, e.emit(Op.XOR, number[0], ones), condition, results=2)
    return [low, e.emit(Op.ADD, e.emit(Op.XOR, number[1], ones), low + 1)]


def _shift_left(e: Emitter, inst: ir.Inst) -> list[Slot]:
    """Shifts by 64 or more give 0, so each of the parts is 0 where it does not count."""
    (low, high), (by, _) = (e.operands(*operand) for operand in inst.operands)
    carried = _emit(
        e, Op.LSHR, _emit(e, Op.LSHR, low, e.constant(1)), _emit(e, Op.SUB, e.constant(WORD - 1), by)
    )
    moved = _emit(e, Op.SHL, low, _emit(e, Op.SUB, by, e.constant(WORD)))
    upper = _either(e, _emit(e, Op.SHL, high, by), carried, moved)
    return [_emit(e, Op.SHL, low, by), _cut(e, upper, inst.type)]


def _carried_down(e: Emitter, high: int, by: int) -> int:
    """What a shift to the right by less than 64 moves from the upper to the lower register."""
    return _emit(e, Op.SHL, _emit(e, Op.SHL, high, e.constant(1)), _emit(e, Op.SUB, e.constant(WORD - 1), by))


def _shift_right(e: Emitter, inst: ir.Inst) -> list[Slot]:
    (low, high), (by, _) = (e.operands(*operand) for operand in inst.operands)
    moved = _emit(e, Op.LSHR, high, _emit(e, Op.SUB, by, e.constant(WORD)))
    lower = _either(e, _emit(e, Op.LSHR, low, by), _carried_down(e, high, by), moved)
    return [lower, _emit(e, Op.LSHR, high, by)]


def _shift_right_signed(e: Emitter, inst: ir.Inst) -> list[Slot]:
    (low, high), (by, _) = (e.operands(*operand) for operand in inst.operands)
    width = _upper_width(inst.type)
    extended = high if width == WORD else e.emit(Op.SEXT, high, width=width, x=WORD)
    near = _either(e, _emit(e, Op.LSHR, low, by), _carried_down(e, extended, by))
    far = e.emit(Op.ASHR, extended, _emit(e, Op.SUB, by, e.constant(WORD)))
    known = e.pools.value(by)
    if known is not None:
        lower = near if known < WORD else far
    else:
        lower = e.emit(Op.SELECT, e.emit(Op.ULT, by, e.constant(WORD)), near, far)
    return [lower, _cut(e, e.emit(Op.ASHR, extended, by), inst.type)]


def _check_shift(e: FunctionLowering, inst: ir.Inst) -> None:
    bits, (by, rest) = ir.width(inst.type), e.operands(*inst.operands[1])
    is_small = _truth(e, Op.AND, e.emit(Op.ULT, by, e.constant(bits)), e.emit(Op.EQ, rest, e.constant(0)))
    fail_unless(e, is_small, ViolationKind.UNDEFINED, f"shift by too much: the type has {bits} bits")


def _check_fits(e: FunctionLowering, inst: ir.Inst, condition: int) -> None:
    bits, what = ir.width(inst.type), _CHECKED[inst.op]
    message = f"the {what} is a number that a signed type of {bits} bits cannot hold"
    fail_unless(e, condition, ViolationKind.OVERFLOW, message)


def _check_sum(e: FunctionLowering, inst: ir.Inst, slots: list[int]) -> None:
    """It does not fit if its sign is that of neither number; of a subtrahend, the opposite counts."""
    (_, high), (_, other) = (e.operands(*operand) for operand in inst.operands)
    changed = e.emit(Op.XOR, high, slots[1])
    differs = e.emit(Op.XOR, other, slots[1] if inst.op == "add" else high)
    both = e.emit(Op.AND, changed, differs)
    _check_fits(e, inst, e.emit(Op.SLE, e.constant(0), both, width=_upper_width(inst.type)))


def _check_quotient(e: FunctionLowering, inst: ir.Inst) -> None:
    """The least number divided by -1 does not fit."""
    (low, high), (other_low, other_high) = (e.operands(*operand) for operand in inst.operands)
    width = _upper_width(inst.type)
    expected = ((low, 0), (high, 1 << width - 1), (other_low, _ONES), (other_high, (1 << width) - 1))
    differs = [e.emit(Op.NE, slot, e.constant(number)) for slot, number in expected]
    _check_fits(e, inst, _either(e, *differs))


def _check_product(e: FunctionLowering, inst: ir.Inst, slots: list[int]) -> None:
    """The product of the absolute values is computed with what it carries over."""
    width = _upper_width(inst.type)
    numbers = [list(e.operands(*operand)) for operand in inst.operands]
    for number in numbers:
        if width < WORD:
            number[1] = e.emit(Op.SEXT, number[1], width=width, x=WORD)
    minus, other = (e.emit(Op.SLT, high, e.constant(0)) for _, high in numbers)
    (low, high), (other_low, other_high) = _negated(e, numbers[0], minus), _negated(e, numbers[1], other)
    is_large = [_truth(e, Op.AND, *(e.emit(Op.NE, part, e.constant(0)) for part in (high, other_high)))]
    upper = _upper_product(e, low, other_low)
    for one, two in ((low, other_high), (high, other_low)):
        part = e.emit(Op.UMULO, one, two, results=2)
        upper_sum = e.emit(Op.UADDO, upper, part, results=2)
        is_large += [part + 1, upper_sum + 1]
        upper = upper_sum
    # -2 ** 127 fits, 2 ** 127 does not
    end = e.constant(1 << width - 1)
    is_least = _truth(e, Op.AND, e.emit(Op.EQ, upper, end), e.emit(Op.EQ, slots[0], e.constant(0)))
    is_least = _truth(e, Op.AND, is_least, e.emit(Op.XOR, minus, other))
    is_small = _truth(e, Op.OR, e.emit(Op.ULT, upper, end), is_least)
    _check_fits(e, inst, _truth(e, Op.AND, is_small, e.emit(Op.EQ, _either(e, *is_large), e.constant(0))))


def _compare(e: Emitter, inst: ir.Inst) -> list[Slot]:
    predicate = inst.words[0]
    width = _upper_width(inst.operands[0][0])
    (low, high), (other_low, other_high) = (e.operands(*operand) for operand in inst.operands)
    if predicate in ("eq", "ne"):
        op, both = (Op.EQ, Op.AND) if predicate == "eq" else (Op.NE, Op.OR)
        halves = e.emit(op, low, other_low), e.emit(op, high, other_high, width=width)
        return [_truth(e, both, *halves)]
    if predicate[1] == "g":
        low, high, other_low, other_high = other_low, other_high, low, high
    above = e.emit(_STRICT[predicate[0]], high, other_high, width=width)
    below = e.emit(Op.ULE if predicate[2] == "e" else Op.ULT, low, other_low)
    level = e.emit(Op.EQ, high, other_high, width=width)
    return [_truth(e, Op.OR, above, _truth(e, Op.AND, level, below))]


def _truth(e: Emitter, op: Op, a: int, b: int) -> int:
    result = e.emit(op, a, b, width=1)
    e.known_bits[result] = 1
    return result


def _truncate(e: Emitter, inst: ir.Inst) -> list[Slot]:
    low, high = e.operands(*inst.operands[0])
    if is_wide(inst.type):
        return [low, _cut(e, high, inst.type)]
    return [_emit(e, Op.AND, low, e.constant((1 << ir.width(inst.type)) - 1))]


def _extend(e: Emitter, inst: ir.Inst) -> list[Slot]:
    """Of an unsigned number, or of an address."""
    operands = e.operands(*inst.operands[0])
    return [operands[0], operands[1] if len(operands) > 1 else e.constant(0)]


def _extend_sign(e: Emitter, inst: ir.Inst) -> list[Slot]:
    type_ = inst.operands[0][0]
    low, *upper = e.operands(*inst.operands[0])
    if upper:
        return [low, e.emit(Op.SEXT, upper[0], width=_upper_width(type_), x=_upper_width(inst.type))]
    low = e.emit(Op.SEXT, low, width=ir.width(type_), x=WORD)
    return [low, _cut(e, e.emit(Op.ASHR, low, e.constant(WORD - 1)), inst.type)]


def _to_pointer(e: Emitter, inst: ir.Inst) -> list[Slot]:
    return [e.operands(*inst.operands[0])[0]]


_LOWERINGS: dict[str, Callable[[FunctionLowering, ir.Inst], list[Slot]]] = {
    **dict.fromkeys(_BITWISE, _bitwise),
    **dict.fromkeys(("add", "sub"), _add),
    "mul": _multiply,
    **dict.fromkeys(("udiv", "urem", "sdiv", "srem"), _divide),
    "shl": _shift_left,
    "lshr": _shift_right,
    "ashr": _shift_right_signed,
    "icmp": _compare,
    "trunc": _truncate,
    **dict.fromkeys(("zext", "ptrtoint", "ptrtoaddr"), _extend),
    "sext": _extend_sign,
    "inttoptr": _to_pointer,
}
