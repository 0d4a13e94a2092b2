//! A choice of the exploration and what is left of it.

use crate::graph::{Mark, Pending};
use crate::ids::EventId;

/// What a frame chooses.
#[derive(Clone, Copy, Debug)]
pub(in crate::explore) enum Choice {
    /// Which write a read sees.
    Source,
    /// Where a write stands, then which reads it revisits.
    Place,
    /// Where the write of a revisit stands in the restricted graph.
    Revisit { read: EventId },
    /// Which of several values a thread gets.
    Value,
    /// What an atomic section reads next that has read so many pieces before.
    Section { count: u32 },
}

/// A choice point: what the graph was, and the options not yet taken.
#[derive(Clone, Copy, Debug)]
pub(in crate::explore) struct Frame {
    pub choice: Choice,
    /// The graph it belongs to.
    pub level: usize,
    /// The event that is linked in one way or another: the graph's newest one at that time.
    pub event: EventId,
    /// The arena's length, with everything that the options need.
    pub arena: usize,
    /// How far the changes to rows had come.
    pub mark: Mark,
    /// `Place`: what the thread asks after the write.
    pub after: Pending,
    /// Its options: `first..end`, of which those from `next` on are left and those from `revisits` on
    /// are reads to revisit.
    pub first: usize,
    pub next: usize,
    pub revisits: usize,
    pub end: usize,
    /// The share of the whole exploration that each option has (`Choices::push` sets it).
    pub share: u64,
}
