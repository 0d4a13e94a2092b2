"""Writes memory accesses the way the source does: ``q->head``, ``buf[i].next``, ``*p``.

Works backwards from an address: variables come from debug records, fields and elements from the debug
types. What cannot be named is left out (an empty string) or shown as ``...`` inside a larger name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.ir import signed
from mazurka.frontend.llvm.lexer import words
from mazurka.frontend.lowering.layout import gep_offset
from mazurka.frontend.lowering.pieces import Pieces, covered
from mazurka.frontend.lowering.sourcetypes import SourceType, SourceTypes
from mazurka.program import Position

_DEPTH = 12  # of nested expressions, enough for any source line worth reading
_CASTS = words("sext zext trunc bitcast inttoptr ptrtoint freeze")
_OPERATORS = {"add": "+", "sub": "-", "mul": "*", "and": "&", "shl": "<<", "urem": "%", "srem": "%"}


@dataclass(frozen=True, slots=True)
class _Place:
    """An lvalue: ``text`` itself, or with ``pointer`` what the pointer ``text`` points to."""

    text: str
    type: SourceType | None
    pointer: bool = False

    def shown(self) -> str:
        return f"*{self.text}" if self.pointer else self.text

    def member(self, name: str, type_: SourceType) -> _Place:
        if not name:
            return _Place(self.text, type_, self.pointer)
        if self.type is not None and self.type.is_closure:
            return _Place(name, type_)
        return _Place(f"{self.text}{'->' if self.pointer else '.'}{name}", type_)

    def element(self, index: str, type_: SourceType | None) -> _Place:
        base = f"(*{self.text})" if self.pointer else self.text
        return _Place(f"{base}[{index}]", type_)


class Names:
    """Names for the addresses of one function."""

    def __init__(self, types: SourceTypes, module: ir.Module, function: ir.IrFunction) -> None:
        self._types = types
        self._module = module
        self._definitions: dict[str, ir.Inst] = {}
        self._variables: dict[str, list[tuple[str, SourceType]]] = {}
        self._objects: dict[str, tuple[str, SourceType]] = {}
        self._declared: dict[str, str] = {}
        self._stored: dict[str, ir.Value] = {}  # where the results of instructions are stored first
        for block in function.blocks:
            for inst in block.insts:
                self._note(inst)

    def _note(self, inst: ir.Inst) -> None:
        if inst.op == "store" and isinstance(inst.operands[0][1], ir.Local):
            self._stored.setdefault(inst.operands[0][1].name, inst.operands[1][1])
        if inst.result:
            self._definitions[inst.result] = inst
        elif (
            inst.variable
            and isinstance(inst.operands[0][1], ir.Local)
            and self._types.debug.is_own_variable(inst.variable)
        ):
            name, number = self._types.debug.variable(inst.variable)
            entry = (name, self._types.get(number))
            if inst.op == "declare":
                self._objects[inst.operands[0][1].name] = entry
                self._declared[inst.operands[0][1].name] = inst.variable
            else:
                self._variables.setdefault(inst.operands[0][1].name, []).append(entry)

    def object_name(self, name: str) -> str:
        """The variable that an alloca holds."""
        return self._objects[name][0] if name in self._objects else name.split(".")[0]

    def object_position(self, name: str) -> Position | None:
        """Where the variable that an alloca holds is declared."""
        number = self._declared.get(name)
        return self._types.debug.variable_position(number) if number is not None else None

    def element_size(self, name: str) -> int:
        """Bytes of the scalars that a pointer's variable points to, 8 if they are not known."""
        variable = self._pointer_variable(name)
        pointee = variable[1].pointee if variable is not None else None
        while pointee is not None and pointee.kind == "array":
            pointee = pointee.element
        return pointee.size if pointee is not None and pointee.size in (1, 2, 4, 8) else 8

    def pieces_at(self, pointer: ir.Value, size: int, most: int, *, inside: bool = False) -> Pieces | None:
        """The accesses to the object at an address, if its type has that size (``SourceType.pieces``).

        With ``inside`` it may also be the first part of a larger one, such as an array's first element.
        """
        place = self._place(pointer, _DEPTH)
        type_ = place.type if place is not None else None
        while inside and type_ is not None and type_.size > size:
            type_ = type_.first_part()
        return type_.pieces(most) if type_ is not None and type_.size == size else None

    def fields_within(self, pointer: ir.Value, size: int) -> Pieces | None:
        """The accesses to the bytes of a struct that an access of some bytes covers, if several."""
        start, place = self._struct_around(pointer)
        type_ = place.type if place is not None else None
        while type_ is not None and type_.kind == "array" and type_.element.size:
            type_, start = type_.element, start % type_.element.size
        if type_ is None or type_.kind != "struct" or type_.has_union:
            return None
        fields = type_.pieces(start + size) or ()
        inside = [f for f in fields if f[0] < start + size and start < sum(f)]
        if len(inside) < 2 or inside[0][0] < start or sum(inside[-1]) > start + size:
            return None
        return covered([(offset - start, length) for offset, length in inside], size)

    def part(self, pointer: ir.Value, offset: int) -> str:
        """Like ``access``, for a field that ``fields_within`` found."""
        start, place = self._struct_around(pointer)
        return self._inside(place, start + offset).shown() if place is not None else ""

    def _struct_around(self, pointer: ir.Value) -> tuple[int, _Place | None]:
        """The object that a step into a register-sized part leads into, and the part's offset."""
        source, operands = self._step_of(pointer)
        indices = [value.bits for _, value in operands[1:] if isinstance(value, ir.Number)]
        named = isinstance(source, ir.StructType) and source.name
        if source is None or named or len(indices) + 1 != len(operands):
            return 0, self._place(pointer, _DEPTH)
        return gep_offset(source, indices), self._place(operands[0][1], _DEPTH)

    def _step_of(self, pointer: ir.Value) -> tuple[ir.Type | None, Sequence[ir.Operand]]:
        """Source type and operands of the getelementptr that makes an address."""
        if isinstance(pointer, ir.Expression) and pointer.op == "getelementptr":
            return pointer.type, pointer.operands
        inst = self._definitions.get(pointer.name) if isinstance(pointer, ir.Local) else None
        if inst is not None and inst.op == "getelementptr":
            return inst.source, inst.operands
        return None, ()

    def access(self, pointer: ir.Value, offset: int) -> str:
        """What the source calls the scalar at an address plus an offset."""
        place = self._place(pointer, _DEPTH)
        if place is None:
            return ""
        return self._inside(place, offset).shown()

    def place_name(self, pointer: ir.Value) -> str:
        """What the source calls the whole object at an address, such as a mutex."""
        place = self._place(pointer, _DEPTH)
        return place.shown() if place is not None else ""

    def value_name(self, name: str) -> str:
        """What the source calls the result of an instruction: a variable, or where it is stored."""
        text = self._text(ir.Local(name), _DEPTH)
        return text or (self.access(self._stored[name], 0) if name in self._stored else "")

    def pointer_name(self, pointer: ir.Value) -> str:
        """What the source calls a pointer itself, such as the argument of free."""
        return self._text(pointer, _DEPTH)

    def _inside(self, place: _Place, offset: int) -> _Place:
        """The scalar at an offset inside a place."""
        type_ = place.type
        while type_ is not None and type_.kind in ("struct", "array", "union"):
            if type_.kind == "array":
                step = max(type_.element.size, 1)
                place = place.element(str(offset // step), type_.element)
                offset %= step
            else:
                found = type_.member_at(offset)
                if type_.kind == "union" and offset == 0:
                    return place
                if found is None:
                    return _Place("" if type_.has_unknown_part else f"padding of {place.shown()}", None)
                place = place.member(found[0], found[2])
                offset -= found[1]
            type_ = place.type
        return place

    def _place(self, pointer: ir.Value, depth: int) -> _Place | None:
        """The lvalue that an address names."""
        if isinstance(pointer, ir.Symbol):
            return self._global(pointer.name)
        if isinstance(pointer, ir.Expression) and pointer.op == "getelementptr":
            return self._element_place(pointer.type, list(pointer.operands), depth)
        if not isinstance(pointer, ir.Local) or depth == 0:
            return None
        if pointer.name in self._objects:
            return _Place(*self._objects[pointer.name])
        definition = self._definitions.get(pointer.name)
        named = self._pointer_variable(pointer.name)
        if named is None and definition is not None:
            if definition.op == "getelementptr" and definition.source is not None:
                return self._element_place(definition.source, definition.operands, depth)
            if definition.op == "call" and _callee(definition).startswith("llvm.threadlocal.address"):
                return self._place(definition.operands[1][1], depth - 1)
        return self._pointed(pointer, depth)

    def _pointed(self, pointer: ir.Local, depth: int) -> _Place | None:
        named = self._pointer_variable(pointer.name)
        if named is not None:
            return _Place(named[0], named[1].pointee, pointer=not named[1].is_reference)
        text = self._text(pointer, depth)
        if not text:
            return None
        type_ = self._type_of(pointer, depth)
        is_pointer = type_ is None or not type_.is_reference
        return _Place(text, type_.pointee if type_ is not None else None, pointer=is_pointer)

    def _pointer_variable(self, name: str) -> tuple[str, SourceType] | None:
        """The variable to name a pointer by: the last one that knows what it points to."""
        candidates = [v for v in self._variables.get(name, ()) if v[1].kind == "pointer"]
        typed = [v for v in candidates if v[1].pointee is not None]
        best = typed or candidates
        return best[-1] if best else None

    def _global(self, name: str) -> _Place:
        item = self._module.globals.get(name)
        number = item.metadata.get("dbg") if item is not None else None
        if number is None:
            return _Place(name, None)
        shown, type_ = self._types.debug.variable(number)
        return _Place(shown or name, self._types.get(type_))

    def _element_place(self, source: ir.Type, operands: list[ir.Operand], depth: int) -> _Place | None:
        place = self._place(operands[0][1], depth - 1)
        named = self._types.struct_named(source.name) if isinstance(source, ir.StructType) else None
        if place is None:
            if named is None:
                return None
            place = _Place("(...)", named, pointer=True)
        elif named is not None and place.pointer and (place.type is None or place.type.kind == "scalar"):
            place = _Place(place.text, named, pointer=True)
        place = self._step(place, source, operands[1], depth)
        current = source
        for operand in operands[2:]:
            if isinstance(current, ir.StructType):
                assert isinstance(operand[1], ir.Number)
                offset, current = current.offsets[operand[1].bits], current.fields[operand[1].bits]
                place = self._field(place, offset, current)
            else:
                assert isinstance(current, ir.ArrayType)
                current = current.element
                index = self._text(operand[1], depth - 1, operand[0]) or "..."
                inner = place.type.element if place.type is not None and place.type.kind == "array" else None
                place = place.element(index, inner)
        return place

    def _step(self, place: _Place, source: ir.Type, first: ir.Operand, depth: int) -> _Place:
        """The first index of a getelementptr: pointer arithmetic."""
        if isinstance(first[1], ir.Number):
            if first[1].bits == 0:
                return place
            if source.size == 1 and place.type is not None and place.type.kind in ("struct", "array"):
                return self._inside(place, first[1].bits)
        index = self._text(first[1], depth - 1, first[0]) or "..."
        if place.pointer:
            return _Place(f"{place.text}[{index}]", place.type)
        if place.type is not None and place.type.kind == "array" and place.type.element.size == source.size:
            return place.element(index, place.type.element)
        return _Place(f"(&{place.text})[{index}]", place.type)

    def _field(self, place: _Place, offset: int, field: ir.Type) -> _Place:
        """A member of a struct, which may be a member of one of its base classes: these have no name."""
        while place.type is not None and (found := place.type.member_at(offset)) is not None:
            name, start, type_ = found
            place, offset = place.member(name, type_), offset - start
            if name or (offset == 0 and isinstance(field, ir.StructType)):
                break
        return place

    def _text(self, value: ir.Value, depth: int, type_: ir.Type | None = None) -> str:
        """A value as the source might write it; empty if unknown."""
        if isinstance(value, ir.Number):
            return str(signed(value.bits, ir.width(type_))) if type_ is not None else str(value.bits)
        if not isinstance(value, ir.Local) or depth == 0:
            return ""
        if value.name in self._variables:
            return self._variables[value.name][0][0]
        inst = self._definitions.get(value.name)
        if inst is None:
            return ""
        if inst.op == "load":
            return self.access_at(inst.operands[0][1], depth - 1)
        if inst.op in _CASTS:
            return self._text(inst.operands[0][1], depth - 1, inst.operands[0][0])
        if inst.op in _OPERATORS:
            left, right = (self._text(o[1], depth - 1, o[0]) for o in inst.operands)
            return f"{left} {_OPERATORS[inst.op]} {right}" if left and right else ""
        return ""

    def access_at(self, pointer: ir.Value, depth: int) -> str:
        """Like ``access``, for a pointer inside an expression."""
        place = self._place(pointer, depth)
        return self._inside(place, 0).shown() if place is not None else ""

    def _type_of(self, value: ir.Local, depth: int) -> SourceType | None:
        """The source type of a pointer that was loaded."""
        inst = self._definitions.get(value.name)
        while inst is not None and inst.op in _CASTS and isinstance(inst.operands[0][1], ir.Local):
            inst = self._definitions.get(inst.operands[0][1].name)
        if inst is None or inst.op != "load":
            return None
        place = self._place(inst.operands[0][1], depth - 1)
        return self._inside(place, 0).type if place is not None else None


def _callee(inst: ir.Inst) -> str:
    callee = inst.operands[0][1]
    return callee.name if isinstance(callee, ir.Symbol) else ""
