//! Locations: each (address, size) that the program accesses gets a small number, once.
//!
//! Two sizes at overlapping bytes are different locations that know each other; a graph in which both
//! have events mixes sizes, which is refused.

use crate::explore::choices::cells::{CellTable, LARGEST_CELL};
use crate::graph::Graph;
use crate::ids::{EventId, LocId};
use crate::memory::Memory;
use crate::program::{region, Region, GLOBAL_BASE};
use crate::vm::PAIR;
use std::collections::HashMap;

const NONE: u32 = u32::MAX;

/// A location.
#[derive(Clone, Debug)]
pub struct Location {
    /// Where.
    pub address: u64,
    /// How many bytes.
    pub size: u8,
    /// Its value in initial memory; of 16 bytes, the lower half.
    pub initial: u64,
    /// It lies in a global, which lives for ever.
    pub is_global: bool,
    /// It lies in a global that may not be written.
    pub is_constant: bool,
    overlaps: Vec<LocId>,
    same_address: u32,
}

/// The table of locations of an exploration.
#[derive(Default)]
pub struct Locations {
    list: Vec<Location>,
    direct: Vec<u32>,
    hashed: HashMap<u64, u32>,
    /// If accesses may have several sizes.
    pub(super) cell_table: Option<CellTable>,
}

impl Locations {
    /// A table for a program with this many bytes of globals at small offsets, which are looked up fastest.
    pub fn new(near_span: usize) -> Locations {
        let direct = vec![NONE; near_span];
        Locations { list: Vec::new(), direct, hashed: HashMap::new(), cell_table: None }
    }

    /// The same for accesses of several sizes.
    pub fn with_cells(self, table: CellTable) -> Locations {
        Locations { cell_table: Some(table), ..self }
    }

    /// How many locations there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// A location.
    #[inline(always)]
    pub fn get(&self, id: LocId) -> &Location {
        &self.list[id.at()]
    }

    /// The value of a write of a location (`NONE`: the initial one).
    #[inline(always)]
    pub fn value_of(&self, graph: &Graph, loc: LocId, write: EventId) -> u64 {
        if write.is_some() {
            graph.event(write).access().value
        } else {
            self.get(loc).initial
        }
    }

    /// The location's number, if it was met before.
    #[inline]
    pub fn find(&self, address: u64, size: u8) -> Option<LocId> {
        let mut id = self.head(address);
        while id != NONE {
            let location = &self.list[id as usize];
            if location.size == size {
                return Some(LocId(id));
            }
            id = location.same_address;
        }
        None
    }

    #[inline]
    fn head(&self, address: u64) -> u32 {
        let offset = address.wrapping_sub(GLOBAL_BASE);
        match self.direct.get(offset as usize) {
            Some(id) => *id,
            None => self.hashed.get(&address).copied().unwrap_or(NONE),
        }
    }

    /// Numbers a new location, and its cells. The second is a cell that one of its ends would cut.
    pub fn add(&mut self, address: u64, size: u8, memory: &Memory) -> (LocId, Option<LocId>) {
        let id = self.add_undivided(address, size, memory);
        let cut = self.cell_table.is_some().then(|| self.divide(id, memory)).flatten();
        (id, cut)
    }

    pub(super) fn add_undivided(&mut self, address: u64, size: u8, memory: &Memory) -> LocId {
        let id = LocId::from_usize(self.list.len());
        let overlaps = self.overlapping(address, size);
        for other in &overlaps {
            self.list[other.at()].overlaps.push(id);
        }
        self.list.push(Location {
            address,
            size,
            initial: memory.read(address, size.min(LARGEST_CELL)),
            is_global: region(address) == Region::GLOBAL,
            is_constant: memory.global(address, u64::from(size)) == Some(true),
            overlaps,
            same_address: self.head(address),
        });
        let offset = address.wrapping_sub(GLOBAL_BASE);
        match self.direct.get_mut(offset as usize) {
            Some(slot) => *slot = id.0,
            None => {
                self.hashed.insert(address, id.0);
            }
        }
        id
    }

    /// The address and size of a location.
    pub fn name(&self, id: LocId) -> (u64, u8) {
        (self.get(id).address, self.get(id).size)
    }

    /// The address and size of each location, by number.
    pub fn names(&self) -> Vec<(u64, u8)> {
        self.list.iter().map(|location| (location.address, location.size)).collect()
    }

    /// Gives locations the numbers that another table has given them.
    pub fn follow(&mut self, names: &[(u64, u8)], memory: &Memory) {
        let known = self.list.len().min(names.len());
        if (0..known).any(|id| (self.list[id].address, self.list[id].size) != names[id]) {
            self.clear();
        }
        while self.list.len() < names.len() {
            let (address, size) = names[self.list.len()];
            self.add(address, size, memory);
        }
    }

    fn clear(&mut self) {
        for location in self.list.drain(..) {
            let offset = location.address.wrapping_sub(GLOBAL_BASE);
            if let Some(slot) = self.direct.get_mut(offset as usize) {
                *slot = NONE;
            }
        }
        self.hashed.clear();
        if let Some(table) = &mut self.cell_table {
            table.clear();
        }
    }

    fn overlapping(&self, address: u64, size: u8) -> Vec<LocId> {
        let mut found = Vec::new();
        for start in address.saturating_sub(u64::from(PAIR) - 1)..address + u64::from(size) {
            let mut id = self.head(start);
            while id != NONE {
                let other = &self.list[id as usize];
                if start + u64::from(other.size) > address {
                    found.push(LocId(id));
                }
                id = other.same_address;
            }
        }
        found
    }

    /// A location of another size over the same bytes that this graph accesses too.
    #[inline(always)]
    pub fn mixed_with(&self, id: LocId, graph: &Graph) -> Option<LocId> {
        let overlaps = &self.list[id.at()].overlaps;
        if overlaps.is_empty() || self.cell_table.is_some() {
            return None;
        }
        let used = overlaps.iter().copied().filter(|other| !graph.loc(*other).is_unused());
        // Not the first that was met: that depends on what was explored before.
        used.min_by_key(|other| (self.get(*other).address, self.get(*other).size))
    }
}
