"""Rows stand at the line of the algorithm, not at that of the wrapper that it calls."""

from __future__ import annotations

import json
from pathlib import Path

from mazurka.checking.check import check
from mazurka.report import as_json, as_text

WRAPPERS = """\
#include <stdatomic.h>
static inline int load(_Atomic int *p) { return atomic_load_explicit(p, memory_order_relaxed); }
static inline _Bool swap(_Atomic int *p, int old, int new)
{
    return atomic_compare_exchange_strong(p, &old, new);
}
static inline void publish(_Atomic int *flag, int *data)
{
    *data = 1;
    atomic_store_explicit(flag, 1, memory_order_relaxed);
}
"""
PROGRAM = """\
#include "wrappers.h"
#include <pthread.h>
_Atomic int flag, lock;
int data;
void *writer(void *unused) { publish(&flag, &data); return 0; }
void *reader(void *unused)
{
    if (swap(&lock, 0, 1) && load(&flag))
        return data ? &data : 0;
    return 0;
}
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, reader, 0);
}
"""


def write(folder: Path) -> Path:
    (folder / "wrappers.h").write_text(WRAPPERS)
    (folder / "program.c").write_text(PROGRAM)
    return folder / "program.c"


def test_wrappers_are_shown_at_their_calls_and_algorithms_at_their_lines(tmp_path: Path) -> None:
    text = as_text(check(write(tmp_path)), width=120)
    rows = text[text.index("The execution") :]
    assert "8  lock: 0 → 1" in rows
    assert "8  read flag: 1" in rows
    assert "wrappers.h:9  ✗ data = 1" in rows  # more than one access: not a wrapper
    assert "wrappers.h:10  flag = 1" in rows
    assert "wrappers.h:2" not in text


def test_calls_are_shown_on_request(tmp_path: Path) -> None:
    outcome = check(write(tmp_path))
    text = as_text(outcome, width=200, calls=True)
    assert "read flag: 1 (in load at wrappers.h:2)" in text
    assert "(in swap at wrappers.h:5)" in text
    threads = json.loads(as_json(outcome))["violation"]["graph"]["threads"]
    read = next(e for e in threads[2]["events"] if e["kind"] == "R" and not e["exclusive"])
    assert [call["function"] for call in read["calls"]] == ["load", "reader"]
    assert read["location"]["line"] == 8


def test_a_headline_fits_two_lines(tmp_path: Path) -> None:
    name = "a_very_long_name_" * 8
    source = PROGRAM.replace("data", name).replace("reader", f"reader_{name}")
    write(tmp_path).write_text(source)
    lines = as_text(check(tmp_path / "program.c"), width=100).splitlines()
    assert len(lines[1]) <= 2 + 2 * 100


LOCK = """\
#include "words.h"
static inline void ticket_unlock(struct ticket *lock)
{
    unsigned owner = word_load(&lock->owner);
    word_store_release(&lock->owner, owner + 1);
}
"""
WORDS = """\
struct ticket { unsigned owner; };
static inline unsigned word_load(unsigned *word)
{
    return *(volatile unsigned *)word;
}
static inline void word_store(unsigned *word, unsigned value)
{
    *(volatile unsigned *)word = value;
}
static inline void word_store_release(unsigned *word, unsigned value)
{
    __atomic_thread_fence(__ATOMIC_RELEASE);
    word_store(word, value);
}
"""
USER = """\
#include "lock.h"
#include <pthread.h>
struct ticket lock;
void *worker(void *unused)
{
    ticket_unlock(&lock);
    return 0;
}
int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, worker, 0);
    return word_load(&lock.owner);
}
"""


def test_the_algorithm_may_be_in_a_header_too(tmp_path: Path) -> None:
    """Its accesses go through wrappers of another header, some of them two calls deep: these are left out."""
    for name, text in (("words.h", WORDS), ("lock.h", LOCK), ("user.c", USER)):
        (tmp_path / name).write_text(text)
    outcome = check(tmp_path / "user.c")
    text = as_text(outcome, width=120).replace(f"{tmp_path}/", "")
    assert "T1 writes lock.owner (volatile) at lock.h:5, main reads it (volatile) at user.c:13" in text
    assert "    through word_store_release at words.h:13\n    through word_store at words.h:8\n" in text
    rows = text[text.index("The execution") :]
    assert "4  read lock.owner: 0" in rows
    assert "5  ✗ lock.owner = 1" in rows
    assert "user.c:13  ✗ read lock.owner" in rows
    assert "✗ data race with main:user.c:13" in rows
