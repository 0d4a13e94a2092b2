//! What events depend on: for each event the reads of its thread that its address, what it writes, and that it is
//! reached were computed from. A read is known by how many reads its thread made before it.
//!
//! I1: only graphs whose threads may have gaps have this column in use; in others it is empty.
//! I2: whoever adds an event to such a graph has staged what its instruction depends on.

use crate::graph::column::Column;
use crate::graph::event::Event;
use crate::graph::payload::AccessKind;
use crate::graph::store::Graph;
use crate::ids::EventId;
use std::sync::Arc;

/// Reads of a thread, in order, each by how many came before it.
pub type ReadSet = Arc<[u32]>;

/// The ways in which an event can depend on a read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dependency {
    /// By its address.
    Addr,
    /// By what it writes.
    Data,
    /// By being reached.
    Ctrl,
}

/// What an instruction depends on, and how many reads its thread made before it.
#[derive(Clone, Debug, Default)]
pub struct Depends {
    /// By `Dependency`.
    pub sets: [ReadSet; 3],
    /// How many reads came before it.
    pub reads: u32,
}

/// The column.
#[derive(Clone, Default)]
pub struct Dependencies {
    is_used: bool,
    staged: Depends,
    entries: Vec<Depends>,
}

impl Dependencies {
    /// For a graph whose threads may have gaps.
    pub fn in_use() -> Dependencies {
        Dependencies { is_used: true, ..Dependencies::default() }
    }

    /// Whether threads may have gaps (I1).
    pub fn is_used(&self) -> bool {
        self.is_used
    }

    /// Events that are added from now on belong to an instruction that depends on this.
    pub fn stage(&mut self, depends: Depends) {
        self.staged = depends;
    }
}

impl Depends {
    /// What an event of the instruction depends on: only accesses have addresses, and only writes have data.
    pub fn for_event(mut self, event: &Event) -> Depends {
        let [addr, data, _] = &mut self.sets;
        if event.access_kind() != Some(AccessKind::Write) {
            *data = ReadSet::default();
        }
        if event.access_kind().is_none() {
            *addr = ReadSet::default();
        }
        self
    }

    /// Whether another says the same.
    pub fn is_same(&self, other: &Depends) -> bool {
        let alike = |(one, other): (&ReadSet, &ReadSet)| Arc::ptr_eq(one, other) || one == other;
        self.reads == other.reads && self.sets.iter().zip(&other.sets).all(alike)
    }
}

impl Graph {
    /// What an event depends on, if that is kept.
    pub fn depends(&self, id: EventId) -> Option<&Depends> {
        self.dependencies.entries.get(id.at())
    }

    /// The reads that an event depends on in one way, newest first.
    pub fn dependencies(&self, id: EventId, how: Dependency) -> impl Iterator<Item = EventId> + '_ {
        let empty: &[u32] = &[];
        let entry = self.dependencies.entries.get(id.at());
        let set = entry.map_or(empty, |entry| &entry.sets[how as usize][..]);
        self.earlier_in_thread(id).filter(move |earlier| !set.is_empty() && self.is_read_of(*earlier, set))
    }

    /// The events before one in its thread, newest first.
    pub fn earlier_in_thread(&self, id: EventId) -> impl Iterator<Item = EventId> + '_ {
        let before = |id: EventId| Some(self.event(id).po_prev).filter(|id| id.is_some());
        std::iter::successors(before(id), move |id| before(*id))
    }

    fn is_read_of(&self, id: EventId, set: &[u32]) -> bool {
        let is_read = self.event(id).access_kind() == Some(AccessKind::Read);
        is_read && set.binary_search(&self.dependencies.entries[id.at()].reads).is_ok()
    }
}

impl Column for Dependencies {
    #[inline(always)]
    fn push(&mut self, event: &Event, _base: Option<EventId>) {
        if self.is_used {
            self.push_entry(event);
        }
    }

    #[inline(always)]
    fn pop(&mut self) {
        if self.is_used {
            self.entries.pop();
        }
    }

    fn clear_like(&mut self, _other: &Self) {
        self.entries.clear();
    }

    fn copy_from(&mut self, other: &Self) {
        self.clone_from(other);
    }

    #[inline(always)]
    fn restrict(&mut self, other: &Self, same: usize, map: &[EventId]) {
        if other.is_used {
            self.restrict_entries(other, same, map);
        }
    }

    fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Depends>()
    }

    fn bytes_reserved(&self) -> usize {
        self.entries.capacity() * size_of::<Depends>()
    }
}

impl Dependencies {
    /// As `Column::restrict`, if there are entries.
    #[inline(never)]
    fn restrict_entries(&mut self, other: &Self, same: usize, map: &[EventId]) {
        let kept = |(at, _): &(usize, &Depends)| *at < same || map[*at].is_some();
        self.entries.clear();
        self.entries.extend(other.entries.iter().enumerate().filter(kept).map(|(_, entry)| entry.clone()));
    }

    fn push_entry(&mut self, event: &Event) {
        self.entries.push(self.staged.clone().for_event(event));
    }
}
