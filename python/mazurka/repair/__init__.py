"""Changes the memory orderings of a program's source: ``fix`` strengthens them, ``tune`` weakens them.

Text in, text out: ``tokens`` and ``sites`` find what can be changed in the user's own files, ``orders`` says
which orderings an operation may have, ``variants`` writes changed text, ``overlay`` lets the compiler see it,
and ``trials`` checks it. ``fixing`` and ``tuning`` are the searches, ``patch`` shows their results.

I1: nothing is reported as right that was not checked, as a whole and with the user's options.
I2: the user's files are not written by anything in this room; only the command does that, when asked.
I3: a change that leaves the compiled program as it was is never part of a result: it might be in code that is
not compiled, and nothing would be known about it.
"""
