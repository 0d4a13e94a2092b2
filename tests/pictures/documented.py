"""The programs of the page about pictures, and the pages that its commands write."""

from __future__ import annotations

import os
import re
from pathlib import Path

from mazurka.cli import commands

PAGE = Path(__file__).resolve().parents[2] / "docs" / "pictures.md"
_PROGRAM = re.compile(r"`(?P<name>\w+)\.c`[^`]*```c\n(?P<text>.*?)```", re.DOTALL)


def programs() -> dict[str, str]:
    """The programs, by their names."""
    return {match["name"]: match["text"] for match in _PROGRAM.finditer(PAGE.read_text(encoding="utf-8"))}


def written_pages(folder: Path) -> dict[str, Path]:
    """Writes the programs and their pages to a folder, in which the commands run: reports name files."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        for name, text in programs().items():
            Path(f"{name}.c").write_text(text, encoding="utf-8")
            everything = ["--all-executions"] if name == "outcomes" else []
            commands.main(["check", f"{name}.c", "--html", f"{name}.html", *everything])
    finally:
        os.chdir(before)
    return {name: folder / f"{name}.html" for name in programs()}
