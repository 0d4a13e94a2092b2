"""Markdown as plain text for terminals: as much of the language as the pages use.

Paragraphs and items of lists are wrapped, code stays as it is, and links become what they say; a link alone
in parentheses, such as ``([more](…))``, says nothing without its target and is left out. Kinds of violations
that a page links to are named at its end, since a terminal cannot follow links.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

_WIDEST = 100
_LINK = re.compile(r"!?\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]*)\)")
_ASIDE = re.compile(r" \(\[[^\]`]*\]\([^)\s]*\)\)")
_KIND = re.compile(r"\]\((?P<kind>[a-z-]+)\.md\)")
_HEADING = re.compile(r"(?P<level>#+) +(?P<title>.*)")
_ITEM = re.compile(r"(?:[-*]|\d+\.) +")
_UNDERLINES = {1: "═", 2: "─"}


def plain(markdown: str, width: int, *, colour: bool = False) -> str:
    """A page as text that is at most so wide, except for code."""
    lines = list(_lines(markdown.splitlines(), min(width, _WIDEST), colour))
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
    kinds = dict.fromkeys(match["kind"] for match in _KIND.finditer(markdown))
    also = "".join(f"\n  mazurka explain {kind}" for kind in kinds)
    return f"{text}\n\nSee also:{also}\n" if also else f"{text}\n"


def _lines(lines: list[str], width: int, colour: bool) -> Iterator[str]:
    at = 0
    while at < len(lines):
        line = lines[at]
        heading = _HEADING.fullmatch(line)
        if line.startswith("```"):
            end = lines.index("```", at + 1)
            yield from ("", *(f"    {code}".rstrip() for code in lines[at + 1 : end]), "")
            at = end + 1
        elif heading is not None:
            yield from ("", *_heading(heading, colour), "")
            at += 1
        elif not line or line.startswith(("    ", "|")):
            yield line
            at += 1
        else:
            end = at + 1
            while end < len(lines) and _goes_on(lines[end]):
                end += 1
            yield from _wrapped(" ".join(part.strip() for part in lines[at:end]), width)
            at = end


def _heading(heading: re.Match[str], colour: bool) -> tuple[str, str]:
    title = _said(heading["title"]).replace("`", "")
    underline = _UNDERLINES.get(len(heading["level"]), "─") * len(title)
    return (f"\x1b[1m{title}\x1b[0m" if colour else title), underline


def _goes_on(line: str) -> bool:
    """Whether a line belongs to the paragraph or the item before it."""
    return bool(line) and not (line.startswith(("```", "#", "|")) or _ITEM.match(line))


def _wrapped(text: str, width: int) -> list[str]:
    item = _ITEM.match(text)
    indent = " " * len(item[0]) if item else ""
    return textwrap.wrap(
        _said(text), width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _said(text: str) -> str:
    """Text without the marks of links and of bold print."""
    return _LINK.sub(lambda link: link["text"], _ASIDE.sub("", text)).replace("**", "")
