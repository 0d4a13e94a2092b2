"""Pictures of executions: boxes in columns with labelled arrows, as SVG, as DOT and as a page for browsers.

``picture`` is what a picture consists of, whoever asks for one: ``counterexamples`` for the prover, and
``pictures.executions`` for checks. ``layout`` decides where everything goes, ``svg`` and ``dot`` write files,
and ``html`` writes one page that needs neither a network nor other files. ``hasse`` draws the lattice of
models.
"""
