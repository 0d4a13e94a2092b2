//! What all operations share: the guards, what is known about the relations, and the time that is left.

use crate::budget::{Budget, Stop};
use crate::guards::{Guard, Guards};
use crate::hashing::Map;
use crate::nfa::{Edge, Label};

/// What is known about a relation with a direction; labels are their numbers.
#[derive(Clone, Debug, Default)]
pub struct Relation {
    /// The same relation walked the other way.
    pub inverse: Label,
    /// The relations that are within it, including itself.
    pub within: Vec<Label>,
    /// The letters of which it is the union.
    pub parts: Vec<Label>,
    /// If it is the external half of a relation: the internal half and the whole.
    pub external_half_of: Option<(Label, Label)>,
    /// The part of it that keeps the location, if that is a relation.
    pub one_location: Option<Label>,
    /// An automaton of words within it: source, label, target; 0 is its start and 1 its end.
    pub words: Vec<(u32, Label, u32)>,
    /// Whether words are made of it.
    pub is_letter: bool,
    /// What the first and the second event of a pair can be.
    pub ends: Option<(Guard, Guard)>,
}

/// What an operation needs besides automata.
pub struct Context {
    /// The owner of the guards.
    pub guards: Guards,
    /// What is known about the relations, by label.
    pub relations: Vec<Relation>,
    /// The assignments that events can have.
    pub everything: Guard,
    /// How many variables an event has.
    pub variables: usize,
    /// The time that is left.
    pub budget: Budget,
}

impl Context {
    /// A context that knows no relations yet.
    pub fn new(variables: usize, budget: Budget) -> Self {
        let (guards, everything) = (Guards::new(), Guard::ALL);
        Context { guards, relations: Vec::new(), everything, variables, budget }
    }

    /// What is known about a relation.
    pub fn relation(&self, label: Label) -> &Relation {
        &self.relations[usize::from(label)]
    }

    /// What the ends of a pair of the relation can be.
    pub fn ends(&self, label: Label) -> (Guard, Guard) {
        self.relation(label).ends.unwrap_or((self.everything, self.everything))
    }

    /// The letters whose relations are within one.
    pub fn letters_below(&self, label: Label) -> impl Iterator<Item = Label> + '_ {
        self.relation(label).within.iter().copied().filter(|&inner| self.relation(inner).is_letter)
    }

    /// Whether some letter's relation is within one.
    pub fn has_letters(&self, label: Label) -> bool {
        self.letters_below(label).next().is_some()
    }

    /// Steps over letters that mean the same, for the smaller side of an inclusion; their relations become letters.
    pub fn exactly(&mut self, edges: &[Edge]) -> Vec<Edge> {
        let mut found = Vec::new();
        for e in edges {
            for part in self.relation(e.label).parts.clone() {
                self.relations[usize::from(part)].is_letter = true;
                found.extend(self.restricted(e, part));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Steps over letters whose relations are within those of the steps, for the larger side.
    pub fn over_letters<'a>(&mut self, edges: impl Iterator<Item = &'a Edge>) -> Result<Vec<Edge>, Stop> {
        let mut letters: Map<Label, Vec<Label>> = Map::default();
        let mut found = Vec::new();
        for e in edges {
            self.budget.spend(4)?;
            let below = letters.entry(e.label).or_insert_with(|| self.letters_below(e.label).collect());
            for &letter in &*below {
                found.extend(self.restricted(e, letter));
            }
        }
        Ok(found)
    }

    /// A step with another label, between events that both labels allow.
    fn restricted(&mut self, edge: &Edge, label: Label) -> Option<Edge> {
        let (first, second) = self.ends(label);
        let (outer_first, outer_second) = self.ends(edge.label);
        let mut before = self.guards.and(edge.before, first);
        let mut after = self.guards.and(edge.after, second);
        before = self.guards.and(before, outer_first);
        after = self.guards.and(after, outer_second);
        (!before.is_none() && !after.is_none()).then_some(Edge { label, before, after, ..*edge })
    }
}
