//! What is kept for every event as the graph grows: clocks and bit rows.

pub(in crate::consistency) mod enter;
pub(in crate::consistency) mod orders;
pub(in crate::consistency) mod po;
pub(in crate::consistency) mod rebuild;
pub(in crate::consistency) mod reorder;
#[cfg(test)]
pub(in crate::consistency) mod verify;
pub(in crate::consistency) mod view_steps;
