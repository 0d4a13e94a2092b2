//! The explorer's questions: what a read may see, where a write may stand, which coherence there is.

pub(in crate::consistency) mod audit;
pub(in crate::consistency) mod cells;
pub(in crate::consistency) mod forced;
pub(in crate::consistency) mod gap_witness;
mod general;
pub(in crate::consistency) mod kept;
pub(in crate::consistency) mod one_cell;
pub(in crate::consistency) mod pieces;
pub(in crate::consistency) mod places;
mod sections;
pub(in crate::consistency) mod sources;
pub(in crate::consistency) mod witness;
