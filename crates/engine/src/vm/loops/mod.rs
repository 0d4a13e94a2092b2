//! Loops, as far as they are more than jumps: their bounds, and what a thread remembers of their rounds.

pub(super) mod counters;
pub(super) mod pauses;
pub(super) mod rounds;
pub(super) mod unroll;
