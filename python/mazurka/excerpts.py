"""A line of a file with carets under a part of it; a long line is cut to what is around that part."""

from __future__ import annotations

WIDEST = 160  # characters of a line that are shown


def excerpt(line: str, column: int, length: int = 1) -> tuple[str, str]:
    """The line and the carets to print below it; columns count from 1."""
    at = max(column, 1) - 1
    start = max(0, min(at - WIDEST // 2, len(line) - WIDEST))
    end = start + WIDEST
    shown = line[start:end]
    if start:
        shown = "…" + shown[1:]
    if end < len(line):
        shown = shown[:-1] + "…"
    # Tabs stay tabs before the caret, so that it is in the right column whatever their width.
    before = "".join("\t" if c == "\t" else " " for c in line[start:at])
    return shown, before + "^" * max(1, min(length, len(line) - at, end - at))


def marked_line(number: int, line: str, column: int) -> list[str]:
    """A source line with its number, and a caret below the column if that is known; tabs are one space."""
    text = line.expandtabs(1)
    column -= len(text) - len(text.lstrip())
    shown, caret = excerpt(text.strip(), column)
    return [f"{number:>7} | {shown}", *([f"{'':>7} | {caret}"] if column > 0 else [])]
