"""How much there is to explore, and how far an exploration has come.

``estimate`` samples the choices of a program (the engine's ``explore/estimate`` says how) and explores it for
a moment, to see how fast that is. ``progress`` looks at an exploration while it runs, from a thread of its
own: the engine counts anyway, so that this costs nothing, and an answer never waits for it.
"""
