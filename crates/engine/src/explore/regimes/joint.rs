//! Choices of a revisit where accesses have several cells: the places of the write, and what the read sees.

use crate::graph::Graph;
use crate::ids::{EventId, LocId};

/// The writes that each cell of an event may be linked to, the newest first.
pub(super) struct Joint {
    options: Vec<Vec<EventId>>,
}

impl Joint {
    /// Where a write that is not placed may stand.
    pub fn of_write(graph: &Graph, write: EventId) -> Joint {
        Joint { options: graph.cells.of(write).iter().map(|cell| in_cell(graph, *cell)).collect() }
    }

    /// What a read may see, with a write that is not placed.
    pub fn of_read(graph: &Graph, read: EventId, write: EventId) -> Joint {
        let options = graph.cells.of(read).iter().map(|cell| {
            let mut writes = in_cell(graph, *cell);
            if graph.cells.of(write).contains(cell) {
                writes.insert(0, write);
            }
            writes
        });
        Joint { options: options.collect() }
    }

    /// The largest digit of each cell.
    pub fn limits(&self) -> Vec<usize> {
        self.options.iter().map(|writes| writes.len() - 1).collect()
    }

    /// How many combinations there are.
    pub fn ways(&self) -> u64 {
        self.options.iter().map(|writes| writes.len() as u64).fold(1, u64::saturating_mul)
    }

    /// `ways`, which the caller has found to be few enough.
    pub fn count(&self) -> u32 {
        self.ways() as u32
    }

    /// The writes that digits stand for.
    pub fn writes(&self, digits: &[usize]) -> Vec<EventId> {
        self.options.iter().zip(digits).map(|(writes, digit)| writes[*digit]).collect()
    }

    /// The number of a combination.
    pub fn number(&self, chosen: &[EventId]) -> u32 {
        let digits = self.options.iter().zip(chosen).rev();
        digits.fold(0, |number, (writes, chosen)| {
            let digit = writes.iter().position(|write| write == chosen).expect("it is an option");
            number * writes.len() as u32 + digit as u32
        })
    }

    /// The combination with a number.
    pub fn writes_of(&self, mut number: u32) -> Vec<EventId> {
        let mut next = |writes: &Vec<EventId>| {
            let digit = number % writes.len() as u32;
            number /= writes.len() as u32;
            writes[digit as usize]
        };
        self.options.iter().map(&mut next).collect()
    }
}

/// The writes of a cell, the newest first, the initial one last.
fn in_cell(graph: &Graph, cell: LocId) -> Vec<EventId> {
    graph.cells.cell(cell).writes.iter().rev().copied().chain([EventId::NONE]).collect()
}
