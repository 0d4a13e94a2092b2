//! The exploration: TruSt Algorithm 1 (POPL 2022 §4.1; thesis Algorithms 5.3 and 6.1) as a loop.
//!
//! The recursion of VISIT is a stack of `frames`: a frame is a choice with the options that are left
//! (which write a read sees, where a write stands, which read a write revisits). Forward choices happen
//! in place and are undone by popping events; a backward revisit fills the next graph of a pool.
//!
//! Departs 1: inconsistent choices are never made, rather than made and dropped (line 4).
//! Departs 2: all reads that a write may revisit are found in one sweep, newest event first: whether an
//! event was added maximally does not depend on the read, so the first one that was not ends the sweep.
//! Departs 3: a synchronisation object, such as a mutex, is a location; waiting for it is an RMW whose read blocks its
//! thread (`sync`).
//! Departs 4: creation, join, allocation and deallocation are events without choices; joins that only end the
//! program are not events (`epilogue`).
//! Beside it stand Algorithm 2, for reads-from equivalence, and what changes where the causal order is smaller than
//! `po`: a `Regime` says what differs. Several workers may share an exploration (`workers`).
//!
//! I1: between steps the current graph is consistent, and every thread's next request is known.

mod annotations;
mod choices;
mod computed;
mod estimate;
mod export;
mod flagged;
mod leaks;
mod limits;
mod outcome;
mod postponing;
mod progress;
mod races;
mod regimes;
mod requests;
mod route;
mod spinning;
mod standstill;
mod stopping;
mod symmetry;
mod sync;
mod threads;
mod workers;

#[cfg(test)]
mod tests;

pub use estimate::{estimate, Estimate, Interval, Sampling};
pub use export::{ExportedEvent, ExportedGraph, ExportedPart, ExportedThread};
pub use flagged::Flags;
pub use leaks::Leaks;
pub use outcome::{Config, Located, Outcome, Status};
pub use progress::{Counts, Look, Progress};
pub use route::Route;

use crate::consistency::{Alarm, Late, Plan, Question, Workspace};
use crate::detect::Finding;
use crate::graph::{Graph, LANE_STEP};
use crate::ids::ThreadId;
use crate::memory::Memory;
use crate::program::Program;
use crate::vm::Vm;
use annotations::Annotations;
use choices::cells::CellTable;
use choices::graphs::Graphs;
use choices::locations::Locations;
use choices::schedule::Schedule;
use choices::stack::Choices;
use limits::endless::{Bounds, Landmarks};
use limits::second_look::{look_again, Leniency, Name};
use limits::watch::Watch;
use postponing::Postponement;
use regimes::{Coherence, Gaps, InOrder, Mixed, MixedGaps, ReadsFrom, ReadsFromGaps, Regime, Unbuffered};
use spinning::attempts::stops_attempts;
use std::collections::BTreeSet;
use std::time::Instant;
use symmetry::Symmetry;
use threads::epilogue::Epilogue;
use threads::numbers::ThreadTable;
use threads::states::States;
use workers::pool::{explore_together, patience, Member};

/// Threads that clocks have room for at first; half as many are added until they fit.
const FIRST_LANES: usize = LANE_STEP;

/// Why exploring stopped early.
enum Stop {
    Finding(Finding),
    /// Clocks have no room for another thread.
    TooManyThreads,
    /// A thread that only the worker whose turn it is may number.
    UnknownThread,
    /// A limit or the caller.
    Interrupted,
    /// It takes long: more workers may join.
    NeedsHelp,
    /// The other workers need nothing else of this.
    CalledOff,
}

impl From<Finding> for Stop {
    fn from(finding: Finding) -> Stop {
        Stop::Finding(finding)
    }
}

impl From<Late> for Stop {
    fn from(_: Late) -> Stop {
        Stop::Interrupted
    }
}

/// What adding an event led to.
enum Step {
    Extended,
    /// Nothing can be added.
    Full,
    /// Nothing that matters can be added: every thread will end.
    Ended,
    Dropped,
}

/// An exploration in progress.
struct Explorer<'p, R: Regime> {
    program: &'p Program,
    plan: &'p Plan,
    config: &'p Config,
    states: States<'p>,
    graphs: Graphs<'p>,
    choices: Choices,
    work: Workspace,
    regime: R,
    memory: Memory,
    locations: Locations,
    threads: ThreadTable,
    epilogue: Epilogue,
    landmarks: Landmarks,
    bounds: Bounds,
    /// Bytes that another worker holds for the work it gave to this one.
    inherited: usize,
    /// Bytes that the other workers know of.
    published: usize,
    leniency: Leniency,
    /// The program has attempts that may fail.
    has_attempts: bool,
    annotations: Annotations<'p>,
    postponement: Postponement,
    /// A thread that an assumption has just stopped.
    stopped: Option<ThreadId>,
    /// Threads that found nothing to close their gaps with, as long as others may.
    waiting: Vec<ThreadId>,
    schedule: Schedule,
    /// Threads that are exchangeable.
    symmetry: Symmetry,
    /// Where initial memory may have pointers, once somebody has asked.
    initial_pointers: Option<BTreeSet<u64>>,
    outcome: Outcome,
    /// What of it, and of the choices, is in the progress that is shown.
    reported: Counts,
    /// Its place among several workers.
    member: Option<Member>,
}

/// Explores a program; `interrupted` is asked now and then whether to stop.
pub fn explore(program: &Program, plan: &Plan, config: &Config, interrupted: Question) -> Outcome {
    let config = &config.on_route();
    match Choosing::of(config, plan) {
        Choosing::MixedGaps => explore_in::<MixedGaps>(program, plan, config, interrupted),
        Choosing::Mixed => explore_in::<Mixed>(program, plan, config, interrupted),
        Choosing::Coherence => explore_in::<Coherence>(program, plan, config, interrupted),
        Choosing::ReadsFrom => explore_in::<ReadsFrom>(program, plan, config, interrupted),
        Choosing::Gaps => explore_with_gaps(program, plan, config, interrupted),
        Choosing::ReadsFromGaps => explore_in::<ReadsFromGaps>(program, plan, config, interrupted),
    }
}

/// Which regime it takes: the one place that decides.
enum Choosing {
    MixedGaps,
    Mixed,
    Coherence,
    ReadsFrom,
    /// Or one without gaps, as long as that is enough.
    Gaps,
    ReadsFromGaps,
}

impl Choosing {
    fn of(config: &Config, plan: &Plan) -> Choosing {
        match (config.cuts.is_some(), config.reads_from, plan.upkeep().leaves_gaps()) {
            (true, _, true) => Choosing::MixedGaps,
            (true, _, false) => Choosing::Mixed,
            (false, false, false) => Choosing::Coherence,
            (false, true, false) => Choosing::ReadsFrom,
            (false, false, true) => Choosing::Gaps,
            (false, true, true) => Choosing::ReadsFromGaps,
        }
    }
}

/// Explores under a causal order that is smaller than `po`, without gaps as long as that is enough.
fn explore_with_gaps(program: &Program, plan: &Plan, config: &Config, interrupted: Question) -> Outcome {
    let start = Instant::now();
    let mut watch = Watch::new(Alarm::new(config.time_limit, interrupted));
    if config.makes_attempt(0) {
        if let Some(outcome) = explore_unbuffered(program, plan, config, start, &mut watch) {
            return outcome;
        }
    }
    if plan.may_be_in_order() && config.makes_attempt(1) {
        if let Some(outcome) = explore_as_far::<InOrder>(program, plan, config, start, &mut watch) {
            return outcome.in_attempt(1);
        }
    }
    explore_for::<Gaps>(program, plan, config, start, &mut watch).in_attempt(2)
}

/// Explores by the plan of a plan for fewer graphs, unless it has none or that turns out not to be enough. That plan may
/// have one for fewer graphs still.
fn explore_unbuffered(
    program: &Program,
    plan: &Plan,
    config: &Config,
    start: Instant,
    watch: &mut Watch,
) -> Option<Outcome> {
    let unbuffered = plan.unbuffered()?;
    let fewer = &unbuffered.plan;
    let mut outcome = explore_unbuffered(program, fewer, config, start, watch)
        .or_else(|| explore_as_far::<Unbuffered>(program, fewer, config, start, watch))?;
    let mut forbidden = vec![0; plan.checks().axioms()];
    for (axiom, count) in unbuffered.axioms.iter().zip(outcome.forbidden) {
        forbidden[*axiom] += count;
    }
    outcome.forbidden = forbidden;
    Some(outcome)
}

/// Explores unless that turns out not to be enough.
fn explore_as_far<R: Regime>(
    program: &Program,
    plan: &Plan,
    config: &Config,
    start: Instant,
    watch: &mut Watch,
) -> Option<Outcome> {
    let mut config = config.clone();
    let outcome = explore_until_refused::<R>(program, plan, &mut config, watch);
    (outcome.status != Status::Refused).then(|| outcome.explored_in::<R>(config, start))
}

/// Explores in a regime.
fn explore_in<R: Regime>(program: &Program, plan: &Plan, config: &Config, interrupted: Question) -> Outcome {
    let mut watch = Watch::new(Alarm::new(config.time_limit, interrupted));
    explore_for::<R>(program, plan, config, Instant::now(), &mut watch)
}

/// The same; what is refused is explored until it is as clear as it can be why.
fn explore_for<R: Regime>(
    program: &Program,
    plan: &Plan,
    config: &Config,
    start: Instant,
    watch: &mut Watch,
) -> Outcome {
    let mut config = config.clone();
    if R::HAS_GAPS {
        config.workers = 1; // It remembers all executions, because some are found more than once.
    }
    let mut outcome = explore_until_refused::<R>(program, plan, &mut config, watch);
    if outcome.status == Status::Refused && !(config.leaves_sizes && outcome.meets_sizes()) {
        outcome = look_again::<R>(program, plan, &config, outcome, watch);
    }
    outcome.explored_in::<R>(config, start)
}

/// Explores, and starts again with what was found out as long as that helps.
fn explore_until_refused<R: Regime>(
    program: &Program,
    plan: &Plan,
    config: &mut Config,
    watch: &mut Watch,
) -> Outcome {
    let mut outcome = explore_with_room::<R>(program, plan, config, None, watch);
    while outcome.asks_for_more(config) {
        outcome = explore_with_room::<R>(program, plan, config, None, watch);
    }
    outcome
}

impl Outcome {
    /// With what is known at the end of an exploration.
    fn explored_in<R: Regime>(mut self, config: Config, start: Instant) -> Outcome {
        self.seconds = start.elapsed().as_secs_f64();
        self.complete_route(&config);
        self.stops_attempts = stops_attempts::<R>(&config);
        (self.observed, self.contended) = (config.observed, config.contended);
        self
    }
}

/// Explores with clocks of as many threads as there are. A lenient exploration, which leaves out some locations or
/// none, blocks threads that it refuses.
fn explore_with_room<R: Regime>(
    program: &Program,
    plan: &Plan,
    config: &Config,
    left_out: Option<&[Name]>,
    watch: &mut Watch,
) -> Outcome {
    let known = config.route.as_ref().map_or(0, |route| route.threads.len());
    let mut lanes = FIRST_LANES.max(known.next_multiple_of(LANE_STEP));
    loop {
        let mut explorer = Explorer::<R>::new(program, plan, config, lanes);
        config.progress.start();
        watch.start(explorer.is_slow());
        explorer.leniency = left_out.map(Leniency::new).unwrap_or_default();
        explorer.work.set_alarm(watch.alarm().clone());
        let outcome = match explorer.run(watch) {
            Err(Stop::NeedsHelp) => explore_together(&mut explorer, watch),
            ended => explorer.conclude(ended),
        };
        let Some(mut outcome) = outcome else {
            lanes = (lanes + lanes / 2).next_multiple_of(LANE_STEP);
            continue;
        };
        // Of workers that were stopped at once nothing is known.
        outcome.forbidden.resize(plan.checks().axioms(), 0);
        let objects = explorer.memory.objects().iter();
        outcome.objects = objects.map(|o| (o.base, o.size, o.calls[0].0 .0, o.calls[0].1)).collect();
        outcome.writers = std::mem::take(&mut explorer.memory.writers);
        return outcome;
    }
}

impl<'p, R: Regime> Explorer<'p, R> {
    fn new(program: &'p Program, plan: &'p Plan, config: &'p Config, lanes: usize) -> Explorer<'p, R> {
        let memory = Memory::new(program);
        let mut vm = Vm::new(program, &config.unroll, config.step_limit);
        vm.tracks = R::TRACKS || (config.dependencies && !program.has_sections());
        let states = States::new(vm);
        let mut graphs = Graphs::new(plan.upkeep(), lanes);
        let has_sections = config.cuts.is_some() && program.has_sections();
        if has_sections {
            graphs.current_mut().cells.expect_sections();
        }
        Explorer {
            program,
            plan,
            config,
            graphs,
            choices: Choices::new(),
            work: Workspace::new(plan, config.audit),
            regime: R::default(),
            locations: match &config.cuts {
                Some(cuts) => Locations::new(memory.near_span()).with_cells(CellTable::new(cuts)),
                None => Locations::new(memory.near_span()),
            },
            memory,
            threads: match &config.route {
                Some(route) => ThreadTable::knowing(lanes, &route.threads),
                None => ThreadTable::new(lanes),
            },
            epilogue: Epilogue::default(),
            landmarks: Landmarks::new(&states),
            has_attempts: states.has_attempts(),
            states,
            bounds: Bounds::new::<R>(plan, config),
            inherited: 0,
            published: 0,
            leniency: Leniency::default(),
            annotations: Annotations::new::<R>(program, config),
            postponement: Postponement::new::<R>(program, config),
            stopped: None,
            waiting: Vec::new(),
            schedule: Schedule::new(
                config.schedule_seed,
                has_sections || config.cuts.as_ref().is_some_and(|cuts| !cuts.is_empty()),
            ),
            symmetry: Symmetry::default(),
            initial_pointers: None,
            outcome: Outcome::new(),
            reported: Counts::default(),
            member: None,
        }
    }

    /// Whether the clock is looked at for each event: the whole graph is, too, or the number of executions is limited.
    fn is_slow(&self) -> bool {
        let is_limited = self.config.max_executions.is_some();
        R::SEARCHES_COHERENCE || self.config.audit || self.plan.checks().has_matrices() || is_limited
    }

    #[inline(always)]
    fn graph(&self) -> &Graph {
        self.graphs.current()
    }

    #[inline(always)]
    fn graph_mut(&mut self) -> &mut Graph {
        self.graphs.current_mut()
    }

    /// Tests compare what is kept with what would be computed from nothing, at every step.
    #[cfg(test)]
    fn assert_consistent(&self) {
        // On a copy, so that edges stay put off as they do without this check.
        let mut graph = self.graph().clone();
        self.plan.upkeep().settle_orders(&mut graph);
        self.plan.upkeep().assert_rows_are_right(&graph);
    }

    fn run(&mut self, watch: &mut Watch) -> Result<(), Stop> {
        // The prologue is one worker's, even if it is run again with more lanes.
        watch.help_after(None);
        self.run_prologue(watch)?;
        self.find_symmetry();
        watch.help_after(patience(self.config));
        self.go_on(watch, false)
    }

    /// Explores all that is left: from the current graph on, or if that is `done` from the newest choice.
    fn go_on(&mut self, watch: &mut Watch, mut done: bool) -> Result<(), Stop> {
        if self.config.route.is_some() {
            return self.follow_route(watch);
        }
        loop {
            if !done {
                self.extend_and_count(watch)?;
                if self.member.as_ref().is_some_and(Member::is_called) {
                    self.answer_call()?;
                }
            }
            if !self.backtrack()? {
                return Ok(());
            }
            done = self.is_never_sorted();
            if done {
                self.stopped = None; // The next look is at another graph.
            }
        }
    }

    /// Adds events to the current graph until it is full or dropped. It is called in one place, once per execution.
    #[inline(always)]
    fn extend_and_count(&mut self, watch: &mut Watch) -> Result<(), Stop> {
        while self.extend_once(watch)? {}
        Ok(())
    }

    /// Adds an event to the current graph, if that is possible. False: it is full, and counted, or dropped.
    #[inline(always)]
    fn extend_once(&mut self, watch: &mut Watch) -> Result<bool, Stop> {
        if watch.is_due(self.states.arena()) {
            self.look_around(watch)?;
        }
        #[cfg(test)]
        self.assert_consistent();
        match self.step() {
            Ok(Step::Extended) => return Ok(true),
            Ok(Step::Full) if !self.config.foreseen.is_empty() => self.count_foreseen()?,
            Ok(Step::Full) => {
                self.judge_whole()?;
                self.count_execution()?;
            }
            Ok(Step::Ended) => {
                self.judge_whole()?;
                if !R::is_known(self) {
                    self.outcome.count_complete(self.weight());
                }
            }
            Ok(Step::Dropped) => {}
            Err(Stop::UnknownThread) => {
                self.await_turn(watch)?;
                return Ok(true);
            }
            Err(Stop::Finding(finding)) if finding.refused && self.leniency.is_on() => {
                self.block_refused(finding)?;
                return Ok(true);
            }
            Err(stop) => return Err(stop),
        }
        Ok(false)
    }

    /// What was counted since the last call, and how it ended. None: there are too many threads.
    fn conclude(&mut self, ended: Result<(), Stop>) -> Option<Outcome> {
        self.report_progress();
        self.outcome.share = self.choices.explored();
        self.reported = Counts::default();
        match ended {
            Ok(()) => self.report_refusal(),
            Err(Stop::CalledOff) => {}
            Err(Stop::Finding(finding)) => self.record_finding(finding),
            Err(Stop::Interrupted) => self.outcome.status = Status::Interrupted,
            Err(Stop::TooManyThreads) => return None,
            Err(Stop::NeedsHelp | Stop::UnknownThread) => unreachable!("these do not end an exploration"),
        }
        self.outcome.mixed = self.leniency.mixed();
        self.outcome.forbidden = self.work.take_forbidden();
        Some(std::mem::replace(&mut self.outcome, Outcome::new()))
    }
}
