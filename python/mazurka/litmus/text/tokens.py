"""Words of litmus files: comments are blanked, and the rest is cut into tokens that know their offset."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mazurka.litmus.text.problems import Source

_EDGES = re.compile(r'\(\*|"[^"\n]*"|[{}]|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TOKEN = re.compile(
    r"""\s*(?:(?P<string>"[^"\n]*")
    |(?P<number>0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*(?![\w]))
    |(?P<name>[A-Za-z_]\w*)
    |(?P<mark>/\\|\\/|&&|\|\||=>|==|!=|<>|<=|>=|<<|>>|[-+*&|^]=|\+\+|--|[][(){}:;,=~*&+<>!|/%^?.\#$@-]))""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, with the offset at which it stands; the end has no text."""

    kind: str  # "string", "number", "name", "mark" or "end"
    text: str
    at: int


def without_comments(source: Source, *, is_c: bool) -> str:
    """The text with comments replaced by as many spaces: ``(* *)``, which nest, and in C those of C.

    In functions of C, ``(*`` begins no comment: it is a parenthesis and a dereference.
    """
    text, at, blocks, depth = source.text, 0, 0, 0
    while edge := _EDGES.search(text, at):
        at = edge.end()
        if edge[0] in ("{", "}"):
            depth += 1 if edge[0] == "{" else -1
            blocks += depth == 0
            continue
        if edge[0] == "(*" and not (is_c and blocks and depth):
            at = _comment_end(source, edge.start())
        elif not (edge[0].startswith(("//", "/*")) and is_c):
            continue
        text = text[: edge.start()] + _blank(text[edge.start() : at]) + text[at:]
    return text


def _comment_end(source: Source, start: int) -> int:
    depth = 0
    for edge in re.compile(r"\(\*|\*\)").finditer(source.text, start):
        depth += 1 if edge[0] == "(*" else -1
        if depth == 0:
            return edge.end()
    raise source.problem(
        start, "this comment does not end", hint="close it with '*)'; comments nest", length=2
    )


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


class Tokens:
    """A part of a text as tokens, read from left to right."""

    def __init__(self, source: Source, text: str, start: int = 0, end: int | None = None) -> None:
        self.source = source
        self.text = text
        self.tokens: list[Token] = []
        self.next = 0
        end = len(text) if end is None else end
        at = start
        while match := _TOKEN.match(text, at, end):
            kind = match.lastgroup or ""
            self.tokens.append(Token(kind, match[kind], match.start(kind)))
            at = match.end()
        rest = text[at:end]
        if rest.strip():
            at += len(rest) - len(rest.lstrip())
            raise source.problem(
                at, f"unexpected {text[at]!r}", hint="remove it, or write it in a comment: (* … *)"
            )
        self.end = Token("end", "", at)

    def peek(self, ahead: int = 0) -> Token:
        """A token that comes next."""
        index = self.next + ahead
        return self.tokens[index] if index < len(self.tokens) else self.end

    def take(self) -> Token:
        """The next token."""
        token = self.peek()
        self.next += 1
        return token

    def text_since(self, start: Token) -> str:
        """The text from a token to the last one that was taken."""
        last = self.tokens[self.next - 1]
        return self.text[start.at : last.at + len(last.text)]

    def accept(self, *texts: str) -> Token | None:
        """The next token, if it is one of these."""
        return self.take() if self.peek().text in texts and self.peek().kind != "end" else None

    def expect(self, text: str, hint: str) -> Token:
        """The next token, which must be this one."""
        token = self.peek()
        if token.text != text or token.kind == "end":
            raise self.unexpected(f"expected '{text}'", hint)
        return self.take()

    def name(self, what: str, hint: str) -> Token:
        """The next token, which must be a name."""
        if self.peek().kind != "name":
            raise self.unexpected(f"expected {what}", hint)
        return self.take()

    def number(self, what: str, hint: str) -> int:
        """The next token, which must be a number, with a sign before it."""
        sign = -1 if self.accept("-") else 1
        if self.peek().kind != "number":
            raise self.unexpected(f"expected {what}", hint)
        return sign * number_of(self.take().text)

    def unexpected(self, message: str, hint: str) -> Exception:
        """The error to raise about the next token."""
        token = self.peek()
        found = f"found '{token.text}'" if token.kind != "end" else "found nothing more"
        return self.source.problem(token.at, f"{message}, {found}", hint=hint, length=max(1, len(token.text)))


def number_of(text: str) -> int:
    """The value of a number token: decimal or hexadecimal, without C's suffixes."""
    digits = text.rstrip("uUlL")
    return int(digits, 16) if digits[:2] in ("0x", "0X") else int(digits)
