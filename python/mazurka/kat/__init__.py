"""The model language: from a ``.kat`` file to a ``Model``, and from a model to the ``Plan`` that is run."""
