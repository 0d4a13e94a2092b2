"""Error rules of models: a warning must not hide an error, whatever their order."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import mazurka, write

PROGRAM = """\
#include <pthread.h>
int n;
void *one(void *arg) { n = 1; return arg; }
void *two(void *arg) { n = 2; return arg; }
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, two, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
}
"""
MODEL = """\
model rules "Sequential consistency with rules"
view hb = po
acyclic po | rf | co | fr
"""
WARNING = "export warning writes unless [W] ; loc-overlap ; [W] <= hb\n"
SECOND_WARNING = "export warning plain unless [NA] ; loc-overlap ; [NA] <= hb\n"
ERROR = "export error race unless [W & NA] ; loc-overlap <= hb\n"


@pytest.mark.parametrize("rules", [WARNING + ERROR, ERROR + WARNING, WARNING + SECOND_WARNING + ERROR])
def test_a_warning_does_not_hide_an_error(tmp_path: Path, rules: str) -> None:
    model = write(tmp_path, MODEL + rules, "rules.kat")
    ran = mazurka("check", write(tmp_path, PROGRAM), "--model", model)
    assert ran.status == 1
    assert "data race" in ran.out


def test_a_warning_does_not_hide_another(tmp_path: Path) -> None:
    model = write(tmp_path, MODEL + WARNING + SECOND_WARNING, "rules.kat")
    ran = mazurka("check", write(tmp_path, PROGRAM), "--model", model)
    assert ran.status == 0
    assert "writes" in ran.out
    assert "plain" in ran.out


MESSAGE = """\
#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int flag;
void *one(void *arg) {
  data = 1;
  atomic_store_explicit(&flag, 1, STORE);
  return arg;
}
void *two(void *arg) {
  if (atomic_load_explicit(&flag, LOAD))
    return (void *)(long)data;
  return arg;
}
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, one, 0);
  pthread_create(&second, 0, two, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
}
"""


@pytest.mark.parametrize(
    ("store", "load", "weak"),
    [
        ("relaxed", "acquire", ["the write is relaxed, not release"]),
        ("release", "relaxed", ["the read is relaxed, not acquire"]),
        ("relaxed", "relaxed", ["the write is relaxed, not release", "the read is relaxed, not acquire"]),
    ],
)
def test_a_race_says_which_message_was_too_weak(
    tmp_path: Path, store: str, load: str, weak: list[str]
) -> None:
    modes = [f"-DSTORE=memory_order_{store}", f"-DLOAD=memory_order_{load}"]
    ran = mazurka("check", write(tmp_path, MESSAGE), "--", *modes)
    assert ran.status == 1
    text = " ".join(ran.out.split())  # where lines end depends on the length of the path
    assert "T2 reads flag" in text
    assert "from T1's write" in text
    said = ["the write is relaxed, not release", "the read is relaxed, not acquire"]
    assert [words for words in said if words in text] == weak


def test_a_strong_enough_message_orders(tmp_path: Path) -> None:
    modes = ["-DSTORE=memory_order_release", "-DLOAD=memory_order_acquire"]
    assert mazurka("check", write(tmp_path, MESSAGE), "--", *modes).status == 0
