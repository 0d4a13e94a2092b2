"""What people ask, in terms of claims: weaker models, compilation schemes, reorderings, monotonicity."""
