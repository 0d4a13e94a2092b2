"""``--races``: the error rules of another model, such as C11's about races, under a model of a machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import mazurka, write
from mazurka.models.registry import machine_models
from profiles import some

MESSAGE = """\
#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int flag;
void *writer(void *arg) {
  data = 1;
  atomic_store_explicit(&flag, 1, STORE);
  return arg;
}
void *reader(void *arg) {
  if (atomic_load_explicit(&flag, LOAD))
    return (void *)(long)data;
  return arg;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, writer, 0);
  pthread_create(&two, 0, reader, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
"""
# The last owner frees what the others have used.
COUNTED = """\
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int owners = 2;
static int *shared;
static atomic_int used;
static void *own(void *arg) {
  atomic_fetch_add_explicit(&used, *shared, memory_order_relaxed);
  if (atomic_fetch_sub_explicit(&owners, 1, DROP) == 1) {
    free(shared);
  }
  return arg;
}
int main(void) {
  pthread_t one, two;
  shared = malloc(sizeof *shared);
  *shared = 1;
  pthread_create(&one, 0, own, 0);
  pthread_create(&two, 0, own, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
"""
MODELS = ["tso", *machine_models()]
MODES = {name: f"memory_order_{name}" for name in ("relaxed", "acquire", "release", "acq_rel", "seq_cst")}


def message(directory: Path, store: str, load: str) -> Path:
    return write(directory, MESSAGE.replace("STORE", MODES[store]).replace("LOAD", MODES[load]))


@pytest.mark.parametrize("model", some(MODELS, every=3))
def test_a_race_is_reported_with_both_sides_and_what_is_missing(tmp_path: Path, model: str) -> None:
    program = message(tmp_path, "relaxed", "acquire")
    ran = mazurka("check", program, "--model", model, "--races", "rc11")
    assert ran.status == 1
    assert "data race: T2 reads data" in ran.out
    assert "T1 writes it" in ran.out
    said = " ".join(ran.out.split())
    assert "neither comes before the other in rc11's happens-before (hb): T2 reads flag" in said
    assert "the write is relaxed, not release" in said
    # The kernel's model has a rule of its own.
    assert mazurka("check", program, "--model", model).status == (1 if model == "lkmm" else 0)


@pytest.mark.parametrize("model", some(MODELS, every=3))
def test_what_the_machine_adds_orders_nothing(tmp_path: Path, model: str) -> None:
    """A machine may have a full fence at an access that is relaxed on one side only."""
    right = message(tmp_path, "seq_cst", "acquire")
    assert mazurka("check", right, "--model", model, "--races", "rc11").status == 0
    ran = mazurka("check", message(tmp_path, "seq_cst", "relaxed"), "--model", model, "--races", "rc11")
    assert ran.status == 1
    assert "the read is relaxed, not acquire" in " ".join(ran.out.split())


@pytest.mark.parametrize("model", some(["armv8", "power", "x86"], every=2))
def test_a_free_that_c_does_not_order(tmp_path: Path, model: str) -> None:
    weak = write(tmp_path, COUNTED.replace("DROP", MODES["relaxed"]), "weak.c")
    right = write(tmp_path, COUNTED.replace("DROP", MODES["acq_rel"]), "right.c")
    ran = mazurka("check", weak, "--model", model, "--races", "rc11")
    assert ran.status == 1
    assert "this frees memory that another thread may still access" in ran.out
    assert "rc11's happens-before (hb)" in " ".join(ran.out.split())
    assert mazurka("check", right, "--model", model, "--races", "rc11").status == 0


@pytest.mark.parametrize(
    ("model", "is_late"), [("armv8", True), ("imm", True), ("riscv", True), ("x86", False)]
)
def test_a_free_that_an_access_may_be_delayed_past(tmp_path: Path, model: str, is_late: bool) -> None:
    """The machine decides: on x86 a load is never done after a store that follows it."""
    weak = write(tmp_path, COUNTED.replace("DROP", MODES["relaxed"]), "weak.c")
    right = write(tmp_path, COUNTED.replace("DROP", MODES["acq_rel"]), "right.c")
    ran = mazurka("check", weak, "--model", model)
    assert ran.status == is_late
    assert ("this frees memory that another thread may still access" in ran.out) == is_late
    assert mazurka("check", right, "--model", model).status == 0


def test_off_leaves_out_the_rules_of_the_model(tmp_path: Path) -> None:
    program = message(tmp_path, "relaxed", "relaxed")
    assert mazurka("check", program).status == 1
    ran = mazurka("check", program, "--races", "off")
    assert ran.status == 0
    assert "3 complete" in ran.out


@pytest.mark.parametrize(
    ("given", "message"),
    [("tso", "has no rules about races"), ("rc12", "there is no model 'rc12'"), ("./none.kat", "none.kat")],
)
def test_a_model_without_rules_is_refused(tmp_path: Path, given: str, message: str) -> None:
    ran = mazurka("check", write(tmp_path, MESSAGE), "--model", "armv8", "--races", given)
    assert ran.status == 2
    assert message in ran.err


def test_rules_of_a_file(tmp_path: Path) -> None:
    rules = write(
        tmp_path,
        'model drf "rules"\nacyclic po | rf\n'
        "export warning told unless [NA] ; loc-overlap ; [W] | [W] ; loc-overlap ; [NA] <= (po | rf)+\n",
        "drf.kat",
    )
    program = message(tmp_path, "relaxed", "relaxed")
    ran = mazurka("check", program, "--model", "armv8", "--races", rules)
    assert ran.status == 0
    assert "told" not in ran.out
    unguarded = write(tmp_path, program.read_text().replace("if (", "if (1 + "), "other.c")
    ran = mazurka("check", unguarded, "--model", "armv8", "--races", rules)
    assert ran.status == 0
    assert "told: nothing orders the accesses at" in ran.out
