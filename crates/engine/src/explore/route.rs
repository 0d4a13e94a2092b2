//! Routes: what leads an exploration to one execution again, without the executions before it.
//!
//! An exploration is a tree of choices. A route has the options that were taken on the way to a finding, and all else
//! that the way depends on and that was found out in other branches: the numbers of threads, and what was learned
//! before the exploration started again. Whoever follows it makes the same choices, revisits included, in any regime.
//!
//! I1: options before the one on the route were explored without a finding, so the first option of a choice, which
//! is taken before the choice is noted, cannot end the exploration.
//! I2: what other executions leave behind only leaves out executions that were explored, and this one was not.

use crate::explore::limits::watch::Watch;
use crate::explore::outcome::{Config, Outcome};
use crate::explore::regimes::Regime;
use crate::explore::{Explorer, Stop};
use crate::graph::ThreadStatus;
use crate::ids::ThreadId;

/// The way to one execution.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Route {
    /// Which of the ways to explore under a causal order that is smaller than `po`, counted from 0.
    pub attempt: u32,
    /// How many options each choice on the way had used up, with the one that leads on.
    pub choices: Vec<u32>,
    /// By thread: its parent, and which child of it.
    pub threads: Vec<(u32, u32)>,
    /// `Config::schedule_seed`, which may have been changed.
    pub schedule_seed: Option<u64>,
    /// `Config::stuck`.
    pub stuck: u64,
    /// `Config::observed`.
    pub observed: Vec<u32>,
    /// `Config::contended`.
    pub contended: Vec<u32>,
    /// `Config::cuts`.
    pub cuts: Vec<u64>,
}

impl Config {
    /// As it was in the end when the route was found.
    pub(in crate::explore) fn on_route(&self) -> Config {
        let mut config = self.clone();
        if let Some(route) = &self.route {
            config.workers = 1;
            config.schedule_seed = route.schedule_seed;
            config.stuck = route.stuck;
            config.observed.clone_from(&route.observed);
            config.contended.clone_from(&route.contended);
            config.cuts = self.cuts.is_some().then(|| route.cuts.clone());
        }
        config
    }

    /// Whether an attempt is to be made: all are, unless a route says which.
    pub(in crate::explore) fn makes_attempt(&self, number: u32) -> bool {
        self.route.as_ref().is_none_or(|route| route.attempt == number)
    }
}

impl Outcome {
    /// With what its route depends on besides the choices.
    pub(in crate::explore) fn complete_route(&mut self, config: &Config) {
        if let Some(route) = &mut self.route {
            route.schedule_seed = config.schedule_seed;
            route.stuck = config.stuck;
            route.observed.clone_from(&config.observed);
            route.contended.clone_from(&config.contended);
            route.cuts = config.cuts.clone().unwrap_or_default();
        }
    }

    /// In which attempt it was found.
    pub(in crate::explore) fn in_attempt(mut self, number: u32) -> Outcome {
        if let Some(route) = &mut self.route {
            route.attempt = number;
        }
        self
    }
}

impl<R: Regime> Explorer<'_, R> {
    /// The way to the current graph, as far as the explorer knows it.
    pub(in crate::explore) fn route(&self) -> Route {
        Route { choices: self.choices.taken(), threads: self.threads.origins(), ..Route::default() }
    }

    /// Explores what is on the route of the configuration alone.
    #[cold]
    pub(in crate::explore) fn follow_route(&mut self, watch: &mut Watch) -> Result<(), Stop> {
        let (mut followed, mut goes_on) = (0, true);
        loop {
            if self.strays(&mut followed) || !goes_on {
                if !self.backtrack()? {
                    return Ok(());
                }
                goes_on = !self.is_never_sorted();
            } else {
                goes_on = self.extend_once(watch)?;
            }
        }
    }

    /// Leaves to each new choice the option on the route. Whether the newest choice has taken another one.
    fn strays(&mut self, followed: &mut usize) -> bool {
        let wanted = self.config.route.as_ref().map_or(&[][..], |route| &route.choices);
        while *followed < self.choices.depth() {
            *followed += 1;
            let wanted = wanted.get(*followed - 1).copied().unwrap_or(0);
            if self.choices.narrow(*followed - 1, wanted) {
                return true;
            }
        }
        false
    }

    /// Forgets what a thread printed after its last event, which it gets an answer for once more.
    #[cold]
    pub(in crate::explore) fn forget_prints(&mut self, thread: ThreadId) {
        let count = self.graph().thread(thread).count;
        self.outcome.output.retain(|(other, position, _)| *other != thread || *position < count);
    }

    /// Keeps of what was printed on a route what belongs to the current graph.
    pub(in crate::explore) fn keep_prints(&mut self) {
        if self.config.route.is_none() {
            return;
        }
        let Explorer { graphs, outcome, .. } = self;
        let thread = |id: ThreadId| graphs.current().thread(id);
        let is_there = |id| id == ThreadId(0) || thread(id).pending.status != ThreadStatus::Absent;
        outcome.output.retain(|(id, position, _)| is_there(*id) && *position <= thread(*id).count);
    }
}
