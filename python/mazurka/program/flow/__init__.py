"""Control flow: graphs of code, dominators, loops and liveness, for bytecode and for what becomes bytecode.

``function`` is what passes ask: the control flow of one Function in terms of its instructions. It is built
from the rest, which knows only numbers: ``graph`` (order), ``dominators``, ``loops``, ``liveness``. The
front-end uses these parts, too, for LLVM's blocks and for virtual code. ``rewriting`` puts instructions in
and moves jump targets.

I1: only ``mazurka.program.instructions`` knows where control goes from an instruction.
"""
