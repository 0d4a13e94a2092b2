"""Random C programs with loops that may wait, and what their executions end in.

Bodies are drawn from statements that loops are made of in practice: reads, compare-exchanges, exchanges,
local copies, tests, breaks, calls. Most loops are not quite wait loops: they store, count, or carry a value
from round to round. Threads write what they have read to variables of their own, so the final memory shows
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from mazurka._engine import Explored

ORDERS = ("memory_order_seq_cst", "memory_order_seq_cst", "memory_order_relaxed")
LOADS = (*ORDERS, "memory_order_acquire")
STORES = (*ORDERS, "memory_order_release")
FinalState = tuple[tuple[int, int], ...]


class WaitingProgram:
    """Draws the text of a program whose global names have a prefix."""

    def __init__(self, rng: Random, prefix: str) -> None:
        self.rng = rng
        self.prefix = prefix
        self.helpers: list[str] = []
        self.threads = 0
        self.allocates = False

    def text(self) -> str:
        rng, prefix = self.rng, self.prefix
        self.threads = rng.choice((2, 2, 2, 3))
        threads = [self._thread(number) for number in range(self.threads)]
        count = len(threads)
        create = "".join(f"pthread_create(&t[{i}], 0, {prefix}t{i}, 0); " for i in range(count))
        join = "".join(f"pthread_join(t[{i}], 0); " for i in range(count))
        return (
            f"static _Atomic int {prefix}x, {prefix}y, {prefix}out[{count}];\n"
            f"static _Atomic(_Atomic int *) {prefix}p;\n"
            f"static pthread_mutex_t {prefix}m = PTHREAD_MUTEX_INITIALIZER;\n"
            + "".join(self.helpers)
            + "".join(threads)
            + f"int {prefix}main(void) {{ pthread_t t[{count}]; {create}{join}return 0; }}\n"
        )

    def _thread(self, number: int) -> str:
        may_loop = number == 0 or (self.threads == 2 and self.rng.random() < 0.3)
        body = self._statements(1, depth=0) if may_loop else self._changes()
        if may_loop:
            body += self._loop() + self._statements(self.rng.randint(0, 1), depth=0)
        out = f"{self.prefix}out[{number}]"
        return (
            f"static void *{self.prefix}t{number}(void *arg) {{ int a = 0, b = 0, c = 0; (void)c; {body}"
            f"{out} = a * 4 + b; return arg; }}\n"
        )

    def _changes(self) -> str:
        """What ends the waits of other threads, perhaps."""
        changes = [
            self._store("x") if self.rng.random() < 0.75 else self._statement(depth=1)
            for _ in range(self.rng.randint(2, 3))
        ]
        if self.allocates:
            look = f"{{ _Atomic int *q = atomic_load(&{self.prefix}p); if (q) b = atomic_load(q); }} "
            changes.insert(self.rng.randint(0, len(changes)), look)
        return "".join(changes)

    def _store(self, often: str = "y") -> str:
        return f"atomic_store_explicit({self._place(often)}, {self._number()}, {self.rng.choice(STORES)}); "

    def _place(self, often: str = "x") -> str:
        """Mostly one of two variables: those that loop read one and write the other, so that threads meet."""
        return f"&{self.prefix}{self.rng.choice(f'xy{often}{often}')}"

    def _local(self) -> str:
        """Mostly one of two locals, so that loops test what they read."""
        return self.rng.choice("aaab")

    def _number(self) -> int:
        return self.rng.choice((0, 1, 1, 1, 2))

    def _read(self) -> str:
        """An expression that reads, and seldom more."""
        place, rng = self._place(), self.rng
        kind = rng.random()
        if kind < 0.6:
            return f"(int)atomic_load_explicit({place}, {rng.choice(LOADS)})"
        if kind < 0.75:
            return f"(int)atomic_exchange({place}, {self._number()})"
        if kind < 0.95:
            order = rng.choice(ORDERS)
            return (
                f"(c = {self._number()}, (int)atomic_compare_exchange_strong_explicit("
                f"{place}, &c, {self._number()}, {order}, {rng.choice(ORDERS)}))"
            )
        return f"(int)atomic_fetch_{rng.choice(('add', 'or', 'and'))}({place}, {self._number()})"

    def _condition(self) -> str:
        left = self._local() if self.rng.random() < 0.65 else self._read()
        shape = self.rng.random()
        if shape < 0.4:
            return f"!{left}"
        if shape < 0.5:
            return left
        return f"{left} {self.rng.choice(('==', '!='))} {self._number()}"

    def _statement(self, depth: int) -> str:
        kind = self.rng.random()
        if kind < 0.45:
            return f"{self._local()} = {self._read()}; "
        if kind < 0.62:
            return self._store()
        if kind < 0.7:
            return f"{self._local()} = {self._number()}; "
        if kind < 0.74:
            return f"{self._local()} = ({self._local()} + 1) & 3; "
        if kind < 0.76:
            return "atomic_thread_fence(memory_order_seq_cst); "
        if kind < 0.78:
            mutex = f"&{self.prefix}m"
            return f"if (!pthread_mutex_trylock({mutex})) pthread_mutex_unlock({mutex}); else a = 2; "
        if kind < 0.84:
            return f"{self._local()} = {self._helper()}({self._local()}); "
        if depth < 2:
            other = f"else {{ {self._statements(1, depth + 1)} }} " if self.rng.random() < 0.4 else ""
            return f"if ({self._condition()}) {{ {self._statements(1, depth + 1)} }} {other}"
        return f"{self._local()} = {self._read()}; "

    def _statements(self, most: int, depth: int) -> str:
        count = self.rng.randint(min(most, 0 if depth else 1), most)
        return "".join(self._statement(depth) for _ in range(count))

    def _helper(self) -> str:
        name = f"{self.prefix}h{len(self.helpers)}"
        body = self.rng.choice(
            (
                f"return {self._read()};",
                f"int c = 0; (void)c; return {self._read()} == a;",
                f"int b = 0, c = 0; (void)c; if ({self._read()}) b = 1; return b;",
                f"int b = 0, c = 0; (void)c; {self._read()}; return {self._read()} + b;",
            )
        )
        self.helpers.append(f"static int {name}(int a) {{ int c = 0; (void)c; {{ {body} }} }}\n")
        return name

    def _inside(self, most: int) -> str:
        kind = self.rng.random()
        if kind < 0.25:  # an effect on some ways round only
            return f"if ({self._local()} == {self._number()}) {{ {self._store()}}} "
        return self._statements(most, depth=1) if kind < 0.8 else ""

    def _loop(self) -> str:
        shapes = (
            *(self._while, self._do_while, self._local_copy, self._break, self._continue, self._nested),
            *(self._goto, self._recursion, self._take_back, self._poll, self._overwrite),
            *(self._store_meanwhile, self._count, self._inner_store, self._allocate),
        )
        return self.rng.choice(shapes)()

    def _while(self) -> str:
        last = f"{self._local()} = {self._read()};" if self.rng.random() < 0.7 else ""
        return f"while ({self._condition()}) {{ {self._inside(2)} {last} }} "

    def _do_while(self) -> str:
        last = f"{self._local()} = {self._read()};"
        return f"do {{ {self._inside(2)} {last} }} while ({self._condition()}); "

    def _local_copy(self) -> str:
        copy = f"{self._local()} = {self._read()};"
        return f"{copy} while ({self._condition()}) {{ {self._inside(1)} {copy} }} "

    def _break(self) -> str:
        first = f"{self._local()} = {self._read()};"
        leave = f"if ({self._condition()}) break;"
        return f"for (;;) {{ {first} {self._inside(1)} {leave} {self._inside(1)} }} "

    def _continue(self) -> str:
        first = f"{self._local()} = {self._read()};"
        again, leave = f"if ({self._condition()}) continue;", f"if ({self._condition()}) break;"
        return f"for (;;) {{ {first} {again} {self._inside(1)} {leave} }} "

    def _nested(self) -> str:
        inner = f"while ({self._condition()}) {{ {self._inside(1)} {self._local()} = {self._read()}; }}"
        last = f"{self._local()} = {self._read()};"
        return f"do {{ {inner} {self._inside(1)} {last} }} while ({self._condition()}); "

    def _goto(self) -> str:
        label = f"again{len(self.helpers)}"
        return f"{label}: {self._inside(2)} if ({self._condition()}) goto {label}; "

    def _take_back(self) -> str:
        """Adds, and takes it back if the loop goes on."""
        place, added = self._place(), self.rng.choice((1, 2))
        first = f"{self._local()} = (int)atomic_fetch_add({place}, {added}) & 3;"
        return f"for (;;) {{ {first} if ({self._condition()}) break; atomic_fetch_sub({place}, {added}); }} "

    def _poll(self) -> str:
        """Reads with a lock, of which others may try to get hold."""
        mutex, read = f"&{self.prefix}m", f"{self._local()} = {self._read()};"
        locked = f"pthread_mutex_lock({mutex}); {read} pthread_mutex_unlock({mutex});"
        return f"do {{ {locked} }} while ({self._condition()}); "

    def _overwrite(self) -> str:
        """Stores before everything else."""
        stored = self.rng.choice((self._number(), "a", "b"))
        store, read = f"atomic_store({self._place()}, {stored});", f"{self._local()} = {self._read()};"
        return f"do {{ {store} {self._inside(1)} {read} }} while ({self._condition()}); "

    # Rounds that look like waiting, but have an effect.

    def _still(self) -> str:
        """What a loop waits for, as others may write it."""
        place, order = f"&{self.prefix}x", self.rng.choice(LOADS)
        return f"atomic_load_explicit({place}, {order}) {self.rng.choice(('==', '!='))} {self._number()}"

    def _store_meanwhile(self) -> str:
        """The store is made in no round, or in some."""
        return f"while ({self._still()}) {{ {self._store()}}} "

    def _count(self) -> str:
        return f"while ({self._still()}) {{ b = (b + 1) & 3; }} "

    def _inner_store(self) -> str:
        inner = f"for (int i = 0; i < {self.rng.choice((1, 2))}; i++) {{ {self._store()}}}"
        return f"while ({self._still()}) {{ {inner} }} "

    def _allocate(self) -> str:
        """Stores to an object of its own in each round, which others mostly know."""
        self.allocates = True
        publish = f"atomic_store(&{self.prefix}p, n);"
        before, after = (publish, "") if self.rng.random() < 0.7 else ("", publish)
        read = f"a = (int)atomic_load_explicit(&{self.prefix}x, {self.rng.choice(LOADS)});"
        leave = f"while (a {self.rng.choice(('==', '!='))} {self._number()})"
        return (
            f"{{ _Atomic int *n = malloc(sizeof *n); atomic_store(n, 0); {before} "
            f"do {{ {read} atomic_store(n, a + 1); }} {leave}; {after} }} "
        )

    def _recursion(self) -> str:
        name = f"{self.prefix}r{len(self.helpers)}"
        passed = self.rng.choice(("a", "a", "b", "(a + 1) & 3"))
        self.helpers.append(
            f"static int {name}(int a) {{ int b = 0, c = 0; (void)c; {self._statements(2, depth=1)}"
            f"if ({self._condition()}) return {name}({passed}); return b; }}\n"
        )
        return f"b = {name}(a); "


def final_states(found: Explored) -> set[FinalState]:
    """The final memories of complete executions."""
    states: set[FinalState] = set()
    for graph in found.graphs:
        last = ((address, writes[-1]) for address, _, writes in graph.co if writes)
        states.add(tuple(sorted((a, graph.threads[t].events[i].value) for a, (t, i) in last)))
    return states


def texts(seeds: Sequence[int]) -> list[str]:
    """Programs by seed; their prefixes are ``p<seed>_``."""
    return [WaitingProgram(Random(seed), f"p{seed}_").text() for seed in seeds]
