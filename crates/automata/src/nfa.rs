//! Automata of relations over labels.
//!
//! I1: state 0 is the start and nothing leads to it, state 1 is the end and nothing leads from it.
//! I2: `nullable` has the events that the term relates to themselves by the empty word.
//! I3: guards are part of the steps, so there are no empty steps and no steps that only test.
//! I4: edges are sorted and unique.

use crate::guards::Guard;

/// A state of an automaton.
pub type State = u32;
/// A relation with a direction, by number.
pub type Label = u16;

/// Where words begin.
pub const START: State = 0;
/// Where words end.
pub const END: State = 1;

/// A step by a relation between events of two sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// The state it leads from.
    pub source: State,
    /// The relation.
    pub label: Label,
    /// The state it leads to.
    pub target: State,
    /// The set of the first event.
    pub before: Guard,
    /// The set of the second event.
    pub after: Guard,
}

/// An automaton (I1-I4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nfa {
    /// How many states there are.
    pub states: State,
    /// Its steps.
    pub edges: Vec<Edge>,
    /// The events related to themselves (I2).
    pub nullable: Guard,
}

impl Nfa {
    /// An automaton of some steps.
    pub fn new(states: State, mut edges: Vec<Edge>, nullable: Guard) -> Self {
        edges.retain(|e| !e.before.is_none() && !e.after.is_none());
        edges.sort_unstable();
        edges.dedup();
        Nfa { states, edges, nullable }
    }

    /// One step.
    pub fn step(label: Label, before: Guard, after: Guard) -> Self {
        Nfa::new(2, vec![Edge { source: START, label, target: END, before, after }], Guard::NONE)
    }

    /// Some events, each with itself.
    pub fn test(events: Guard) -> Self {
        Nfa::new(2, Vec::new(), events)
    }
}

/// For each state, the positions of its steps in a list of steps.
pub(crate) fn outgoing(states: State, edges: &[Edge]) -> Vec<Vec<Edge>> {
    let mut found = vec![Vec::new(); states as usize];
    for e in edges {
        found[e.source as usize].push(*e);
    }
    found
}

/// The states that pairs lead to from given states, as flags.
pub(crate) fn reachable(
    states: usize,
    from: &[State],
    pairs: impl Iterator<Item = (State, State)>,
) -> Vec<bool> {
    let mut following = vec![Vec::new(); states];
    for (source, target) in pairs {
        following[source as usize].push(target);
    }
    let mut reached = vec![false; states];
    let mut waiting: Vec<State> = from.to_vec();
    for &state in from {
        reached[state as usize] = true;
    }
    while let Some(state) = waiting.pop() {
        for &next in &following[state as usize] {
            if !std::mem::replace(&mut reached[next as usize], true) {
                waiting.push(next);
            }
        }
    }
    reached
}
