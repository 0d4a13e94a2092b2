"""Pictures of the executions that a check found: of a counterexample, or of all executions of a program.

``drawing`` makes the picture of one execution from its ``boxes``, the relations between them
(``communication``, and those of the model, ``named``) and a ``cycle`` that no interleaving has. ``outcomes``
tells executions apart by what they read and leave in memory. ``pages`` puts all of it on a page.

Relations of the model are evaluated by the executable specification (``reference``), so that what is drawn is
what the model file says.
"""
