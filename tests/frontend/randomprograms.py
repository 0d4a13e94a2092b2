"""Random single-threaded C programs without undefined behaviour, many in one file.

A program is a function that prints lines of its own, which begin with its number: what differs from native
execution names the program. Each is about one thing: arithmetic and control flow, structs and copies,
floats and their classes, or the library: strings, formats, function pointers. Signed arithmetic wraps
(-fwrapv), shifts and divisors are masked, floats are converted to integers only where they fit.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from .randomcontrol import Control
from .randomfloats import Floats
from .randomlibrary import Library
from .randomstructs import Copies

PRELUDE = """
#define _GNU_SOURCE
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static uint64_t sum;
static volatile int zero;
static void note(uint64_t value) { sum = (sum ^ value) * 0x100000001b3; sum ^= sum >> 29; }
static void note_bytes(const void *start, size_t count) {
    const unsigned char *bytes = start;
    for (size_t i = 0; i < count; i++) note(bytes[i]);
}
static void fill(void *start, size_t count, unsigned seed) {
    unsigned char *bytes = start;
    for (size_t i = 0; i < count; i++) bytes[i] = (unsigned char)(i * seed + 1);
}
static void note_double(double value) { if (value != value) note(99); else note_bytes(&value, sizeof value); }
static void note_float(float value) { if (value != value) note(98); else note_bytes(&value, sizeof value); }
static int sign(int value) { return (value > 0) - (value < 0); }
static int64_t whole(double value) { return value > -2e9 && value < 2e9 ? (int64_t)value : 77; }
static int place(const char *from, const char *at) { return at ? at - from : -5; }
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int32_t twice(int32_t value) { return value * 2; }
static int32_t less(int32_t value) { return value - 3; }
int32_t twice_alias(int32_t value) __attribute__((alias("twice")));
extern int32_t absent(int32_t) __attribute__((weak));
"""

Kind = Callable[[random.Random, str], tuple[str, str]]


def _copies(pick: random.Random, prefix: str) -> tuple[str, str]:
    copies = Copies(pick, prefix)
    return copies.declarations(), copies.body()


def _control(pick: random.Random, prefix: str) -> tuple[str, str]:
    return "", Control(pick, prefix).body()


def _floats(pick: random.Random, _prefix: str) -> tuple[str, str]:
    return "", Floats(pick).body()


def _library(pick: random.Random, prefix: str) -> tuple[str, str]:
    return "", Library(pick, prefix).body()


KINDS: tuple[Kind, ...] = (_copies, _copies, _control, _floats, _library)


def _program(seed: int) -> str:
    pick = random.Random(seed)
    outside, inside = pick.choice(KINDS)(pick, f"p{seed}_")
    last = f'printf("{seed} %lx\\n", (long)sum);'
    return f"{outside}static void program{seed}(void) {{\nsum = {seed};\n{inside}{last}\n}}\n"


def random_program(seeds: range) -> str:
    """A file with one program per seed."""
    programs = "".join(map(_program, seeds))
    calls = "".join(f"program{seed}();\n" for seed in seeds)
    return f"{PRELUDE}{programs}int main(void) {{\n{calls}return 0;\n}}\n"
