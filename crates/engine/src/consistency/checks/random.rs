//! Tests only: random graphs, with a record of how they were made, from which `defined.rs` tells their relations.

use crate::consistency::plan::tables::Classes;
use crate::graph::{Access, Alloc, Event, EventClass, Free, Graph, Label, Payload};
use crate::graph::{ThreadState, COMPOUND, EXCLUSIVE};
use crate::ids::{EventId, LocId, ThreadId};
use crate::program::{Domain, Mode, Owner};
use crate::vm::Snapshot;

/// Xorshift numbers.
pub(in crate::consistency) struct Random(pub(in crate::consistency) u64);

impl Random {
    pub(in crate::consistency) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    pub(in crate::consistency) fn one_in(&mut self, limit: usize) -> bool {
        self.below(limit) == 0
    }

    pub(in crate::consistency) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// Often everything, sometimes only reads or writes, sometimes any set.
    pub(in crate::consistency) fn classes(&mut self) -> Classes {
        match self.below(6) {
            0..=2 => Classes::ALL,
            3 => Classes(EventClass::READS),
            4 => Classes(EventClass::WRITES),
            _ => Classes(self.0 & Classes::ALL.0),
        }
    }
}

/// Where a read gets its value: not linked, the initial write, or a write.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::consistency) enum Source {
    Unlinked,
    Initial,
    Write(usize),
}

/// A graph and the record of its making.
pub(in crate::consistency) struct Sample {
    pub(in crate::consistency) graph: Graph,
    pub(in crate::consistency) threads: Vec<Vec<usize>>,
    /// Creation and thread; join and thread.
    pub(in crate::consistency) created: Vec<(usize, usize)>,
    pub(in crate::consistency) joined: Vec<(usize, usize)>,
    pub(in crate::consistency) sources: Vec<Source>,
    pub(in crate::consistency) co: Vec<Vec<usize>>,
    pub(in crate::consistency) rmw: Vec<(usize, usize)>,
    /// Locations in the order of their first access.
    pub(in crate::consistency) locs: Vec<usize>,
}

const THREADS: usize = 4;
const LOCS: usize = 3;
/// The last two locations overlap.
pub(in crate::consistency) const ADDRESSES: [u64; LOCS] = [64, 80, 82];
const MODES: [Mode; 6] = [Mode::Na, Mode::Rlx, Mode::Acq, Mode::Rel, Mode::AcqRel, Mode::Sc];

impl Sample {
    /// A graph of about `size` events. `causal`: reads see only writes that were added before them, and
    /// everything is linked.
    pub(in crate::consistency) fn new(random: &mut Random, size: usize, causal: bool) -> Sample {
        let mut sample = Sample {
            graph: crate::consistency::plan::encode::interleavings().upkeep().graph(THREADS),
            threads: vec![Vec::new(); THREADS],
            created: Vec::new(),
            joined: Vec::new(),
            sources: Vec::new(),
            co: vec![Vec::new(); LOCS],
            rmw: Vec::new(),
            locs: Vec::new(),
        };
        sample.graph.reserve_locs(LOCS);
        while sample.graph.len() < size {
            sample.grow(random);
        }
        sample.sources = vec![Source::Unlinked; sample.graph.len()];
        for id in 0..sample.graph.len() {
            sample.link(random, id, causal);
        }
        sample
    }

    fn grow(&mut self, random: &mut Random) {
        let alive: Vec<usize> = (0..THREADS).filter(|t| self.is_alive(*t)).collect();
        let thread = random.pick(&alive);
        let absent = (1..THREADS).find(|t| self.created.iter().all(|(_, c)| c != t));
        match (random.below(20), absent) {
            (0..=2, Some(child)) => {
                let creator = self.push(random, thread, Payload::Create(ThreadId::from_usize(child)), |_| ());
                let state = ThreadState { creator: EventId::from_usize(creator), ..ThreadState::ABSENT };
                *self.graph.thread_mut(ThreadId::from_usize(child)) = state;
                self.created.push((creator, child));
            }
            (3, _) if alive.len() > 1 => {
                let others: Vec<usize> = alive.iter().copied().filter(|t| *t != thread).collect();
                let other = random.pick(&others);
                let join = self.push(random, thread, Payload::Join(ThreadId::from_usize(other)), |_| ());
                self.joined.push((join, other));
            }
            (4, _) => {
                let (address, bytes) = (random.pick(&[60, 64, 80, 82]), random.pick(&[1, 4, 20]));
                self.push(
                    random,
                    thread,
                    Payload::Alloc(Alloc::new(address, bytes, false, Owner::Free)),
                    |_| (),
                );
            }
            (5, _) => {
                let at = random.below(self.graph.len() + 1);
                let is_alloc = self.graph.events().get(at).is_some_and(|e| e.label() == Label::Alloc);
                let alloc = if is_alloc { EventId::from_usize(at) } else { EventId::NONE };
                self.push(random, thread, Payload::Free(Free { address: 0, alloc }), |_| ());
            }
            (6, _) => {
                self.push(random, thread, Payload::Fence(Domain::NONE), |_| ());
            }
            (7..=12, _) => {
                let loc = random.below(LOCS);
                let flags = random.pick(&[0, 0, COMPOUND]);
                self.access(random, thread, Payload::READ, loc, flags);
            }
            (13..=14, _) => {
                let loc = random.below(LOCS);
                let read = self.access(random, thread, Payload::READ, loc, COMPOUND | EXCLUSIVE);
                let write = self.access(random, thread, Payload::WRITE, loc, EXCLUSIVE);
                self.rmw.push((read, write));
            }
            _ => {
                let loc = random.below(LOCS);
                self.access(random, thread, Payload::WRITE, loc, 0);
            }
        }
    }

    fn is_alive(&self, thread: usize) -> bool {
        let exists = thread == 0 || self.created.iter().any(|(_, child)| *child == thread);
        exists && self.joined.iter().all(|(_, other)| *other != thread)
    }

    fn access(
        &mut self,
        random: &mut Random,
        thread: usize,
        payload: Payload,
        loc: usize,
        flags: u8,
    ) -> usize {
        if !self.locs.contains(&loc) {
            self.locs.push(loc);
        }
        self.push(random, thread, payload, |event| {
            event.flags = flags;
            let (address, loc) = (ADDRESSES[loc], LocId::from_usize(loc));
            *event.access_mut() = Access { address, loc, size: 4, value: 0 };
        })
    }

    fn push(
        &mut self,
        random: &mut Random,
        thread: usize,
        payload: Payload,
        fill: impl FnOnce(&mut Event),
    ) -> usize {
        let mut event =
            Event::new(ThreadId::from_usize(thread), payload, random.pick(&MODES), Snapshot::EMPTY);
        fill(&mut event);
        let id = self.graph.push(event).at();
        self.threads[thread].push(id);
        id
    }

    fn link(&mut self, random: &mut Random, id: usize, causal: bool) {
        let event = self.graph.events()[id];
        let Some(&Access { loc, .. }) = event.as_access() else { return };
        let linked = causal || !random.one_in(15);
        if event.label() == Label::Read && linked {
            let is_source = |e: &Event| e.label() == Label::Write && e.loc() == loc;
            let limit = if causal { id } else { self.graph.len() };
            let writes: Vec<usize> = (0..limit).filter(|w| is_source(&self.graph.events()[*w])).collect();
            let source =
                if writes.is_empty() || random.one_in(4) { None } else { Some(random.pick(&writes)) };
            self.sources[id] = source.map_or(Source::Initial, Source::Write);
            let source = source.map_or(EventId::NONE, EventId::from_usize);
            self.graph.link_read(EventId::from_usize(id), source);
        } else if event.label() == Label::Write {
            let order = &mut self.co[loc.at()];
            // Mostly late in coherence order, so that not every graph is full of cycles.
            let place = order.len() - if random.one_in(3) { random.below(order.len() + 1) } else { 0 };
            let after = if place == 0 { EventId::NONE } else { EventId::from_usize(order[place - 1]) };
            self.graph.link_write(EventId::from_usize(id), after);
            if linked {
                order.insert(place, id);
            } else {
                self.graph.unlink_write(EventId::from_usize(id)); // Its links stay behind.
            }
        }
    }
}
