//! Sets of events of a graph that is not too large, as values.

use crate::ids::EventId;

const WORDS: usize = 4;

/// A set of events; only graphs of up to [`EventSet::MOST`] events have such sets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EventSet([u64; WORDS]);

impl EventSet {
    /// The number of events of the largest graph that sets are made for.
    pub const MOST: usize = WORDS * 64;

    /// No events.
    pub const EMPTY: EventSet = EventSet([0; WORDS]);

    /// From the words of a bit row.
    #[inline]
    pub fn from_words(words: &[u64]) -> EventSet {
        let mut set = EventSet::EMPTY;
        for (to, from) in set.0.iter_mut().zip(words) {
            *to = *from;
        }
        set
    }

    /// The words of a bit row.
    #[inline]
    pub fn words(&self) -> &[u64; WORDS] {
        &self.0
    }

    /// One event.
    #[inline]
    pub fn of(id: EventId) -> EventSet {
        let mut set = EventSet::EMPTY;
        set.insert(id);
        set
    }

    /// Adds an event.
    #[inline]
    pub fn insert(&mut self, id: EventId) {
        self.0[id.at() / 64] |= 1 << (id.at() % 64);
    }

    /// Whether it has an event.
    #[inline]
    pub fn has(&self, id: EventId) -> bool {
        self.0[id.at() / 64] >> (id.at() % 64) & 1 != 0
    }

    /// Whether it has no event.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Adds the events of another.
    #[inline]
    pub fn add(&mut self, other: EventSet) {
        for (to, from) in self.0.iter_mut().zip(other.0) {
            *to |= from;
        }
    }

    /// Without those that are not in another.
    #[inline]
    pub fn and(mut self, other: EventSet) -> EventSet {
        for (to, from) in self.0.iter_mut().zip(other.0) {
            *to &= from;
        }
        self
    }

    /// Without those that are in another.
    #[inline]
    pub fn without(mut self, other: EventSet) -> EventSet {
        for (to, from) in self.0.iter_mut().zip(other.0) {
            *to &= !from;
        }
        self
    }

    /// Whether it has an event of another.
    #[inline]
    pub fn meets(&self, other: EventSet) -> bool {
        !self.and(other).is_empty()
    }

    /// Its newest event.
    #[inline]
    pub fn newest(&self) -> Option<EventId> {
        let word = (0..WORDS).rev().find(|word| self.0[*word] != 0)?;
        Some(EventId::from_usize(word * 64 + 63 - self.0[word].leading_zeros() as usize))
    }

    /// Its events, oldest first.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = EventId> {
        let mut words = self.0;
        let mut word = 0;
        std::iter::from_fn(move || {
            while word < WORDS && words[word] == 0 {
                word += 1;
            }
            (word < WORDS).then(|| {
                let bit = words[word].trailing_zeros() as usize;
                words[word] &= words[word] - 1;
                EventId::from_usize(word * 64 + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_what_was_put_in() {
        let ids = [0, 3, 63, 64, 130, 255].map(EventId);
        let mut set = EventSet::EMPTY;
        ids.into_iter().for_each(|id| set.insert(id));
        assert!(set.iter().eq(ids));
        assert!(set.has(EventId(130)) && !set.has(EventId(131)));
        assert!(set.without(set).is_empty() && set.and(EventSet::of(EventId(64))).iter().eq([EventId(64)]));
        assert!(set.meets(EventSet::of(EventId(255))) && !set.meets(EventSet::of(EventId(254))));
    }
}
