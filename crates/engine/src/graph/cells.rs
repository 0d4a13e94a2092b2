//! Links of accesses of several sizes: `rf` and `co` for each cell (Mixer §4.1, §6.1).
//!
//! A *cell* is a run of bytes that every access covers as a whole or not at all. An access has a *piece* for each of
//! its cells. A read has a source per piece; the writes of a cell are in coherence order. Edges between events are
//! what the papers call lifted: they are there if they are there for some cell.
//!
//! The write of an atomic section has pieces of both kinds: those that it writes, and those that the section has read
//! (see `sections`).
//!
//! Departs 1 from Mixer §6.1: coherence is kept per cell, not as one list per word that has to be permuted.
//! I1: a graph uses either these links, for all its accesses, or those in the events (`links`), for all of them.
//! I2: `starts` has an entry for each event up to the newest access; what comes after that has no pieces.

use super::cell::Cell;
use super::sections::Demand;
use super::store::Graph;
use crate::ids::{EventId, LocId};
use std::ops::Range;

/// The links of a graph by cells.
#[derive(Clone, Debug)]
pub struct Cells {
    is_used: bool,
    /// There are atomic sections, whose events may have any number of cells.
    has_sections: bool,
    /// The oldest access that has several cells.
    first_wide: EventId,
    /// Writes that are newer than a read that sees them, or saw them once.
    revisiting: Vec<EventId>,
    /// Where the pieces of each event begin.
    starts: Vec<u32>,
    /// Where those begin that it writes; what comes before is read.
    middles: Vec<u32>,
    /// The cell of each piece.
    pub(super) places: Vec<LocId>,
    /// What each piece of a read reads; nothing for writes.
    pub(super) sources: Vec<EventId>,
    /// What each piece reads or writes, if the event's own value has no room for that.
    pub(super) values: Vec<u64>,
    /// By the location's number.
    cells: Vec<Cell>,
    /// What a section that was revisited must read from, or it is dropped.
    pub demand: Demand,
}

impl Default for Cells {
    fn default() -> Cells {
        Cells {
            is_used: false,
            has_sections: false,
            first_wide: EventId::NONE,
            revisiting: Vec::new(),
            starts: Vec::new(),
            middles: Vec::new(),
            places: Vec::new(),
            sources: Vec::new(),
            values: Vec::new(),
            cells: Vec::new(),
            demand: Demand::default(),
        }
    }
}

impl Cells {
    /// Links of no events, to be used from now on.
    pub fn in_use() -> Cells {
        Cells { is_used: true, ..Cells::default() }
    }

    /// Whether the graph keeps its links here.
    #[inline(always)]
    pub fn is_used(&self) -> bool {
        self.is_used
    }

    /// Whether an access has several cells, or there are atomic sections.
    #[inline(always)]
    pub fn has_wide(&self) -> bool {
        self.first_wide.is_some() || self.has_sections
    }

    /// A cell.
    #[inline]
    pub fn cell(&self, cell: LocId) -> &Cell {
        &self.cells[cell.at()]
    }

    /// All cells, by number; some numbers are of locations that are not cells.
    pub fn all(&self) -> &[Cell] {
        &self.cells
    }

    /// The pieces of an event.
    #[inline]
    pub fn pieces(&self, event: EventId) -> Range<usize> {
        let end = self.places.len();
        let start = |at: usize| self.starts.get(at).map_or(end, |start| *start as usize);
        start(event.at())..start(event.at() + 1)
    }

    /// The pieces that an event has read.
    #[inline]
    pub fn reading(&self, event: EventId) -> Range<usize> {
        let pieces = self.pieces(event);
        pieces.start..self.middles.get(event.at()).map_or(pieces.end, |middle| *middle as usize)
    }

    /// The pieces that an event writes.
    #[inline]
    pub fn writing(&self, event: EventId) -> Range<usize> {
        let pieces = self.pieces(event);
        self.middles.get(event.at()).map_or(pieces.end, |middle| *middle as usize)..pieces.end
    }

    /// The cells that a read reads, or a write writes.
    #[inline]
    pub fn of(&self, event: EventId) -> &[LocId] {
        let written = self.writing(event);
        &self.places[if written.is_empty() { self.pieces(event) } else { written }]
    }

    /// What the pieces that an event has read come from.
    #[inline]
    pub fn sources(&self, event: EventId) -> &[EventId] {
        &self.sources[self.reading(event)]
    }

    /// The cells that an event has read, each with its source.
    pub fn linked(&self, event: EventId) -> impl Iterator<Item = (LocId, EventId)> + '_ {
        self.reading(event).map(|piece| (self.places[piece], self.sources[piece]))
    }

    /// The first cell of an access, and what it reads there. It is the only one unless the access is wide.
    #[inline(always)]
    pub fn only(&self, event: EventId) -> (LocId, EventId) {
        let piece = self.starts[event.at()] as usize;
        (self.places[piece], self.sources[piece])
    }

    /// The cells that an event writes.
    #[inline]
    pub fn written(&self, event: EventId) -> &[LocId] {
        &self.places[self.writing(event)]
    }

    /// What the pieces of an event read or write, if its own value has no room for that.
    pub fn values(&self, event: EventId) -> &[u64] {
        &self.values[self.pieces(event)]
    }

    /// Sets what the pieces of an event read or write.
    pub fn set_values(&mut self, event: EventId, values: &[u64]) {
        let pieces = self.pieces(event);
        self.values[pieces].copy_from_slice(values);
    }

    /// What a read reads in a cell that it covers.
    #[inline]
    pub fn source_in(&self, read: EventId, cell: LocId) -> EventId {
        if !self.has_wide() {
            return self.only(read).1;
        }
        let found = self.linked(read).find(|(other, _)| *other == cell);
        found.map_or(EventId::NONE, |(_, source)| source)
    }

    /// Gives a new event, the newest one, its pieces. (If its class changes later, it races as before.)
    pub fn attach(&mut self, event: EventId, cells: &[LocId], is_read: bool, class: u8) {
        self.make_room(cells, class);
        self.extend(event, cells, if is_read { cells.len() } else { 0 });
    }

    /// Cells get an access of a class.
    pub(super) fn make_room(&mut self, cells: &[LocId], class: u8) {
        for cell in cells {
            self.expect(std::slice::from_ref(cell));
            self.cells[cell.at()].classes |= 1 << class;
        }
    }

    /// Makes room for cells.
    #[inline]
    pub fn expect(&mut self, cells: &[LocId]) {
        for cell in cells {
            if self.cells.len() <= cell.at() {
                self.cells.resize_with(cell.at() + 1, Cell::default);
            }
        }
    }

    /// Appends the pieces of an event, of which the first are read.
    pub(super) fn extend(&mut self, event: EventId, cells: &[LocId], read: usize) {
        if cells.len() > 1 && self.first_wide.is_none() {
            self.first_wide = event;
        }
        let start = self.places.len() as u32;
        while self.starts.len() < event.at() {
            self.starts.push(start);
            self.middles.push(start);
        }
        self.starts.push(start);
        self.middles.push(start + read as u32);
        for cell in cells {
            self.places.push(*cell);
            self.sources.push(EventId::NONE);
            self.values.push(0);
        }
    }

    /// Makes a read read from a write per piece.
    pub fn link_read(&mut self, read: EventId, sources: impl Iterator<Item = EventId>) {
        for (piece, source) in self.reading(read).zip(sources) {
            self.sources[piece] = source;
            self.cells[self.places[piece].at()].reads.push(read);
            if source.is_some() && source > read && !self.revisiting.contains(&source) {
                self.revisiting.push(source);
            }
        }
    }

    /// Whether a read that was there before a write may see it.
    #[inline]
    pub fn may_have_revisited(&self, write: EventId) -> bool {
        self.has_sections || self.revisiting.contains(&write)
    }

    /// Puts a write directly after another in each of its cells.
    pub fn link_write(&mut self, write: EventId, after: impl Iterator<Item = EventId>) {
        for piece in self.reading(write) {
            self.cells[self.places[piece].at()].reads.push(write);
        }
        for (piece, after) in self.writing(write).zip(after) {
            let cell = &mut self.cells[self.places[piece].at()];
            let at = match after.is_some() {
                true => 1 + cell.position(after).expect("it is placed"),
                false => 0,
            };
            cell.insert(at, write);
        }
    }

    /// Removes all links of an event.
    #[inline]
    pub fn unlink(&mut self, event: EventId) {
        for piece in self.pieces(event) {
            self.unlink_piece(piece, event);
        }
    }

    #[inline]
    pub(super) fn unlink_piece(&mut self, piece: usize, event: EventId) {
        let cell = &mut self.cells[self.places[piece].at()];
        match piece < self.middles[event.at()] as usize {
            true => cell.remove_read(event),
            false => cell.remove_write(event),
        }
    }

    /// Pieces were added to an event, or removed: what comes after it moves.
    pub(super) fn shift(&mut self, event: EventId, by: i64) {
        let moved = |place: &mut u32| *place = (i64::from(*place) + by) as u32;
        self.middles[event.at()..].iter_mut().for_each(moved);
        self.starts[event.at() + 1..].iter_mut().for_each(moved);
    }

    /// Says where a cell is.
    pub fn set_name(&mut self, cell: LocId, name: (u64, u8)) {
        self.cells[cell.at()].name = name;
    }

    pub(super) fn cell_mut(&mut self, cell: LocId) -> &mut Cell {
        &mut self.cells[cell.at()]
    }

    /// There may be atomic sections from now on: threads take turns from left to right, as if accesses had several cells.
    pub fn expect_sections(&mut self) {
        self.has_sections = true;
    }

    /// Whether there may be atomic sections.
    #[inline(always)]
    pub fn has_sections(&self) -> bool {
        self.has_sections
    }

    /// Removes the newest event.
    pub(super) fn pop(&mut self, event: EventId) {
        if event.at() >= self.starts.len() {
            return;
        }
        self.unlink(event);
        let start = self.starts[event.at()] as usize;
        self.places.truncate(start);
        self.sources.truncate(start);
        self.values.truncate(start);
        self.starts.truncate(event.at());
        self.middles.truncate(event.at());
        if self.first_wide == event {
            self.first_wide = EventId::NONE;
        }
        if !self.revisiting.is_empty() {
            self.revisiting.retain(|write| *write != event);
        }
    }

    /// Becomes a copy.
    pub(super) fn copy_from(&mut self, other: &Cells) {
        (self.is_used, self.has_sections, self.first_wide) =
            (other.is_used, other.has_sections, other.first_wide);
        self.demand.clone_from(&other.demand);
        self.revisiting.clone_from(&other.revisiting);
        self.starts.clone_from(&other.starts);
        self.middles.clone_from(&other.middles);
        self.places.clone_from(&other.places);
        self.sources.clone_from(&other.sources);
        self.values.clone_from(&other.values);
        self.cells.clone_from(&other.cells);
    }

    /// Removes all events.
    pub(super) fn clear(&mut self) {
        self.first_wide = EventId::NONE;
        self.revisiting.clear();
        self.starts.clear();
        self.middles.clear();
        self.places.clear();
        self.sources.clear();
        self.values.clear();
        self.cells.iter_mut().for_each(Cell::clear);
    }

    /// Becomes what is left of the links of another graph: `map` says what became of its events, of which the first
    /// `same` stay. `unlinked` has no links any more.
    pub(super) fn restrict(&mut self, other: &Cells, same: usize, map: &[EventId], unlinked: EventId) {
        self.keep_first(other, same);
        self.demand.writes.clear();
        let renamed = |old: EventId| if old.is_some() { map[old.at()] } else { old };
        self.sources.iter_mut().for_each(|source| *source = renamed(*source));
        self.revisiting.clear();
        self.revisiting
            .extend(other.revisiting.iter().map(|write| map[write.at()]).filter(|new| new.is_some()));
        for (old, new) in map.iter().enumerate().skip(same).filter(|(_, new)| new.is_some()) {
            let pieces = other.pieces(EventId::from_usize(old));
            if pieces.is_empty() {
                continue;
            }
            let read = other.reading(EventId::from_usize(old)).len();
            self.extend(*new, &other.places[pieces.clone()], read);
            let first = self.places.len() - pieces.len();
            for (at, piece) in pieces.enumerate() {
                self.sources[first + at] = renamed(other.sources[piece]);
                self.values[first + at] = other.values[piece];
            }
        }
        if self.cells.len() < other.cells.len() {
            self.cells.resize_with(other.cells.len(), Cell::default);
        }
        for (cell, from) in self.cells.iter_mut().zip(&other.cells) {
            cell.keep(from, same, map, unlinked);
        }
        self.cells.iter_mut().skip(other.cells.len()).for_each(Cell::clear);
    }

    /// The same where any event may be missing.
    pub(super) fn adopt(&mut self, other: &Cells, map: &[EventId], unlinked: EventId) {
        (self.is_used, self.has_sections) = (other.is_used, other.has_sections);
        self.restrict(other, 0, map, unlinked);
    }

    /// Takes over the pieces of the first events of another graph.
    fn keep_first(&mut self, other: &Cells, count: usize) {
        let starts = &other.starts[..count.min(other.starts.len())];
        let pieces = other.starts.get(count).map_or(other.places.len(), |start| *start as usize);
        replace(&mut self.starts, starts);
        replace(&mut self.middles, &other.middles[..starts.len()]);
        replace(&mut self.places, &other.places[..pieces]);
        replace(&mut self.sources, &other.sources[..pieces]);
        replace(&mut self.values, &other.values[..pieces]);
        let is_kept = other.first_wide.is_some() && other.first_wide.at() < count;
        self.first_wide = if is_kept { other.first_wide } else { EventId::NONE };
    }

    /// Bytes allocated, roughly.
    pub(super) fn bytes_reserved(&self) -> usize {
        let ids = 2 * self.starts.capacity() + 4 * self.places.capacity();
        let linked: usize =
            self.cells.iter().map(|cell| cell.writes.capacity() + cell.reads.capacity()).sum();
        (ids + linked) * size_of::<EventId>() + self.cells.capacity() * size_of::<Cell>()
    }
}

fn replace<T: Copy>(list: &mut Vec<T>, by: &[T]) {
    list.clear();
    list.extend_from_slice(by);
}

impl Graph {
    /// Whether a test accepts a reader of one of some writes of a cell.
    pub fn has_reader_in(&self, cell: LocId, writes: &[EventId], accepts: impl Fn(EventId) -> bool) -> bool {
        let reads = &self.cells.cell(cell).reads;
        reads.iter().rev().any(|read| accepts(*read) && writes.contains(&self.cells.source_in(*read, cell)))
    }

    /// Fills `child` with what a revisit of `read` leaves: what was added before it, and what `keeps` names. The read
    /// and the newest event, a write, have no links there. Returns the write.
    pub fn restrict_in_cells(
        &self,
        read: EventId,
        keeps: impl Fn(EventId) -> bool,
        child: &mut Graph,
        map: &mut Vec<EventId>,
    ) -> EventId {
        let first = read.at() + 1;
        child.restrict_events(self, first, keeps, map);
        (child.cells.is_used, child.cells.has_sections) = (true, self.cells.has_sections);
        child.cells.restrict(&self.cells, first, map, read);
        map[self.len() - 1]
    }
}
