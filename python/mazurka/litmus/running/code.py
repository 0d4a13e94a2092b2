"""Instructions as data: a test may load the word that encodes an instruction, and compare it with another's.

Only the words of AArch64's NOP and B are known; others are refused.
"""

from __future__ import annotations

import re

from mazurka.litmus.meaning.operations import Branch, Instruction, Label
from mazurka.litmus.meaning.test import Language, LitmusTest, Thread
from mazurka.litmus.meaning.values import CodeAddress

WORD = 4  # bytes of an instruction


def word_of(text: str) -> int | None:
    """The word of an instruction whose branches are written by their distance; None if it is not known."""
    if text.strip().upper() == "NOP":
        return 0xD503_201F
    branch = re.fullmatch(r"\s*B\s+\.\s*([-+])\s*(\d+)\s*", text, re.IGNORECASE)
    if branch is None or int(branch[2]) % WORD:
        return None
    distance = int(branch[1] + branch[2]) // WORD
    return 0x1400_0000 | distance & 0x3FF_FFFF


def word_at(test: LitmusTest, address: CodeAddress) -> int | None:
    """The word of the instruction behind a label; None if it is not known, or there is none."""
    if address.thread >= len(test.threads) or test.language is not Language.AARCH64:
        return None
    thread = test.threads[address.thread]
    labels = _labels(thread)
    code = [instruction for instruction in thread.instructions if not _is_label(instruction)]
    at = labels.get(address.label)
    return word_of(_relative(code[at], at, labels)) if at is not None and at < len(code) else None


def _is_label(instruction: Instruction) -> bool:
    return any(isinstance(operation, Label) for operation in instruction.operations)


def _labels(thread: Thread) -> dict[str, int]:
    """How many instructions come before each label."""
    found, count = {}, 0
    for instruction in thread.instructions:
        names = [operation.name for operation in instruction.operations if isinstance(operation, Label)]
        found.update(dict.fromkeys(names, count))
        count += not names
    return found


def _relative(instruction: Instruction, at: int, labels: dict[str, int]) -> str:
    """The text of an instruction, with the distance instead of the label to which it branches."""
    targets = [o.target for o in instruction.operations if isinstance(o, Branch) and o.target in labels]
    if not targets:
        return instruction.text
    distance = WORD * (labels[targets[0]] - at)
    return re.sub(rf"\b{re.escape(targets[0])}\s*$", f".{distance:+d}", instruction.text)
