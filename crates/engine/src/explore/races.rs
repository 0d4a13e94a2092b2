//! Error rules of the plan: accesses that it leaves unordered, such as data races.

use super::extend::blame_event;
use super::outcome::Located;
use super::{Explorer, Stop};
use crate::detect::Finding;
use crate::ids::EventId;

impl Explorer<'_> {
    /// Looks for an access that must not be unordered with one that was just linked.
    #[inline]
    pub(super) fn check_race(&mut self, event: EventId) -> Result<(), Stop> {
        if !self.plan.has_errors() {
            return Ok(());
        }
        self.find_race(event)
    }

    fn find_race(&mut self, event: EventId) -> Result<(), Stop> {
        let graph = self.graph();
        let Some(race) = self.plan.race(graph, event) else { return Ok(()) };
        let access = *graph.event(event);
        let mut finding = Finding::violation("rule", "two accesses that nothing orders").with(race.other);
        finding.rule = Some(race.rule);
        finding.address = Some(access.address);
        if !race.warning {
            return Err(blame_event(finding, &access));
        }
        if !self.outcome.warnings.contains_key(&race.rule) {
            let other = graph.event(race.other).snapshot;
            let located = |at| Located { finding: finding.clone(), stack: self.vm.stack(&self.arena, at) };
            let pair = [located(access.snapshot), located(other)];
            self.outcome.warnings.insert(race.rule, pair);
        }
        Ok(())
    }
}
