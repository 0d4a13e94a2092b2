"""The files of a page: those that it asks its reader to write, that its commands write, and its pictures.

A block after a name in backquotes is for the reader to write. A block that shows a difference changes the
file of the block before it, and the name before it is that of the changed file.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

_BLOCK = re.compile(r"^```(?P<kind>c|cpp|kat|rust|diff)\n(?P<text>(?:.*\n)*?)```$", re.MULTILINE)
_NAME = re.compile(r"`(?P<name>[\w-]+\.(?:c|cpp|kat|rs))`")
_RUSTC = re.compile(r"^\$ (?P<command>rustc .*)$", re.MULTILINE)
_WRITTEN = re.compile(r"--(?:program|svg) (?P<name>[\w.-]+)")
_PICTURE = re.compile(r"!\[[^\]]*\]\((?P<path>[\w./-]+\.svg)\)")


def write_files(page: str, directory: Path) -> list[str]:
    """Writes each block of code to the file that the text before it named last."""
    written: list[str] = []
    text = ""
    for block in _BLOCK.finditer(page):
        names = [match["name"] for match in _NAME.finditer(page[: block.start()])]
        assert names, "a block without a name"
        assert names[-1] not in written, f"{names[-1]} is written twice: name the file before its block"
        text = changed(text, block["text"]) if block["kind"] == "diff" else block["text"]
        (directory / names[-1]).write_text(text, encoding="utf-8")
        written.append(names[-1])
    return written


def changed(text: str, difference: str) -> str:
    """A text with its lines that are marked by a minus replaced by those with a plus; ``…`` parts places."""
    for place in difference.split("…\n"):
        lines = place.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] in "- ")
        after = "".join(line[1:] for line in lines if line[0] in "+ ")
        assert text.count(before) == 1, f"these lines should be in the program once:\n{before}"
        text = text.replace(before, after)
    return text


def has_rust(page: str) -> bool:
    """Whether a page needs rustc."""
    return _RUSTC.search(page) is not None


def compile_rust(page: str, directory: Path) -> None:
    """Runs the commands of a page that compile Rust."""
    for match in _RUSTC.finditer(page):
        words = shlex.split(match["command"])
        compiler = shutil.which(words[0])
        assert compiler is not None
        subprocess.run([compiler, *words[1:]], cwd=directory, check=True, capture_output=True)


def written_by(arguments: str) -> list[str]:
    """The names of the files that a command writes."""
    return [match["name"] for match in _WRITTEN.finditer(arguments)]


def pictures(page: str) -> list[Path]:
    """The pictures of a page, as it names them: drawn by a command that writes a file of that name."""
    return [Path(match["path"]) for match in _PICTURE.finditer(page)]
