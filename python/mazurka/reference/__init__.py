"""The executable specification: pure Python, slow, and as obvious as we could make it.

``trust`` is the papers' exploration line by line, ``brute`` enumerates executions without any of it, and
both run bytecode with the interpreter of this room. The engine is tested against them; nothing here may
import it. Papers: TruSt §3-4, thesis §2 and §5-6.
"""

from mazurka.reference.brute import Executions, enumerate_executions
from mazurka.reference.canonical import Canonical, canonical_from_engine, children_from_engine
from mazurka.reference.graph import Graph
from mazurka.reference.labels import ReferenceUnsupported
from mazurka.reference.machine import Machine
from mazurka.reference.trust import Exploration, verify

__all__ = [
    "Canonical",
    "Executions",
    "Exploration",
    "Graph",
    "Machine",
    "ReferenceUnsupported",
    "canonical_from_engine",
    "children_from_engine",
    "enumerate_executions",
    "verify",
]
