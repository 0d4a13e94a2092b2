//! The accesses of a cell, a run of bytes that every access covers as a whole or not at all.
//!
//! I1: the reads of a cell are in the order in which they were linked.
//! I2: where every access has one cell, what was linked last is unlinked first. So the reads that come before a write
//! (`since`) are those that were there before it, and stay as long as it does.

use crate::ids::EventId;

/// The accesses of a cell.
#[derive(Default, Debug)]
pub struct Cell {
    /// Its writes that have a place, oldest first, without the initial one.
    pub writes: Vec<EventId>,
    /// Its reads that have a source.
    pub reads: Vec<EventId>,
    /// How many reads came before each of the writes: they do not see it. Known where every access has one cell.
    since: Vec<u32>,
    /// The classes of its accesses, and possibly of some that have been removed.
    pub classes: u64,
    /// Its address and its size, if an atomic section accesses it.
    pub name: (u64, u8),
}

impl Clone for Cell {
    fn clone(&self) -> Cell {
        let (writes, reads, since) = (self.writes.clone(), self.reads.clone(), self.since.clone());
        Cell { writes, reads, since, classes: self.classes, name: self.name }
    }

    /// Reuses the room.
    fn clone_from(&mut self, other: &Cell) {
        self.writes.clone_from(&other.writes);
        self.reads.clone_from(&other.reads);
        self.since.clone_from(&other.since);
        (self.classes, self.name) = (other.classes, other.name);
    }
}

impl Cell {
    /// Its newest write, `NONE` for the initial one.
    pub fn last(&self) -> EventId {
        self.writes.last().copied().unwrap_or(EventId::NONE)
    }

    /// The reads that may see the write at a position, where every access has one cell (none: the initial one).
    #[inline]
    pub fn reads_since(&self, position: Option<usize>) -> &[EventId] {
        &self.reads[position.map_or(0, |position| self.since[position] as usize)..]
    }

    /// Where a write is in coherence order.
    #[inline]
    pub fn position(&self, write: EventId) -> Option<usize> {
        self.writes.iter().rposition(|other| *other == write)
    }

    pub(super) fn insert(&mut self, at: usize, write: EventId) {
        self.writes.insert(at, write);
        self.since.insert(at, self.reads.len() as u32);
    }

    pub(super) fn remove_read(&mut self, read: EventId) {
        if let Some(position) = self.reads.iter().rposition(|other| *other == read) {
            self.reads.remove(position);
        }
    }

    pub(super) fn remove_write(&mut self, write: EventId) {
        if let Some(position) = self.position(write) {
            self.writes.remove(position);
            self.since.remove(position);
        }
    }

    /// Becomes what is left of a cell of another graph, without a read that has no source any more.
    pub(super) fn keep(&mut self, other: &Cell, same: usize, map: &[EventId], unlinked: EventId) {
        self.clear();
        for (old, since) in other.writes.iter().zip(&other.since) {
            let new = map[old.at()];
            if new.is_some() {
                self.writes.push(new);
                // Of those that are added again it is not known.
                self.since.push(if new.at() < same { *since } else { 0 });
            }
        }
        for old in &other.reads {
            let new = map[old.at()];
            if new.is_some() && *old != unlinked {
                self.reads.push(new);
            }
        }
        (self.classes, self.name) = (other.classes, other.name);
    }

    pub(super) fn clear(&mut self) {
        self.writes.clear();
        self.reads.clear();
        self.since.clear();
    }

    /// The writes after one, oldest first (`NONE`: all).
    pub fn after(&self, write: EventId) -> &[EventId] {
        if write.is_none() {
            return &self.writes;
        }
        self.position(write).map_or(&[], |position| &self.writes[position + 1..])
    }

    /// The writes before one, oldest first.
    pub fn before(&self, write: EventId) -> &[EventId] {
        self.position(write).map_or(&[], |position| &self.writes[..position])
    }
}
