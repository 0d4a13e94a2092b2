//! The graph that a backward revisit leaves: TruSt Algorithm 1, line 18, `SetRF(G|kept, r, w)`.
//!
//! Kept are the events added before the read, the read, and the causal past of the write with the write.
//!
//! Departs 1: rows are copied, not recomputed. The caller has checked that every removed event was added
//! maximally, so no edge of `po`, `rf`, `co` or `fr` leads from a removed event (or from the read) to a kept
//! one, and no row of a kept event holds a removed event. The tests recompute the rows at every step.
//! Departs 2: the write stays out of coherence order; the caller tries its places (VISITCOs).

use super::event::{Event, Label};
use super::store::{pending_of, Class, Graph, ThreadState};
use crate::ids::{EventId, ThreadId};

/// The order in which the causal past is kept (`po` and `rf`): the first row of every event.
pub const CAUSAL: usize = 0;

impl Graph {
    /// Fills `child` with the restriction of `self` for `write` (its newest event, not in coherence order)
    /// revisiting `read`; `map` is scratch space. Returns the read and the write in the child.
    /// The causal order must hold `po`, so that what is kept of a thread is a prefix (else see `part_into`).
    pub fn restrict_into(
        &self,
        read: EventId,
        write: EventId,
        child: &mut Graph,
        map: &mut Vec<EventId>,
    ) -> (EventId, EventId) {
        child.reset_from(self);
        map.clear();
        for (position, event) in self.events.iter().enumerate() {
            let id = EventId::from_usize(position);
            let kept = position <= read.at() || self.precedes(CAUSAL, id, write);
            let new = if kept { child.adopt(self, event, position, map) } else { child.cut(event) };
            map.push(new);
            if kept && event.label == Label::Read {
                child.adopt_read(new, if id == read { None } else { Some(event.rf) }, map);
            }
        }
        child.adopt_bits(self, read.at() + 1, map);
        child.adopt_coherence(self, map);
        child.adopt_frees(self, map);
        let (new_read, new_write) = (map[read.at()], map[write.at()]);
        child.events[new_read.at()].rf = new_write;
        child.events[new_write.at()].readers = new_read;
        child.adopt_late_readers(self, read, map);
        (new_read, new_write)
    }

    pub(super) fn reset_from(&mut self, parent: &Graph) {
        self.clear_like(parent);
        self.threads.clear();
        self.threads.extend(parent.threads.iter().map(|thread| ThreadState {
            last: EventId::NONE,
            count: 0,
            tail: EventId::NONE,
            creator: EventId::NONE,
            last_alloc: EventId::NONE,
            pending: thread.pending,
        }));
    }

    /// Copies a kept event to the end; links to other events are rebuilt by the caller.
    pub(super) fn adopt(
        &mut self,
        parent: &Graph,
        event: &Event,
        position: usize,
        map: &[EventId],
    ) -> EventId {
        let id = EventId::from_usize(self.events.len());
        let mut copy = *event;
        copy.po_prev = match event.po_prev {
            EventId::NONE => EventId::NONE,
            previous => map.get(previous.at()).copied().unwrap_or(EventId::NONE),
        };
        copy.readers = EventId::NONE;
        copy.co_prev = EventId::NONE;
        copy.co_next = EventId::NONE;
        let thread = &mut self.threads[event.thread.at()];
        thread.last = id;
        thread.count += 1;
        match event.label {
            Label::Alloc => {
                copy.previous = thread.last_alloc;
                thread.last_alloc = id;
            }
            Label::Create => self.threads[event.value as usize].creator = id,
            Label::Free => self.frees += 1,
            _ => {}
        }
        self.views.push_copy(&parent.views, position);
        self.events.push(copy);
        id
    }

    /// Copies the bit rows of what is kept; the first `same` events are, under their ids.
    pub(super) fn adopt_bits(&mut self, parent: &Graph, same: usize, map: &[EventId]) {
        if self.bits.is_unused() {
            return;
        }
        for (position, event) in parent.events.iter().enumerate().filter(|(old, _)| map[*old].is_some()) {
            self.bits.push_copy(&parent.bits, position, event.class, same, map);
        }
    }

    /// The first removed event of a thread is what the thread asks for next; a removed creation removes
    /// its thread.
    fn cut(&mut self, event: &Event) -> EventId {
        let thread = &mut self.threads[event.thread.at()];
        if thread.count == event.index && thread.pending.class != Class::Absent {
            thread.pending = pending_of(event);
        }
        if event.label == Label::Create {
            self.threads[ThreadId(event.value as u32).at()] = ThreadState::ABSENT;
        }
        EventId::NONE
    }

    /// Links a kept read into its location and its write's readers. `source` is the parent's `rf`;
    /// none for the revisited read, whose write comes later.
    fn adopt_read(&mut self, read: EventId, source: Option<EventId>, map: &[EventId]) {
        let loc = self.events[read.at()].loc.at();
        self.events[read.at()].previous = self.locs[loc].last_read;
        self.events[read.at()].next_reader = EventId::NONE;
        self.locs[loc].last_read = read;
        let Some(source) = source else { return };
        if source.is_none() {
            self.events[read.at()].next_reader = self.locs[loc].readers;
            self.locs[loc].readers = read;
        } else if source.at() < map.len() {
            let write = map[source.at()];
            debug_assert!(write.is_some(), "a kept read reads from a kept write");
            self.events[read.at()].rf = write;
            self.events[read.at()].next_reader = self.events[write.at()].readers;
            self.events[write.at()].readers = read;
        }
    }

    /// Reads that were revisited earlier read from a later event, which `adopt_read` could not map yet.
    fn adopt_late_readers(&mut self, parent: &Graph, revisited: EventId, map: &[EventId]) {
        for (position, event) in parent.events.iter().enumerate() {
            let new = map[position];
            let late = event.label == Label::Read && event.rf.is_some() && event.rf.at() > position;
            if new.is_none() || !late || position == revisited.at() {
                continue;
            }
            let write = map[event.rf.at()];
            debug_assert!(write.is_some(), "a kept read reads from a kept write");
            self.events[new.at()].rf = write;
            self.events[new.at()].next_reader = self.events[write.at()].readers;
            self.events[write.at()].readers = new;
        }
    }

    pub(super) fn adopt_coherence(&mut self, parent: &Graph, map: &[EventId]) {
        for loc in 0..parent.locs.len() {
            let mut old = parent.locs[loc].first;
            let mut previous = EventId::NONE;
            while old.is_some() {
                let new = map[old.at()];
                if new.is_some() {
                    self.events[new.at()].co_prev = previous;
                    if previous.is_some() {
                        self.events[previous.at()].co_next = new;
                    } else {
                        self.locs[loc].first = new;
                    }
                    previous = new;
                }
                old = parent.events[old.at()].co_next;
            }
            self.locs[loc].last = previous;
        }
    }

    /// An `Alloc` knows who freed it, and a `Free` what it freed.
    pub(super) fn adopt_frees(&mut self, parent: &Graph, map: &[EventId]) {
        if self.frees == 0 {
            return;
        }
        for (position, event) in parent.events.iter().enumerate() {
            let new = map[position];
            if event.label != Label::Free || new.is_none() || event.rf.is_none() {
                continue;
            }
            let alloc = map[event.rf.at()];
            self.events[new.at()].rf = alloc;
            self.events[alloc.at()].co_next = new;
        }
    }
}
