//! Vector clocks: sets of events that are a prefix of each thread, several for each event.
//!
//! A row of one number per thread holds such a set (how many of that thread's events are in it). Rows survive
//! a change of event ids, cost nothing per event of the graph, and join with a vector max.
//! The caller decides what a row means; a [`Shape`] only says how the rows of a new event start.
//!
//! I1: a change to a row other than the newest event's is on the trail until `undo_to` or `clear`.

use crate::graph::column::Column;
use crate::graph::event::Event;
use crate::ids::EventId;

/// Clocks have room for a multiple of this many threads, and are joined this many numbers at a time.
pub const LANE_STEP: usize = 4;

/// How the rows of a new event start: the first `own` are its predecessor's plus the event itself, the next ones up
/// to `carried` are its predecessor's, and the rest are empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The number of rows that include the event itself.
    pub own: usize,
    /// The number of rows that are copied from the predecessor, including those of `own`.
    pub carried: usize,
    /// The number of all rows.
    pub rows: usize,
}

/// The numbers of a row that are joined at once.
type Chunk = [u32; LANE_STEP];

/// The clocks of a graph.
#[derive(Clone)]
pub struct Views {
    rows: Vec<Chunk>,
    /// Old rows, each followed by where it belongs.
    trail: Vec<Chunk>,
    /// How many chunks a row has.
    chunks: usize,
    /// How many chunks an event has.
    width: usize,
    shape: Shape,
}

impl Views {
    /// No events; `lanes` threads (a multiple of `LANE_STEP`).
    pub fn new(shape: Shape, lanes: usize) -> Views {
        let chunks = lanes / LANE_STEP;
        Views { rows: Vec::new(), trail: Vec::new(), chunks, width: shape.rows * chunks, shape }
    }

    /// How the rows of a new event start.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// How many threads a row has room for.
    pub fn lanes(&self) -> usize {
        self.chunks * LANE_STEP
    }

    #[inline(always)]
    fn start(&self, event: usize, order: usize) -> usize {
        event * self.width + order * self.chunks
    }

    /// The clock of an event in an order.
    #[cfg(test)]
    pub fn row(&self, event: usize, order: usize) -> &[u32] {
        let start = self.start(event, order);
        self.rows[start..start + self.chunks].as_flattened()
    }

    /// How many events of `lane` precede (or are) the event.
    #[inline(always)]
    pub fn count(&self, event: usize, order: usize, lane: usize) -> u32 {
        debug_assert!(lane < self.lanes());
        self.rows[self.start(event, order) + lane / LANE_STEP][lane % LANE_STEP]
    }

    /// How many events of each lane precede (or are) the event.
    #[inline(always)]
    pub fn counts(&self, event: usize, order: usize) -> &[u32] {
        let start = self.start(event, order);
        self.rows[start..start + self.chunks].as_flattened()
    }

    /// Resets an event's rows to what `push` made them, without a trail (the caller owns the undo).
    #[inline]
    pub fn reset(&mut self, event: usize, base: Option<usize>, lane: usize, count: u32) {
        let at = event * self.width;
        let mut filled = at;
        if let Some(base) = base {
            let carried = self.shape.carried * self.chunks;
            self.rows.copy_within(base * self.width..base * self.width + carried, at);
            filled += carried;
        }
        self.rows[filled..at + self.width].fill([0; LANE_STEP]);
        self.own(at, lane, count);
    }

    /// Puts an event, whose rows start at `at`, into its own first rows.
    #[inline(always)]
    fn own(&mut self, at: usize, lane: usize, count: u32) {
        for order in 0..self.shape.own {
            self.rows[at + order * self.chunks + lane / LANE_STEP][lane % LANE_STEP] = count;
        }
    }

    /// Sets a row to the event itself.
    pub fn clear_row(&mut self, event: usize, order: usize, lane: usize, count: u32) {
        let start = self.start(event, order);
        self.rows[start..start + self.chunks].fill([0; LANE_STEP]);
        self.rows[start + lane / LANE_STEP][lane % LANE_STEP] = count;
    }

    /// A row of `to` now holds what that row of `from` holds. No trail: `to` is new.
    #[inline(always)]
    pub fn join(&mut self, to: usize, from: usize, order: usize) {
        self.join_across(to, order, from, order);
    }

    /// As `join`, between two rows.
    #[inline(always)]
    pub fn join_across(&mut self, to: usize, to_order: usize, from: usize, from_order: usize) {
        self.join_rows(self.start(to, to_order), self.start(from, from_order));
    }

    #[inline(always)]
    fn join_rows(&mut self, to: usize, from: usize) {
        for chunk in 0..self.chunks {
            let known = self.rows[from + chunk];
            join_chunks(&mut self.rows[to + chunk], &known);
        }
    }

    /// As `join`, remembering the old row.
    #[inline]
    pub fn join_saved(&mut self, to: usize, from: usize, order: usize) {
        let start = self.start(to, order);
        for chunk in start..start + self.chunks {
            self.trail.push(self.rows[chunk]);
        }
        self.trail.push([start as u32, 0, 0, 0]);
        self.join_rows(start, self.start(from, order));
    }

    /// Whether another holds the same rows.
    pub fn has_same_rows(&self, other: &Self) -> bool {
        self.rows == other.rows
    }

    /// The length of the trail.
    #[inline]
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back every saved change since `mark`, newest first.
    #[inline]
    pub fn undo_to(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let [start, ..] = self.trail.pop().expect("the trail is longer than the mark");
            let (start, saved) = (start as usize, self.trail.len() - self.chunks);
            // A row of an event that has been removed need not be restored.
            if start < self.rows.len() {
                self.rows[start..start + self.chunks].copy_from_slice(&self.trail[saved..]);
            }
            self.trail.truncate(saved);
        }
    }
}

/// An entry has one clock per row of the shape.
impl Column for Views {
    #[inline]
    fn push(&mut self, event: &Event, base: Option<EventId>) {
        let at = self.rows.len();
        if let Some(base) = base {
            let start = base.at() * self.width;
            self.rows.extend_from_within(start..start + self.shape.carried * self.chunks);
        }
        if self.rows.len() < at + self.width {
            self.rows.resize(at + self.width, [0; LANE_STEP]);
        }
        self.own(at, event.thread.at(), event.index + 1);
    }

    #[inline]
    fn pop(&mut self) {
        self.rows.truncate(self.rows.len() - self.width);
    }

    fn clear_like(&mut self, _: &Views) {
        self.rows.clear();
        self.trail.clear();
    }

    fn copy_from(&mut self, other: &Views) {
        self.rows.clone_from(&other.rows);
        self.trail.clear();
    }

    #[inline]
    fn restrict(&mut self, other: &Views, same: usize, map: &[EventId]) {
        self.clear_like(other);
        self.rows.extend_from_slice(&other.rows[..same * self.width]);
        let mut event = same;
        while event < map.len() {
            // Neighbours are copied together.
            let first = event;
            while event < map.len() && map[event].is_some() {
                event += 1;
            }
            self.rows.extend_from_slice(&other.rows[first * self.width..event * self.width]);
            event += 1;
        }
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.rows[..]) + size_of_val(&self.trail[..])
    }

    fn bytes_reserved(&self) -> usize {
        (self.rows.capacity() + self.trail.capacity()) * size_of::<Chunk>()
    }
}

#[inline(always)]
fn join_chunks(to: &mut Chunk, from: &Chunk) {
    for lane in 0..LANE_STEP {
        // Compared as signed numbers (counts stay below 2^31): plain SSE2 has no unsigned maximum.
        to[lane] = (to[lane] as i32).max(from[lane] as i32) as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Payload;
    use crate::ids::ThreadId;
    use crate::program::{Domain, Mode};
    use crate::vm::Snapshot;

    fn push(views: &mut Views, base: Option<usize>, thread: usize, count: u32) {
        let thread = ThreadId::from_usize(thread);
        let mut event = Event::new(thread, Payload::Fence(Domain::NONE), Mode::Na, Snapshot::EMPTY);
        event.index = count - 1;
        views.push(&event, base.map(EventId::from_usize));
    }

    #[test]
    fn saved_joins_are_undone_newest_first() {
        let mut views = Views::new(Shape { own: 1, carried: 1, rows: 1 }, 4);
        push(&mut views, None, 0, 1);
        push(&mut views, None, 1, 1);
        push(&mut views, None, 2, 1);
        let mark = views.mark();
        views.join_saved(1, 0, 0);
        views.join_saved(2, 1, 0);
        assert_eq!(views.row(2, 0), [1, 1, 1, 0]);
        views.undo_to(mark);
        assert_eq!(views.row(1, 0), [0, 1, 0, 0]);
        assert_eq!(views.row(2, 0), [0, 0, 1, 0]);
    }

    #[test]
    fn new_rows_start_as_their_shape_says() {
        let mut views = Views::new(Shape { own: 1, carried: 2, rows: 3 }, 4);
        push(&mut views, None, 0, 1);
        push(&mut views, None, 1, 1);
        views.join_across(1, 1, 0, 0);
        views.join_across(1, 2, 0, 0);
        push(&mut views, Some(1), 1, 2);
        assert_eq!(
            [views.row(2, 0), views.row(2, 1), views.row(2, 2)],
            [&[0, 2, 0, 0], &[1, 0, 0, 0], &[0; 4]]
        );
        views.join_across(2, 2, 1, 0);
        views.reset(2, Some(0), 1, 2);
        assert_eq!([views.row(2, 0), views.row(2, 1), views.row(2, 2)], [&[1, 2, 0, 0], &[0; 4], &[0; 4]]);
    }

    #[test]
    fn joins_work_in_both_directions() {
        let mut views = Views::new(Shape { own: 2, carried: 2, rows: 2 }, 4);
        push(&mut views, None, 0, 1);
        push(&mut views, None, 1, 1);
        views.join(0, 1, 1);
        assert_eq!(views.row(0, 1), [1, 1, 0, 0]);
        assert_eq!(views.row(0, 0), [1, 0, 0, 0]);
    }
}
