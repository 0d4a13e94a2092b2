"""Where globals, thread-locals and functions live, their initial bytes, and the value of constants.

I1: there is a gap between globals, and an address that leaves the global it was computed from is in no
global: stepping out of one is a finding, and never reaches another.
I2: addresses are assigned before any constant is evaluated, because initialisers refer to each other.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Iterable
from typing import NoReturn

from mazurka.errors import ErrorCode, Place, SourceError
from mazurka.frontend.analysis.stable import symbols_in
from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.ir import signed
from mazurka.frontend.llvm.mangling import readable
from mazurka.frontend.lowering.initial import InitialBytes
from mazurka.program import (
    GAP,
    SLACK,
    Global,
    Pieces,
    Region,
    ThreadLocal,
    address,
    is_around,
    origin,
    pieces_of,
    step_address,
)

LARGEST_OBJECT = 1 << 28
_LARGEST_GLOBAL = (1 << 32) - 1  # the size is a 32-bit number of the encoded Program
_LARGE = 1 << 16  # bytes: globals of this size or more are placed separately
_FIRST = 4096
_FIRST_LABEL = 1 << 27  # in CODE
_FIRST_LARGE = 1 << 28
_LAST = 1 << 43  # half of the region: what is computed far outside of a global keeps its order
_LARGEST_TLS = (1 << 23) - 4096  # the engine's limit, less some for our own
_LAST_TLS = 1 << 26  # the engine's is larger
_STREAMS = frozenset(("stdin", "stdout", "stderr"))  # opaque handles; printing does not look at them
_BITS = 64
_MASK = (1 << _BITS) - 1


class NotConstantError(Exception):
    """A value that is not known before the program runs, or cannot be represented."""


def gep_offset(source: ir.Type, indices: list[int]) -> int:
    """The byte offset of a getelementptr with constant (signed) indices."""
    offset = indices[0] * source.size
    for index in indices[1:]:
        if isinstance(source, ir.StructType):
            offset += source.offsets[index]
            source = source.fields[index]
        else:
            assert isinstance(source, ir.ArrayType)
            source = source.element
            offset += index * source.size
    return offset


def _unsupported(module: ir.Module) -> set[str]:
    """What the C++ library declares and does not define here, and the tables of classes that name it."""
    found = {
        item.name for item in module.globals.values() if item.value is None and item.name.startswith("_Z")
    }
    tables = {
        item.name: set(symbols_in(item.value))
        for item in module.globals.values()
        if found and item.name.startswith("_ZT")
    }
    while more := {
        name for name, parts in tables.items() if name not in found and not parts.isdisjoint(found)
    }:
        found |= more
    return found


class Layout:
    """Assigns addresses to what a module defines."""

    def __init__(
        self,
        module: ir.Module,
        function_index: Callable[[str], int],
        place_of: Callable[[ir.IrGlobal], Place],
        null: frozenset[str],
    ) -> None:
        self._module = module
        self._function_index = function_index
        self._place_of = place_of
        self._null = null
        self._next = [_FIRST, _FIRST_LARGE]
        self._addresses: dict[str, int] = {}
        self._extents: list[tuple[int, int]] = []  # of all objects, by address
        self._texts: dict[bytes, int] = {}
        self._extra: list[Global] = []
        self._arguments = 0
        self._words: dict[str, int] = {}
        self._labels: dict[tuple[str, str], int] = {}
        self.tls: dict[str, int] = {}
        self._tls_sizes: dict[str, int] = {}
        self._tls_next = self._tls_block = 0
        left_out = {*null, *_unsupported(module)}  # the latter are refused where they are used
        for item in module.globals.values():
            if not item.name.startswith("llvm.") and item.name not in left_out:
                self._place(item)

    def _place(self, item: ir.IrGlobal) -> None:
        if item.thread_local:
            self._place_tls(item.name, item.type.size, item.align)
            if self._tls_block > _LARGEST_TLS or self._tls_next > _LAST_TLS:
                self._refuse_size(
                    item, "thread-local variables may take almost 8 MiB; make it smaller for checking"
                )
        else:
            size = max(item.type.size, 1)
            if size > _LARGEST_GLOBAL or self._next[1] + size + item.align > _LAST:
                self._refuse_size(
                    item,
                    "a global must be smaller than 4 GiB, and all of them together at most 8 TiB; "
                    "make it smaller for checking",
                )
            self._addresses[item.name] = self._reserve(size, item.align)

    def _refuse_size(self, item: ir.IrGlobal, hint: str) -> NoReturn:
        message = f"the variable '{item.name}' of {item.type.size} bytes is too large"
        raise SourceError(ErrorCode.TOO_LARGE, message, place=self._place_of(item), hint=hint)

    def _reserve(self, size: int, align: int) -> int:
        """An address; large globals are placed separately, because small addresses are looked up fastest."""
        apart = size >= _LARGE or self._next[0] + size + align + GAP > _FIRST_LARGE
        offset = _round(self._next[apart], max(align, 8))
        self._next[apart] = offset + size + GAP
        start = address(Region.GLOBAL, offset)
        insort(self._extents, (start, start + size))
        return start

    def _object_around(self, place: int) -> tuple[int, int] | None:
        """The object that an address was made from."""
        after = bisect_right(self._extents, (place + SLACK, _MASK))
        nearest = self._extents[after - 1] if after else (0, 0)
        return nearest if is_around(nearest, place) else None

    def step(self, base: int, offset: int) -> int:
        """The constant address that STEP would compute."""
        return step_address(self._object_around(origin(base)), base, offset)

    def room(self, place: int) -> int:
        """Bytes from a constant address to the end of its object."""
        extent = self._object_around(place)
        return max(extent[1] - place, 0) if extent is not None and extent[0] <= place else 0

    def text(self, text: str) -> int:
        """The address of a constant string that the front-end adds."""
        data = text.encode() + b"\0"
        if data not in self._texts:
            self._texts[data] = self._reserve(len(data), 1)
            self._extra.append(Global(repr(text), self._texts[data], len(data), pieces_of(data), True))
        return self._texts[data]

    def main_arguments(self) -> int:
        """The address of ``argv``: the program's name and the final null."""
        if not self._arguments:
            data = self.text("program").to_bytes(8, "little") + bytes(8)
            self._arguments = self._reserve(len(data), 8)
            self._extra.append(Global("argv", self._arguments, len(data), pieces_of(data), True))
        return self._arguments

    def words(self, name: str, size: int) -> int:
        """The address of shared memory that the library needs: zeros, of so many bytes."""
        if name not in self._words:
            self._words[name] = self._reserve(size, 8)
            self._extra.append(Global(name, self._words[name], size, (), False))
        return self._words[name]

    def reserve_tls(self, name: str, size: int) -> int:
        """The offset of a thread-local that the front-end adds."""
        if name not in self.tls:
            self._place_tls(name, size, 8)
        return self.tls[name]

    def _place_tls(self, name: str, size: int, align: int) -> None:
        self.tls[name] = _round(self._tls_next, align)
        self._tls_sizes[name] = size
        self._tls_next = self.tls[name] + size + GAP
        self._tls_block += _round(size, 8)

    def string_at(self, value: ir.Value) -> str | None:
        """The C string that a constant address names, if it is known."""
        found = self.bytes_at(value)
        return found.decode(errors="replace") if found is not None else None

    def bytes_at(self, value: ir.Value) -> bytes | None:
        """The bytes of that string."""
        if not isinstance(value, ir.Symbol) or value.name not in self._module.globals:
            return None
        item = self._module.globals[value.name]
        if item.constant and isinstance(item.value, ir.Zero):
            return b""
        if not item.constant or not isinstance(item.value, ir.Bytes):
            return None
        return item.value.data.split(b"\0")[0]

    def symbol(self, name: str) -> int:
        """The address of a global or function."""
        if name in self._module.aliases:
            return self.constant(*self._module.aliases[name])
        if name in self._null:
            return 0
        if name in self._addresses:
            return self._addresses[name]
        if name in self._module.functions:
            return address(Region.CODE, 16 * self._function_index(name))
        raise NotConstantError(f"the address of '{readable(name) or name}'")

    def label(self, function: str, name: str) -> int:
        """The address of a block: a number behind those of all functions."""
        number = self._labels.setdefault((function, name), len(self._labels))
        return address(Region.CODE, _FIRST_LABEL + number)

    def constant(self, type_: ir.Type, value: ir.Value) -> int:
        """The value of a scalar constant."""
        if isinstance(value, ir.Number):
            return value.bits
        if isinstance(value, (ir.Undefined, ir.Zero)):
            return 0
        if isinstance(value, ir.Symbol):
            return self.symbol(value.name)
        if isinstance(value, ir.Label):
            return self.label(value.function, value.name)
        if isinstance(value, ir.Expression):
            return self._expression(value) & (1 << ir.width(type_)) - 1
        raise NotConstantError(value.text if isinstance(value, ir.Unreadable) else "this constant")

    def _expression(self, value: ir.Expression) -> int:
        numbers = [self.constant(*operand) for operand in value.operands]
        if value.op == "getelementptr":
            indices = [
                signed(number, ir.width(type_))
                for number, (type_, _) in zip(numbers, value.operands, strict=True)
            ]
            return self.step(numbers[0], gep_offset(value.type, indices[1:]))
        if value.op in ("ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast", "trunc", "zext"):
            return numbers[0]
        if value.op in ARITHMETIC and ir.width(value.type) <= _BITS:
            return ARITHMETIC[value.op](numbers[0], numbers[1])
        raise NotConstantError(f"the constant expression '{value.op}'")

    def _fill(self, data: InitialBytes, at: int, type_: ir.Type, value: ir.Value | None) -> None:
        if value is None or isinstance(value, (ir.Zero, ir.Undefined)):
            return
        if isinstance(value, ir.Bytes):
            data.put(at, value.data)
        elif isinstance(value, ir.Elements):
            step = 0
            for i, (part_type, part) in enumerate(value.parts):
                offset = type_.offsets[i] if isinstance(type_, ir.StructType) else step
                self._fill(data, at + offset, part_type, part)
                step += part_type.size
        else:
            size = min(type_.size, 8) if not isinstance(type_, ir.IntType) else type_.size
            number = self.constant(type_, value)
            data.put(at, number.to_bytes(max(size, (number.bit_length() + 7) // 8), "little")[:size])

    def globals(
        self, type_of: Callable[[ir.IrGlobal], int], name_of: Callable[[ir.IrGlobal], str]
    ) -> list[Global]:
        """All globals with their initial bytes."""
        found = []
        for item in self._module.globals.values():
            if item.name not in self._addresses:
                continue
            self._check_defined(item)
            constant = item.constant or item.name in _STREAMS
            place = self._addresses[item.name]
            data = self._pieces_of(item)
            found.append(Global(name_of(item), place, item.type.size, data, constant, type_of(item)))
        return found

    def texts(self) -> list[Global]:
        """The constants that the front-end adds."""
        return self._extra

    def thread_locals(self) -> tuple[ThreadLocal, ...]:
        """All thread-locals with their initial bytes."""
        return tuple(
            ThreadLocal(self.tls[name], size, self._tls_bytes(name)) for name, size in self._tls_sizes.items()
        )

    def forget_thread_locals(self, names: Iterable[str]) -> None:
        """These are not private memory."""
        for name in names:
            if self.tls.pop(name, None) is not None:
                self._tls_block -= _round(self._tls_sizes.pop(name), 8)

    def _tls_bytes(self, name: str) -> bytes:
        item = self._module.globals.get(name)
        return b"" if item is None else self.initial_bytes(item).rstrip(b"\0")

    def initial_bytes(self, item: ir.IrGlobal) -> bytes:
        """What a variable holds at first."""
        self._check_defined(item)
        data = bytearray(item.type.size)
        for at, piece in self._pieces_of(item):
            data[at : at + len(piece)] = piece
        return bytes(data)

    def _pieces_of(self, item: ir.IrGlobal) -> Pieces:
        data = InitialBytes()
        try:
            self._fill(data, 0, item.type, item.value)
            return data.pieces()
        except NotConstantError as reason:
            message = f"the initialiser of '{item.name}' uses {reason}, which is not supported"
            raise SourceError(
                ErrorCode.UNSUPPORTED,
                message,
                place=self._place_of(item),
                hint="initialise it in main instead",
            ) from None

    def _check_defined(self, item: ir.IrGlobal) -> None:
        if item.value is None and item.name not in _STREAMS:
            raise SourceError(
                ErrorCode.UNSUPPORTED,
                f"the variable '{item.name}' is declared but never defined",
                place=self._place_of(item),
                hint=f"define '{item.name}' in the checked file",
            )


ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: (a + b) & _MASK,
    "sub": lambda a, b: (a - b) & _MASK,
    "mul": lambda a, b: (a * b) & _MASK,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: (a << min(b, 64)) & _MASK,
    "lshr": lambda a, b: a >> min(b, 64),
}


def _round(offset: int, align: int) -> int:
    return (offset + align - 1) // align * align
