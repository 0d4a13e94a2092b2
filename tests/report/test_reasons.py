"""Reports of failed assertions name the reads that made them fail."""

from __future__ import annotations

import json
from pathlib import Path

import mazurka
import pytest
from mazurka.report import as_json, as_text
from mazurka.why_not.failed_reads import deciding_reads

START = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y, z;
int plain[2];
static int sum(int a, int b) { int s = a; s += b; return s; }
static int is_missing(void) {
  if (x == 0)
    return 1;
  if (y == 0)
    return 1;
  return 0;
}
static int later(void) {
  if (x == 0)
    return 0;
  return y;
}
void *writer(void *_) { z = 7; x = 1; y = 2; return 0; }
void *reader(void *_) {
  int c = z, a = x, b = y;
"""
END = """
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
}
"""
CASES = {
    "through a local variable": ("assert(b == 0 || c == 7);", ["y", "z"]),
    "only what is compared": ("assert(a == 0);", ["x"]),
    "through a call": ("assert(sum(a, b) < 3);", ["x", "y"]),
    "through an array": ("int keep[2] = {a, b};\n assert(keep[1] == 0);", ["y"]),
    "both parts of a condition": ("assert(!(a == 1 && b == 2));", ["x", "y"]),
    "a branch before it does not count": ("if (b == 2)\n assert(a == 0);", ["x"]),
    "an exchange": ("(void)c;\n assert(atomic_exchange(&x, 3) == 0);", ["x"]),
    "a value that branches of its line chose": (
        "int ok = a == 0 || b == 0;\n if (!ok)\n assert(0);",
        ["x", "y"],
    ),
    "a constant that a function returned": ("assert(is_missing());", ["x", "y"]),
    "a read that a function returned": ("assert(later() != 2);", ["y"]),
    "nothing was read": ("assert(0);", []),
}


@pytest.mark.parametrize(("body", "names"), CASES.values(), ids=CASES)
def test_the_reads_that_decided(body: str, names: list[str]) -> None:
    outcome = mazurka.check(START + body + END, model="sc")
    lines = [line for line in as_text(outcome).splitlines() if " of line " in line]
    assert [line.split()[0] for line in lines] == ["because", "and", "and"][: len(names)]
    named = [line.split(": ")[1].removeprefix("read ") for line in lines]
    assert sorted(named) == names
    violation = json.loads(as_json(outcome))["violation"]
    events = violation["graph"]["threads"][2]["events"]
    assert [one["thread"] for one in violation["because"]] == [2] * len(names)
    assert all(events[one["index"]]["kind"] == "R" for one in violation["because"])


def test_equal_reads_are_told_once() -> None:
    text = as_text(mazurka.check(START + "assert(x + x < 2);" + END, model="sc"))
    assert text.count(" of line ") == text.count(": read x: 1  ← T1:20\n") == 1


def test_where_the_values_come_from() -> None:
    text = as_text(mazurka.check(START + "assert(!(a == 1 && b == 0));" + END, model="sc"))
    assert (
        "    because of line 22: read x: 1  ← T1:20\n    and of line 22: read y: 0  ← initial value\n" in text
    )


def test_barriers_and_sections_have_no_reasons(tmp_path: Path) -> None:
    section = "__VERIFIER_atomic_begin(); plain[0] = a; __VERIFIER_atomic_end();\n assert(a == 0);"
    declared = "void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);"
    path = tmp_path / "section.c"
    path.write_text(declared + START + section + END)
    assert " of line " not in as_text(mazurka.check(path, model="sc"))


HEAD = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int n;\n"
ONE_AFTER_ANOTHER = f"""{HEAD}
void *add(void *a) {{ int i = (int)(long)a; if (atomic_load(&n) == i) atomic_store(&n, i + 1); return 0; }}
int main(void) {{
  pthread_t a[24];
  for (long i = 0; i < 24; i++) {{
    pthread_create(a + i, 0, add, (void *)i);
    pthread_join(a[i], 0);
  }}
  assert(n != 24);
}}
"""
EACH_STARTS_THE_NEXT = f"""{HEAD}
void *next(void *a) {{
  long i = (long)a;
  pthread_t u;
  if (i == 600)
    assert(n != 0);
  else
    pthread_create(&u, 0, next, (void *)(i + 1));
  return 0;
}}
int main(void) {{ next((void *)1); }}
"""


@pytest.mark.parametrize(("source", "value"), [(ONE_AFTER_ANOTHER, 24), (EACH_STARTS_THE_NEXT, 0)])
def test_the_search_runs_each_thread_once(source: str, value: int) -> None:
    """Not once for each of those that began before it: the work does not grow faster than the execution."""
    outcome = mazurka.check(source)
    violation = outcome.violation
    assert violation is not None
    assert violation.graph is not None
    assert f": read n: {value}  ← " in as_text(outcome)
    failed = outcome.program, violation.graph, violation.thread
    assert len(deciding_reads(*failed, steps=15_000)) == 1
    assert not deciding_reads(*failed, steps=300)
