"""The files that a how-to page asks its reader to write: the blocks after a name in backquotes."""

from __future__ import annotations

import re
from pathlib import Path

_BLOCK = re.compile(r"^```(?:c|kat)\n(?P<text>(?:.*\n)*?)```$", re.MULTILINE)
_NAME = re.compile(r"`(?P<name>[\w-]+\.(?:c|kat))`")


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
