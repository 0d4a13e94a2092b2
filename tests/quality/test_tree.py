"""The tree itself: links that resolve, files of a readable length, no paths of one machine, no clocks."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from pathlib import Path

import pytest
from tree import ROOT, files

LONGEST = 500
_LINK = re.compile(r"\[[^\]]*\]\((?!https?://|mailto:)(?P<target>[^)\s]+)\)")
_HEADING = re.compile(r"^#+\s+(?P<title>.*)$", re.MULTILINE)
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
# Spelled in pieces, so that this file does not find itself.
_HOMES = "|".join(["/" + "home" + r"/\w", "/" + "root" + "/", "/" + "Users" + r"/\w", "/" + "work" + "/"])
MACHINE_PATH = re.compile(rf"(?<![\w.~$}}-])(?:{_HOMES})")
UNFINISHED = re.compile(
    "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "todo" + "!", "unimplemented" + "!"])
)


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as forges make them."""
    titles = (match["title"].lower() for match in _HEADING.finditer(_FENCE.sub("", text)))
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", files(".md"), ids=relative)
def test_links_resolve(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for match in _LINK.finditer(_FENCE.sub("", text)):
        name, _, anchor = match["target"].partition("#")
        target = page.parent / name if name else page
        assert target.exists(), f"{relative(page)}: {match['target']}"
        if anchor:
            assert anchor in anchors(target.read_text(encoding="utf-8")), f"{relative(page)}: #{anchor}"


def test_every_page_of_the_docs_can_be_reached() -> None:
    pages = [ROOT / "README.md"]
    for page in pages:
        targets = (m["target"].partition("#")[0] for m in _LINK.finditer(page.read_text(encoding="utf-8")))
        found = ((page.parent / target).resolve() for target in targets if target.endswith(".md"))
        pages += [target for target in dict.fromkeys(found) if target not in pages]
    assert {p for p in files(".md") if ROOT / "docs" in p.parents} <= set(pages)


def test_files_are_short() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files(".py", ".rs")}
    assert [f"{relative(path)}: {lines}" for path, lines in lengths.items() if lines > LONGEST] == []


def test_no_path_of_a_machine() -> None:
    found = [relative(p) for p in files() if MACHINE_PATH.search(p.read_text(encoding="utf-8"))]
    assert not found


def test_nothing_unfinished() -> None:
    found = [relative(p) for p in files(".py", ".rs") if UNFINISHED.search(p.read_text(encoding="utf-8"))]
    assert not found


def test_modules_open_with_what_they_are_for() -> None:
    openings = {path: path.read_text(encoding="utf-8").lstrip()[:3] for path in files(".py", ".rs")}
    undocumented = [path for path, text in openings.items() if not text.startswith(('"""', "//!", "#!"))]
    assert [relative(path) for path in undocumented] == []


CLOCKS = {
    *("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time"),
    *(
        "process_time_ns",
        "thread_time",
        "thread_time_ns",
        "clock_gettime",
        "getrusage",
        "times",
        "now",
        "utcnow",
    ),
}
CLOCK_ROOMS = {"time", "resource", "os", "datetime"}


def clocks_read(text: str) -> list[int]:
    """The lines of a test that read a clock, or compare seconds that something says it took."""
    lines = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id in CLOCK_ROOMS and node.attr in CLOCKS:
                lines.append(node.lineno)
        elif isinstance(node, ast.ImportFrom) and node.module in CLOCK_ROOMS:
            lines += [node.lineno for name in node.names if name.name in CLOCKS]
        elif isinstance(node, ast.Compare) and any(
            isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for op in node.ops
        ):
            lines += [node.lineno] if "seconds" in ast.unparse(node) else []
    return lines


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("import time\nstarted = time.monotonic()", True),
        ("from time import perf_counter as p", True),
        ("import time\ntime.sleep(1)", False),
        ("assert answer['seconds']['explore'] < 2", True),
        ("assert outcome.seconds_explore < limit", True),
        ("assert answer['seconds'] == {}", False),
    ],
)
def test_clocks_are_seen(text: str, reads: bool) -> None:
    assert bool(clocks_read(text)) == reads


def test_no_test_watches_the_clock() -> None:
    """A busy machine is slow and not wrong: limits of time belong in the benchmarks."""
    tests = [path for path in files(".py") if ROOT / "tests" in path.parents]
    assert [relative(path) for path in tests if clocks_read(path.read_text(encoding="utf-8"))] == []


def test_test_modules_have_names_of_their_own() -> None:
    """Folders of tests are not packages, so pytest cannot collect two modules of one name."""
    names = sorted(path.name for path in files(".py") if path.name.startswith("test_"))
    assert [name for name, following in pairwise(names) if name == following] == []
