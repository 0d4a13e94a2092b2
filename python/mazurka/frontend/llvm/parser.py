"""Parses a whole module of textual IR.

llvmlite's objects do not expose orderings, predicates, the types of a getelementptr or debug locations, so
the text that LLVM prints is read instead. It is line-based: each line is a global, an instruction or a
metadata node, and a function's body is between ``define`` and ``}``. Metadata is kept as text and parsed on
demand (``debuginfo``), because most of it is never needed.
"""

from __future__ import annotations

import re

from mazurka.deadline import look
from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.instructions import instruction, split_metadata
from mazurka.frontend.llvm.lexer import Cursor, unquote, words
from mazurka.frontend.llvm.values import operand, parameter_attributes, value

_FUNCTION_METADATA = re.compile(r"!([\w.]+) (!\d+)")
_DEBUG = re.compile(
    r"#dbg_(?:value|declare|assign)\((?P<operand>[^!]*?), (?P<variable>!\d+), !DIExpression\((?P<expr>.*?)\)"
)
_LABEL = re.compile(r'^("[^"]*"|[-\w.$]+):')
_LINKAGES = words(
    "private internal external linkonce linkonce_odr weak weak_odr common available_externally appending "
    "extern_weak dso_local dso_preemptable hidden protected default unnamed_addr local_unnamed_addr "
    "externally_initialized dllimport dllexport"
)


class ModuleParser:
    """Holds what is shared by the lines of a module."""

    def __init__(self) -> None:
        self.structs: dict[str, ir.StructType] = {}
        self._types: dict[str, ir.Type] = {}
        self.module = ir.Module({}, {}, {}, {}, set())

    def parse(self, text: str) -> ir.Module:
        """The module that the text describes."""
        lines = text.split("\n")
        self.define_structs(lines)
        at = 0
        while at < len(lines):
            line = lines[at]
            first = line[:1]
            at += 1
            if first == "!":
                number, _, rest = line.partition(" = ")
                self.module.metadata[number] = rest
            elif first == "@":
                self._global(line)
            elif line.startswith("declare "):
                self._header(line)
            elif line.startswith("define "):
                at = self._function(lines, at - 1)
        return self.module

    def _cursor(self, text: str) -> Cursor:
        return Cursor(text, self.structs, self._types)

    def define_structs(self, lines: list[str]) -> None:
        """Lays out named structs, whose definitions LLVM may print after their first use."""
        texts = {}
        for line in lines:
            if line.startswith("%") and " = type " in line:
                name, _, body = line.partition(" = type ")
                texts[unquote(name)] = body
        for name in texts:
            self._define(name, texts)

    def _define(self, name: str, texts: dict[str, str]) -> None:
        struct = self.structs.setdefault(name, ir.StructType(name))
        if struct.fields or texts[name] == "opaque":
            return
        for inner in re.findall(r'%(?:"[^"]*"|[-\w.$]+)', texts[name]):
            self._define(unquote(inner), texts)
        body = self._cursor(texts[name]).type()
        assert isinstance(body, ir.StructType)
        struct.fields, struct.offsets = body.fields, body.offsets
        struct.size, struct.align = body.size, body.align

    def _global(self, line: str) -> None:
        text, metadata = split_metadata(line)
        cursor = self._cursor(text)
        name = unquote(cursor.next())
        cursor.expect("=")
        words: set[str] = set()
        while cursor.peek() in _LINKAGES or cursor.peek() in ("thread_local", "addrspace"):
            words.add(cursor.next())
            cursor.skip_group()
        kind = cursor.next()
        type_ = cursor.type()
        if kind == "alias":
            cursor.expect(",")
            self.module.aliases[name] = operand(cursor)
            return
        if "extern_weak" in words:
            self.module.weak.add(name)
        declared = "external" in words or "extern_weak" in words
        initial = None if declared else value(cursor, type_)
        align = type_.align
        while cursor.peek():
            if cursor.next() == "align":
                align = int(cursor.next())
        local = "thread_local" in words
        self.module.globals[name] = ir.IrGlobal(
            name, type_, initial, kind == "constant", local, align, metadata
        )

    def _header(self, line: str) -> ir.IrFunction:
        cursor = self._cursor(line)
        weak = False
        while not cursor.peek().startswith("@"):
            weak |= cursor.next() == "extern_weak"
        name_at = cursor.at
        cursor.at = self._result_start(cursor)
        result = cursor.type()
        cursor.at = name_at
        function = ir.IrFunction(unquote(cursor.next()), result, [])
        cursor.expect("(")
        while not cursor.take(")"):
            if cursor.take("..."):
                function.varargs = True
                continue
            type_ = cursor.type()
            attributes = parameter_attributes(cursor)
            name = unquote(cursor.next()) if cursor.peek().startswith("%") else str(len(function.params))
            byval = attributes.get("byval")
            function.params.append(ir.Parameter(name, type_, byval if isinstance(byval, ir.Type) else None))
            cursor.take(",")
        function.metadata = dict(_FUNCTION_METADATA.findall(line))
        function.is_library = f'section "{ir.LIBRARY_SECTION}"' in line
        self.module.functions[function.name] = function
        if weak:
            self.module.weak.add(function.name)
        return function

    def _result_start(self, cursor: Cursor) -> int:
        """Where the result type begins: just before the name, after linkage and attributes."""
        end = cursor.at
        if cursor.tokens[max(end - 4, 0)] == "addrspace":  # ptr addrspace(1)
            return end - 5
        closing = {"}": "{", "]": "[", ">": "<"}.get(cursor.tokens[end - 1])
        if closing is None:
            return end - 1
        depth, at = 0, end - 1
        while True:
            depth += (cursor.tokens[at] == cursor.tokens[end - 1]) - (cursor.tokens[at] == closing)
            if depth == 0:
                packed = cursor.tokens[at - 1] == "<" and cursor.tokens[at] == "{"
                return at - 1 if packed else at
            at -= 1

    def _function(self, lines: list[str], at: int) -> int:
        """Takes a definition that starts at a line; returns the line after it."""
        function = self._header(lines[at])
        at += 1
        while lines[at] != "}":
            line = lines[at]
            at += 1
            label = _LABEL.match(line) if line[:1] != " " else None
            if label:
                function.blocks.append(ir.Block(unquote(label[1])))
                continue
            if not function.blocks:
                unnamed = sum(param.name.isdigit() for param in function.params)
                function.blocks.append(ir.Block(str(unnamed)))
            if line.startswith("    #dbg_"):
                self._debug_record(line, function.blocks[-1])
            elif line.startswith("  "):
                while line.startswith("  switch ") and "]" not in line:
                    line += lines[at]
                    at += 1
                function.blocks[-1].insts.append(self.instruction(line))
        return at + 1

    def instruction(self, line: str) -> ir.Inst:
        """Takes a line with an instruction."""
        look()
        text, metadata = split_metadata(line)
        inst = instruction(self._cursor(text))
        inst.metadata = metadata
        return inst

    def _debug_record(self, line: str, block: ir.Block) -> None:
        """Keeps which variable a value belongs to, for names; fragments are not whole variables."""
        found = _DEBUG.search(line)
        if found is None or found["expr"]:
            return
        value_ = operand(self._cursor(found["operand"]))
        op = "declare" if "#dbg_declare" in line else "debug"
        block.insts.append(ir.Inst(op, "", ir.VoidType(), [value_], variable=found["variable"]))


def parse_module(text: str) -> ir.Module:
    """Parses a module."""
    return ModuleParser().parse(text)
