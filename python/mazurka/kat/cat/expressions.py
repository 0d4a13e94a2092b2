"""Parses the expressions of ``.cat`` files, by precedence climbing.

Loosest to tightest: ``|``, ``;``, ``\\``, ``&``, the product ``*``, then ``~``, the postfix operators, and
application. Unlike in ``.kat`` files, ``;`` is looser than ``&``. A ``*`` before the beginning of an
expression is a product, any other one is postfix.
I1: nesting is bounded, so that neither this parser nor a function that walks its trees runs out of stack.
"""

from __future__ import annotations

from typing import NoReturn

from mazurka.kat.cat import syntax
from mazurka.kat.cat.lexer import CatToken
from mazurka.kat.cat.syntax import CatExpression, Ident, Parameters
from mazurka.kat.meaning.problems import problem

_LEVELS = {"|": 0, ";": 1, "\\": 2, "&": 3, "*": 4}
_TIGHTEST = 5
_ASSOCIATIVE = frozenset("|;&")
_LONG = 12  # a chain of more operands is balanced; others group to the left
_POSTFIX = {"*": "*", "+": "+", "?": "?", "^-1": "^-1", "^+": "+", "^*": "*", "^?": "?"}
_DEEPEST = 80  # nested nodes
_MOST_OPEN = 40  # nested parentheses, which cost this parser more stack
_OPENINGS = frozenset("([{0")


class CatExpressionParser:
    """A cursor over tokens that reads expressions."""

    def __init__(self, tokens: list[CatToken], text: str) -> None:
        self.tokens = tokens
        self.text = text
        self.at = 0
        self._open = 0

    def peek(self, ahead: int = 0) -> CatToken:
        """A token ahead, without taking it."""
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def next(self) -> CatToken:
        """Takes the next token; the end token is never used up."""
        token = self.peek()
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return token

    def sees(self, text: str, kind: str = "symbol") -> bool:
        """Whether a symbol (or a keyword) is next."""
        return self.peek().kind == kind and self.peek().text == text

    def take(self, text: str, kind: str = "symbol") -> CatToken | None:
        """Takes a symbol (or a keyword) if it is next."""
        return self.next() if self.sees(text, kind) else None

    def need(self, text: str, hint: str, kind: str = "symbol") -> CatToken:
        """Takes a symbol (or a keyword) that must be next."""
        return self.take(text, kind) or self.fail(f"expected '{text}', found {self.peek()}", hint)

    def fail(self, message: str, hint: str, token: CatToken | None = None) -> NoReturn:
        """Raises an error at the given token, or at the next one."""
        raise problem((token or self.peek()).span, message, hint=hint, text=self.text)

    def expression(self) -> CatExpression:
        """A whole expression."""
        start = self.peek()
        return self.bounded(self._expression(), start)

    def bounded(self, expression: CatExpression, start: CatToken) -> CatExpression:
        """The expression; an error at its first token if it is nested too deeply (I1)."""
        if _depth(expression) > _DEEPEST:
            self.fail(
                f"this expression is nested more than {_DEEPEST} deep",
                "give parts of it names with let",
                start,
            )
        return expression

    def name(self, what: str, hint: str) -> Ident:
        """A name."""
        token = self.peek()
        if token.kind != "name" or token.text == "_":
            self.fail(f"expected {what}, found {token}", hint)
        self.next()
        return Ident(token.text, token.span)

    def parameters(self) -> Parameters:
        """``x``, ``(x, y)`` or ``()``."""
        if not self.take("("):
            return self.name("a parameter", "write let f(x) = …")
        names: list[Ident] = []
        while not self.sees(")"):
            names.append(self.name("a parameter", "write let f(x, y) = …"))
            if not self.take(","):
                break
        self.need(")", "write the parameters as (x, y)")
        return tuple(names) if len(names) != 1 else names[0]

    def definitions(self, span_of: CatToken) -> syntax.Let:
        """What stands behind ``let``."""
        recursive = self.take("rec", "keyword") is not None
        bindings = [self._binding()]
        while self.take("and", "keyword"):
            bindings.append(self._binding())
        taken: set[str] = set()
        for binding in bindings:
            for name in (binding.names,) if isinstance(binding.names, Ident) else binding.names:
                if name.name in taken:
                    message = f"'{name.name}' is defined twice in one let"
                    raise problem(name.span, message, hint="choose another name", text=self.text)
                taken.add(name.name)
        return syntax.Let(recursive, tuple(bindings), span_of.span)

    def _binding(self) -> syntax.Binding:
        names = self.parameters()
        functions: list[Parameters] = []
        if isinstance(names, Ident):
            while self.sees("(") or (self.peek().kind == "name" and self.peek().text != "_"):
                functions.append(self.parameters())
        self.need("=", "write let x = e, or let f(x) = e")
        body = self._expression()
        for parameters in reversed(functions):
            assert isinstance(names, Ident)
            body = syntax.Abstraction(parameters, body, names.span)
        return syntax.Binding(names, body)

    # What stands where any expression can ---------------------------------------------------------------

    def _expression(self) -> CatExpression:
        token = self.peek()
        if token.kind == "keyword" and token.text in ("let", "fun", "if", "try", "match", "begin"):
            self._enter(token)
            found = self._worded(self.next())
            self._open -= 1
            return found
        return self._infix(0)

    def _worded(self, word: CatToken) -> CatExpression:
        match word.text:
            case "let":
                define = self.definitions(word)
                self.need("in", "a let inside an expression is: let x = e in f", "keyword")
                return syntax.Local(define, self._expression(), word.span)
            case "fun":
                parameters = self.parameters()
                self.need("->", "write fun x -> e")
                return syntax.Abstraction(parameters, self._expression(), word.span)
            case "try":
                body = self._expression()
                self.need("with", "write try e with f", "keyword")
                return syntax.Attempt(body, self._expression(), word.span)
            case "if":
                return self._variant(word)
            case "match":
                return self._match(word)
        body = self._expression()
        self.need("end", "close begin with end", "keyword")
        return body

    def _match(self, word: CatToken) -> CatExpression:
        usage = "write match x with || 'once -> e || _ -> f end; sets of sets are not supported"
        subject = self._expression()
        self.need("with", usage, "keyword")
        cases: list[syntax.Case] = []
        self.take("||")
        while not cases or self.take("||"):
            token = self.peek()
            if token.kind != "tag" and token.text != "_":
                self.fail(f"expected a tag or _, found {token}", usage)
            self.next()
            self.need("->", usage)
            cases.append(syntax.Case(token.text if token.kind == "tag" else None, self._expression()))
        self.need("end", usage, "keyword")
        return syntax.Match(subject, tuple(cases), word.span)

    def _variant(self, word: CatToken) -> CatExpression:
        is_met = self.condition()
        self.need("then", 'write if "name" then e else f', "keyword")
        on = self._expression()
        self.need("else", 'write if "name" then e else f', "keyword")
        return syntax.Variant(is_met, on, self._expression(), word.span)

    def condition(self) -> bool:
        """Whether a condition about variants holds if every variant is off."""
        is_met = self._all_of_condition()
        while self.take("||"):
            other = self._all_of_condition()
            is_met = is_met or other
        return is_met

    def _all_of_condition(self) -> bool:
        is_met = self._simple_condition()
        while self.take("&&"):
            other = self._simple_condition()
            is_met = is_met and other
        return is_met

    def _simple_condition(self) -> bool:
        if self.take("not", "name") or self.take("~"):
            return not self._simple_condition()
        if opening := self.take("("):
            self._enter(opening)
            is_met = self.condition()
            self.need(")", "close the condition")
            self._open -= 1
            return is_met
        if self.peek().kind != "string":
            self.fail(f"expected the name of a variant, found {self.peek()}", 'write if "name" then e else f')
        self.next()
        return False

    # Operators ------------------------------------------------------------------------------------------

    def _infix(self, level: int) -> CatExpression:
        if level == _TIGHTEST:
            return self._prefix()
        operator = next(symbol for symbol, at in _LEVELS.items() if at == level)
        operands, signs = [self._infix(level + 1)], []
        while self.sees(operator):
            signs.append(self.next())
            operands.append(self._infix(level + 1))
        if level == 0 and self.sees("++"):
            self.fail("'++' is not supported: sets of sets are not", "write | to unite sets or relations")
        return self._chain(operands, signs)

    def _chain(self, operands: list[CatExpression], signs: list[CatToken]) -> CatExpression:
        """The operands joined by one operator; ``signs`` are its tokens between them."""
        if len(operands) > _LONG and signs[0].text in _ASSOCIATIVE:
            half = len(operands) // 2
            left = self._chain(operands[:half], signs[: half - 1])
            right = self._chain(operands[half:], signs[half:])
            return syntax.Infix(signs[0].text, left, right, signs[half - 1].span)
        joined = operands[0]
        for sign, operand in zip(signs, operands[1:], strict=True):
            joined = syntax.Infix(sign.text, joined, operand, sign.span)
        return joined

    def _prefix(self) -> CatExpression:
        signs = []
        while sign := self.take("~"):
            signs.append(sign)
        body = self._postfix()
        for sign in reversed(signs):
            body = syntax.Affix("~", body, sign.span)
        return body

    def _postfix(self) -> CatExpression:
        body = self._application()
        while self.peek().kind == "symbol" and self.peek().text in _POSTFIX:
            if self.sees("*") and self._begins(self.peek(1)):
                break
            sign = self.next()
            body = syntax.Affix(_POSTFIX[sign.text], body, sign.span)
        return body

    def _begins(self, token: CatToken) -> bool:
        """Whether an expression can begin with a token."""
        return token.kind in ("name", "tag") or (
            token.kind == "symbol" and (token.text in _OPENINGS or token.text == "~")
        )

    def _application(self) -> CatExpression:
        found = self._atom()
        while self._begins(self.peek()) and not self.sees("~"):
            argument = self._atom()
            found = syntax.Application(found, argument, argument.span)
        return found

    def _atom(self) -> CatExpression:
        token = self.peek()
        if token.kind == "name" or self.sees("0"):
            self.next()
            return Ident(token.text, token.span)
        if token.kind == "tag":
            self.next()
            return syntax.Tag(token.text, token.span)
        if token.kind == "symbol" and token.text in _OPENINGS:
            self._enter(self.next())
            found = self._enclosed(token)
            self._open -= 1
            return found
        return self.fail(
            f"expected an expression, found {token}",
            "an expression begins with a name, a tag, ( [ { 0 _ or ~; statements have no terminator",
        )

    def _enclosed(self, opening: CatToken) -> CatExpression:
        closing = {"(": ")", "[": "]", "{": "}"}[opening.text]
        members: list[CatExpression] = []
        while not self.sees(closing):
            members.append(self._expression())
            if not self.take(","):
                break
        if not self.take(closing):
            self.fail(
                f"expected an operator or '{closing}', found {self.peek()}",
                f"the '{opening.text}' of line {opening.span.line}, column {opening.span.column} is unclosed",
            )
        if opening.text == "{":
            return syntax.Braces(tuple(members), opening.span)
        if opening.text == "(":
            return members[0] if len(members) == 1 else syntax.Several(tuple(members), opening.span)
        if len(members) != 1:
            self.fail("'[ ]' needs one set between the brackets", "write [W]; [_] is every event", opening)
        return syntax.Brackets(members[0], opening.span)

    def _enter(self, token: CatToken) -> None:
        self._open += 1
        if self._open > _MOST_OPEN:
            self.fail(
                f"parentheses are nested more than {_MOST_OPEN} deep here",
                "give parts of the expression names with let",
                token,
            )


def _depth(expression: CatExpression) -> int:
    deepest = 0
    waiting: list[tuple[object, int]] = [(expression, 1)]
    while waiting:
        node, depth = waiting.pop()
        deepest = max(deepest, depth)
        if isinstance(node, tuple):
            waiting += [(part, depth + 1) for part in node if isinstance(part, tuple)]
    return deepest
