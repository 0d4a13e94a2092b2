//! The graph's storage: events, locations, threads; adding and removing the newest event.

use super::cells::Cells;
use super::column::{each_column, Column};
use super::dependencies::Dependencies;
use super::event::Event;
use super::payload::{AccessKind, Payload, Read, Write};
use super::put_off::PutOff;
use super::rows::{BitRows, Freshness, Shape, Views};
use super::threads::{pending_of, ThreadState};
use crate::ids::{EventId, LocId, ThreadId};
use crate::vm::Snapshot;

/// A location of the graph.
#[derive(Clone, Copy, Debug)]
pub struct LocState {
    /// Its oldest write after the initial one.
    pub first: EventId,
    /// Its newest write in coherence order.
    pub last: EventId,
    /// The newest reader of the initial write.
    pub readers: EventId,
    /// The read added last.
    pub last_read: EventId,
    /// The classes of its accesses, and possibly of some that have been removed.
    pub classes: u64,
}

impl LocState {
    /// A location that no event accesses.
    pub const UNUSED: LocState = LocState {
        first: EventId::NONE,
        last: EventId::NONE,
        readers: EventId::NONE,
        last_read: EventId::NONE,
        classes: 0,
    };

    /// Whether no event accesses it.
    pub fn is_unused(&self) -> bool {
        self.last.is_none() && self.last_read.is_none()
    }
}

/// A point in the history of changes to rows and images, to return to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    views: u32,
    bits: u32,
    passed: u32,
}

/// An execution graph.
#[derive(Clone)]
pub struct Graph {
    pub(super) events: Vec<Event>,
    pub(super) locs: Vec<LocState>,
    pub(super) threads: Vec<ThreadState>,
    pub(super) frees: u32,
    /// Reads that are left out until they may see something else.
    pub(super) put_off: Vec<PutOff>,
    /// The newest `Arrive`.
    pub(super) last_arrival: EventId,
    /// The links of its events, if they may have several sizes.
    pub cells: Cells,
    /// The clocks of its events.
    pub views: Views,
    /// The bit rows of its events.
    pub bits: BitRows,
    pub(super) freshness: Freshness,
    /// What its events depend on, if its threads may have gaps.
    pub dependencies: Dependencies,
    /// The images that events had before their threads passed them, in the order of passing.
    pub(super) passed: Vec<(EventId, Snapshot)>,
    /// Edges (order, from, to) that the clocks do not include yet. They were checked when they were made, and often
    /// the graph is complete before the clocks are needed again.
    pub deferred: Vec<(usize, EventId, EventId)>,
    /// Room for what is next to an event.
    pub neighbours: Vec<(EventId, bool)>,
    /// The newest event, if it is a read whose rows do not include its reads-from edge yet.
    pub late_read: Option<LateRead>,
}

/// A read whose rows are updated later, like `Graph::deferred`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LateRead {
    /// The read.
    pub read: EventId,
    /// Its rows still include the edge from the write that it read from before.
    pub is_stale: bool,
}

impl Graph {
    /// An empty graph whose events have clocks of `lanes` threads, and bit rows.
    pub fn new(shape: Shape, lanes: usize, bits: BitRows) -> Graph {
        Graph {
            events: Vec::new(),
            locs: Vec::new(),
            threads: vec![ThreadState::ABSENT; lanes],
            frees: 0,
            put_off: Vec::new(),
            last_arrival: EventId::NONE,
            cells: Cells::default(),
            views: Views::new(shape, lanes),
            bits,
            freshness: Freshness::FRESH,
            dependencies: Dependencies::default(),
            passed: Vec::new(),
            deferred: Vec::new(),
            neighbours: Vec::new(),
            late_read: None,
        }
    }

    /// Becomes a copy of another graph. Earlier changes to its rows cannot be undone here.
    pub fn copy_from(&mut self, other: &Graph) {
        self.events.clone_from(&other.events);
        self.locs.clone_from(&other.locs);
        self.threads.clone_from(&other.threads);
        self.frees = other.frees;
        self.put_off.clone_from(&other.put_off);
        self.last_arrival = other.last_arrival;
        self.cells.copy_from(&other.cells);
        each_column!(self.copy_from(from other));
        self.freshness = other.freshness;
        self.passed.clear();
        self.deferred.clone_from(&other.deferred);
        self.late_read = other.late_read;
    }

    /// Removes everything, and makes room for the contents of another graph.
    pub fn clear_like(&mut self, other: &Graph) {
        self.events.clear();
        self.cells.clear();
        each_column!(self.clear_like(from other));
        self.freshness = Freshness::FRESH;
        self.passed.clear();
        self.deferred.clear();
        self.late_read = None;
        self.frees = 0;
        self.put_off.clear();
        self.last_arrival = EventId::NONE;
        self.locs.clear();
        self.locs.resize(other.locs.len(), LocState::UNUSED);
        self.threads.clear();
        self.threads.resize(other.threads.len(), ThreadState::ABSENT);
    }

    /// How many events it has.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Bytes that its events, threads, locations and rows take.
    pub fn bytes(&self) -> usize {
        let links =
            size_of_val(&self.events[..]) + size_of_val(&self.locs[..]) + size_of_val(&self.threads[..]);
        links + each_column!(self.bytes()).iter().sum::<usize>()
    }

    /// Bytes that it has allocated, whether in use or not.
    pub fn bytes_reserved(&self) -> usize {
        let events = self.events.capacity() * size_of::<Event>();
        let locs = self.locs.capacity() * size_of::<LocState>();
        let threads = self.threads.capacity() * size_of::<ThreadState>();
        events
            + locs
            + threads
            + self.cells.bytes_reserved()
            + each_column!(self.bytes_reserved()).iter().sum::<usize>()
    }

    /// Whether it has no events.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// An event.
    #[inline(always)]
    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id.at()]
    }

    /// An event, to change anything except its links.
    #[inline(always)]
    pub fn event_mut(&mut self, id: EventId) -> &mut Event {
        &mut self.events[id.at()]
    }

    /// All events in insertion order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// A thread.
    #[inline(always)]
    pub fn thread(&self, id: ThreadId) -> &ThreadState {
        &self.threads[id.at()]
    }

    /// A thread, to change what it does next.
    #[inline(always)]
    pub fn thread_mut(&mut self, id: ThreadId) -> &mut ThreadState {
        &mut self.threads[id.at()]
    }

    /// All threads; there are as many as the clocks have lanes.
    #[inline(always)]
    pub fn threads(&self) -> &[ThreadState] {
        &self.threads
    }

    /// How many `Free` events it has.
    #[inline(always)]
    pub fn frees(&self) -> u32 {
        self.frees
    }

    /// A location; unused if it was never seen here.
    #[inline(always)]
    pub fn loc(&self, id: LocId) -> LocState {
        self.locs.get(id.at()).copied().unwrap_or(LocState::UNUSED)
    }

    /// Makes room for locations up to `count`.
    #[inline]
    pub fn reserve_locs(&mut self, count: usize) {
        if self.locs.len() < count {
            self.locs.resize(count, LocState::UNUSED);
        }
    }

    /// The event that precedes the thread's next event: its newest one, or its creation.
    #[inline(always)]
    pub fn frontier(&self, thread: ThreadId) -> EventId {
        let state = &self.threads[thread.at()];
        if state.last.is_some() {
            state.last
        } else {
            state.creator
        }
    }

    /// Whether event `x` is `e` or precedes it in an order.
    #[inline(always)]
    pub fn precedes(&self, order: usize, x: EventId, e: EventId) -> bool {
        let x = &self.events[x.at()];
        self.views.count(e.at(), order, x.thread.at()) > x.index
    }

    /// Adds the event that its thread requests next, at the end or in a gap. Its clocks have its program-order
    /// past; it is not linked to other events yet.
    #[inline]
    pub fn push(&mut self, mut event: Event) -> EventId {
        let id = EventId::from_usize(self.events.len());
        let base = self.frontier(event.thread);
        let state = &mut self.threads[event.thread.at()];
        event.index = state.count;
        event.class = event.classify();
        event.po_prev = state.last;
        state.last = id;
        state.count += 1;
        if state.tail.is_some() {
            self.close_gap(id, event.thread, event.po_prev);
            self.freshness.fill(id);
        }
        let state = &mut self.threads[event.thread.at()];
        each_column!(self.push(&event, base.is_some().then_some(base)));
        match &mut event.payload {
            Payload::Read(Read { access, .. }) | Payload::Write(Write { access, .. }) => {
                self.locs[access.loc.at()].classes |= 1 << event.class;
            }
            Payload::Alloc(alloc) => {
                alloc.previous = state.last_alloc;
                state.last_alloc = id;
            }
            Payload::Free(free) => {
                self.frees += 1;
                self.set_freed_by(free.alloc, id);
            }
            Payload::Arrive(arrival) => {
                arrival.previous = self.last_arrival;
                self.last_arrival = id;
            }
            Payload::Join(other) => self.threads[other.at()].joined_by = id,
            Payload::Fence(_) | Payload::Create(_) | Payload::Depart(_) | Payload::Choose(_) => {}
        }
        self.events.push(event);
        id
    }

    /// Undoes an event's links. It must be the newest event, or the read or write of a revisit.
    #[inline(always)]
    pub fn unlink(&mut self, id: EventId) {
        match self.events[id.at()].access_kind() {
            Some(AccessKind::Read) => self.unlink_read(id),
            Some(AccessKind::Write) => self.unlink_write(id),
            None => self.events[id.at()].is_no("access"),
        }
    }

    /// Sets an event's rows to what they were when it was pushed.
    #[inline(always)]
    pub fn reset_rows(&mut self, id: EventId) {
        let event = &self.events[id.at()];
        let thread = event.thread.at();
        let base = if event.po_prev.is_some() { event.po_prev } else { self.threads[thread].creator };
        let base = if base.is_some() { Some(base.at()) } else { None };
        self.views.reset(id.at(), base, thread, event.index + 1);
        self.bits.reset(id.at());
    }

    /// Gives an event another class.
    pub fn set_class(&mut self, id: EventId, class: u8) {
        let event = &mut self.events[id.at()];
        event.class = class;
        self.locs[event.loc().at()].classes |= 1 << class;
        self.bits.classify(id.at(), class);
    }

    /// The current point in the history of changes to rows and images.
    #[inline]
    pub fn mark(&self) -> Mark {
        let (views, bits) = (self.views.mark() as u32, self.bits.mark() as u32);
        Mark { views, bits, passed: self.passed.len() as u32 }
    }

    /// Undoes the changes to rows and images since a point, and drops the deferred ones, which were never made.
    #[inline]
    pub fn undo_to(&mut self, mark: Mark) {
        self.deferred.clear();
        self.late_read = None;
        self.views.undo_to(mark.views as usize);
        self.bits.undo_to(mark.bits as usize);
        if self.passed.len() > mark.passed as usize {
            self.undo_passing(mark.passed as usize);
        }
    }

    /// Undoes what the newest event changed in its thread and in other events.
    #[inline(always)]
    pub(super) fn unlink_any(&mut self, id: EventId) {
        let event = &self.events[id.at()];
        match event.payload {
            Payload::Read(_) => self.unlink_read(id),
            Payload::Write(_) => self.unlink_write(id),
            Payload::Create(child) => self.threads[child.at()] = ThreadState::ABSENT,
            Payload::Free(free) => {
                self.frees -= 1;
                self.set_freed_by(free.alloc, EventId::NONE);
            }
            Payload::Alloc(alloc) => self.threads[event.thread.at()].last_alloc = alloc.previous,
            Payload::Arrive(arrival) => self.last_arrival = arrival.previous,
            Payload::Join(other) => self.threads[other.at()].joined_by = EventId::NONE,
            Payload::Fence(_) | Payload::Depart(_) | Payload::Choose(_) => {}
        }
    }

    /// Removes the newest event and its links; its thread requests it again next.
    #[inline(always)]
    pub fn pop(&mut self) {
        let id = EventId::from_usize(self.events.len() - 1);
        self.unlink_any(id);
        if self.cells.is_used() {
            self.cells.pop(id);
        }
        let event = self.events.pop().expect("the graph has an event to remove");
        each_column!(self.pop());
        let state = &self.threads[event.thread.at()];
        if state.last != id || state.tail.is_some() {
            self.reopen_gap(id, &event);
            self.freshness.reopen(id);
        }
        let state = &mut self.threads[event.thread.at()];
        state.last = event.po_prev;
        state.count = event.index;
        state.pending = pending_of(&event);
    }
}
