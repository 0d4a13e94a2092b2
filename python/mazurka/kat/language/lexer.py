"""Tokens of model files, each with its place.

A name may contain ``-``, ``'`` and ``.`` (``po-loc``, ``hb'``, ``sw.v2``), as in Kater's files: the language
has no minus, and ``^-1`` is one token. A name does not end in a dot.
I1: the last token is of kind ``end``, so that a parser can always look at the next one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from mazurka.kat.meaning.problems import problem
from mazurka.kat.meaning.terms import Span

_NAME = r"[A-Za-z_](?:[\w'-]|\.(?=[\w']))*"
_TOKEN = re.compile(
    rf"""
      (?P<blank> \s+ | //[^\n]* | /\*.*?\*/ )
    | (?P<open_comment> /\* )
    | (?P<name> {_NAME} (?: ::{_NAME} )* )
    | (?P<string> "[^"\n]*" )
    | (?P<open_string> " )
    | (?P<symbol> \^-1 | \^= | <= | [|&\\;*+?()\[\]=\#] | 0(?!\w) )
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)


class Token(NamedTuple):
    """A token: ``kind`` is ``name``, ``string`` (``text`` then has no quotes), ``symbol`` or ``end``."""

    kind: str
    text: str
    span: Span

    def __str__(self) -> str:
        return "the end of the file" if self.kind == "end" else f"'{self.text}'"


def tokenize(text: str, path: str) -> list[Token]:
    """The tokens of a file."""
    tokens: list[Token] = []
    at, line, line_start = 0, 1, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        span = Span(path, line, at - line_start + 1, len(match[0]) if match else 1)
        if match is None or match.lastgroup in ("open_comment", "open_string"):
            raise _unreadable(text, at, span)
        word, kind = match[0], str(match.lastgroup)
        if kind != "blank":
            tokens.append(Token(kind, word.strip('"') if kind == "string" else word, span))
        if "\n" in word:
            line += word.count("\n")
            line_start = at + word.rindex("\n") + 1
        at = match.end()
    tokens.append(Token("end", "", _end(tokens[-1].span if tokens else None, path)))
    return tokens


def _end(last: Span | None, path: str) -> Span:
    """The place of the end: right behind the last token, so that a message can show that line."""
    return Span(path, 1, 1) if last is None else Span(path, last.line, last.column + last.length)


_LOOK_ALIKES = {
    "∪": "|", "∩": "&", "⊆": "<=", "∅": "0", "∖": "\\", "⁺": "+", "¹": "^-1", "!": "[] \\ P", "~": "[] \\ P",
    ",": "and", "^": "^-1", "<": "<=", "≤": "<=", ">": "<=", "-": "\\", "{": "(", "}": ")", "'": '"',
    "/": "//", ":": "::",
}  # fmt: skip


def _unreadable(text: str, at: int, span: Span) -> Exception:
    if text.startswith("/*", at):
        return problem(span, "this comment is not closed", hint="close it with */", text=text)
    if text[at] == '"':
        return problem(span, "this string is not closed on its line", hint='close it with "', text=text)
    character = text[at]
    alike = _LOOK_ALIKES.get(character)
    hint = (
        f"write {alike}" if alike else "names are made of letters, digits and _ - ' . and start with a letter"
    )
    return problem(span, f"unexpected character {character!r}", hint=hint, text=text)
