"""Atomic sections in reports: one row for what a section reads and writes, races, JSON, and refusals."""

from __future__ import annotations

import json
from pathlib import Path

import mazurka
import pytest
from mazurka.errors import SourceError
from mazurka.report import as_json, as_text
from profiles import some

HEAD = """\
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#define BEGIN __VERIFIER_atomic_begin()
#define END __VERIFIER_atomic_end()
int x, y, z;
pthread_mutex_t m;
"""


def program(directory: Path, first: str, second: str, main: str = "") -> Path:
    """Two threads, whose bodies are in lines 10 and 11; main runs beside them in line 12."""
    path = directory / "program.c"
    path.write_text(
        f"{HEAD}void *first(void *arg) {{ {first}; return arg; }}\n"
        f"void *second(void *arg) {{ {second}; return arg; }}\n"
        "int main(void) { pthread_t a, b; pthread_create(&a, NULL, first, NULL);"
        f" pthread_create(&b, NULL, second, NULL); {main};"
        " pthread_join(a, NULL); pthread_join(b, NULL); return 0; }\n"
    )
    return path


def report(path: Path) -> str:
    return as_text(mazurka.check(path, model="rc11"), width=240)


def test_a_section_is_one_row(tmp_path: Path) -> None:
    path = program(tmp_path, "BEGIN; x++; y = x + z; END", "BEGIN; z = 5; int s = y; END; assert(s != 1)")
    text = report(path)
    assert "  atomic sections: explored byte by byte\n" in text
    assert "10  at once: x: 0 → 1, read z: 0, y = 1  ← initial value" in text
    assert "11  at once: read y: 1, z = 5  ← T1:10" in text


def test_what_a_section_read_from_several_writes(tmp_path: Path) -> None:
    path = program(tmp_path, "BEGIN; x = 1; END", "BEGIN; assert(x + y + z != 3); END", "BEGIN; y = 2; END")
    assert "at once: read x: 1, read y: 2, read z: 0  ← x from T1:10, y from main:12, z initial" in report(
        path
    )


def test_a_race_names_the_place_and_the_section(tmp_path: Path) -> None:
    text = report(program(tmp_path, "BEGIN; x = z; y = 1; END", "y = 2"))
    assert "writes it in an atomic section at" in text
    assert "✗ at once: read z: 0, x = 0" in text
    assert "✗ y = 2" in text


def test_sections_do_not_race(tmp_path: Path) -> None:
    outcome = mazurka.check(program(tmp_path, "BEGIN; x++; END", "BEGIN; x++; END"), model="rc11")
    assert (outcome.verdict, outcome.complete) == ("verified", 2)


def test_json_has_the_parts_of_a_section(tmp_path: Path) -> None:
    path = program(tmp_path, "BEGIN; x = 3; END", "BEGIN; y = x; END; BEGIN; assert(y == 0); END")
    result = json.loads(as_json(mazurka.check(path, model="rc11")))
    assert result["mixed_sizes"] == {"accesses": [], "sections": True}
    events = result["violation"]["graph"]["threads"][2]["events"]
    accesses = [event for event in events if event["kind"] in ("R", "W")]
    assert [(event["kind"], event["section"], event["size"]) for event in accesses[:2]] == [
        ("R", True, 0),
        ("W", True, 0),
    ]
    read, write = ([(p["size"], p["value"], p["rf"]) for p in event["parts"]] for event in accesses[:2])
    assert read == [(4, 3, [1, 1])]
    assert write == [(4, 3, None)]


def test_a_loop_of_sections_that_waits_for_ever(tmp_path: Path) -> None:
    path = program(tmp_path, "int r; do { BEGIN; r = x; END; } while (r != 2)", "BEGIN; x = 1; y = 1; END")
    text = report(path)
    assert "threads wait for ever" in text
    assert "T1 goes round the loop at" in text
    assert "it sees x = 1 (T2:11)" in text
    assert "no thread reached" not in text


REFUSED = {
    "END": ("the end of an atomic section that has not begun", "call __VERIFIER_atomic_begin before"),
    "BEGIN; x = 1": ("the end of a thread in an atomic section", "call __VERIFIER_atomic_end on every path"),
    "BEGIN; pthread_exit(0); END": ("the end of a thread in an atomic section", "call __VERIFIER_atomic_end"),
    "BEGIN; if (x) return arg; END": ("the end of a thread", "call __VERIFIER_atomic_end"),
    "BEGIN; pthread_mutex_lock(&m); END": ("a synchronisation object in an atomic", "before or after"),
    "static int *volatile p; BEGIN; p = malloc(4); END": ("an allocation in an atomic", "before or after"),
}


@pytest.mark.parametrize("body", some(list(REFUSED), 3))
def test_misuse_is_refused_with_its_place_and_a_cure(body: str, tmp_path: Path) -> None:
    message, hint = REFUSED[body]
    with pytest.raises(SourceError) as caught:
        mazurka.check(program(tmp_path, body, "BEGIN; x = 1; END"), model="rc11")
    assert message in caught.value.message
    assert hint in (caught.value.hint or "")
    assert caught.value.place is not None
    assert caught.value.place.line == 10
