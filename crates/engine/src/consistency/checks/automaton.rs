//! Automata made ready for the search: single steps along the links of a graph, sorted by state.
//!
//! Departs 1 from thesis §4.2: closed relations (`po`, `co`, `fr`) become walks of immediate steps through an
//! extra state, so that a search looks at each event once and not at each pair.
//! Departs 2: where the automaton has a loop that avoids state 0, every state is there twice, before and after
//! the walk has been in state 0, so that returning to where one started is all that a search must find.
//!
//! I1: every transition is on a path from state 0 to state 0, and its guards name only classes that its
//! relation can have there; so an event's class tells which states can be part of a cycle through it.

use crate::consistency::checks::steps::{steps_of, WalkStep};
use crate::consistency::plan::tables::{Classes, Symbol, Transition, View};
use crate::graph::EventClass;

/// An automaton whose words from state 0 to state 0 must have no cycle.
#[derive(Clone, Debug)]
pub struct Automaton {
    steps: Vec<WalkStep>,
    /// Where each state's steps begin, and the end.
    first: Vec<usize>,
    /// For each class, the states where a cycle may be at such an event, and those where it then closes.
    starts: Vec<Vec<(u32, u32)>>,
    suffixes: usize,
    /// State 0 of a walk that has been there.
    zero: u32,
}

impl Automaton {
    /// Prepares the table of an automaton of a valid plan with these views.
    /// `in_cells`: for graphs whose accesses have several cells.
    pub fn new(states: usize, transitions: &[Transition], views: &[View], in_cells: bool) -> Automaton {
        let mut table: Vec<Transition> = transitions.iter().map(narrow).collect();
        table.retain(|t| t.before.0 != 0 && t.after.0 != 0);
        trim(states, &mut table);
        let double = has_loop_outside_zero(&table);
        let closing = |q: usize| if double { q + states } else { q };
        let (mut entered, mut left) = (vec![0; states], vec![0; states]);
        for t in &table {
            entered[t.target] |= t.after.0;
            left[t.source] |= t.before.0;
        }
        let starts = (0..EventClass::COUNT as u8)
            .map(|class| {
                let may = (0..states).filter(|q| Classes(entered[*q] & left[*q]).has(class));
                may.map(|q| (if q == 0 { closing(0) } else { q } as u32, closing(q) as u32)).collect()
            })
            .collect();
        let count = if double {
            table = doubled(states, &table);
            2 * states
        } else {
            states
        };
        let (by_state, suffixes) = steps_of(count, &table, views, in_cells);
        let mut first = vec![0];
        let mut steps = Vec::new();
        for mut of_state in by_state {
            steps.append(&mut of_state);
            first.push(steps.len());
        }
        Automaton { steps, first, starts, suffixes, zero: closing(0) as u32 }
    }

    /// How many states it has by now.
    #[inline(always)]
    pub(in crate::consistency) fn states(&self) -> usize {
        self.first.len() - 1
    }

    /// The steps from a state.
    #[inline(always)]
    pub(in crate::consistency) fn steps(&self, state: usize) -> &[WalkStep] {
        &self.steps[self.first[state]..self.first[state + 1]]
    }

    /// Where cycles through an event of a class may start, and where they close.
    #[inline(always)]
    pub(in crate::consistency) fn starts(&self, class: u8) -> &[(u32, u32)] {
        &self.starts[class as usize]
    }

    /// State 0 of a walk that has been there.
    #[inline(always)]
    pub(in crate::consistency) fn zero(&self) -> u32 {
        self.zero
    }

    /// How many `Walk::Suffix` there are.
    #[inline(always)]
    pub(in crate::consistency) fn suffixes(&self) -> usize {
        self.suffixes
    }
}

/// Limits the guards to what the relation can relate.
fn narrow(transition: &Transition) -> Transition {
    let (events, reads, writes) = (EventClass::EVENTS, EventClass::READS, EventClass::WRITES);
    let (mut from, mut to) = match transition.symbol {
        Symbol::Rf(_) => (writes, reads),
        Symbol::Co(_) => (writes, writes),
        Symbol::Fr(_) | Symbol::Rmw => (reads, writes),
        Symbol::PoLoc | Symbol::PoImmLoc | Symbol::LocOverlap | Symbol::ViewLoc(_) => {
            (reads | writes, reads | writes)
        }
        Symbol::Alloc | Symbol::Free => (events, reads | writes),
        _ => (events, events),
    };
    if transition.inverse {
        std::mem::swap(&mut from, &mut to);
    }
    let (before, after) = (Classes(transition.before.0 & from), Classes(transition.after.0 & to));
    Transition { before, after, ..*transition }
}

/// Drops what is on no path from state 0 to state 0.
fn trim(states: usize, table: &mut Vec<Transition>) {
    let (mut reached, mut returning) = (vec![false; states], vec![false; states]);
    if let (Some(reached), Some(returning)) = (reached.first_mut(), returning.first_mut()) {
        (*reached, *returning) = (true, true);
    }
    for _ in 0..states {
        for t in table.iter() {
            reached[t.target] |= reached[t.source];
            returning[t.source] |= returning[t.target];
        }
    }
    table.retain(|t| reached[t.source] && returning[t.target]);
}

fn has_loop_outside_zero(table: &[Transition]) -> bool {
    let mut left: Vec<(usize, usize)> =
        table.iter().map(|t| (t.source, t.target)).filter(|(s, t)| *s != 0 && *t != 0).collect();
    loop {
        let before = left.len();
        let sources: Vec<usize> = left.iter().map(|(source, _)| *source).collect();
        left.retain(|(_, target)| sources.contains(target));
        if left.len() == before {
            return before > 0;
        }
    }
}

/// The states below `states` have not seen state 0 yet, the others have.
fn doubled(states: usize, table: &[Transition]) -> Vec<Transition> {
    let seen = |t: &Transition| Transition { source: t.source + states, target: t.target + states, ..*t };
    let unseen = |t: &Transition| {
        let target = if t.target == 0 { states } else { t.target };
        (t.source != 0).then_some(Transition { target, ..*t })
    };
    table.iter().map(seen).chain(table.iter().filter_map(unseen)).collect()
}
