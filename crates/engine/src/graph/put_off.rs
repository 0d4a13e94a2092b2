//! Reads that were put off: a revisit would have made their threads wait, so they are not in the graph.
//!
//! In the papers' terms such a read is there and sees the write that revisited it. It is left out because it changes
//! nothing until it sees a later write; what it does to the exploration is kept here.
//! I1: ids in the list are below every event that was added since, so a restriction keeps them or drops them whole.

use super::event::Event;
use super::store::Graph;
use crate::ids::{EventId, ThreadId};

/// A read that was put off.
#[derive(Clone, Copy, Debug)]
pub struct PutOff {
    /// The thread of the read, and its position there.
    place: (ThreadId, u32),
    /// The write that it would have seen: it sees this, or one with this in its causal past.
    by: EventId,
}

impl Graph {
    /// A write puts off a read that was just removed.
    pub fn put_off(&mut self, read: &Event, by: EventId) {
        self.put_off.push(PutOff { place: (read.thread, read.index), by });
    }

    /// Whether reads were put off.
    #[inline(always)]
    pub fn has_put_off(&self) -> bool {
        !self.put_off.is_empty()
    }

    /// Whether the event at a position of a thread may see a write, as far as it was put off.
    pub fn may_see(&self, thread: ThreadId, index: u32, write: EventId) -> bool {
        let mut of_event = self.put_off.iter().filter(|item| item.place == (thread, index));
        of_event.all(|item| write.is_some() && self.causes(item.by, write))
    }

    /// Whether a write has put off a read, which would have seen it: no revisit removes such a write.
    pub fn puts_off(&self, write: EventId) -> bool {
        self.put_off.iter().any(|item| item.by == write)
    }

    /// Takes over from the graph that a revisit of `read` leaves what was put off before the read was added.
    #[inline(always)]
    pub(super) fn restrict_put_off(&mut self, parent: &Graph, read: EventId) {
        self.put_off.clear();
        self.put_off.extend(parent.put_off.iter().filter(|item| item.by < read));
    }
}
