//! Choices: adding events, their options, revisits, and going back.

pub(in crate::explore) mod backtrack;
pub(in crate::explore) mod cells;
pub(in crate::explore) mod extend;
pub(in crate::explore) mod foreseen;
pub(in crate::explore) mod frames;
pub(in crate::explore) mod graphs;
pub(in crate::explore) mod locate;
pub(in crate::explore) mod locations;
pub(in crate::explore) mod read;
pub(in crate::explore) mod revisit;
pub(in crate::explore) mod schedule;
pub(in crate::explore) mod stack;
pub(in crate::explore) mod values;
pub(in crate::explore) mod write;
