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

    /// An access that breaks a rule together with `event`, which was just linked.
    pub fn race(&self, graph: &Graph, event: EventId) -> Option<Race> {
        let access = graph.event(event);
        let other = |other: EventId| {
            let broken =
                |rule: &&Rule| rule.concerns(access, graph.event(other)) && rule.leaves(graph, event, other);
            let rule = self.errors.iter().find(broken)?;
            Some(Race { rule: rule.rule.number, warning: rule.rule.warning, other })
        };
        let writes = graph.co_after(access.loc, EventId::NONE);
        writes.filter(|write| *write != event).find_map(other).or_else(|| {
            let mut read = graph.loc(access.loc).last_read;
            while read.is_some() {
                if read != event {
                    if let Some(race) = other(read) {
                        return Some(race);
                    }
                }
                read = graph.event(read).previous;
            }
            None
        })
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
