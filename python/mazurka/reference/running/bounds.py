"""The extents of the objects that a thread can compute addresses in: globals, private memory, shared objects.

The shared objects are those of the graph, which the thread does not know by itself: ``machine`` passes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mazurka.program import FRAME_SCALE, Region, address, is_around
from mazurka.reference.running.memory import region

if TYPE_CHECKING:
    from mazurka.reference.running.processor import Processor

Extent = tuple[int, int]  # the first byte, and the one after the last


def extent_around(thread: Processor, place: int) -> Extent | None:
    """The object that an address was made from."""
    return next((extent for extent in _extents(thread, place) if is_around(extent, place)), None)


def holds_private(thread: Processor, place: int, size: int) -> bool:
    """Whether bytes lie in one live private object of the thread."""
    extents = [*_frame_objects(thread), *_thread_locals(thread), *_heap(thread, Region.PRIVATE)]
    live = [(start, end) for start, end in extents if start not in thread.gone]
    return any(start <= place and place + size <= end for start, end in live)


def _extents(thread: Processor, place: int) -> Iterator[Extent]:
    match region(place):
        case Region.GLOBAL:
            yield from ((item.address, item.address + item.size) for item in thread.program.globals)
        case Region.FRAME:
            yield from _frame_objects(thread)
        case Region.PRIVATE:
            yield from (*_thread_locals(thread), *_heap(thread, Region.PRIVATE))
        case Region.SHARED:
            yield from _heap(thread, Region.SHARED)
            yield from ((start, start + size) for start, size in thread.objects)


def _frame_objects(thread: Processor) -> Iterator[Extent]:
    for frame in thread.stack:
        for item in frame.function.objects:
            start = address(Region.FRAME, FRAME_SCALE * (frame.base + item.offset), thread.id)
            yield start, start + item.size


def _thread_locals(thread: Processor) -> Iterator[Extent]:
    for local in thread.program.thread_locals:
        start = address(Region.PRIVATE, local.offset, thread.id)
        yield start, start + local.size


def _heap(thread: Processor, where: Region) -> Iterator[Extent]:
    return ((start, start + size) for start, size in thread.sizes.items() if region(start) == where)
