"""The executable specification: pure Python, slow, and as obvious as we could make it.

``trust`` is the papers' exploration line by line, ``mixing`` the one for accesses of several sizes and for
atomic sections. ``brute`` enumerates executions without any of it, and ``unordered`` does so for models that
allow load buffering. All run bytecode with the interpreter in ``running``. A model is what its file says:
``relations`` gives terms their meaning on a graph, and ``consistency`` checks each axiom.
The engine is tested against all this; nothing here may import it, nor the planner. Papers: TruSt §3-4,
Mixer §4, thesis §2, §3.1 and §5-6.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mazurka.reference.brute import Executions, enumerate_executions
    from mazurka.reference.canonical import Canonical
    from mazurka.reference.graph import Graph
    from mazurka.reference.machine import Machine
    from mazurka.reference.running.labels import ReferenceUnsupported
    from mazurka.reference.trust import Exploration, verify

__all__ = [
    "Canonical",
    "Executions",
    "Exploration",
    "Graph",
    "Machine",
    "ReferenceUnsupported",
    "enumerate_executions",
    "verify",
]

# Imported when they are asked for: reports need the interpreter alone.
_LATE = {
    "Canonical": "canonical",
    "Executions": "brute",
    "Exploration": "trust",
    "Graph": "graph",
    "Machine": "machine",
    "ReferenceUnsupported": "running.labels",
    "enumerate_executions": "brute",
    "verify": "trust",
}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module 'mazurka.reference' has no attribute '{name}'")
    return getattr(import_module(f"mazurka.reference.{_LATE[name]}"), name)
