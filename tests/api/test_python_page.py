"""The examples of ``docs/python.md`` print what the page says.

They run in a process of their own, because they load NumPy: that changes how the C library prints numbers,
which other tests compare with.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"
_BLOCK = re.compile(r"^```(?P<kind>\w+)\n(?P<text>(?:.*\n)*?)```$", re.MULTILINE)
_BETWEEN = "-" * 30
# What pandas has of an execution is what the execution has.
_TABLE = """
assert list(table.index) == [event.id for event in execution.events]
assert {(row.rf, number) for number, row in table[table.kind == "R"].iterrows()} == execution.rf
assert list(table.place) == [event.place for event in execution.events]
"""


def test_the_examples_print_what_the_page_says(tmp_path: Path) -> None:
    blocks = [(block["kind"], block["text"]) for block in _BLOCK.finditer(PAGE.read_text(encoding="utf-8"))]
    examples, shown = blocks[::2], blocks[1::2]
    assert {kind for kind, _ in examples} == {"python"}
    assert {kind for kind, _ in shown} == {"text"}
    assert len(examples) == len(shown) >= 6
    script = tmp_path / "examples.py"
    script.write_text(f"print({_BETWEEN!r})\n".join([*(text for _, text in examples), _TABLE]), "utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.split(f"{_BETWEEN}\n") == [*(text for _, text in shown), ""]
