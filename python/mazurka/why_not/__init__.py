"""Why a litmus test or a program cannot end in some way, found by the reference.

``answer`` is where it is asked of litmus tests, ``programs.expected`` of programs.
"""
