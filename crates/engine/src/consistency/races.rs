//! Error rules: two accesses of one location that a view leaves unordered.

use super::layout::{Plan, Rule};
use crate::graph::{Event, Graph};
use crate::ids::EventId;

/// Two accesses that break an error rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Race {
    /// The rule's number in the plan.
    pub rule: usize,
    /// It is only a warning.
    pub warning: bool,
    /// The access that was there before.
    pub other: EventId,
}

impl Plan {
    /// Whether error rules can apply at all.
    #[inline(always)]
    pub fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// Whether some rule is about accesses like those of the event's location.
    #[inline]
    pub fn may_race(&self, graph: &Graph, event: EventId) -> bool {
        let classes = graph.loc(graph.event(event).loc).classes;
        let concerns = |rule: &Rule| rule.rule.first.0 & classes != 0 && rule.rule.second.0 & classes != 0;
        self.errors.iter().any(concerns)
    }

    /// Every rule that `event`, which was just linked, breaks together with another access.
    pub fn races(&self, graph: &Graph, event: EventId) -> Vec<Race> {
        let mut races = Vec::new();
        let loc = graph.event(event).loc;
        for write in graph.co_after(loc, EventId::NONE) {
            self.add_races(graph, event, write, &mut races);
        }
        let mut read = graph.loc(loc).last_read;
        while read.is_some() {
            self.add_races(graph, event, read, &mut races);
            read = graph.event(read).previous;
        }
        races
    }

    fn add_races(&self, graph: &Graph, event: EventId, other: EventId, races: &mut Vec<Race>) {
        if other == event {
            return;
        }
        let (one, two) = (graph.event(event), graph.event(other));
        let broken = |rule: &&Rule| rule.concerns(one, two) && rule.leaves(graph, event, other);
        let race = |rule: &Rule| Race { rule: rule.rule.number, warning: rule.rule.warning, other };
        races.extend(self.errors.iter().filter(broken).map(race));
    }
}

impl Rule {
    fn concerns(&self, one: &Event, two: &Event) -> bool {
        let (first, second) = (self.rule.first, self.rule.second);
        (first.has(one.class) && second.has(two.class)) || (first.has(two.class) && second.has(one.class))
    }

    fn leaves(&self, graph: &Graph, one: EventId, two: EventId) -> bool {
        !self.rows.iter().any(|row| graph.precedes(*row, one, two) || graph.precedes(*row, two, one))
    }
}
