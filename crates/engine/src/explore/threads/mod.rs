//! Threads: their numbers, what main does before and after the others.

pub(in crate::explore) mod bulk;
pub(in crate::explore) mod epilogue;
pub(in crate::explore) mod numbers;
pub(in crate::explore) mod prologue;
