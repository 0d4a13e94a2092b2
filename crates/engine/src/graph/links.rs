//! Reads-from and coherence as linked lists through the events.

use super::store::Graph;
use crate::ids::{EventId, LocId, ThreadId};

impl Graph {
    /// Makes a read read from a write (`NONE`: the initial one).
    /// Reads of a location must be linked in insertion order, except for the one read of a revisit.
    #[inline]
    pub fn link_read(&mut self, read: EventId, write: EventId) {
        let loc = self.events[read.at()].loc.at();
        let head = if write.is_some() { self.events[write.at()].readers } else { self.locs[loc].readers };
        let previous = self.locs[loc].last_read;
        let foreign = self.foreign(self.events[read.at()].thread, previous);
        let event = &mut self.events[read.at()];
        event.rf = write;
        event.next_reader = head;
        event.previous = previous;
        event.foreign = foreign;
        self.locs[loc].last_read = read;
        if write.is_some() {
            self.events[write.at()].readers = read;
        } else {
            self.locs[loc].readers = read;
        }
    }

    /// The newest read of another thread, from a read of the same location on.
    #[inline(always)]
    pub(super) fn foreign(&self, thread: ThreadId, read: EventId) -> EventId {
        if read.is_some() && self.events[read.at()].thread == thread {
            self.events[read.at()].foreign
        } else {
            read
        }
    }

    /// Takes back the newest `link_read`, which was of this read.
    #[inline]
    pub fn unlink_read(&mut self, read: EventId) {
        let event = self.events[read.at()];
        let loc = &mut self.locs[event.loc.at()];
        if loc.last_read != read {
            return; // It was never linked.
        }
        loc.last_read = event.previous;
        if event.rf.is_some() {
            self.events[event.rf.at()].readers = event.next_reader;
        } else {
            loc.readers = event.next_reader;
        }
    }

    /// Puts a write directly after another in coherence order (`NONE`: the initial one).
    #[inline]
    pub fn link_write(&mut self, write: EventId, after: EventId) {
        let next = self.co_next(self.events[write.at()].loc, after);
        self.events[write.at()].co_prev = after;
        self.events[write.at()].co_next = next;
        self.set_co_next(write, after, write);
        self.set_co_prev(write, next, write);
    }

    /// Takes a write out of coherence order, if it is in it.
    #[inline]
    pub fn unlink_write(&mut self, write: EventId) {
        let event = self.events[write.at()];
        let holder = self.co_next(event.loc, event.co_prev);
        if holder != write {
            return; // It was never placed.
        }
        self.set_co_next(write, event.co_prev, event.co_next);
        self.set_co_prev(write, event.co_next, event.co_prev);
    }

    /// Replaces the coherence order of a location by another with all its writes, oldest first.
    pub fn relink_coherence(&mut self, loc: LocId, writes: &[EventId]) {
        self.locs[loc.at()].first = writes.first().copied().unwrap_or(EventId::NONE);
        self.locs[loc.at()].last = writes.last().copied().unwrap_or(EventId::NONE);
        for (position, write) in writes.iter().enumerate() {
            let event = &mut self.events[write.at()];
            event.co_prev = if position == 0 { EventId::NONE } else { writes[position - 1] };
            event.co_next = writes.get(position + 1).copied().unwrap_or(EventId::NONE);
        }
    }

    /// The locations that have writes.
    pub fn written_locs(&self) -> impl Iterator<Item = LocId> + '_ {
        let written = |loc: &usize| self.locs[*loc].first.is_some();
        (0..self.locs.len()).filter(written).map(LocId::from_usize)
    }

    #[inline(always)]
    fn set_co_next(&mut self, same_loc: EventId, write: EventId, next: EventId) {
        if write.is_some() {
            self.events[write.at()].co_next = next;
        } else {
            let loc = self.events[same_loc.at()].loc;
            self.locs[loc.at()].first = next;
        }
    }

    #[inline(always)]
    fn set_co_prev(&mut self, same_loc: EventId, write: EventId, prev: EventId) {
        if write.is_some() {
            self.events[write.at()].co_prev = prev;
        } else {
            let loc = self.events[same_loc.at()].loc;
            self.locs[loc.at()].last = prev;
        }
    }

    /// The write after this one in coherence order, `NONE` if it is the last.
    #[inline(always)]
    pub fn co_next(&self, loc: LocId, write: EventId) -> EventId {
        if write.is_some() {
            self.events[write.at()].co_next
        } else {
            self.locs[loc.at()].first
        }
    }

    /// The newest reader of a write; follow `next_reader` for the others.
    #[inline(always)]
    pub fn first_reader(&self, loc: LocId, write: EventId) -> EventId {
        if write.is_some() {
            self.events[write.at()].readers
        } else {
            self.locs[loc.at()].readers
        }
    }

    /// The writes of a location from `write`'s successor on, oldest first.
    pub fn co_after(&self, loc: LocId, write: EventId) -> impl Iterator<Item = EventId> + '_ {
        let mut next = self.co_next(loc, write);
        std::iter::from_fn(move || {
            let current = next;
            if current.is_none() {
                return None;
            }
            next = self.events[current.at()].co_next;
            Some(current)
        })
    }

    /// The reads that read from a write (not the initial one).
    pub fn readers_of(&self, write: EventId) -> impl Iterator<Item = EventId> + '_ {
        let mut next = self.events[write.at()].readers;
        std::iter::from_fn(move || {
            let current = next;
            if current.is_none() {
                return None;
            }
            next = self.events[current.at()].next_reader;
            Some(current)
        })
    }
}
