"""Models in herd's language give the verdicts of the shipped models on litmus tests, with the same counts.

All are run by the engine but that of the kernel, which the reference evaluates.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from litmus_files import CONFORMANCE, HERE, OWN, needs_conformance
from mazurka.errors import ErrorCode, MazurkaError
from mazurka.kat.cat.names import SETS
from mazurka.kat.language.load import load_model, named_model
from mazurka.kat.meaning import terms
from mazurka.litmus import LitmusTest, parse_litmus_file, read_litmus
from mazurka.litmus.meaning.operations import Fence, Order
from mazurka.litmus.meaning.test import Language
from mazurka.litmus.running.modes import modes_of
from mazurka.litmus.running.run import run_test
from mazurka.litmus.running.states import Verdict
from mazurka.models.registry import machine_models, runnable_models
from mazurka.program import Mode
from mazurka.reference.predicates import Facts, passes
from mazurka.reference.running.labels import Kind
from profiles import heavy, some
from reference_verdicts import verdict_by_reference
from test_litmus_kernel import ALLOWED, BETWEEN, FORBIDDEN, MP, OF_SRCU, OTHERS, TESTS, thread

NOT_ENDED = ("one that does not end",)  # in the file, only sections that end count
MODELS = HERE.parent / "kat" / "cat"
# The folder of tests, the shipped model, and the file of the same model.
BY_ENGINE = [
    ("x86tso", "sc", "sc"),
    ("x86tso-64", "sc", "sc"),
    *((folder, model, "x86") for folder in ("x86tso", "x86tso-64") for model in ("tso", "x86")),
    # The kernel's file goes by tags, which accesses of C11 do not have.
    *(("rc11", name, name) for name in (*runnable_models(), *machine_models()) if name != "lkmm"),
    ("rc11", "rc11", "c11-herd"),
    ("aarch64", "armv8", "armv8"),
    ("aarch64-mixed", "armv8", "armv8"),
    ("ppc", "power", "power"),
    ("riscv", "riscv", "riscv"),
    ("riscv", "riscv-tso", "riscv-tso"),
    # As others write them
    ("aarch64", "armv8", "style/aarch64"),
    ("aarch64-mixed", "armv8", "style/aarch64"),
    ("ppc", "power", "style/ppc"),
    ("riscv", "riscv", "style/riscv"),
    ("x86tso", "x86", "style/x86tso"),
]


def counted(verdict: Verdict) -> tuple[int, int]:
    return verdict.positive, verdict.negative


@needs_conformance
@pytest.mark.parametrize(("folder", "kat", "cat"), some(BY_ENGINE, every=4))
def test_the_engine(folder: str, kat: str, cat: str) -> None:
    for path in some(sorted((CONFORMANCE / "litmus" / folder).glob("*.litmus")), every=40, ci=12):
        test = read_litmus(str(path))
        assert outcome(test, str(MODELS / f"{cat}.cat")) == outcome(test, kat), path


def outcome(test: LitmusTest, model: str) -> tuple[object, ...]:
    """The counts and the states, or why the engine cannot run the test under either model."""
    try:
        verdict = run_test(test, model=model)
    except MazurkaError as error:
        if error.code is not ErrorCode.MIXED_SIZE:
            raise
        return error.code, error.place
    return *counted(verdict), verdict.states


@heavy
@pytest.mark.parametrize("row", BETWEEN)
def test_the_kernels_barriers(row: tuple[str, str, str, str]) -> None:
    """With the tags of ``lkmm.bell``."""
    shape, first, second, expected = row
    one, two, condition = TESTS[shape]
    threads = [[one[0], first, one[1]], [two[0], second, two[1]]]
    assert kernel_verdict(threads, condition) == expected


@pytest.mark.parametrize("name", some(list(OTHERS), every=5))
def test_the_kernels_locks_and_rcu(name: str) -> None:
    threads, condition, expected = OTHERS[name]
    assert kernel_verdict(threads, condition) == expected


@pytest.mark.parametrize("name", some([name for name in OF_SRCU if name not in NOT_ENDED], every=5))
def test_the_kernels_srcu(name: str) -> None:
    threads, expected = OF_SRCU[name]
    assert kernel_verdict(threads, MP) == expected


@cache
def kernel_model() -> terms.Model:
    return load_model(MODELS / "lkmm.cat")


def kernel_verdict(threads: list[list[str]], condition: str) -> str:
    code = "".join(thread(number, statements) for number, statements in enumerate(threads))
    test = parse_litmus_file(f"C T\n{{}}\n{code}\nexists ({condition})\n", "T.litmus")
    found = verdict_by_reference(test, kernel_model(), most_graphs=None)
    assert found.positive + found.negative
    return ALLOWED if found.positive else FORBIDDEN


@pytest.mark.parametrize("path", sorted((HERE / "hardware").glob("*.litmus")), ids=lambda path: path.stem)
def test_hardware_by_cat(path: Path) -> None:
    test = read_litmus(str(path))
    name = {Language.AARCH64: "armv8", Language.PPC: "power"}[test.language]
    own = verdict_by_reference(test, load_model(MODELS / f"{name}.cat"))
    assert counted(own) == counted(verdict_by_reference(test, named_model(name)))


@pytest.mark.parametrize(
    "path", [path for path in OWN if path.parent.name == "suite"], ids=lambda path: path.stem
)
def test_the_suite_by_cat(path: Path) -> None:
    test = read_litmus(str(path))
    kat, cat = ("rc11-cpp11", "rc11-cpp11") if test.language is Language.C11 else ("tso", "x86")
    assert run_test(test, model=str(MODELS / f"{cat}.cat")).states == run_test(test, model=kat).states


SB = """AArch64 T
{ 0:X0=x; 0:X1=y; 1:X0=y; 1:X1=x; }
P0|P1;
MOV W2,#1|MOV W2,#1;
SWP W2,W3,[X0]|SWP W2,W3,[X0];
LDR W4,[X1]|LDR W4,[X1];
exists (0:X4=0 /\\ 1:X4=0)
"""


@pytest.mark.parametrize(("order", "seen"), [("AL", 0), ("L", 1), ("A", 1)])
def test_a_single_instruction_that_acquires_and_releases_is_a_fence(order: str, seen: int) -> None:
    """``[range([A] ; amo ; [L])] ; po``: later loads do not overtake it; with one order they do."""
    test = parse_litmus_file(SB.replace("SWP", f"SWP{order}"), "t.litmus")
    assert counted(verdict_by_reference(test, load_model(MODELS / "armv8.cat"))) == (seen, 3)


# Names of sets, and instructions that stand between two accesses of a thread.
FENCES = [
    (Language.AARCH64, "DMB.ST", "dmb.st"),
    (Language.AARCH64, "DSB.ISHST", "dsb.st"),
    (Language.AARCH64, "ISB", "isb"),
    (Language.AARCH64, "DMB.LD", "dmb.ld"),
    (Language.PPC, "EIEIO", "eieio"),
    (Language.PPC, "ISYNC", "isync"),
    (Language.PPC, "SYNC", "sync"),
    *(
        (Language.RISCV, f"Fence.{way}", f"fence.{way}")
        for way in ("rw.rw", "rw.r", "rw.w", "r.rw", "r.r", "r.w", "w.rw", "w.r", "w.w", "tso")
    ),
]


@pytest.mark.parametrize(("language", "name", "kind"), FENCES)
def test_sets_contain_the_fences_of_that_name(language: Language, name: str, kind: str) -> None:
    """``kat.cat.names`` and ``litmus.running.modes`` mean the same."""
    mode = modes_of(language, "").fence(Fence(kind))
    assert mode is not None
    assert passes(Facts(Kind.FENCE, mode), SETS[name])


def test_loads_that_acquire_weakly_are_in_q() -> None:
    mode = modes_of(Language.AARCH64, "").load(Order.ACQUIRE_PC)
    assert passes(Facts(Kind.READ, mode), SETS["Q"])
    assert not passes(Facts(Kind.READ, Mode.ACQ), SETS["Q"])
