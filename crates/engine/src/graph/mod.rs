//! Execution graphs: events, who reads from whom, who overwrites whom, and what precedes what.
//!
//! Implements the coherence-tracking graphs of thesis §2.2 and the restriction of TruSt Algorithm 1,
//! line 18. The room knows no memory model: it stores `po`, `rf`, `co` and, for each order that a plan
//! asks for, the predecessors of every event as a vector clock ([`Views`]).
//!
//! I1: an [`EventId`](crate::ids::EventId) is the event's position in insertion order (≤_G), dense from 0.
//! I2: events leave in the reverse of the order in which they came, so all links are undone by `pop`.
//! I3: a revisit copies the kept events into another graph in the same order; nothing else removes events.
//!
//! It does not run threads, choose anything, or check consistency.

mod event;
mod links;
mod restrict;
mod store;
mod views;

pub use event::{Event, Label, COMPOUND, EXCLUSIVE, LOCK, MUTEX, STACK, ZEROED};
pub use restrict::CAUSAL;
pub use store::{Class, Graph, LocState, Pending, ThreadState};
pub use views::{Views, LANE_STEP};
