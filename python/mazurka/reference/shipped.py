"""The default model of the reference: sequential consistency, from its file."""

from __future__ import annotations

from mazurka.kat.language.load import named_model

SC = named_model("sc")
