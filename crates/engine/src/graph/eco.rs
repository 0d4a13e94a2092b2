//! What the links by cells say about accesses: which come before and after which in `rf`, `co` and `fr`.

use super::store::Graph;
use crate::ids::{EventId, LocId};

impl Graph {
    /// Whether two accesses of the same bytes read or write the same value. That of 16 bytes is in its pieces.
    pub fn is_same_value(&self, one: EventId, other: EventId) -> bool {
        let (access, second) = (self.event(one).access(), self.event(other).access());
        access.value == second.value
            && (access.size <= 8 || self.cells.values(one) == self.cells.values(other))
    }

    /// Whether a read sees the newest write of every cell.
    pub fn sees_latest(&self, read: EventId) -> bool {
        if self.cells.is_used() {
            return self.cells.linked(read).all(|(cell, source)| self.cells.cell(cell).last() == source);
        }
        self.loc(self.event(read).loc()).last == self.rf(read)
    }

    /// The writes that come after what a read sees.
    pub fn overwriters(&self, read: EventId) -> Vec<EventId> {
        if self.cells.is_used() {
            let later = |(cell, source)| self.cells.cell(cell).after(source).iter().copied();
            return self.cells.linked(read).flat_map(later).collect();
        }
        self.co_after(self.event(read).loc(), self.rf(read)).collect()
    }

    /// The reads that see a write.
    pub fn readers(&self, write: EventId) -> Vec<EventId> {
        if !self.cells.is_used() {
            return self.readers_of(write).collect();
        }
        let mut readers = Vec::new();
        for cell in self.cells.written(write) {
            let reads = self.cells.cell(*cell).reads.iter().copied();
            readers.extend(reads.filter(|read| self.cells.source_in(*read, *cell) == write));
        }
        readers
    }

    /// Whether a write would come between what a read-modify-write read and what it wrote, if it stood directly
    /// after `after` in a cell.
    pub fn splits_rmw_in(&self, cell: LocId, after: EventId) -> bool {
        let next = self.cells.cell(cell).after(after).first();
        next.is_some_and(|next| self.is_update_of(*next, cell, after))
    }

    /// Whether a write is that of a read-modify-write that has read another one in a cell.
    #[inline]
    pub fn is_update_of(&self, write: EventId, cell: LocId, other: EventId) -> bool {
        let event = self.event(write);
        event.is_exclusive() && self.cells.source_in(event.po_prev, cell) == other
    }

    /// The immediate successors of an event in `rf`, `co` and `fr`; following them gives all.
    pub fn each_eco_next(&self, event: EventId, mut found: impl FnMut(EventId)) {
        let cells = &self.cells;
        for (place, source) in cells.linked(event) {
            let cell = cells.cell(place);
            // A read that has no source yet is in no list.
            if cell.reads.contains(&event) {
                // What comes after the write of a section comes after all that the section has read.
                cell.after(source)
                    .first()
                    .filter(|next| **next != event)
                    .into_iter()
                    .for_each(|next| found(*next));
            }
        }
        for place in cells.written(event) {
            let cell = cells.cell(*place);
            cell.after(event).first().into_iter().for_each(|next| found(*next));
            // `rf` leads to the read of a section, and not to its write.
            let reads = cell.reads.iter().filter(|read| self.event(**read).is_read());
            reads.filter(|read| cells.source_in(**read, *place) == event).for_each(|read| found(*read));
        }
    }

    /// The immediate predecessors of an event in `rf`, `co` and `fr`.
    pub fn each_eco_prev(&self, event: EventId, mut found: impl FnMut(EventId)) {
        let cells = &self.cells;
        if self.event(event).is_read() {
            for (place, source) in cells.linked(event) {
                if source.is_some() && cells.cell(place).reads.contains(&event) {
                    found(source);
                }
            }
        }
        for place in cells.written(event) {
            let cell = cells.cell(*place);
            if !cell.writes.contains(&event) {
                continue;
            }
            let previous = cell.before(event).last().copied().unwrap_or(EventId::NONE);
            if previous.is_some() {
                found(previous);
            }
            let overwritten =
                |read: &&EventId| **read != event && cells.source_in(**read, *place) == previous;
            cell.reads.iter().filter(overwritten).for_each(|read| found(*read));
        }
    }
}
