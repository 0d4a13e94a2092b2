"""Answers about programs that wait do not depend on the order in which threads take turns."""

from __future__ import annotations

from pathlib import Path

import pytest
from mazurka import check
from mazurka.errors import ErrorCode, MazurkaError

HEAD = "#include <pthread.h>\n#include <stdatomic.h>\n"
MAIN = """
int main(void)
{
    pthread_t t[sizeof run / sizeof run[0]];
    for (unsigned i = 0; i < sizeof run / sizeof run[0]; i++) pthread_create(&t[i], 0, run[i], 0);
    for (unsigned i = 0; i < sizeof run / sizeof run[0]; i++) pthread_join(t[i], 0);
    return 0;
}
"""
LOCK = """
atomic_int lock;
int count;
void *worker(void *arg)
{
    do while (atomic_load(&lock)) ; while (atomic_exchange(&lock, 1));
    count++;
    atomic_store(&lock, 0);
    return arg;
}
void *(*run[])(void *) = {worker, worker, worker};
"""
POLL = """
atomic_int polling, item;
void *consumer(void *arg)
{
    int got;
    do {
        atomic_fetch_add(&polling, 1);
        got = atomic_load(&item);
        atomic_fetch_sub(&polling, 1);
    } while (!got);
    return arg;
}
void *producer(void *arg) { while (!atomic_load(&polling)) ; atomic_store(&item, 1); return arg; }
void *(*run[])(void *) = {consumer, producer};
"""


def write(directory: Path, text: str) -> Path:
    path = directory / "program.c"
    path.write_text(HEAD + text + MAIN, encoding="utf-8")
    return path


@pytest.mark.parametrize("model", ["sc", "rc11"])
def test_exchangeable_threads_that_take_a_lock(model: str, tmp_path: Path) -> None:
    path = write(tmp_path, LOCK)
    for seed in (5, 8, 17, 20, 25):
        found = check(path, model=model, schedule_seed=seed, workers=1)
        assert found.verdict == "verified"
        assert found.complete == 36  # six orders; the loads see one of 1, 2 and 3 unlocked states


def test_a_round_that_is_taken_back_and_waited_for(tmp_path: Path) -> None:
    """The producer sees a round of the consumer sooner or later: neither waits for ever."""
    path = write(tmp_path, POLL)
    for seed in (0, 1, 3, 12):
        with pytest.raises(MazurkaError) as caught:
            check(path, model="rc11", schedule_seed=seed, workers=1)
        assert caught.value.code == ErrorCode.ENDLESS_LOOP
