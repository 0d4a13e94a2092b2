"""A race of two accesses on one line: the report shows the line once."""

from __future__ import annotations

from pathlib import Path

from mazurka import check
from mazurka.report import as_text

PROGRAM = """\
#include <pthread.h>
static int a, b;
static void *one(void *p) { if (p) a = 1; else b = a; return p; }
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, one, &a);
}
"""


def test_both_places_are_marked_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    path.write_text(PROGRAM, encoding="utf-8")
    lines = as_text(check(path)).splitlines()
    shown = [at for at, line in enumerate(lines) if line.startswith("      3 | ")]
    assert len(shown) == 1
    line, marks = lines[shown[0]], lines[shown[0] + 1]
    assert [line[at : at + 2] for at, mark in enumerate(marks) if mark == "^"] == ["= ", "a;"]
