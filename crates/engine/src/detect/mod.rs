//! What is wrong with a program: memory that may not be accessed, misused mutexes, and the like.
//!
//! A [`Finding`] is a value: the exploration stops with it, and its graph is a consistent execution
//! that shows it. Order matters only between an access and the end of its object's life: if the plan's
//! happens-before does not say that the access comes first, it is a finding.
//!
//! It does not look for races on plain accesses; a plan says when those are errors, and none does yet.

mod finding;
pub mod mutex;
mod objects;

pub use finding::Finding;
pub use objects::{
    accessible, check_accesses_before, check_free, check_new_access, object_size, uninitialized,
};
