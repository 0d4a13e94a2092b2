//! How many executions there will be: Monte Carlo ("Enhancing GenMC", TACAS 2024, §3).
//!
//! Each sample goes through the tree of choices with a random order of scheduling, writes first (§3.3), and estimates how
//! many executions it has. Sampling ends when the samples agree, or have taken as much work as the exploration would, or
//! after some time (§3.4).
//!
//! Departs 1: the paper leaves out revisits, because a single random path hardly ever comes to one whose condition
//! holds (§3.2), and keeps a map of the choices that later writes would have added (§3.3). Here a sample follows many
//! paths at once (`levels`), so that revisits are options like any other: its expectation is the exact number. On the
//! benchmarks, maps of choices were wrong by a factor of 2000 (`peterson`: most of the choices that they multiply
//! exclude each other) or found no execution at all (`szymanski`, `mcs-lock`: most random paths end in a
//! read-modify-write that another one precludes).
//! Departs 2: a sample in which all choices had room is the number itself, and sampling ends.
//! Departs 3: what is found out on the way (`Outcome::asks_for_more`) counts, as in an exploration.
//!
//! I1: the expectation is the number of executions for every schedule, so schedules may be mixed.
//! I2: where an execution may be found more than once (`regimes::Gaps` and its kin), each time counts: the estimate may
//! then be too high.

mod levels;
mod samples;

#[cfg(test)]
mod tests;

pub use samples::{Estimate, Interval};

use crate::consistency::{Alarm, Plan, Question};
use crate::explore::choices::schedule::Schedule;
use crate::explore::limits::watch::Watch;
use crate::explore::outcome::{Config, Outcome, Status};
use crate::explore::regimes::{Coherence, Gaps, InOrder, Mixed, MixedGaps, ReadsFrom, ReadsFromGaps};
use crate::explore::regimes::{Regime, Unbuffered};
use crate::explore::{Choosing, Explorer, Stop, FIRST_LANES};
use crate::graph::LANE_STEP;
use crate::program::Program;
use levels::Random;
use samples::Samples;
use std::time::Instant;

/// How much to sample.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// Where the random numbers start.
    pub seed: u64,
    /// Samples that are taken at most.
    pub most: u64,
    /// Sampling ends when the standard error is a smaller part of the mean, or when it has taken as much work as
    /// exploring would; 0: all samples are taken.
    pub precision: f64,
    /// How many options of a level the first sample follows. Each follows twice as many as the one before, up to the
    /// second number: so there is some answer soon, however slow the model is.
    pub widths: (usize, usize),
}

impl Sampling {
    /// With widths that suit most programs.
    pub fn new(seed: u64, most: u64, precision: f64) -> Sampling {
        Sampling { seed, most, precision, widths: (8, 256) }
    }
}

/// Estimates how large the exploration of a program is, within the time limit; `interrupted` is asked now and then
/// whether to stop. The counts of the outcome are those of the samples; what these found is what ended them.
pub fn estimate(
    program: &Program,
    plan: &Plan,
    config: &Config,
    sampling: Sampling,
    interrupted: Question,
) -> Outcome {
    let start = Instant::now();
    let mut config = config.clone();
    (config.workers, config.collect, config.verbose, config.max_executions) = (1, false, false, None);
    let watch = Watch::new(Alarm::new(config.time_limit, interrupted));
    let mut task = Task { program, config, sampling, watch };
    let mut outcome = match Choosing::of(&task.config, plan) {
        Choosing::MixedGaps => task.run::<MixedGaps>(plan),
        Choosing::Mixed => task.run::<Mixed>(plan),
        Choosing::Coherence => task.run::<Coherence>(plan),
        Choosing::ReadsFrom => task.run::<ReadsFrom>(plan),
        Choosing::ReadsFromGaps => task.run::<ReadsFromGaps>(plan),
        Choosing::Gaps => task.run_with_gaps(plan),
    };
    outcome.seconds = start.elapsed().as_secs_f64();
    outcome.route = None; // Samples do not start where an exploration does.
    outcome
}

struct Task<'p> {
    program: &'p Program,
    config: Config,
    sampling: Sampling,
    watch: Watch,
}

impl Task<'_> {
    /// As the exploration does: without gaps as long as that is enough.
    fn run_with_gaps(&mut self, plan: &Plan) -> Outcome {
        let config = self.config.clone();
        if let Some(outcome) = self.run_unbuffered(plan) {
            return outcome;
        }
        if plan.may_be_in_order() {
            let outcome = self.run::<InOrder>(plan);
            if outcome.status != Status::Refused {
                return outcome;
            }
            self.config = config;
        }
        self.run::<Gaps>(plan)
    }

    /// Samples by the plan of a plan for fewer graphs, unless it has none or that is not enough.
    fn run_unbuffered(&mut self, plan: &Plan) -> Option<Outcome> {
        let fewer = &plan.unbuffered()?.plan;
        if let Some(outcome) = self.run_unbuffered(fewer) {
            return Some(outcome);
        }
        let config = self.config.clone();
        let outcome = self.run::<Unbuffered>(fewer);
        if outcome.status != Status::Refused {
            return Some(outcome);
        }
        self.config = config;
        None
    }

    /// Samples in a regime, and starts again with what was found out as long as that helps.
    fn run<R: Regime>(&mut self, plan: &Plan) -> Outcome {
        let mut lanes = FIRST_LANES;
        loop {
            let config = self.config.clone();
            let mut explorer = Explorer::<R>::new(self.program, plan, &config, lanes);
            self.watch.start(explorer.is_slow());
            explorer.work.set_alarm(self.watch.alarm().clone());
            let mut samples = Samples::default();
            let ended = explorer.sample(&mut self.watch, self.sampling, &mut samples);
            let Some(mut outcome) = explorer.conclude(ended) else {
                lanes = (lanes + lanes / 2).next_multiple_of(LANE_STEP);
                continue;
            };
            if !outcome.asks_for_more(&mut self.config) {
                outcome.estimate = Some(samples.estimate());
                return outcome;
            }
        }
    }
}

impl<R: Regime> Explorer<'_, R> {
    /// Takes samples until they are enough.
    fn sample(&mut self, watch: &mut Watch, how: Sampling, samples: &mut Samples) -> Result<(), Stop> {
        watch.help_after(None);
        self.run_prologue(watch)?;
        self.find_symmetry();
        let root = self.keep_root();
        // So that every thread has a number, and clocks have room for it.
        self.run_to_end(watch)?;
        let mut random = Random::new(how.seed);
        while !samples.suffice(how) {
            self.schedule = Schedule::shuffled(random.number(), self.schedule);
            self.return_to_root(&root);
            let sample = self.take_sample(watch, &mut random, samples.next_width(how))?;
            samples.add(sample);
        }
        Ok(())
    }
}
