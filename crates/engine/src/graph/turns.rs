//! Turns: the order of threads from left to right, where an event that has waited for other threads comes after them
//! (Mixer §3.2).

use super::store::Graph;
use super::threads::ThreadStatus;
use crate::ids::{EventId, ThreadId};

impl Graph {
    /// When it is an event's turn: the last thread among its own and those that were over before it.
    pub fn turn(&self, event: EventId) -> (ThreadId, ThreadId) {
        let thread = self.event(event).thread;
        (self.last_waited_for(event).max(thread), thread)
    }

    /// The turn of a thread's next event.
    pub fn next_turn(&self, thread: ThreadId) -> (ThreadId, ThreadId) {
        let state = self.thread(thread);
        let waited = match state.pending.status {
            ThreadStatus::Join => self.last_thread_of(state.pending.other),
            _ => ThreadId(0),
        };
        (self.last_waited_for(self.frontier(thread)).max(waited).max(thread), thread)
    }

    /// The last of the threads that an event, or one before it in `po`, has waited for.
    fn last_waited_for(&self, mut event: EventId) -> ThreadId {
        let mut last = ThreadId(0);
        while event.is_some() {
            let at = self.event(event);
            if let Some(other) = at.joined() {
                last = last.max(self.last_thread_of(other));
            }
            if let Some(round) = at.departed() {
                let met = self.arrivals_of(round).map(|arrival| self.event(arrival).thread);
                last = met.fold(last, ThreadId::max);
            }
            event = if at.po_prev.is_some() { at.po_prev } else { self.thread(at.thread).creator };
        }
        last
    }

    /// The last thread among one that is over and those that it has waited for.
    fn last_thread_of(&self, thread: ThreadId) -> ThreadId {
        self.last_waited_for(self.frontier(thread)).max(thread)
    }
}
