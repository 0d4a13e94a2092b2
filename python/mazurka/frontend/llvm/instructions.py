"""Parses one instruction of textual IR, with one function per operation.

I1: an operation that is not in the table becomes an ``Inst`` with no operands, which the lowering refuses
by name; nothing is silently skipped.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.lexer import Cursor, unquote, words
from mazurka.frontend.llvm.values import operand, parameter_attributes, skip_flags, value

ORDERINGS = words("unordered monotonic acquire release acq_rel seq_cst")
_METADATA = re.compile(r", !([\w.]+) (!\d+)")
_CALL_PREFIX = words("tail musttail notail")
_CONVENTIONS = words("ccc fastcc coldcc swiftcc tailcc preserve_mostcc preserve_allcc")
# intrinsics that return their first argument and only tell the optimiser something
_SAME = re.compile(
    r"llvm\.(expect(\.with\.probability)?\.i\d+|annotation\.i\d+\.p0|ptr\.annotation\.p0\.p0"
    r"|(launder|strip)\.invariant\.group\.p0|arithmetic\.fence\.f\d+)"
)
_VOID = ir.VoidType()
_POINTER = ir.PointerType()
_BOOL = ir.IntType(1)


def instruction(cursor: Cursor) -> ir.Inst:
    """Takes a whole instruction, without its metadata."""
    result = ""
    if cursor.tokens[1] == "=":
        result = unquote(cursor.next())
        cursor.next()
    op = cursor.next()
    while op in _CALL_PREFIX:
        op = cursor.next()
    parse = _PARSERS.get(op)
    inst = ir.Inst(op, result, _VOID, []) if parse is None else parse(cursor, op)
    inst.result = result
    return inst


def split_metadata(line: str) -> tuple[str, dict[str, str]]:
    """An instruction's text and the metadata attached to it."""
    start = line.find(", !")
    if start < 0:
        return line, {}
    return line[:start], dict(_METADATA.findall(line, start))


def _binary(cursor: Cursor, op: str) -> ir.Inst:
    flags = skip_flags(cursor)
    left = operand(cursor)
    cursor.expect(",")
    return ir.Inst(op, "", left[0], [left, (left[0], value(cursor, left[0]))], words=flags)


def _unary(cursor: Cursor, op: str) -> ir.Inst:
    skip_flags(cursor)
    only = operand(cursor)
    return ir.Inst(op, "", only[0], [only])


def _compare(cursor: Cursor, op: str) -> ir.Inst:
    skip_flags(cursor)
    predicate = cursor.next()
    left = operand(cursor)
    cursor.expect(",")
    right = (left[0], value(cursor, left[0]))
    return ir.Inst(op, "", _BOOL, [left, right], words=[predicate])


def _cast(cursor: Cursor, op: str) -> ir.Inst:
    skip_flags(cursor)
    source = operand(cursor)
    cursor.expect("to")
    return ir.Inst(op, "", cursor.type(), [source])


def _select(cursor: Cursor, op: str) -> ir.Inst:
    skip_flags(cursor)
    condition = operand(cursor)
    cursor.expect(",")
    left = operand(cursor)
    cursor.expect(",")
    return ir.Inst(op, "", left[0], [condition, left, operand(cursor)])


def _phi(cursor: Cursor, op: str) -> ir.Inst:
    skip_flags(cursor)
    type_ = cursor.type()
    inst = ir.Inst(op, "", type_, [])
    while cursor.take("["):
        inst.operands.append((type_, value(cursor, type_)))
        cursor.expect(",")
        inst.labels.append(unquote(cursor.next()))
        cursor.expect("]")
        cursor.take(",")
    return inst


def _alloca(cursor: Cursor, op: str) -> ir.Inst:
    inst = ir.Inst(op, "", _POINTER, [])
    cursor.take("inalloca")
    inst.source = cursor.type()
    while cursor.take(","):
        if cursor.take("align"):
            inst.indices.append(int(cursor.next()))
        elif cursor.take("addrspace"):
            cursor.skip_group()
        else:
            inst.operands.append(operand(cursor))
    return inst


def _load(cursor: Cursor, op: str) -> ir.Inst:
    inst = ir.Inst(op, "", _VOID, [])
    cursor.take("atomic")
    cursor.take("volatile")
    inst.type = cursor.type()
    cursor.expect(",")
    inst.operands.append(operand(cursor))
    _memory_suffix(cursor, inst)
    return inst


def _store(cursor: Cursor, op: str) -> ir.Inst:
    inst = ir.Inst(op, "", _VOID, [])
    cursor.take("atomic")
    cursor.take("volatile")
    inst.operands.append(operand(cursor))
    cursor.expect(",")
    inst.operands.append(operand(cursor))
    _memory_suffix(cursor, inst)
    return inst


def _memory_suffix(cursor: Cursor, inst: ir.Inst) -> None:
    """Scope, orderings and alignment: ``syncscope("singlethread") acquire monotonic, align 4``."""
    while True:
        word = cursor.peek()
        if word == "syncscope":
            cursor.next()
            cursor.skip_group()
            inst.words.append("singlethread")
        elif word in ORDERINGS:
            inst.words.append(cursor.next())
        elif word == "align":
            cursor.next()
            inst.indices.append(int(cursor.next()))
        elif word == ",":
            cursor.next()
        else:
            return


def _rmw(cursor: Cursor, op: str) -> ir.Inst:
    cursor.take("volatile")
    inst = ir.Inst(op, "", _VOID, [], words=[cursor.next()])
    inst.operands.append(operand(cursor))
    cursor.expect(",")
    inst.operands.append(operand(cursor))
    inst.type = inst.operands[1][0]
    _memory_suffix(cursor, inst)
    return inst


def _cmpxchg(cursor: Cursor, op: str) -> ir.Inst:
    cursor.take("weak")
    cursor.take("volatile")
    inst = ir.Inst(op, "", _VOID, [])
    for _ in range(3):
        inst.operands.append(operand(cursor))
        cursor.take(",")
    inst.type = ir.StructType().define([inst.operands[1][0], _BOOL], packed=False)
    _memory_suffix(cursor, inst)
    return inst


def _fence(cursor: Cursor, op: str) -> ir.Inst:
    inst = ir.Inst(op, "", _VOID, [])
    _memory_suffix(cursor, inst)
    return inst


def _getelementptr(cursor: Cursor, op: str) -> ir.Inst:
    skip_flags(cursor)
    inst = ir.Inst(op, "", _POINTER, [], source=cursor.type())
    while cursor.take(","):
        inst.operands.append(operand(cursor))
    return inst


def _extractvalue(cursor: Cursor, op: str) -> ir.Inst:
    whole = operand(cursor)
    inst = ir.Inst(op, "", whole[0], [whole])
    while cursor.take(","):
        inst.indices.append(int(cursor.next()))
    for index in inst.indices:
        inst.type = _member(inst.type, index)
    return inst


def _insertvalue(cursor: Cursor, op: str) -> ir.Inst:
    whole = operand(cursor)
    cursor.expect(",")
    inst = ir.Inst(op, "", whole[0], [whole, operand(cursor)])
    while cursor.take(","):
        inst.indices.append(int(cursor.next()))
    return inst


def _element(cursor: Cursor, op: str) -> ir.Inst:
    """extractelement and insertelement; all operands are typed."""
    inst = ir.Inst(op, "", _VOID, [operand(cursor)])
    while cursor.take(","):
        inst.operands.append(operand(cursor))
    whole = inst.operands[0][0]
    inst.type = _member(whole, 0) if op == "extractelement" else whole
    return inst


def _member(type_: ir.Type, index: int) -> ir.Type:
    if isinstance(type_, ir.StructType):
        return type_.fields[index]
    assert isinstance(type_, ir.ArrayType)
    return type_.element


def _branch(cursor: Cursor, op: str) -> ir.Inst:
    inst = ir.Inst(op, "", _VOID, [])
    if not cursor.take("label"):
        inst.operands.append(operand(cursor))
        cursor.expect(",")
        cursor.expect("label")
    inst.labels.append(unquote(cursor.next()))
    while cursor.take(","):
        cursor.expect("label")
        inst.labels.append(unquote(cursor.next()))
    return inst


def _switch(cursor: Cursor, op: str) -> ir.Inst:
    inst = ir.Inst(op, "", _VOID, [operand(cursor)])
    cursor.expect(",")
    cursor.expect("label")
    inst.labels.append(unquote(cursor.next()))
    cursor.expect("[")
    while not cursor.take("]"):
        case = operand(cursor)[1]
        assert isinstance(case, ir.Number)
        inst.indices.append(case.bits)
        cursor.expect(",")
        cursor.expect("label")
        inst.labels.append(unquote(cursor.next()))
    return inst


def _indirect(cursor: Cursor, op: str) -> ir.Inst:
    """A jump to one of several blocks, by the address of a label."""
    inst = ir.Inst(op, "", _VOID, [operand(cursor)])
    cursor.expect(",")
    cursor.expect("[")
    while not cursor.take("]"):
        cursor.expect("label")
        inst.labels.append(unquote(cursor.next()))
        cursor.take(",")
    return inst


def _shuffle(cursor: Cursor, op: str) -> ir.Inst:
    """shufflevector: the numbers of the elements that are taken; those that do not matter are 0."""
    one = operand(cursor)
    cursor.expect(",")
    two = operand(cursor)
    cursor.expect(",")
    type_, mask = operand(cursor)
    assert isinstance(type_, ir.ArrayType)
    assert isinstance(one[0], ir.ArrayType)
    parts = mask.parts if isinstance(mask, ir.Elements) else ()
    taken = [part.bits if isinstance(part, ir.Number) else 0 for _, part in parts] or [0] * type_.count
    result = ir.ArrayType(type_.count, one[0].element, vector=True)
    return ir.Inst(op, "", result, [one, two], indices=taken)


def _return(cursor: Cursor, op: str) -> ir.Inst:
    inst = ir.Inst(op, "", _VOID, [])
    type_ = cursor.type()
    if not isinstance(type_, ir.VoidType):
        inst.operands.append((type_, value(cursor, type_)))
    return inst


def _call(cursor: Cursor, op: str) -> ir.Inst:
    """The callee becomes the first operand; ``indices`` holds the arguments' alignments (0: not given).

    A call that returns its argument becomes ``freeze``, so that every later stage sees the value go through.
    """
    skip_flags(cursor)
    if cursor.peek() in _CONVENTIONS:
        cursor.next()
    parameter_attributes(cursor)
    type_ = cursor.type()
    result = type_.result if isinstance(type_, ir.FunctionType) else type_
    inst = ir.Inst(op, "", result, [(_POINTER, value(cursor, _POINTER))])
    if isinstance(type_, ir.FunctionType) and type_.varargs:
        inst.words.append("varargs")
        inst.fixed = len(type_.params)
    cursor.expect("(")
    elements: list[ir.Type | None] = []
    while not cursor.take(")"):
        if cursor.take("..."):
            inst.words.append("passed on")
            continue
        argument_type = cursor.type()
        if isinstance(argument_type, ir.VoidType):
            _skip_metadata(cursor)
            continue
        attributes = parameter_attributes(cursor)
        align, element = attributes.get("align", 0), attributes.get("elementtype")
        copied = attributes.get("byval")
        if isinstance(copied, ir.Type):
            inst.by_value = {**(inst.by_value or {}), len(inst.operands) - 1: copied}
        elements.append(element if isinstance(element, ir.Type) else None)
        inst.indices.append(align if isinstance(align, int) else 0)
        inst.operands.append((argument_type, value(cursor, argument_type)))
        cursor.take(",")
    callee = inst.operands[0][1]
    if isinstance(callee, ir.Assembly):
        callee.elements = tuple(elements)
    if isinstance(callee, ir.Symbol) and _SAME.fullmatch(callee.name):
        return ir.Inst("freeze", "", result, [inst.operands[1]])
    return inst


def _skip_metadata(cursor: Cursor) -> None:
    while cursor.peek() not in (",", ")"):
        cursor.next()
        cursor.skip_group()
    cursor.take(",")


_BINARY = words("add sub mul udiv sdiv urem srem and or xor shl lshr ashr fadd fsub fmul fdiv frem")
_CASTS = words(
    "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr bitcast "
    "addrspacecast"
)
_PARSERS: dict[str, Callable[[Cursor, str], ir.Inst]] = {
    **dict.fromkeys(_BINARY, _binary),
    **dict.fromkeys(_CASTS, _cast),
    **dict.fromkeys(("fneg", "freeze"), _unary),
    **dict.fromkeys(("icmp", "fcmp"), _compare),
    "select": _select,
    "phi": _phi,
    "alloca": _alloca,
    "load": _load,
    "store": _store,
    "atomicrmw": _rmw,
    "cmpxchg": _cmpxchg,
    "fence": _fence,
    "getelementptr": _getelementptr,
    "extractvalue": _extractvalue,
    "insertvalue": _insertvalue,
    "extractelement": _element,
    "insertelement": _element,
    "br": _branch,
    "switch": _switch,
    "indirectbr": _indirect,
    "shufflevector": _shuffle,
    "ret": _return,
    "call": _call,
}
