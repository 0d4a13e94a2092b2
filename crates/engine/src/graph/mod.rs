//! Execution graphs: events, which write each read reads from, the order of the writes, and what precedes what.
//!
//! Implements the coherence-tracking graphs of thesis §2.2 and the restriction of TruSt Algorithm 1,
//! line 18. The room knows no memory model: it stores `po`, `rf`, `co` and, for each order that a plan
//! asks for, the predecessors of every event, as a vector clock ([`Views`]) or as a bit row ([`BitRows`]).
//!
//! I1: an [`EventId`](crate::ids::EventId) is the event's position in insertion order (≤_G), dense from 0.
//! I2: events are removed in the reverse of the order in which they were added, so `pop` can undo all links.
//! I3: a revisit copies the kept events into another graph in the same order; nothing else removes events.
//! I4: a thread's events need not be a prefix of its execution: a revisit may keep an event and remove one before
//! it, which leaves a gap that is filled later (`gaps`). Without gaps, `po` is part of insertion order.
//!
//! It does not run threads, choose anything, or check consistency.

mod cell;
mod cells;
mod classes;
mod column;
mod dependencies;
mod eco;
mod event;
mod gaps;
mod links;
mod meetings;
mod payload;
mod put_off;
mod restrict;
mod rows;
mod sections;
mod store;
mod threads;

pub use cell::Cell;
pub use cells::Cells;
pub use classes::{read_class, EventClass, INITIAL};
pub use dependencies::{Dependencies, Dependency, Depends};
pub use event::{Event, CHECKED, COMPOUND, CONDITIONAL, EXCLUSIVE, SECTION, WAITS};
pub use payload::{Access, AccessKind, Alloc, Arrival, Chosen, Free, Label, Payload, Round};
pub use restrict::{Causes, CAUSAL};
pub use rows::{BitRows, EventSet, Shape, Views, LANE_STEP, PO};
pub use sections::Demand;
pub use store::{Graph, LateRead, LocState, Mark};
pub use threads::{Pending, ThreadState, ThreadStatus};
