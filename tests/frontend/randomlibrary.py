"""Parts of random programs: strings, printf with random formats, the heap, and calls through pointers."""

from __future__ import annotations

import random

_WORDS = ('"queue"', '""', '"a"', '"ab%c"', '"a longer string"', '"abc" + 1')


class Library:
    """Writes the statements of one part."""

    def __init__(self, pick: random.Random, prefix: str) -> None:
        self._pick = pick
        self._prefix = prefix

    def body(self) -> str:
        pick = self._pick
        lines = [
            f"char c[64] = {pick.choice(_WORDS[:5])}, d[64] = {pick.choice(_WORDS[:5])}; int n = 0;",
            "int32_t (*calls[])(int32_t) = {twice, less, twice_alias, abs};",
            "size_t (*length)(const char *) = strlen; void *(*get)(size_t) = malloc;",
            "void (*drop)(void *) = free; void *(*copy)(void *, const void *, size_t) = memcpy;",
            "int (*print)(const char *, ...) = printf; double (*root)(double) = sqrt;",
            "fill(c + 20, 44, 9); fill(d + 20, 44, 2); c[63] = d[63] = 0;",
        ]
        lines += [self._statement() for _ in range(pick.randrange(3, 8))]
        return "\n".join(lines) + "\nnote_bytes(c, 64); note_bytes(d, 64); note(n);\n"

    def _statement(self) -> str:
        pick = self._pick
        a, b = pick.sample("cd", 2)
        word = pick.choice(_WORDS)
        count = pick.randrange(0, 12)
        choices = (
            self._print,
            self._print,
            self._print,
            lambda: f"n += strlen({a}) + length({word});",
            lambda: f"n = n * 3 + sign(strcmp({a}, {pick.choice((b, word))}));",
            lambda: f"n = n * 3 + sign(strncmp({a}, {b}, {count}));",
            lambda: f"n = n * 3 + sign(memcmp({a}, {b}, {pick.choice((count, 64))}));",
            lambda: f"strcpy({a}, {word});",
            lambda: f"strncpy({a}, {word}, {count + 8});",
            lambda: f"if (strlen({a}) < 20) strcat({a}, {word});",
            lambda: f"n += place({a}, strchr({a}, {pick.choice(('97', '0', '37', '1000'))}));",
            lambda: f"n ^= calls[{pick.choice(('n & 3', '0', '1', '2', '3'))}](n % 1000);",
            lambda: "n += (calls[0] == twice) + (calls[2] == calls[0]) * 2; n = absent ? absent(n) : n + 1;",
            lambda: f"{{ char *m = get(12); copy(m, {a}, {count}); note_bytes(m, {count}); drop(m); }}",
            lambda: (
                f"{{ int *m = calloc({count + 1}, 4); note_bytes(m, {count + 1}); m[{count}] = n; "
                f"m = realloc(m, 99); n += m[{count}]; free(m); }}"
            ),
            lambda: "n += whole(root(n & 1023));",
            lambda: (
                f"{{ int64_t big[{pick.choice((3, 40, 300))}]; memset(big, {count}, sizeof big); "
                "note_bytes(big + 1, 16); }"
            ),
            lambda: (
                f"memset({a} + {count}, {pick.randrange(1, 256)}, {pick.choice((count, f'{count} + zero'))});"
            ),
            lambda: (
                f"memmove({a} + {count}, {a} + {pick.randrange(12)}, {pick.choice((20, 33, '20 + zero'))});"
            ),
            self._search,
            self._search,
            self._number,
            self._formatted,
            self._formatted,
            self._sorted,
        )
        return pick.choice(choices)()

    def _search(self) -> str:
        """A function of string.h or ctype.h that gives a place, a length or an order."""
        pick = self._pick
        a, b = pick.sample("cd", 2)
        other, byte, count = (
            pick.choice((b, *_WORDS)),
            pick.choice(("97", "0", "113", "200")),
            pick.randrange(12),
        )
        name = pick.choice(("strrchr", "strchrnul", "strstr", "strcasestr", "strpbrk", "memchr", "memrchr"))
        given = {"memchr": f"{byte}, {count}", "memrchr": f"{byte}, {count}"}.get(name)
        given = given or (byte if name in ("strrchr", "strchrnul") else other)
        order = pick.choice((f"strcasecmp({a}, {other})", f"strncasecmp({a}, {other}, {count})"))
        kind = pick.choice(("alpha", "digit", "space", "punct", "upper", "xdigit", "cntrl", "print"))
        change = pick.choice(("toupper", "tolower"))
        return pick.choice(
            (
                f"n += place({a}, {name}({a}, {given}));",
                f"n = n * 3 + sign({order});",
                f"n += strspn({a}, {other}) * 2 + strcspn({a}, {other});",
                f"n += is{kind}((unsigned char){a}[{count}]) != 0; {a}[0] = {change}((unsigned char){a}[0]);",
                f"if (strlen({a}) < 20) strncat({a}, {other}, {count});",
                f"n += place({a}, stpcpy({a}, {pick.choice(_WORDS)}));",
                f"{{ char *m = strndup({a}, {count}); n += strlen(m); free(m); }}",
                f"{{ char *m = {a}, *t; while ((t = strsep(&m, {b}))) n += strlen(t) * 5 + 1; }}",
            )
        )

    def _number(self) -> str:
        """A number from a text that may be none, or too large."""
        pick = self._pick
        digits = "".join(pick.choices("0123456789", k=pick.choice((1, 3, 12, 22))))
        text = pick.choice(("", " ", "-", "+", " -", "0x", "0")) + digits + pick.choice(("", "z", "e1", ".5"))
        real = f"{digits}.{pick.getrandbits(30)}e{pick.randrange(-330, 310)}"
        return pick.choice(
            (
                f'{{ char *m; n ^= (int)strtol("{text}", &m, {pick.choice((0, 8, 10, 16, 36))}); n += *m; }}',
                f'n ^= (int)strtoull("{text}", 0, {pick.choice((0, 2, 10, 16))}) + atoi("{text}");',
                f'{{ double x = strtod("{real}", 0); note_bytes(&x, 8); }}',
                f'{{ float x = strtof("{real}", 0); note_bytes(&x, 4); }}',
            )
        )

    def _formatted(self) -> str:
        """snprintf with random directives and room."""
        pick = self._pick
        text, arguments = "", []
        for _ in range(pick.randrange(1, 4)):
            directive, given = self._directive()
            text += pick.choice(("", " ", "%%", "w")) + directive
            arguments += given
        room = pick.choice((0, 1, 9, 64))
        return f'n += snprintf({pick.choice("cd")}, {room}, "{text}"{"".join(", " + a for a in arguments)});'

    def _sorted(self) -> str:
        pick = self._pick
        numbers = ", ".join(str(pick.randrange(-50, 50)) for _ in range(pick.randrange(1, 20)))
        return (
            f"{{ int list[] = {{{numbers}}}, key = {pick.randrange(-50, 50)}, many = sizeof list / 4; "
            "qsort(list, many, sizeof *list, by_value); note_bytes(list, sizeof list); "
            "n += bsearch(&key, list, many, sizeof *list, by_value) != 0; }"
        )

    def _print(self) -> str:
        """printf with a few random directives; what it returns counts, too."""
        pick = self._pick
        text, arguments = f"{self._prefix} ", []
        for _ in range(pick.randrange(1, 4)):
            directive, given = self._directive()
            text += pick.choice(("", " ", "%%")) + directive
            arguments += given
        call = f'{pick.choice(("printf", "print"))}("{text}\\n"{"".join(", " + a for a in arguments)});'
        return pick.choice(("n += ", "n ^= ", "")) + call

    def _directive(self) -> tuple[str, list[str]]:
        pick = self._pick
        conversion = pick.choice("diouxXcseEfgG")
        flags = "".join(pick.sample("-+ #0", pick.choice((0, 0, 1, 2))))
        arguments: list[str] = []
        if conversion in "cs":
            flags = flags.replace("+", "").replace(" ", "").replace("#", "").replace("0", "")
        text = "%" + flags + self._count("", arguments)
        if conversion != "c":
            text += self._count(".", arguments)
        if conversion in "diouxX":
            size, cast = pick.choice(
                (("", "int"), ("hh", "int"), ("h", "int"), ("l", "long"), ("z", "size_t"))
            )
            arguments.append(
                f"({cast}){pick.choice(('n', 'n * 3', '0', '-1', 'c[1]', str(pick.getrandbits(40)) + 'L'))}"
            )
            return text + size + conversion, arguments
        if conversion == "c":
            arguments.append(str(pick.randrange(33, 127)))
        elif conversion == "s":
            arguments.append(pick.choice(_WORDS))
        else:
            arguments.append(
                pick.choice(("0.0", "-1.5", "n / 7.0", "1e10 * n", "1e-7", "12345678.5", "1e300"))
            )
        return text + conversion, arguments

    def _count(self, before: str, arguments: list[str]) -> str:
        roll = self._pick.random()
        if roll < 0.5:
            return ""
        number = self._pick.randrange(-9, 15)
        if roll < 0.65:
            arguments.append(str(number))
            return before + "*"
        return f"{before}{abs(number) or ''}"
