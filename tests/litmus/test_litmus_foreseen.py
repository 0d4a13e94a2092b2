"""Verdicts do not depend on whether the values of loads are foreseen: random tests are run in both ways.

Their registers are overwritten after loads, copied, and skipped by branches, which decides what the final
state says about the loads.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mazurka.litmus import parse_litmus_file
from mazurka.litmus.running import foreseen
from mazurka.litmus.running.layout import Layout
from mazurka.litmus.running.lowering import to_program
from mazurka.litmus.running.run import run_test
from mazurka.litmus.running.states import Verdict
from profiles import examples

REGISTERS = range(4)  # W0 to W3; X5 and X6 have the addresses of locations
OVERWRITTEN = """AArch64 overwritten
{
0:X1=x; 0:X3=y; 1:X1=x; 1:X3=y;
}
P0          | P1         ;
LDR W0,[X1] | MOV W0,#1  ;
%s          | STR W0,[X1];
LDR W2,[X1] | STR W0,[X3];
exists (%s)
"""


def instructions() -> st.SearchStrategy[str]:
    """Lines of AArch64; ``%`` stands for a label that no other line has."""
    register, place = st.sampled_from(REGISTERS), st.sampled_from(["[X5]", "[X6]"])
    number = st.integers(0, 2)
    return st.one_of(
        st.builds("LDR W{},{}".format, register, place),
        st.builds("LDR W{},{}".format, register, place),
        st.builds("LDR X{},{}".format, register, place),
        st.builds("LDRB W{},{}".format, register, place),
        st.builds("STR W{},{}".format, register, place),
        st.builds("MOV W{},#{}".format, register, number),
        st.builds("MOV W{},W{}".format, register, register),
        st.builds("MOV X{},X{}".format, register, register),
        st.builds("ADD W{},W{},#{}".format, register, register, number),
        st.builds("CBNZ W{},%".format, register),
    )


@st.composite
def columns(draw: st.DrawFn, thread: int) -> list[str]:
    """The lines of a thread; labels come after the branches to them."""
    drawn = draw(st.lists(instructions(), min_size=1, max_size=5))
    lines: list[str] = []
    behind: dict[int, list[str]] = {}
    for at, line in enumerate(drawn):
        label = f"L{thread}{at}"
        if "%" in line:
            behind.setdefault(draw(st.integers(at + 1, len(drawn))), []).append(label)
        lines += [f"{name}:" for name in behind.get(at, [])]
        lines.append(line.replace("%", label))
    return lines + [f"{name}:" for name in behind.get(len(drawn), [])]


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A test without a condition, which has all registers in its states."""
    threads = [draw(columns(n)) for n in range(draw(st.integers(1, 2)))]
    threads.append(["MOV W0,#1", "STR W0,[X5]", draw(st.sampled_from(["STR W0,[X6]", "LDR W1,[X6]"]))])
    rows = max(map(len, threads))
    filled = [column + [""] * (rows - len(column)) for column in threads]
    setup = " ".join(f"{n}:X5=x; {n}:X6=y;" for n in range(len(threads)))
    start = draw(st.sampled_from(["", "x=257;", "int64_t x=4294967297; int64_t y;"]))
    kinds = draw(st.sampled_from(["", "int8_t 0:X0; int 0:X1;"]))
    lines = ["AArch64 random", f"{{ {setup} {start} {kinds} }}"]
    lines.append(" | ".join(f"P{n}" for n in range(len(threads))) + " ;")
    lines += [" | ".join(row) + " ;" for row in zip(*filled, strict=True)]
    shown = " ".join(f"{n}:X{r};" for n in range(len(threads)) for r in REGISTERS)
    return "\n".join([*lines, f"locations [{shown}]", ""])


def verdict(text: str, monkeypatch: pytest.MonkeyPatch, *, many: int) -> Verdict:
    monkeypatch.setattr(foreseen, "MANY_LOADS", many)
    return run_test(parse_litmus_file(text, "random.litmus"))


def foreseen_in(text: str) -> tuple[Any, ...]:
    test = parse_litmus_file(text, "random.litmus")
    layout = Layout(test)
    return foreseen.foreseen_loads(test, layout, to_program(test, layout, "armv8"))


@examples(ci=100, slow=3_000)
@given(texts(), st.integers(0, 2), st.randoms(use_true_random=False))
def test_foreseen_loads_do_not_change_the_verdict(text: str, other: int, random: Any) -> None:
    """Each final state is found when it is asked for, as often as without foreseeing, and others are not."""
    with pytest.MonkeyPatch.context() as patch:
        states = verdict(text + "exists (true)\n", patch, many=1 << 30).states
        chosen = random.sample(states, min(4, len(states)))
        for state, _, _ in chosen:
            parts = state.strip(" ;").split("; ")
            random.shuffle(parts)
            changed = parts[0].split("=")[0] + f"={other}"
            for asked in (parts, [changed, *parts[1:]], parts[1:]):
                question = text + "exists (" + " /\\ ".join(asked) + ")\n"
                full = verdict(question, patch, many=1 << 30)
                short = verdict(question, patch, many=0)
                assert short.positive == full.positive
                assert short.only_witnesses or short == replace(full, test=short.test)


@pytest.mark.parametrize(
    ("line", "condition", "expected"),
    [
        ("MOV W4,#5", "0:X0=0 /\\ 0:X2=0", (0, 0)),
        ("MOV W4,#5", "0:X2=0", None),
        ("MOV W0,#5", "0:X0=5 /\\ 0:X2=0", None),  # the value is lost
        ("MOV W4,W0", "0:X4=0 /\\ 0:X2=0", (0, 0)),
        ("MOV W0,W4", "0:X4=0 /\\ 0:X0=0 /\\ 0:X2=0", None),
        ("CBNZ W2,L0; MOV W0,#7; L0:", "0:X0=7 /\\ 0:X2=0", None),
        ("CBNZ W2,L0; MOV W4,W0; L0:", "0:X4=0 /\\ 0:X2=0", None),  # if it was copied
        ("CBNZ W2,L0; MOV W4,W0; L0:", "0:X0=1 /\\ 0:X4=0 /\\ 0:X2=0", (1, 0)),
        ("MOV W4,W0; MOV W0,#1; MOV W5,W4", "0:X0=1 /\\ 0:X5=0 /\\ 0:X2=0", (0, 0)),
        ("MOV W4,#5", "0:X0=-1 /\\ 0:X2=0", None),
    ],
)
def test_what_is_foreseen(
    line: str, condition: str, expected: tuple[int, ...] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what the final state says about every load, wherever the thread goes."""
    monkeypatch.setattr(foreseen, "MANY_LOADS", 0)
    lines = " |;\n".join(line.split("; "))
    found = foreseen_in(OVERWRITTEN % (lines, condition))
    assert [value for _, _, value in found] == list(expected or ())


@pytest.mark.parametrize(
    ("kind", "load", "expected"),
    [
        ("", "LDR X0,[X1]", 1),
        ("int 0:X0;", "LDR X0,[X1]", None),  # all values with these lower bits will do
        ("int8_t 0:X0;", "LDR W0,[X1]", None),
        ("int8_t 0:X0;", "LDRB W0,[X1]", 1),
    ],
)
def test_a_value_is_foreseen_with_all_its_bits(
    kind: str, load: str, expected: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreseen, "MANY_LOADS", 0)
    text = f"AArch64 bits\n{{ 0:X1=x; {kind} }}\nP0 ;\n{load} ;\nexists (0:X0=1)\n"
    assert [value for _, _, value in foreseen_in(text)] == ([] if expected is None else [expected])
