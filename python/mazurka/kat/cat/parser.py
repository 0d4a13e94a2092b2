"""Parses ``.cat`` files into ``syntax``. A statement has no end mark: the keyword of the next one ends it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from mazurka.kat.cat import syntax
from mazurka.kat.cat.expressions import CatExpressionParser
from mazurka.kat.cat.lexer import CatToken, tokens_of
from mazurka.kat.cat.syntax import CatStatement
from mazurka.spelling import did_you_mean

_DEEPEST = 20
_CHECKS = ("acyclic", "irreflexive", "empty")


def parse_cat(text: str, path: str) -> list[CatStatement]:
    """The statements of a file."""
    return _CatParser(tokens_of(text, path), text).file()


class _CatParser(CatExpressionParser):
    nested = 0  # statements in others

    def file(self) -> list[CatStatement]:
        found: list[CatStatement] = []
        if self.peek().kind == "string" or (self.peek().kind == "name" and self._is_alone()):
            found.append(syntax.Title(self.next().text))
        found += self._statements()
        if self.peek().kind != "end":
            self._no_statement(self.peek())
        return found

    def _is_alone(self) -> bool:
        """Whether the name at the beginning is the title, and not a misspelt keyword."""
        behind = self.peek(1)
        return behind.kind in ("keyword", "end") or behind.span.line > self.peek().span.line

    def _statements(self) -> list[CatStatement]:
        """The statements up to the end of the file, or up to ``end`` or ``else``."""
        found: list[CatStatement] = []
        self.nested += 1
        if self.nested > _DEEPEST:
            self.fail(f"statements are nested more than {_DEEPEST} deep here", "use procedures")
        while self.peek().kind != "end" and not (self.sees("end", "keyword") or self.sees("else", "keyword")):
            found.append(self._statement())
        self.nested -= 1
        return found

    def _statement(self) -> CatStatement:
        token = self.peek()
        negated = token.kind == "symbol" and token.text == "~"
        if negated or (token.kind == "keyword" and token.text in (*_CHECKS, "flag", "undefined_unless")):
            return self._check()
        reader = _READERS.get(token.text) if token.kind == "keyword" else None
        if reader is None:
            self._no_statement(token)
        self.next()
        return reader(self, token)

    def _no_statement(self, token: CatToken) -> NoReturn:
        words = (*_READERS, *_CHECKS, "flag")
        if token.kind == "keyword" and token.text in _REFUSED:
            self.fail(f"'{token.text}' is not supported", _REFUSED[token.text])
        hint = did_you_mean(token.text, words) if token.kind == "name" else None
        self.fail(
            f"expected a statement, found {token}",
            hint or f"a statement begins with one of: {', '.join(sorted(words))}",
        )

    def _check(self) -> CatStatement:
        start = self.peek()
        unless = self.take("undefined_unless", "keyword") is not None
        flag = unless or self.take("flag", "keyword") is not None
        negated = unless
        while self.take("~"):
            negated = not negated
        kind = self.peek()
        if kind.kind != "keyword" or kind.text not in _CHECKS:
            self.fail(f"expected acyclic, irreflexive or empty, found {kind}", "write flag ~empty r as name")
        self.next()
        body = self.expression()
        return syntax.CatCheck(kind.text, negated, flag, body, self._label(), start.span)

    def _label(self) -> str | None:
        if not self.take("as", "keyword"):
            return None
        token = self.peek()
        if token.kind not in ("name", "keyword", "string") or not token.text:
            self.fail(f"expected a name behind 'as', found {token}", "write acyclic hb as happens-before")
        return self.next().text

    def _let(self, word: CatToken) -> CatStatement:
        found = self.definitions(word)
        for binding in found.bindings:
            self.bounded(binding.body, word)
        return found

    def _include(self, word: CatToken) -> CatStatement:
        token = self.peek()
        if token.kind != "string" or not token.text:
            self.fail(f"expected the name of a file, found {token}", 'write include "cos.cat"')
        self.next()
        return syntax.IncludedFile(token.text, token.span)

    def _show(self, word: CatToken) -> CatStatement:
        shown = [self.expression()]
        self._label()
        while self.take(","):
            shown.append(self.expression())
            self._label()
        return syntax.Hidden(tuple(shown))

    def _procedure(self, word: CatToken) -> CatStatement:
        name = self.name("the name of a procedure", "write procedure p(x) = … end")
        parameters = self.parameters()
        self.need("=", "write procedure p(x) = … end")
        body = self._statements()
        if not self.take("end", "keyword"):
            self.fail("this procedure does not end", "close it with end", word)
        return syntax.Procedure(name, parameters, tuple(body))

    def _if(self, word: CatToken) -> CatStatement:
        is_met = self.condition()
        self.take("then", "keyword")
        on, off = self._statements(), []
        if self.take("else", "keyword"):
            off = self._statements()
        if not self.take("end", "keyword"):
            self.fail("this if does not end", "close it with end", word)
        return syntax.Conditional(tuple(on if is_met else off))

    def _forall(self, word: CatToken) -> CatStatement:
        usage = "write forall x in S do … end, for a set S of tags"
        name = self.name("a name", usage)
        self.need("in", usage, "keyword")
        source = self.expression()
        self.need("do", usage, "keyword")
        body = self._statements()
        if not self.take("end", "keyword"):
            self.fail("this forall does not end", "close it with end", word)
        return syntax.ForAll(name, source, tuple(body))

    def _call(self, word: CatToken) -> CatStatement:
        name = self.name("the name of a procedure", "write call p(r)")
        argument = self.expression()
        return syntax.Call(name, argument, self._label())

    def _enum(self, word: CatToken) -> CatStatement:
        usage = "write enum Barriers = 'wmb || 'rmb"
        name = self.name("the name of an enumeration", usage)
        self.need("=", usage)
        self.take("||")
        tags = []
        while True:
            token = self.peek()
            if token.kind != "tag":
                self.fail(f"expected a tag, found {token}", usage)
            self.next()
            tags.append(syntax.Tag(token.text, token.span))
            if not self.take("||"):
                return syntax.Enumeration(name, tuple(tags))

    def _instructions(self, word: CatToken) -> CatStatement:
        usage = "write instructions R[{'once, 'acquire}]"
        kind = self.name("a kind of events", usage)
        self.need("[", usage)
        tags = [self.expression()]
        while self.take(","):
            tags.append(self.expression())
        self.need("]", usage)
        return syntax.Instructions(kind, tuple(tags))

    def _with(self, word: CatToken) -> CatStatement:
        name = self.name("the name of a relation", "write with co from …")
        self.need("from", "write with co from …", "keyword")
        return syntax.Generated(name, self.expression(), name.span)


_READERS: dict[str, Callable[[_CatParser, CatToken], CatStatement]] = {
    "let": _CatParser._let,
    "include": _CatParser._include,
    "show": _CatParser._show,
    "unshow": _CatParser._show,
    "procedure": _CatParser._procedure,
    "call": _CatParser._call,
    "enum": _CatParser._enum,
    "instructions": _CatParser._instructions,
    "with": _CatParser._with,
    "if": _CatParser._if,
    "forall": _CatParser._forall,
}
_REFUSED = {
    "match": "it stands inside expressions: let x = match y with || 'once -> e || _ -> f end",
    "end": "it closes a procedure, an if or a forall: leave it out, or begin one",
    "else": 'it belongs to an if: write if "name" … else … end',
}
