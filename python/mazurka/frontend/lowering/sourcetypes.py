"""Types as the source declares them, built from debug metadata on demand."""

from __future__ import annotations

import re
from functools import cached_property

from mazurka.frontend.llvm.debuginfo import DebugInfo, Member
from mazurka.frontend.lowering.pieces import WIDEST, Pieces, overlaps
from mazurka.program import TypeInfo

_COMPOSITE = re.compile(r'DICompositeType\(tag: DW_TAG_(?:structure|union|class)_type, name: "([^"]+)"')

_MOST_NAMES = 4  # of bit-fields in one name


class SourceType:
    """A type without typedefs and qualifiers; arrays have one dimension each."""

    def __init__(self, types: SourceTypes, number: str, depth: int = 0) -> None:
        self._types = types
        self._debug = types.debug
        self.depth = depth
        self.number = types.debug.strip(number)

    @cached_property
    def kind(self) -> str:
        """struct, union, array, pointer or scalar; the C library's own structs count as scalars.

        Those of C++'s library do not: they are copied member by member, like those of programs.
        """
        if self._debug.pointee(self.number) is not None:
            return "pointer"
        kind = self._debug.kind(self.number)
        is_c = kind in ("struct", "union") and not self._debug.is_cpp(self.number)
        if is_c and self._debug.file_of_scope(self.number) is None:
            return "scalar"
        return kind

    @property
    def is_reference(self) -> bool:
        """Whether it is a reference: a pointer that is used like what it points to."""
        return self._debug.is_reference(self.number)

    @property
    def is_closure(self) -> bool:
        """Whether it is the type of a lambda expression; its members are variables around that."""
        return self._debug.is_closure(self.number)

    @property
    def has_unknown_part(self) -> bool:
        """Whether bytes that no member holds may be more than padding."""
        return self._debug.has_unknown_part(self.number)

    @cached_property
    def _dimensions(self) -> list[int]:
        return self._debug.dimensions(self.number)[self.depth :]

    @cached_property
    def name(self) -> str:
        """The type as the source writes it."""
        if self.kind == "array":
            element = self._debug.type_name(self._debug.element(self.number))
            return element + "".join(f"[{count}]" for count in self._dimensions)
        return self._debug.type_name(self.number)

    @cached_property
    def size(self) -> int:
        """Bytes."""
        if self.kind == "array":
            return self.element.size * (self._dimensions or [0])[0]
        return self._debug.size(self.number)

    @cached_property
    def element(self) -> SourceType:
        """What an array holds."""
        if len(self._dimensions) > 1:
            return self._types.get(self.number, self.depth + 1)
        return self._types.get(self._debug.element(self.number))

    @cached_property
    def members(self) -> list[tuple[str, int, SourceType]]:
        """Name, offset and type of each member of a struct or union."""
        if self.kind not in ("struct", "union"):
            return []
        return [(m.name, m.offset, self._types.get(m.type)) for m in self._debug.members(self.number)]

    @cached_property
    def units(self) -> list[tuple[str, int, SourceType]]:
        """The members, with neighbouring bit-fields as one, ``{a, b}``: they are accessed together."""
        units: list[tuple[str, int, SourceType]] = []
        run: list[Member] = []
        for member in self._debug.members(self.number) if self.members else []:
            if run and (member.bits is None or member.bits[0] != _end(run[-1])):
                units.append(_unit(self._types, run))
                run = []
            if member.bits is None:
                units.append((member.name, member.offset, self._types.get(member.type)))
            else:
                run.append(member)
        return [*units, _unit(self._types, run)] if run else units

    @cached_property
    def pointee(self) -> SourceType | None:
        """What a pointer points to; None for void."""
        number = self._debug.pointee(self.number)
        return self._types.get(number) if number and self._debug.strip(number) else None

    def pieces(self, most: int) -> Pieces | None:
        """Offsets and sizes of the accesses that the program would make to all scalars inside.

        None if a scalar has a size that no access has. Stops when there are more than ``most``.
        For a union, the largest member counts, and whatever the others have between its scalars.
        """
        if self.kind == "array":
            return self._element_pieces(most)
        if self.kind == "struct":
            return self._member_pieces(most)
        if self.kind == "union":
            return self._union_pieces(most)
        if self.size == 2 * WIDEST:
            return [(0, WIDEST), (WIDEST, WIDEST)]
        return [(0, self.size)] if self.size in (1, 2, 4, 8) else None

    def _element_pieces(self, most: int) -> Pieces | None:
        step = self.element.size
        element = self.element.pieces(most) if step else []
        if not element:
            return element
        count = min(self.size // step, most // len(element) + 1)
        return [(i * step + offset, size) for i in range(count) for offset, size in element]

    def _member_pieces(self, most: int) -> Pieces | None:
        found: Pieces = []
        if not self.units:
            return found
        ends = [offset for _, offset, _ in self.units[1:]] + [self.size]
        for (_, start, type_), end in zip(self.units, ends, strict=True):
            if isinstance(type_, _BitUnit):
                found += type_.accesses(start, end)
                continue
            inside = type_.pieces(most - len(found))
            if inside is None:
                return None
            found += [(start + offset, size) for offset, size in inside]
            if len(found) > most:
                break
        return found

    def _union_pieces(self, most: int) -> Pieces | None:
        found: Pieces = []
        for _, start, type_ in sorted(self.units, key=lambda unit: -unit[2].size):
            if isinstance(type_, _BitUnit):
                inside: Pieces | None = type_.accesses(start, self.size)
            else:
                inside = type_.pieces(most)
            if inside is None:
                return None
            if len(inside) > most:
                return inside
            found = sorted(found + [piece for piece in inside if not overlaps(piece, found)])
        return found

    @cached_property
    def has_union(self) -> bool:
        """Whether a union gives some bytes several names."""
        parts = [type_ for _, _, type_ in self.members] if self.kind == "struct" else []
        inner = self.element.has_union if self.kind == "array" else any(part.has_union for part in parts)
        return self.kind == "union" or inner

    def first_part(self) -> SourceType | None:
        """The first element of an array, or the first member of a struct."""
        if self.kind == "array":
            return self.element
        return self.members[0][2] if self.kind == "struct" and self.members else None

    def member_at(self, offset: int) -> tuple[str, int, SourceType] | None:
        """The first member (or unit of bit-fields) that holds a byte of a struct or union."""
        for name, start, type_ in self.units:
            if start <= offset < start + max(type_.size, 1):
                return name, start, type_
        return None


class _BitUnit(SourceType):
    """The bytes that neighbouring bit-fields share."""

    def __init__(self, types: SourceTypes, size: int) -> None:
        super().__init__(types, f"bits {size}")
        self.kind = "scalar"
        self.name = "bit-fields"
        self.size = size

    def accesses(self, start: int, end: int) -> Pieces:
        """How clang accesses the unit: with a natural size if that does not reach beyond ``end``."""
        found: Pieces = []
        at, left = start, self.size
        while left > WIDEST:
            found.append((at, WIDEST))
            at, left = at + WIDEST, left - WIDEST
        natural = 1 << (left - 1).bit_length()
        fits = at % natural == 0 and at + natural <= end
        return [*found, (at, natural if fits else left)]


def _end(member: Member) -> int:
    return member.bits[1] if member.bits is not None else 0


def _unit(types: SourceTypes, run: list[Member]) -> tuple[str, int, SourceType]:
    first = run[0].offset
    names = [member.name for member in run if member.name]
    shown = [*names[:_MOST_NAMES], "…"] if len(names) > _MOST_NAMES else names
    name = shown[0] if len(shown) == 1 else "{" + ", ".join(shown) + "}"
    return name, first, _BitUnit(types, (_end(run[-1]) + 7) // 8 - first)


class SourceTypes:
    """All types of a module, and the table of those that reports need."""

    def __init__(self, debug: DebugInfo) -> None:
        self.debug = debug
        self._types: dict[tuple[str, int], SourceType] = {}
        self._table: list[TypeInfo] = []
        self._index: dict[tuple[str, int], int] = {}

    def get(self, number: str, depth: int = 0) -> SourceType:
        """A type by its metadata node."""
        key = (self.debug.strip(number), depth)
        if key not in self._types:
            self._types[key] = SourceType(self, number, depth)
        return self._types[key]

    @cached_property
    def _by_name(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for number, text in self.debug.texts.items():
            match = _COMPOSITE.search(text)
            if match and "DIFlagFwdDecl" not in text:
                found.setdefault(match[1], number)
        return found

    def struct_named(self, ir_name: str) -> SourceType | None:
        """The source type of an IR struct such as ``struct.node``."""
        parts = ir_name.split(".")
        number = self._by_name.get(parts[1]) if len(parts) > 1 else None
        return self.get(number) if number else None

    def index(self, type_: SourceType) -> int:
        """A type's index in ``Program.types``, entered with its parts."""
        key = (type_.number, type_.depth)
        if key in self._index:
            return self._index[key]
        self._index[key] = index = len(self._table)
        kind = "scalar" if type_.kind == "pointer" else type_.kind
        self._table.append(TypeInfo(type_.name, type_.size, kind))
        members = tuple((name, offset, self.index(part)) for name, offset, part in type_.units)
        element = self.index(type_.element) if kind == "array" else -1
        self._table[index] = TypeInfo(type_.name, type_.size, kind, members, element)
        return index

    def table(self) -> tuple[TypeInfo, ...]:
        """``Program.types``."""
        return tuple(self._table)
