"""The executable specification: pure Python, slow, and as obvious as we could make it.

``trust`` is the papers' exploration line by line, ``mixing`` the one for accesses of several sizes and for
atomic sections. ``brute`` enumerates executions without any of it, and ``unordered`` does so for models that
allow load buffering. All run bytecode with the interpreter in ``running``. A model is what its file says:
``relations`` gives terms their meaning on a graph, and ``consistency`` checks each axiom.
The engine is tested against all this; nothing here may import it, nor the planner. Papers: TruSt §3-4,
Mixer §4, thesis §2, §3.1 and §5-6.
"""

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
