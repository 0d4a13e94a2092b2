"""A program's text with other orderings and more fences.

A ``Variant`` says what is different from the user's text; ``Sources`` writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mazurka.repair.fences import FencePoint, fence_text
from mazurka.repair.orders import REMOVED
from mazurka.repair.ownfiles import shown
from mazurka.repair.sites import Site, Slot, Uses, sites_of


class SlotRef(NamedTuple):
    """A slot of a program: its file, and the numbers of its site and of itself."""

    file: str
    site: int
    slot: int


class Variant(NamedTuple):
    """What is changed: slots with their new orderings, and fences that are added. It can be a key."""

    orders: tuple[tuple[SlotRef, str], ...] = ()
    fences: tuple[tuple[FencePoint, str], ...] = ()

    def with_order(self, ref: SlotRef, order: str | None) -> Variant:
        """With another ordering of a slot; None is the user's own."""
        changed = {**dict(self.orders), ref: order}
        kept = ((slot, new) for slot, new in changed.items() if new is not None)
        return self._replace(orders=tuple(sorted(kept)))

    def with_fence(self, point: FencePoint, order: str) -> Variant:
        """With a fence more."""
        return self._replace(fences=(*self.fences, (point, order)))

    @property
    def size(self) -> int:
        """How many changes it has."""
        return len(self.orders) + len(self.fences)


class _Edit(NamedTuple):
    start: int
    end: int
    text: str


class Sources:
    """The user's own files, and what can be changed in them."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = dict(texts)
        self.sites: dict[str, list[Site]] = {}
        self.uses: dict[str, Uses] = {}
        for file, text in self.texts.items():
            self.sites[file], self.uses[file] = sites_of(text)

    def site(self, ref: SlotRef) -> Site:
        """The site of a slot."""
        return self.sites[ref.file][ref.site]

    def slot(self, ref: SlotRef) -> Slot:
        """A slot, as the user wrote it."""
        return self.site(ref).slots[ref.slot]

    def place(self, ref: SlotRef) -> tuple[str, int]:
        """The file of a slot, as reports name it, and its line."""
        return shown(ref.file), self.site(ref).lines[0]

    def order(self, ref: SlotRef, variant: Variant) -> str:
        """The ordering of a slot in a variant."""
        return dict(variant.orders).get(ref, self.slot(ref).order)

    def slots(self, file: str, site: int) -> list[SlotRef]:
        """The slots of a site."""
        return [SlotRef(file, site, i) for i in range(len(self.sites[file][site].slots))]

    def changed(self, variant: Variant) -> dict[str, str]:
        """The texts of the files that a variant changes."""
        return {file: _applied(self.texts[file], parts) for file, parts in self._edits(variant).items()}

    def own_line(self, variant: Variant, file: str, line: int) -> int:
        """The line of the user's text that a line of a variant's text comes from."""
        moved = 0
        for edit in sorted(self._edits(variant).get(file, [])):
            text = self.texts[file]
            at = text.count("\n", 0, edit.start) + 1 + moved
            more = edit.text.count("\n") - text.count("\n", edit.start, edit.end)
            if line > at or (line == at and more < 0):
                moved += more
        return line - moved

    def _edits(self, variant: Variant) -> dict[str, list[_Edit]]:
        edits: dict[str, list[_Edit]] = {}
        changed_sites = dict.fromkeys((ref.file, ref.site) for ref, _ in variant.orders)
        new = dict(variant.orders)
        for file, number in changed_sites:
            slots = [new.get(ref) for ref in self.slots(file, number)]
            edits.setdefault(file, []).extend(_edits(self.sites[file][number], slots, self.texts[file]))
        for point, order in variant.fences:
            edits.setdefault(point.file, []).extend(_Edit(*part) for part in fence_text(point, order))
        return edits


def _edits(site: Site, new: list[str | None], text: str) -> list[_Edit]:
    """Gives the slots of a site other orderings; None keeps one."""
    if new == [REMOVED]:
        return [_removal(site, text)]
    if site.slots[0].span is not None:
        written = zip(site.slots, new, strict=True)
        return [
            _Edit(*slot.span, _like(text[slice(*slot.span)], order))
            for slot, order in written
            if order and slot.span
        ]
    prefix = "std::memory_order_" if site.style == "std" else "memory_order_"
    words = [prefix + (order or slot.order) for slot, order in zip(site.slots, new, strict=True)]
    added = ", ".join(words)
    edits = [_Edit(site.closing, site.closing, f", {added}" if site.has_arguments else added)]
    if not site.is_member:
        edits.append(_Edit(site.name_end, site.name_end, "_explicit"))
    return edits


def _like(written: str, order: str) -> str:
    """An ordering, spelled as the one that it replaces."""
    if written.startswith("__ATOMIC_"):
        return "__ATOMIC_" + order.upper()
    return "memory_order_" + order if written.startswith("memory_order_") else order


def _removal(site: Site, text: str) -> _Edit:
    """Leaves a fence out, with its line if nothing else is there."""
    start = text.rfind("\n", 0, site.start) + 1
    end = text.find("\n", site.end) + 1
    is_alone = not text[start : site.start].strip() and text[site.end : end].strip() == ";"
    return (
        _Edit(start, end, "") if site.macro is None and is_alone else _Edit(site.start, site.end, "(void)0")
    )


def _applied(text: str, edits: Iterable[_Edit]) -> str:
    """A text with edits, of which no two replace the same part."""
    pieces, at = [], 0
    for edit in sorted(edits):
        pieces += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*pieces, text[at:]])
