//! Inclusion of languages, by a search for a shortest word of one automaton that another does not accept.
//!
//! The search walks one automaton breadth first and keeps the set of states that the other can be in, as an
//! antichain: a larger set is not looked at where a smaller one was. Events that make no difference are walked
//! together, as one guard.
//! I1: of a cyclic word the first event is the last one, so a place remembers what the first event can be.

use crate::budget::Stop;
use crate::context::Context;
use crate::guards::Guard;
use crate::nfa::{outgoing, Edge, Label, END, START};
use crate::steps::{Bits, Move, SetId, Steps};
use std::collections::VecDeque;

/// A word that was found: its letters, and for each event what it can be. A cyclic one comes back.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Word {
    /// The labels of its steps.
    pub labels: Vec<Label>,
    /// Its events, one more than steps unless it is cyclic: any of these will do.
    pub events: Vec<Guard>,
}

struct Place {
    state: u32,
    set: SetId,
    here: Guard,
    first: Guard,
    /// The place before, the letter that led here, and what the event there can be.
    origin: usize,
    label: Label,
    there: Guard,
}

/// A search for words of one automaton that another lacks.
pub struct Search {
    outgoing: Vec<Vec<Edge>>,
    right: Steps,
    /// It accepts where all states of one of these are reached.
    accepting: Vec<Bits>,
    cyclic: bool,
    places: Vec<Place>,
    next: usize,
    /// By state of the left automaton: sets that were looked at, for which first and present events.
    known: Vec<Vec<(SetId, Guard, Guard)>>,
    found: VecDeque<Word>,
}

const NOWHERE: usize = usize::MAX;

/// A search for words over letters that a saturated automaton lacks.
pub fn inclusion(
    left: &[Edge],
    right: &crate::Saturated,
    events: Guard,
    cx: &mut Context,
) -> Result<Search, Stop> {
    let letters = cx.over_letters(right.edges.iter())?;
    let mut steps = Steps::new(right.states, &letters);
    let start = steps.set([START]);
    let end = steps.set([END]);
    let end = steps.bits(end).into();
    Ok(Search::new(left, steps, start, vec![end], events, false))
}

impl Search {
    pub(crate) fn new(
        left: &[Edge],
        right: Steps,
        start: SetId,
        accepting: Vec<Bits>,
        events: Guard,
        cyclic: bool,
    ) -> Self {
        let states = left.iter().map(|e| e.source.max(e.target) + 1).max().unwrap_or(0).max(2);
        let first = Place {
            state: START,
            set: start,
            here: events,
            first: events,
            origin: NOWHERE,
            label: 0,
            there: events,
        };
        Search {
            outgoing: outgoing(states, left),
            right,
            accepting,
            cyclic,
            places: vec![first],
            next: 0,
            known: vec![Vec::new(); states as usize],
            found: VecDeque::new(),
        }
    }

    /// How many places were looked at.
    pub fn size(&self) -> usize {
        self.next
    }

    /// The next word, shortest first, each from another place.
    pub fn next_word(&mut self, cx: &mut Context) -> Result<Option<Word>, Stop> {
        while self.found.is_empty() && self.next < self.places.len() {
            self.expand(self.next, cx)?;
            self.next += 1;
        }
        Ok(self.found.pop_front())
    }

    fn expand(&mut self, number: usize, cx: &mut Context) -> Result<(), Stop> {
        let Place { state, set, here, first, .. } = self.places[number];
        for index in 0..self.outgoing[state as usize].len() {
            let e = self.outgoing[state as usize][index];
            cx.budget.spend(8)?;
            if !cx.guards.meet(here, e.before) {
                continue;
            }
            let by = Move { label: e.label, before: e.before, after: e.after };
            for cell in self.right.after(set, by, cx)?.iter() {
                let origin = cx.guards.and(cell.before, here);
                if origin.is_none() {
                    continue;
                }
                let begun = if state == START && self.cyclic { origin } else { first };
                for &(after, reached) in &cell.ways {
                    let step = Place {
                        state: e.target,
                        set: reached,
                        here: after,
                        first: begun,
                        origin: number,
                        label: e.label,
                        there: origin,
                    };
                    self.arrive(step, cx)?;
                }
            }
        }
        Ok(())
    }

    fn arrive(&mut self, mut step: Place, cx: &mut Context) -> Result<(), Stop> {
        if step.state == END {
            step.here = cx.guards.and(step.here, step.first);
            if !step.here.is_none() && !self.accepts(step.set) {
                let word = self.word(step);
                self.found.push_back(word);
            }
            return Ok(());
        }
        step.here = self.uncovered(&step, cx)?;
        if !step.here.is_none() {
            self.known[step.state as usize].push((step.set, step.first, step.here));
            self.places.push(step);
        }
        Ok(())
    }

    fn accepts(&self, set: SetId) -> bool {
        let reached = self.right.bits(set);
        self.accepting.iter().any(|needed| needed.iter().zip(reached).all(|(n, r)| n & !r == 0))
    }

    /// The present events for which no smaller set was looked at, for which more words are lacking.
    fn uncovered(&self, step: &Place, cx: &mut Context) -> Result<Guard, Stop> {
        let mut left = step.here;
        let known = &self.known[step.state as usize];
        cx.budget.spend(known.len())?;
        for &(set, first, covered) in known {
            if self.right.within(set, step.set)
                && (step.first == first || cx.guards.within(step.first, first))
            {
                left = cx.guards.minus(left, covered);
                if left.is_none() {
                    break;
                }
            }
        }
        Ok(left)
    }

    /// The word that led to a place.
    fn word(&self, last: Place) -> Word {
        let (mut labels, mut events) = (Vec::new(), Vec::new());
        if !self.cyclic {
            events.push(last.here);
        }
        let mut at = &last;
        while at.origin != NOWHERE {
            labels.push(at.label);
            let begins = self.places[at.origin].origin == NOWHERE;
            events.push(if begins && self.cyclic { last.here } else { at.there });
            at = &self.places[at.origin];
        }
        labels.reverse();
        events.reverse();
        Word { labels, events }
    }
}
