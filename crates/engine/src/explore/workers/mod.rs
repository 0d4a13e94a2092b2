//! Several workers for one exploration.

pub(in crate::explore) mod pool;
pub(in crate::explore) mod team;
pub(in crate::explore) mod work;
#[cfg(test)]
pub(in crate::explore) mod workers_tests;
