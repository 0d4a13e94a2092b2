"""Small concurrent tests as values: what unit tests, properties and conformance tables are written in.

A ``Test`` has three equivalent forms: litmus notation (``parse_litmus``), bytecode
(``to_program``, no compiler involved) and C11 (``to_c``). ``mazurka.testing.strategies`` draws random
ones; it is not imported here because it needs Hypothesis, which is only a test dependency.
"""

from mazurka.testing.build import to_program
from mazurka.testing.notation import NotationError, parse_litmus
from mazurka.testing.operations import (
    Assume,
    CompareExchange,
    Exchange,
    Fence,
    FetchAdd,
    Guard,
    Indexed,
    Load,
    Lock,
    Operation,
    Part,
    Refute,
    Register,
    Repeat,
    Section,
    Shape,
    Store,
    Test,
    Unlock,
)
from mazurka.testing.render import to_c

__all__ = [
    "Assume",
    "CompareExchange",
    "Exchange",
    "Fence",
    "FetchAdd",
    "Guard",
    "Indexed",
    "Load",
    "Lock",
    "NotationError",
    "Operation",
    "Part",
    "Refute",
    "Register",
    "Repeat",
    "Section",
    "Shape",
    "Store",
    "Test",
    "Unlock",
    "parse_litmus",
    "to_c",
    "to_program",
]
