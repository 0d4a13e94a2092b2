"""Shows changed text as a unified diff, which ``patch -p0`` applies, and changes in words."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from mazurka.repair.fences import fence_call
from mazurka.repair.orders import REMOVED
from mazurka.repair.ownfiles import shown
from mazurka.repair.variants import SlotRef, Sources, Variant

_LONGEST_CALL = 60


def unified(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """The difference of the files in ``after``."""
    parts: list[str] = []
    for file, text in after.items():
        name = shown(file)
        old, new = (each.splitlines(keepends=True) for each in (before[file], text))
        for line in difflib.unified_diff(old, new, name, name):
            parts.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)


def described(sources: Sources, variant: Variant) -> list[str]:
    """One line for each change."""
    lines = [
        f"{place_of(sources, ref)}: {call_of(sources, ref)}: {sources.slot(ref).order} → {order}"
        for ref, order in variant.orders
    ]
    for point, order in variant.fences:
        where = "after" if point.where == "behind" else point.where
        call = fence_call(point.style, order)
        lines.append(f"{shown(point.file)}:{point.line}: {call} {where} the access")
    return lines


def place_of(sources: Sources, ref: SlotRef) -> str:
    """The file and line of a slot."""
    return f"{shown(ref.file)}:{sources.site(ref).lines[0]}"


def call_of(sources: Sources, ref: SlotRef) -> str:
    """The call of a slot as the source has it; on one line, and shortened if it is long."""
    site, slot = sources.site(ref), sources.slot(ref)
    text = sources.texts[ref.file]
    # of a method, also the object: what stands before the name without a space
    start = site.start
    while site.is_member and start > 0 and (text[start - 1].isalnum() or text[start - 1] in "_.->]["):
        start -= 1
    call = " ".join(text[start : site.end].split())
    if len(call) > _LONGEST_CALL:
        call = call[: _LONGEST_CALL - 1] + "…"
    return f"{call} ({slot.role})" if slot.role else call


def order_word(order: str) -> str:
    """An ordering in a sentence."""
    return "no fence" if order == REMOVED else order
