"""Programs written in Python: threads are functions over shared variables, run by the same engine as C.

A function is not run as it stands. It is traced: ``values`` stand for numbers that are only known in an
execution, ``recording`` notes what the function does with ``variables``, and runs it once for each way that
its ``if`` and ``while`` can go. The ways make a tree (``tree``), from which ``building`` makes bytecode.
``threads`` is the door: a program of several such functions.

I1: a function does the same each time it takes the same way; otherwise it is refused.
I2: each step of the tree has a number of its own in ``Program.positions``, so that an event says which step
it is of, whatever passes have done to the code.
"""
