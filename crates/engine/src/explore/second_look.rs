//! A program that was refused is looked at once more: a violation says more than a refusal.
//!
//! The exploration stops at the first thing that it refuses. Which one that is, and whether a violation was met before it,
//! depends on the order of exploration. So the program is explored again by one worker, and a thread that is refused is
//! blocked where it stands while the others go on. A refusal depends on what its thread has done and read alone (except
//! for mixed sizes, which depend on other threads). So if this look comes to its end, neither the violation nor the
//! refusal that is reported depends on the order. If it does not, because it reaches a bound on endless loops or its
//! allowance is used up, the last look is at executions in which every loop goes round a few times only.

use super::outcome::{Config, Located, Outcome, Status};
use super::watch::Watch;
use super::{explore_with_room, Explorer, Stop};
use crate::consistency::Plan;
use crate::detect::Finding;
use crate::graph::Class;
use crate::program::Program;

/// Rounds of each loop in the last look.
const FEW_ROUNDS: u32 = 2;
/// What a look may cost: so many events of small graphs.
const ALLOWANCE: u64 = 2_000_000;
/// Jumps of a thread that cost as much as an event.
const STEPS_OF_AN_EVENT: u64 = 16;
/// Jumps of a thread without an event after which it is taken for endless in a look.
const STEP_LIMIT: u64 = 10_000_000;
/// Events of a graph up to which adding one more costs little; fewer where coherence has to be found.
const SMALL_GRAPH: u64 = 64;
const SMALL_GRAPH_WITHOUT_COHERENCE: u64 = 8;

/// How an exploration goes on where it would stop because it refuses to.
#[derive(Default)]
pub(super) struct Leniency {
    /// What it may still cost; none: it stops.
    left: Option<u64>,
    steps: u64,
    /// The first refusal by kind and place, and the execution that shows it.
    refusal: Option<Located>,
}

impl Leniency {
    /// With an allowance, or none at all.
    pub fn new(is_lenient: bool) -> Leniency {
        Leniency { left: is_lenient.then_some(ALLOWANCE), steps: 0, refusal: None }
    }

    /// Whether threads are blocked where they are refused.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.left.is_some()
    }
}

/// What to report of a program that was refused.
pub(super) fn look_again(
    program: &Program,
    plan: &Plan,
    config: &Config,
    refused: Outcome,
    watch: &mut Watch,
) -> Outcome {
    if refused.events == 0 {
        return refused; // Main did not come to create a thread: there is nothing beside it.
    }
    let step_limit = config.step_limit.min(STEP_LIMIT);
    let all = Config { workers: 1, step_limit, ..config.clone() };
    let few = Config { unroll: Some(config.unroll.map_or(FEW_ROUNDS, |n| n.min(FEW_ROUNDS))), ..all.clone() };
    let look = explore_with_room(program, plan, &all, true, watch);
    match look.status {
        Status::Violation | Status::Refused => return look,
        Status::Finished | Status::Interrupted => {}
    }
    let look = explore_with_room(program, plan, &few, true, watch);
    match look.status {
        Status::Violation => look,
        _ => refused,
    }
}

impl Explorer<'_> {
    /// Blocks a thread that is refused, and keeps the refusal if none comes before it.
    pub(super) fn block_refused(&mut self, finding: Finding) {
        let thread = finding.thread;
        let located = self.located(finding);
        if self.leniency.refusal.as_ref().is_none_or(|kept| rank(&located) < rank(kept)) {
            self.outcome.graph = Some(self.export());
            self.leniency.refusal = Some(located);
        }
        self.graph_mut().thread_mut(thread).pending.class = Class::Blocked;
    }

    /// A look has come to its end: what it kept is what it has to report.
    pub(super) fn report_refusal(&mut self) {
        if let Some(located) = self.leniency.refusal.take() {
            self.outcome.status = Status::Refused;
            self.outcome.finding = Some(located);
        }
    }

    /// Pays for the events since the last look around.
    pub(super) fn pay(&mut self, events: u64) -> Result<(), Stop> {
        let Some(left) = self.leniency.left else { return Ok(()) };
        let small = if self.config.reads_from { SMALL_GRAPH_WITHOUT_COHERENCE } else { SMALL_GRAPH };
        let size = 1 + self.graph().len() as u64 / small;
        let steps = self.arena.steps();
        let cost = events * size + steps.wrapping_sub(self.leniency.steps) / STEPS_OF_AN_EVENT;
        self.leniency.steps = steps;
        if cost > left {
            return Err(Stop::Interrupted);
        }
        self.leniency.left = Some(left - cost);
        Ok(())
    }
}

/// Refusals in an order that does not depend on when they were met.
fn rank(refusal: &Located) -> impl Ord {
    let finding = &refusal.finding;
    let place = refusal.stack.first().map(|(function, pc)| (function.0, *pc));
    (finding.kind.clone(), place, finding.endless, finding.message.clone())
}
