//! Atomic sections (Mixer §5): the bytes that one reads and writes, wherever they are.
//!
//! A section is a read, of all that it reads before it has written it, and a write, of all that it has written in the
//! end. Both happen at once, so the write has pieces for what the section has read, too: what comes after these comes
//! after the write as well (`fr`).
//!
//! I1: the read gets its pieces one after the other, while the section runs. It need not be the newest event then.

use super::cells::Cells;
use super::event::SECTION;
use super::store::Graph;
use crate::ids::{EventId, LocId};

/// The writes that a section must read from, because they revisit it together.
#[derive(Clone, Default, Debug)]
pub struct Demand {
    /// The section's read.
    pub read: EventId,
    /// The writes.
    pub writes: Vec<EventId>,
}

impl Cells {
    /// Gives the read of a section its first pieces: none.
    pub fn attach_section(&mut self, read: EventId) {
        self.extend(read, &[], 0);
    }

    /// How many pieces an event has read.
    pub fn read_count(&self, event: EventId) -> usize {
        self.reading(event).len()
    }

    /// What a section has read in a cell.
    pub fn value_in(&self, event: EventId, cell: LocId) -> Option<u64> {
        let piece = self.reading(event).find(|piece| self.places[*piece] == cell)?;
        Some(self.values[piece])
    }

    /// What an event writes in a cell.
    pub fn written_in(&self, write: EventId, cell: LocId) -> Option<u64> {
        let piece = self.writing(write).find(|piece| self.places[*piece] == cell)?;
        Some(self.values[piece])
    }

    /// The read of a section reads more cells, each from a write.
    pub fn read_more(&mut self, read: EventId, cells: &[LocId], sources: &[EventId], class: u8) {
        self.make_room(cells, class);
        let end = self.pieces(read).end;
        self.places.splice(end..end, cells.iter().copied());
        self.sources.splice(end..end, sources.iter().copied());
        self.values.splice(end..end, cells.iter().map(|_| 0));
        self.shift(read, cells.len() as i64);
        cells.iter().for_each(|cell| self.cell_mut(*cell).reads.push(read));
    }

    /// Sets what the last pieces of the read of a section read.
    pub fn set_last_values(&mut self, read: EventId, values: &[u64]) {
        let end = self.pieces(read).end;
        self.values[end - values.len()..end].copy_from_slice(values);
    }

    /// The read of a section has read this much only.
    pub fn read_less(&mut self, read: EventId, count: usize) {
        let pieces = self.pieces(read);
        let removed = pieces.start + count..pieces.end;
        for piece in removed.clone() {
            self.unlink_piece(piece, read);
        }
        self.shift(read, -(removed.len() as i64));
        self.places.drain(removed.clone());
        self.sources.drain(removed.clone());
        self.values.drain(removed);
    }

    /// Gives the write of a section, the newest event, its pieces: what the section has read, and what it writes.
    pub fn attach_section_write(
        &mut self,
        write: EventId,
        read: EventId,
        written: &[(LocId, u64)],
        class: u8,
    ) {
        let sources: Vec<(LocId, EventId)> = self.linked(read).collect();
        let cells: Vec<LocId> =
            sources.iter().map(|(cell, _)| *cell).chain(written.iter().map(|(cell, _)| *cell)).collect();
        self.make_room(&cells[sources.len()..], class);
        self.extend(write, &cells, sources.len());
        let first = self.pieces(write).start;
        for (at, (_, source)) in sources.iter().enumerate() {
            self.sources[first + at] = *source;
        }
        for (at, (_, value)) in written.iter().enumerate() {
            self.values[first + sources.len() + at] = *value;
        }
    }
}

impl Graph {
    /// Whether an event belongs to an atomic section.
    #[inline(always)]
    pub fn is_in_section(&self, event: EventId) -> bool {
        self.event(event).flags & SECTION != 0
    }

    /// The bytes that an access reads or writes, in one run or in several.
    pub fn each_run(&self, access: EventId, mut found: impl FnMut(u64, u8)) {
        let event = self.event(access);
        if event.flags & SECTION == 0 {
            return event.as_access().into_iter().for_each(|access| found(access.address, access.size));
        }
        for cell in self.cells.of(access) {
            let (address, size) = self.cells.cell(*cell).name;
            found(address, size);
        }
    }

    /// Whether the write of a section has read the newest writes.
    pub fn has_read_newest(&self, write: EventId) -> bool {
        self.cells.linked(write).all(|(cell, source)| self.cells.cell(cell).last() == source)
    }

    /// Whether two accesses have bytes in common.
    #[inline]
    pub fn overlap(&self, one: EventId, other: EventId) -> bool {
        if !self.is_in_section(one) && !self.is_in_section(other) {
            let accesses = self.event(one).as_access().zip(self.event(other).as_access());
            return accesses.is_some_and(|(one, other)| one.overlaps(other));
        }
        let cells = self.cells.of(other);
        self.cells.of(one).iter().any(|cell| cells.contains(cell))
    }
}
