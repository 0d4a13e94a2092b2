//! Vector clocks: sets of events that are a prefix of each thread, several for each event.
//!
//! A row of one number a thread holds such a set (how many of that thread's events are in it). Rows survive
//! a change of event ids, cost nothing per event of the graph, and join with a vector max.
//! What a row means is the caller's to say; a [`Shape`] only says how the rows of a new event start.
//!
//! I1: a change to a row other than the newest event's is on the trail until `undo_to` or `clear`.

/// Clocks have room for a multiple of this many threads, and join so many at a time.
pub const LANE_STEP: usize = 4;

/// How the rows of a new event start: the first `own` as its predecessor's and itself, the next up to
/// `carried` as its predecessor's, the rest empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Rows that hold the event itself.
    pub own: usize,
    /// Rows that are copied from the predecessor, these included.
    pub carried: usize,
    /// All rows.
    pub rows: usize,
}

/// The clocks of a graph.
#[derive(Clone)]
pub struct Views {
    rows: Vec<u32>,
    trail: Vec<u32>,
    lanes: usize,
    orders: usize,
    shape: Shape,
}

impl Views {
    /// No events; `lanes` threads (a multiple of `LANE_STEP`).
    pub fn new(shape: Shape, lanes: usize) -> Views {
        Views { rows: Vec::new(), trail: Vec::new(), lanes, orders: shape.rows, shape }
    }

    /// How the rows of a new event start.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// How many threads a row has room for.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    #[inline(always)]
    fn start(&self, event: usize, order: usize) -> usize {
        (event * self.orders + order) * self.lanes
    }

    /// The clock of an event in an order.
    #[inline(always)]
    pub fn row(&self, event: usize, order: usize) -> &[u32] {
        let start = self.start(event, order);
        &self.rows[start..start + self.lanes]
    }

    /// How many events of `lane` precede (or are) the event.
    #[inline(always)]
    pub fn count(&self, event: usize, order: usize, lane: usize) -> u32 {
        debug_assert!(lane < self.lanes);
        self.rows[self.start(event, order) + lane]
    }

    /// Adds rows for a new event that follows `base` (none: nothing).
    #[inline]
    pub fn push(&mut self, base: Option<usize>, lane: usize, count: u32) {
        let (width, carried) = (self.orders * self.lanes, self.shape.carried * self.lanes);
        let at = self.rows.len();
        match base {
            Some(event) => {
                self.rows.extend_from_within(event * width..event * width + carried);
                self.rows.resize(at + width, 0);
            }
            None => self.rows.resize(at + width, 0),
        }
        for order in 0..self.shape.own {
            self.rows[at + order * self.lanes + lane] = count;
        }
    }

    /// Resets an event's rows to what `push` made them, without a trail (the caller owns the undo).
    pub fn reset(&mut self, event: usize, base: Option<usize>, lane: usize, count: u32) {
        let (width, carried) = (self.orders * self.lanes, self.shape.carried * self.lanes);
        let at = event * width;
        match base {
            Some(base) => {
                self.rows.copy_within(base * width..base * width + carried, at);
                self.rows[at + carried..at + width].fill(0);
            }
            None => self.rows[at..at + width].fill(0),
        }
        for order in 0..self.shape.own {
            self.rows[at + order * self.lanes + lane] = count;
        }
    }

    /// Sets a row to the event itself.
    pub fn clear_row(&mut self, event: usize, order: usize, lane: usize, count: u32) {
        let start = self.start(event, order);
        self.rows[start..start + self.lanes].fill(0);
        self.rows[start + lane] = count;
    }

    /// Removes the rows of the newest event.
    #[inline]
    pub fn pop(&mut self) {
        let width = self.orders * self.lanes;
        self.rows.truncate(self.rows.len() - width);
    }

    /// A row of `to` now holds what that row of `from` holds. No trail: `to` is new.
    #[inline]
    pub fn join(&mut self, to: usize, from: usize, order: usize) {
        self.join_across(to, order, from, order);
    }

    /// As `join`, between two rows.
    #[inline]
    pub fn join_across(&mut self, to: usize, to_order: usize, from: usize, from_order: usize) {
        let (to, from) = (self.start(to, to_order), self.start(from, from_order));
        let lanes = self.lanes;
        // Two disjoint rows of one vector.
        let (low, high) = self.rows.split_at_mut(to.max(from));
        if to < from {
            join_rows(&mut low[to..to + lanes], &high[..lanes]);
        } else if from < to {
            join_rows(&mut high[..lanes], &low[from..from + lanes]);
        }
    }

    /// As `join`, remembering the old row.
    #[inline]
    pub fn join_saved(&mut self, to: usize, from: usize, order: usize) {
        let start = self.start(to, order);
        self.trail.extend_from_slice(&self.rows[start..start + self.lanes]);
        self.trail.push(start as u32);
        self.join(to, from, order);
    }

    /// Takes another's rows, with an empty trail.
    pub fn copy_from(&mut self, other: &Views) {
        self.rows.clone_from(&other.rows);
        self.trail.clear();
    }

    /// Whether another holds the same rows.
    pub fn has_same_rows(&self, other: &Self) -> bool {
        self.rows == other.rows
    }

    /// Where the trail stands.
    #[inline]
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back every saved change since `mark`, newest first.
    #[inline]
    pub fn undo_to(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let start = self.trail.pop().expect("the trail is longer than the mark") as usize;
            let saved = self.trail.len() - self.lanes;
            // A row of an event that is gone by now needs no restoring.
            if start < self.rows.len() {
                self.rows[start..start + self.lanes].copy_from_slice(&self.trail[saved..]);
            }
            self.trail.truncate(saved);
        }
    }

    /// Forgets all events.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.trail.clear();
    }

    /// Appends the rows of an event of another graph.
    #[inline]
    pub fn push_copy(&mut self, other: &Views, event: usize) {
        let width = self.orders * self.lanes;
        self.rows.extend_from_slice(&other.rows[event * width..event * width + width]);
    }
}

#[inline(always)]
fn join_rows(to: &mut [u32], from: &[u32]) {
    for (to, from) in to.chunks_exact_mut(LANE_STEP).zip(from.chunks_exact(LANE_STEP)) {
        for lane in 0..LANE_STEP {
            // Compared as signed numbers (counts stay below 2^31): plain SSE2 has no unsigned maximum.
            to[lane] = (to[lane] as i32).max(from[lane] as i32) as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saved_joins_are_undone_newest_first() {
        let mut views = Views::new(Shape { own: 1, carried: 1, rows: 1 }, 4);
        views.push(None, 0, 1);
        views.push(None, 1, 1);
        views.push(None, 2, 1);
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
        views.push(None, 0, 1);
        views.push(None, 1, 1);
        views.join_across(1, 1, 0, 0);
        views.join_across(1, 2, 0, 0);
        views.push(Some(1), 1, 2);
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
        views.push(None, 0, 1);
        views.push(None, 1, 1);
        views.join(0, 1, 1);
        assert_eq!(views.row(0, 1), [1, 1, 0, 0]);
        assert_eq!(views.row(0, 0), [1, 0, 0, 0]);
    }
}
