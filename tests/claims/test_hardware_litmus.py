"""Executions whose verdict is known from the literature, under the models of machines, by brute force.

POWER: Alglave, Maranget, Tautschnig, Herding cats, TOPLAS 2014, and Maranget, Sarkar, Sewell, A tutorial
introduction to the ARM and POWER relaxed memory models, 2012. ARMv8: Pulte et al., POPL 2018. IMM:
Podkopaev, Lahav, Vafeiadis, POPL 2019: SC accesses aside, it allows what they allow; it orders no two reads
by a dependency and no two threads by coherence. ``Facqrel`` is lwsync on POWER and DMB SY on ARMv8, ``Fsc``
is sync and DMB SY.
"""

from __future__ import annotations

import pytest
from claim_files import is_allowed
from litmus_executions import read_execution

NAMES = ("imm", "armv8", "power", "power-simpl")
POWER = "power power-simpl"
ALL = f"imm armv8 {POWER}"
MP_READER = "Wrlx x 1; Facqrel; Wrlx y 1 || Rrlx y 1"
# Name, execution, the models that allow it.
EXECUTIONS = [
    ("MP", "Wrlx x 1; Wrlx y 1 || Rrlx y 1; Rrlx x 0", ALL),
    ("MP+lwsync+po", f"{MP_READER}; Rrlx x 0", ALL),
    ("MP+po+addr", "Wrlx x 1; Wrlx y 1 || Rrlx y 1; addr:Rrlx x 0", ALL),
    ("MP+lwsync+addr", f"{MP_READER}; addr:Rrlx x 0", "imm"),
    ("MP+lwsync+ctrl", f"{MP_READER}; ctrl:Rrlx x 0", ALL),
    ("MP+lwsync+lwsync", f"{MP_READER}; Facqrel; Rrlx x 0", ""),
    ("MP+rel+acq", "Wrlx x 1; Wrel y 1 || Racq y 1; Rrlx x 0", ""),
    ("MP+relfence+acqfence", "Wrlx x 1; Frel; Wrlx y 1 || Rrlx y 1; Facq; Rrlx x 0", ""),
    ("MP+acqfence+lwsync", "Wrlx x 1; Facq; Wrlx y 1 || Rrlx y 1; Facqrel; Rrlx x 0", "imm armv8"),
    ("PPOCA", f"{MP_READER}; ctrl:Wrlx z 1; Rrlx z 1; addr:Rrlx x 0", ALL),
    ("PPOAA", f"{MP_READER}; addr:Wrlx z 1; Rrlx z 1; addr:Rrlx x 0", "imm"),
    ("RDW", f"{MP_READER}; addr:Rrlx z 0; Rrlx z 1; addr:Rrlx x 0 || Wrlx z 1", "imm"),
    ("RSW", f"{MP_READER}; addr:Rrlx z 0; Rrlx z 0; addr:Rrlx x 0", ALL),
    ("LB", "Rrlx x 1; Wrlx y 1 || Rrlx y 1; Wrlx x 1", ALL),
    ("LB+data+po", "Rrlx x 1; data:Wrlx y 1 || Rrlx y 1; Wrlx x 1", ALL),
    ("LB+datas", "Rrlx x 1; data:Wrlx y 1 || Rrlx y 1; data:Wrlx x 1", ""),
    ("LB+addrs", "Rrlx x 1; addr:Wrlx y 1 || Rrlx y 1; addr:Wrlx x 1", ""),
    ("LB+ctrls", "Rrlx x 1; ctrl:Wrlx y 1 || Rrlx y 1; ctrl:Wrlx x 1", ""),
    ("LB+addrpos", "Rrlx x 1; addr:Rrlx z 0; Wrlx y 1 || Rrlx y 1; addr:Rrlx z 0; Wrlx x 1", ""),
    ("LB+acq+rel", "Racq x 1; Wrlx y 1 || Rrlx y 1; Wrel x 1", ""),
    ("LB+lwsync+data", "Rrlx x 1; Facqrel; Wrlx y 1 || Rrlx y 1; data:Wrlx x 1", ""),
    ("SB", "Wrlx x 1; Rrlx y 0 || Wrlx y 1; Rrlx x 0", ALL),
    ("SB+lwsyncs", "Wrlx x 1; Facqrel; Rrlx y 0 || Wrlx y 1; Facqrel; Rrlx x 0", f"imm {POWER}"),
    ("SB+syncs", "Wrlx x 1; Fsc; Rrlx y 0 || Wrlx y 1; Fsc; Rrlx x 0", ""),
    ("SB+rel+acq", "Wrel x 1; Racq y 0 || Wrel y 1; Racq x 0", f"imm {POWER}"),
    ("SB+sc", "Wsc x 1; Rsc y 0 || Wsc y 1; Rsc x 0", ""),
    ("2+2W", "Wrlx x 2; Wrlx y 1 || Wrlx y 2; Wrlx x 1", ALL),
    ("2+2W+lwsyncs", "Wrlx x 2; Facqrel; Wrlx y 1 || Wrlx y 2; Facqrel; Wrlx x 1", "imm"),
    ("2+2W+syncs", "Wrlx x 2; Fsc; Wrlx y 1 || Wrlx y 2; Fsc; Wrlx x 1", ""),
    ("R+lwsync+sync", "Wrlx x 1; Facqrel; Wrlx y 1 || Wrlx y 2; Fsc; Rrlx x 0", f"imm {POWER}"),
    ("R+syncs", "Wrlx x 1; Fsc; Wrlx y 1 || Wrlx y 2; Fsc; Rrlx x 0", ""),
    ("S+lwsync+po", "Wrlx x 2; Facqrel; Wrlx y 1 || Rrlx y 1; Wrlx x 1", ALL),
    ("S+lwsync+data", "Wrlx x 2; Facqrel; Wrlx y 1 || Rrlx y 1; data:Wrlx x 1", "imm"),
    ("S+rel+acq", "Wrlx x 2; Wrel y 1 || Racq y 1; Wrlx x 1", ""),
    ("WRC", "Wrlx x 1 || Rrlx x 1; Wrlx y 1 || Rrlx y 1; Rrlx x 0", ALL),
    ("WRC+data+addr", "Wrlx x 1 || Rrlx x 1; data:Wrlx y 1 || Rrlx y 1; addr:Rrlx x 0", f"imm {POWER}"),
    ("WRC+lwsync+addr", "Wrlx x 1 || Rrlx x 1; Facqrel; Wrlx y 1 || Rrlx y 1; addr:Rrlx x 0", "imm"),
    ("ISA2+lwsync+data+addr", f"{MP_READER}; data:Wrlx z 1 || Rrlx z 1; addr:Rrlx x 0", "imm"),
    ("RWC+syncs", "Wrlx x 1 || Rrlx x 1; Fsc; Rrlx y 0 || Wrlx y 1; Fsc; Rrlx x 0", ""),
    ("IRIW", "Wrlx x 1 || Wrlx y 1 || Rrlx x 1; Rrlx y 0 || Rrlx y 1; Rrlx x 0", ALL),
    (
        "IRIW+addrs",
        "Wrlx x 1 || Wrlx y 1 || Rrlx x 1; addr:Rrlx y 0 || Rrlx y 1; addr:Rrlx x 0",
        f"imm {POWER}",
    ),
    (
        "IRIW+lwsyncs",
        "Wrlx x 1 || Wrlx y 1 || Rrlx x 1; Facqrel; Rrlx y 0 || Rrlx y 1; Facqrel; Rrlx x 0",
        f"imm {POWER}",
    ),
    ("IRIW+syncs", "Wrlx x 1 || Wrlx y 1 || Rrlx x 1; Fsc; Rrlx y 0 || Rrlx y 1; Fsc; Rrlx x 0", ""),
    ("IRIW+rel+acq", "Wrel x 1 || Wrel y 1 || Racq x 1; Racq y 0 || Racq y 1; Racq x 0", f"imm {POWER}"),
    ("IRIW+sc", "Wsc x 1 || Wsc y 1 || Rsc x 1; Rsc y 0 || Rsc y 1; Rsc x 0", ""),
    ("CoRR", "Wrlx x 1 || Rrlx x 1; Rrlx x 0", ""),
    ("CoRW1", "Rrlx x 1; Wrlx x 1", ""),
    ("CoRW2", "Rrlx x 2; Wrlx x 1 || Wrlx x 2", ""),
    ("CoWR", "Wrlx x 2; Rrlx x 1 || Wrlx x 1", ""),
    ("CoWW", "Wrlx x 2; Wrlx x 1", ""),
    ("relseq", "Wrlx x 1; Wrel y 1 || Urlx y 1>2 || Racq y 2; Rrlx x 0", ""),
    ("relseq, own thread", "Wrlx x 1; Wrel y 1; Urlx y 1>2 || Racq y 2; Rrlx x 0", ""),
    ("Z6.U", "Wsc x 1; Wrel y 1 || Usc y 1>2; Rrlx y 3 || Wsc y 3; Rsc x 0", POWER),
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("source", "allowed"), [pytest.param(*execution[1:], id=execution[0]) for execution in EXECUTIONS]
)
def test_verdict(source: str, allowed: str, name: str) -> None:
    assert is_allowed(read_execution(source), name) == (name in allowed.split())


def test_an_isync_after_a_branch_orders_reads_on_power() -> None:
    execution = read_execution(f"{MP_READER}; isync:Rrlx x 0")
    assert not is_allowed(execution, "power")


@pytest.mark.parametrize("name", ["power", "power-simpl", "power-weak"])
def test_figure_of_the_thesis(name: str) -> None:
    """Figure 3.1, read off the word of section 3.7: all SC but one store.

    POWER allows it. The thesis forbids it, because it takes all of fr; the standard of 2011 does not, because
    the read that precedes the SC store of y read from a store that is not SC.
    """
    execution = read_execution("Rsc x 1; Wrel y 1 || Rsc y 1 || Wsc y 2; Rsc x 0 || Wsc x 1")
    assert is_allowed(execution, name)
    assert not is_allowed(execution, "c11-strong")
    assert is_allowed(execution, "c11-orig")
    assert is_allowed(execution, "rc11")


def test_z6u_tells_the_standard_of_2011_from_power() -> None:
    execution = read_execution({name: source for name, source, _ in EXECUTIONS}["Z6.U"])
    assert is_allowed(execution, "power")
    assert not is_allowed(execution, "c11-orig")
    assert is_allowed(execution, "rc11")
