//! Threads: their numbers and states, what main does before and after the others.

mod asked;
pub(in crate::explore) mod epilogue;
pub(in crate::explore) mod numbers;
pub(in crate::explore) mod prologue;
pub(in crate::explore) mod states;
