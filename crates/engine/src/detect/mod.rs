//! What is wrong with a program: invalid accesses to memory, and the like. (The Program says what misuse of a
//! synchronisation object is.)
//!
//! A [`Finding`] is a value: the exploration stops with it, and its graph is a consistent execution
//! that shows it. Order matters only between an access and the start or end of its object's lifetime: an
//! access that the plan's happens-before does not put in between is a finding.
//!
//! It does not look for races: those are error rules of the plan.

mod finding;
mod kinds;
mod objects;

pub(crate) use finding::{count, DOES_NOT_END};
pub use finding::{Awaited, Finding, Seen, Wait};
pub use kinds::{Refusal, Violation};
pub use objects::{
    accessible, check_access_begun, check_accesses_before, check_begun, check_free, check_new_access,
    living_local, object_size, step_shared, uninitialized, unwritten,
};
