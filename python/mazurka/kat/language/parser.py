"""Parses model files into ``syntax``: Kater's statements and Mazurka's additions to them.

A statement has no end mark: the keyword that begins the next one ends it. Kater's keywords are reserved.
Mazurka's own (``model``, ``empty``, ``as``…) are keywords only where a keyword can stand, so that Kater's
files may use them as names: ``let ppo = …`` names a relation, and ``ppo = …`` is a statement.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from mazurka.kat.language import syntax
from mazurka.kat.language.expressions import ExpressionParser
from mazurka.kat.language.lexer import Token, tokenize
from mazurka.kat.language.syntax import Constraint, Expression, Name
from mazurka.kat.meaning.builtins import RESERVED
from mazurka.spelling import did_you_mean

KINDS = ("acyclic", "irreflexive", "empty", "coherence")
CONSTRAINTS = ("acyclic", "irreflexive", "empty")
EXPORTS = (*KINDS, "error", "warning", "extra")


def parse(text: str, path: str) -> list[syntax.Statement]:
    """The statements of a file."""
    return _Parser(tokenize(text, path), text).statements()


class _Parser(ExpressionParser):
    def statements(self) -> list[syntax.Statement]:
        found: list[syntax.Statement] = []
        while self.peek().kind != "end":
            found.append(self._statement())
        return found

    def _statement(self) -> syntax.Statement:
        token = self.peek()
        if token.kind == "name":
            if token.text == "ppo" and self.peek(1).text == "=":
                return self._ppo()
            if token.text in KINDS:
                return self._axiom(token)
            reader = _READERS.get(token.text)
            if reader is not None:
                self.next()
                return reader(self, token)
        return self._no_statement(token)

    def _no_statement(self, token: Token) -> NoReturn:
        hint = did_you_mean(token.text, (*_READERS, *KINDS)) if token.kind == "name" else None
        self.fail(
            f"expected a statement, found {token}",
            hint or f"a statement begins with one of: {', '.join(sorted((*_READERS, *KINDS, 'ppo')))}",
        )

    # Definitions ----------------------------------------------------------------------------------------

    def _include(self, token: Token) -> syntax.Statement:
        path = self._string(f"a file name after '{token.text}'", 'include "other.kat"')
        return syntax.Include(path.text, path.span)

    def _declare(self, token: Token) -> syntax.Statement:
        return syntax.Declare(token.text, self._new_name(token.text))

    def _disjoint(self, token: Token) -> syntax.Statement:
        names = [self._name("a predicate", "disjoint A # B")]
        while self.take("#"):
            names.append(self._name("a predicate after '#'", "disjoint A # B"))
        if len(names) == 1:
            self.fail("'disjoint' needs at least two predicates", "disjoint A # B", token)
        return syntax.Disjoint(tuple(names))

    def _define(self, token: Token) -> syntax.Statement:
        recursive = self.take("rec", "name") is not None
        is_fixpoint = not recursive and self.sees("fix", "name") and self.peek(1).kind == "name"
        if is_fixpoint and token.text == "view":
            self.fail("the engine cannot keep a fixpoint", "write 'let fix', or 'view rec' if it is linear")
        if is_fixpoint:
            self.next()
        bindings = [self._binding(token.text)]
        while self.sees("and", "name"):
            if not recursive and not is_fixpoint:
                self.fail(f"'and' joins definitions of '{token.text} rec'", f"write '{token.text} rec'")
            self.next()
            bindings.append(self._binding("and"))
        return syntax.Define(token.text == "view", recursive, tuple(bindings), is_fixpoint)

    def _binding(self, word: str) -> tuple[Name, Expression]:
        name = self._new_name(word)
        if not self.take("="):
            self.fail(
                f"expected '=' after '{name.name}', found {self.peek()}", f"let {name.name} = expression"
            )
        return name, self.expression()

    # Claims and axioms ----------------------------------------------------------------------------------

    def _claim(self, token: Token) -> syntax.Statement:
        assumed = token.text == "assume"
        if self.sees("total", "name") and _begins_expression(self.peek(1)):
            if not assumed:
                self.fail("totality of a relation can be assumed, but not asserted", "write: assume total r")
            self.next()
            return syntax.Claim(True, None, self.expression(), token.span)
        return syntax.Claim(assumed, self._constraint(), None, token.span)

    def _constraint(self) -> Constraint:
        token = self.peek()
        if token.kind == "name" and token.text in CONSTRAINTS and _begins_expression(self.peek(1)):
            self.next()
            return Constraint(token.text, self.expression())
        left = self.expression()
        op = self.take("<=") or self.take("=")
        if op is None:
            self.fail(
                f"expected '<=' or '=', found {self.peek()}", "a constraint compares: e <= f, e = f or e = 0"
            )
        return Constraint(op.text, left, self.expression())

    def _axiom(self, token: Token) -> syntax.Statement:
        self.next()
        return self._qualified(token.text, self.expression(), token)

    def _qualified(self, kind: str, body: Expression | Constraint, token: Token) -> syntax.State:
        """Reads ``unless c`` and ``as name``, in either order, after an axiom."""
        unless: Constraint | None = None
        name: Token | None = None
        while True:
            if unless is None and self.take("unless", "name"):
                unless = self._constraint()
            elif name is None and self.take("as", "name"):
                name = self._label("a name after 'as'", "acyclic e as name")
            else:
                break
        label, place = (name.text, name.span) if name else (None, None)
        return syntax.State(kind, body, token.span, unless, label, place)

    def _export(self, token: Token) -> syntax.Statement:
        word, after = self.peek(), self.peek(1)
        if word.kind == "name" and word.text not in RESERVED - set(EXPORTS) and _begins_expression(after):
            if word.text in KINDS:
                return self._axiom(word)
            if word.text not in EXPORTS:
                hint = did_you_mean(word.text, EXPORTS)
                self.fail(
                    f"'{word.text}' cannot be exported",
                    hint or f"export {', '.join(EXPORTS)}, or a constraint such as e = 0",
                )
            self.next()
            return self._extra(word) if word.text == "extra" else self._forbid(word)
        return self._qualified("constraint", self._constraint(), token)

    def _forbid(self, token: Token) -> syntax.Statement:
        usage = f"{token.text} NAME unless e <= f"
        name = self._label(f"a name after '{token.text}'", usage)
        if not self.take("unless", "name"):
            self.fail(f"expected 'unless', found {self.peek()}", usage)
        return syntax.Forbid(name.text, token.text == "warning", self._constraint(), name.span)

    def _extra(self, token: Token) -> syntax.Statement:
        self._label(f"a name after '{token.text}'", "export extra NAME e = 0")
        constraints: list[Constraint] = []
        expressions: list[Expression] = []
        if self.peek().text in KINDS and _begins_expression(self.peek(1)):
            self.next()
            expressions.append(self.expression())
        elif _begins_expression(self.peek()) and not self._at_statement():
            constraints.append(self._constraint())
        if self.take("unless", "name"):
            constraints.append(self._constraint())
        return syntax.Extra(tuple(constraints), tuple(expressions))

    def _at_statement(self) -> bool:
        return self.peek().text in _READERS or (self.peek().text == "ppo" and self.peek(1).text == "=")

    # Headers --------------------------------------------------------------------------------------------

    def _model(self, token: Token) -> syntax.Statement:
        name = self._label("a name after 'model'", 'model name "title"')
        title = self.next().text if self.peek().kind == "string" else ""
        return syntax.Header("model", name.text, title, token.span)

    def _cite(self, token: Token) -> syntax.Statement:
        text = self._string("a text after 'cite'", 'cite "Authors: Title"')
        return syntax.Header("cite", "", text.text, token.span)

    def _map(self, token: Token) -> syntax.Statement:
        usage = 'map store.sc "store.sc ; fence.sc"'
        name = self._name("an access such as store.sc", usage)
        if name.name.count(".") != 1:
            self.fail(
                f"'{name.name}' is not an access: expected a kind and a mode", usage, self.tokens[self.at - 1]
            )
        text = self._string("the mapping in quotes", usage)
        return syntax.Header("map", name.name, text.text, name.span)

    def _ppo(self) -> syntax.Statement:
        token = self.next()
        self.next()
        return syntax.Preserved(self.expression(), token.span)

    # Words ----------------------------------------------------------------------------------------------

    def _name(self, what: str, usage: str) -> Name:
        token = self.peek()
        if token.kind != "name" or token.text in RESERVED:
            self._expected(what, usage)
        self.next()
        return Name(token.text, token.span)

    def _new_name(self, word: str) -> Name:
        name = self._name(f"a name after '{word}'", "choose a name that is not a word of the language")
        if "::" in name.name:
            token = self.tokens[self.at - 1]
            self.fail("a new name cannot contain '::'", "'file::name' refers to another file's name", token)
        return name

    def _label(self, what: str, usage: str) -> Token:
        """A name, or a text in quotes."""
        token = self.peek()
        if token.kind not in ("name", "string") or (token.kind == "name" and token.text in RESERVED):
            self._expected(what, usage)
        return self.next()

    def _string(self, what: str, usage: str) -> Token:
        if self.peek().kind != "string":
            self._expected(what, usage)
        return self.next()

    def _expected(self, what: str, usage: str) -> NoReturn:
        self.fail(f"expected {what}, found {self.peek()}", usage)


def _begins_expression(token: Token) -> bool:
    """Whether a token begins an expression (or a quoted name), so that the word before it is a keyword."""
    if token.kind == "name":
        return token.text in ("rot", "id") or token.text not in RESERVED
    return token.kind == "string" or token.text in ("(", "[", "0")


_READERS: dict[str, Callable[[_Parser, Token], syntax.Statement]] = {
    "include": _Parser._include,
    "relation": _Parser._declare,
    "predicate": _Parser._declare,
    "disjoint": _Parser._disjoint,
    "let": _Parser._define,
    "view": _Parser._define,
    "assume": _Parser._claim,
    "assert": _Parser._claim,
    "export": _Parser._export,
    "error": _Parser._forbid,
    "warning": _Parser._forbid,
    "model": _Parser._model,
    "cite": _Parser._cite,
    "map": _Parser._map,
}
