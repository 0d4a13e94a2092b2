//! Error rules of the plan: accesses that it leaves unordered, such as data races.

use crate::consistency::Race;
use crate::detect::Violation;
use crate::detect::{check_access_begun, Finding};
use crate::explore::choices::extend::blame_event;
use crate::explore::outcome::Located;
use crate::explore::regimes::Regime;
use crate::explore::{Explorer, Stop};
use crate::graph::Event;
use crate::ids::EventId;

impl<R: Regime> Explorer<'_, R> {
    /// Looks for an access that must not be unordered with one that was just linked.
    #[inline]
    pub(in crate::explore) fn check_race(&mut self, event: EventId) -> Result<(), Stop> {
        if !self.plan.computed_rules().is_empty() {
            self.judge_new(event)?;
        }
        let rules = self.plan.error_rules();
        if rules.is_empty() || !rules.may_race(self.graph(), event) {
            return Ok(());
        }
        self.graphs.settle();
        self.find_race(event)
    }

    /// The life of a shared object must start before an access to it that was just linked. (If the access is also in
    /// a race, that says more.) The caller asks whether the memory is shared: it has the event at hand.
    pub(in crate::explore) fn check_started(&self, access: EventId) -> Result<(), Stop> {
        let graph = self.graph();
        let event = graph.event(access);
        let before = |one, other| self.graphs.happens_before(one, other);
        check_access_begun(graph, &self.memory, &before, (access, event.access().address))
            .map_err(|f| blame_event(f, event))
    }

    fn find_race(&mut self, event: EventId) -> Result<(), Stop> {
        let races = self.plan.error_rules().races(self.graph(), event);
        let access = *self.graph().event(event);
        if let Some(error) = races.iter().find(|race| !race.warning) {
            return Err(blame_event(broken_rule(error, &access), &access));
        }
        for race in races {
            self.note_warning(&race, &access);
        }
        Ok(())
    }

    /// Keeps the first pair of accesses that breaks a rule which only warns.
    pub(in crate::explore) fn note_warning(&mut self, race: &Race, access: &Event) {
        if self.outcome.warnings.contains_key(&race.rule) {
            return;
        }
        let other = self.graph().event(race.other).snapshot;
        let finding = broken_rule(race, access);
        let located =
            |at| Located { finding: finding.clone(), stack: self.states.stack(at), waits: Vec::new() };
        let pair = [located(access.snapshot), located(other)];
        self.outcome.warnings.insert(race.rule, pair);
    }
}

/// The finding about a broken rule.
pub(in crate::explore) fn broken_rule(race: &Race, access: &Event) -> Finding {
    let mut finding =
        Finding::violation(Violation::Rule, "two accesses that nothing orders").with(race.other);
    finding.rule = Some(race.rule as u32);
    finding.address = Some(access.access().address);
    finding
}
