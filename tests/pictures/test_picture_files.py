"""Files with pictures of executions: SVG, DOT, and pages that need nothing else."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import mazurka
import pytest
from documented import programs, written_pages
from mazurka.checking.outcome import Outcome
from mazurka.pictures.c_source import marked_lines
from mazurka.pictures.dot import dot
from mazurka.pictures.executions.pages import all_executions_page, picture_of_violation, violation_page
from mazurka.pictures.picture import Picture
from mazurka.pictures.svg import svg

_SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("programs")


def checked(folder: Path, name: str) -> Outcome:
    path = folder / f"{name}.c"
    path.write_text(programs()[name], encoding="utf-8")
    return mazurka.check(path)


def drawn(folder: Path, name: str) -> Picture:
    picture = picture_of_violation(checked(folder, name))
    assert picture is not None
    return picture


def boxes(picture: Picture) -> list[str]:
    return [node.label for node in picture.nodes if node.kind not in ("initial", "fold")]


def edges(picture: Picture, relation: str) -> set[tuple[str, str]]:
    labels = {node.number: node.label for node in picture.nodes}
    return {(labels[e.first], labels[e.second]) for e in picture.edges if e.name == relation}


def test_a_race(folder: Path) -> None:
    picture = drawn(folder, "race")
    assert boxes(picture) == [
        "start T1",
        "start T2",
        "✗ data = 42",
        "ready = 1",
        "read ready: 1",
        "✗ read data: 42",
    ]
    assert picture.columns == ("main", "T1 writer(…)", "T2 reader(…)")
    assert edges(picture, "race") == {("✗ data = 42", "✗ read data: 42")}
    assert edges(picture, "rf") == {("ready = 1", "read ready: 1"), ("✗ data = 42", "✗ read data: 42")}
    assert [node.note for node in picture.nodes][3:5] == ["line 11 · relaxed", "line 18 · acquire"]


def test_an_assertion_with_a_cycle(folder: Path) -> None:
    picture = drawn(folder, "flags")
    assert boxes(picture)[-1] == "✗ Assertion failed:\n!(left_enters && right_enters)"
    marked = {(edge.name, edge.first, edge.second) for edge in picture.edges if edge.marked}
    assert sorted(name for name, _, _ in marked) == ["fr", "fr", "po", "po"]
    assert edges(picture, "fr") == {
        ("read right_flag: 0", "right_flag = 1"),
        ("read left_flag: 0", "left_flag = 1"),
    }
    assert picture.heads[-1].endswith("the cycle T1:11 po T1:12 fr T2:18 po T2:19 fr T1:11")


def test_the_page_of_an_assertion_names_the_reads_that_made_it_fail(folder: Path) -> None:
    said = (
        'class="reasons">Because of line 30: read left_enters: 1  ← T1:12 and of line 30: read right_enters'
    )
    assert said in violation_page(checked(folder, "flags"))
    assert 'class="reasons"' not in violation_page(checked(folder, "race"))


def test_time_runs_down(folder: Path) -> None:
    for name in ("race", "flags"):
        picture = drawn(folder, name)
        rows = {node.number: node.row for node in picture.nodes}
        assert all(rows[e.first] < rows[e.second] for e in picture.edges if e.name in ("po", "rf"))


def test_svg_says_what_its_parts_are(folder: Path) -> None:
    picture = drawn(folder, "flags")
    root = ElementTree.fromstring(svg(picture))
    groups = list(root.iter(f"{_SVG}g"))
    assert sum("box" in str(group.get("class")).split() for group in groups) == len(picture.nodes)
    shown = [edge for edge in picture.edges if edge.shown]
    assert sum("edge" in str(group.get("class")).split() for group in groups) == len(shown)
    assert {group.get("data-relation") for group in groups} - {None} == {"po", "rf", "fr"}
    assert "prefers-color-scheme: dark" in str(next(root.iter(f"{_SVG}style")).text)
    assert not re.search(r"(?:href|src|url)\s*[=(]", svg(picture))


def test_dot_has_a_cluster_per_thread(folder: Path) -> None:
    picture = drawn(folder, "race")
    text = dot(picture)
    assert text.startswith("digraph execution {")
    assert text.count("subgraph cluster_") == 3
    assert len(re.findall(r"^ +e\d+ \[label=", text, re.MULTILINE)) == len(picture.nodes)
    assert len(re.findall(r" -> ", text)) == sum(edge.shown for edge in picture.edges)
    assert "dir=none" in text, "a race has no direction"


class _Links(HTMLParser):
    """What a page asks for, and whether its elements are closed in order."""

    _VOID = frozenset(("meta", "input", "br"))

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, str | None]] = []
        self.open: list[str] = []
        self.boxes: list[dict[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.asked += [
            (name, value) for name, value in attrs if name in ("src", "href", "xlink:href", "action")
        ]
        self.open += [] if tag in self._VOID else [tag]
        self.boxes += [dict(attrs)] if tag == "g" and "data-tip" in dict(attrs) else []

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Nothing is left open."""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_pages_need_nothing_else(folder: Path) -> None:
    for page in written_pages(folder).values():
        text = page.read_text(encoding="utf-8")
        links = _Links()
        links.feed(text)
        assert links.open == []
        assert links.asked == []
        assert "@@" not in text
        assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
        assert "https://" not in text
        assert all(json.loads(box["data-tip"] or "") for box in links.boxes)


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    text = programs()["flags"].replace(
        "assert(!(left_enters && right_enters));",
        'assert(!(left_enters && right_enters) && "</script><script>alert(1)</script>");  // </script> @@',
    )
    path = tmp_path / "a&b'<i>.c"
    path.write_text(text, encoding="utf-8")

    page = violation_page(mazurka.check(path))
    links = _Links()
    links.feed(page)
    assert links.open == []
    assert page.count("<script>") == page.count("</script>") == 1
    assert "<i>" not in page


def test_all_executions_are_told_apart(folder: Path) -> None:
    page = written_pages(folder)["outcomes"].read_text(encoding="utf-8")
    assert page.count("<article ") == 4
    values = [json.loads(v.replace("&quot;", '"')) for v in re.findall(r'data-values="([^"]*)"', page)]
    assert values == [
        ["0", "0", "0", "0", "no"],
        ["0", "1", "1", "0", "yes"],
        ["1", "0", "0", "1", "yes"],
        ["1", "1", "1", "1", "yes"],
    ]


ENDED = """\
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int x;
static atomic_int *kept, *freed;
static void *set(void *local) { *kept = *freed = *(atomic_int *)local = x; return local; }
int main(void) {
    atomic_int local = 5;
    pthread_t t;
    kept = malloc(4);
    freed = malloc(4);
    pthread_create(&t, 0, set, &local);
    x = 1;
    pthread_join(t, 0);
    free(freed);
    return 0;
}
"""


def test_memory_whose_lifetime_has_ended_holds_nothing() -> None:
    """Neither what was freed (3), nor a local variable of a function that has returned (1)."""
    page = all_executions_page(mazurka.check(ENDED, collect=True, symmetry=False))
    names = re.findall(r'class="name">([^<]*)<', page)
    assert [name for name in names if name.startswith("final #")] == ["final #2"]
    assert any(name.endswith("reads x") for name in names)


def test_source_keeps_its_lines() -> None:
    text = 'int x; /* a\nb */ char *s = "// <no>"; // yes\n#include <a.h>\n'
    lines = marked_lines(text)
    assert len(lines) == 3
    plain = [re.sub(r"<[^>]*>", "", line) for line in lines]
    assert plain == [
        "int x; /* a",
        "b */ char *s = &quot;// &lt;no&gt;&quot;; // yes",
        "#include &lt;a.h&gt;",
    ]
    assert all(line.count("<span") == line.count("</span>") for line in lines)


ASSUMES = """\
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *set(void *p) { x = 1; return p; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    int seen = x;
    pthread_join(t, 0);
    __VERIFIER_assume(seen);
    return 0;
}
"""


def test_the_page_says_why_blocked_executions_are_missing() -> None:
    outcome = mazurka.check(ASSUMES, collect=True, symmetry=False)
    assert (outcome.complete, outcome.blocked) == (1, 1)
    page = all_executions_page(outcome)
    assert "1 complete execution. The verdict is" in page
    assert "1 blocked execution is counted and not drawn (a thread stops before its end" in page
    assert "only complete executions are kept" in page
