"""Lowers copies and fills of memory, access by access where they are few, else with a routine.

Every byte is copied (``pieces``). The accesses have the sizes that the source's types give: from the declared
type of what is at one of its ends, else from the copy's ``tbaa.struct``, else from the IR type of a variable,
else from the alignment. What lies between these is copied in pieces of natural sizes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.emitter import Slot
from mazurka.frontend.lowering.pieces import WIDEST, Pieces, chunks, covered
from mazurka.program import MOVED, Op

if TYPE_CHECKING:
    from mazurka.frontend.lowering.function import FunctionLowering

_MOST_ACCESSES = 32  # longer copies call a routine
_MOST_MOVED = 512  # the same, for copies that must read everything before they write
_TRIPLE = re.compile(r"i64 (\d+), i64 (\d+), (!\d+)")
_TAG = re.compile(r'!"([^"]*)"')
_SIZES = {
    "bool": 1, "_Bool": 1, "short": 2, "unsigned short": 2, "int": 4, "unsigned int": 4, "float": 4,
    "long": 8, "unsigned long": 8, "long long": 8, "unsigned long long": 8, "double": 8, "any pointer": 8,
}  # fmt: skip


def copy_argument(e: FunctionLowering, to: Slot, source: Slot, param: ir.Parameter) -> None:
    """Copies a struct that was passed by value into the callee's own object."""
    assert param.byval is not None
    size = param.byval.size
    value = ir.Local(param.name)
    pieces = e.names.pieces_at(value, size, _MOST_ACCESSES)
    if pieces is None:
        pieces = chunks(0, size, min(param.byval.align, WIDEST), _MOST_ACCESSES)
    if len(pieces) > _MOST_ACCESSES:
        grain = min(param.byval.align, WIDEST)
        e.call(
            e.module.routine("memcpy", grain), [e.materialise(to), e.materialise(source), e.constant(size)]
        )
    else:
        _copy(e, to, source, covered(pieces, size), value, value)


def _copy(
    e: FunctionLowering, to: Slot, source: Slot, pieces: Pieces, to_name: ir.Value, source_name: ir.Value
) -> None:
    for offset, size in pieces:
        where = e.materialise(e.add(source, offset))
        target = e.materialise(e.add(to, offset))
        if size > WIDEST:
            e.call(e.module.routine("memcpy", WIDEST), [target, where, e.constant(size)])
            continue
        name = e.names.access(source_name, offset)
        value = e.emit(Op.LOAD, where, width=8 * size, x=MOVED, expr=name)
        name = e.names.access(to_name, offset)
        e.emit(Op.STORE, target, value, width=8 * size, expr=name, results=0)


def lower_copy(e: FunctionLowering, inst: ir.Inst, overlap: bool) -> list[Slot]:
    """memcpy and memmove; the result is the destination."""
    to, source, length = inst.operands[1:4]
    pieces = _pieces(e, inst, [to[1], source[1]], length)
    target, origin = e.slots(*to)[0], e.slots(*source)[0]
    if overlap and pieces is not None and len(pieces) > 1:
        pieces = _short(pieces)
    if pieces is None:
        name = "memmove" if overlap else "memcpy"
        args = [e.materialise(target), e.materialise(origin), e.operand(*length)]
        grain = _granularity(e, inst, [to[1], source[1]])
        e.call(e.module.routine(name, grain), args)
    elif overlap:
        _move(e, target, origin, pieces, inst)
    else:
        _copy(e, target, origin, pieces, to[1], source[1])
    return [target]


def _short(pieces: Pieces) -> Pieces | None:
    """The pieces without runs, if they are not too many."""
    found: Pieces = []
    for piece in pieces:
        found += [piece] if piece[1] <= WIDEST else chunks(*piece, WIDEST, _MOST_MOVED)
    return found if len(found) <= _MOST_MOVED else None


def _move(e: FunctionLowering, to: Slot, source: Slot, pieces: Pieces, inst: ir.Inst) -> None:
    """Reads everything before it writes anything."""
    values = []
    for offset, size in pieces:
        name = e.names.access(inst.operands[2][1], offset)
        where = e.materialise(e.add(source, offset))
        values.append(e.emit(Op.LOAD, where, width=8 * size, x=MOVED, expr=name))
    for value, (offset, size) in zip(values, pieces, strict=True):
        name = e.names.access(inst.operands[1][1], offset)
        e.emit(Op.STORE, e.materialise(e.add(to, offset)), value, width=8 * size, expr=name, results=0)


def lower_fill(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """memset; the result is the destination."""
    to, value, length = inst.operands[1:4]
    target = e.slots(*to)[0]
    byte = e.number(value[1], value[0])
    pieces = _pieces(e, inst, [to[1]], length)
    if pieces is None or byte is None:
        args = [e.materialise(target), e.operand(*value), e.operand(*length)]
        e.call(e.module.routine("memset", _granularity(e, inst, [to[1]])), args)
        return [target]
    for offset, size in pieces:
        where = e.materialise(e.add(target, offset))
        if size > WIDEST:
            e.call(e.module.routine("memset", WIDEST), [where, e.constant(byte), e.constant(size)])
            continue
        number = int.from_bytes(bytes([byte & 255]) * size, "little")
        name = e.names.access(to[1], offset)
        e.emit(Op.STORE, where, e.constant(number), width=8 * size, expr=name, results=0)
    return [target]


def _pieces(e: FunctionLowering, inst: ir.Inst, ends: list[ir.Value], length: ir.Operand) -> Pieces | None:
    """The accesses of a copy, None if there are too many or the length is not known."""
    size = e.number(length[1], length[0])
    if size is None:
        return None
    pieces: Pieces | None = None
    for value in ends:
        pieces = pieces or e.names.pieces_at(value, size, _MOST_ACCESSES)
    tag = inst.metadata.get("tbaa.struct")
    if pieces is None and tag is not None:
        pieces = _tagged_pieces(e, tag, _alignment(inst, len(ends)))
    for value in ends:
        pieces = pieces or e.names.pieces_at(value, size, _MOST_ACCESSES, inside=True)
    for value in ends:
        if pieces is None:
            pieces = _typed_pieces(e, value, size)
    if pieces is None:
        pieces = chunks(0, size, _alignment(inst, len(ends)), _MOST_ACCESSES)
    return covered(pieces, size) if len(pieces) <= _MOST_ACCESSES else None


def _tagged_pieces(e: FunctionLowering, number: str, align: int) -> Pieces:
    pieces: Pieces = []
    for offset, size, tag in _TRIPLE.findall(e.module.debug.text(number)):
        widest = min(_scalar_size(e, tag), align)
        pieces += chunks(int(offset), int(size), widest, _MOST_ACCESSES - len(pieces))
        if len(pieces) > _MOST_ACCESSES:
            break
    return pieces


def _scalar_size(e: FunctionLowering, tag: str) -> int:
    """Bytes of the scalar that a TBAA tag names; an array of them is copied one by one."""
    references = e.module.debug.references(tag)
    if not references:
        return 8
    name = _TAG.search(e.module.debug.text(references[0]))
    if name is None:
        return 8
    return 8 if name[1].startswith("p") and name[1][1:2].isdigit() else _SIZES.get(name[1], 8)


def _typed_pieces(e: FunctionLowering, value: ir.Value, size: int) -> Pieces | None:
    """The scalars of the variable at one end, if they fill the length exactly."""
    type_ = _object_type(e, value)
    if type_ is None or type_.size < size or type_.size > 8 * _MOST_ACCESSES:
        return None
    leaves = [(offset, leaf.size) for offset, leaf in ir.scalars(type_) if offset < size]
    if not leaves or sum(leaves[-1]) > size or any(leaf > 8 for _, leaf in leaves):
        return None
    filled = sum(leaf for _, leaf in leaves)
    only_bytes = all(leaf == 1 for _, leaf in leaves)
    return leaves if filled == size and not only_bytes else None


def _object_type(e: FunctionLowering, value: ir.Value) -> ir.Type | None:
    if isinstance(value, ir.Local):
        return e.alloca_types.get(value.name)
    if isinstance(value, ir.Symbol) and value.name in e.module.ir.globals:
        return e.module.ir.globals[value.name].type
    return None


def _granularity(e: FunctionLowering, inst: ir.Inst, ends: list[ir.Value]) -> int:
    """Bytes of an access of a copy whose length is not known."""
    for value in ends:
        type_ = _object_type(e, value)
        while isinstance(type_, ir.ArrayType):
            type_ = type_.element
        if type_ is not None and not isinstance(type_, ir.StructType) and type_.size in (1, 2, 4, 8):
            return type_.size
    return _alignment(inst, len(ends))


def _alignment(inst: ir.Inst, ends: int) -> int:
    """The alignment that all ends of a copy are known to have, at most 8."""
    return min(8, *(max(align, 1) for align in inst.indices[:ends]))
