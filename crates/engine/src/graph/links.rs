//! Reads-from and coherence as linked lists through the events: the one interface to the links between events.

use super::payload::{Alloc, Payload};
use super::store::Graph;
use crate::ids::{EventId, LocId, ThreadId};

/// Following links.
impl Graph {
    /// The write that a read reads from, `NONE` for the initial one.
    #[inline(always)]
    pub fn rf(&self, read: EventId) -> EventId {
        self.events[read.at()].read().rf
    }

    /// All writes that an event reads from, `NONE` for the initial one; none unless it is a read.
    #[inline]
    pub fn sources(&self, event: EventId) -> &[EventId] {
        if self.cells.is_used() {
            return if self.event(event).is_read() { self.cells.sources(event) } else { &[] };
        }
        let Payload::Read(read) = &self.events[event.at()].payload else { return &[] };
        std::slice::from_ref(&read.rf)
    }

    /// The next older write of a write's location, `NONE` for the initial one.
    #[inline(always)]
    pub fn co_prev(&self, write: EventId) -> EventId {
        self.events[write.at()].write().co_prev
    }

    /// The write after one in coherence order, `NONE` if it is the last.
    #[inline(always)]
    pub fn co_next(&self, write: EventId) -> EventId {
        self.events[write.at()].write().co_next
    }

    /// As `co_next`, but also for the initial write of a location (`NONE`).
    #[inline(always)]
    pub fn overwriter(&self, loc: LocId, write: EventId) -> EventId {
        if write.is_some() {
            self.co_next(write)
        } else {
            self.locs[loc.at()].first
        }
    }

    /// Whether `next` is the write of an RMW that read from `after`, so that nothing may stand between them.
    #[inline]
    pub fn splits_rmw(&self, after: EventId, next: EventId) -> bool {
        if next.is_none() || !self.event(next).is_exclusive() {
            return false;
        }
        self.rf(self.event(next).po_prev) == after
    }

    /// The newest reader of a write (`NONE`: the initial one); follow `next_reader` for the others.
    #[inline(always)]
    pub fn first_reader(&self, loc: LocId, write: EventId) -> EventId {
        if write.is_some() {
            self.events[write.at()].write().readers
        } else {
            self.locs[loc.at()].readers
        }
    }

    /// The next older reader of the write that a read reads from.
    #[inline(always)]
    pub fn next_reader(&self, read: EventId) -> EventId {
        self.events[read.at()].read().next_reader
    }

    /// The read of the same location added before a read.
    #[inline(always)]
    pub fn earlier_read(&self, read: EventId) -> EventId {
        self.events[read.at()].read().previous
    }

    /// The newest read of the same location added before a read by another thread. Not kept where there are gaps.
    #[inline(always)]
    pub fn earlier_foreign_read(&self, read: EventId) -> EventId {
        self.events[read.at()].read().foreign
    }

    /// What an `Alloc` began.
    pub fn alloc(&self, id: EventId) -> &Alloc {
        let event = &self.events[id.at()];
        let Payload::Alloc(alloc) = &event.payload else { event.is_no("allocation") };
        alloc
    }

    /// The event that ended the life of an `Alloc`'s object.
    pub fn freed_by(&self, alloc: EventId) -> EventId {
        self.alloc(alloc).freed_by
    }

    /// The `Alloc` before one in its thread.
    pub fn earlier_alloc(&self, alloc: EventId) -> EventId {
        self.alloc(alloc).previous
    }

    /// The writes of a location from `write`'s successor on, oldest first.
    pub fn co_after(&self, loc: LocId, write: EventId) -> impl Iterator<Item = EventId> + '_ {
        let mut next = self.overwriter(loc, write);
        std::iter::from_fn(move || {
            let current = next;
            if current.is_none() {
                return None;
            }
            next = self.co_next(current);
            Some(current)
        })
    }

    /// The reads that read from a write (not the initial one).
    pub fn readers_of(&self, write: EventId) -> impl Iterator<Item = EventId> + '_ {
        let mut next = self.events[write.at()].write().readers;
        std::iter::from_fn(move || {
            let current = next;
            if current.is_none() {
                return None;
            }
            next = self.next_reader(current);
            Some(current)
        })
    }

    /// The locations that have writes.
    pub fn written_locs(&self) -> impl Iterator<Item = LocId> + '_ {
        let written = |loc: &usize| self.locs[*loc].first.is_some();
        (0..self.locs.len()).filter(written).map(LocId::from_usize)
    }
}

/// Making and removing links.
impl Graph {
    /// Makes a read read from a write (`NONE`: the initial one).
    /// Reads of a location must be linked in insertion order, except for the one read of a revisit.
    #[inline]
    pub fn link_read(&mut self, read: EventId, write: EventId) {
        let event = &self.events[read.at()];
        let (loc, thread) = (event.loc(), event.thread);
        let head = self.first_reader(loc, write);
        let previous = self.locs[loc.at()].last_read;
        let foreign = self.foreign(thread, previous);
        let links = self.events[read.at()].read_mut();
        links.rf = write;
        links.next_reader = head;
        links.previous = previous;
        links.foreign = foreign;
        self.locs[loc.at()].last_read = read;
        self.set_first_reader(loc, write, read);
    }

    /// The newest read of another thread, searching backwards from a read of the same location.
    #[inline(always)]
    pub(super) fn foreign(&self, thread: ThreadId, read: EventId) -> EventId {
        if read.is_some() && self.events[read.at()].thread == thread {
            self.events[read.at()].read().foreign
        } else {
            read
        }
    }

    /// Undoes the newest `link_read`, which was for this read.
    #[inline(always)]
    pub fn unlink_read(&mut self, read: EventId) {
        let links = self.events[read.at()].read();
        let (loc, rf, next, previous) = (links.access.loc, links.rf, links.next_reader, links.previous);
        if self.locs[loc.at()].last_read != read {
            return; // It was never linked.
        }
        self.locs[loc.at()].last_read = previous;
        self.set_first_reader(loc, rf, next);
    }

    /// Puts a write directly after another in coherence order (`NONE`: the initial one).
    #[inline]
    pub fn link_write(&mut self, write: EventId, after: EventId) {
        let loc = self.events[write.at()].loc();
        let next = self.overwriter(loc, after);
        let links = self.events[write.at()].write_mut();
        links.co_prev = after;
        links.co_next = next;
        self.set_co_next(loc, after, write);
        self.set_co_prev(loc, next, write);
    }

    /// Takes a write out of coherence order, if it is in it.
    #[inline(always)]
    pub fn unlink_write(&mut self, write: EventId) {
        let links = self.events[write.at()].write();
        let (loc, older, newer) = (links.access.loc, links.co_prev, links.co_next);
        if self.overwriter(loc, older) != write {
            return; // It was never placed.
        }
        self.set_co_next(loc, older, newer);
        self.set_co_prev(loc, newer, older);
    }

    /// Replaces the coherence order of a location by another order of all its writes, oldest first.
    pub fn relink_coherence(&mut self, loc: LocId, writes: &[EventId]) {
        self.locs[loc.at()].first = writes.first().copied().unwrap_or(EventId::NONE);
        self.locs[loc.at()].last = writes.last().copied().unwrap_or(EventId::NONE);
        for (position, write) in writes.iter().enumerate() {
            let links = self.events[write.at()].write_mut();
            links.co_prev = if position == 0 { EventId::NONE } else { writes[position - 1] };
            links.co_next = writes.get(position + 1).copied().unwrap_or(EventId::NONE);
        }
    }

    #[inline(always)]
    pub(super) fn set_first_reader(&mut self, loc: LocId, write: EventId, reader: EventId) {
        if write.is_some() {
            self.events[write.at()].write_mut().readers = reader;
        } else {
            self.locs[loc.at()].readers = reader;
        }
    }

    #[inline(always)]
    fn set_co_next(&mut self, loc: LocId, write: EventId, next: EventId) {
        if write.is_some() {
            self.events[write.at()].write_mut().co_next = next;
        } else {
            self.locs[loc.at()].first = next;
        }
    }

    #[inline(always)]
    fn set_co_prev(&mut self, loc: LocId, write: EventId, prev: EventId) {
        if write.is_some() {
            self.events[write.at()].write_mut().co_prev = prev;
        } else {
            self.locs[loc.at()].last = prev;
        }
    }

    /// Sets the event that ends an object's life; `NONE` removes it. Objects of the prologue have no `Alloc`.
    #[inline]
    pub(super) fn set_freed_by(&mut self, alloc: EventId, free: EventId) {
        if alloc.is_none() {
            return;
        }
        let event = &mut self.events[alloc.at()];
        let Payload::Alloc(ref mut alloc) = event.payload else { event.is_no("allocation") };
        alloc.freed_by = free;
    }
}
