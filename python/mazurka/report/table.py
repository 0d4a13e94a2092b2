"""Lays steps out in one column per thread or, where the terminal is too narrow, as one labelled list."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from mazurka.report.paint import Paint
from mazurka.report.steps import StoryStep

GAP = " │ "
NARROWEST = 22  # a column that is narrower than this is harder to read than a list
WIDEST_FAILURE = 32  # the full message is above the table


def table(steps: Sequence[StoryStep], titles: dict[int, str], width: int, paint: Paint) -> list[str]:
    """The lines of the table. ``titles`` has an entry for each thread in ``steps``."""
    threads = sorted({step.thread for step in steps})
    margins = {t: max(len(s.line) for s in steps if s.thread == t) for t in threads}
    widths = _widths([_natural(t, steps, titles[t], margins[t]) for t in threads], width)
    if widths is None:
        return _list(steps, titles, width, paint)
    header = GAP.join(paint("head", titles[t][:w].ljust(w)) for t, w in zip(threads, widths, strict=True))
    rule = "─┼─".join("─" * w for w in widths)
    lines = [header.rstrip(), rule]
    for step in steps:
        column = threads.index(step.thread)
        for cell in _cell(step, margins[step.thread], widths[column]):
            cells = [" " * w for w in widths]
            cells[column] = paint(step.style, cell.ljust(widths[column]))
            lines.append(GAP.join(cells).rstrip())
    return lines


def _natural(thread: int, steps: Sequence[StoryStep], title: str, margin: int) -> int:
    """The width at which nothing in a thread's column wraps, except the failure, which may be long."""
    mine = [step for step in steps if step.thread == thread]
    texts = [min(len(_sentence(s)), WIDEST_FAILURE if s.style == "fail" else 1000) for s in mine]
    return max(len(title), margin + 2 + max(texts))


def _widths(natural: list[int], total: int) -> list[int] | None:
    """Widths that fit: the widest columns give way first. None if that makes one too narrow."""
    widths = list(natural)
    room = total - len(GAP) * (len(widths) - 1)
    while sum(widths) > room:
        widest = max(range(len(widths)), key=widths.__getitem__)
        if widths[widest] <= NARROWEST:
            return None
        widths[widest] -= 1
    return widths


def _sentence(step: StoryStep) -> str:
    return f"{step.text}  {step.note}" if step.note else step.text


def _cell(step: StoryStep, margin: int, width: int) -> list[str]:
    """A step as lines of a column: the line number in the margin, the rest wrapped beside it."""
    room = max(width - margin - 2, 8)
    texts = [_sentence(step)]
    if len(texts[0]) > room:
        texts = textwrap.wrap(step.text, room) + textwrap.wrap(
            step.note, room, initial_indent="  ", subsequent_indent="  "
        )
    labels = [step.line] + [""] * (len(texts) - 1)
    return [f"{label:>{margin}}  {text}" for label, text in zip(labels, texts, strict=True)]


def _list(steps: Sequence[StoryStep], titles: dict[int, str], width: int, paint: Paint) -> list[str]:
    """One step per row, with the name of its thread before it."""
    names = {t: title.split(" ")[0] for t, title in titles.items()}
    margin = max(len(step.line) for step in steps)
    label = max(len(name) for name in names.values())
    lines = [paint("head", title) for t, title in sorted(titles.items()) if t]
    lines.append("─" * min(width, 60))
    for step in steps:
        for row, cell in enumerate(_cell(step, margin, max(width - label - len(GAP), NARROWEST))):
            name = names[step.thread] if row == 0 else ""
            lines.append(f"{name:<{label}}{GAP}{paint(step.style, cell)}".rstrip())
    return lines
