"""Tokens of textual IR, the parser's cursor over them, and what is shared by all of its parts."""

from __future__ import annotations

import re
import struct

from mazurka.errors import InternalError
from mazurka.frontend.llvm import ir

TOKEN = re.compile(
    r'c?"[^"]*"'
    r'|[%@]"[^"]*"'
    r"|[%@$][-\w.$]+"
    r"|#\d+"
    r"|-?\d+(?:\.\d+(?:e[+-]?\d+)?)?(?![\w.])"
    r"|f?0x[0-9A-Fa-fHKLMR]+"
    r"|![-\w.]*"
    r"|\.\.\."
    r"|[\w.]+"
    r"|[\[\](){}<>=,*|:]"
)
_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2}|\\)")

_FLOATS = {
    "float": 32,
    "double": 64,
    "half": 16,
    "bfloat": 16,
    "x86_fp80": 80,
    "fp128": 128,
    "ppc_fp128": 128,
}
_VOID = ir.VoidType()
_POINTER = ir.PointerType()
_OPENING = {"(": ")", "[": "]", "{": "}", "<": ">"}


def words(text: str) -> frozenset[str]:
    """A set of keywords."""
    return frozenset(text.split())


def unquote(token: str) -> str:
    """A symbol's or label's name without its sigil and quotes."""
    name = token[1:] if token[:1] in "%@$" else token
    return name[1:-1] if name.startswith('"') else name


def string_bytes(token: str) -> bytes:
    """The bytes of a string token such as ``c"ab\\00"``."""
    raw = token[token.index('"') + 1 : -1].encode()
    return _ESCAPE.sub(lambda m: b"\\" if m[1] == b"\\" else bytes([int(m[1], 16)]), raw)


class UnknownIR(InternalError):  # noqa: N818 - named for what it is
    """A line of IR that this front-end cannot read, though LLVM can."""


class Cursor:
    """Reads tokens from left to right."""

    def __init__(self, text: str, structs: dict[str, ir.StructType], types: dict[str, ir.Type]) -> None:
        self.text = text
        self.tokens: list[str] = [*TOKEN.findall(text), ""]
        self.at = 0
        self._structs = structs
        self._types = types

    def peek(self) -> str:
        """The next token, or the empty string at the end."""
        return self.tokens[self.at]

    def next(self) -> str:
        """Takes the next token."""
        token = self.tokens[self.at]
        self.at += 1
        return token

    def take(self, token: str) -> bool:
        """Takes the next token if it is this one."""
        if self.tokens[self.at] == token:
            self.at += 1
            return True
        return False

    def expect(self, token: str) -> None:
        """Takes this token, which must be next."""
        if not self.take(token):
            raise self.error(f"expected '{token}'")

    def error(self, reason: str) -> UnknownIR:
        """An error about the text at the cursor."""
        return UnknownIR(
            f"cannot read LLVM IR: {reason} before '{self.peek()}' in: {self.text.strip()[:200]}",
            hint="please report the program; until then, rewrite the construct on that line",
        )

    def skip_group(self) -> None:
        """Skips a bracketed group, if one comes next."""
        closing = _OPENING.get(self.peek())
        if closing is None:
            return
        depth, opening = 0, self.peek()
        while True:
            token = self.next()
            depth += (token == opening) - (token == closing)
            if depth == 0 or not token:
                return

    def type(self) -> ir.Type:
        """Takes a type."""
        token = self.next()
        known = self._types.get(token)
        if known is None:
            known = self._new_type(token)
        if self.peek() == "(":
            return self._function_type(known)
        return known

    def _new_type(self, token: str) -> ir.Type:
        made: ir.Type
        if token in ("void", "label", "metadata", "token"):
            made = _VOID
        elif token == "ptr":
            if self.take("addrspace"):
                self.skip_group()
            return _POINTER
        elif token[0] == "i" and token[1:].isdigit():
            made = ir.IntType(int(token[1:]))
        elif token in _FLOATS:
            made = ir.FloatType(token, _FLOATS[token])
        elif token[0] == "%":
            return self._structs.setdefault(unquote(token), ir.StructType(unquote(token)))
        elif token in ("[", "<", "{"):
            return self._aggregate(token)
        else:
            self.at -= 1
            raise self.error("expected a type")
        self._types[token] = made
        return made

    def _aggregate(self, opening: str) -> ir.Type:
        if opening == "<" and self.take("{"):
            fields = self._type_list("}")
            self.expect(">")
            return ir.StructType().define(fields, packed=True)
        if opening == "{":
            return ir.StructType().define(self._type_list("}"), packed=False)
        if not self.peek().isdigit():
            raise self.error("expected a number of elements")
        count = int(self.next())
        self.expect("x")
        element = self.type()
        self.expect("]" if opening == "[" else ">")
        return ir.ArrayType(count, element, vector=opening == "<")

    def _type_list(self, closing: str) -> list[ir.Type]:
        fields: list[ir.Type] = []
        while not self.take(closing):
            fields.append(self.type())
            self.take(",")
        return fields

    def _function_type(self, result: ir.Type) -> ir.FunctionType:
        self.expect("(")
        params: list[ir.Type] = []
        varargs = False
        while not self.take(")"):
            if self.take("..."):
                varargs = True
            else:
                params.append(self.type())
            self.take(",")
        return ir.FunctionType(result, params, varargs)


def float_bits(token: str, type_: ir.Type) -> int | None:
    """The bit pattern of a float literal in its type, or None if the type is not float or double.

    LLVM prints both as the bits of a double (or ``f0x`` and the bits of the type itself).
    """
    bits = ir.width(type_)
    if bits not in (32, 64) or (token.startswith("0x") and not token[2:3].isalnum()):
        return None
    if token.startswith("f0x"):
        return int(token[3:], 16)
    if token.startswith("0x"):
        number = struct.unpack("<d", struct.pack("<Q", int(token[2:], 16)))[0]
    else:
        number = float(token)
    code = "<d" if bits == 64 else "<f"
    return int.from_bytes(struct.pack(code, number), "little")
