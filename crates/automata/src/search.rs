//! Inclusion of languages, by a search for a shortest word of one automaton that another does not accept.
//!
//! The search walks one automaton breadth first and keeps the set of states that the other can be in, as an
//! antichain: a larger set is not examined where a smaller one was. Events that make no difference are handled
//! together, as one guard.
//! I1: of a cyclic word the first event is the last one, so a place remembers what the first event can be.
//! I2: a place is left out only for one that was reached by a word that is not longer, so words are shortest.

use crate::budget::Stop;
use crate::context::Context;
use crate::guards::Guard;
use crate::hashing::Map;
use crate::nfa::{outgoing, Edge, Label, State, END, START};
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
    state: State,
    set: SetId,
    here: Guard,
    first: Guard,
    depth: u32,
    /// The place before, the letter that led here, and what the event there can be.
    origin: usize,
    label: Label,
    there: Guard,
}

/// A set that is examined, with its first and present events.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Seen {
    set: SetId,
    first: Guard,
    here: Guard,
    depth: u32,
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
    /// By state of the left automaton: what is looked at, as an antichain.
    known: Vec<Vec<Seen>>,
    /// The present events that a state, a set and first events were reached with.
    reached: Map<(State, SetId, Guard), Guard>,
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
    Ok(Language::new(right, cx)?.search(left, events))
}

/// The words of an automaton, made ready for many questions about which other words are among them.
pub struct Language {
    steps: Steps,
    start: SetId,
    accepting: Vec<Bits>,
}

/// The result of a search that examines a limited number of places.
pub struct Found {
    /// A shortest missing word, if one was found.
    pub word: Option<Word>,
    /// How many places were examined.
    pub places: usize,
    /// Whether these were all places: then there is no such word if none was found.
    pub is_complete: bool,
}

impl Language {
    /// The words over letters of a saturated automaton.
    pub fn new(right: &crate::Saturated, cx: &mut Context) -> Result<Self, Stop> {
        let letters = cx.over_letters(right.edges.iter())?;
        let mut steps = Steps::new(right.states, &letters);
        let start = steps.set([START]);
        let end = steps.set([END]);
        let accepting = vec![steps.bits(end).into()];
        Ok(Language { steps, start, accepting })
    }

    fn search(self, left: &[Edge], events: Guard) -> Search {
        Search::new(left, self.steps, self.start, self.accepting, events, false)
    }

    /// A word of another automaton, between some events, that is not one of these; what is worked out stays known.
    pub fn lacks(
        &mut self,
        left: &[Edge],
        events: Guard,
        most_places: usize,
        cx: &mut Context,
    ) -> Result<Found, Stop> {
        let steps = std::mem::replace(&mut self.steps, Steps::new(0, &[]));
        let mut search = Search::new(left, steps, self.start, self.accepting.clone(), events, false);
        let word = search.next_word_within(most_places, cx);
        let (places, is_complete) = (search.next, search.next == search.places.len());
        self.steps = search.right;
        Ok(Found { word: word?, places, is_complete })
    }
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
            depth: 0,
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
            reached: Map::default(),
            found: VecDeque::new(),
        }
    }

    /// How many places were examined.
    pub fn size(&self) -> usize {
        self.next
    }

    /// The next word, shortest first, each from another place.
    pub fn next_word(&mut self, cx: &mut Context) -> Result<Option<Word>, Stop> {
        self.next_word_within(usize::MAX, cx)
    }

    /// The same, if it is found within a limit on the places examined in all.
    fn next_word_within(&mut self, most_places: usize, cx: &mut Context) -> Result<Option<Word>, Stop> {
        while self.found.is_empty() && self.next < self.places.len().min(most_places) {
            self.expand(self.next, cx)?;
            self.next += 1;
        }
        Ok(self.found.pop_front())
    }

    fn expand(&mut self, number: usize, cx: &mut Context) -> Result<(), Stop> {
        let Place { state, set, first, depth, .. } = self.places[number];
        let here = self.still_open(&self.places[number], cx)?;
        if here.is_none() {
            return Ok(());
        }
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
                        depth: depth + 1,
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
        let reached = self.reached.entry((step.state, step.set, step.first)).or_insert(Guard::NONE);
        step.here = cx.guards.minus(step.here, *reached);
        if step.here.is_none() {
            return Ok(());
        }
        *reached = cx.guards.or(*reached, step.here);
        step.here = self.uncovered(&step, cx)?;
        if !step.here.is_none() {
            self.look_at(&step, cx)?;
            self.places.push(step);
        }
        Ok(())
    }

    fn accepts(&self, set: SetId) -> bool {
        let reached = self.right.bits(set);
        self.accepting.iter().any(|needed| needed.iter().zip(reached).all(|(n, r)| n & !r == 0))
    }

    /// The present events for which no smaller set is looked at, for which more words are lacking.
    fn uncovered(&self, step: &Place, cx: &mut Context) -> Result<Guard, Stop> {
        let mut left = step.here;
        let known = &self.known[step.state as usize];
        cx.budget.spend(known.len() / 8)?;
        for seen in known {
            if self.right.within(seen.set, step.set) && cx.guards.within(step.first, seen.first) {
                left = cx.guards.minus(left, seen.here);
                if left.is_none() {
                    break;
                }
            }
        }
        Ok(left)
    }

    /// The present events of a place for which no smaller set was found since, by as short a word (I2).
    fn still_open(&self, place: &Place, cx: &mut Context) -> Result<Guard, Stop> {
        let mut left = place.here;
        let known = &self.known[place.state as usize];
        cx.budget.spend(known.len() / 8)?;
        for seen in known.iter().filter(|seen| seen.depth <= place.depth && seen.set != place.set) {
            if self.right.within(seen.set, place.set) && cx.guards.within(place.first, seen.first) {
                left = cx.guards.minus(left, seen.here);
                if left.is_none() {
                    break;
                }
            }
        }
        Ok(left)
    }

    /// Records that a place is examined; places that it makes superfluous are forgotten.
    fn look_at(&mut self, place: &Place, cx: &mut Context) -> Result<(), Stop> {
        let Place { set, first, here, depth, .. } = *place;
        let known = &mut self.known[place.state as usize];
        cx.budget.spend(known.len() / 8)?;
        let (right, guards) = (&self.right, &mut cx.guards);
        known.retain(|seen| {
            !(right.within(set, seen.set)
                && guards.within(seen.first, first)
                && guards.within(seen.here, here))
        });
        known.push(Seen { set, first, here, depth });
        Ok(())
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
