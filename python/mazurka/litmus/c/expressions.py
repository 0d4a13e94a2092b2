"""Expressions of C: read, and turned into operations, in one go from left to right.

A value is an operand and a type. It is kept in 64 bits: signed ones with their sign, others with zeros.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from mazurka.litmus.c.calls import CELL, INT, Calls, pointee
from mazurka.litmus.c.functions import Function
from mazurka.litmus.meaning.operations import (
    Branch,
    Compute,
    Label,
    Load,
    Operand,
    Operation,
    Register,
    Store,
)
from mazurka.litmus.meaning.values import QUALIFIERS, TYPES, Address, Type
from mazurka.litmus.text.places import read_type
from mazurka.litmus.text.problems import closest
from mazurka.litmus.text.tokens import Token, Tokens, number_of
from mazurka.program import Op

Typed: TypeAlias = tuple[Operand, Type]
_ALL = (1 << 64) - 1
_LEVELS = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_PLAIN = {"|": Op.OR, "^": Op.XOR, "&": Op.AND, "+": Op.ADD, "-": Op.SUB, "*": Op.MUL, "<<": Op.SHL}
_DIVISIONS = {"/": "DIV", "%": "REM"}
_MAY_FAIL = frozenset(op for op in Op if op.name[1:] in _DIVISIONS.values())
_COMPARISONS = {"==": "EQ", "!=": "NE", "<": "LT", "<=": "LE", ">": "LT", ">=": "LE"}
_DEEPEST = 60
_LITERALS = tuple(TYPES[name] for name in ("int", "unsigned", "long", "unsigned long"))


@dataclass
class Expected:
    """Where a C11 compare-exchange finds the expected value: a local variable, or memory."""

    read: Callable[[], Typed]
    write_unless: Callable[[Register, Register], None]


@dataclass
class Expressions:
    """Reads the expressions of a thread."""

    tokens: Tokens
    functions: dict[str, Function]
    pointers: dict[str, Type]  # parameters
    locals: dict[str, Type] = field(default_factory=dict)
    operations: list[Operation] = field(default_factory=list)
    temporaries: int = 0
    labels: int = 0
    depth: int = 0

    # operations

    def emit(self, operation: Operation) -> None:
        """Adds an operation."""
        self.operations.append(operation)

    def fresh(self) -> Register:
        """A register for an intermediate value."""
        self.temporaries += 1
        return Register(f"%{self.temporaries}")

    def label(self) -> str:
        """A label that is not used yet."""
        self.labels += 1
        return f"%L{self.labels}"

    def compute(self, op: Op, a: Operand, b: Operand = 0, c: Operand = 0) -> Register:
        """The result of a computation."""
        dst = self.fresh()
        self.emit(Compute(op, dst, a, b, c))
        return dst

    def narrowed(self, value: Operand, kind: Type) -> Operand:
        """A value, cut to a type of fewer than 64 bits and extended again."""
        bits = 8 * kind.width
        if bits >= 64:
            return value
        if isinstance(value, int):
            cut = value & (1 << bits) - 1
            return (cut - (1 << bits) if kind.is_signed and cut >> bits - 1 else cut) & _ALL
        low = self.fresh()
        self.emit(Compute(Op.TRUNC, low, value, width=bits))
        if not kind.is_signed:
            return low
        whole = self.fresh()
        self.emit(Compute(Op.SEXT, whole, low, width=bits, x=64))
        return whole

    def converted(self, typed: Typed, kind: Type) -> Operand:
        """A value as one of another type; addresses are kept whole, as litmus tests store them anywhere."""
        value, of = typed
        fits = of.width < kind.width or (of.width == kind.width and of.is_signed == kind.is_signed)
        return (
            value
            if fits or of.depth or (of.width == CELL and not isinstance(value, int))
            else self.narrowed(value, kind)
        )

    # expressions

    def value(self) -> Typed:
        """An expression."""
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.tokens.unexpected("this is nested too deeply", "compute a part of it first")
        found = self._level(0)
        if self.tokens.accept("?"):
            found = self._choice(found)
        self.depth -= 1
        return found

    def _choice(self, condition: Typed) -> Typed:
        before = len(self.operations)
        first, kind = self.value()
        self.tokens.expect(":", "write condition ? a : b")
        second, other = self.value()
        self._check_quiet(before)
        common = _common(kind, other)
        if not common.depth:
            first, second = self.converted((first, kind), common), self.converted((second, other), common)
        return self.compute(Op.SELECT, condition[0], first, second), common

    def _check_quiet(self, before: int) -> None:
        """Refuses accesses and divisions that C makes only sometimes inside an expression."""
        added = self.operations[before:]
        does_access = any(not isinstance(operation, Compute) for operation in added)
        if does_access or any(isinstance(step, Compute) and step.op in _MAY_FAIL for step in added):
            what = "memory is accessed" if does_access else "a number is divided"
            raise self.tokens.source.unsupported(
                self.tokens.peek().at,
                f"{what} in a part of an expression that may not be evaluated",
                hint="read it into a variable first, or use if",
            )

    def _level(self, level: int) -> Typed:
        if level == len(_LEVELS):
            return self._unary()
        left = self._level(level + 1)
        while sign := self.tokens.accept(*_LEVELS[level]):
            before = len(self.operations)
            right = self._level(level + 1)
            if sign.text in ("&&", "||"):
                self._check_quiet(before)
            left = self._combined(sign.text, left, right)
        return left

    def _combined(self, sign: str, left: Typed, right: Typed) -> Typed:
        (a, a_type), (b, b_type) = left, right
        if sign in ("&&", "||"):
            a, b = self.compute(Op.NE, a, 0), self.compute(Op.NE, b, 0)
            return self.compute(Op.AND if sign == "&&" else Op.OR, a, b), INT
        kind = _common(a_type, b_type)
        if not kind.depth and sign not in ("<<", ">>"):
            a, b = self.converted(left, kind), self.converted(right, kind)
        if sign in _COMPARISONS:
            prefix = "" if sign in ("==", "!=") else "S" if kind.is_signed else "U"
            operands = (b, a) if sign in (">", ">=") else (a, b)
            return self.compute(Op[prefix + _COMPARISONS[sign]], *operands), INT
        if sign in ("<<", ">>"):
            kind = a_type if a_type.width >= 4 else INT
            op = Op.SHL if sign == "<<" else Op.ASHR if kind.is_signed else Op.LSHR
            return self.narrowed(self.compute(op, a, b), kind), kind
        if sign in ("+", "-") and kind.depth:
            return self._moved_pointer(sign, left, right, kind)
        op = _PLAIN.get(sign) or Op[("S" if kind.is_signed else "U") + _DIVISIONS[sign]]
        return self.narrowed(self.compute(op, a, b), kind), kind

    def _moved_pointer(self, sign: str, left: Typed, right: Typed, kind: Type) -> Typed:
        """Pointer arithmetic: elements are cells."""
        (a, a_type), (b, b_type) = left, right
        if a_type.depth and not b_type.depth:
            b = b * CELL & _ALL if isinstance(b, int) else self.compute(Op.MUL, b, CELL)
        elif b_type.depth and not a_type.depth:
            a = a * CELL & _ALL if isinstance(a, int) else self.compute(Op.MUL, a, CELL)
        return self.compute(_PLAIN[sign], a, b), kind

    def _unary(self) -> Typed:
        tokens = self.tokens
        token = tokens.peek()
        if token.text == "*":
            address, kind = self.place()
            return self._load(address, kind)
        if tokens.accept("&"):
            address, kind = self.place()
            return address, Type(kind.name, kind.size, kind.is_signed, kind.is_atomic, kind.depth + 1)
        if tokens.accept("!"):
            return self.compute(Op.EQ, self._nested()[0], 0), INT
        if tokens.accept("-"):
            value, kind = self._nested()
            if isinstance(value, int):
                return self.narrowed(-value & _ALL, kind), kind
            return self.narrowed(self.compute(Op.SUB, 0, value), kind), kind
        if tokens.accept("~"):
            value, kind = self._nested()
            return self.narrowed(self.compute(Op.XOR, value, _ALL), kind), kind
        if self.at_cast():
            tokens.take()
            target = read_type(tokens, is_cast=True)
            tokens.expect(")", "close the parenthesis of the cast")
            assert target
            if target.width == 1 and target.name == "void":
                return self._nested()
            return self.converted(self._nested(), target), target
        return self._postfix()

    def _nested(self) -> Typed:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.tokens.unexpected("this is nested too deeply", "compute a part of it first")
        found = self._unary()
        self.depth -= 1
        return found

    def at_cast(self) -> bool:
        """Whether a type in parentheses comes next."""
        words = {*TYPES, *QUALIFIERS, "struct"}
        return self.tokens.peek().text == "(" and self.tokens.peek(1).text in words

    def _postfix(self) -> Typed:
        tokens, token = self.tokens, self.tokens.peek()
        if token.kind == "number":
            return self._literal(tokens.take())
        if tokens.accept("("):
            inner = self.value()
            tokens.expect(")", "close the parenthesis")
            return self._indexed(inner)
        name = tokens.name("an expression", "expressions are numbers, variables, *x, and calls")
        if tokens.peek().text == "(":
            return self._call(name)
        if name.text in ("true", "false", "NULL"):
            return int(name.text == "true"), INT
        return self._indexed(self._variable(name))

    def _literal(self, token: Token) -> Typed:
        """A number: of the first type that holds it, of those that C allows for how it is written."""
        digits = token.text.rstrip("uUlL")
        suffix = token.text[len(digits) :].lower()
        is_decimal = digits == "0" or not digits.startswith("0")
        try:
            value = number_of(token.text) if is_decimal or digits[1] in "xX" else int(digits, 8)
        except ValueError:
            value = _ALL + 1
        for kind in _LITERALS:
            is_allowed = "u" not in suffix if kind.is_signed else "u" in suffix or not is_decimal
            is_allowed &= kind.width > INT.width or "l" not in suffix
            if is_allowed and value >> 8 * kind.width - kind.is_signed == 0:
                return value, kind
        hint = "numbers have at most 64 bits, a decimal one without u at most 63, and 0 begins an octal one"
        raise self.tokens.source.problem(
            token.at, f"no type of C has the value '{token.text}'", hint=hint, length=len(token.text)
        )

    def _call(self, name: Token) -> Typed:
        function = self.functions.get(name.text)
        if function is None:
            raise self.tokens.source.unsupported(
                name.at,
                f"the function '{name.text}' is not supported",
                hint=closest(name.text, self.functions, "rewrite the test without it"),
                length=len(name.text),
            )
        return Calls(self).call(name, function)

    def _variable(self, name: Token) -> Typed:
        if name.text in self.locals:
            return Register(name.text), self.locals[name.text]
        if name.text in self.pointers:
            return Address(name.text), self.pointers[name.text]
        raise self.tokens.source.problem(
            name.at,
            f"unknown variable '{name.text}'",
            hint=closest(name.text, (*self.locals, *self.pointers), "declare it, or pass it as a parameter"),
            length=len(name.text),
        )

    def _indexed(self, pointer: Typed) -> Typed:
        if self.tokens.peek().text != "[":
            return pointer
        return self._load(*self._element(pointer))

    def _element(self, pointer: Typed) -> Typed:
        self.tokens.expect("[", "write the element as x[1]")
        index = self.value()
        self.tokens.expect("]", "close the bracket")
        if not pointer[1].depth:
            raise self.tokens.unexpected("only pointers have elements", "declare the variable as a pointer")
        address, kind = self._combined("+", pointer, index)
        return address, pointee(kind)

    def _load(self, address: Operand, kind: Type) -> Typed:
        dst = self.fresh()
        self.emit(Load(dst, address, CELL))
        return dst, kind

    # places

    def at_place(self) -> bool:
        """Whether ``*x`` or ``x[1]`` comes next."""
        first, then = self.tokens.peek(), self.tokens.peek(1)
        return first.text == "*" or (first.kind == "name" and then.text == "[")

    def place(self) -> Typed:
        """The address of ``*x`` or ``x[1]``, and the type of what is there."""
        tokens = self.tokens
        if tokens.accept("("):
            found = self.place()
            tokens.expect(")", "close the parenthesis")
            return found
        if tokens.accept("*"):
            address, kind = self._nested()
            return address, pointee(kind)
        if tokens.peek().kind == "name" and tokens.peek(1).text == "[":
            return self._element(self._variable(tokens.take()))
        raise tokens.unexpected("expected a place in memory", "write it as *x or x[1]")

    def expected_variable(self) -> Expected:
        """The second argument of C11's compare-exchange: ``&r`` or a pointer."""
        tokens = self.tokens
        if tokens.peek().text == "&" and tokens.peek(1).text in self.locals:
            tokens.take()
            name = tokens.take().text
            register, kind = Register(name), self.locals[name]
            return Expected(
                lambda: (register, kind),
                lambda success, old: self.emit(Compute(Op.SELECT, register, success, register, old)),
            )
        address, kind = self.value()
        return Expected(
            lambda: self._load(address, pointee(kind)),
            lambda success, old: self._store_unless(success, address, old),
        )

    def _store_unless(self, success: Register, address: Operand, value: Operand) -> None:
        end = self.label()
        self.emit(Branch(success, end, end))
        self.emit(Store(address, value, CELL))
        self.emit(Label(end))


def _common(a: Type, b: Type) -> Type:
    """The type in which two values are combined."""
    if a.depth or b.depth:
        return a if a.depth else b
    wide = max((INT, a, b), key=lambda kind: (kind.width, not kind.is_signed))
    return Type(wide.name, wide.size, wide.is_signed)
