"""LLVM IR as this front-end reads it: types, values, instructions, functions, and data layout.

Only what clang prints for C is represented. Sizes and offsets follow the x86-64 data layout that the
driver asks for.

I1: a StructType with a name is shared by all its uses and may contain itself through pointers only.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mazurka.errors import ErrorCode, SourceError

# A call of this function, which has no definition, keeps a local variable in memory (``cleaning.overruns``).
KEEP = "mazurka.keep"
# The metadata of loads and stores that the source calls volatile (``cleaning.clean``).
VOLATILE = "mazurka.volatile"
# The section of functions that are linked from the C library (``libc``).
LIBRARY_SECTION = "mazurka.libc"
# Opaque functions, for locals that may have no value when they are read (``cleaning.unset``).
UNSET = "mazurka.unset"
READ = "mazurka.read"
CHECK = "mazurka.check"


def signed(value: int, bits: int) -> int:
    """A zero-extended value of some bits as a signed number."""
    return value - (1 << bits) if bits and value >> (bits - 1) & 1 else value


class Type:
    """A first-class type, or one of the few others that instructions mention."""

    size = 0  # bytes in memory
    align = 1


class IntType(Type):
    """An integer of any width."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.align = min(1 << max((bits + 7) // 8 - 1, 0).bit_length(), 16)
        self.size = (((bits + 7) // 8) + self.align - 1) // self.align * self.align

    def __repr__(self) -> str:
        return f"i{self.bits}"


class FloatType(Type):
    """A floating-point type; only float (32) and double (64) can be lowered."""

    def __init__(self, name: str, bits: int) -> None:
        self.name = name
        self.bits = bits
        self.size = self.align = 16 if bits > 64 else bits // 8

    def source_name(self) -> str:
        """The type as C writes it."""
        return {80: "long double", 16: "_Float16"}.get(self.bits, self.name)

    def __repr__(self) -> str:
        return self.name


class PointerType(Type):
    """An opaque pointer."""

    bits = 64
    size = align = 8

    def __repr__(self) -> str:
        return "ptr"


class VoidType(Type):
    """No value; also stands for label, metadata and token."""

    def __repr__(self) -> str:
        return "void"


class ArrayType(Type):
    """An array or, with ``vector``, a SIMD vector."""

    def __init__(self, count: int, element: Type, vector: bool = False) -> None:
        self.count = count
        self.element = element
        self.vector = vector
        self.size = count * element.size
        self.align = element.align
        if vector:
            self.size = self.align = 1 << max(self.size - 1, 0).bit_length()

    def __repr__(self) -> str:
        return f"<{self.count} x {self.element}>" if self.vector else f"[{self.count} x {self.element}]"


class StructType(Type):
    """A struct; ``fields`` and ``offsets`` are empty until its definition has been read."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.fields: list[Type] = []
        self.offsets: list[int] = []

    def define(self, fields: list[Type], packed: bool) -> StructType:
        """Fills in the fields and lays them out."""
        self.fields = fields
        offset, align = 0, 1
        for member in fields:
            step = 1 if packed else member.align
            offset = (offset + step - 1) // step * step
            self.offsets.append(offset)
            offset += member.size
            align = max(align, step)
        self.align = align
        self.size = (offset + align - 1) // align * align
        return self

    def __repr__(self) -> str:
        return f"%{self.name}" if self.name else "{ " + ", ".join(map(repr, self.fields)) + " }"


class FunctionType(Type):
    """The type that a varargs call spells out."""

    def __init__(self, result: Type, params: list[Type], varargs: bool) -> None:
        self.result = result
        self.params = params
        self.varargs = varargs


_WORD = 64  # bits
_MOST_SCALARS = 1 << 16  # of one value


def scalars(type_: Type, base: int = 0) -> list[tuple[int, Type]]:
    """The scalars inside a type with their byte offsets, in order; an integer of up to 128 bits has two."""
    if isinstance(type_, StructType):
        parts: list[tuple[int, Type]] = []
        for offset, member in zip(type_.offsets, type_.fields, strict=True):
            parts += scalars(member, base + offset)
        return parts
    if isinstance(type_, ArrayType):
        element = scalars(type_.element)
        if type_.count * len(element) > _MOST_SCALARS:
            raise SourceError(
                ErrorCode.TOO_LARGE,
                f"a value of type '{type_}' is too large to be handled as a whole",
                hint="access its elements one by one, or copy it with memcpy",
            )
        step = type_.element.size
        return [(base + i * step + at, leaf) for i in range(type_.count) for at, leaf in element]
    if isinstance(type_, IntType) and _WORD < type_.bits <= 2 * _WORD:
        return [(base, IntType(_WORD)), (base + _WORD // 8, IntType(type_.bits - _WORD))]
    return [] if isinstance(type_, VoidType) else [(base, type_)]


def width(type_: Type) -> int:
    """Bits of a scalar."""
    return int(getattr(type_, "bits", 0))


class Value:
    """An operand, compared by its fields. Plain classes, because dataclasses take long to import."""

    __slots__: tuple[str, ...] = ()

    def _fields(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Value) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash((type(self), self._fields()))

    def __repr__(self) -> str:
        return type(self).__name__ + repr(self._fields())


class Local(Value):
    """A parameter or the result of an instruction."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class Number(Value):
    """An integer, a float's bit pattern, or null; zero-extended."""

    __slots__ = ("bits",)

    def __init__(self, bits: int) -> None:
        self.bits = bits


class Undefined(Value):
    """undef or poison: any value will do, and the lowering picks zero."""


class Zero(Value):
    """zeroinitializer."""


class Symbol(Value):
    """The address of a global or function."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class Bytes(Value):
    """A string constant."""

    __slots__ = ("data",)

    def __init__(self, data: bytes) -> None:
        self.data = data


class Elements(Value):
    """A struct, array or vector constant."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[tuple[Type, Value], ...]) -> None:
        self.parts = parts


class Expression(Value):
    """A constant expression; ``type`` is the source type of a getelementptr or the target of a cast."""

    __slots__ = ("op", "operands", "type")

    def __init__(self, op: str, type_: Type, operands: tuple[tuple[Type, Value], ...]) -> None:
        self.op = op
        self.type = type_
        self.operands = operands


class Assembly(Value):
    """Inline assembly as a callee; ``elements`` are what arguments point to that stand for memory."""

    __slots__ = ("constraints", "elements", "template")

    def __init__(self, template: str, constraints: str = "", elements: tuple[Type | None, ...] = ()) -> None:
        self.template = template
        self.constraints = constraints
        self.elements = elements


class Label(Value):
    """The address of a block."""

    __slots__ = ("function", "name")

    def __init__(self, function: str, name: str) -> None:
        self.function = function
        self.name = name


class Unreadable(Value):
    """A constant of a kind that cannot be lowered, such as a long double."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


Operand = tuple[Type, Value]


@dataclass(slots=True)
class Inst:
    """One instruction. ``words`` holds flags, predicates and orderings in the order written."""

    op: str
    result: str
    type: Type
    operands: list[Operand]
    words: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)  # branch targets, incoming blocks of a phi
    indices: list[int] = field(default_factory=list)  # extractvalue, insertvalue, switch case values
    source: Type | None = None  # allocated type, element type of a getelementptr
    metadata: dict[str, str] = field(default_factory=dict)
    variable: str = ""  # debug records: the DILocalVariable
    fixed: int = -1  # calls with variable arguments: how many others there are
    by_value: dict[int, Type] | None = None  # calls: the types of arguments that are copied, by number


@dataclass(slots=True)
class Block:
    """A basic block."""

    name: str
    insts: list[Inst] = field(default_factory=list)


@dataclass(slots=True)
class Parameter:
    """A parameter; ``byval`` is the type that the callee owns a copy of."""

    name: str
    type: Type
    byval: Type | None = None


@dataclass(slots=True)
class IrFunction:
    """A function definition, or a declaration when it has no blocks."""

    name: str
    result: Type
    params: list[Parameter]
    varargs: bool = False
    blocks: list[Block] = field(default_factory=list)
    metadata: dict[str, str] = field(default_factory=dict)
    is_library: bool = False  # whether it comes from the C library


@dataclass(slots=True)
class IrGlobal:
    """A global variable; ``value`` is None when it is only declared."""

    name: str
    type: Type
    value: Value | None
    constant: bool
    thread_local: bool
    align: int
    metadata: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Module:
    """A parsed module."""

    globals: dict[str, IrGlobal]
    functions: dict[str, IrFunction]
    aliases: dict[str, Operand]
    metadata: dict[str, str]  # number -> text, parsed on demand
    weak: set[str]  # declared, and null unless another module defines them

    def resolve(self, name: str) -> str:
        """The global or function that a name stands for, past aliases that are nothing but another name."""
        while name in self.aliases:
            target = self.aliases[name][1]
            if not isinstance(target, Symbol):
                break
            name = target.name
        return name
