"""For tests of the cache: a program with two executions, and the entries of a cache."""

from __future__ import annotations

from pathlib import Path

THREADED = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *writer(void *arg) { x = 1; return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  return x;
}
"""


def entries(cache: Path) -> list[Path]:
    """The files in a cache's directory, which may not exist."""
    return sorted(cache.glob("*")) if cache.exists() else []
