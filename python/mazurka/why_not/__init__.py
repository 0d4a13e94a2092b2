"""Why a litmus test cannot end in some way, found by the reference: ``answer`` is where it is asked."""
