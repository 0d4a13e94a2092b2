//! What is wrong with a program: memory that may not be accessed, and the like. What misuse of a synchronisation object
//! is, the Program says.
//!
//! A [`Finding`] is a value: the exploration stops with it, and its graph is a consistent execution
//! that shows it. Order matters only between an access and the start or end of its object's life: if the plan's
//! happens-before does not say that the access comes in between, it is a finding.
//!
//! It does not look for races: those are error rules of the plan.

mod finding;
mod kinds;
mod objects;

pub(crate) use finding::count;
pub use finding::Finding;
pub use kinds::{Refusal, Violation};
pub use objects::{
    accessible, check_access_begun, check_accesses_before, check_begun, check_free, check_new_access,
    living_local, object_size, step_shared, uninitialized,
};
