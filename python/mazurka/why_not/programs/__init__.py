"""Whether a program may end as its user expects, and if not, why: ``expected`` is where it is asked."""
