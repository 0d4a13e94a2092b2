"""Functions that programs in other languages than C call without naming them."""
