"""Random programs with condition variables, locks and semaphores: the engine does what brute force does.

A C program is compiled once. What its threads do is in a constant table, which is filled in later; that
leaves them no access of their own, because constants make no events.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from comparison import EQUIVALENCES, SEEDS, assert_same, explore, plan_of, shipped
from hypothesis import given
from hypothesis import strategies as st
from mazurka.frontend import compile_text
from mazurka.program import Program
from mazurka.reference import enumerate_executions
from mazurka.reference.canonical import Equivalence
from profiles import PROFILE, examples, heavy
from shipped_models import NAMES

MODELS = [name if name in ("sc", "rc11") else pytest.param(name, marks=heavy) for name in NAMES]
THREADS, STEPS = 3, 2
SOURCE = """
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t sem;
static int x;
extern const char script[THREADS][STEPS];
const char script[THREADS][STEPS] = {{9}};
static void set(void) { x = 1; }
static void step(char what)
{
    struct timespec soon = {0, 0};
    switch (what) {
    case 's': pthread_cond_signal(&c); break;
    case 'b': pthread_cond_broadcast(&c); break;
    case 'w': pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); break; /* keeps the mutex to its end */
    case 't': pthread_mutex_lock(&m); pthread_cond_timedwait(&c, &m, &soon); break;
    case 'r': pthread_mutex_lock(&r); pthread_mutex_trylock(&r); pthread_mutex_unlock(&r); break;
    case 'u': pthread_mutex_unlock(&r); break;
    case 'l': pthread_rwlock_rdlock(&rw); break;
    case 'L': if (pthread_rwlock_trywrlock(&rw) == 0) x = 2; break;
    case 'U': pthread_rwlock_unlock(&rw); break;
    case 'o': pthread_once(&once, set); break;
    case 'p': sem_post(&sem); break;
    case 'q': sem_wait(&sem); break;
    }
}
static void *run(void *arg)
{
    const char *mine = script[(long)arg];
    for (int i = 0; i < STEPS; i++)
        step(mine[i]);
    if (mine[0] == 'w' || mine[0] == 't' || mine[1] == 'w' || mine[1] == 't')
        pthread_mutex_unlock(&m);
    return 0;
}
int main(void)
{
    pthread_t t[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, run, (void *)i);
    for (long i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
"""
# Letters of steps, so that few programs are nothing but misuse or too large for brute force.
CONDITIONS = ("w ", "w ", "t ", "s ", "b ", " s", "ss", "bs", "  ")
# How many threads wait, and how many signals there are.
SMALL = [(1, 1)] if PROFILE == "quick" else [(1, 1), (1, 2), (1, 3), (2, 0), (2, 1)]
LOCKS = ("r ", "ru", "lU", "lU", "L ", "o ", "oo", "p ", "q ", "pq", "  ")


@cache
def compiled() -> Program:
    return compile_text(f"#define THREADS {THREADS}\n#define STEPS {STEPS}\n{SOURCE}")


def program(steps: tuple[str, ...]) -> Program:
    """The program whose threads take these steps."""
    data = "".join(step.ljust(STEPS) for step in steps).encode()
    (table,) = (item for item in compiled().globals if item.name == "script")
    filled = replace(table, data=((0, data),))
    return replace(compiled(), globals=tuple(filled if g is table else g for g in compiled().globals))


def is_small(steps: tuple[str, ...]) -> bool:
    """Whether brute force takes seconds at most; the quick profile has smaller programs."""
    waiting = sum(step[0] in "wt" for step in steps)
    others = sum(len(step.strip()) for step in steps) - waiting
    return (waiting, others) in SMALL


def compare(model: str, steps: tuple[str, ...], equivalence: Equivalence, seed: int | None) -> None:
    subject = program(steps)
    found = explore(subject, plan_of(model), equivalence=equivalence, seed=seed)
    assert_same(found, enumerate_executions(subject, shipped(model)), equivalence)


@pytest.mark.parametrize(
    ("steps", "complete", "blocked"),
    [
        # The signal comes before the thread waits, and is lost, or after.
        (("w ", "s ", "  "), 1, 1),
        # The signal comes first, and both wait in two orders; or it comes when one of them waits, who goes on
        # before or after the other one begins to wait; or when both wait, in two orders, and it wakes either.
        (("w ", "w ", "s "), 0, 2 + 2 * 2 + 2 * 2),
        # All go on if both signals come when both wait: they began in two orders, either is woken first, and
        # they go on in two orders. Or if the first signal comes when one of them waits, the second when the
        # other does: the first thread goes on before the other one begins, while it waits, or after it.
        pytest.param(("w ", "w ", "ss"), 2 * 2 * 2 + 2 * 3, None, marks=heavy),
    ],
)
def test_counts_that_are_known(steps: tuple[str, ...], complete: int, blocked: int | None) -> None:
    found = explore(program(steps), plan_of("sc"))
    expected = enumerate_executions(program(steps), shipped("sc"))
    assert_same(found, expected)
    assert found.complete == complete
    assert blocked in (None, found.blocked)


@pytest.mark.parametrize("model", MODELS)
@examples(ci=80, slow=2_000)
@given(
    st.tuples(*[st.sampled_from(CONDITIONS)] * THREADS).filter(is_small), st.sampled_from(EQUIVALENCES), SEEDS
)
def test_conditions(model: str, steps: tuple[str, ...], equivalence: Equivalence, seed: int | None) -> None:
    compare(model, steps, equivalence, seed)


@pytest.mark.parametrize("model", MODELS)
@examples(ci=80, slow=2_000)
@given(st.tuples(*[st.sampled_from(LOCKS)] * THREADS), st.sampled_from(EQUIVALENCES), SEEDS)
def test_locks(model: str, steps: tuple[str, ...], equivalence: Equivalence, seed: int | None) -> None:
    compare(model, steps, equivalence, seed)
