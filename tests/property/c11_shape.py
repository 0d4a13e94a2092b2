"""A model like C11's, for tests of models with a ``ppo`` of their own: what it keeps in order is open."""

from __future__ import annotations

_SHAPE = """
let eco = (rf | co | fr)+
let sw = [REL] ; ([F] ; po)? ; [W \\ NA] ; (rf ; rmw)* ; rf ; [R \\ NA] ; (po ; [F])? ; [ACQ]
let hb = (kept | sw)+
let direct = kept | rf | co | fr
let psc = [SC] ; kept ; hb ; kept ; [SC]
        | [SC] ; ([F] ; hb)? ; direct ; (hb ; [F])? ; [SC]
        | [F & SC] ; hb ; (eco ; hb)? ; [F & SC]
ppo = order
acyclic order | rf as no-thin-air
irreflexive hb ; eco as coherence
acyclic psc as sc-order
"""


def like_c11(updates: str, dependencies: str = "") -> str:
    """Release, acquire and SC as in C11; ``updates`` come before what follows, ``dependencies`` order too."""
    kept = f"po-loc | po ; [REL] | [ACQ] ; po | [F] ; po | po ; [F] | [SC] ; po ; [SC] | [{updates}] ; po"
    return f"\nlet kept = {kept}\nlet order = kept{dependencies}{_SHAPE}"
