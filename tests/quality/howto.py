"""The files of a page: those that it asks its reader to write, that its commands write, and its pictures.

A block after a name in backquotes is for the reader to write.
"""

from __future__ import annotations

import re
from pathlib import Path

_BLOCK = re.compile(r"^```(?:c|kat)\n(?P<text>(?:.*\n)*?)```$", re.MULTILINE)
_NAME = re.compile(r"`(?P<name>[\w-]+\.(?:c|kat))`")
_WRITTEN = re.compile(r"--(?:program|svg) (?P<name>[\w.-]+)")
_PICTURE = re.compile(r"!\[[^\]]*\]\((?P<path>[\w./-]+\.svg)\)")


def write_files(page: str, directory: Path) -> list[str]:
    """Writes each block of C or kat to the file that the text before it named last."""
    written = []
    for block in _BLOCK.finditer(page):
        names = [match["name"] for match in _NAME.finditer(page[: block.start()])]
        assert names, "a block without a name"
        assert names[-1] not in written, f"{names[-1]} is written twice: name the file before its block"
        (directory / names[-1]).write_text(block["text"], encoding="utf-8")
        written.append(names[-1])
    return written


def written_by(arguments: str) -> list[str]:
    """The names of the files that a command writes."""
    return [match["name"] for match in _WRITTEN.finditer(arguments)]


def pictures(page: str) -> list[Path]:
    """The pictures of a page, as it names them: drawn by a command that writes a file of that name."""
    return [Path(match["path"]) for match in _PICTURE.finditer(page)]
