//! The graph that a backward revisit leaves: TruSt Algorithm 1, line 18, `SetRF(G|kept, r, w)`.
//!
//! It keeps the events added before the read, the read, the write, and the causal past of the write.
//!
//! Departs 1: rows are copied, not recomputed. The caller has checked that every removed event was added
//! maximally, so no edge of `po`, `rf`, `co` or `fr` leads from a removed event (or from the read) to a kept
//! one, and no row of a kept event holds a removed event. The tests recompute the rows at every step.
//! Departs 2: the write stays out of coherence order; the caller tries its places (VISITCOs).
//! Departs 3: the child starts as a copy of the parent, goes back to the read as if all later events were
//! popped, and then the kept ones are added again: the events before the read cost only a memcpy.
//! I1: the readers of a write are listed newest first, so those added after the read head each list.

use super::column::{each_column, Column};
use super::event::Event;
use super::payload::Payload;
use super::store::Graph;
use super::threads::{pending_of, ThreadState, ThreadStatus};
use crate::ids::EventId;

/// The order in which the causal past is kept (`po` and `rf`): the first row of every event.
pub const CAUSAL: usize = 0;

impl Graph {
    /// Whether `x` is `e` or in its causal past, if the causal order contains `po`.
    #[inline(always)]
    pub fn causes(&self, x: EventId, e: EventId) -> bool {
        self.precedes(CAUSAL, x, e)
    }

    /// What comes before an event causally, to ask about many others.
    #[inline(always)]
    pub fn causes_of(&self, e: EventId) -> Causes<'_> {
        Causes { events: &self.events, counts: self.views.counts(e.at(), CAUSAL) }
    }

    /// Fills `child` with the restriction of `self` for `write` (its newest event, not in coherence order)
    /// revisiting `read`; `map` is scratch space. Returns the read and the write in the child.
    /// The causal order must contain `po`, so that a prefix of each thread is kept (otherwise see `part_into`).
    pub fn restrict_into(
        &self,
        read: EventId,
        write: EventId,
        child: &mut Graph,
        map: &mut Vec<EventId>,
    ) -> (EventId, EventId) {
        let new_write = self.restrict_from(read.at() + 1, read, write, child, map);
        let links = child.events[read.at()].read_mut();
        (links.rf, links.next_reader) = (new_write, EventId::NONE);
        child.events[new_write.at()].write_mut().readers = read;
        (read, new_write)
    }

    /// The same without the read, which is put off. Returns the write in the child.
    pub fn restrict_without(
        &self,
        read: EventId,
        write: EventId,
        child: &mut Graph,
        map: &mut Vec<EventId>,
    ) -> EventId {
        let new_write = self.restrict_from(read.at(), read, write, child, map);
        child.put_off(&self.events[read.at()], new_write);
        new_write
    }

    /// Keeps the events before `first` and the causal past of the write. Returns the write in the child.
    #[inline(always)]
    fn restrict_from(
        &self,
        first: usize,
        read: EventId,
        write: EventId,
        child: &mut Graph,
        map: &mut Vec<EventId>,
    ) -> EventId {
        child.start_from(self);
        child.restrict_put_off(self, read);
        child.go_back(first);
        if first > read.at() {
            child.unread(read);
        }
        map.clear();
        map.extend((0..first).map(EventId::from_usize));
        let causes = self.causes_of(write);
        for (position, event) in self.events.iter().enumerate().skip(first) {
            let id = EventId::from_usize(position);
            let kept = causes.have(event);
            let new = if kept { child.add_again(self, event, id, map) } else { child.cut(event) };
            map.push(new);
            if kept && matches!(event.payload, Payload::Write(_)) {
                if id != write {
                    child.link_write(new, present_before(self, id, map));
                }
                child.link_old_readers(self, (id, new), read, map);
            }
        }
        each_column!(child.restrict(from self, first, map));
        map[write.at()]
    }

    /// Becomes the parent with the events before `first` and those that `keeps` names. Links by cells are left to the
    /// caller.
    pub(super) fn restrict_events(
        &mut self,
        parent: &Graph,
        first: usize,
        keeps: impl Fn(EventId) -> bool,
        map: &mut Vec<EventId>,
    ) {
        self.start_from(parent);
        self.go_back(first);
        map.clear();
        map.extend((0..first).map(EventId::from_usize));
        for (position, event) in parent.events.iter().enumerate().skip(first) {
            let id = EventId::from_usize(position);
            let new = if keeps(id) { self.add_again(parent, event, id, map) } else { self.cut(event) };
            map.push(new);
        }
        each_column!(self.restrict(from parent, first, map));
    }

    /// Becomes a copy of the parent; its columns are left to the caller.
    #[inline(always)]
    fn start_from(&mut self, parent: &Graph) {
        self.events.clone_from(&parent.events);
        self.locs.clone_from(&parent.locs);
        self.threads.clone_from(&parent.threads);
        self.frees = parent.frees;
        self.last_arrival = parent.last_arrival;
        self.deferred.clear();
        self.late_read = None;
    }

    /// Undoes the links of all events from `first` on, newest first, and removes the events. The caller sets what
    /// their threads request next.
    #[inline(always)]
    fn go_back(&mut self, first: usize) {
        for position in (first..self.events.len()).rev() {
            let id = EventId::from_usize(position);
            let event = &self.events[position];
            let (thread, po_prev, index) = (event.thread, event.po_prev, event.index);
            self.unlink_any(id);
            let state = &mut self.threads[thread.at()];
            (state.last, state.count) = (po_prev, index);
        }
        self.events.truncate(first);
    }

    /// Removes the reads-from link of the read, which is now the newest event.
    fn unread(&mut self, read: EventId) {
        let links = self.events[read.at()].read();
        let (loc, source, next) = (links.access.loc, links.rf, links.next_reader);
        if source.is_none() || source < read {
            self.set_first_reader(loc, source, next);
        }
    }

    /// Adds a kept event of the parent. The caller sets a write's links to other events.
    #[inline(always)]
    fn add_again(&mut self, parent: &Graph, event: &Event, id: EventId, map: &[EventId]) -> EventId {
        let new = EventId::from_usize(self.events.len());
        let renamed = |old: EventId| if old.is_some() { map[old.at()] } else { old };
        let mut copy = *event;
        copy.po_prev = renamed(event.po_prev);
        let thread = &mut self.threads[event.thread.at()];
        thread.last = new;
        thread.count += 1;
        match &mut copy.payload {
            Payload::Read(_) if parent.cells.is_used() => {}
            Payload::Read(read) => {
                let loc = read.access.loc;
                read.previous = self.locs[loc.at()].last_read;
                read.foreign = self.foreign(event.thread, read.previous);
                self.locs[loc.at()].last_read = new;
                // Otherwise it was revisited, and it is linked when its write is added.
                if read.rf.is_none() || read.rf < id {
                    read.rf = renamed(read.rf);
                    read.next_reader = self.first_reader(loc, read.rf);
                    self.set_first_reader(loc, read.rf, new);
                }
            }
            Payload::Write(write) => *write = write.without_links(),
            Payload::Alloc(alloc) => {
                alloc.previous = thread.last_alloc;
                alloc.freed_by = EventId::NONE;
                thread.last_alloc = new;
            }
            Payload::Free(free) => {
                self.frees += 1;
                free.alloc = renamed(free.alloc);
                self.set_freed_by(free.alloc, new);
            }
            Payload::Create(child) => {
                let pending = parent.threads[child.at()].pending;
                self.threads[child.at()] = ThreadState { creator: new, pending, ..ThreadState::ABSENT };
            }
            Payload::Arrive(arrival) => {
                arrival.previous = self.last_arrival;
                self.last_arrival = new;
            }
            Payload::Join(other) => self.threads[other.at()].joined_by = new,
            Payload::Fence(_) | Payload::Depart(_) | Payload::Choose(_) => {}
        }
        self.events.push(copy);
        new
    }

    /// Links the kept reads that are older than their write, because it revisited them, to it; except `except`.
    fn link_old_readers(
        &mut self,
        parent: &Graph,
        (old, new): (EventId, EventId),
        except: EventId,
        map: &[EventId],
    ) {
        let mut last = EventId::NONE;
        for reader in parent.readers_of(old).filter(|reader| *reader < old && *reader != except) {
            let reader = map[reader.at()];
            if reader.is_none() {
                continue;
            }
            let links = self.events[reader.at()].read_mut();
            (links.rf, links.next_reader) = (new, EventId::NONE);
            if last.is_none() {
                self.events[new.at()].write_mut().readers = reader;
            } else {
                self.events[last.at()].read_mut().next_reader = reader;
            }
            last = reader;
        }
    }

    /// Makes the thread request this event next, if it is the first of the thread that is removed.
    fn cut(&mut self, event: &Event) -> EventId {
        let thread = &mut self.threads[event.thread.at()];
        if thread.count == event.index && thread.pending.status != ThreadStatus::Absent {
            thread.pending = pending_of(event);
        }
        EventId::NONE
    }
}

/// The causal past of an event, and the event.
#[derive(Clone, Copy)]
pub struct Causes<'g> {
    events: &'g [Event],
    counts: &'g [u32],
}

impl Causes<'_> {
    /// Whether an event is among them.
    #[inline(always)]
    pub fn contain(&self, x: EventId) -> bool {
        self.have(&self.events[x.at()])
    }

    #[inline(always)]
    fn have(&self, x: &Event) -> bool {
        self.counts[x.thread.at()] > x.index
    }
}

/// The nearest write before a write in the parent's coherence order that is already in the child.
fn present_before(parent: &Graph, write: EventId, map: &[EventId]) -> EventId {
    let mut before = parent.co_prev(write);
    while before.is_some() {
        if let Some(new) = map.get(before.at()).filter(|new| new.is_some()) {
            return *new;
        }
        before = parent.co_prev(before);
    }
    EventId::NONE
}
