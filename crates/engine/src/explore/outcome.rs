//! What an exploration returns, and what it may be told.

use crate::detect::Finding;
use crate::detect::{Refusal, Violation, Wait};
use crate::explore::choices::stack::WHOLE;
use crate::explore::estimate::Estimate;
use crate::explore::export::ExportedGraph;
use crate::explore::flagged::Flags;
use crate::explore::leaks::Leaks;
use crate::explore::limits::second_look::Name;
use crate::explore::progress::Progress;
use crate::explore::regimes::Regime;
use crate::explore::route::Route;
use crate::explore::standstill::{all_are_over, Standstill};
use crate::explore::threads::states::States;
use crate::explore::Explorer;
use crate::graph::{ThreadState, ThreadStatus};
use crate::ids::{FunctionId, Stack, ThreadId};
use crate::memory::Writer;
use crate::vm::{Repetition, Request, Snapshot, Unroll};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Printed lines that are kept; more are dropped.
const OUTPUT_LIMIT: usize = 10_000;

/// Options of an exploration.
#[derive(Clone, Debug)]
pub struct Config {
    /// How often loops' back edges may be passed.
    pub unroll: Unroll,
    /// Another scheduling order.
    pub schedule_seed: Option<u64>,
    /// Seconds after which to stop.
    pub time_limit: Option<f64>,
    /// Accesses may have several sizes at the same bytes; with the places where some are known to start or end.
    pub cuts: Option<Vec<u64>>,
    /// End at the first accesses of several sizes, without another look: the caller explores again.
    pub leaves_sizes: bool,
    /// Count executions that differ in coherence alone as one.
    pub reads_from: bool,
    /// Keep every complete graph.
    pub collect: bool,
    /// Graphs say what events depend on, even if the plan does not need it; programs with sections leave it out.
    pub dependencies: bool,
    /// Threads that wait for ever are a violation; else their execution is a blocked one.
    pub liveness: bool,
    /// Leave out executions in which an assumption stops a thread that could have read a later write.
    pub load_annotations: bool,
    /// Leave acquisitions that would have to wait out of the graph as long as others can go on.
    pub postpones: bool,
    /// Leave out executions in which a confirming compare-exchange sees another write than the load that it confirms.
    pub confirmations: bool,
    /// Leave out executions in which a helping compare-exchange does what the helped one can do itself.
    pub helping: bool,
    /// Compare every answer about consistency with what the plan's axioms mean (slow).
    pub audit: bool,
    /// Keep what the program prints.
    pub verbose: bool,
    /// Events of one thread after which it is taken for endless, if there is no loop bound.
    pub event_limit: u32,
    /// Instructions between two requests after which a thread is taken for endless.
    pub step_limit: u64,
    /// Bytes of memory at which to stop.
    pub memory_limit: Option<u64>,
    /// Of executions that differ only in which of several exchangeable threads did what, explore one for all.
    pub symmetry: bool,
    /// How many workers explore; no result depends on it.
    pub workers: usize,
    /// Stop a thread after a round that took back what it wrote.
    pub zero_net_effect: bool,
    /// A read that depends on an event, by `po` and `rf`, reads no write that one before that event has overwritten.
    pub causal: bool,
    /// Loops whose rounds others may observe: found while exploring, none at first.
    pub observed: Vec<u32>,
    /// Loops whose attempts cannot be left out when they fail: found while exploring, none at first.
    pub contended: Vec<u32>,
    /// How many schedules led to a graph to which an event cannot be added.
    pub stuck: u64,
    /// Loads, by function and instruction, with the values that they have in all executions of interest.
    pub foreseen: Vec<(u32, u32, u64)>,
    /// What complete executions are flagged by.
    pub flags: Option<Flags>,
    /// Share work from the start and at every occasion, however little it is.
    pub eager: bool,
    /// What to do about memory that is never freed.
    pub leaks: Leaks,
    /// Executions that are explored at most.
    pub max_executions: Option<u64>,
    /// Where workers report how far they have come.
    pub progress: Arc<Progress>,
    /// The only execution to explore.
    pub route: Option<Route>,
}

/// How an exploration ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Everything was explored.
    Finished,
    /// Something is wrong with the program.
    Violation,
    /// Something is not supported.
    Refused,
    /// A limit or the caller stopped it.
    Interrupted,
}

/// A finding and the instruction that it is about.
#[derive(Clone, Debug)]
pub struct Located {
    /// What is wrong.
    pub finding: Finding,
    /// Active calls, innermost first: function and pc.
    pub stack: Stack,
    /// If threads wait for ever: what for.
    pub waits: Vec<Wait>,
}

/// The result of an exploration.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// Complete executions.
    pub complete: u64,
    /// Executions that ended with a blocked thread.
    pub blocked: u64,
    /// The complete ones that were explored; they stand for all.
    pub explored_complete: u64,
    /// The same of the blocked ones.
    pub explored_blocked: u64,
    /// The complete ones that are flagged.
    pub flagged: u64,
    /// Time taken.
    pub seconds: f64,
    /// Events added in all.
    pub events: u64,
    /// Backward revisits made.
    pub revisits: u64,
    /// In how many parts it was explored: what alone depends on the workers.
    pub parts: u64,
    /// The share of the whole that was explored.
    pub(in crate::explore) share: u64,
    /// How many choices each axiom of the plan forbade.
    pub forbidden: Vec<u64>,
    /// Error rules that only warn, by number: the two accesses of the first time.
    pub warnings: BTreeMap<usize, [Located; 2]>,
    /// Memory that was lost: the calls that allocated it, and the first thread that did.
    pub leaks: BTreeMap<Stack, ThreadId>,
    /// Memory was not taken for lost, because a thread that has not returned may have a pointer to it.
    pub spared: bool,
    /// Loops that were cut, by number: where.
    pub cuts: BTreeMap<u32, (FunctionId, u32)>,
    /// Loops of which another thread saw a round that was to be undone: these rounds were explored.
    pub observed: Vec<u32>,
    /// Loops whose attempts were explored, although they had failed.
    pub contended: Vec<u32>,
    /// Threads stop at other attempts that have failed.
    pub stops_attempts: bool,
    /// Functions whose calls of themselves were cut.
    pub cut_calls: BTreeSet<FunctionId>,
    /// Locations of different sizes over the same bytes, both accessed, that a lenient exploration met.
    pub(in crate::explore) mixed: Option<[Name; 2]>,
    /// The memory limit stopped it.
    pub out_of_memory: bool,
    /// If so: it was not the limit; the system ran out of memory.
    pub system_refused: bool,
    /// If so: what had made the execution at hand long.
    pub grew: Option<Located>,
    /// What was found.
    pub finding: Option<Located>,
    /// The execution that shows it.
    pub graph: Option<ExportedGraph>,
    /// All complete graphs, if asked for.
    pub graphs: Vec<ExportedGraph>,
    /// The way to it.
    pub route: Option<Route>,
    /// What was printed: thread, how many events it had, operand values (the format's address first).
    pub output: Vec<(ThreadId, u32, Vec<u64>)>,
    /// The prologue's objects: start, size, and the function and pc that made it.
    pub objects: Vec<(u64, u64, u32, u32)>,
    /// Who wrote initial memory.
    pub writers: BTreeMap<u64, Writer>,
    /// How much there is to explore, if that was asked for instead.
    pub estimate: Option<Estimate>,
}

/// How many schedules are tried if an event cannot be added.
const MOST_SCHEDULES: u64 = 16;

impl Outcome {
    pub(in crate::explore) fn new() -> Outcome {
        Outcome {
            status: Status::Finished,
            complete: 0,
            blocked: 0,
            explored_complete: 0,
            explored_blocked: 0,
            flagged: 0,
            seconds: 0.0,
            events: 0,
            revisits: 0,
            parts: 1,
            share: 0,
            forbidden: Vec::new(),
            warnings: BTreeMap::new(),
            leaks: BTreeMap::new(),
            spared: false,
            cuts: BTreeMap::new(),
            observed: Vec::new(),
            contended: Vec::new(),
            stops_attempts: false,
            cut_calls: BTreeSet::new(),
            mixed: None,
            out_of_memory: false,
            system_refused: false,
            grew: None,
            finding: None,
            graph: None,
            route: None,
            graphs: Vec::new(),
            output: Vec::new(),
            objects: Vec::new(),
            writers: BTreeMap::new(),
            estimate: None,
        }
    }

    /// Whether the exploration has to start again, with what it found out: a round that was wrongly taken for undone, or
    /// a place where an access of several sizes starts or ends.
    pub(in crate::explore) fn asks_for_more(&self, config: &mut Config) -> bool {
        if let Some((loop_id, reason)) = self.misjudged_loop() {
            let misjudged =
                if reason == Refusal::Contended { &mut config.contended } else { &mut config.observed };
            misjudged.push(loop_id);
            return true;
        }
        let is_stuck = |located: &Located| located.finding.kind == Refusal::Stuck.name();
        if self.finding.as_ref().is_some_and(is_stuck) && config.stuck < MOST_SCHEDULES {
            config.schedule_seed = Some(config.stuck); // Others may not lead there.
            config.stuck += 1;
            return true;
        }
        let (Some(cuts), Some(names)) = (&mut config.cuts, self.mixed) else { return false };
        cuts.extend(names.iter().flat_map(|(address, size)| [*address, address + u64::from(*size)]));
        true
    }

    /// Which part of the choices was explored, between 0 and 1.
    pub fn fraction(&self) -> f64 {
        self.share as f64 / WHOLE as f64
    }

    /// Whether it is refused for accesses of several sizes.
    pub(in crate::explore) fn meets_sizes(&self) -> bool {
        let located = self.finding.as_ref();
        located.is_some_and(|located| located.finding.kind == Refusal::MixedSize.name())
    }

    /// The loop of which a round was wrongly taken for undone, and why.
    fn misjudged_loop(&self) -> Option<(u32, Refusal)> {
        let finding = &self.finding.as_ref()?.finding;
        let Some(Repetition::Loop(id)) = finding.endless else { return None };
        let reasons = [Refusal::Observed, Refusal::Contended];
        reasons.into_iter().find(|reason| finding.kind == reason.name()).map(|reason| (id, reason))
    }

    /// Notes where threads were cut by a bound.
    fn note_cuts(&mut self, threads: &[ThreadState], states: &States) {
        for pending in threads.iter().map(|thread| thread.pending) {
            if pending.status != ThreadStatus::Cut {
                continue;
            }
            match states.request(pending.snapshot) {
                Request::Cut { loop_id } => {
                    let place = states.position(pending.snapshot);
                    self.cuts.entry(loop_id).or_insert(place);
                }
                Request::CutCall { function } => {
                    self.cut_calls.insert(function);
                }
                _ => {}
            }
        }
    }

    /// Counts a complete execution that stands for `weight` ones, or for none.
    #[inline]
    pub(in crate::explore) fn count_complete(&mut self, weight: u64) {
        self.complete += weight;
        self.explored_complete += u64::from(weight > 0);
    }

    /// Adds what was explored after this.
    pub(in crate::explore) fn absorb(&mut self, later: Outcome) {
        self.complete += later.complete;
        self.blocked += later.blocked;
        self.explored_complete += later.explored_complete;
        self.explored_blocked += later.explored_blocked;
        self.flagged += later.flagged;
        self.events += later.events;
        self.revisits += later.revisits;
        self.parts += later.parts;
        self.share += later.share;
        self.forbidden.resize(later.forbidden.len().max(self.forbidden.len()), 0);
        for (sum, forbidden) in self.forbidden.iter_mut().zip(later.forbidden) {
            *sum += forbidden;
        }
        for (rule, pair) in later.warnings {
            self.warnings.entry(rule).or_insert(pair);
        }
        self.spared |= later.spared;
        for (calls, thread) in later.leaks {
            self.leaks.entry(calls).or_insert(thread);
        }
        for (loop_id, place) in later.cuts {
            self.cuts.entry(loop_id).or_insert(place);
        }
        self.cut_calls.extend(later.cut_calls);
        self.graphs.extend(later.graphs);
        self.output.extend(later.output);
        self.output.truncate(OUTPUT_LIMIT);
        self.out_of_memory |= later.out_of_memory;
        self.system_refused |= later.system_refused;
        self.mixed = self.mixed.or(later.mixed);
        self.grew = self.grew.take().or(later.grew);
        if later.finding.is_some() {
            (self.status, self.finding, self.graph) = (later.status, later.finding, later.graph);
            self.route = later.route;
        }
    }
}

impl<R: Regime> Explorer<'_, R> {
    /// Counts the current graph, to which no event can be added.
    #[inline]
    pub(in crate::explore) fn count_execution(&mut self) -> Result<(), Finding> {
        if R::is_known(self) {
            return Ok(());
        }
        self.count_new()
    }

    /// The same, whether or not it was found before.
    #[inline(always)]
    pub(in crate::explore) fn count_new(&mut self) -> Result<(), Finding> {
        if self.annotations.exist() {
            self.check_left_to_helped()?;
        }
        self.check_attempts()?;
        let threads = &self.graph().threads()[..self.threads.len()];
        if !all_are_over(threads) {
            self.check_unobserved()?;
            match self.standstill() {
                Standstill::Spurious => return Ok(()),
                Standstill::Ended => {}
                Standstill::Blocked => {
                    self.count_blocked();
                    return Ok(());
                }
                Standstill::Stuck => {
                    self.count_blocked();
                    return if self.config.liveness { Err(self.stuck()) } else { Ok(()) };
                }
            }
        }
        if self.plan.checks().has_matrices() && R::is_forbidden(self) {
            return Ok(());
        }
        if self.annotations.exist() {
            self.check_helping()?;
        }
        let weight = self.weight();
        self.judge_flags(weight)?;
        self.outcome.count_complete(weight);
        if self.config.collect {
            let graph = self.export();
            self.outcome.graphs.push(graph);
        }
        self.check_leaks()
    }

    fn count_blocked(&mut self) {
        let weight = self.weight();
        self.outcome.blocked += weight;
        self.outcome.explored_blocked += u64::from(weight > 0);
        let threads = &self.graphs.current().threads()[..self.threads.len()];
        self.outcome.note_cuts(threads, &self.states);
    }

    pub(in crate::explore) fn record_finding(&mut self, finding: Finding) {
        self.outcome.status = if finding.refused { Status::Refused } else { Status::Violation };
        self.outcome.graph = Some(self.export());
        self.outcome.route = Some(self.route());
        self.keep_prints();
        let waits = if finding.is_of_waiting() { self.waits() } else { None };
        self.outcome.finding = Some(Located { waits: waits.unwrap_or_default(), ..self.located(finding) });
    }

    /// A finding with the place of its thread.
    pub(in crate::explore) fn located(&self, mut finding: Finding) -> Located {
        let at = finding.at.unwrap_or(self.graph().thread(finding.thread).pending.snapshot);
        if finding.kind == Refusal::EndlessLoop.name() && finding.endless.is_none() {
            finding.endless = self.states.what_repeats(at);
        }
        // States of the prologue are not kept.
        let is_early_leak = finding.kind == Violation::Leak.name() && finding.at.is_none();
        let made = finding.address.filter(|_| is_early_leak).and_then(|address| self.memory.object(address));
        let stack = made.map_or_else(|| self.states.stack(at), |object| object.calls.clone());
        Located { stack, waits: Vec::new(), finding }
    }

    /// Keeps what a thread prints.
    pub(in crate::explore) fn print(&mut self, thread: ThreadId, at: Snapshot) {
        let keeps = self.config.verbose || self.config.route.is_some();
        if keeps && self.outcome.output.len() < OUTPUT_LIMIT {
            let arguments = self.states.print_arguments(at);
            self.outcome.output.push((thread, self.graph().thread(thread).count, arguments));
        }
    }
}
