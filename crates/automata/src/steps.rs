//! Where an automaton's steps lead from a set of states, worked out once for each set.
//!
//! Events that make no difference are taken together: a step's outcomes are cells of its two guards.
//! I1: the cells of a step cover its guards, and each pair of events is in one.

use crate::budget::Stop;
use crate::context::Context;
use crate::guards::{Guard, Guards};
use crate::hashing::Map;
use crate::nfa::{Edge, Label, State};
use std::sync::Arc;

/// A set of states, by number; equal sets have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SetId(u32);

/// A bit for each state.
pub(crate) type Bits = Box<[u64]>;

/// A step by a letter between events of two sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Move {
    pub label: Label,
    pub before: Guard,
    pub after: Guard,
}

/// For a part of the first events: for parts of the second ones, the states reached.
pub(crate) struct Cell {
    pub before: Guard,
    pub ways: Vec<(Guard, SetId)>,
}

/// The steps of an automaton, from sets of states.
pub(crate) struct Steps {
    width: usize,
    /// By label and state: guards and target.
    from: Map<Label, Vec<Vec<(Guard, Guard, State)>>>,
    sets: Vec<Arc<Bits>>,
    numbers: Map<Arc<Bits>, SetId>,
    known: Map<(SetId, Move), Arc<[Cell]>>,
}

impl Steps {
    pub fn new(states: State, edges: &[Edge]) -> Self {
        let mut from: Map<Label, Vec<Vec<(Guard, Guard, State)>>> = Map::default();
        for e in edges {
            let states = from.entry(e.label).or_insert_with(|| vec![Vec::new(); states as usize]);
            states[e.source as usize].push((e.before, e.after, e.target));
        }
        let width = (states as usize).div_ceil(64).max(1);
        Steps { width, from, sets: Vec::new(), numbers: Map::default(), known: Map::default() }
    }

    /// The number of a set of states.
    pub fn set(&mut self, states: impl IntoIterator<Item = State>) -> SetId {
        let mut bits = vec![0; self.width].into_boxed_slice();
        for state in states {
            bits[state as usize / 64] |= 1 << (state % 64);
        }
        self.intern(bits)
    }

    pub fn bits(&self, set: SetId) -> &[u64] {
        &self.sets[set.0 as usize]
    }

    pub fn is_empty(&self, set: SetId) -> bool {
        self.bits(set).iter().all(|&word| word == 0)
    }

    /// Whether all states of the first are of the second.
    pub fn within(&self, inner: SetId, outer: SetId) -> bool {
        inner == outer || self.bits(inner).iter().zip(self.bits(outer)).all(|(a, b)| a & !b == 0)
    }

    fn intern(&mut self, bits: Bits) -> SetId {
        if let Some(&known) = self.numbers.get(&bits) {
            return known;
        }
        let number = SetId(self.sets.len() as u32);
        let shared = Arc::new(bits);
        self.sets.push(Arc::clone(&shared));
        self.numbers.insert(shared, number);
        number
    }

    /// What a step leads to from a set of states (I1).
    pub fn after(&mut self, set: SetId, by: Move, cx: &mut Context) -> Result<Arc<[Cell]>, Stop> {
        if let Some(known) = self.known.get(&(set, by)) {
            return Ok(Arc::clone(known));
        }
        let found: Arc<[Cell]> = self.cells(set, by, cx)?.into();
        self.known.insert((set, by), Arc::clone(&found));
        Ok(found)
    }

    fn cells(&mut self, set: SetId, by: Move, cx: &mut Context) -> Result<Vec<Cell>, Stop> {
        let enabled = self.enabled(set, by, &mut cx.guards);
        // Parts of the first events, with the guards of the second ones and targets that are enabled for them.
        let mut parts: Vec<(Guard, Vec<usize>)> = vec![(by.before, Vec::new())];
        for (index, &(before, ..)) in enabled.iter().enumerate() {
            cx.budget.spend(1 + parts.len())?;
            for number in 0..parts.len() {
                let inside = cx.guards.and(parts[number].0, before);
                if inside.is_none() {
                    continue;
                }
                let outside = cx.guards.minus(parts[number].0, before);
                if !outside.is_none() {
                    let others = parts[number].1.clone();
                    parts.push((outside, others));
                }
                parts[number].0 = inside;
                parts[number].1.push(index);
            }
        }
        let mut cells: Vec<Cell> = Vec::with_capacity(parts.len());
        for (before, indices) in parts {
            let ways =
                self.ways(by.after, indices.iter().map(|&index| (enabled[index].1, &enabled[index].2)), cx)?;
            match cells.iter_mut().find(|cell| cell.ways == ways) {
                Some(cell) => cell.before = cx.guards.or(cell.before, before),
                None => cells.push(Cell { before, ways }),
            }
        }
        Ok(cells)
    }

    /// For pairs of guards within those of a step: the states that steps with them lead to.
    fn enabled(&self, set: SetId, by: Move, guards: &mut Guards) -> Vec<(Guard, Guard, Bits)> {
        let mut found: Vec<(Guard, Guard, Bits)> = Vec::new();
        let Some(from) = self.from.get(&by.label) else { return found };
        let mut places: Map<(Guard, Guard), usize> = Map::default();
        for state in members(self.bits(set)) {
            for &(first, second, target) in &from[state as usize] {
                let (before, after) = (guards.and(first, by.before), guards.and(second, by.after));
                if before.is_none() || after.is_none() {
                    continue;
                }
                let place = *places.entry((before, after)).or_insert_with(|| {
                    found.push((before, after, vec![0; self.width].into_boxed_slice()));
                    found.len() - 1
                });
                found[place].2[target as usize / 64] |= 1 << (target % 64);
            }
        }
        found
    }

    /// Parts of the second events, with the states reached.
    fn ways<'a>(
        &mut self,
        after: Guard,
        steps: impl Iterator<Item = (Guard, &'a Bits)>,
        cx: &mut Context,
    ) -> Result<Vec<(Guard, SetId)>, Stop> {
        let mut reached: Map<Bits, Guard> = Map::default();
        reached.insert(vec![0; self.width].into_boxed_slice(), after);
        for (second, targets) in steps {
            cx.budget.spend(1 + reached.len())?;
            let mut split: Map<Bits, Guard> = Map::default();
            for (states, events) in reached {
                let outside = cx.guards.minus(events, second);
                if outside != events {
                    let inside = cx.guards.and(events, second);
                    let more = states.iter().zip(targets.iter()).map(|(a, b)| a | b).collect();
                    insert(&mut split, more, inside, &mut cx.guards);
                }
                if !outside.is_none() {
                    insert(&mut split, states, outside, &mut cx.guards);
                }
            }
            reached = split;
        }
        let mut ways: Vec<(Guard, SetId)> =
            reached.into_iter().map(|(states, events)| (events, self.intern(states))).collect();
        ways.sort_unstable();
        Ok(ways)
    }
}

fn insert(reached: &mut Map<Bits, Guard>, states: Bits, events: Guard, guards: &mut Guards) {
    let known = reached.entry(states).or_insert(Guard::NONE);
    *known = guards.or(*known, events);
}

/// The states of a set.
pub(crate) fn members(bits: &[u64]) -> impl Iterator<Item = State> + '_ {
    bits.iter().enumerate().flat_map(|(index, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let bit = left.trailing_zeros();
            left &= left - 1;
            Some(index as State * 64 + bit)
        })
    })
}
