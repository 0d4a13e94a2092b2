//! Sets of reads, in a table that only grows.

use std::collections::HashMap;
use std::sync::Arc;

/// The number of the empty set.
pub(super) const NONE: u32 = 0;

/// Sets of reads, each with a number.
#[derive(Clone, Debug)]
pub(in crate::vm) struct ReadSets {
    sets: Vec<Arc<[u32]>>,
    numbers: HashMap<Arc<[u32]>, u32>,
    unions: HashMap<(u32, u32), u32>,
}

impl Default for ReadSets {
    fn default() -> Self {
        let empty: Arc<[u32]> = Arc::from([]);
        ReadSets {
            sets: vec![empty.clone()],
            numbers: HashMap::from([(empty, NONE)]),
            unions: HashMap::new(),
        }
    }
}

impl ReadSets {
    /// The number of a set, which is in order.
    pub(super) fn number(&mut self, set: Vec<u32>) -> u32 {
        let set: Arc<[u32]> = Arc::from(set);
        let next = self.sets.len() as u32;
        let number = *self.numbers.entry(set.clone()).or_insert(next);
        if number == next {
            self.sets.push(set);
        }
        number
    }

    /// The number of the union of two.
    pub(super) fn union(&mut self, a: u32, b: u32) -> u32 {
        if a == b || b == NONE {
            return a;
        }
        if a == NONE {
            return b;
        }
        let pair = (a.min(b), a.max(b));
        if let Some(known) = self.unions.get(&pair) {
            return *known;
        }
        let mut all = [&self.sets[a as usize][..], &self.sets[b as usize][..]].concat();
        all.sort_unstable();
        all.dedup();
        let number = self.number(all);
        self.unions.insert(pair, number);
        number
    }

    /// The set with a number.
    pub(super) fn get(&self, number: u32) -> Arc<[u32]> {
        self.sets[number as usize].clone()
    }
}
