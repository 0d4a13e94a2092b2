//! The exploration: TruSt Algorithm 1 (POPL 2022 §4.1; thesis Algorithms 5.3 and 6.1) as a loop.
//!
//! The recursion of VISIT is a stack of `frames`: a frame is a choice with the options that are left
//! (which write a read sees, where a write stands, which read a write revisits). Forward choices happen
//! in place and are undone by popping events; a backward revisit fills the next graph of a pool.
//!
//! Departs 1: inconsistent choices are never made, rather than made and dropped (line 4).
//! Departs 2: all reads that a write may revisit are found in one sweep, newest event first: whether an
//! event was added maximally does not depend on the read, so the first one that was not ends the sweep.
//! Departs 3: a mutex is a location; locking it is an RMW whose read blocks its thread if the mutex is
//! taken. Of the taken ones only the coherence-latest can be given back, so only that one is read.
//! Departs 4: creation, join, allocation and deallocation are events without choices; joins that only end the
//! program are none at all (`epilogue`).
//! Beside it stand Algorithm 2, for reads-from equivalence (`reads_from`), and what changes where the causal order
//! is smaller than `po` (`gaps`).
//!
//! I1: the arena of thread images grows and shrinks with the stack of frames: what a frame needs lies
//! below its mark.
//! I2: between steps the current graph is consistent, and every thread's next request is known.

mod asked;
mod backtrack;
mod endless;
mod epilogue;
mod export;
mod extend;
mod frames;
mod gaps;
mod locations;
mod mutex;
mod outcome;
mod prologue;
mod races;
mod read;
mod reads_from;
mod revisit;
mod schedule;
mod threads;
mod write;

#[cfg(test)]
mod tests;

pub use export::{ExportedEvent, ExportedGraph, ExportedThread};
pub use outcome::{Config, Located, Outcome, Status};

use crate::consistency::{Plan, Witness, Workspace};
use crate::detect::Finding;
use crate::graph::Graph;
use crate::graph::LANE_STEP;
use crate::ids::EventId;
use crate::memory::Memory;
use crate::program::Program;
use crate::vm::{Arena, Vm};
use asked::Asked;
use epilogue::Epilogue;
use frames::Frame;
use locations::Locations;
use schedule::Schedule;
use std::time::{Duration, Instant};
use threads::ThreadTable;

/// Events between two looks at the clock and at the caller's wish to stop.
const EVENTS_BETWEEN_CHECKS: u32 = 4096;
/// Steps of threads (jumps, calls) between two such looks.
const STEPS_BETWEEN_CHECKS: u64 = 1 << 20;
/// Threads that clocks have room for at first; half as many are added until they fit.
const FIRST_LANES: usize = LANE_STEP;

/// Why exploring stopped early.
enum Stop {
    Finding(Finding),
    TooManyThreads,
    Interrupted,
}

impl From<Finding> for Stop {
    fn from(finding: Finding) -> Stop {
        Stop::Finding(finding)
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

/// Looks now and then whether to stop.
struct Watch<'w> {
    deadline: Option<Instant>,
    interrupted: &'w mut dyn FnMut() -> bool,
    events: u32,
    steps: u64,
}

impl Watch<'_> {
    /// Whether to stop; called at each event (or access of the prologue).
    #[inline]
    fn says_stop(&mut self, arena: &Arena) -> bool {
        self.events -= 1;
        if self.events > 0 && arena.steps().wrapping_sub(self.steps) < STEPS_BETWEEN_CHECKS {
            return false;
        }
        self.events = EVENTS_BETWEEN_CHECKS;
        self.steps = arena.steps();
        (self.interrupted)() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// An exploration in progress.
struct Explorer<'p> {
    program: &'p Program,
    plan: &'p Plan,
    config: &'p Config,
    vm: Vm<'p>,
    arena: Arena,
    /// Graphs by depth of backward revisits; `level` is the current one.
    graphs: Vec<Graph>,
    level: usize,
    lanes: usize,
    work: Workspace,
    witness: Witness,
    frames: Vec<Frame>,
    /// The options of all frames, one after the other.
    options: Vec<EventId>,
    map: Vec<EventId>,
    memory: Memory,
    locations: Locations,
    threads: ThreadTable,
    asked: Asked,
    epilogue: Epilogue,
    schedule: Schedule,
    outcome: Outcome,
}

/// Explores a program; `interrupted` is asked now and then whether to stop.
pub fn explore(
    program: &Program,
    plan: &Plan,
    config: &Config,
    interrupted: &mut dyn FnMut() -> bool,
) -> Outcome {
    let start = Instant::now();
    let limit = config.time_limit.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let deadline = limit.and_then(|limit| start.checked_add(limit));
    let mut watch = Watch { deadline, interrupted, events: EVENTS_BETWEEN_CHECKS, steps: 0 };
    let mut lanes = FIRST_LANES;
    loop {
        let mut explorer = Explorer::new(program, plan, config, lanes);
        match explorer.run(&mut watch) {
            Ok(()) => {}
            Err(Stop::TooManyThreads) => {
                lanes = (lanes + lanes / 2).next_multiple_of(LANE_STEP);
                continue;
            }
            Err(Stop::Interrupted) => explorer.outcome.status = Status::Interrupted,
            Err(Stop::Finding(finding)) => explorer.record_finding(finding),
        }
        explorer.outcome.forbidden = explorer.work.forbidden().to_vec();
        explorer.outcome.seconds = start.elapsed().as_secs_f64();
        let objects = explorer.memory.objects().iter();
        explorer.outcome.objects = objects.map(|o| (o.base, o.size, o.maker.0, o.maker.1)).collect();
        explorer.outcome.writers = std::mem::take(&mut explorer.memory.writers);
        return explorer.outcome;
    }
}

impl<'p> Explorer<'p> {
    fn new(program: &'p Program, plan: &'p Plan, config: &'p Config, lanes: usize) -> Explorer<'p> {
        let memory = Memory::new(program);
        Explorer {
            program,
            plan,
            config,
            vm: Vm::new(program, config.unroll, config.step_limit),
            arena: Arena::new(),
            graphs: vec![plan.graph(lanes)],
            lanes,
            work: Workspace::new(plan, config.audit),
            witness: Witness::default(),
            level: 0,
            frames: Vec::new(),
            options: Vec::new(),
            map: Vec::new(),
            locations: Locations::new(memory.global_span()),
            memory,
            threads: ThreadTable::new(lanes),
            asked: Asked::new(),
            epilogue: Epilogue::default(),
            schedule: Schedule::new(config.schedule_seed),
            outcome: Outcome::new(),
        }
    }

    #[inline(always)]
    fn graph(&self) -> &Graph {
        &self.graphs[self.level]
    }

    #[inline(always)]
    fn graph_mut(&mut self) -> &mut Graph {
        &mut self.graphs[self.level]
    }

    /// Tests compare what is kept with what would be computed from nothing, at every step.
    #[cfg(test)]
    fn assert_consistent(&self) {
        // On a copy, so that edges stay put off as they do without this check.
        let mut graph = self.graph().clone();
        self.plan.settle_orders(&mut graph);
        self.plan.assert_rows_are_right(&graph);
    }

    fn run(&mut self, watch: &mut Watch<'_>) -> Result<(), Stop> {
        self.run_prologue(watch)?;
        loop {
            if watch.says_stop(&self.arena) {
                return Err(Stop::Interrupted);
            }
            #[cfg(test)]
            self.assert_consistent();
            match self.step()? {
                Step::Extended => continue,
                Step::Full => self.count_execution()?,
                Step::Ended => self.outcome.complete += 1,
                Step::Dropped => {}
            }
            if !self.backtrack()? {
                return Ok(());
            }
        }
    }
}
