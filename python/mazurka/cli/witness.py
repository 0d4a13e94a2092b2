"""``mazurka check --witness``: writes a witness for the answer, if there is one."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime, timezone

from mazurka.checking.outcome import Outcome
from mazurka.cli.terminal import complain, write_text
from mazurka.witness import as_witness


def write_witness(outcome: Outcome, path: str, files: Sequence[str]) -> None:
    """Writes the witness; says so if the property is neither proved nor refuted."""
    now = datetime.now(timezone.utc).replace(microsecond=0).isoformat()
    text = as_witness(outcome, files, uuid=str(uuid.uuid4()), time=now)
    if text is None:
        complain("mazurka: no witness is written, because the property is neither proved nor refuted")
    else:
        write_text(path, text, "--witness")
