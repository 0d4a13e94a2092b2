"""Threads in C: functions P0, P1, … with pointers to the shared variables as parameters."""

from __future__ import annotations

from mazurka.litmus.c.calls import CELL
from mazurka.litmus.c.expressions import Expressions
from mazurka.litmus.c.functions import C11, KERNEL
from mazurka.litmus.meaning.operations import END, Branch, Compute, Instruction, Label, Register, Store
from mazurka.litmus.meaning.test import Parameter, Thread
from mazurka.litmus.meaning.values import TYPES, Type
from mazurka.litmus.text.places import read_type
from mazurka.litmus.text.problems import Source
from mazurka.litmus.text.questions import KEYWORDS
from mazurka.litmus.text.tokens import Token, Tokens
from mazurka.program import Op

_FUNCTIONS = "a thread is a function: P0(int *x) { … }"
_DEEPEST = 60
_STEPS = {
    **{"+=": Op.ADD, "-=": Op.SUB, "*=": Op.MUL, "&=": Op.AND, "|=": Op.OR, "^=": Op.XOR},
    **{"++": Op.ADD, "--": Op.SUB},
}


def read_functions(source: Source, text: str, start: int, is_kernel: bool) -> tuple[tuple[Thread, ...], int]:
    """The threads, and where the text goes on behind them."""
    tokens = Tokens(source, text, start)
    threads: list[Thread] = []
    while tokens.peek().kind == "name" and tokens.peek().text not in KEYWORDS:
        tokens.accept("static")
        tokens.accept("void")
        name = tokens.name(f"the function P{len(threads)}", _FUNCTIONS)
        if name.text != f"P{len(threads)}":
            raise source.problem(
                name.at,
                f"expected the function P{len(threads)}, found '{name.text}'",
                hint=_FUNCTIONS,
                length=len(name.text),
            )
        threads.append(_Function(tokens, text, is_kernel).thread())
        while tokens.accept(";"):
            pass
    if not threads:
        raise tokens.unexpected("the test has no threads", _FUNCTIONS)
    return tuple(threads), tokens.peek().at


class _Function:
    """Reads one function, statement by statement."""

    def __init__(self, tokens: Tokens, text: str, is_kernel: bool) -> None:
        self.tokens = tokens
        self.text = text
        self.instructions: list[Instruction] = []
        self.parameters = self._parameters()
        pointers = {parameter.name: parameter.type for parameter in self.parameters}
        self.e = Expressions(tokens, KERNEL if is_kernel else C11, pointers)
        self.depth = 0

    def thread(self) -> Thread:
        """The function, from its first brace to its last."""
        self.tokens.expect("{", _FUNCTIONS)
        self._block()
        return Thread(tuple(self.instructions), self.parameters, tuple(self.e.locals))

    def _parameters(self) -> tuple[Parameter, ...]:
        tokens, found = self.tokens, []
        tokens.expect("(", _FUNCTIONS)
        while not tokens.accept(")"):
            if tokens.peek().text == "void" and tokens.peek(1).text == ")":
                tokens.take()
                continue
            kind = read_type(tokens)
            name = tokens.name("the name of a parameter", _FUNCTIONS)
            if kind is None or (not kind.depth and tokens.peek().text != "["):
                raise tokens.source.problem(
                    name.at,
                    f"the parameter '{name.text}' is not a pointer",
                    hint=_FUNCTIONS,
                    length=len(name.text),
                )
            if tokens.accept("["):
                kind = Type(kind.name, kind.size, kind.is_signed, kind.is_atomic, kind.depth + 1)
                while tokens.take().text not in ("]", ""):
                    pass
            found.append(Parameter(name.text, kind))
            if tokens.peek().text != ")":
                tokens.expect(",", "separate parameters by ','")
        return tuple(found)

    def _add(self, start: Token) -> None:
        """The operations so far are those of the statement that began here."""
        end = self.tokens.peek().at
        text = " ".join(self.text[start.at : end].split())
        place = self.tokens.source.place(start.at)
        self.instructions.append(Instruction(text, tuple(self.e.operations), place))
        self.e.operations = []

    def _block(self) -> None:
        """Statements up to the closing brace."""
        outer = dict(self.e.locals)
        while not self.tokens.accept("}"):
            if self.tokens.peek().kind == "end":
                raise self.tokens.unexpected("this function does not end", "close it with '}'")
            self._statement(outer)

    def _statement(self, outer: dict[str, Type]) -> None:
        tokens, start = self.tokens, self.tokens.peek()
        self.depth += 1
        if self.depth > _DEEPEST:
            raise tokens.unexpected("statements are nested too deeply", f"use {_DEEPEST} levels at most")
        if tokens.accept("{"):
            self._block()
        elif tokens.accept("if"):
            self._if(start)
        elif tokens.accept("while"):
            self._while(start)
        elif tokens.accept("do"):
            self._do(start)
        elif tokens.peek().text in ("for", "goto", "switch", "break", "continue"):
            raise tokens.source.unsupported(
                start.at,
                f"'{start.text}' is not supported",
                hint="use if, while or do",
                length=len(start.text),
            )
        elif not tokens.accept(";"):
            self._simple(start, outer)
        self.depth -= 1

    def _simple(self, start: Token, outer: dict[str, Type]) -> None:
        tokens = self.tokens
        if tokens.accept("return"):
            if tokens.peek().text != ";":
                self.e.value()
            self.e.emit(Branch(None, END))
        elif (kind := self._declared_type()) is not None:
            self._declaration(kind, outer)
            while tokens.accept(","):
                self._declaration(kind, outer)
        elif tokens.peek().kind == "name" and tokens.peek(1).text in ("=", *_STEPS):
            self._assignment()
        elif self.e.at_cast():
            self.e.value()
        elif tokens.peek().text in ("*", "(") or tokens.peek(1).text == "[":
            self._store()
        else:
            self.e.value()
        tokens.expect(";", "end the statement with ';'")
        self._add(start)

    def _declared_type(self) -> Type | None:
        """The type of a declaration, if one comes next."""
        first, then = self.tokens.peek(), self.tokens.peek(1)
        if first.kind != "name" or first.text in self.e.locals or first.text in self.e.pointers:
            return None
        return read_type(self.tokens) if then.kind == "name" or then.text == "*" else None

    def _declaration(self, kind: Type, outer: dict[str, Type]) -> None:
        while self.tokens.accept("*"):
            kind = Type(kind.name, kind.size, kind.is_signed, kind.is_atomic, kind.depth + 1)
        name = self.tokens.name("the name of a variable", "as in int r1 = 0;")
        if name.text in outer or name.text in self.e.pointers:
            raise self.tokens.source.problem(
                name.at, f"'{name.text}' is declared twice", hint="rename one of them", length=len(name.text)
            )
        self.e.locals[name.text] = kind  # from here on, as in C: in its own value it is 0
        if self.tokens.accept("="):
            self.e.emit(Compute(Op.MOV, Register(name.text), self.e.converted(self.e.value(), kind)))

    def _assignment(self) -> None:
        name, sign = self.tokens.take(), self.tokens.take()
        if name.text in self.e.pointers:
            raise self.tokens.source.unsupported(
                name.at,
                f"the parameter '{name.text}' cannot be changed",
                hint="write *x = …",
                length=len(name.text),
            )
        register = Register(name.text)
        if sign.text == "=":
            typed = self.e.value()
        else:
            kind = self.e.locals.get(name.text, TYPES["int"])
            step = 1 if sign.text in ("++", "--") else self.e.value()[0]
            typed = self.e.narrowed(self.e.compute(_STEPS[sign.text], register, step), kind), kind
        kind = self.e.locals.setdefault(name.text, typed[1])
        self.e.emit(Compute(Op.MOV, register, self.e.converted(typed, kind)))

    def _store(self) -> None:
        address, kind = self.e.place()
        self.tokens.expect("=", "assign to memory with '=', or call a function")
        value = self.e.converted(self.e.value(), kind)
        self.e.emit(Store(address, value, CELL))

    def _condition(self) -> Register:
        """An expression in parentheses, as 0 or 1."""
        self.tokens.expect("(", "write the condition in parentheses")
        value, _ = self.e.value()
        self.tokens.expect(")", "close the parenthesis behind the condition")
        return self.e.compute(Op.EQ, value, 0)

    def _if(self, start: Token) -> None:
        tokens = self.tokens
        otherwise, end = self.e.label(), self.e.label()
        fails = self._condition()
        self.e.emit(Branch(fails, otherwise, end))
        self._add(start)
        self._statement({})
        start = tokens.peek()
        if tokens.accept("else"):
            self.e.emit(Branch(None, end))
            self.e.emit(Label(otherwise))
            self._add(start)
            self._statement({})
            self.e.emit(Label(end))
        else:
            self.e.emit(Label(otherwise))
            self.e.emit(Label(end))
        self._add(tokens.peek())

    def _while(self, start: Token) -> None:
        again, end = self.e.label(), self.e.label()
        self.e.emit(Label(again))
        fails = self._condition()
        self.e.emit(Branch(fails, end, end))
        self._add(start)
        self._statement({})
        self.e.emit(Branch(None, again))
        self.e.emit(Label(end))
        self._add(start)

    def _do(self, start: Token) -> None:
        again, end = self.e.label(), self.e.label()
        self.e.emit(Label(again))
        self._add(start)
        self._statement({})
        start = self.tokens.peek()
        self.tokens.expect("while", "end the loop with while (…);")
        fails = self._condition()
        self.e.emit(Branch(fails, end, end))
        self.e.emit(Branch(None, again))
        self.e.emit(Label(end))
        self.tokens.expect(";", "end the loop with ';'")
        self._add(start)
