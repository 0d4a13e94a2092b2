"""Mixer, for accesses of several sizes and for atomic sections, and what it saves (Mixer §2.4, §4, §5)."""

from mazurka.reference.mixing.mixer import verify_mixed
from mazurka.reference.mixing.sections import verify_sections

__all__ = ["verify_mixed", "verify_sections"]
