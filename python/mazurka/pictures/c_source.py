"""C source as HTML, line by line: comments, words of the language and texts are marked."""

from __future__ import annotations

import re
from html import escape

_WORDS = (
    "auto break case char class const continue default do double else enum extern float for goto if inline "
    "int long namespace new return short signed sizeof static struct switch template typedef typename union "
    "unsigned using void volatile while bool true false nullptr _Atomic _Bool _Thread_local"
)
_TOKEN = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"
    r'|(?P<text>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')'
    rf"|(?P<word>\b(?:{'|'.join(_WORDS.split())})\b|^[ \t]*#[ \t]*\w+)",
    re.DOTALL | re.MULTILINE,
)


def marked_lines(text: str) -> list[str]:
    """The lines of a source file as HTML."""
    marked, at = [], 0
    text = text.expandtabs(4)
    for token in _TOKEN.finditer(text):
        marked.append(escape(text[at : token.start()]))
        marked.append(_span(token.lastgroup or "", token[0]))
        at = token.end()
    return "".join([*marked, escape(text[at:])]).splitlines()


def _span(kind: str, text: str) -> str:
    """A token; if it has several lines, each of them is marked."""
    return "\n".join(f'<span class="c-{kind}">{escape(line)}</span>' for line in text.split("\n"))
