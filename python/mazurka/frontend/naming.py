"""Names addresses of globals the way the source does: ``x``, ``queue.head``, ``buf[3].next``."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from mazurka.program import REGION_SHIFT, Global, Program, Region, TypeInfo


def name_of(program: Program, address: int, size: int, *, is_access: bool = False) -> str | None:
    """The name of ``size`` bytes at an address; None if no global holds them.

    All bytes of a union have its name; an access of them is one of a member, if just one is as large.
    """
    if address >> REGION_SHIFT != Region.GLOBAL:
        return None
    starts, items = _sorted_globals(program.globals)
    at = bisect_right(starts, address) - 1
    if at < 0 or address + size > starts[at] + items[at].size:
        return None
    item = items[at]
    offset = address - item.address
    if item.type < 0:
        return item.name if offset == 0 else f"{item.name}+{offset}"
    return item.name + _suffix(program.types, program.types[item.type], offset, size, is_access)


@lru_cache(maxsize=8)
def _sorted_globals(items: tuple[Global, ...]) -> tuple[list[int], list[Global]]:
    ordered = sorted(items, key=lambda item: item.address)
    return [item.address for item in ordered], ordered


def _suffix(types: tuple[TypeInfo, ...], type_: TypeInfo, offset: int, size: int, is_access: bool) -> str:
    """What follows the name of an object to name a part of it."""
    if type_.kind == "array" and type_.element >= 0:
        element = types[type_.element]
        step = max(element.size, 1)
        if size <= step:
            return f"[{offset // step}]" + _suffix(types, element, offset % step, size, is_access)
        if is_access and size < type_.size and not offset % step and not size % step:
            return f"[{offset // step}…{(offset + size) // step - 1}]"
    elif type_.kind == "struct" or (type_.kind == "union" and size < type_.size):
        member = _member(types, type_, offset, size)
        if member is not None:
            name, start, inner = member
            rest = _suffix(types, types[inner], offset - start, size, is_access)
            return (f".{name}" if name else "") + rest
    elif type_.kind == "union" and is_access:
        scalars = [m for m in type_.members if types[m[2]].size == size and _is_scalar(types[m[2]])]
        if len(scalars) == 1 and scalars[0][0]:
            return f".{scalars[0][0]}"
    return f"+{offset}" if offset else ""


def _is_scalar(type_: TypeInfo) -> bool:
    return type_.kind not in ("array", "struct", "union")


def _member(
    types: tuple[TypeInfo, ...], type_: TypeInfo, offset: int, size: int
) -> tuple[str, int, int] | None:
    """The member that holds the bytes, the one of exactly that size, or with such a part, if there is one."""
    holding = [m for m in type_.members if m[1] <= offset and offset + size <= m[1] + types[m[2]].size]
    exact = [m for m in holding if m[1] == offset and types[m[2]].size == size]
    parted = [m for m in holding if _has_part(types, types[m[2]], offset - m[1], size)]
    best = exact or parted or holding
    return best[0] if best else None


def _has_part(types: tuple[TypeInfo, ...], type_: TypeInfo, offset: int, size: int) -> bool:
    """Whether a type is of some bytes, or has a member or an element that is."""
    if (offset, size) == (0, type_.size):
        return True
    if type_.kind == "array" and type_.element >= 0:
        element = types[type_.element]
        return element.size > 0 and _has_part(types, element, offset % element.size, size)
    inside = [m for m in type_.members if m[1] <= offset and offset + size <= m[1] + types[m[2]].size]
    return any(_has_part(types, types[m[2]], offset - m[1], size) for m in inside)
