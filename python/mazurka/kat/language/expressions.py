"""Parses expressions of model files, by precedence climbing.

Loosest to tightest: ``|``, then ``&`` and ``\\``, then ``;``, then the postfix operators, then ``rot``.
Binary operators group to the left; a long chain of one associative operator becomes a balanced tree, so that
many operands side by side do not count as nesting.
I1: nesting is bounded, so that neither this parser nor a function that walks its trees runs out of stack.
"""

from __future__ import annotations

from typing import NoReturn

from mazurka.kat.language.lexer import Token
from mazurka.kat.language.syntax import Binary, Bracket, Expression, Name, Unary
from mazurka.kat.meaning.builtins import RESERVED
from mazurka.kat.meaning.problems import problem

LEVELS = {"|": 0, "&": 1, "\\": 1, ";": 2}
POSTFIX = frozenset({"*", "+", "?", "^-1", "^="})
ASSOCIATIVE = frozenset({"|", "&", ";"})
LONG = 32  # a chain of at least this many operands is balanced; shorter ones group to the left
DEEPEST = 150  # nested operators
MOST_OPEN = 50  # nested brackets, which cost this parser more stack


class ExpressionParser:
    """A cursor over tokens that reads expressions."""

    def __init__(self, tokens: list[Token], text: str) -> None:
        self.tokens = tokens
        self.text = text
        self.at = 0
        self._open = 0

    def peek(self, ahead: int = 0) -> Token:
        """A token ahead, without taking it."""
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def next(self) -> Token:
        """Takes the next token; the end token is never used up."""
        token = self.peek()
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return token

    def sees(self, text: str, kind: str = "symbol") -> bool:
        """Whether a symbol (or a word) is next."""
        return self.peek().kind == kind and self.peek().text == text

    def take(self, text: str, kind: str = "symbol") -> Token | None:
        """Takes a symbol (or a word) if it is next."""
        return self.next() if self.sees(text, kind) else None

    def fail(self, message: str, hint: str, token: Token | None = None) -> NoReturn:
        """Raises an error at the given token, or at the next one."""
        raise problem((token or self.peek()).span, message, hint=hint, text=self.text)

    def expression(self, level: int = 0) -> Expression:
        """An expression whose operators bind at least as tightly as a level."""
        left = self._postfix()
        while self.peek().kind == "symbol" and LEVELS.get(self.peek().text, -1) >= level:
            operator = self.peek().text
            operands, signs = [left], []
            while self.sees(operator):
                signs.append(self.next())
                operands.append(self.expression(LEVELS[operator] + 1))
            left = self._chain(operands, signs)
        return left

    def _chain(self, operands: list[Expression], signs: list[Token]) -> Expression:
        """The operands joined by one operator; ``signs`` are its tokens between them."""
        if len(operands) > LONG and signs[0].text in ASSOCIATIVE:
            middle = len(operands) // 2
            left = self._chain(operands[:middle], signs[: middle - 1])
            return self._joined(left, signs[middle - 1], self._chain(operands[middle:], signs[middle:]))
        joined = operands[0]
        for sign, operand in zip(signs, operands[1:], strict=True):
            joined = self._joined(joined, sign, operand)
        return joined

    def _joined(self, left: Expression, sign: Token, right: Expression) -> Expression:
        depth = self._bounded(1 + max(left.depth, right.depth), sign)
        return Binary(sign.text, left, right, sign.span, depth)

    def _postfix(self) -> Expression:
        body = self._prefix()
        while self.peek().kind == "symbol" and self.peek().text in POSTFIX:
            op = self.next()
            body = Unary(op.text, body, op.span, self._bounded(body.depth + 1, op))
        return body

    def _prefix(self) -> Expression:
        rotations = []
        while op := self.take("rot", "name"):
            rotations.append(op)
        body = self._atom()
        for op in reversed(rotations):
            body = Unary("rot", body, op.span, self._bounded(body.depth + 1, op))
        return body

    def _atom(self) -> Expression:
        token = self.peek()
        if self.take("("):
            return self._enclosed(token, ")")
        if self.take("["):
            if self.take("]"):
                return Bracket(None, token.span, 1)
            inside = self._enclosed(token, "]")
            return Bracket(inside, token.span, self._bounded(inside.depth + 1, token))
        if self.take("0"):
            return Name("0", token.span)
        if token.kind == "name" and (token.text == "id" or token.text not in RESERVED):
            self.next()
            return Name(token.text, token.span)
        return self._no_atom(token)

    def _enclosed(self, opening: Token, closing: str) -> Expression:
        self._open += 1
        self._bounded(self._open, opening, MOST_OPEN)
        body = self.expression()
        self._open -= 1
        if not self.take(closing):
            self.fail(
                f"expected an operator or '{closing}', found {self.peek()}",
                f"the '{opening.text}' of line {opening.span.line}, column {opening.span.column} is unclosed",
            )
        return body

    def _no_atom(self, token: Token) -> NoReturn:
        before = self.tokens[self.at - 1] if self.at else None
        if before is not None and before.kind == "symbol" and before.text == ";":
            self.fail(
                f"expected an expression after ';', found {token}",
                "';' composes two relations; statements have no ';' at their end",
            )
        self.fail(
            f"expected an expression, found {token}", "an expression begins with a name, [P], 0, id, rot or ("
        )

    def _bounded(self, depth: int, token: Token, most: int = DEEPEST) -> int:
        if depth > most:
            self.fail(
                f"this expression is nested more than {most} deep", "give parts of it names with let", token
            )
        return depth
