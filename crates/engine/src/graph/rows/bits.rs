//! Bit rows: for each event and each order whose past is not a prefix of each thread, the set of events before it.
//!
//! A row has one bit per event. The order in which events were added does not matter, so an order may leave
//! out any part of `po`. Row 0 of an event is `po` itself (without the event); every other row includes the
//! event, and the caller keeps it transitively closed.
//! In addition there is a set of events per guard, so that "the earlier events of these classes" is an `and`.
//!
//! I1: a change to a row other than the newest event's is on the trail until `undo_to` or `clear`.
//! I2: with no orders nothing is stored, and every call is cheap.

use crate::graph::column::Column;
use crate::graph::event::Event;
use crate::graph::rows::EventSet;
use crate::ids::EventId;

/// The bit rows of a graph.
#[derive(Clone, Default)]
pub struct BitRows {
    orders: usize,
    words: usize,
    rows: Vec<u64>,
    guards: Vec<u64>,
    sets: Vec<u64>,
    trail: Vec<u64>,
    events: usize,
}

/// The row of `po`.
pub const PO: usize = 0;

impl BitRows {
    /// No events; `orders` rows per event (0, or at least `PO` and another), and sets for some guards.
    pub fn new(orders: usize, guards: &[u64]) -> BitRows {
        let words = 1;
        BitRows {
            orders,
            words,
            rows: Vec::new(),
            guards: guards.to_vec(),
            sets: vec![0; guards.len() * words],
            trail: Vec::new(),
            events: 0,
        }
    }

    /// Whether no rows are kept.
    #[inline(always)]
    pub fn is_unused(&self) -> bool {
        self.orders == 0
    }

    #[inline(always)]
    fn start(&self, event: usize, order: usize) -> usize {
        (event * self.orders + order) * self.words
    }

    /// Whether `x` is in a row of `e`.
    #[inline(always)]
    pub fn has(&self, order: usize, x: EventId, e: EventId) -> bool {
        self.rows[self.start(e.at(), order) + x.at() / 64] >> (x.at() % 64) & 1 != 0
    }

    /// Whether rows fit into sets.
    #[inline]
    pub fn fit_sets(&self) -> bool {
        self.words * 64 <= EventSet::MOST
    }

    /// A row of an event as a set. Rows must fit.
    #[inline]
    pub fn set_of(&self, order: usize, event: EventId) -> EventSet {
        let start = self.start(event.at(), order);
        EventSet::from_words(&self.rows[start..start + self.words])
    }

    /// Makes a row of an event what a set is. No trail: the event is new.
    #[inline]
    pub fn store(&mut self, order: usize, event: EventId, set: EventSet) {
        let start = self.start(event.at(), order);
        for word in 0..self.words {
            self.rows[start + word] = set.words()[word];
        }
    }

    /// Puts `base` and everything before it into the `po` row of `event`.
    #[inline]
    pub fn follow(&mut self, event: usize, base: EventId) {
        if self.is_unused() {
            return;
        }
        let (to, from) = (self.start(event, PO), self.start(base.at(), PO));
        for word in 0..self.words {
            self.rows[to + word] |= self.rows[from + word];
        }
        self.rows[to + base.at() / 64] |= 1 << (base.at() % 64);
    }

    /// Adds an event to the sets of the guards that its class passes.
    pub fn classify(&mut self, event: usize, class: u8) {
        for (guard, classes) in self.guards.iter().enumerate() {
            let word = &mut self.sets[guard * self.words + event / 64];
            let bit = 1 << (event % 64);
            *word = if classes >> class & 1 != 0 { *word | bit } else { *word & !bit };
        }
    }

    /// The events that pass a guard. Rows must fit into sets.
    #[inline]
    pub fn passing(&self, guard: usize) -> EventSet {
        EventSet::from_words(&self.sets[guard * self.words..(guard + 1) * self.words])
    }

    /// Empties a row of an event.
    pub fn clear_row(&mut self, order: usize, event: EventId) {
        let start = self.start(event.at(), order);
        self.rows[start..start + self.words].fill(0);
    }

    /// Puts `x` into a row of `e`.
    #[inline]
    pub fn insert(&mut self, order: usize, x: EventId, e: EventId) {
        let start = self.start(e.at(), order);
        self.rows[start + x.at() / 64] |= 1 << (x.at() % 64);
    }

    /// Empties all rows of an event except `po`.
    pub fn reset(&mut self, event: usize) {
        for order in 1..self.orders {
            let start = self.start(event, order);
            self.rows[start..start + self.words].fill(0);
            self.rows[start + event / 64] |= 1 << (event % 64);
        }
    }

    /// A row of `to` now holds what that row of `from` holds. No trail: `to` is new.
    #[inline]
    pub fn join(&mut self, order: usize, to: EventId, from: EventId) {
        let (to, from) = (self.start(to.at(), order), self.start(from.at(), order));
        for word in 0..self.words {
            self.rows[to + word] |= self.rows[from + word];
        }
    }

    /// Joins into a row of `event` the rows of the events before it in `po` that pass a guard.
    #[inline]
    pub fn join_earlier(&mut self, order: usize, event: EventId, guard: usize) {
        let (po, row) = (self.start(event.at(), PO), self.start(event.at(), order));
        for word in (0..self.words).rev() {
            loop {
                let earlier =
                    self.rows[po + word] & self.sets[guard * self.words + word] & !self.rows[row + word];
                if earlier == 0 {
                    break;
                }
                // The newest row often contains the others.
                let newest = EventId::from_usize(word * 64 + 63 - earlier.leading_zeros() as usize);
                self.join(order, event, newest);
            }
        }
    }

    /// The newest event older than `older_than` that is before one in `po`, passes a guard, and is not in its row yet.
    #[inline(always)]
    pub fn newest_missing(
        &self,
        order: usize,
        event: EventId,
        guard: usize,
        older_than: EventId,
    ) -> Option<EventId> {
        let (po, row) = (self.start(event.at(), PO), self.start(event.at(), order));
        let end = older_than.at() / 64;
        (0..self.words.min(end + 1)).rev().find_map(|word| {
            let older = if word == end { (1 << (older_than.at() % 64)) - 1 } else { u64::MAX };
            let set = self.rows[po + word] & self.sets[guard * self.words + word] & !self.rows[row + word];
            let newest = (set & older).checked_ilog2()?;
            Some(EventId::from_usize(word * 64 + newest as usize))
        })
    }

    /// The events before one in `po` that pass a guard.
    pub fn earlier(&self, event: EventId, guard: usize) -> impl Iterator<Item = EventId> + '_ {
        let po = self.start(event.at(), PO);
        (0..self.words).flat_map(move |word| {
            let set = self.rows[po + word] & self.sets[guard * self.words + word];
            (0..64)
                .filter(move |bit| set >> bit & 1 != 0)
                .map(move |bit| EventId::from_usize(word * 64 + bit))
        })
    }

    /// Puts `from` and its past before `to` and everything after `to`, remembering old rows.
    pub fn order_before(&mut self, order: usize, from: EventId, to: EventId) {
        for event in 0..self.events {
            if self.has(order, to, EventId::from_usize(event)) {
                let start = self.start(event, order);
                self.trail.extend_from_slice(&self.rows[start..start + self.words]);
                self.trail.push(start as u64);
                self.join(order, EventId::from_usize(event), from);
            }
        }
    }

    /// Whether another holds the same rows.
    pub fn has_same_rows(&self, other: &Self) -> bool {
        self.rows == other.rows
    }

    /// The length of the trail, in rows.
    #[inline]
    pub fn mark(&self) -> usize {
        self.trail.len() / (self.words + 1)
    }

    /// Takes back every remembered change since `mark`, newest first.
    #[inline]
    pub fn undo_to(&mut self, mark: usize) {
        if self.trail.is_empty() {
            return;
        }
        while self.trail.len() > mark * (self.words + 1) {
            let start = self.trail.pop().expect("the trail is longer than the mark") as usize;
            let saved = self.trail.len() - self.words;
            // A row of an event that has been removed need not be restored.
            if start < self.rows.len() {
                self.rows[start..start + self.words].copy_from_slice(&self.trail[saved..]);
            }
            self.trail.truncate(saved);
        }
    }

    /// Appends the rows of a new event that follows `base` in `po`.
    fn push_rows(&mut self, event: &Event, base: Option<EventId>) {
        let new = self.events;
        if new == self.words * 64 {
            self.widen();
        }
        self.events += 1;
        self.rows.resize(self.rows.len() + self.orders * self.words, 0);
        self.classify(new, event.class);
        if let Some(base) = base {
            self.follow(new, base);
        }
        for order in 1..self.orders {
            let start = self.start(new, order);
            self.rows[start + new / 64] |= 1 << (new % 64);
        }
    }

    /// Removes the rows of the newest event.
    fn pop_rows(&mut self) {
        self.events -= 1;
        self.rows.truncate(self.rows.len() - self.orders * self.words);
        for guard in 0..self.guards.len() {
            self.sets[guard * self.words + self.events / 64] &= !(1 << (self.events % 64));
        }
    }

    /// As `Column::restrict`, if there are rows.
    #[inline(never)]
    fn restrict_rows(&mut self, other: &BitRows, same: usize, map: &[EventId]) {
        self.clear_like(other);
        for event in (0..map.len()).filter(|old| map[*old].is_some()) {
            self.push_copy(other, event, same, map);
        }
    }

    /// Appends an event of another graph; `map` says what became of its events (`NONE`: removed).
    /// Events before `same` keep their ids.
    fn push_copy(&mut self, other: &BitRows, event: usize, same: usize, map: &[EventId]) {
        let new = self.events;
        self.events += 1;
        self.rows.resize(self.rows.len() + self.orders * self.words, 0);
        for guard in 0..self.guards.len() {
            let passes = other.sets[guard * self.words + event / 64] >> (event % 64) & 1;
            self.sets[guard * self.words + new / 64] |= passes << (new % 64);
        }
        for order in 0..self.orders {
            let (to, from) = (self.start(new, order), other.start(event, order));
            for word in 0..self.words {
                let mut bits = other.rows[from + word];
                self.rows[to + word] |= bits & prefix(word, same);
                // Rows that are not up to date may have events that are gone.
                bits &= !prefix(word, same) & prefix(word, map.len());
                while bits != 0 {
                    let old = word * 64 + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let id = map[old];
                    if id.is_none() {
                        continue;
                    }
                    self.rows[to + id.at() / 64] |= 1 << (id.at() % 64);
                }
            }
        }
    }

    fn widen(&mut self) {
        // Grow by half: the rows of long threads take most of the memory.
        let (old, new) = (self.words, self.words + self.words.div_ceil(2));
        widen_rows(&mut self.rows, old, new);
        widen_rows(&mut self.sets, old, new);
        // On the trail, a row is followed by the place where it starts.
        let mut trail = Vec::with_capacity(self.trail.len() * 2);
        for entry in self.trail.chunks_exact(old + 1) {
            trail.extend_from_slice(&entry[..old]);
            trail.resize(trail.len() + new - old, 0);
            trail.push(entry[old] / old as u64 * new as u64);
        }
        self.trail = trail;
        self.words = new;
    }
}

/// An entry has one row per order.
impl Column for BitRows {
    #[inline(always)]
    fn push(&mut self, event: &Event, base: Option<EventId>) {
        if !self.is_unused() {
            self.push_rows(event, base);
        }
    }

    #[inline(always)]
    fn pop(&mut self) {
        if !self.is_unused() {
            self.pop_rows();
        }
    }

    /// Takes the width of the other's rows.
    fn clear_like(&mut self, other: &BitRows) {
        self.rows.clear();
        self.trail.clear();
        self.events = 0;
        self.words = other.words;
        self.sets.clear();
        self.sets.resize(self.guards.len() * self.words, 0);
    }

    fn copy_from(&mut self, other: &BitRows) {
        self.rows.clone_from(&other.rows);
        self.sets.clone_from(&other.sets);
        (self.words, self.events) = (other.words, other.events);
        self.trail.clear();
    }

    #[inline(always)]
    fn restrict(&mut self, other: &BitRows, same: usize, map: &[EventId]) {
        if !self.is_unused() {
            self.restrict_rows(other, same, map);
        }
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.rows[..]) + size_of_val(&self.trail[..])
    }

    fn bytes_reserved(&self) -> usize {
        (self.rows.capacity() + self.trail.capacity()) * size_of::<u64>()
    }
}

/// The bits of a word that stand for events before `end`.
#[inline(always)]
fn prefix(word: usize, end: usize) -> u64 {
    match end.saturating_sub(word * 64) {
        0 => 0,
        bits @ 1..64 => (1 << bits) - 1,
        _ => u64::MAX,
    }
}

/// Makes each row longer, in place: there may not be enough memory for a second copy.
fn widen_rows(rows: &mut Vec<u64>, old: usize, new: usize) {
    let count = rows.len() / old;
    rows.reserve_exact(count * (new - old));
    rows.resize(count * new, 0);
    for row in (0..count).rev() {
        rows.copy_within(row * old..(row + 1) * old, row * new);
        rows[row * new + old..(row + 1) * new].fill(0);
    }
}
