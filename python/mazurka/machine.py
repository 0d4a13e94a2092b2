"""How much memory this process may take, and the default of the memory limit.

The machine's memory is one bound; control groups (as in containers) and resource limits are others, and the
smallest counts. The limits of enclosing groups apply as well.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

COPIES = 4  # how many times as much memory graphs take that were made values of Python
# Below the mount point, by the controller that /proc/self/cgroup names: version 2 has no name there.
_HIERARCHIES = {
    "": (("", "unified"), ("memory.max", "memory.high")),
    "memory": (("memory",), ("memory.limit_in_bytes",)),
}


def default_memory_limit() -> int | None:
    """Half of what this process may take, in bytes, if the system says so."""
    bounds = [*_machine(), *_resource_limits(), *group_limits("/proc/self/cgroup", "/sys/fs/cgroup")]
    return min(bounds) // 2 if bounds else None


def limit_of_collecting(limit: int | None) -> int | None:
    """What the engine may take, so that its graphs fit within a limit when they are Python's."""
    taken = _taken()
    return limit if limit is None or taken is None else taken + max(limit - taken, 0) // COPIES


def _taken() -> int | None:
    """How much memory this process has, if the system says so."""
    numbers = (_read("/proc/self/statm") or "").split()
    return int(numbers[1]) * os.sysconf("SC_PAGE_SIZE") if len(numbers) > 1 else None


def group_limits(membership: str, mounted: str) -> Iterator[int]:
    """The limits of the control groups that the file ``membership`` names; ``mounted`` has their files."""
    for line in (_read(membership) or "").splitlines():
        _, controllers, group = [*line.split(":", 2), "", ""][:3]
        for controller in controllers.split(","):
            folders, files = _HIERARCHIES.get(controller, ((), ()))
            for folder in folders:
                yield from _limits_up_from(os.path.join(mounted, folder), group, files)


def _limits_up_from(mount: str, group: str, files: tuple[str, ...]) -> Iterator[int]:
    """A container may see its own group at the mount point, so groups that do not exist there are skipped."""
    names = [name for name in group.split("/") if name not in ("", "..")]
    for depth in range(len(names) + 1):
        for file in files:
            text = _read(os.path.join(mount, *names[:depth], file)) or ""
            if text.strip().isdecimal():  # "max" means no limit
                yield int(text)


def _read(path: str) -> str | None:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return None


def _machine() -> Iterator[int]:
    try:
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return


def _resource_limits() -> Iterator[int]:
    try:
        import resource
    except ImportError:
        return
    for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
        soft, _ = resource.getrlimit(kind)
        if soft != resource.RLIM_INFINITY:
            yield soft
