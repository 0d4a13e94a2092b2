"""Shows changed text as a unified diff, which ``patch -p0`` applies, and changes in words."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import NamedTuple

from mazurka.repair.fences import fence_call
from mazurka.repair.ownfiles import shown
from mazurka.repair.variants import SlotRef, Sources, Variant

_LONGEST_CALL = 60


def unified(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """The difference of the files in ``after``."""
    parts: list[str] = []
    for file, text in after.items():
        name = shown(file)
        if any(map(str.isspace, name)):
            name += "\t"  # where a name with blanks ends, for patch and git
        old, new = (list(StringIO(each)) for each in (before[file], text))  # only "\n" ends a line
        for line in difflib.unified_diff(old, new, name, name):
            parts.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(parts)


class Change(NamedTuple):
    """A change of one ordering, or a fence that is added."""

    kind: str  # ordering fence
    file: str
    line: int  # in the user's text
    call: str  # as the source has it, or the new fence
    before: str | None  # the ordering; None for a new fence
    after: str  # removed: the fence is left out
    where: str = ""  # of a new fence: before or after the access in the line

    def __str__(self) -> str:
        what = f"{self.where} the access" if self.kind == "fence" else f"{self.before} → {self.after}"
        return f"{self.file}:{self.line}: {self.call}{' ' if self.kind == 'fence' else ': '}{what}"


def changes_of(sources: Sources, variant: Variant) -> Iterator[Change]:
    """The changes of a variant."""
    for ref, order in variant.orders:
        own = sources.slot(ref).order
        yield Change("ordering", *sources.place(ref), call_of(sources, ref), own, order)
    for point, order in variant.fences:
        where = "after" if point.where == "behind" else point.where
        call = fence_call(point.style, order)
        yield Change("fence", shown(point.file), point.line, call, None, order, where)


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
