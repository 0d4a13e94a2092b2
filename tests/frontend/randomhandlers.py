"""Random C++ programs of one thread that throw and catch exceptions, and print what happens."""

from __future__ import annotations

import random


class Nesting:
    """A random program whose functions and constructors throw, catch, rethrow and return, from each other."""

    KINDS = ("int f{0}(int n)", "S{0}::S{0}(int n) : loud(900 + {0})", "auto f{0} = [](int n) -> int")
    TYPES = ("int", "long", "const char *", "Base &", "Derived &", "Base", "...")
    THROWN = ("n", "long(n)", '"text"', "Base(n)", "Derived(n)")

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.constructors: set[int] = set()

    def program(self) -> str:
        functions = [self.function(number) for number in range(6)]
        return f"""#include <cstdio>
struct Loud {{ int n; Loud(int n) : n(n) {{ printf("+%d ", n); }} ~Loud() {{ printf("-%d ", n); }} }};
struct Base : Loud {{ using Loud::Loud; Base(const Base &other) : Loud(other.n + 100) {{}} }};
struct Derived : Loud, Base {{ Derived(int n) : Loud(n + 20), Base(n + 40) {{}} }};
{"".join(functions)}
int main() {{
  for (int n = 0; n < 12; n++) {{
    try {{ printf("%d ", {self.call(5)}); }} catch (...) {{ printf("out "); }}
    puts("");
  }}
}}
"""

    def function(self, number: int) -> str:
        kind = self.rng.randrange(3)
        head = self.KINDS[kind].format(number)
        if kind == 1:
            self.constructors.add(number)
            declared = f'struct S{number} {{ Loud loud; S{number}(int n); ~S{number}() {{ puts("~"); }} }};\n'
            return f"{declared}{head} {{ {self.body(number, 3)} }}\n"
        return f"{head} {{ {self.body(number, 3)} return n; }}{';' if kind == 2 else ''}\n"

    def call(self, number: int) -> str:
        return f"S{number}(n).loud.n" if number in self.constructors else f"f{number}(n)"

    def body(self, number: int, depth: int) -> str:
        return " ".join(self.statement(number, depth) for _ in range(self.rng.randint(1, 3)))

    def statement(self, number: int, depth: int) -> str:
        choice, value = self.rng.randrange(8), self.rng.randrange(12)
        if choice < 2 and depth:
            types = self.rng.sample(self.TYPES[:-1], self.rng.randint(0, 2))
            types += ["..."] if self.rng.random() < 0.5 or not types else []
            handlers = " ".join(self.handler(number, depth - 1, type_) for type_ in types)
            return f"try {{ {self.body(number, depth - 1)} }} {handlers}"
        if choice < 4:
            return f"if (n % {1 + value % 4} == 0) throw {self.rng.choice(self.THROWN)};"
        if choice < 6 and number:
            return f'printf("%d ", {self.call(self.rng.randrange(number))});'
        if choice == 6 and depth:
            return f"for (int n = {value}; n < {value + 3}; n++) {{ {self.body(number, depth - 1)} }}"
        return f"Loud local{self.rng.getrandbits(60)}({value});"

    def handler(self, number: int, depth: int, type_: str) -> str:
        rest = self.body(number, depth) if depth else ""
        rethrown = f"if (n % {self.rng.randint(1, 3)} == 0) throw;" if self.rng.random() < 0.5 else ""
        return f'catch ({type_}) {{ printf("{type_[0]} "); {rest} {rethrown} }}'
