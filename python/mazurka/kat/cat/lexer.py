"""Tokens of ``.cat`` files, each with its place.

A name may contain ``-``, ``.`` and ``_`` (``po-loc``, ``DMB.SY``), and end in a prime; ``'once`` is a tag.
Comments are ``(* *)``, which nest, and lines from ``//`` or ``#`` on.
I1: the last token is of kind ``end``, so that a parser can always look at the next one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from mazurka.kat.meaning.problems import problem
from mazurka.kat.meaning.terms import Span

_NAME = r"[A-Za-z](?:[\w-]|\.(?=\w))*'?"
_TOKEN = re.compile(
    rf"""
      (?P<blank> \s+ | //[^\n]* | \#[^\n]* )
    | (?P<comment> \(\* )
    | (?P<tag> '{_NAME} )
    | (?P<name> {_NAME} | _(?!\w) )
    | (?P<string> "[^"\n]*" )
    | (?P<symbol> \^-1 | \^[+*?] | -> | \|\| | && | \+\+ | [|&\\;*+?()\[\]{{}}=,:~] | 0(?!\w) )
    """,
    re.VERBOSE | re.ASCII,
)
_COMMENT_MARKS = re.compile(r"\(\*|\*\)")
KEYWORDS = frozenset(
    (
        *(
            "let",
            "rec",
            "and",
            "in",
            "fun",
            "if",
            "then",
            "else",
            "try",
            "with",
            "from",
            "match",
            "begin",
            "end",
        ),
        *("procedure", "call", "enum", "instructions", "include", "acyclic", "irreflexive", "empty", "flag"),
        *("as", "show", "unshow", "forall", "do", "undefined_unless"),
    )
)


class CatToken(NamedTuple):
    """A token: ``kind`` is ``name``, ``keyword``, ``tag``, ``string``, ``symbol`` or ``end``."""

    kind: str
    text: str
    span: Span

    def __str__(self) -> str:
        return "the end of the file" if self.kind == "end" else f"'{self.text}'"


def tokens_of(text: str, path: str) -> list[CatToken]:
    """The tokens of a file; those of tags and strings have no quotes."""
    tokens: list[CatToken] = []
    at, line, line_start = 0, 1, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        kind = match.lastgroup if match else None
        length = len(match[0]) if match else 1
        span = Span(path, line, at - line_start + 1, length)
        if match is None:
            raise _unreadable(text, at, span)
        end = _behind_comment(text, at, span) if kind == "comment" else match.end()
        if kind not in ("blank", "comment"):
            tokens.append(_token(str(kind), match[0], span))
        if "\n" in (skipped := text[at:end]):
            line += skipped.count("\n")
            line_start = at + skipped.rindex("\n") + 1
        at = end
    last = tokens[-1].span if tokens else Span(path, 1, 0)
    tokens.append(CatToken("end", "", Span(path, last.line, last.column + last.length)))
    return tokens


def _token(kind: str, word: str, span: Span) -> CatToken:
    if kind == "name" and word in KEYWORDS:
        return CatToken("keyword", word, span)
    return CatToken(kind, {"tag": word[1:], "string": word[1:-1]}.get(kind, word), span)


def _behind_comment(text: str, at: int, span: Span) -> int:
    depth = 0
    for mark in _COMMENT_MARKS.finditer(text, at):
        depth += 1 if mark[0] == "(*" else -1
        if depth == 0:
            return mark.end()
    raise problem(span, "this comment is not closed", hint="close it with *)", text=text)


_LOOK_ALIKES = {
    "∪": "|", "∩": "&", "∅": "0", "∖": "\\", "⁺": "+", "¹": "^-1", "!": "~", "¬": "~", "-": "\\", "^": "^-1",
    "/": "//", "<": "empty e \\ f", ">": "->", "×": "*", "∘": ";",
}  # fmt: skip


def _unreadable(text: str, at: int, span: Span) -> Exception:
    character = text[at]
    if character == '"':
        return problem(span, "this string is not closed on its line", hint='close it with "', text=text)
    alike = _LOOK_ALIKES.get(character)
    hint = (
        f"write {alike}" if alike else "names are made of letters, digits and _ - . and start with a letter"
    )
    return problem(span, f"unexpected character {character!r}", hint=hint, text=text)
