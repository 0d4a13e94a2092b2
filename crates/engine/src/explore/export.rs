//! Graphs for reports and tests: by thread, in program order, with source positions.

use crate::explore::choices::locations::Locations;
use crate::explore::regimes::Regime;
use crate::explore::threads::numbers::ThreadTable;
use crate::explore::threads::states::States;
use crate::explore::Explorer;
use crate::graph::{Arrival, Depends, Event, Graph, Label, Payload, ThreadStatus, SECTION};
use crate::ids::{EventId, FunctionId, LocId, ThreadId};
use crate::program::Mode;
use crate::vm::PAIR;

/// An event outside the engine: its thread and its position there.
pub type EventRef = (ThreadId, u32);

/// An event with everything that a report says about it.
#[derive(Clone, Debug)]
pub struct ExportedEvent {
    /// What it does.
    pub label: Label,
    /// How strongly it orders.
    pub mode: Mode,
    /// Its position in insertion order.
    pub stamp: EventId,
    /// The instruction, and the calls that led there, innermost first.
    pub stack: Vec<(FunctionId, u32)>,
    /// Where, of an access, an `Alloc` or a `Free`.
    pub address: u64,
    /// Bytes of an access or an `Alloc`.
    pub size: u64,
    /// Value read or written; the other thread of a `Create` or `Join`; the round of an `Arrive` or `Depart`.
    pub value: u128,
    /// Half of a read-modify-write that writes.
    pub exclusive: bool,
    /// Read: its write, none for the initial one. If it has several, the first.
    pub rf: Option<EventRef>,
    /// It belongs to an atomic section.
    pub section: bool,
    /// Read of bytes that may come from several writes, or access of an atomic section.
    pub parts: Vec<ExportedPart>,
    /// By `Dependency`, the positions of the reads of its thread that it depends on, if that is tracked.
    pub depends: Option<[Vec<u32>; 3]>,
}

/// Bytes that an access reads or writes.
#[derive(Clone, Debug)]
pub struct ExportedPart {
    /// Where.
    pub address: u64,
    /// How many bytes.
    pub size: u8,
    /// What is read or written.
    pub value: u64,
    /// Read: the write that it comes from, none for the initial one.
    pub rf: Option<EventRef>,
}

/// A thread of an exported graph.
#[derive(Clone, Debug)]
pub struct ExportedThread {
    /// Who created it.
    pub parent: Option<ThreadId>,
    /// The position of its creation in the parent.
    pub created_by: Option<u32>,
    /// How it ended.
    pub status: ThreadStatus,
    /// The loop that it spins in.
    pub spins_in: Option<u32>,
    /// Its events.
    pub events: Vec<ExportedEvent>,
}

/// A graph outside the engine.
#[derive(Clone, Debug)]
pub struct ExportedGraph {
    /// Threads by number, up to the last that there is.
    pub threads: Vec<ExportedThread>,
    /// Writes by location (which are sorted by address and size), oldest first.
    pub co: Vec<(u64, u8, Vec<EventRef>)>,
}

impl ExportedGraph {
    /// The reference of an event, by its position in insertion order.
    pub fn reference(&self, stamp: EventId) -> Option<EventRef> {
        self.threads.iter().enumerate().find_map(|(thread, state)| {
            let index = state.events.iter().position(|event| event.stamp == stamp)?;
            Some((ThreadId::from_usize(thread), index as u32))
        })
    }
}

fn reference(graph: &Graph, id: EventId) -> Option<EventRef> {
    id.is_some().then(|| (graph.event(id).thread, graph.rank(id)))
}

impl<R: Regime> Explorer<'_, R> {
    /// The current graph.
    pub(in crate::explore) fn export(&mut self) -> ExportedGraph {
        let depends = self.depends();
        let (graph, states, locations, threads) =
            (self.graph(), &self.states, &self.locations, &self.threads);
        Export { graph, states, locations, threads, depends }.graph()
    }

    /// What each event depends on; nothing if that is not tracked.
    fn depends(&mut self) -> Vec<Depends> {
        let (graph, states) = (self.graphs.current(), &mut self.states);
        if !states.tracks() {
            return Vec::new();
        }
        let of = |id: EventId| match graph.depends(id) {
            Some(known) => known.clone(),
            None => states.dependencies(graph.event(id).snapshot).for_event(graph.event(id)),
        };
        (0..graph.len()).map(EventId::from_usize).map(of).collect()
    }
}

/// A graph, and what says more about it than the graph knows.
struct Export<'a> {
    graph: &'a Graph,
    states: &'a States<'a>,
    locations: &'a Locations,
    threads: &'a ThreadTable,
    depends: Vec<Depends>,
}

/// The reads of a thread, in order: how many came before each, and its position.
type Reads = [(u32, u32)];

impl Export<'_> {
    fn graph(&self) -> ExportedGraph {
        let graph = self.graph;
        // Neither which threads were met elsewhere nor the order in which locations were is part of a graph.
        let last = graph.threads().iter().rposition(|thread| thread.pending.status != ThreadStatus::Absent);
        let threads =
            (0..=last.unwrap_or(0)).map(|thread| self.thread(ThreadId::from_usize(thread))).collect();
        let mut co: Vec<_> = (0..self.locations.len())
            .filter(|loc| self.is_accessed(LocId::from_usize(*loc)))
            .map(|loc| self.coherence(LocId::from_usize(loc)))
            .collect();
        co.sort_unstable_by_key(|(address, size, _)| (*address, *size));
        ExportedGraph { threads, co }
    }

    fn is_accessed(&self, loc: LocId) -> bool {
        if !self.graph.cells.is_used() {
            return !self.graph.loc(loc).is_unused();
        }
        let cell = self.graph.cells.all().get(loc.at());
        cell.is_some_and(|cell| !cell.writes.is_empty() || !cell.reads.is_empty())
    }

    fn thread(&self, thread: ThreadId) -> ExportedThread {
        let graph = self.graph;
        let state = graph.thread(thread);
        let mut ids = Vec::new();
        let mut id = graph.tail(thread);
        while id.is_some() {
            ids.push(id);
            id = graph.event(id).po_prev;
        }
        ids.reverse();
        let reads = self.reads(&ids);
        ExportedThread {
            parent: self.threads.parent(thread),
            created_by: reference(graph, state.creator).map(|(_, index)| index),
            status: state.pending.status,
            spins_in: match state.pending.status {
                ThreadStatus::Spinning => self.states.request(state.pending.snapshot).loop_id(),
                _ => None,
            },
            events: ids.iter().map(|id| self.event(*id, graph.event(*id), &reads)).collect(),
        }
    }

    /// The reads among the events of a thread, if dependencies are tracked.
    fn reads(&self, thread: &[EventId]) -> Vec<(u32, u32)> {
        let read = |(position, id): (usize, &EventId)| {
            let depends = self.depends.get(id.at())?;
            self.graph.event(*id).is_read().then_some((depends.reads, position as u32))
        };
        thread.iter().enumerate().filter_map(read).collect()
    }

    /// The positions of the reads that an event depends on.
    fn positions(&self, id: EventId, reads: &Reads) -> Option<[Vec<u32>; 3]> {
        let position = |number: &u32| {
            let at = reads.binary_search_by_key(number, |(number, _)| *number).ok()?;
            Some(reads[at].1)
        };
        let depends = self.depends.get(id.at())?;
        Some(depends.sets.each_ref().map(|set| set.iter().filter_map(position).collect()))
    }

    fn event(&self, id: EventId, event: &Event, reads: &Reads) -> ExportedEvent {
        let graph = self.graph;
        let (address, size, value) = match event.payload {
            Payload::Read(_) | Payload::Write(_) => {
                let access = event.access();
                let is_pair = access.size == PAIR;
                let value = if is_pair { self.locations.pair(graph, id) } else { access.value.into() };
                (access.address, u64::from(access.size), value)
            }
            Payload::Fence(domain) => (domain.address, u64::from(domain.size), 0),
            Payload::Choose(choice) => (0, 0, u128::from(choice.value())),
            Payload::Alloc(alloc) => (alloc.address, alloc.size, 0),
            Payload::Free(free) => (free.address, 0, 0),
            Payload::Create(thread) | Payload::Join(thread) => (0, 0, u128::from(thread.0)),
            Payload::Arrive(Arrival { round, .. }) | Payload::Depart(round) => {
                (round.address, 0, u128::from(round.number))
            }
        };
        ExportedEvent {
            label: event.label(),
            mode: event.mode,
            stamp: id,
            stack: if event.index < graph.thread(event.thread).count {
                self.states.stack(event.snapshot)
            } else {
                vec![(FunctionId(0), 0)] // After a gap: its thread has not come there yet.
            },
            address,
            size,
            value,
            exclusive: event.is_exclusive(),
            rf: graph.sources(id).iter().find_map(|source| reference(graph, *source)),
            section: event.flags & SECTION != 0,
            parts: self.parts(id, event),
            depends: self.positions(id, reads),
        }
    }

    /// What a read of several cells reads in each of them, and what a section reads and writes.
    fn parts(&self, id: EventId, event: &Event) -> Vec<ExportedPart> {
        let (graph, cells) = (self.graph, &self.graph.cells);
        let is_section = event.flags & SECTION != 0;
        let is_wide = || event.is_read() && cells.is_used() && cells.of(id).len() > 1;
        if !is_section && !is_wide() {
            return Vec::new();
        }
        let part = |cell: LocId, write: EventId, rf: Option<EventRef>| {
            let (address, size) = self.locations.name(cell);
            ExportedPart { address, size, value: self.locations.part_of(graph, cell, write), rf }
        };
        let mut parts: Vec<ExportedPart> = match event.is_read() {
            true => {
                cells.linked(id).map(|(cell, source)| part(cell, source, reference(graph, source))).collect()
            }
            false => cells.of(id).iter().map(|cell| part(*cell, id, None)).collect(),
        };
        parts.sort_by_key(|part| part.address); // Which bytes a section accesses first is not part of a graph.
        parts
    }

    fn coherence(&self, loc: LocId) -> (u64, u8, Vec<EventRef>) {
        let graph = self.graph;
        if graph.cells.is_used() {
            let (address, size) = self.locations.name(loc);
            let writes = graph.cells.cell(loc).writes.iter();
            return (address, size, writes.filter_map(|id| reference(graph, *id)).collect());
        }
        let location = self.locations.get(loc);
        let writes = graph.co_after(loc, EventId::NONE).filter_map(|id| reference(graph, id)).collect();
        (location.address, location.size, writes)
    }
}
