"""Compilation: which files of claims say that one model may be compiled to another."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from mazurka.errors import ErrorCode, UsageError
from mazurka.kat.language.load import named_model
from mazurka.models import registry
from mazurka.prover.questions.topics import Topic, of_file

CLAIMS = Path(registry.FOLDER_OF_CLAIMS)
_ALL = "*"


class Claimed(NamedTuple):
    """A line of the table of claims: some axioms of ``source`` follow from those of ``target``."""

    file: str
    source: str
    axioms: str
    target: str


def compiles(source: str, target: str) -> list[Topic]:
    """The claims that programs for one model may be compiled to another, one topic per file."""
    rows = claimed()
    found = [row for row in rows if (row.source, row.target) == (source, target)]
    if not found:
        raise _no_scheme(source, target, rows)
    return [_topic(row) for row in found]


def claimed() -> list[Claimed]:
    """The claims that come with Mazurka and are about two models."""
    lines = (CLAIMS / "TABLE.tsv").read_text(encoding="utf-8").splitlines()
    cells = (line.split("\t") for line in lines if not line.startswith("#"))
    rows = (Claimed(file, source, axioms, target) for _, file, source, axioms, target, *_ in cells)
    return [row for row in rows if row.source != "-"]


def _topic(row: Claimed) -> Topic:
    path = CLAIMS / f"{row.file}.kat"
    topic = of_file(path, _first_comment(path))
    names = [axiom.name for axiom in named_model(row.source).axioms]
    left = [] if row.axioms == _ALL else [name for name in names if name not in row.axioms.split()]
    note = f"not claimed by {path.name}: {', '.join(left)} of {row.source}"
    return Topic(topic.title, topic.questions, notes=(note,) if left else (), lenient=False)


def _first_comment(path: Path) -> str:
    """The first sentence of a file, without its end mark."""
    words: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("//"):
            break
        words += line[2:].split()
        if words and words[-1].endswith("."):
            break
    return " ".join(words).split(". ")[0].rstrip(".")


def _no_scheme(source: str, target: str, rows: list[Claimed]) -> UsageError:
    for name in (source, target):
        named_model(name)  # an unknown name is the likelier mistake
    known = {(row.source, row.target) for row in rows}
    # Two definitions of one model are not a compilation, and neither is the absence of thin-air values.
    listed = (r for r in rows if (r.target, r.source) not in known and r.source != "thin-air")
    pairs = list(dict.fromkeys((row.source, row.target) for row in listed))
    known_targets = [name for start, name in pairs if start == source]
    there = f"{source} has schemes to: {', '.join(known_targets)}"
    if not known_targets:
        there = f"the known schemes are: {', '.join(map(' '.join, pairs))}"
    return UsageError(
        ErrorCode.USAGE,
        f"there is no compilation scheme from {source} to {target}",
        hint=f"{there}; 'mazurka prove weaker {source} {target}' asks about unchanged programs",
    )
