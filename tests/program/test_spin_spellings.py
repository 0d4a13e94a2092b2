"""Ten ways to write one wait loop: each is verified without a bound, with the same number of executions."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from mazurka import _engine
from mazurka.frontend import compile_text
from mazurka.program import Op, Program
from shipped_models import plan_of

SPELLINGS = {
    "do_while": "int seen; do seen = flag; while (!seen);",
    "while": "while (!flag) ;",
    "for": "for (; !flag;) ;",
    "goto": "again: if (!flag) goto again;",
    "recursion": "wait_again();",
    "compare_exchange": "int seen = 1; while (!atomic_compare_exchange_strong(&flag, &seen, 2)) seen = 1;",
    "exchange": "while (!atomic_exchange(&flag, 0)) ;",
    "load_then_compare_exchange": (
        "int seen; do { do seen = flag; while (!seen); }"
        " while (!atomic_compare_exchange_weak(&flag, &seen, 2));"
    ),
    "pause": "while (!flag) { __builtin_ia32_pause(); sched_yield(); }",
    "local_copy": "int seen = flag; while (!seen) { relax(); seen = flag; }",
}
# Others that occur: rotated loops, calls of functions that try, an inner loop that only looks.
MORE = {
    "success_first": (
        "_Bool done = 0; while (!done) { int seen = 1;"
        " done = atomic_compare_exchange_strong(&flag, &seen, 2); }"
    ),
    "not_a_boolean": "int left = 5; while (left) left = !flag;",
    "try": "while (!try_it()) ;",
    "look_then_exchange": "do { while (!flag) ; } while (!atomic_exchange(&flag, 0));",
    "old_value": "while (__sync_val_compare_and_swap((int *)&flag, 1, 2) != 1) ;",
    "recursion_with_result": "wait_for(1);",
    "two_exits": "for (;;) { int seen = flag; if (seen == 1) break; if (seen == 2) return 0; }",
    "fence": "while (!flag) atomic_thread_fence(memory_order_seq_cst);",
    "update_of_nothing": "while (!atomic_fetch_add(&flag, 0)) ;",
    "push": (
        "struct node *own = malloc(sizeof *own), *seen; do { seen = first.next; own->next = seen; }"
        " while (!atomic_compare_exchange_strong(&first.next, &seen, own)); while (!flag) ;"
    ),
    "condition_twice": "int both = flag && other; while (!both) both = flag && other;",
}
NODE = "struct node *own = malloc(sizeof *own), *seen;"
PUSH = "while (!atomic_compare_exchange_strong(&first.next, &seen, own));"
# Rounds of these change something, or never end: they stay as they are.
NOT_WAITING = {
    "bounded": "for (int i = 0; i < 3 && !flag; i++) ;",
    "keeps_what_it_read": (
        "int last = 0; for (;;) { int seen = flag; if (seen == 1) break; last = seen; } data = last;"
    ),
    "stores": "while (!flag) other = 2;",
    "stores_in_a_function": "while (!flag) change();",
    "counts_in_thread_local": "while (!flag) rounds++;",
    "counts_in_memory": "int n[2] = {0, 0}; while (!flag) n[other & 1]++; data = n[0];",
    "walks": "struct node *at = &first; while (at->next) at = at->next;",
    "increments": "while (!atomic_fetch_add(&flag, 1)) ;",
    "prints": 'while (!flag) puts("waiting");',
    "reads_nothing": "int go = data; while (go) ;",
    "has_no_exit": "for (;;) if (flag == 3) assert(0);",
    "succeeds_and_goes_on": (
        "int zero; do { zero = 0; atomic_compare_exchange_strong(&flag, &zero, 2); } while (flag != 1);"
    ),
    "calls_with_another_value": "wait_counting(0);",
    "publishes_first": f"{NODE} shared = own; do {{ seen = first.next; own->next = seen; }} {PUSH}",
    "pushes_twice": (
        f"{NODE} for (int i = 0; i < 2; i++) do {{ seen = first.next; own->next = seen; }} {PUSH}"
    ),
    "reads_its_own": f"{NODE} own->next = 0; do {{ seen = own->next; own->next = first.next; }} {PUSH}",
    "stores_sometimes": f"{NODE} do {{ seen = first.next; if (seen) own->next = seen; }} {PUSH}",
    "goes_on_when_published": (
        f"{NODE} do {{ seen = first.next; own->next = seen;"
        " atomic_compare_exchange_strong(&first.next, &seen, own); } while (!flag);"
    ),
    "allocates": "void *last; do { last = malloc(1); other = (long)last != 0; } while (!flag);",
}
HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
atomic_int flag, other = 1;
int data;
static _Thread_local int rounds;
struct node { struct node *_Atomic next; };
static struct node second, first = {&second};
static struct node *_Atomic shared;
static void relax(void) { __asm__ volatile("" ::: "memory"); }
static void change(void) { other = 1; }
static int wait_counting(int n) { return flag ? n : wait_counting(n + 1); }
static void wait_again(void) { if (!flag) wait_again(); }
static int wait_for(int value) { int seen = flag; return seen == value ? seen : wait_for(value); }
static int try_it(void) { int seen = 1; return atomic_compare_exchange_strong(&flag, &seen, 2); }
void *writer(void *a) { data = 1; flag = 1; return a; }
void *reader(void *a) { return (void *)(long)other; }
void *changer(void *a) { other = 1; return a; }
"""
WAITER = """\
void *spins_%(name)s(void *a) { %(loop)s assert(data == 1); return 0; }
int main_%(name)s(void) {
    pthread_t t[4];
    pthread_create(&t[0], 0, writer, 0);
    pthread_create(&t[1], 0, spins_%(name)s, 0);
    pthread_create(&t[2], 0, changer, 0);
    pthread_create(&t[3], 0, reader, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    return 0;
}
"""
MODELS = ("sc", "tso", "ra", "rc11")


@cache
def compiled() -> Program:
    loops = SPELLINGS | MORE | NOT_WAITING
    bodies = "".join(WAITER % {"name": name, "loop": loop} for name, loop in loops.items())
    calls = " + ".join(f"main_{name}()" for name in loops)
    return compile_text(f"{HEAD}{bodies}int main(void) {{ return {calls}; }}\n")


def program_of(name: str) -> Program:
    names = [function.name for function in compiled().functions]
    return replace(compiled(), entry=names.index(f"main_{name}"))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", SPELLINGS | MORE)
def test_each_is_verified_with_the_same_count(name: str, model: str) -> None:
    """The waiter sees the flag in one way only; the reader reads one of two writes of ``other``."""
    found = _engine.explore(program_of(name).encode(), plan_of(model).encode())
    assert (found.status, found.finding, found.cuts) == ("finished", None, [])
    reads_other = 2 if name == "condition_twice" else 1
    assert found.complete == 2 * reads_other


@pytest.mark.parametrize("name", SPELLINGS | MORE)
def test_each_ends_in_a_spin(name: str) -> None:
    functions = {function.name: function for function in program_of(name).functions}
    waiting = {"recursion": "wait_again", "recursion_with_result": "wait_for"}.get(name, f"spins_{name}")
    assert any(instr.op is Op.SPIN for instr in functions[waiting].code)


@pytest.mark.parametrize("name", NOT_WAITING)
def test_others_stay(name: str) -> None:
    functions = {function.name: function for function in program_of(name).functions}
    looping = {"calls_with_another_value": "wait_counting"}.get(name, f"spins_{name}")
    assert not any(instr.op is Op.SPIN for instr in functions[looping].code)
