"""Random programs that use the threads library: the engine does what brute force does, under every model.

A C program is compiled once. What its threads do is in a constant table, which is filled in later; that
leaves them no access of their own, because constants make no events.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product

import pytest
from comparison import AUDITS, EQUIVALENCES, SEEDS, assert_same, explore, mixed_plan_of, plan_of, shipped
from hypothesis import assume, given
from hypothesis import strategies as st
from mazurka.frontend import compile_text
from mazurka.frontend.c.dialect import Dialect
from mazurka.program import Program
from mazurka.reference import Executions, enumerate_executions
from mazurka.reference.running.labels import ReferenceUnsupported
from profiles import PROFILE, examples, heavy
from shipped_models import NAMES

MODELS = [name if name in ("sc", "rc11") else pytest.param(name, marks=heavy) for name in NAMES]
WORKERS = st.sampled_from([1, 1, 3])
THREADS, STEPS = 3, 4
SOURCE = """
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
#ifdef TYPES
static pthread_mutex_t r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t e = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
#endif
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static sem_t sem;
static int d;
static atomic_int a;
extern const char script[THREADS][STEPS];
const char script[THREADS][STEPS] = {{9}};
#define RELAXED memory_order_relaxed
static void set(void) { d = 1; }
static void step(char what)
{
    struct timespec soon = {0, 0};
    int value;
    switch (what) {
    case '1': d = 1; break;
    case '0': if (d) atomic_store_explicit(&a, 2, RELAXED); break;
    case '+': atomic_fetch_add_explicit(&a, 1, RELAXED); break;
    case 'a': if (atomic_load_explicit(&a, RELAXED)) d = 2; break;
    case 'x': atomic_store_explicit(&a, 3, RELAXED); break;
    case 'f': atomic_thread_fence(memory_order_seq_cst); break;
    case 's': pthread_cond_signal(&c); break;
    case 'b': pthread_cond_broadcast(&c); break;
    case 'w': pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); break; /* keeps the mutex to its end */
    case 't': pthread_mutex_lock(&m); pthread_cond_timedwait(&c, &m, &soon); break;
#ifdef TWO
    case 'W': pthread_mutex_lock(&k); pthread_cond_wait(&c, &k); pthread_mutex_unlock(&k); break;
#endif
#ifdef DETACH
    case 'J': pthread_join(2, 0); break; /* the first thread */
    case 'd': pthread_detach(2); break;
#endif
    case 'm': pthread_mutex_lock(&m); break;
    case 'n': pthread_mutex_unlock(&m); break;
    case 'M': if (pthread_mutex_trylock(&m) == 0) { d = 2; pthread_mutex_unlock(&m); } break;
    case 'N': if (pthread_mutex_timedlock(&m, &soon) == 0) pthread_mutex_unlock(&m); break;
#ifdef TYPES
    case 'r': pthread_mutex_lock(&r); pthread_mutex_trylock(&r); pthread_mutex_unlock(&r); break;
    case 'u': pthread_mutex_unlock(&r); break;
    case 'e': if (pthread_mutex_lock(&e)) d = 3; break;
    case 'E': pthread_mutex_unlock(&e); break;
#endif
    case 'l': pthread_rwlock_rdlock(&rw); break;
    case 'L': if (pthread_rwlock_trywrlock(&rw) == 0) d = 2; break;
    case 'K': pthread_rwlock_wrlock(&rw); break;
    case 'k': if (pthread_rwlock_timedrdlock(&rw, &soon) == 0) pthread_rwlock_unlock(&rw); break;
    case 'U': pthread_rwlock_unlock(&rw); break;
    case 'i': pthread_spin_lock(&spin); break;
    case 'I': if (pthread_spin_trylock(&spin) == 0) pthread_spin_unlock(&spin); break;
    case 'j': pthread_spin_unlock(&spin); break;
    case 'o': pthread_once(&once, set); break;
    case 'p': sem_post(&sem); break;
    case 'q': sem_wait(&sem); break;
    case 'y': if (sem_trywait(&sem) == 0) d = 2; break;
    case 'z': if (sem_timedwait(&sem, &soon)) atomic_store_explicit(&a, 2, RELAXED); break;
    case 'Y': if (sem_trywait(&sem) && d) atomic_store_explicit(&a, 2, RELAXED); break;
    case 'g': sem_getvalue(&sem, &value); if (value) d = 2; break;
    case 'D': sem_destroy(&sem); break;
    case 'B': if (pthread_barrier_wait(&barrier)) d = 2; break;
    case 'v': pthread_barrier_wait(&barrier); break;
    case '?': if (__VERIFIER_nondet_bool()) atomic_store_explicit(&a, 1, RELAXED); break;
#ifdef SECTIONS
    case 'S': __VERIFIER_atomic_begin(); a = a + 1; __VERIFIER_atomic_end(); break;
#endif
    }
}
static void *run(void *arg)
{
    const char *mine = script[(long)arg];
    int holds = 0;
    for (int i = 0; i < STEPS; i++) {
        step(mine[i]);
        holds |= mine[i] == 'w' || mine[i] == 't';
    }
    if (holds)
        pthread_mutex_unlock(&m);
    return 0;
}
int main(void)
{
    pthread_t t[THREADS];
    pthread_barrier_init(&barrier, 0, 2);
#ifdef ONE
    sem_init(&sem, 0, 1);
#endif
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, run, (void *)i);
#ifdef DETACH
    for (long i = 1; i < THREADS; i++)
#else
    for (long i = 0; i < THREADS; i++)
#endif
        pthread_join(t[i], 0);
    return 0;
}
"""
# What threads do, by the objects that it is about; few programs should be nothing but misuse.
DATA = ("1", "0", "+", "a", "x", "?", "")
FAMILIES = {
    "mutex": ("mn", "m1n", "m0n", "M", "N", "m+", "n"),
    "types": ("ruu", "r", "ru", "eE", "e0E", "E", "ee", "mn"),
    "rwlock": ("lU", "l0U", "lUl", "K1U", "KU", "L", "LU", "k", "U"),
    "spinlock": ("ij", "i1j", "i0j", "I", "j"),
    "once": ("o", "o0", "oo", "1o"),
    "semaphore": ("p", "1p", "q", "q0", "y", "z", "g", "pq", "pp", "qp", "D"),
    "barrier": ("v", "1v", "v0", "B", "v", "B0"),
}
# How many threads wait on the condition variable, and how many other steps there are.
CONDITIONS = ("w", "w", "t", "s", "b", "ss", "bs", "", "1s", "w0", "M", "+")
SMALL = [(1, 1)] if PROFILE == "quick" else [(1, 1), (1, 2), (1, 3), (2, 0), (2, 1)]
VARIANTS = ("", "SPURIOUS", "TWO")
MOST_STEPS = {"quick": 4, "ci": 5, "slow": 7}[PROFILE]
MOST_GRAPHS = {"quick": 1_000, "ci": 2_000, "slow": 6_000}[PROFILE]


@cache
def compiled(*macros: str) -> Program:
    head = "".join(f"#define {macro}\n" for macro in (f"THREADS {THREADS}", f"STEPS {STEPS}", *macros))
    return compile_text(head + SOURCE, dialect=Dialect(spurious_wakeups="SPURIOUS" in macros))


def program(steps: tuple[str, ...], *macros: str) -> Program:
    """The program whose threads take these steps."""
    data = "".join(step.ljust(STEPS) for step in steps).encode()
    whole = compiled(*macros)
    (table,) = (item for item in whole.globals if item.name == "script")
    filled = replace(table, data=((0, data),))
    return replace(whole, globals=tuple(filled if g is table else g for g in whole.globals))


def _is_small(steps: tuple[str, ...]) -> bool:
    """Whether brute force takes seconds at most; the quick profile has smaller programs."""
    waiting = sum(step[:1] in ("w", "t") for step in steps)
    others = sum(map(len, steps)) - waiting
    return (waiting, others) in SMALL


WAITING = [steps for steps in product(CONDITIONS, repeat=THREADS) if _is_small(steps)]


@st.composite
def mixtures(draw: st.DrawFn, families: tuple[str, ...]) -> tuple[str, ...]:
    """Threads that use the objects of one or two families, and data."""
    chosen = draw(st.lists(st.sampled_from(families), min_size=1, max_size=2, unique=True))
    parts = st.sampled_from([*DATA, *(part for family in chosen for part in FAMILIES[family] * 2)])
    thread = st.lists(parts, min_size=1, max_size=2).map("".join).filter(lambda text: len(text) <= STEPS)
    return draw(st.tuples(*[thread] * THREADS).filter(lambda steps: sum(map(len, steps)) <= MOST_STEPS))


def brute_force(model: str, subject: Program) -> Executions:
    """All executions, of a program that does not have too many."""
    try:
        return enumerate_executions(subject, shipped(model), most_graphs=MOST_GRAPHS)
    except ReferenceUnsupported:
        assume(False)
        raise AssertionError from None


def compare(model: str, subject: Program, seed: int | None, audit: bool, workers: int) -> None:
    """Both equivalences, with and without avoidable waiting; and who waits for ever."""
    expected, plan = brute_force(model, subject), plan_of(model)
    for equivalence in EQUIVALENCES:
        found = explore(subject, plan, equivalence=equivalence, seed=seed, audit=audit, workers=workers)
        assert_same(found, expected, equivalence)
    assert_same(explore(subject, plan, seed=seed, postpones=False), expected)
    kind = explore(subject, plan, seed=seed, workers=workers, liveness=True).kind
    kinds = expected.findings | ({"deadlock"} if expected.stuck else set())
    assert kind in kinds or (not kinds and kind is None)


@pytest.mark.parametrize(
    ("steps", "complete", "blocked"),
    [
        # The signal comes before the thread waits, and is lost, or after.
        (("w", "s", ""), 1, 1),
        # The signal comes first, and both wait in two orders; or it comes when one of them waits, who goes on
        # before or after the other one begins to wait; or when both wait, in two orders, and it wakes either.
        (("w", "w", "s"), 0, 2 + 2 * 2 + 2 * 2),
        # All go on if both signals come when both wait: they began in two orders, either is woken first, and
        # they go on in two orders. Or if the first signal comes when one of them waits, the second when the
        # other does: the first thread goes on before the other one begins, while it waits, or after it.
        pytest.param(("w", "w", "ss"), 2 * 2 * 2 + 2 * 3, None, marks=heavy),
    ],
)
def test_counts_that_are_known(steps: tuple[str, ...], complete: int, blocked: int | None) -> None:
    found = explore(program(steps), plan_of("sc"))
    expected = enumerate_executions(program(steps), shipped("sc"))
    assert_same(found, expected)
    assert found.complete == complete
    assert blocked in (None, found.blocked)


# Whether what one thread writes, and another one reads or writes, is ordered by what they do in between.
ORDERS = (
    (("m1n", "m0n", ""), True),
    (("m1n", "M", ""), True),
    (("m1n", "0", ""), False),
    (("i1j", "i0j", ""), True),
    (("K1U", "l0U", ""), True),  # from a writer to a reader
    (("l0U", "L", ""), True),  # from a reader to a writer
    (("l1U", "l0U", ""), False),  # two readers
    (("1p", "q0", ""), True),
    (("1p", "q0", "p"), False),  # the unit may be that of the other post
    (("1p", "y", ""), True),
    (("1p", "g", ""), False),  # who asks for the value is not ordered
    (("1pp", "z0", ""), False),  # it may have given up
    (("o0", "o0", ""), True),
    (("o", "0", ""), False),
    (("1v", "v0", ""), True),
    (("v1", "v0", ""), False),
    (("1s", "w0", ""), True),
    (("1b", "w0", ""), True),
    (("1s", "t0", ""), False),
)


@pytest.mark.parametrize(("steps", "ordered"), ORDERS, ids=lambda value: str(value))
def test_what_orders(steps: tuple[str, ...], ordered: bool) -> None:
    subject = program(steps)
    assert enumerate_executions(subject, shipped("rc11")).findings == (set() if ordered else {"race"})
    assert (explore(subject, plan_of("rc11")).kind is None) == ordered


def test_a_failed_attempt_orders_nothing() -> None:
    """The semaphore is empty only after the post, but an attempt that finds it empty does not acquire."""
    subject = program(("1pqq", "Y", ""), "ONE")
    assert enumerate_executions(subject, shipped("rc11")).findings == {"race"}
    assert explore(subject, plan_of("rc11")).kind == "race"
    assert explore(subject, plan_of("sc")).kind is None


@pytest.mark.parametrize("model", MODELS)
@examples(ci=6, slow=2_000)
@given(st.sampled_from(WAITING), st.sampled_from(VARIANTS), SEEDS, AUDITS, WORKERS)
def test_conditions(
    model: str, steps: tuple[str, ...], variant: str, seed: int | None, audit: bool, workers: int
) -> None:
    """With one mutex or two, and with spurious wake-ups."""
    if variant == "TWO":
        steps = (*steps[:2], steps[2].replace("w", "W"))
    compare(model, program(steps, *filter(None, [variant])), seed, audit, workers)


@pytest.mark.parametrize(
    ("steps", "is_misuse"),
    [
        (("", "J", ""), False),
        (("", "J", "J"), True),
        (("", "JJ", ""), True),
        (("J", "", ""), False),  # it waits for its own end, but main does not wait for it
        (("", "d", ""), False),
        (("d", "", ""), False),
        (("d", "J", ""), True),
        (("", "J", "d"), True),
        (("", "d", "d"), True),
    ],
)
def test_joins(steps: tuple[str, ...], is_misuse: bool) -> None:
    subject = program(steps, "DETACH")
    assert enumerate_executions(subject, shipped("rc11")).findings == ({"thread"} if is_misuse else set())
    compare("rc11", subject, None, False, 1)


@pytest.mark.parametrize("model", MODELS)
@examples(ci=16, slow=4_000)
@given(mixtures(tuple(FAMILIES)), SEEDS, AUDITS, WORKERS)
def test_mixtures(model: str, steps: tuple[str, ...], seed: int | None, audit: bool, workers: int) -> None:
    compare(
        model, program(steps, *["TYPES"] * (set("ruEe") & set("".join(steps)) != set())), seed, audit, workers
    )


@heavy
@pytest.mark.parametrize("model", ["sc", "tso", "rc11"])
@examples(ci=12, slow=2_000)
@given(mixtures(("mutex", "rwlock", "semaphore", "once")), st.integers(0, THREADS - 1), WORKERS)
def test_with_sections(model: str, steps: tuple[str, ...], where: int, workers: int) -> None:
    """An atomic section in one thread, or in all."""
    steps = tuple(("S" + text)[:STEPS] if i >= where else text for i, text in enumerate(steps))
    subject = program(steps, "SECTIONS")
    found = explore(subject, mixed_plan_of(model), mixed_sizes=True, load_annotations=False, workers=workers)
    assert_same(found, brute_force(model, subject), early=True)
