"""Keeps planned models on disk, so that a model is planned once and not once a run.

Entries are JSON files under ``$XDG_CACHE_HOME/mazurka`` (``~/.cache/mazurka``); ``MAZURKA_CACHE=off`` turns
them off. A cache that cannot be read or written is as good as none: nothing here raises.

I1: a key depends on everything that an entry was made from: the text of the model file and of all it may
include, the package's version and the planner's own files. The texts are read once (``read``), and the
model is loaded from them: what is saved while a program is checked counts the next time.
I2: an entry is written elsewhere and moved into its place, and carries a checksum: half an entry, or one that
somebody changed, is no entry.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

MODELS = Path(__file__).resolve().parent / "models"
MOST_ENTRIES = 400
# Each place where the word stands is tried, also inside comments, which does no harm: the key then depends on
# more files than needed. But one that is found there must not hide another, so the two are matched apart.
_INCLUDE = re.compile("include")
# What the lexer skips between the word and the string (only one way to match it, so that no text takes long).
_INCLUDED = re.compile(
    r"""(?: \s | //[^\n]*\n | /\*[^*]*\*+(?:[^/*][^*]*\*+)*/ )* "(?P<path>[^"\n]*)" """, re.VERBOSE
)
Texts = Mapping[Path, bytes | None]  # files by their absolute paths; None where there is none


def _planner(package: Path) -> str:
    """What identifies the planner: the state of its files, and of those that say what an entry looks like."""
    files = [*sorted((package / "kat").glob("*.py")), package / "planning.py", package / "plancache.py"]
    states = ((file.name, file.stat()) for file in files)
    return "\n".join(f"{name} {state.st_size} {state.st_mtime_ns}" for name, state in states)


# Taken before the planner is loaded: if its files change while a process runs, what that keeps is not found.
_PLANNER = _planner(Path(__file__).resolve().parent)


def read(path: Path) -> Texts:
    """A model file with all that it may include."""
    return dict(_closure(path))


def key_of(path: Path, texts: Texts, version: str) -> str:
    """What identifies a model file with all that it may include (I1)."""
    digest = hashlib.sha256(f"{version} {path}\n".encode())  # the path, because messages name it
    digest.update(_PLANNER.encode())
    for file, content in texts.items():
        found = "absent" if content is None else hashlib.sha256(content).hexdigest()
        digest.update(f"{file} {found}\n".encode())
    return digest.hexdigest()


def _closure(path: Path) -> Iterator[tuple[Path, bytes | None]]:
    """A model file and every file that an include in them may mean; None where there is no such file."""
    waiting, seen = [path.absolute()], set()
    while waiting:
        file = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        try:
            content = file.read_bytes()
        except OSError:
            yield file, None
            continue
        yield file, content
        text = content.decode("utf-8", "replace")
        for word in _INCLUDE.finditer(text):
            match = _INCLUDED.match(text, word.end())
            if match is not None:
                waiting += [file.parent / match["path"], MODELS / match["path"]]


def load(key: str) -> dict[str, Any] | None:
    """The entry under a key, if there is one."""
    directory = _directory()
    if directory is None:
        return None
    try:
        entry = json.loads((directory / f"{key}.json").read_text(encoding="utf-8"))
        return dict(entry["value"]) if entry["checksum"] == _checksum(entry["value"]) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def store(key: str, value: dict[str, Any]) -> None:
    """Keeps an entry, if that is possible (I2)."""
    directory = _directory()
    if directory is None:
        return
    text = json.dumps({"checksum": _checksum(value), "value": value})
    with contextlib.suppress(OSError):
        directory.mkdir(parents=True, exist_ok=True)
        _forget_old(directory)
        handle, name = tempfile.mkstemp(dir=directory, suffix=".tmp")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(name, directory / f"{key}.json")
        except OSError:
            os.unlink(name)


def _checksum(value: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _directory() -> Path | None:
    if os.environ.get("MAZURKA_CACHE", "").lower() == "off":
        return None
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "mazurka" if os.path.isabs(base) else None


def _forget_old(directory: Path) -> None:
    """Removes the oldest entries when there are many: old versions of models and of Mazurka."""
    entries = sorted(directory.glob("*.json"), key=lambda entry: entry.stat().st_mtime)
    for entry in entries[: max(0, len(entries) - MOST_ENTRIES)]:
        entry.unlink()
