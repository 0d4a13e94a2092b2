//! Cells: runs of bytes that every access of a program covers as a whole or not at all.
//!
//! Where a boundary between two cells must be is known only when an access starts or ends there. If that is inside a
//! cell, the exploration starts again with a cut at this place.

use crate::explore::choices::locations::{Location, Locations};
use crate::graph::{Access, Graph};
use crate::ids::{EventId, LocId};
use crate::memory::Memory;
use std::collections::{BTreeMap, BTreeSet};

/// Choices of sources, or of places, that an access may have: each is a number that is no event's.
const MOST_WAYS: u64 = u32::MAX as u64;
/// Bytes of a cell: its value is a number.
pub const LARGEST_CELL: u8 = 8;

/// The cells of an exploration.
#[derive(Default)]
pub struct CellTable {
    /// Addresses where no cell goes on.
    cuts: BTreeSet<u64>,
    /// Cells by their addresses.
    cells: BTreeMap<u64, LocId>,
    /// The cells of each location.
    of: Vec<Vec<LocId>>,
}

impl CellTable {
    /// With boundaries that are known already.
    pub fn new(cuts: &[u64]) -> CellTable {
        CellTable { cuts: cuts.iter().copied().collect(), ..CellTable::default() }
    }

    /// Forgets all cells.
    pub fn clear(&mut self) {
        self.cells.clear();
        self.of.clear();
    }
}

impl Locations {
    /// The cells of a location, by address.
    pub fn cells(&self, id: LocId) -> &[LocId] {
        let table = self.cell_table.as_ref().expect("accesses have several sizes");
        &table.of[id.at()]
    }

    /// The value of an access of up to 8 bytes whose cells have the values of these writes.
    pub fn assemble(&self, graph: &Graph, access: &Access, writes: impl Iterator<Item = EventId>) -> u64 {
        self.cells(access.loc).iter().zip(writes).fold(0, |value, (cell, write)| {
            let offset = self.get(*cell).address - access.address;
            value | self.part_of(graph, *cell, write) << (8 * offset)
        })
    }

    /// What a write, the initial one or another, has in a cell.
    pub fn part_of(&self, graph: &Graph, cell: LocId, write: EventId) -> u64 {
        if write.is_none() {
            return self.get(cell).initial;
        }
        let written = graph.event(write).access();
        if graph.is_in_section(write) || written.size > LARGEST_CELL {
            return graph.cells.written_in(write, cell).expect("it writes the cell");
        }
        self.part_of_value(cell, written.address, written.value)
    }

    /// The part of a value at an address that is in a cell.
    pub fn part_of_value(&self, cell: LocId, address: u64, value: u64) -> u64 {
        let cell = self.get(cell);
        value >> (8 * (cell.address - address)) & mask(cell.size)
    }

    /// The same for up to 16 bytes.
    pub fn assemble_pair(
        &self,
        graph: &Graph,
        access: &Access,
        writes: impl Iterator<Item = EventId>,
    ) -> u128 {
        let cells = self.cells(access.loc).iter().copied().zip(writes);
        self.pair_of(access, cells.map(|(cell, write)| self.part_of(graph, cell, write)))
    }

    /// What an access of 16 bytes, which has its value, reads or writes.
    pub fn pair(&self, graph: &Graph, event: EventId) -> u128 {
        self.pair_of(graph.event(event).access(), graph.cells.values(event).iter().copied())
    }

    fn pair_of(&self, access: &Access, parts: impl Iterator<Item = u64>) -> u128 {
        self.cells(access.loc).iter().zip(parts).fold(0, |value, (cell, part)| {
            value | u128::from(part) << (8 * (self.get(*cell).address - access.address))
        })
    }

    /// The parts of a value of 16 bytes, by cell.
    pub fn parts_of_pair(&self, access: &Access, value: u128) -> Vec<u64> {
        let part = |cell: &LocId| {
            let Location { address, size, .. } = *self.get(*cell);
            (value >> (8 * (address - access.address))) as u64 & mask(size)
        };
        self.cells(access.loc).iter().map(part).collect()
    }

    /// Whether the choices of an access of this location are too many to be numbered.
    pub(in crate::explore) fn has_too_many_ways(&self, id: LocId, graph: &Graph) -> bool {
        let Some(table) = &self.cell_table else { return false };
        are_too_many_ways(graph, &table.of[id.at()])
    }

    /// Divides a new location into cells. Returns a cell that one of its ends would cut.
    pub(super) fn divide(&mut self, id: LocId, memory: &Memory) -> Option<LocId> {
        let (start, size) = self.name(id);
        let end = start + u64::from(size);
        let mut cells = Vec::new();
        let mut at = start;
        while at < end {
            let next = self.cell_from(at, end);
            let cell = match next {
                Next::Cell(cell) => cell,
                Next::Cut(cell) => return Some(cell),
                Next::New(stop) if (at, stop) == (start, end) => id,
                Next::New(stop) => self.add_undivided(at, (stop - at) as u8, memory),
            };
            if (cell != id || at > start) && self.has_no_cuts() {
                return Some(cell); // The first of several cells: threads take turns in another order from now on.
            }
            self.set_cells(cell, vec![cell]);
            let table = self.cell_table.as_mut().expect("accesses have several sizes");
            table.cells.insert(at, cell);
            cells.push(cell);
            at += u64::from(self.get(cell).size);
        }
        self.set_cells(id, cells);
        None
    }

    fn has_no_cuts(&self) -> bool {
        self.cell_table.as_ref().is_some_and(|table| table.cuts.is_empty())
    }

    fn set_cells(&mut self, id: LocId, cells: Vec<LocId>) {
        let of = &mut self.cell_table.as_mut().expect("accesses have several sizes").of;
        if of.len() <= id.at() {
            of.resize(id.at() + 1, Vec::new());
        }
        of[id.at()] = cells;
    }

    /// What there is from an address on, up to another at most.
    fn cell_from(&self, at: u64, end: u64) -> Next {
        let table = self.cell_table.as_ref().expect("accesses have several sizes");
        let stop_of = |cell: LocId| self.get(cell).address + u64::from(self.get(cell).size);
        let here = table.cells.range(..=at).next_back().map(|(_, cell)| *cell);
        match here.filter(|cell| stop_of(*cell) > at) {
            Some(cell) if self.get(cell).address == at && stop_of(cell) <= end => Next::Cell(cell),
            Some(cell) => Next::Cut(cell),
            None => {
                let next_cell = table.cells.range(at..).next().map_or(end, |(start, _)| *start);
                let next_cut = table.cuts.range(at + 1..).next().copied().unwrap_or(end);
                Next::New(end.min(next_cell).min(next_cut).min(at + u64::from(LARGEST_CELL)))
            }
        }
    }
}

/// What a location has at an address.
enum Next {
    /// A cell that starts there.
    Cell(LocId),
    /// A cell, but the location covers a part of it only.
    Cut(LocId),
    /// No cell yet, up to this address.
    New(u64),
}

/// Whether the choices of a write for each of these cells are too many to be numbered.
pub(in crate::explore) fn are_too_many_ways(graph: &Graph, cells: &[LocId]) -> bool {
    let writes = |cell: &LocId| graph.cells.all().get(cell.at()).map_or(0, |cell| cell.writes.len());
    let ways = cells.iter().map(|cell| writes(cell) as u64 + 1);
    ways.fold(1, u64::saturating_mul) > MOST_WAYS
}

fn mask(size: u8) -> u64 {
    match size {
        8.. => u64::MAX,
        size => (1 << (8 * size)) - 1,
    }
}
