"""The default of the memory limit: half of what machine, control groups and resource limits leave."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import mazurka
import pytest
from mazurka import machine
from mazurka.machine import COPIES, default_memory_limit, group_limits, limit_of_collecting

PROGRAMS = Path(__file__).resolve().parents[2] / "benchmarks" / "programs"
MIB = 1 << 20
NO_LIMIT_OF_VERSION_1 = 9223372036854771712


def limits(directory: Path, membership: str, files: dict[str, str]) -> list[int]:
    """What is found with these groups, and these files under the mount point."""
    mounted = directory / "mounted"
    for name, text in files.items():
        file = mounted / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    groups = directory / "cgroup"
    groups.write_text(membership, encoding="utf-8")
    return sorted(group_limits(str(groups), str(mounted)))


def test_version_2_looks_at_all_groups_around(tmp_path: Path) -> None:
    files = {
        "memory.max": "max\n",
        "user/memory.max": f"{300 * MIB}\n",
        "user/job/memory.max": f"{500 * MIB}\n",
        "user/job/memory.high": f"{400 * MIB}\n",
        "other/memory.max": f"{1 * MIB}\n",
    }
    assert limits(tmp_path, "0::/user/job\n", files) == [300 * MIB, 400 * MIB, 500 * MIB]


def test_version_1_has_a_hierarchy_for_memory(tmp_path: Path) -> None:
    membership = "9:name=systemd:/\n4:cpu,memory:/docker/1\n1:cpuset:/\n0::/\n"
    files = {
        "memory/memory.limit_in_bytes": f"{NO_LIMIT_OF_VERSION_1}\n",
        "memory/docker/1/memory.limit_in_bytes": f"{256 * MIB}\n",
    }
    assert limits(tmp_path, membership, files) == [256 * MIB, NO_LIMIT_OF_VERSION_1]


@pytest.mark.parametrize(
    ("membership", "file"),
    [
        ("0::/\n", "memory.max"),
        ("0::/docker/1\n", "memory.max"),  # a name from outside the container
        ("0::/../other\n", "memory.max"),
        ("0::/\n", "unified/memory.max"),
        ("4:memory:/docker/1\n", "memory/memory.limit_in_bytes"),
    ],
)
def test_a_container_sees_its_group_at_the_mount_point(tmp_path: Path, membership: str, file: str) -> None:
    assert limits(tmp_path, membership, {file: f"{64 * MIB}\n"}) == [64 * MIB]


@pytest.mark.parametrize("text", ["", "\n", "max\n", "-1\n", "much\n", "²\n"])
def test_what_is_no_number_is_no_limit(tmp_path: Path, text: str) -> None:
    assert limits(tmp_path, "0::/\nnonsense\n", {"memory.max": text}) == []


def test_without_groups_there_is_no_limit(tmp_path: Path) -> None:
    assert list(group_limits(str(tmp_path / "none"), str(tmp_path))) == []


def test_half_of_the_smallest_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    bounds = {"_machine": [8 * MIB], "_resource_limits": [6 * MIB, 9 * MIB]}
    for name, values in bounds.items():
        monkeypatch.setattr(machine, name, lambda values=values: values)
    monkeypatch.setattr(machine, "group_limits", lambda membership, mounted: [])
    assert default_memory_limit() == 3 * MIB
    monkeypatch.setattr(machine, "group_limits", lambda membership, mounted: [4 * MIB])
    assert default_memory_limit() == 2 * MIB
    for name in bounds:
        monkeypatch.setattr(machine, name, lambda: [])
    monkeypatch.setattr(machine, "group_limits", lambda membership, mounted: [])
    assert default_memory_limit() is None


@pytest.mark.parametrize("kind", [resource.RLIMIT_AS, resource.RLIMIT_DATA])
def test_resource_limits_count(kind: int) -> None:
    bytes_given = 512 * MIB
    code = (
        f"import resource; resource.setrlimit({kind}, ({bytes_given}, {bytes_given})); "
        "from mazurka.machine import default_memory_limit; print(default_memory_limit())"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert int(found) <= bytes_given // 2


def test_graphs_that_are_collected_need_more_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the process has already is not taken again."""
    monkeypatch.setattr(machine, "_taken", lambda: 100 * MIB)
    assert limit_of_collecting(None) is None
    assert limit_of_collecting(500 * MIB) == 100 * MIB + 400 * MIB // COPIES
    assert limit_of_collecting(50 * MIB) == 100 * MIB
    monkeypatch.setattr(machine, "_taken", lambda: None)
    assert limit_of_collecting(500 * MIB) == 500 * MIB


def test_checks_that_collect_have_that_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mazurka.checking.check.limit_of_collecting", lambda limit: MIB)
    large = PROGRAMS / "lastzero.c"
    outcome = mazurka.check(large, model="sc", cflags=["-DN=40"], memory_limit=1 << 34, collect=True)
    assert outcome.verdict == "interrupted"
    assert f"the memory limit of {(1 << 34) // MIB} MiB was reached" in outcome.warnings[0]
