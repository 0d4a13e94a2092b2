"""An annotation is about the one access between its parentheses; anything else is refused, at its line."""

from __future__ import annotations

from pathlib import Path

import pytest
from mazurka import check
from mazurka.errors import ErrorCode, MazurkaError

PROGRAM = """\
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int plain;
void *worker(void *arg)
{
    int old = 0;
    STATEMENT;
    return old ? arg : 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    return x + y + plain > 100;
}
"""
REFUSED = {
    "__VERIFIER_final_write(atomic_store(&x, ++plain))": "around more than one write",
    "__VERIFIER_final_write(x = y = 1)": "around more than one write",
    "__VERIFIER_final_write(0); atomic_store(&x, 1)": "not around a write",
    "__VERIFIER_helped_CAS(x = 1); atomic_compare_exchange_strong(&x, &old, 2)": "not around a write",
    "__VERIFIER_final_write(__VERIFIER_local_write(atomic_store(&x, 1)))": "within another",
}
ACCEPTED = (
    "__VERIFIER_final_write(atomic_store(&x, 1))",
    "__VERIFIER_final_write(x = 1)",
    "old = __VERIFIER_final_write(atomic_fetch_add(&x, 2))",
    "if (__VERIFIER_helped_CAS(atomic_compare_exchange_strong(&x, &old, 2))) y = 1",
    "if (!__VERIFIER_final_write(atomic_exchange(&x, 1))) y = 1",
)


def write(directory: Path, statement: str) -> Path:
    path = directory / "program.c"
    path.write_text(PROGRAM.replace("STATEMENT", statement), encoding="utf-8")
    return path


@pytest.mark.parametrize("statement", REFUSED)
def test_what_is_refused(statement: str, tmp_path: Path) -> None:
    with pytest.raises(MazurkaError) as caught:
        check(write(tmp_path, statement))
    error = caught.value
    assert error.code == ErrorCode.UNSUPPORTED
    assert REFUSED[statement] in error.message
    assert error.place is not None
    assert error.place.line == 9


@pytest.mark.parametrize("statement", ACCEPTED)
def test_an_annotation_has_the_value_of_its_access(statement: str, tmp_path: Path) -> None:
    assert check(write(tmp_path, statement)).complete == 1
