//! Where an automaton's steps lead from a set of states, computed once per set.
//!
//! Events that make no difference are handled together: a step's outcomes are cells of its two guards.
//! I1: the cells of a step cover its guards, and each pair of events is in one.

use crate::budget::Stop;
use crate::context::Context;
use crate::guards::Guard;
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

/// Guards and target of each step from a state.
type Outgoing = Vec<(Guard, Guard, State)>;

/// What an automaton does by one step: the pairs of guards that tell events apart, and for each state which of these
/// lead where.
struct Prepared {
    pairs: Vec<(Guard, Guard)>,
    from: Vec<Vec<(usize, State)>>,
}

/// The steps of an automaton, from sets of states.
pub(crate) struct Steps {
    width: usize,
    /// By label and state.
    from: Map<Label, Vec<Outgoing>>,
    sets: Vec<Arc<Bits>>,
    /// Of each set the union of its words: a quick answer to whether one may be within another.
    folded: Vec<u64>,
    numbers: Map<Arc<Bits>, SetId>,
    prepared: Map<Move, Arc<Prepared>>,
    known: Map<(SetId, Move), Arc<[Cell]>>,
}

impl Steps {
    pub fn new(states: State, edges: &[Edge]) -> Self {
        let mut from: Map<Label, Vec<Outgoing>> = Map::default();
        for e in edges {
            let states = from.entry(e.label).or_insert_with(|| vec![Vec::new(); states as usize]);
            states[e.source as usize].push((e.before, e.after, e.target));
        }
        let width = (states as usize).div_ceil(64).max(1);
        Steps {
            width,
            from,
            sets: Vec::new(),
            folded: Vec::new(),
            numbers: Map::default(),
            prepared: Map::default(),
            known: Map::default(),
        }
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

    /// Whether all states of the first set are in the second.
    pub fn within(&self, inner: SetId, outer: SetId) -> bool {
        inner == outer
            || self.folded[inner.0 as usize] & !self.folded[outer.0 as usize] == 0
                && self.bits(inner).iter().zip(self.bits(outer)).all(|(a, b)| a & !b == 0)
    }

    fn intern(&mut self, bits: Bits) -> SetId {
        if let Some(&known) = self.numbers.get(&bits) {
            return known;
        }
        let number = SetId(self.sets.len() as u32);
        // Rotated, as copies of one automaton have the same low bits.
        let fold = |sum: u64, (index, word): (usize, &u64)| sum | word.rotate_left(7 * (index as u32 % 64));
        self.folded.push(bits.iter().enumerate().fold(0, fold));
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
        let enabled = self.enabled(set, by, cx)?;
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
            let mut targets: Vec<(Guard, Bits)> = Vec::new();
            for (_, after, states) in indices.iter().map(|&index| &enabled[index]) {
                match targets.iter_mut().find(|(guard, _)| guard == after) {
                    Some((_, known)) => add(known, states),
                    None => targets.push((*after, states.clone())),
                }
            }
            let ways = self.ways(by.after, &targets, cx)?;
            match cells.iter_mut().find(|cell| cell.ways == ways) {
                Some(cell) => cell.before = cx.guards.or(cell.before, before),
                None => cells.push(Cell { before, ways }),
            }
        }
        Ok(cells)
    }

    /// For pairs of guards within those of a step: the states that steps with them lead to.
    fn enabled(&mut self, set: SetId, by: Move, cx: &mut Context) -> Result<Vec<(Guard, Guard, Bits)>, Stop> {
        let prepared = self.prepared(by, cx)?;
        let mut reached: Vec<Option<Bits>> = vec![None; prepared.pairs.len()];
        for state in members(self.bits(set)) {
            let ways = prepared.from.get(state as usize).map_or(&[][..], Vec::as_slice);
            cx.budget.spend(1 + ways.len() / 8)?;
            for &(pair, target) in ways {
                let bits = reached[pair].get_or_insert_with(|| vec![0; self.width].into());
                bits[target as usize / 64] |= 1 << (target % 64);
            }
        }
        let pairs = prepared.pairs.iter().zip(reached);
        Ok(pairs.filter_map(|(&(before, after), bits)| bits.map(|bits| (before, after, bits))).collect())
    }

    /// The automaton's steps between the events of one, computed once.
    fn prepared(&mut self, by: Move, cx: &mut Context) -> Result<Arc<Prepared>, Stop> {
        if let Some(known) = self.prepared.get(&by) {
            return Ok(Arc::clone(known));
        }
        let mut made = Prepared { pairs: Vec::new(), from: Vec::new() };
        let mut numbers: Map<(Guard, Guard), usize> = Map::default();
        for steps in self.from.get(&by.label).map_or(&[][..], Vec::as_slice) {
            cx.budget.spend(1 + steps.len())?;
            let mut ways = Vec::new();
            for &(first, second, target) in steps {
                let (before, after) = (cx.guards.and(first, by.before), cx.guards.and(second, by.after));
                if before.is_none() || after.is_none() {
                    continue;
                }
                let pair = *numbers.entry((before, after)).or_insert_with(|| {
                    made.pairs.push((before, after));
                    made.pairs.len() - 1
                });
                ways.push((pair, target));
            }
            made.from.push(ways);
        }
        let made = Arc::new(made);
        self.prepared.insert(by, Arc::clone(&made));
        Ok(made)
    }

    /// Parts of the second events, with the states reached.
    fn ways(
        &mut self,
        after: Guard,
        steps: &[(Guard, Bits)],
        cx: &mut Context,
    ) -> Result<Vec<(Guard, SetId)>, Stop> {
        let mut parts: Vec<(Guard, Bits)> = vec![(after, vec![0; self.width].into())];
        for (second, targets) in steps {
            cx.budget.spend(1 + parts.len())?;
            for number in 0..parts.len() {
                let events = parts[number].0;
                let outside = cx.guards.minus(events, *second);
                if outside == events {
                    continue;
                }
                if !outside.is_none() {
                    let others = parts[number].1.clone();
                    parts.push((outside, others));
                }
                parts[number].0 = cx.guards.and(events, *second);
                add(&mut parts[number].1, targets);
            }
        }
        let mut ways: Vec<(Guard, SetId)> = Vec::with_capacity(parts.len());
        for (events, states) in parts {
            let set = self.intern(states);
            match ways.iter_mut().find(|(_, known)| *known == set) {
                Some((known, _)) => *known = cx.guards.or(*known, events),
                None => ways.push((events, set)),
            }
        }
        ways.sort_unstable();
        Ok(ways)
    }
}

fn add(states: &mut Bits, more: &Bits) {
    states.iter_mut().zip(more.iter()).for_each(|(a, b)| *a |= b);
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
