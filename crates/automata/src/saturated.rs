//! The words that an automaton accepts in addition by facts about relations (thesis Prop. 2, 4 and 6).
//!
//! Each step is replaced by the words that are within its relation: where an automaton steps by a transitive relation
//! it may then step by it several times, and so on. A relation's words are a small automaton, so every fact is used as
//! often as it can be.
//! I1: a word that the result accepts denotes, in every graph, a part of what the original denotes.
//! I2: unlike other automata it may have steps into its start and out of its end.

use crate::budget::Stop;
use crate::context::Context;
use crate::guards::Guard;
use crate::hashing::{Map, Set};
use crate::nfa::{Edge, Label, Nfa, State, END, START};
use crate::reduce::{merged_guards, reduced, uncovered};
use std::collections::BTreeSet;

/// What a state was made for: the relation or rule (with which of the two), its inner state, where it leads and
/// what the last event can be.
pub(crate) type Inner = (bool, u32, u32, State, Guard);

/// An automaton that grows by the words that facts add.
#[derive(Clone)]
pub struct Saturated {
    /// How many states there are.
    pub states: State,
    /// Its steps.
    pub edges: BTreeSet<Edge>,
    /// The events related to themselves by the empty word.
    pub nullable: Guard,
    closed: Set<Edge>,
    inner: Map<Inner, State>,
}

impl Saturated {
    /// An automaton with the words that facts add.
    pub fn new(nfa: &Nfa, cx: &mut Context) -> Result<Self, Stop> {
        let mut made = Saturated::closed(nfa.states, nfa.nullable);
        made.add(nfa.edges.clone(), cx)?;
        Ok(made)
    }

    fn closed(states: State, nullable: Guard) -> Self {
        Saturated { states, edges: BTreeSet::new(), nullable, closed: Set::default(), inner: Map::default() }
    }

    /// The automaton as it is now.
    pub fn nfa(&self) -> Nfa {
        Nfa::new(self.states, self.edges.iter().copied().collect(), self.nullable)
    }

    /// Adds steps and what follows from them; whether any of them is new.
    pub fn add(&mut self, edges: Vec<Edge>, cx: &mut Context) -> Result<bool, Stop> {
        let new = self.uncovered(edges, cx)?;
        self.edges.extend(&new);
        let whole = self.joined(&new.iter().copied().collect(), cx)?;
        for &edge in new.iter().chain(&whole) {
            cx.budget.spend(4)?;
            if !cx.relation(edge.label).words.is_empty() && self.closed.insert(edge) {
                self.replace(edge, cx);
            }
        }
        Ok(!new.is_empty())
    }

    /// Adds steps without their consequences.
    pub fn add_closed(&mut self, edges: Vec<Edge>) {
        self.closed.extend(&edges);
        self.edges.extend(edges);
    }

    /// The steps that existing steps do not allow yet, restricted to the events for which that is so.
    fn uncovered(&self, edges: Vec<Edge>, cx: &mut Context) -> Result<Vec<Edge>, Stop> {
        if self.edges.is_empty() {
            return Ok(edges);
        }
        let mut beside: Map<(State, State), Vec<Edge>> = Map::default();
        for e in &self.edges {
            beside.entry((e.source, e.target)).or_default().push(*e);
        }
        let mut left = Vec::new();
        for e in edges {
            let others = beside.get(&(e.source, e.target)).map_or(&[][..], Vec::as_slice);
            cx.budget.spend(1 + others.len())?;
            let wider: Vec<_> = others
                .iter()
                .filter(|f| cx.relation(f.label).within.contains(&e.label))
                .map(|f| (f.before, f.after))
                .collect();
            let before = uncovered(e.before, e.after, &wider, &mut cx.guards);
            if !before.is_none() {
                left.push(Edge { before, ..e });
            }
        }
        merged_guards(left, cx)
    }

    /// The empty word, also where steps lead back to the start or on from the end (I2).
    fn accept_empty(&mut self, cx: &mut Context) {
        let guards = &mut cx.guards;
        let mut more = Vec::new();
        for &e in &self.edges {
            if e.target == START {
                more.push(Edge { target: END, after: guards.and(e.after, self.nullable), ..e });
            }
        }
        self.add_closed(more);
        let mut more = Vec::new();
        for &e in &self.edges {
            if e.source == END {
                more.push(Edge { source: START, before: guards.and(e.before, self.nullable), ..e });
            }
        }
        self.add_closed(more);
    }

    /// The same over letters alone, with as few states as are easily found; nothing is added to it later.
    pub fn settled(mut self, cx: &mut Context) -> Result<Self, Stop> {
        if !self.nullable.is_none() {
            self.accept_empty(cx);
        }
        let letters = cx.over_letters(self.edges.iter())?;
        let fewer = reduced(Nfa::new(self.states, letters, self.nullable), cx)?;
        let mut result = Saturated::closed(fewer.states, self.nullable);
        result.add_closed(fewer.edges);
        Ok(result)
    }

    /// The steps that all pairs of a relation can take.
    pub fn whole(&self, label: Label, cx: &mut Context) -> Result<Vec<Edge>, Stop> {
        let all = self.edges.iter().copied().collect();
        let mut found: BTreeSet<Edge> = self.joined(&all, cx)?.into_iter().collect();
        found.extend(&self.edges);
        found.retain(|e| cx.relation(e.label).within.contains(&label));
        Ok(found.into_iter().collect())
    }

    /// A state for a purpose; the same state for the same purpose.
    pub(crate) fn state(&mut self, purpose: Inner) -> State {
        let next = self.states;
        let state = *self.inner.entry(purpose).or_insert(next);
        self.states += State::from(state == next);
        state
    }

    /// Wherever both halves of a relation lead from one state to another, and one of them newly, all of it does.
    fn joined(&self, new: &Set<Edge>, cx: &mut Context) -> Result<Vec<Edge>, Stop> {
        let mut found = Vec::new();
        if !cx.relations.iter().any(|r| r.external_half_of.is_some()) {
            return Ok(found);
        }
        let mut between: Map<(State, State, Label), Vec<Edge>> = Map::default();
        for e in &self.edges {
            between.entry((e.source, e.target, e.label)).or_default().push(*e);
        }
        for e in &self.edges {
            let Some((internal, whole)) = cx.relation(e.label).external_half_of else { continue };
            let inner = between.get(&(e.source, e.target, internal)).map_or(&[][..], Vec::as_slice);
            cx.budget.spend(1 + inner.len())?;
            for f in inner.iter().filter(|&f| new.contains(e) || new.contains(f)) {
                let (before, after) = (cx.guards.and(e.before, f.before), cx.guards.and(e.after, f.after));
                if !before.is_none() && !after.is_none() {
                    found.push(Edge { label: whole, before, after, ..*e });
                }
            }
        }
        Ok(found)
    }

    /// Adds the words within a step's relation beside it.
    fn replace(&mut self, edge: Edge, cx: &Context) {
        for &(source, label, target) in &cx.relation(edge.label).words {
            if !cx.has_letters(label) {
                continue; // no word of the smaller side contains it
            }
            let before = if source == START { edge.before } else { cx.everything };
            let after = if target == END { edge.after } else { cx.everything };
            let (source, target) = (self.between(&edge, source), self.between(&edge, target));
            let inner = Edge { source, label, target, before, after };
            self.edges.insert(inner);
            self.closed.insert(inner);
        }
    }

    /// A state on the way; steps by one relation that end alike share it, as only the first is guarded.
    fn between(&mut self, edge: &Edge, state: State) -> State {
        match state {
            START => edge.source,
            END => edge.target,
            other => self.state((false, u32::from(edge.label), other, edge.target, edge.after)),
        }
    }
}
