"""Parses operands and constants of textual IR."""

from __future__ import annotations

from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.lexer import Cursor, float_bits, string_bytes, unquote, words

_NUMBER_TYPES = (ir.IntType, ir.PointerType)
_WORDS: dict[str, ir.Value] = {
    "true": ir.Number(1),
    "false": ir.Number(0),
    "null": ir.Number(0),
    "undef": ir.Undefined(),
    "poison": ir.Undefined(),
    "zeroinitializer": ir.Zero(),
}
_FLAGS = words(
    "inbounds nuw nsw nusw exact disjoint nneg samesign inrange fast nnan ninf nsz arcp contract afn reassoc"
)
_ATTRIBUTES_WITH_ARGUMENT = words(
    "align byval sret byref inalloca preallocated elementtype dereferenceable dereferenceable_or_null "
    "captures range nofpclass initializes dead_on_return"
)
_ATTRIBUTES = words(
    "noundef zeroext signext inreg noalias nonnull readonly readnone writeonly returned nest nofree immarg "
    "swiftself swiftasync swifterror allocptr allocalign noext writable dead_on_unwind nocapture"
)


def skip_flags(cursor: Cursor) -> list[str]:
    """Takes arithmetic flags. The lowering computes the wrapping result, whatever they say."""
    words: list[str] = []
    while cursor.peek() in _FLAGS:
        words.append(cursor.next())
        if words[-1] == "inrange":
            cursor.skip_group()
    return words


def parameter_attributes(cursor: Cursor) -> dict[str, ir.Type | int]:
    """Takes attributes of a parameter, an argument or a result; keeps types and the alignment."""
    found: dict[str, ir.Type | int] = {}
    while True:
        word = cursor.peek()
        if word in _ATTRIBUTES:
            cursor.next()
        elif word in _ATTRIBUTES_WITH_ARGUMENT:
            cursor.next()
            _attribute_argument(cursor, word, found)
        elif word.startswith('"'):
            cursor.next()
            if cursor.take("="):
                cursor.next()
        else:
            return found


def _attribute_argument(cursor: Cursor, word: str, found: dict[str, ir.Type | int]) -> None:
    if word == "align" and cursor.peek() != "(":
        found["align"] = int(cursor.next())
    elif word in ("byval", "elementtype") and cursor.peek() == "(":
        cursor.next()
        found[word] = cursor.type()
        cursor.expect(")")
    else:
        cursor.skip_group()


def operand(cursor: Cursor) -> ir.Operand:
    """Takes a type and a value."""
    type_ = cursor.type()
    return type_, value(cursor, type_)


def value(cursor: Cursor, type_: ir.Type) -> ir.Value:
    """Takes a value of a type."""
    token = cursor.next()
    first = token[:1]
    if first == "%":
        return ir.Local(unquote(token))
    if first == "@":
        return ir.Symbol(unquote(token))
    if isinstance(type_, ir.FloatType):
        return _float(token, type_)
    if isinstance(type_, _NUMBER_TYPES) and (first.isdigit() or first == "-"):
        return ir.Number(int(token) & ((1 << ir.width(type_)) - 1))
    known = _WORDS.get(token)
    if known is not None:
        return known
    if token in ("{", "[", "<"):
        return _elements(cursor, token)
    if token.startswith('c"'):
        return ir.Bytes(string_bytes(token))
    return _special(cursor, token, type_)


def _float(token: str, type_: ir.FloatType) -> ir.Value:
    if token in _WORDS:
        return _WORDS[token]
    bits = float_bits(token, type_)
    return ir.Unreadable(f"a constant of type '{type_.source_name()}'") if bits is None else ir.Number(bits)


def _elements(cursor: Cursor, opening: str) -> ir.Value:
    packed = opening == "<" and cursor.take("{")
    closing = {"{": "}", "[": "]", "<": "}" if packed else ">"}[opening]
    parts: list[ir.Operand] = []
    while not cursor.take(closing):
        parts.append(operand(cursor))
        cursor.take(",")
    if packed:
        cursor.expect(">")
    return ir.Elements(tuple(parts))


def _splat(cursor: Cursor, type_: ir.Type) -> ir.Value:
    """A vector of which all elements are the same."""
    cursor.expect("(")
    element = operand(cursor)
    cursor.expect(")")
    return ir.Elements((element,) * type_.count if isinstance(type_, ir.ArrayType) else (element,))


def _label(cursor: Cursor) -> ir.Value:
    cursor.expect("(")
    function = unquote(cursor.next())
    cursor.expect(",")
    name = unquote(cursor.next())
    cursor.expect(")")
    return ir.Label(function, name)


def _special(cursor: Cursor, token: str, type_: ir.Type) -> ir.Value:
    if token == "splat":
        return _splat(cursor, type_)
    if token == "asm":
        return _assembly(cursor)
    if token == "blockaddress":
        return _label(cursor)
    if token in ("dso_local_equivalent", "no_cfi"):
        cursor.next()
        return ir.Unreadable(token)
    if cursor.peek() == "(" or cursor.peek() in _FLAGS:
        return _expression(cursor, token)
    cursor.at -= 1
    raise cursor.error("expected a value")


def _assembly(cursor: Cursor) -> ir.Value:
    while not cursor.peek().startswith('"'):
        cursor.next()
    template = string_bytes(cursor.next()).decode(errors="replace")
    cursor.expect(",")
    return ir.Assembly(template, string_bytes(cursor.next()).decode(errors="replace"))


def _expression(cursor: Cursor, op: str) -> ir.Value:
    skip_flags(cursor)
    cursor.expect("(")
    type_: ir.Type = ir.PointerType()
    if op == "getelementptr":
        type_ = cursor.type()
        cursor.expect(",")
    operands: list[ir.Operand] = []
    while not cursor.take(")"):
        skip_flags(cursor)
        operands.append(operand(cursor))
        if cursor.take("to"):
            type_ = cursor.type()
        cursor.take(",")
    if op != "getelementptr" and not isinstance(type_, ir.IntType) and len(operands) > 1:
        type_ = operands[0][0]
    return ir.Expression(op, type_, tuple(operands))
