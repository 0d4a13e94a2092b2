"""Races whose places say little by themselves: two accesses on one line, and destructors that main calls."""

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


def reported(path: Path, text: str) -> str:
    """The report of a program."""
    path.write_text(text, encoding="utf-8")
    return as_text(check(path))


def test_both_places_are_marked_in_one_line(tmp_path: Path) -> None:
    lines = reported(tmp_path / "p.c", PROGRAM).splitlines()
    shown = [at for at, line in enumerate(lines) if line.startswith("      3 | ")]
    assert len(shown) == 1
    line, marks = lines[shown[0]], lines[shown[0] + 1]
    assert [line[at : at + 2] for at, mark in enumerate(marks) if mark == "^"] == ["= ", "a;"]


BARE = """\
@a = global i32 0
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
define ptr @one(ptr %p) {
  store i32 1, ptr @a
  ret ptr null
}
define i32 @main() {
  %t = alloca i64
  %1 = call i32 @pthread_create(ptr %t, ptr null, ptr @one, ptr null)
  store i32 2, ptr @a
  ret i32 0
}
"""


def test_ir_without_places_has_no_lines_to_show(tmp_path: Path) -> None:
    path = tmp_path / "p.ll"
    path.write_text(BARE, encoding="utf-8")
    outcome = check(path)
    assert outcome.violation is not None
    assert outcome.violation.kind == "race"
    assert "^" not in as_text(outcome)


STATIC = """\
#include <pthread.h>
struct Log {
    int *lines = new int();
    ~Log() { delete lines; lines = nullptr; }
};
static Log log_;
static void *worker(void *) { return log_.lines; }
int main()
{
    pthread_t t;
    pthread_create(&t, nullptr, worker, nullptr);
    pthread_detach(t);
}
"""


def test_a_destructor_with_a_place_of_its_own_is_that_place(tmp_path: Path) -> None:
    text = reported(tmp_path / "p.cpp", STATIC)
    assert "data race" in text
    assert "__mazurka" not in text
    assert "      4 | ~Log()" in text


VECTOR = """\
#include <pthread.h>
#include <vector>
static std::vector<int> log_{1, 2};
static void *worker(void *) { log_.push_back(3); return nullptr; }
int main()
{
    pthread_t t;
    pthread_create(&t, nullptr, worker, nullptr);
    pthread_detach(t);
}
"""


def test_a_destructor_of_the_library_is_named(tmp_path: Path) -> None:
    text = reported(tmp_path / "p.cpp", VECTOR)
    assert "through the destructor of log_\n" in text
    assert "__mazurka" not in text
