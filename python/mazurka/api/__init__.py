"""What Python programs can ask Mazurka, apart from ``check``: executions one by one, repairs, litmus
tests, proofs.

Everything here is a plain value that can be pickled, and no function prints. ``docs/python.md`` is the
contract; the names are those of the package ``mazurka``, which loads them on first use.
"""
