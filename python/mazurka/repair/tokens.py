"""Splits C and C++ into tokens that know where they are: comments and strings are none of them.

The text is not preprocessed. The body of each ``#define`` is a stream of its own, and other directives are
left out. Code that ``#if`` switches off is not told apart: its lines have no code in the compiled program.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
    (?P<comment> //(?:\\\r?\n|[^\n])* | /\*.*?(?:\*/|\Z) )
  | (?P<raw> (?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)" )
  | (?P<string> (?:u8|[uUL])?"(?:\\.|[^"\\\n])*"? | (?:u8|[uUL])?'(?:\\.|[^'\\\n])*'? )
  | (?P<word> [A-Za-z_$]\w* )
  | (?P<number> \.?\d(?:'?\w|[eEpP][+-]|\.)* )
  | (?P<continued> \\[ \t]*\r?\n )
  | (?P<newline> \n )
  | (?P<space> [ \t\r\f\v]+ )
  | (?P<mark_of_code> ::|->|==|!=|<=|>=|&&|\|\||. )
    """,
    re.VERBOSE | re.DOTALL,
)
_SKIPPED = {"comment", "continued", "space"}


class Token(NamedTuple):
    """A word, a number, a string or a mark."""

    text: str
    start: int
    line: int

    @property
    def end(self) -> int:
        """The offset behind it."""
        return self.start + len(self.text)


class Stream(NamedTuple):
    """The tokens of a file outside of directives, or those of the body of a macro."""

    macro: str | None
    tokens: list[Token]


def streams_of(text: str) -> list[Stream]:
    """The streams of a file, that of its code first."""
    code = Stream(None, [])
    streams: list[Stream] = [code]
    directive: list[Token] | None = None
    line, begins_line = 1, True
    for match in _TOKEN.finditer(text):
        kind, word = match.lastgroup, match[0]
        if match["raw"]:
            kind = "string"
        if kind == "newline":
            if directive is not None:
                streams += _macro(directive, text)
            directive, begins_line = None, True
        elif kind not in _SKIPPED:
            token = Token(word, match.start(), line)
            if directive is None and begins_line and word == "#":
                directive = []
            elif directive is not None:
                directive.append(token)
            else:
                code.tokens.append(token)
            begins_line = False
        line += word.count("\n")
    return [*streams, *_macro(directive or [], text)]


def _macro(directive: list[Token], text: str) -> list[Stream]:
    """The body of a definition; none if the directive is another one."""
    if len(directive) < 3 or directive[0].text != "define":
        return []
    name, body = directive[1], directive[2:]
    if body[0].text == "(" and text[name.end] == "(":
        closing = next((i for i, token in enumerate(body) if token.text == ")"), len(body))
        body = body[closing + 1 :]
    return [Stream(name.text, body)]


def matching(tokens: list[Token], opening: int) -> int | None:
    """The index of the token that closes what the one at ``opening`` opens."""
    depth = 0
    for i in range(opening, len(tokens)):
        depth += (tokens[i].text in "([{") - (tokens[i].text in ")]}")
        if depth == 0:
            return i
    return None
