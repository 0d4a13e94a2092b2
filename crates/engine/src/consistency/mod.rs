//! Runs a Plan: keeps each of its orders closed as the graph grows, and answers which choices keep
//! every order acyclic.
//!
//! Implements SC-style acyclicity (thesis Def. 2.3.2, with `fr` for `rb`) for any union of base relations
//! that contains `po`, and RMW atomicity. The orders are the graph's [`Views`](crate::graph::Views);
//! order 0 is always the causal order `po ∪ rf`.
//!
//! Departs 1: atomicity is the usual one (no write between what an RMW read and what it wrote), which
//! implies thesis Def. 2.3.1 and also excludes plain writes in between (test `intruder`).
//! I1: an event is added at the end of its thread, so it has no successor but through `co` and `fr`:
//! a choice closes a cycle exactly if a later write of its location already precedes the event.
//! I2: `co`-maximal choices are always consistent (maximal extensibility); they are not checked.

mod plan;
mod relate;
#[cfg(test)]
mod verify;

pub use plan::{Order, Plan, PlanError};
