"""What the report says about threads that wait for ever."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mazurka import check
from mazurka.checking.outcome import Outcome
from mazurka.report import as_json, as_text

PROGRAMS = Path(__file__).parents[1] / "programs"


HELD_OVER_A_JOIN = """\
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return arg; }
int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    pthread_mutex_unlock(&m);
}
"""
HELD_TWICE = """\
#include <pthread.h>
static pthread_mutex_t m;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *setter(void *arg)
{
    pthread_mutex_lock(&m); pthread_cond_signal(&c); pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_mutexattr_t a;
    pthread_t t;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &a);
    pthread_create(&t, 0, setter, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
}
"""

LOST_SIGNAL = """\
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int go;
static void *waiter(void *arg)
{
    pthread_mutex_lock(&m);
    while (!go)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return arg;
}
static void *setter(void *arg) { go = 1; pthread_cond_signal(&c); return arg; }
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, waiter, 0);
    pthread_create(&u, 0, setter, 0);
    pthread_join(t, 0);
}
"""
LOOKS_AT_SEMAPHORE = """\
#include <assert.h>
#include <semaphore.h>
#include <pthread.h>
static sem_t s; static void *worker(void *arg) { return arg; }
int main(void)
{
    int value; pthread_t t;
    sem_init(&s, 0, 1);
    pthread_create(&t, 0, worker, 0);
    sem_getvalue(&s, &value);
    assert(value == 2);
}
"""


def written(tmp_path: Path, text: str) -> Outcome:
    path = tmp_path / "p.c"
    path.write_text(text, encoding="utf-8")
    return check(path, model="sc")


def outcome(tmp_path: Path, name: str, old: str = "", new: str = "") -> Outcome:
    text = (PROGRAMS / f"{name}.c").read_text(encoding="utf-8")
    head, code = text.split("#include", 1)
    path = tmp_path / f"{Path(name).name}.c"
    path.write_text(head + "#include" + (code.replace(old, new, 1) if old else code), encoding="utf-8")
    return check(path, model="sc")


def test_a_loop_that_sees_the_same_for_ever(tmp_path: Path) -> None:
    """The thread, its loop, what it sees and who wrote that."""
    lines = as_text(outcome(tmp_path, "liveness_w_r_loop")).splitlines()
    path = tmp_path / "liveness_w_r_loop.c"
    assert "threads wait for ever" in lines[0]
    assert f"    T2 goes round the loop at {path}:16 for ever: it sees x = 1 (T1:11)" in lines
    assert "    T1 has ended" in lines
    assert f"    main waits for T2 to end, at {path}:28" in lines


def test_a_write_that_no_thread_came_to(tmp_path: Path) -> None:
    lines = as_text(outcome(tmp_path, "liveness_lost_wakeup")).splitlines()
    path = tmp_path / "liveness_lost_wakeup.c"
    assert f"      no thread reached the write of flag at {path}:13, in setter" in lines


def test_a_mutex_has_a_holder(tmp_path: Path) -> None:
    lines = as_text(outcome(tmp_path, "mutex_opposite_orders")).splitlines()
    assert "    T1 waits for two, taken by T2:10, and holds one (since line 10)" in lines
    assert "    T2 waits for one, taken by T1:10, and holds two (since line 10)" in lines


def test_main_holds_a_lock_that_it_took_before_the_threads(tmp_path: Path) -> None:
    lines = as_text(written(tmp_path, HELD_OVER_A_JOIN)).splitlines()
    path = tmp_path / "p.c"
    assert f"    main waits for T1 to end, at {path}:9, and holds m (since line 7)" in lines
    assert "    T1 waits for m, taken by main:7" in lines


def test_a_mutex_that_was_unlocked_once_but_is_still_held(tmp_path: Path) -> None:
    """Its last change was an unlock: of one of two locks."""
    lines = as_text(written(tmp_path, HELD_TWICE)).splitlines()
    assert "    main waits for a signal of c, and holds m (since line 17)" in lines
    assert "    T1 waits for m, which main still holds (since line 17)" in lines


def test_a_signal_that_nobody_sends(tmp_path: Path) -> None:
    lines = as_text(outcome(tmp_path, "threads/condition_message", "while (!ready)", "")).splitlines()
    assert "this thread waits for a signal that nobody sends (in reader, T1)" in lines[1]
    assert "    T1 waits for a signal of changed" in lines


def test_a_signal_that_came_too_early(tmp_path: Path) -> None:
    """It is never folded: it is the reason, although no thread reads what it did."""
    text = as_text(written(tmp_path, LOST_SIGNAL))
    assert "signal c: nobody waits" in text
    assert "still waits on c" in text


def test_a_semaphore_that_is_looked_at_has_a_value(tmp_path: Path) -> None:
    text = as_text(written(tmp_path, LOOKS_AT_SEMAPHORE))
    assert "because of line 10: read the value of s: 1  ← main:8" in text


def test_a_mutex_that_is_polled_is_free_or_taken(tmp_path: Path) -> None:
    """Its word is a number that means nothing to people."""
    found = outcome(tmp_path, "wait_mutex_poll", "ready = 1;", "if (looked) ready = 0;")
    text = as_text(found)
    assert "it sees mutex = free (T2:27) and ready = 0 (initially)" in text
    assert "mutex was taken by T1 (T1:15), free (T1:17) and taken by T2 (T2:25) before" in text


def test_json_has_the_waits(tmp_path: Path) -> None:
    violation = json.loads(as_json(outcome(tmp_path, "liveness_lost_wakeup")))["violation"]
    joining, spinning = violation["waits"]
    assert (joining["thread"], joining["joins"], joining["loop"], joining["sees"]) == (0, 3, None, [])
    assert (spinning["thread"], spinning["loop"]["line"]) == (3, 17)
    (seen,) = spinning["sees"]
    assert (seen["place"], seen["value"], seen["rf"]) == ("flag", 0, None)
    assert [write["line"] for write in seen["writes"]] == [13]


@pytest.mark.parametrize("name", ["liveness_w_r_loop", "mutex_opposite_orders"])
def test_the_check_can_be_switched_off(name: str) -> None:
    assert check(PROGRAMS / f"{name}.c", model="sc", liveness=False).verdict == "verified"
