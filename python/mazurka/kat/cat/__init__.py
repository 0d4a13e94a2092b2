"""Herd's cat language: from a ``.cat`` file to a Model, as far as axiomatic models use the language.

``syntax`` is what a file says, ``parser`` reads it, ``model`` turns it into the terms of ``kat.meaning``. So
a ``.cat`` file is evaluated by the reference and planned for the engine like any other model.

Implements the language as herd's manual describes it. Departs 1: sets are sets of events; sets of sets, and
``match`` on them, are refused. Departs 2: recursion is between relations and sets, not between functions.
Departs 3: ``co`` is given, as the engine enumerates it, so ``with co from`` says nothing new.
"""
