//! What ends an exploration early: time, memory, loops without an end, refusals.

pub(in crate::explore) mod endless;
pub(in crate::explore) mod pauses;
pub(in crate::explore) mod room;
pub(in crate::explore) mod second_look;
pub(in crate::explore) mod watch;
