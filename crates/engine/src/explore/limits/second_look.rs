//! A program that was refused is looked at once more: a violation says more than a refusal.
//!
//! The exploration stops at the first thing that it refuses. Which one that is, and whether a violation was met
//! before it, depends on the order of exploration. So the program is explored again by one worker, and a thread that
//! is refused is blocked where it stands while the others go on. A refusal depends on what its thread has done and
//! read alone, except for accesses of several sizes: of two threads that access the same bytes, the one that comes
//! second is refused. Then there are two more looks, and each leaves out one of the two locations: its accesses are
//! refused, whichever thread comes first. What happens without both is found by one of them. (Where accesses may have
//! several sizes, the look starts again with smaller cells instead.) So if all looks come to their ends, neither
//! whether there is a violation nor the kind of refusal that is reported depends on the order. If one does not, because
//! it reaches a bound on endless loops or its allowance is used up, the last look is at executions in which every loop
//! goes round a few times only.

use crate::consistency::Plan;
use crate::detect::Finding;
use crate::detect::Refusal;
use crate::explore::limits::watch::Watch;
use crate::explore::outcome::{Config, Located, Outcome, Status};
use crate::explore::regimes::Regime;
use crate::explore::{explore_with_room, Explorer, Stop};
use crate::graph::ThreadStatus;
use crate::program::Program;

/// Rounds of each loop in the last look.
const FEW_ROUNDS: u32 = 2;
/// What a look may cost, in events of small graphs.
const ALLOWANCE: u64 = 2_000_000;
/// Jumps of a thread that cost as much as an event.
const STEPS_OF_AN_EVENT: u64 = 16;
/// Jumps of a thread without an event after which it is taken for endless in a look.
const STEP_LIMIT: u64 = 10_000_000;
/// Events of a graph up to which adding one more costs little. Where coherence has to be found these are fewer, and the
/// cost grows faster.
const SMALL_GRAPH: u64 = 64;
const SMALL_GRAPH_WITHOUT_COHERENCE: u64 = 8;

/// Looks at one program, at most.
const MOST_LOOKS: usize = 16;

/// A location's address and size.
pub(in crate::explore) type Name = (u64, u8);

/// How an exploration goes on where it would stop because it refuses to.
#[derive(Default)]
pub(in crate::explore) struct Leniency {
    /// What it may still cost; none: it stops.
    left: Option<u64>,
    steps: u64,
    /// The first refusal by kind and place, and the execution that shows it.
    refusal: Option<Located>,
    left_out: Vec<Name>,
    mixed: Option<[Name; 2]>,
}

impl Leniency {
    /// With an allowance, and without some locations.
    pub fn new(left_out: &[Name]) -> Leniency {
        Leniency { left: Some(ALLOWANCE), left_out: left_out.to_vec(), ..Leniency::default() }
    }

    /// Whether accesses of a location are refused.
    pub fn leaves_out(&self, location: Name) -> bool {
        self.left_out.contains(&location)
    }

    /// Two locations over the same bytes are both accessed.
    #[cold]
    pub fn meet(&mut self, both: [Name; 2]) {
        self.mixed.get_or_insert(both);
    }

    /// The first two locations that were met over the same bytes.
    pub fn mixed(&self) -> Option<[Name; 2]> {
        self.mixed
    }

    /// Pays for the events since the last look around, in a graph of so many events, and for what threads have done
    /// in between.
    pub fn pay<R: Regime>(&mut self, events: u64, length: usize, steps: u64) -> Result<(), Stop> {
        let Some(left) = self.left else { return Ok(()) };
        let length = length as u64;
        let size = match R::SEARCHES_COHERENCE {
            true => 1 + (length / SMALL_GRAPH_WITHOUT_COHERENCE).pow(2),
            false => 1 + length / SMALL_GRAPH,
        };
        let cost = events * size + steps.wrapping_sub(self.steps) / STEPS_OF_AN_EVENT;
        self.steps = steps;
        if cost > left {
            return Err(Stop::Interrupted);
        }
        self.left = Some(left - cost);
        Ok(())
    }

    /// Whether threads are blocked where they are refused.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.left.is_some()
    }
}

/// What to report of a program that was refused.
pub(in crate::explore) fn look_again<R: Regime>(
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
    let few = Config { unroll: config.unroll.at_most(FEW_ROUNDS), ..all.clone() };
    if let Some(found) = look_everywhere::<R>(program, plan, &all, watch) {
        return found;
    }
    match look_everywhere::<R>(program, plan, &few, watch) {
        Some(look) if look.status == Status::Violation => look,
        _ => refused,
    }
}

/// What looks with and without locations of several sizes find: a violation, or else the first refusal by kind and
/// place, if all of them come to their ends.
fn look_everywhere<R: Regime>(
    program: &Program,
    plan: &Plan,
    config: &Config,
    watch: &mut Watch,
) -> Option<Outcome> {
    let mut config = config.clone();
    let mut to_do = vec![Vec::new()];
    let mut first: Option<Outcome> = None;
    let (mut looks, mut all_ended) = (0, true);
    while let Some(left_out) = to_do.pop() {
        let mut look = explore_with_room::<R>(program, plan, &config, Some(&left_out), watch);
        while look.asks_for_more(&mut config) {
            look = explore_with_room::<R>(program, plan, &config, Some(&left_out), watch);
        }
        looks += 1;
        if look.status == Status::Violation {
            return Some(look);
        }
        all_ended &= look.status != Status::Interrupted && looks < MOST_LOOKS;
        if looks < MOST_LOOKS {
            let sides = look.mixed.into_iter().flatten();
            to_do.extend(sides.map(|side| [left_out.as_slice(), &[side]].concat()));
        }
        let place = |outcome: &Outcome| outcome.finding.as_ref().map(rank);
        if look.finding.is_some() && first.as_ref().is_none_or(|first| place(&look) < place(first)) {
            first = Some(look);
        }
    }
    first.filter(|_| all_ended)
}

impl<R: Regime> Explorer<'_, R> {
    /// Blocks a thread that is refused, and keeps the refusal if none comes before it. Fails if the look has to start
    /// again with smaller cells.
    #[cold]
    pub(in crate::explore) fn block_refused(&mut self, finding: Finding) -> Result<(), Stop> {
        let needs_cells = self.config.cuts.is_some() && finding.kind == Refusal::MixedSize.name();
        if needs_cells || finding.kind == Refusal::Stuck.name() {
            return Err(finding.into());
        }
        let thread = finding.thread;
        let located = self.located(finding);
        let is_new = located.finding.kind != Refusal::LeftOut.name();
        if is_new && self.leniency.refusal.as_ref().is_none_or(|kept| rank(&located) < rank(kept)) {
            self.outcome.graph = Some(self.export());
            self.leniency.refusal = Some(located);
        }
        self.graph_mut().thread_mut(thread).pending.status = ThreadStatus::Blocked;
        Ok(())
    }

    /// A look has come to its end: what it kept is what it has to report.
    pub(in crate::explore) fn report_refusal(&mut self) {
        if let Some(located) = self.leniency.refusal.take() {
            self.outcome.status = Status::Refused;
            self.outcome.finding = Some(located);
        }
    }
}

/// Refusals in an order that does not depend on when they were met.
fn rank(refusal: &Located) -> impl Ord {
    let finding = &refusal.finding;
    let place = refusal.stack.first().map(|(function, pc)| (function.0, *pc));
    (finding.kind.clone(), place, finding.endless, finding.message.clone())
}
