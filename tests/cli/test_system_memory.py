"""When the system has no more memory there is still an answer: a failed allocation would end the process."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest
from profiles import heavy

pytestmark = pytest.mark.usefixtures("cache")

MIB = 1 << 20
# Each event keeps a copy of a large array.
GROWS = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *grow(void *a)
{
    volatile char big[100000];
    for (int i = 0; i < 100000; i++) {
        x = i;
        big[i] = i;
    }
    return (void *)(long)big[3];
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, grow, 0);
    pthread_join(t, 0);
    return 0;
}
"""
# Clocks with an entry for each thread: memory grows with the square of their number.
CREATES = """\
#include <pthread.h>
void *nothing(void *a) { return a; }
int main(void)
{
    for (int i = 0; i < 60000; i++) {
        pthread_t t;
        pthread_create(&t, 0, nothing, 0);
        pthread_join(t, 0);
    }
    return 0;
}
"""
# The compiler gets what it needs; the exploration, a little.
CHECK = """
import resource, sys, mazurka
path, kind, more = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
mazurka.check(path, time_limit=60, memory_limit=1 << 20, workers=1)
pages = int(open("/proc/self/statm").read().split()[0])
most = pages * resource.getpagesize() + more
resource.setrlimit(kind, (most, most))
outcome = mazurka.check(path, memory_limit=1 << 40)
print(outcome.verdict, *outcome.warnings)
"""


KINDS = [
    pytest.param(resource.RLIMIT_AS, id="addresses"),
    pytest.param(resource.RLIMIT_DATA, id="data", marks=heavy),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("source", [GROWS, CREATES], ids=["states", "clocks"])
def test_no_more_memory_gives_a_partial_answer(source: str, kind: int, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(source, encoding="utf-8")
    command = [sys.executable, "-c", CHECK, str(path), str(kind), str(600 * MIB)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("interrupted ")
    assert "the system has no more memory for this process" in ran.stdout
