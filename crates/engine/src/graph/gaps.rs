//! Gaps in threads: events that are missing while later ones of the same thread are present (thesis §5.7).
//!
//! Where the causal order is smaller than `po`, a revisit may keep an event and remove earlier ones of its thread
//! on which it does not depend. The thread requests these again, and then skips the events that were kept.
//!
//! I1: a thread requests its first missing event; all its events before that one are present.
//! I2: an event keeps its position in the thread, whatever fills the gap before it.

use super::column::{each_column, Column};
use super::event::{Event, CONDITIONAL};
use super::payload::{Payload, Read};
use super::store::Graph;
use super::threads::{pending_of, ThreadState};
use crate::ids::{EventId, ThreadId};
use crate::vm::Snapshot;

impl Graph {
    /// The last event of a thread, even if it comes after a gap.
    #[inline]
    pub fn tail(&self, thread: ThreadId) -> EventId {
        let state = &self.threads[thread.at()];
        if state.tail.is_some() {
            state.tail
        } else {
            state.last
        }
    }

    /// How many events of its thread come before one.
    pub fn rank(&self, id: EventId) -> u32 {
        match self.dependencies.is_used() {
            true => self.earlier_in_thread(id).count() as u32,
            false => self.events[id.at()].index,
        }
    }

    /// The event that is already present at the position that a thread requests.
    #[inline]
    pub fn kept_next(&self, thread: ThreadId) -> Option<EventId> {
        let state = &self.threads[thread.at()];
        if state.tail.is_none() {
            return None;
        }
        let next = self.after(state.tail, state.last);
        (self.events[next.at()].index == state.count).then_some(next)
    }

    /// The write of a read-modify-write, if it is there.
    pub fn write_half_of(&self, read: EventId) -> Option<EventId> {
        let event = &self.events[read.at()];
        if !event.is_exclusive() {
            return None;
        }
        let later = (read.0 + 1..self.events.len() as u32).map(EventId);
        let is_half = |id: &EventId| {
            let event = &self.events[id.at()];
            event.po_prev == read && event.is_write_half()
        };
        later.into_iter().find(is_half)
    }

    /// Whether events of a thread come after its newest one, after a gap.
    pub fn has_kept_after(&self, newest: EventId) -> bool {
        self.threads[self.events[newest.at()].thread.at()].tail.is_some()
    }

    /// Notes that a thread has skipped an event that was already present, with the image that it has there now.
    pub fn pass(&mut self, thread: ThreadId, event: EventId, image: Snapshot) {
        let before = std::mem::replace(&mut self.events[event.at()].snapshot, image);
        self.passed.push((event, before));
        let state = &mut self.threads[thread.at()];
        state.last = event;
        state.count += 1;
        if state.tail == event {
            state.tail = EventId::NONE;
        }
    }

    /// Gives events back the images that they had before their threads passed them: the newer ones are about to be
    /// dropped, but what an event asks for is looked up in its image, passed or not.
    #[cold]
    pub(super) fn undo_passing(&mut self, mark: usize) {
        for (event, image) in self.passed.drain(mark..).rev() {
            // An event that has been removed needs no image.
            if let Some(event) = self.events.get_mut(event.at()) {
                event.snapshot = image;
            }
        }
    }

    /// What follows a read that may have been the first half of a read-modify-write has the same position whether it was
    /// or not (I2).
    pub fn leave_room_for_write_half(&mut self, read: EventId) {
        let event = &self.events[read.at()];
        if event.flags & CONDITIONAL != 0 && !event.is_exclusive() {
            self.threads[event.thread.at()].count = event.index + 2;
        }
    }

    /// The event of a thread after `last`, walking back from `tail`.
    fn after(&self, tail: EventId, last: EventId) -> EventId {
        let mut next = tail;
        while self.events[next.at()].po_prev != last {
            next = self.events[next.at()].po_prev;
        }
        next
    }

    /// Links the next event of the thread to the new one, which it follows from now on.
    pub(super) fn close_gap(&mut self, id: EventId, thread: ThreadId, previous: EventId) {
        let next = self.after(self.threads[thread.at()].tail, previous);
        self.events[next.at()].po_prev = id;
    }

    /// Takes an event out of the middle of its thread.
    pub(super) fn reopen_gap(&mut self, id: EventId, event: &Event) {
        let tail = self.tail(event.thread);
        let next = self.after(tail, id);
        self.events[next.at()].po_prev = event.po_prev;
        self.threads[event.thread.at()].tail = tail;
    }

    /// Fills `child` with the events that `keeps` names; `revisit` is a read and the write that it reads from there. (Where
    /// accesses have cells, the read has no links there, and the caller chooses them.)
    /// Each thread requests its first missing event; `map` says what became of each event.
    pub fn part_into(
        &self,
        keeps: &dyn Fn(EventId) -> bool,
        revisit: Option<(EventId, EventId)>,
        child: &mut Graph,
        map: &mut Vec<EventId>,
    ) {
        child.reset_from(self);
        map.clear();
        for (position, event) in self.events.iter().enumerate() {
            let kept = keeps(EventId::from_usize(position));
            map.push(if kept { child.adopt(event, map) } else { EventId::NONE });
        }
        for position in 0..self.events.len() {
            let (new, Payload::Read(links)) = (map[position], &self.events[position].payload) else {
                continue;
            };
            if new.is_none() || self.cells.is_used() {
                continue;
            }
            let source = match revisit {
                Some((read, write)) if read.at() == position => write,
                _ => links.rf,
            };
            child.link_read(new, if source.is_some() { map[source.at()] } else { source });
        }
        each_column!(child.restrict(from self, 0, map));
        if self.cells.is_used() {
            child.cells.adopt(&self.cells, map, revisit.map_or(EventId::NONE, |(read, _)| read));
        } else {
            child.adopt_coherence(self, map);
        }
        child.adopt_frees(self, map);
        for thread in 0..self.threads.len() {
            child.adopt_thread(self, ThreadId::from_usize(thread), map);
        }
    }

    fn reset_from(&mut self, parent: &Graph) {
        self.clear_like(parent);
        self.threads.clear();
        self.threads.extend(parent.threads.iter().map(|thread| ThreadState {
            last: EventId::NONE,
            count: 0,
            tail: EventId::NONE,
            creator: EventId::NONE,
            last_alloc: EventId::NONE,
            joined_by: EventId::NONE,
            pending: thread.pending,
        }));
    }

    /// Copies a kept event to the end; links to other events are rebuilt by the caller.
    fn adopt(&mut self, event: &Event, map: &[EventId]) -> EventId {
        let id = EventId::from_usize(self.events.len());
        let mut copy = *event;
        copy.po_prev = match event.po_prev {
            EventId::NONE => EventId::NONE,
            previous => map.get(previous.at()).copied().unwrap_or(EventId::NONE),
        };
        let thread = &mut self.threads[event.thread.at()];
        thread.last = id;
        thread.count += 1;
        match &mut copy.payload {
            Payload::Read(Read { access, .. }) => self.locs[access.loc.at()].classes |= 1 << event.class,
            Payload::Write(write) => {
                self.locs[write.access.loc.at()].classes |= 1 << event.class;
                *write = write.without_links();
            }
            Payload::Alloc(alloc) => {
                alloc.previous = thread.last_alloc;
                alloc.freed_by = EventId::NONE;
                thread.last_alloc = id;
            }
            Payload::Free(_) => self.frees += 1,
            Payload::Create(child) => self.threads[child.at()].creator = id,
            Payload::Arrive(arrival) => {
                arrival.previous = self.last_arrival;
                self.last_arrival = id;
            }
            Payload::Join(other) => self.threads[other.at()].joined_by = id,
            Payload::Fence(_) | Payload::Depart(_) | Payload::Choose(_) => {}
        }
        self.events.push(copy);
        id
    }

    fn adopt_coherence(&mut self, parent: &Graph, map: &[EventId]) {
        for loc in 0..parent.locs.len() {
            let mut old = parent.locs[loc].first;
            let mut previous = EventId::NONE;
            while old.is_some() {
                let new = map[old.at()];
                if new.is_some() {
                    self.events[new.at()].write_mut().co_prev = previous;
                    if previous.is_some() {
                        self.events[previous.at()].write_mut().co_next = new;
                    } else {
                        self.locs[loc].first = new;
                    }
                    previous = new;
                }
                old = parent.co_next(old);
            }
            self.locs[loc].last = previous;
        }
    }

    /// Links each `Alloc` to the event that freed it, and each `Free` to the `Alloc` that it freed.
    fn adopt_frees(&mut self, parent: &Graph, map: &[EventId]) {
        if self.frees == 0 {
            return;
        }
        for (position, event) in parent.events.iter().enumerate() {
            let (new, Payload::Free(mut free)) = (map[position], event.payload) else { continue };
            if new.is_none() || free.alloc.is_none() {
                continue;
            }
            free.alloc = map[free.alloc.at()];
            self.events[new.at()].payload = Payload::Free(free);
            self.set_freed_by(free.alloc, new);
        }
    }

    /// Removes a read's links, even if other reads were linked after it.
    pub fn unlink_any_read(&mut self, read: EventId) {
        let links = *self.events[read.at()].read();
        let replace = |link: &mut EventId, by: EventId| {
            if *link == read {
                *link = by;
            }
        };
        let loc = &mut self.locs[links.access.loc.at()];
        replace(&mut loc.last_read, links.previous);
        replace(&mut loc.readers, links.next_reader);
        for other in &mut self.events {
            if let Payload::Read(other) = &mut other.payload {
                replace(&mut other.next_reader, links.next_reader);
                replace(&mut other.previous, links.previous);
            }
            if let Payload::Write(other) = &mut other.payload {
                replace(&mut other.readers, links.next_reader);
            }
        }
    }

    fn adopt_thread(&mut self, parent: &Graph, thread: ThreadId, map: &[EventId]) {
        let old = parent.threads[thread.at()];
        if old.creator.is_some() && map[old.creator.at()].is_none() {
            self.threads[thread.at()] = ThreadState::ABSENT;
            return;
        }
        let mut events = Vec::new();
        let mut id = parent.tail(thread);
        while id.is_some() {
            events.push(id);
            id = parent.event(id).po_prev;
        }
        events.reverse();
        let kept: Vec<EventId> = events.iter().map(|id| map[id.at()]).filter(|id| id.is_some()).collect();
        for (position, id) in kept.iter().enumerate() {
            self.events[id.at()].po_prev = if position == 0 { EventId::NONE } else { kept[position - 1] };
        }
        let state = &mut self.threads[thread.at()];
        state.count = old.count;
        for id in &events {
            let event = parent.event(*id);
            if event.index < old.count && map[id.at()].is_none() {
                state.count = event.index;
                state.pending = pending_of(event);
                break;
            }
        }
        self.set_reached(thread, &kept);
    }

    /// Sets how far a thread has come, from its count and its events in program order.
    fn set_reached(&mut self, thread: ThreadId, events: &[EventId]) {
        let count = self.threads[thread.at()].count;
        let before = events.iter().take_while(|id| self.events[id.at()].index < count);
        let last = before.last().copied().unwrap_or(EventId::NONE);
        let end = events.last().copied().unwrap_or(EventId::NONE);
        let state = &mut self.threads[thread.at()];
        state.last = last;
        state.tail = if end == last { EventId::NONE } else { end };
    }

    /// If a thread has passed an event, sends it back there, because it is about to continue from that event.
    /// Returns whether it was sent back.
    pub fn go_back_to(&mut self, id: EventId) -> bool {
        let event = &self.events[id.at()];
        if self.threads[event.thread.at()].count <= event.index {
            return false;
        }
        self.stand_at(id);
        true
    }

    /// Sends a thread to an event, even if it has not come so far: what is added next comes after that.
    pub fn stand_at(&mut self, id: EventId) {
        let event = self.events[id.at()];
        let state = &mut self.threads[event.thread.at()];
        let tail = if state.tail.is_some() { state.tail } else { state.last };
        state.last = id;
        state.count = event.index + 1;
        state.tail = if tail == id { EventId::NONE } else { tail };
    }
}
