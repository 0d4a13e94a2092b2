"""The text of a statement as written in its file. Reports quote it, because terms no longer have the names.

Comments and line breaks are left out. A statement has no end mark: it extends to the word that begins the
next one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mazurka.errors import MazurkaError
from mazurka.kat.language.lexer import Token, tokenize
from mazurka.kat.meaning.terms import Span

_BEGINNINGS = frozenset(
    (
        *("include", "relation", "predicate", "disjoint", "let", "view", "assume", "assert", "export"),
        *("acyclic", "irreflexive"),
    )
)
# These words may be names elsewhere; they begin a statement only at the beginning of a line.
_AT_LINE_STARTS = frozenset(("model", "cite", "map", "error", "warning", "empty", "coherence", "ppo"))
_CLAIMS = ("assert", "assume")
_QUALIFIERS = ("as", "unless")


def statement_text(span: Span) -> str:
    """What an assertion, assumption or axiom says; the empty string if its file cannot be read again."""
    try:
        tokens = _tokens(span.path)
    except (OSError, ValueError, MazurkaError):
        return ""  # the statement comes from a text, or the file has changed since
    starts = [t for t, token in enumerate(tokens) if (token.span.line, token.span.column) >= _place(span)]
    return "".join(_pieces(tokens[starts[0] :])) if starts else ""


def _place(span: Span) -> tuple[int, int]:
    return span.line, span.column


def _tokens(path: str) -> list[Token]:
    return tokenize(Path(path).read_text(encoding="utf-8-sig"), path)


def _pieces(tokens: list[Token]) -> Iterator[str]:
    first = 1 if tokens[0].text in _CLAIMS else 0
    before: Token | None = None
    for token in tokens[first:]:
        if before is not None:
            if _ends(before, token):
                return
            yield "" if _touch(before, token) else " "
        yield token.text
        before = token


def _ends(before: Token, token: Token) -> bool:
    """Whether a token no longer belongs to the statement."""
    if token.kind == "end" or (token.kind == "name" and token.text in (*_BEGINNINGS, *_QUALIFIERS)):
        return True
    return token.text in _AT_LINE_STARTS and token.span.line > before.span.line


def _touch(before: Token, token: Token) -> bool:
    end = before.span.column + before.span.length
    return before.span.line == token.span.line and end == token.span.column
