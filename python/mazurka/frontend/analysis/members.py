"""Which address arithmetic indexes an array that is a member of a struct, or an element of another array.

Such an index must be one of the array's, by its type, even where one beyond it would still be in the object.
An address that was computed from a pointer, such as one to the whole struct, is not among them. Nor are those
in arrays of at most one element, which stand for an array of unknown length at the end of a struct.
"""

from __future__ import annotations

from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.ir import signed

_WIDER = frozenset(("zext", "sext"))


def member_arrays(module: ir.Module, function: ir.IrFunction) -> dict[str, int]:
    """The results of address arithmetic whose last index might leave a member, and its number of elements."""
    made = {inst.result: inst for block in function.blocks for inst in block.insts if inst.result}
    found: dict[str, int] = {}
    for inst in made.values():
        if inst.op != "getelementptr" or len(inst.operands) != 3:
            continue
        array, (_, first) = inst.source, inst.operands[1]
        if isinstance(array, ir.ArrayType) and isinstance(first, ir.Number) and first.bits == 0:
            base, index = inst.operands[0][1], inst.operands[2]
            if (
                array.count > 1
                and _is_member(module, made, base, array)
                and not _is_inside(made, index, array.count)
            ):
                found[inst.result] = array.count
    return found


def _is_member(module: ir.Module, made: dict[str, ir.Inst], base: ir.Value, array: ir.ArrayType) -> bool:
    """Whether an address is that of an array that is a member of a struct or an element of an array."""
    if isinstance(base, ir.Local):
        inst = made.get(base.name)
        if inst is None or inst.op != "getelementptr":
            return False
        return isinstance(_member(inst), ir.ArrayType) or _is_row(inst)
    while isinstance(base, ir.Expression) and base.op == "getelementptr":
        base = base.operands[0][1]
    item = module.globals.get(base.name) if isinstance(base, ir.Symbol) else None
    if item is None or isinstance(item.type, ir.StructType):
        return item is not None
    is_table = isinstance(item.type, ir.ArrayType) and isinstance(item.type.element, ir.ArrayType)
    return is_table and repr(item.type) != repr(array)  # then it is the first row


def _is_row(inst: ir.Inst) -> bool:
    """Whether address arithmetic leads to an array that is an element of an array, which is no pointer's."""
    first = inst.operands[1][1]
    is_element = len(inst.operands) == 3 and isinstance(first, ir.Number) and first.bits == 0
    return (
        is_element and isinstance(inst.source, ir.ArrayType) and isinstance(inst.source.element, ir.ArrayType)
    )


def _member(inst: ir.Inst) -> ir.Type | None:
    """The type of the member that address arithmetic ends at."""
    current: ir.Type | None = inst.source
    is_member = False
    for _, value in inst.operands[2:]:
        is_member = isinstance(current, ir.StructType)
        if isinstance(current, ir.StructType) and isinstance(value, ir.Number):
            current = current.fields[value.bits]
        elif isinstance(current, ir.ArrayType):
            current = current.element
        else:
            return None
    return current if is_member else None


def _is_inside(made: dict[str, ir.Inst], index: ir.Operand, count: int) -> bool:
    """Whether an index is surely one of the array's: a number, or what a mask or a remainder leaves."""
    type_, value = index
    while isinstance(value, ir.Local) and value.name in made and made[value.name].op in _WIDER:
        type_, value = made[value.name].operands[0]
    if isinstance(value, ir.Number):
        return 0 <= signed(value.bits, ir.width(type_)) < count
    inst = made.get(value.name) if isinstance(value, ir.Local) else None
    if inst is None or inst.op not in ("and", "urem") or not isinstance(inst.operands[1][1], ir.Number):
        return False
    most = inst.operands[1][1].bits - (inst.op == "urem")
    return most < count and most < 1 << ir.width(type_) - 1
