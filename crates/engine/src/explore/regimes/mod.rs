//! What differs where coherence is not chosen, and where threads may have gaps.

pub(in crate::explore) mod gaps;
pub(in crate::explore) mod reads_from;
