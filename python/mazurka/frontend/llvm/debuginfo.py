"""Debug metadata, parsed on demand: positions, variables and source types.

I1: every position is in a file of the checked program; one in a system header is moved to the call site
it was inlined at, or dropped.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass

from mazurka.frontend.c.compiler import is_system_file
from mazurka.frontend.llvm.lexer import words
from mazurka.program import Position

_FIELD = re.compile(r'(\w+): ("(?:[^"\\]|\\.)*"|!\d+|[^,()]+)')
_ESCAPE = re.compile(rb"\\(\\|[0-9A-Fa-f]{2})")
_REFERENCE = re.compile(r"!\d+")
_QUALIFIERS = words(
    "DW_TAG_typedef DW_TAG_const_type DW_TAG_volatile_type DW_TAG_atomic_type DW_TAG_restrict_type"
)
_AGGREGATES = {
    "DW_TAG_structure_type": "struct",
    "DW_TAG_class_type": "struct",
    "DW_TAG_union_type": "union",
    "DW_TAG_array_type": "array",
}
_REFERENCES = words("DW_TAG_reference_type DW_TAG_rvalue_reference_type")
_POINTERS = _REFERENCES | {"DW_TAG_pointer_type"}


@dataclass(frozen=True, slots=True)
class Member:
    """A named part of a struct or union."""

    name: str
    offset: int
    type: str
    bits: tuple[int, int] | None = None  # a bit-field: the bits of the struct that it has


def _unquoted(value: str) -> str:
    """A field's value. In strings LLVM writes quotes, and bytes outside printable ASCII, in hexadecimal."""
    value = value.strip('"').rstrip()
    if "\\" not in value:
        return value
    raw = _ESCAPE.sub(lambda m: m[1] if m[1] == b"\\" else bytes.fromhex(m[1].decode()), value.encode())
    return os.fsdecode(raw)


def _without_arguments(name: str) -> str:
    """A name without template arguments; operators keep their signs."""
    if name.startswith("operator") or not name.endswith(">"):
        return name
    return name[: name.index("<")]


class DebugInfo:
    """Answers questions about metadata nodes, which are named by their number such as ``!12``."""

    def __init__(self, metadata: dict[str, str], files: SourceFiles) -> None:
        self.texts = metadata
        self._files = files
        self._nodes: dict[str, dict[str, str]] = {}
        self._positions: dict[str, Position | None] = {}

    def node(self, number: str) -> dict[str, str]:
        """The fields of a node; strings keep no quotes."""
        found = self._nodes.get(number)
        if found is None:
            text = self.texts.get(number, "")
            found = {name: _unquoted(value) for name, value in _FIELD.findall(text)}
            self._nodes[number] = found
        return found

    def references(self, number: str) -> list[str]:
        """The nodes that a list node names."""
        return _REFERENCE.findall(self.texts.get(number, ""))

    def text(self, number: str) -> str:
        """A node as printed."""
        return self.texts.get(number, "")

    def position(self, number: str | None) -> Position | None:
        """The position of a DILocation."""
        if number is None:
            return None
        if number not in self._positions:
            self._positions[number] = self._find_position(number)
        return self._positions[number]

    def _find_position(self, number: str) -> Position | None:
        node = self.node(number)
        line = int(node.get("line", "0"))
        file = self.file_of_scope(node.get("scope", ""))
        if line and file is not None:
            return Position(file, line, int(node.get("column", "0")))
        return self.position(node.get("inlinedAt"))

    def file_of_scope(self, number: str) -> str | None:
        """The user's file that a scope belongs to."""
        while number in self.texts:
            node = self.node(number)
            if "file" in node:
                file = self.node(node["file"])
                return self._files.shown(file.get("directory", ""), file.get("filename", ""))
            number = node.get("scope", "")
        return None

    def function_position(self, number: str | None) -> Position | None:
        """The position of a DISubprogram."""
        if number is None:
            return None
        file = self.file_of_scope(number)
        line = int(self.node(number).get("line", "0"))
        return Position(file, line, 0) if file is not None and line else None

    def function_name(self, number: str | None, otherwise: str) -> str:
        """What the source calls a function, with its classes and namespaces, without template arguments.

        A lambda expression is called after the function that it stands in.
        """
        node = self.node(number) if number is not None else {}
        if "linkageName" not in node:
            return node.get("name") or otherwise
        parts = [_without_arguments(node.get("name", ""))]
        scope = node.get("scope", "")
        while scope in self.texts:
            outer = self.node(scope)
            text = self.texts[scope]
            if self.is_closure(scope):
                parts = [f"lambda:{node.get('line', '0')}"]
            elif "!DISubprogram(" in text or "DICompositeType(" in text or "DINamespace(" in text:
                parts.insert(0, _without_arguments(outer.get("name", "")))
            scope = outer.get("scope", "")
        return "::".join(part for part in parts if part and part != "__1")

    def is_system_function(self, number: str | None) -> bool:
        """Whether a function belongs to a system header."""
        return number is not None and self.file_of_scope(number) is None

    def is_own_variable(self, number: str) -> bool:
        """Whether a variable belongs to the checked program, not to a system header."""
        return self.file_of_scope(self.node(number).get("scope", "")) is not None

    def loop_position(self, number: str | None) -> Position | None:
        """The start of the loop statement, from the ``llvm.loop`` node of its back edge."""
        if number is None:
            return None
        for reference in self.references(number)[1:]:
            if self.text(reference).startswith("!DILocation"):
                return self.position(reference)
        return None

    def variable(self, number: str) -> tuple[str, str]:
        """Name and type of a DILocalVariable or DIGlobalVariableExpression."""
        node = self.node(number)
        if "var" in node:
            node = self.node(node["var"])
        return node.get("name", ""), node.get("type", "")

    def variable_position(self, number: str) -> Position | None:
        """Where a DILocalVariable is declared."""
        node = self.node(number)
        file = self.file_of_scope(node.get("scope", ""))
        line = int(node.get("line", "0"))
        return Position(file, line, 0) if file is not None and line else None

    def strip(self, number: str) -> str:
        """A type without typedefs and qualifiers; the empty string is void."""
        while self.node(number).get("tag") in _QUALIFIERS:
            number = self.node(number).get("baseType", "")
        return number

    def pointee(self, number: str) -> str | None:
        """What a pointer type points to."""
        node = self.node(self.strip(number))
        return node.get("baseType", "") if node.get("tag") in _POINTERS else None

    def is_reference(self, number: str) -> bool:
        """Whether a type is a reference, which is used like what it refers to."""
        return self.node(self.strip(number)).get("tag") in _REFERENCES

    def is_closure(self, number: str) -> bool:
        """Whether a type is that of a lambda expression, which has no name."""
        node = self.node(self.strip(number))
        return node.get("tag") == "DW_TAG_class_type" and "name" not in node

    def has_unknown_part(self, number: str) -> bool:
        """Whether a type, or a base class of it, is only declared here: clang describes some classes once."""
        node = self.node(self.strip(number))
        elements = (self.node(reference) for reference in self.references(node.get("elements", "")))
        bases = [e.get("baseType", "") for e in elements if e.get("tag") == "DW_TAG_inheritance"]
        return "FwdDecl" in node.get("flags", "") or any(map(self.has_unknown_part, bases))

    def is_cpp(self, number: str) -> bool:
        """Whether a type is a class of C++, known by its mangled name."""
        return "identifier" in self.node(self.strip(number))

    def kind(self, number: str) -> str:
        """struct, union, array or scalar."""
        return _AGGREGATES.get(self.node(self.strip(number)).get("tag", ""), "scalar")

    def size(self, number: str) -> int:
        """Bytes of a type."""
        node = self.node(self.strip(number))
        return int(node.get("size", "0")) // 8

    def members(self, number: str) -> list[Member]:
        """The members of a struct, union or class; base classes are members without a name."""
        found = []
        is_cpp, is_cell = self.is_cpp(number), self._is_cell(number)
        for reference in self.references(self.node(self.strip(number)).get("elements", "")):
            node = self.node(reference)
            if node.get("tag") == "DW_TAG_inheritance":
                if self.members(node.get("baseType", "")):
                    found.append(Member("", int(node.get("offset", "0")) // 8, node.get("baseType", "")))
            elif node.get("tag") == "DW_TAG_member" and "StaticMember" not in node.get("flags", ""):
                offset = int(node.get("offset", "0"))
                bits = (
                    (offset, offset + int(node.get("size", "0")))
                    if "BitField" in node.get("flags", "")
                    else None
                )
                name = node.get("name", "")
                name = "_vptr" if name.startswith("_vptr$") else name  # without its class
                # of a library: nobody knows it by that name
                hidden = (is_cpp and name.startswith("__")) or is_cell
                found.append(Member("" if hidden else name, offset // 8, node.get("baseType", ""), bits))
        return found

    def _is_cell(self, number: str) -> bool:
        """Whether a type is one of Rust's around a single value: an atomic or a cell."""
        scope = self.node(self.strip(number)).get("scope", "")
        names: list[str] = []
        while self.texts.get(scope, "").startswith("!DINamespace("):
            names.insert(0, self.node(scope).get("name", ""))
            scope = self.node(scope).get("scope", "")
        return names in (["core", "sync", "atomic"], ["core", "cell"])

    def dimensions(self, number: str) -> list[int]:
        """The counts of an array type, outermost first; 0 for a flexible one."""
        elements = self.references(self.node(self.strip(number)).get("elements", ""))
        counts = [self.node(reference).get("count", "0") for reference in elements]
        return [int(count) if count.lstrip("-").isdigit() else 0 for count in counts]

    def element(self, number: str) -> str:
        """The innermost element type of an array type."""
        return self.node(self.strip(number)).get("baseType", "")

    def type_name(self, number: str) -> str:
        """A type as the source writes it, near enough for a report."""
        node = self.node(number)
        if not node:
            return "void"
        tag = node.get("tag", "")
        base = node.get("baseType", "")
        if tag in _POINTERS:
            return f"{self.type_name(base)} {'&' if tag in _REFERENCES else '*'}"
        if tag in _AGGREGATES and self.is_cpp(number):
            return node.get("name") or "lambda"
        if tag in _AGGREGATES and tag != "DW_TAG_array_type":
            return f"{_AGGREGATES[tag]} {node.get('name', '')}".rstrip()
        if tag == "DW_TAG_array_type":
            return self.type_name(base) + "".join(f"[{count}]" for count in self.dimensions(number))
        if tag == "DW_TAG_atomic_type":
            return f"_Atomic {self.type_name(base)}"
        return node.get("name") or self.type_name(base)


class SourceFiles:
    """Shows files as the user named them."""

    def __init__(self, named: Iterable[tuple[str, str]]) -> None:
        self._named = {os.path.realpath(path): shown for path, shown in named}
        self._cache: dict[tuple[str, str], str | None] = {}
        self.used: dict[str, str] = {}  # shown -> path

    def shown(self, directory: str, filename: str) -> str | None:
        """A file of the program as the user would write it; None for a system header."""
        key = (directory, filename)
        if key not in self._cache:
            self._cache[key] = self._show(os.path.join(directory, filename))
        return self._cache[key]

    def _show(self, path: str) -> str | None:
        real = os.path.realpath(path)
        if real in self._named:
            shown = self._named[real]
        elif is_system_file(real) or is_system_file(path):
            return None
        else:
            shown = os.path.relpath(real)
            if shown.startswith(os.pardir):
                shown = real
        self.used[shown] = real
        return shown
