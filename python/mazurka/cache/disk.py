"""The cache on disk: plans, programs and proofs are all kept here.

Entries are files under ``$XDG_CACHE_HOME/mazurka`` (``~/.cache/mazurka``). Each is a checksum and plain JSON,
so reading one executes no code. ``MAZURKA_CACHE=off`` (``--no-cache``) turns the cache off. If the cache
cannot be read or written, Mazurka does without it: nothing here raises.

I1: a key is a digest of what an entry was made from, of the version and of our own code (``key_of``).
I2: an entry is written to a temporary file and moved into its place, and its checksum covers its key. An
incomplete, changed or renamed entry is ignored.
I3: the number of entries and their total size are bounded; the oldest are removed first.
I4: entries contain the checked sources, so only their owner may read them. A directory that belongs to
another user, who could put wrong entries there, is not used.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from itertools import chain
from typing import Any

try:  # the same function as in hashlib, without loading OpenSSL
    from _blake2 import blake2b
except ImportError:  # pragma: no cover
    from hashlib import blake2b

SWITCH = "MAZURKA_CACHE"
MOST_ENTRIES = 1000
MOST_BYTES = 64 << 20
_SUFFIX = ".entry"
_UNFINISHED = ".tmp"
_ABANDONED_AFTER = 3600  # seconds, for an unfinished file that a killed process left behind
PACKAGE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
# The code that decides what an entry says: the front-end makes programs; the model language and the prover
# make plans and the lattice. The engine, which has the automata, is a file of the package itself.
_ROOMS = ("cache", "frontend", "kat", "models", "program", "prover", "soundness")
_CODE_FILES = (".py", ".so", ".pyd", ".c", ".h")  # a part of the C library is written in C


def code_state(package: str) -> str | None:
    """The sizes and times of the source files that make entries, as text; None if they cannot be read."""
    try:
        rooms = (os.path.join(package, room) for room in _ROOMS)
        return "\n".join(sorted([*_states(package, nested=False), *chain.from_iterable(map(_states, rooms))]))
    except OSError:
        return None


def _states(directory: str, nested: bool = True) -> Iterator[str]:
    with os.scandir(directory) as entries:
        for entry in entries:
            if entry.name.endswith(_CODE_FILES):
                state = entry.stat()
                yield f"{directory} {entry.name} {state.st_size} {state.st_mtime_ns}"
            elif nested and entry.is_dir() and entry.name != "__pycache__":
                yield from _states(entry.path)


# Taken before that code is loaded: if its files change while a process runs, later processes do not use the
# entries of that process.
_CODE = code_state(PACKAGE)


def digest(data: bytes) -> str:
    """A digest; different contents have different digests."""
    return blake2b(data, digest_size=20).hexdigest()


def key_of(*parts: str) -> str:
    """The key of an entry that was made from these parts by this code (I1)."""
    from mazurka import __version__  # late: the package imports this module

    return digest(json.dumps([__version__, _CODE, *parts]).encode())


def is_on() -> bool:
    """Whether anything may be kept."""
    return _directory() is not None


def load(key: str) -> dict[str, Any] | None:
    """The entry under a key, if there is one."""
    directory = _directory()
    if directory is None:
        return None
    try:
        with open(os.path.join(directory, key + _SUFFIX), "rb") as file:
            checksum, _, text = file.read().partition(b"\n")
        value = json.loads(text) if checksum == _checksum(key, text) else None
    except (OSError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def store(key: str, value: dict[str, Any]) -> None:
    """Keeps an entry, if that is possible (I2)."""
    directory = _directory()
    if directory is None:
        return
    text = json.dumps(value).encode()
    unfinished = os.path.join(directory, f"{key}-{os.urandom(6).hex()}{_UNFINISHED}")
    try:
        os.makedirs(directory, mode=0o700, exist_ok=True)
        with open(
            os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb"
        ) as file:
            file.write(_checksum(key, text) + b"\n" + text)
        os.replace(unfinished, os.path.join(directory, key + _SUFFIX))
        _remove_oldest(directory)
    except OSError:
        _remove(unfinished)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return


def _checksum(key: str, text: bytes) -> bytes:
    return digest(key.encode() + b"\n" + text).encode()


def _directory() -> str | None:
    if _CODE is None or os.environ.get(SWITCH, "").lower() == "off":
        return None
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    directory = os.path.join(base, "mazurka")
    return directory if os.path.isabs(base) and _is_private(directory) else None


def _is_private(directory: str) -> bool:
    """Whether a directory is ours or does not exist yet; takes away other users' access to it (I4)."""
    try:
        state = os.stat(directory)
        if state.st_uid != os.geteuid():
            return False
        if state.st_mode & 0o077:
            os.chmod(directory, 0o700)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _remove_oldest(directory: str) -> None:
    """Removes the oldest entries if there are too many, such as those of old programs and models."""
    entries = []
    for file in os.scandir(directory):
        try:
            state = file.stat()
        except OSError:  # another process has removed it, or it is a dangling link
            continue
        if file.name.endswith(_SUFFIX):
            entries.append((state.st_mtime_ns, state.st_size, file.path))
        elif file.name.endswith(_UNFINISHED) and state.st_mtime < time.time() - _ABANDONED_AFTER:
            _remove(file.path)
    room = MOST_BYTES
    for number, (_, size, path) in enumerate(sorted(entries, reverse=True), 1):
        room -= size
        if number > MOST_ENTRIES or room < 0:
            _remove(path)
