"""Random C programs whose threads add to a counter until it was as they wanted, and take back what failed.

Most keep to the rules under which attempts that fail may be left out: one direction, and nobody else uses
what the counter holds. The others break one. Threads write what they read to variables of their own.
"""

from __future__ import annotations

from random import Random

ORDERS = ("memory_order_seq_cst", "memory_order_acq_rel", "memory_order_relaxed")
LOADS = ("memory_order_seq_cst", "memory_order_acquire", "memory_order_relaxed")
STORES = ("memory_order_seq_cst", "memory_order_release", "memory_order_relaxed")


class AttemptProgram:
    """Draws the text of a program whose global names have a prefix."""

    def __init__(self, rng: Random, prefix: str) -> None:
        self.rng = rng
        self.prefix = prefix
        self.threads = rng.choice((2, 3, 3))
        self.falls = rng.random() < 0.5
        self.breaks = rng.random() < 0.4  # a rule
        self.most = rng.choice((1, 1, 2)) if self.falls else 0  # what the counter holds at first

    def text(self) -> str:
        """The program."""
        prefix, count = self.prefix, self.threads
        threads = "".join(self._thread(number) for number in range(count))
        create = "".join(f"pthread_create(&t[{i}], 0, {prefix}t{i}, 0); " for i in range(count))
        join = "".join(f"pthread_join(t[{i}], 0); " for i in range(count))
        return (
            f"static _Atomic int {prefix}c = {self.most}, {prefix}x, {prefix}y, {prefix}out[{count}];\n"
            f"{threads}int {prefix}main(void) {{ pthread_t t[{count}]; {create}{join}return 0; }}\n"
        )

    def _thread(self, number: int) -> str:
        name, out = f"{self.prefix}t{number}", f"{self.prefix}out[{number}]"
        is_other = self.breaks and (number == 0 or self.rng.random() < 0.3)
        body = self._other() if is_other else self._section()
        return (
            f"static void *{name}(void *arg) {{ int a = 0, b = 0; {body}{out} = a * 4 + b; return arg; }}\n"
        )

    def _section(self) -> str:
        """Attempts, something that others see, and the end."""
        size, falls = self.rng.choice((1, 1, 2)), self.falls
        if self.breaks and self.rng.random() < 0.2:
            falls = not falls
        end = "" if self.rng.random() < 0.1 else f"{self._add(size if falls else -size)}; "
        beside = 0.5 if self.threads == 2 else 0.15
        return f"{self._step(beside)}{self._loop(size, falls)}{self._step(0.8)}{end}{self._step(beside)}"

    def _loop(self, size: int, falls: bool) -> str:
        """What fails is taken back; the thread may wait for the counter before it tries again."""
        sign = -1 if falls else 1
        fails = self._fails(size, falls)
        look = f"atomic_load_explicit(&{self.prefix}c, {self.rng.choice(LOADS)})"
        wait = f"while ({look} {fails}) ; " if self.rng.random() < 0.3 else ""
        return f"while ({self._add(sign * size)} {fails}) {{ {self._add(-sign * size)}; {wait}}} "

    def _fails(self, size: int, falls: bool) -> str:
        if self.rng.random() < 0.3:
            return f"!= {self.most}"
        return f"< {size}" if falls else f"> {self.rng.choice((0, 0, 1))}"

    def _other(self) -> str:
        """Something with the counter that may break the rules."""
        read = f"a = atomic_load_explicit(&{self.prefix}c, {self.rng.choice(LOADS)}) & 3; "
        sign = self.rng.choice((-1, 1))
        count = f"a = {self._add(sign)} & 3; {self._add(-sign)}; "
        blind = f"{self._add(sign)}; {self._step()}{self._add(-sign)}; "
        store = f"atomic_store(&{self.prefix}c, {self.most}); "
        return self.rng.choice((read, count, count, blind, store)) + self._step(0.3)

    def _add(self, number: int) -> str:
        order = self.rng.choice(ORDERS)
        return (
            f"atomic_fetch_{'add' if number > 0 else 'sub'}_explicit(&{self.prefix}c, {abs(number)}, {order})"
        )

    def _step(self, chance: float = 1.0) -> str:
        """An access to another variable, perhaps."""
        if self.rng.random() >= chance:
            return ""
        place = f"&{self.prefix}{self.rng.choice('xy')}"
        if self.rng.random() < 0.5:
            return f"{self.rng.choice('ab')} = atomic_load_explicit({place}, {self.rng.choice(LOADS)}); "
        return f"atomic_store_explicit({place}, {self.rng.choice((1, 2))}, {self.rng.choice(STORES)}); "


def texts(seeds: range) -> list[str]:
    """Programs by seed; their prefixes are ``p<seed>_``."""
    return [AttemptProgram(Random(seed), f"p{seed}_").text() for seed in seeds]
