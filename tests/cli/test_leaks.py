"""Memory that is never freed: what ``--leaks`` warns about, and what a property says about it."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from command import mazurka, write
from mazurka import Outcome, UsageError, check
from profiles import heavy, some

HEADERS = """\
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"""
_WARNING = re.compile(
    r"memory allocated at .*:(\d+) \(in .*\) is not freed in some execution, "
    r"and nothing points to it when the program ends"
)


def lines(outcome: Outcome) -> list[int]:
    """Where memory is allocated that is lost; there are no other warnings."""
    found = [_WARNING.fullmatch(text) for text in outcome.warnings]
    return sorted(int(one[1]) if one else -1 for one in found)


def marked(source: str, mark: str = "LOST") -> list[int]:
    return [number for number, line in enumerate(source.splitlines(), 1) if f"// {mark}" in line]


# Each pointer is kept in another way, and lost with -DFORGET.
KEPT = (
    HEADERS
    + """\
#ifdef FORGET
#define forget(place) memset(&(place), 0, sizeof(place))
#else
#define forget(place) ((void)(place))
#endif
struct list { struct list *next; char *name; };
static struct list *head;
static _Atomic uintptr_t low, high, shifted;
static _Atomic(int *) handed;
static _Thread_local int *own;
static _Thread_local int *shown;
static int **view;
struct __attribute__((packed)) odd { char c; int *p; };
static struct odd odd;
static char copy[sizeof(int *) + 3];
static int *after, *grown, *first;
static pthread_key_t key;
static void *worker(void *arg) {
  int *p;
  while (!(p = atomic_load(&handed)));
  free(p);
  grown = realloc(grown, 64); // LOST
  grown[8] = 1;
  forget(grown);
  int **inner = malloc(sizeof *inner); // LOST
  *inner = malloc(sizeof **inner); // LOST
  first = (int *)inner;
  forget(first);
#ifdef FORGET
  malloc(3); // LOST
  return NULL;
#else
  return malloc(3); // nobody fetches it
#endif
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 3; i++) {
    struct list *n = malloc(sizeof *n); // LOST
    n->name = strdup("x"); // LOST
    n->next = head;
    head = n;
  }
  forget(head);
  low = (uintptr_t)malloc(16) | 7; // LOST
  forget(low);
  high = (uintptr_t)malloc(16) | (uintptr_t)0xbeef << 48; // LOST
  forget(high);
  shifted = (uintptr_t)malloc(16) << 16 | 0xabc; // LOST
  forget(shifted);
  own = malloc(4); // LOST
  forget(own);
  view = &shown;
  shown = malloc(4); // LOST
  forget(shown);
  odd.p = malloc(4); // LOST
  forget(odd);
  int *q = malloc(4); // LOST
  memcpy(copy + 3, &q, sizeof q);
  forget(copy);
  after = (int *)malloc(8) + 2; // LOST
  forget(after);
  grown = malloc(4);
  *grown = 3;
  pthread_key_create(&key, NULL);
  pthread_setspecific(key, malloc(5)); // LOST
#ifdef FORGET
  pthread_setspecific(key, NULL);
#endif
  pthread_create(&t, NULL, worker, NULL);
  int *r = malloc(4);
  *r = 5;
  atomic_store(&handed, r);
  return 0;
}
"""
)


@pytest.mark.parametrize("options", [{}, {"equivalence": "rf"}, {"mixed_size": "on"}, {"model": "sc"}])
def test_what_something_leads_to_is_not_lost(options: dict[str, str], tmp_path: Path) -> None:
    path = write(tmp_path, KEPT)
    kept, lost = (check(path, leaks=True, cflags=flags, **options) for flags in ([], ["-DFORGET"]))  # type: ignore[arg-type]
    assert (kept.verdict, lines(kept)) == ("verified", [])
    assert (lost.verdict, lines(lost)) == ("verified", marked(KEPT))


# Where local variables, and what threads return, keep memory or lose it. The fourth thread waits for ever.
ENDS = (
    HEADERS
    + """\
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *returns(void *arg) {
  return malloc(1); // LOST
}
static void *has_local(void *arg) {
  int *p = malloc(4); // LOST
  *p = 1;
  int **q = &p;
  return (void *)(intptr_t)**q;
}
static void *exits(void *arg) {
  int *p = malloc(4); // LOST
  pthread_exit(p ? NULL : p);
}
static void *waits(void *arg) {
  int *p = malloc(4);
  pthread_mutex_lock(&mutex);
  free(p);
  return NULL;
}
static void leave(void) {
  int *p = malloc(4);
  *p = 2;
  exit(*p == 3);
}
int main(int argc, char **argv) {
  pthread_t t;
  void *result;
  int *in_main = malloc(4); // MAIN
  int **shared = &in_main;
  **shared = 1;
  pthread_create(&t, NULL, returns, NULL);
  pthread_join(t, &result);
  pthread_create(&t, NULL, has_local, NULL);
  pthread_join(t, NULL);
  pthread_create(&t, NULL, exits, NULL);
  pthread_join(t, NULL);
  pthread_mutex_lock(&mutex);
  pthread_create(&t, NULL, waits, &in_main);
#ifdef LEAVES
  leave();
#endif
  return 0;
}
"""
)


def test_who_has_ended_keeps_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, ENDS)
    returned = check(path, leaks=True)
    assert lines(returned) == sorted(marked(ENDS) + marked(ENDS, "MAIN"))
    left = check(path, leaks=True, cflags=["-DLEAVES"])  # main has its variables, and what it has joined
    assert lines(left) == marked(ENDS)[1:]


RACY = (
    HEADERS
    + """\
static _Atomic(int *) slot;
static void *fill(void *arg) {
  int *made = malloc(sizeof *made);
  *made = 1;
  if (!atomic_load(&slot))
    atomic_store(&slot, made);
  else
    free(made);
  return NULL;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, fill, NULL);
  pthread_create(&b, NULL, fill, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
"""
)
FIXED = RACY.replace(
    "if (!atomic_load(&slot))", "int *none = NULL;\n  if (atomic_compare_exchange_strong(&slot, &none, made))"
)
FIXED = FIXED.replace("    atomic_store(&slot, made);", "    ;")


@pytest.mark.parametrize("equivalence", ["co", "rf"])
def test_one_execution_is_enough(equivalence: str, tmp_path: Path) -> None:
    """The two threads may both find the slot empty; whatever is explored first, there is one warning."""
    path, fixed = write(tmp_path, RACY), write(tmp_path, FIXED, "fixed.c")
    for seed, workers in ((None, 1), (1, 2), (7, 1)):
        outcome = check(path, leaks=True, equivalence=equivalence, schedule_seed=seed, workers=workers)
        assert (outcome.verdict, lines(outcome)) == ("verified", [9])
        assert "(in fill, T1)" in outcome.warnings[0] or "(in fill, T2)" in outcome.warnings[0]
    assert lines(check(fixed, leaks=True, equivalence=equivalence)) == []
    assert check(path, equivalence=equivalence).warnings == ()


# A pointer and a count that are exchanged as one, and pointers that are written in an atomic section.
WIDE = (
    HEADERS
    + """\
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
struct node { struct node *next; };
struct head { struct node *top; unsigned long count; };
static _Atomic struct head head;
static int *slot, *older;
static void *push(void *arg) {
  struct node *node = malloc(sizeof *node); // LOST
  struct head seen = atomic_load(&head), made;
  do {
    node->next = seen.top;
    made = (struct head){node, seen.count + 1};
  } while (!atomic_compare_exchange_strong(&head, &seen, made));
  int *number = malloc(sizeof *number); // LOST
  __VERIFIER_atomic_begin();
#ifndef FORGET
  older = slot;
#endif
  slot = number;
  __VERIFIER_atomic_end();
  return NULL;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, push, NULL);
  pthread_create(&b, NULL, push, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
#ifdef FORGET
  struct head seen = atomic_load(&head);
  atomic_store(&head, ((struct head){seen.top->next, seen.count}));
#endif
  return 0;
}
"""
)


def test_wide_accesses_and_atomic_sections(tmp_path: Path) -> None:
    path = write(tmp_path, WIDE)
    assert lines(check(path, leaks=True)) == []
    assert lines(check(path, leaks=True, cflags=["-DFORGET"])) == marked(WIDE)


# The first round of the loop that fails forgets what it has allocated.
RETRY = (
    HEADERS
    + """\
static atomic_int count;
static _Atomic(int *) slots[2];
static void *add(void *arg) {
  for (;;) {
    int *number = malloc(sizeof *number); // LOST
    int seen = atomic_load(&count);
    *number = seen;
    if (atomic_compare_exchange_strong(&count, &seen, seen + 1)) {
      atomic_store(&slots[seen], number);
      return NULL;
    }
#ifndef FORGET
    free(number);
#endif
  }
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
"""
)


def test_rounds_that_fail_and_allocate_are_explored(tmp_path: Path) -> None:
    path = write(tmp_path, RETRY)
    assert lines(check(path, leaks=True)) == []
    assert lines(check(path, leaks=True, cflags=["-DFORGET"])) == marked(RETRY)


def test_nothing_else_changes(tmp_path: Path) -> None:
    """Neither the counts nor the exit status depend on it."""
    path = write(tmp_path, RACY)
    with_leaks, without = (mazurka("check", path, *more, "--json", "-") for more in (["--leaks"], []))
    told = [json.loads(done.out) for done in (with_leaks, without)]
    assert (with_leaks.status, without.status) == (0, 0)
    assert [one["executions"] for one in told] == [told[0]["executions"]] * 2
    assert [len(one["warnings"]) for one in told] == [1, 0]


class Script:
    """A random sequence of statements about cells with two pointers each, and what it loses."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.variables: list[int | None] = [None] * 3  # the line that allocated each cell stands for it
        self.cells: dict[int, list[int | None]] = {}
        self.first = len((HEADERS + _CELLS).splitlines()) + 1
        self.statements: list[str] = []

    def write(self, count: int) -> str:
        """So many more statements."""
        start = len(self.statements)
        while len(self.statements) < start + count:
            self._add()
        return "\n".join(self.statements[start:]) + "\n"

    def _add(self) -> None:
        to, of, field = self.random.randrange(3), self.random.randrange(3), self.random.randrange(2)
        cell, other = self.variables[to], self.variables[of]
        line = self.first + len(self.statements) + (2 if len(self.statements) >= _HALF else 0)
        choice = self.random.randrange(6)
        if choice < 2:
            self.variables[to], self.cells[line] = line, [None, None]
            self.statements.append(f"  g[{to}] = calloc(1, sizeof(struct cell));")
        elif choice == 2 and cell is not None:
            self.cells[cell][field] = other
            self.statements.append(f"  g[{to}]->f[{field}] = g[{of}];")
        elif choice == 3 and other is not None:
            self.variables[to] = self.cells[other][field]
            self.statements.append(f"  g[{to}] = g[{of}]->f[{field}];")
        elif choice == 4:
            self.variables[to] = None
            self.statements.append(f"  g[{to}] = NULL;")
        elif choice == 5 and cell is not None and sum(self._points(cell)) == 1:
            del self.cells[cell]
            self.variables[to] = None
            self.statements.append(f"  free(g[{to}]), g[{to}] = NULL;")

    def _points(self, cell: int) -> list[bool]:
        held = [*self.variables, *(held for fields in self.cells.values() for held in fields)]
        return [one == cell for one in held]

    def lost(self) -> list[int]:
        """The lines that allocated the cells to which nothing leads."""
        reached: set[int] = set()
        to_do = [cell for cell in self.variables if cell is not None]
        while to_do:
            cell = to_do.pop()
            if cell not in reached:
                reached.add(cell)
                to_do += [held for held in self.cells[cell] if held is not None]
        return sorted(self.cells.keys() - reached)


_HALF = 20
_CELLS = """\
struct cell { struct cell *f[2]; };
static struct cell *g[3];
static void first_half(void) {
"""


@pytest.mark.parametrize("seed", some(range(24), every=8))
def test_random_cells(seed: int, tmp_path: Path) -> None:
    """The first half happens before the threads start, the second one in a thread."""
    script = Script(seed)
    source = HEADERS + _CELLS + script.write(_HALF) + "}\nstatic void *second_half(void *arg) {\n"
    source += script.write(_HALF) + "  return NULL;\n}\n"
    source += "int main(void) {\n  pthread_t t;\n  first_half();\n"
    source += "  pthread_create(&t, NULL, second_half, NULL);\n  pthread_join(t, NULL);\n}\n"
    assert lines(check(write(tmp_path, source), leaks=True)) == script.lost()


def test_hazard_pointers_are_refused(tmp_path: Path) -> None:
    """What is retired counts neither as freed nor as lost."""
    source = (
        "#include <genmc.h>\n#include <stdlib.h>\nint main(void) {\n  __VERIFIER_hp_retire(malloc(1));\n}\n"
    )
    path = write(tmp_path, source)
    assert check(path).verdict == "verified"
    done = mazurka("check", path, "--leaks")
    assert done.status == 2
    assert "program.c:4" in done.err
    assert "'__VERIFIER_hp_retire' in a check for leaks" in done.err


PROPERTIES = {
    "valid-memsafety": {"int *g; int main(void) { g = malloc(4); return 0; }": True},
    "valid-memcleanup": {
        "int *g; int main(void) { g = malloc(4); return 0; }": False,
        "int *g; int main(void) { g = malloc(4); free(g); return 0; }": True,
    },
}


@pytest.mark.parametrize("name", PROPERTIES)
def test_properties(name: str, tmp_path: Path) -> None:
    lost = "int main(void) { int *p = malloc(4); return p == 0; }"
    for source, holds in {lost: False, **PROPERTIES[name]}.items():
        outcome = check(write(tmp_path, f"#include <stdlib.h>\n{source}\n"), property_file=name, model="sc")
        assert outcome.decision is not None
        assert outcome.decision.holds is holds
        assert (outcome.violation.kind if outcome.violation else None) == (None if holds else "leak")


def test_a_program_that_exits_may_still_have_what_it_lost(tmp_path: Path) -> None:
    """Which variables functions still have that have not returned is not known."""
    source = (
        "#include <stdlib.h>\nvoid f(void) { *(char *)malloc(1) = 1; }\nint main(void) { f(); exit(0); }\n"
    )
    outcome = check(write(tmp_path, source), property_file="valid-memsafety", model="sc")
    assert outcome.decision is not None
    assert (outcome.verdict, outcome.decision.holds) == ("bounded", None)
    assert [(cut.kind, cut.function) for cut in outcome.bounds] == [("property", "G valid-memtrack")]
    returns = write(tmp_path, source.replace("exit(0);", ""))
    violation = check(returns, property_file="valid-memsafety", model="sc").violation
    assert violation is not None
    assert violation.kind == "leak"


def test_what_a_property_does_not_go_together_with(tmp_path: Path) -> None:
    path = write(tmp_path, "int main(void) {}\n")
    with pytest.raises(UsageError, match="'valid-memsafety' is not supported with reads-from equivalence"):
        check(path, property_file="valid-memsafety", equivalence="rf", model="sc")
    with pytest.raises(UsageError, match="'valid-memcleanup' is not supported with reuse_memory=True"):
        check(path, property_file="valid-memcleanup", reuse_memory=True, model="sc")


@heavy
def test_cpp(tmp_path: Path) -> None:
    source = """\
#include <memory>
#include <thread>
#include <vector>
std::vector<int> kept;
int main() {
  kept.push_back(3);
  auto shared = std::make_shared<int>(3);
  std::thread thread([shared] { kept.push_back(*shared); });
  thread.join();
  auto *lost = new std::vector<int>(4); // LOST
  return lost->size() == 5;
}
"""
    assert lines(check(write(tmp_path, source, "program.cpp"), leaks=True)) == marked(source)
