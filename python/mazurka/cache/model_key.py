"""The files of a model and their key: a kept plan (``cache.disk``) is used only if they have not changed.

I1: a key depends on everything that an entry was made from: the text of the model file and of all files that
it may include. The texts are read once (``read``), and the model is loaded from them. A file that is saved
during a check has its effect on the next check.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from mazurka.cache import disk
from mazurka.files import read_regular
from mazurka.models import registry

# Every occurrence of the word is tried, even inside comments. That does no harm: the key then depends on more
# files than needed. But a match inside a comment must not hide another one, so the word and the string are
# matched separately.
_WORD = "include"
# What the lexers skip between the word and the string. It matches in one way only, so no text takes long.
_BLANK = re.compile(r"(?: \s | //[^\n]*\n | \#[^\n]*\n | /\*[^*]*\*+(?:[^/*][^*]*\*+)*/ )*", re.VERBOSE)
_PATH = re.compile(r'"(?P<path>[^"\n]*)"')
_MARK = re.compile(r"\(\*|\*\)")
_LONGEST = 10_000  # characters of a comment of a .cat file, which may contain others
Texts = Mapping[str, bytes | None]  # files by their absolute paths; None for a missing file


def read(path: str) -> Texts:
    """A model file and all files that it may include."""
    return dict(_closure(_joined("" if os.path.isabs(path) else os.getcwd(), path)))


def key_of(path: str, texts: Texts) -> str:
    """The key of a model file and all files that it may include (I1)."""
    found = {file: "absent" if text is None else disk.digest(text) for file, text in texts.items()}
    # the path, because messages name it
    return disk.key_of("model", path, *(f"{file} {state}" for file, state in found.items()))


def _closure(path: str) -> Iterator[tuple[str, bytes | None]]:
    """A model file and every file that its includes may name, also indirectly; None for a missing file."""
    waiting, seen = [path], set()
    if path.endswith(registry.CAT_SUFFIX):
        waiting.append(path.removesuffix(registry.CAT_SUFFIX) + registry.BELL_SUFFIX)
    while waiting:
        file = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        try:
            content = read_regular(file)
        except (OSError, ValueError):
            yield file, None
            continue
        yield file, content
        for name in _included(content.decode("utf-8", "replace")):
            waiting += [_joined(os.path.dirname(file), name), _joined(registry.FOLDER, name)]


def _joined(directory: str, name: str) -> str:
    """A path without ``.`` steps: else a file that includes itself by ``./`` would have endless names."""
    first, *steps = os.path.join(directory, name).split("/")
    return "/".join([first, *(step for step in steps if step not in ("", "."))])


def _included(text: str) -> Iterator[str]:
    at = text.find(_WORD)
    while at >= 0:
        at += len(_WORD)
        match = _PATH.match(text, _behind_comments(text, at))
        if match is not None:
            yield match["path"]
        at = text.find(_WORD, at)


def _behind_comments(text: str, at: int) -> int:
    """Where blanks and comments end."""
    while True:
        blank = _BLANK.match(text, at)
        at = blank.end() if blank else at
        end = _behind_nested(text, at) if text.startswith("(*", at) else at
        if end == at:
            return at
        at = end


def _behind_nested(text: str, at: int) -> int:
    depth = 0
    for mark in _MARK.finditer(text, at, at + _LONGEST):
        depth += 1 if mark[0] == "(*" else -1
        if depth == 0:
            return mark.end()
    return at
