//! Whether the rows of a graph whose threads may have gaps are what its events and links make them.
//!
//! Rows are made when an event comes last in its thread, and what comes later does not change them. An event that
//! fills a gap would change those of the events after it. The rows are then out of date until all are made
//! anew.
//!
//! I1: rows that are up to date belong to a graph without gaps.

use crate::graph::store::Graph;
use crate::ids::EventId;

/// What is known about the rows of a graph.
#[derive(Clone, Copy, Debug)]
pub(in crate::graph) struct Freshness {
    is_lost: bool,
    /// How many events came before the newest one when all rows were made anew: they must not have changed since.
    base: usize,
    /// The oldest event that filled a gap since then.
    filler: EventId,
}

impl Freshness {
    /// All rows are up to date.
    pub(in crate::graph) const FRESH: Freshness =
        Freshness { is_lost: false, base: 0, filler: EventId::NONE };

    /// An event has filled a gap.
    pub(in crate::graph) fn fill(&mut self, id: EventId) {
        if self.filler.is_none() {
            self.filler = id;
        }
    }

    /// An event that filled a gap has been removed.
    pub(in crate::graph) fn reopen(&mut self, id: EventId) {
        if self.filler == id {
            self.filler = EventId::NONE;
        }
    }
}

impl Graph {
    /// Whether all rows are up to date.
    #[inline]
    pub fn has_fresh_rows(&self) -> bool {
        !self.freshness.is_lost && self.freshness.filler.is_none()
    }

    /// All rows have been made anew, before the choice of the newest event.
    pub fn note_fresh_rows(&mut self) {
        self.freshness = Freshness { is_lost: false, base: self.len() - 1, filler: EventId::NONE };
    }

    /// The rows are not up to date.
    pub fn note_lost_rows(&mut self) {
        self.freshness.is_lost = true;
    }

    /// The choice of an event is taken back. If rows were made anew since, what they were before is lost.
    pub fn note_change_of(&mut self, id: EventId) {
        if id.at() < self.freshness.base {
            self.freshness.is_lost = true;
        }
    }

    /// Whether an event is the last of its thread.
    #[inline]
    pub fn is_last(&self, id: EventId) -> bool {
        self.tail(self.event(id).thread) == id
    }

    /// Whether a thread has events after a gap.
    pub fn has_gaps(&self) -> bool {
        self.threads.iter().any(|thread| thread.tail.is_some())
    }
}
