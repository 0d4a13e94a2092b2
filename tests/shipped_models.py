"""The names of the models that come with the package, ``sc`` first: every one of them is tested."""

from __future__ import annotations

from mazurka.kat.language.load import MODELS

_OTHERS = (path.stem for path in MODELS.glob("*.kat") if not path.stem.endswith("-base"))
NAMES = ("sc", *sorted(name for name in _OTHERS if name != "sc"))
