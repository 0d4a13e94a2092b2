//! The threads of a graph: how far each has come, and what it could do next.

use super::event::{Event, EXCLUSIVE, SECTION};
use super::payload::Payload;
use super::store::Graph;
use crate::ids::{EventId, ThreadId};
use crate::vm::Snapshot;

/// What a thread could do next. The variants up to `Meet` can be scheduled, the most urgent first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ThreadStatus {
    /// Did something wrong: a finding.
    Fault,
    /// Requested something other than the event that is already present.
    Astray,
    /// The write half of a read-modify-write whose read half is the newest event, or the rest of an atomic section.
    Exclusive,
    /// A request that depends on no other thread: a write, a fence, a creation, an arrival at a meeting…
    Ready,
    /// A read (plain, or the first half of a read-modify-write).
    Read,
    /// Waits for the thread in `Pending::other`.
    Join,
    /// Has come to a meeting, which is its newest event, and waits for the other threads.
    Meet,
    /// Returned.
    Done,
    /// Not created in this graph.
    Absent,
    /// Ended the whole program.
    Exited,
    /// Failed an assumption.
    Blocked,
    /// Has made a round of a loop that changed nothing.
    Spinning,
    /// Read a synchronisation object's word, and waits until it changes.
    Waiting,
    /// Reached a loop bound.
    Cut,
}

/// A thread's next request: its state in the arena, and enough to schedule it.
#[derive(Clone, Copy, Debug)]
pub struct Pending {
    /// The thread's state at the request.
    pub snapshot: Snapshot,
    /// The kind of request.
    pub status: ThreadStatus,
    /// `ThreadStatus::Join`: the thread waited for.
    pub other: ThreadId,
}

impl Pending {
    /// The value for a thread that does not exist.
    pub const ABSENT: Pending =
        Pending { snapshot: Snapshot::EMPTY, status: ThreadStatus::Absent, other: ThreadId(0) };
}

/// A thread of the graph.
#[derive(Clone, Copy, Debug)]
pub struct ThreadState {
    /// The event before the one that it requests next.
    pub last: EventId,
    /// The position of the event that it requests next; all events before it are present.
    pub count: u32,
    /// Its last event, if there are events after a gap.
    pub tail: EventId,
    /// The event that created it.
    pub creator: EventId,
    /// Its newest `Alloc`.
    pub last_alloc: EventId,
    /// The event that joined it.
    pub joined_by: EventId,
    /// What it does next.
    pub pending: Pending,
}

impl ThreadState {
    /// A thread that does not exist.
    pub const ABSENT: ThreadState = ThreadState {
        last: EventId::NONE,
        count: 0,
        tail: EventId::NONE,
        creator: EventId::NONE,
        last_alloc: EventId::NONE,
        joined_by: EventId::NONE,
        pending: Pending::ABSENT,
    };
}

/// What the thread was about to do when it requested this event.
#[inline]
pub(super) fn pending_of(event: &Event) -> Pending {
    let (status, other) = match event.payload {
        Payload::Read(_) => (ThreadStatus::Read, ThreadId(0)),
        Payload::Write(_) if event.flags & (EXCLUSIVE | SECTION) != 0 => {
            (ThreadStatus::Exclusive, ThreadId(0))
        }
        Payload::Join(other) => (ThreadStatus::Join, other),
        Payload::Depart(_) => (ThreadStatus::Meet, ThreadId(0)),
        Payload::Write(_) | Payload::Fence(_) | Payload::Alloc(_) | Payload::Free(_) => {
            (ThreadStatus::Ready, ThreadId(0))
        }
        Payload::Create(_) | Payload::Arrive(_) | Payload::Choose(_) => (ThreadStatus::Ready, ThreadId(0)),
    };
    Pending { snapshot: event.snapshot, status, other }
}

/// Turns: the order of threads from left to right, where an event that has waited for other threads comes after them
/// (Mixer §3.2).
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
