//! One sample: the tree of choices, level by level, with at most so many options of each level.
//!
//! The options of a level are those of all choices that the options of the level before led to. If there are more than
//! the width, some are picked at random, each as likely as any other, and those stand for all: whatever is counted
//! from there on counts as many times as there were options for each that was picked. Options that lead nowhere die out, and
//! those that lead far are many a few levels later, which a single path would have had to guess. (Stochastic enumeration:
//! Rubinstein, "Stochastic enumeration method for counting NP-hard problems", 2013; with a width of 1, Knuth's
//! estimate of 1975.)
//!
//! I1: the expectation of each count is the number in the whole tree: an option is picked with probability p and then
//! counts 1/p times.

use crate::explore::choices::frames::Frame;
use crate::explore::limits::watch::Watch;
use crate::explore::regimes::Regime;
use crate::explore::{Explorer, Step, Stop};
use crate::graph::Graph;
use crate::ids::EventId;
use crate::vm::Arena;
use std::rc::Rc;

/// Bytes that the states of a level may take.
const MOST_BYTES: usize = 128 << 20;
/// The least width, however large the states are.
const LEAST_WIDTH: usize = 4;

/// Random numbers (splitmix64).
pub(super) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// A number below another.
    fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.number()) * end as u128) >> 64) as usize
    }

    /// Keeps some of a list, each as likely as any other.
    fn keep<T>(&mut self, list: &mut Vec<T>, count: usize) {
        for place in 0..count {
            let other = place + self.below(list.len() - place);
            list.swap(place, other);
        }
        list.truncate(count);
    }
}

/// What a sample estimates.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sample {
    /// Executions, complete or blocked.
    pub executions: f64,
    /// Those of them that are explored; they stand for all.
    pub explored: f64,
    /// Events that are added.
    pub events: f64,
    /// Events that were added for the sample.
    pub cost: u64,
    /// How many options of a level were followed.
    pub width: usize,
    /// All options were: nothing is left to chance.
    pub exact: bool,
}

/// Where an exploration stands.
pub(super) struct Place {
    graph: Graph,
    arena: Arena,
}

impl Place {
    fn bytes(&self) -> usize {
        size_of::<Place>() + self.graph.bytes() + self.arena.bytes_reserved()
    }
}

/// An option of a choice, and where that was made.
struct Branch {
    at: Rc<(Place, Frame)>,
    option: EventId,
    revisits: bool,
}

impl<R: Regime> Explorer<'_, R> {
    /// Where the prologue has ended.
    pub(super) fn keep_root(&self) -> Place {
        Place { graph: self.graph().clone(), arena: self.states.copy_below(self.states.mark()) }
    }

    pub(super) fn return_to_root(&mut self, root: &Place) {
        self.stand_at(root);
        R::forget_opened(self);
    }

    fn stand_at(&mut self, place: &Place) {
        self.choices.clear();
        self.graphs.take_over(place.graph.clone());
        self.states.take_over(place.arena.copy_below(place.arena.len()));
        self.epilogue.take_over(self.epilogue.returns());
        self.stopped = None;
    }

    /// Follows the first option of each choice.
    pub(super) fn run_to_end(&mut self, watch: &mut Watch) -> Result<(), Stop> {
        while let Step::Extended = self.look_and_step(watch)? {}
        Ok(())
    }

    fn look_and_step(&mut self, watch: &mut Watch) -> Result<Step, Stop> {
        if watch.is_due(self.states.arena()) {
            self.look_around(watch)?;
        }
        self.step()
    }

    /// From the root, level by level.
    pub(super) fn take_sample(
        &mut self,
        watch: &mut Watch,
        random: &mut Random,
        width: usize,
    ) -> Result<Sample, Stop> {
        let mut sample = Sample { exact: true, ..Sample::default() };
        let mut level = Vec::new();
        let mut scale = 1.0;
        let mut widest = width;
        self.count_branch(&mut sample, scale, |explorer| explorer.run_to_choice(watch, &mut level))?;
        while !level.is_empty() {
            if let Some(Branch { at, .. }) = level.first() {
                widest = widest.min((MOST_BYTES / at.0.bytes()).max(LEAST_WIDTH));
            }
            if level.len() > widest {
                scale *= level.len() as f64 / widest as f64;
                random.keep(&mut level, widest);
                sample.exact = false;
            }
            let mut next = Vec::new();
            for branch in level {
                self.count_branch(&mut sample, scale, |explorer| match explorer.take_branch(&branch)? {
                    true => explorer.run_to_choice(watch, &mut next),
                    false => Ok(()),
                })?;
            }
            level = next;
        }
        sample.width = widest;
        Ok(sample)
    }

    /// Adds what something counts, so many times.
    fn count_branch(
        &mut self,
        sample: &mut Sample,
        scale: f64,
        run: impl FnOnce(&mut Self) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let counted = |explorer: &Self| {
            let outcome = &explorer.outcome;
            let executions = outcome.complete + outcome.blocked;
            (executions, outcome.explored_complete + outcome.explored_blocked, outcome.events)
        };
        let before = counted(self);
        run(self)?;
        let after = counted(self);
        sample.executions += scale * (after.0 - before.0) as f64;
        sample.explored += scale * (after.1 - before.1) as f64;
        sample.events += scale * (after.2 - before.2) as f64;
        sample.cost += after.2 - before.2;
        Ok(())
    }

    /// Takes an option. False if nothing follows from it.
    fn take_branch(&mut self, branch: &Branch) -> Result<bool, Stop> {
        let (place, frame) = &*branch.at;
        self.stand_at(place);
        self.rewind(frame);
        Ok(self.take(frame, branch.option, branch.revisits)? && !self.is_never_sorted())
    }

    /// Adds events up to the next choice, whose options are appended to the level, or to the end of an execution.
    fn run_to_choice(&mut self, watch: &mut Watch, level: &mut Vec<Branch>) -> Result<(), Stop> {
        loop {
            if let Some((frame, options)) = self.choices.take_newest() {
                self.add_branches(frame, &options, level);
                return Ok(());
            }
            match self.look_and_step(watch)? {
                Step::Extended => {}
                Step::Full => {
                    self.judge_whole()?;
                    return Ok(self.count_new()?);
                }
                Step::Ended => {
                    self.judge_whole()?;
                    self.outcome.count_complete(self.weight());
                    return Ok(());
                }
                Step::Dropped => {
                    if let Some((frame, options)) = self.choices.take_newest() {
                        self.add_branches(frame, &options, level);
                    }
                    return Ok(());
                }
            }
        }
    }

    fn add_branches(&mut self, frame: Frame, options: &[EventId], level: &mut Vec<Branch>) {
        let graph = self.graphs.copy_of(frame.level);
        let place = Place { graph, arena: self.states.copy_below(frame.arena) };
        let revisits = frame.revisits - frame.first;
        let at = Rc::new((place, Frame { level: 0, ..frame }));
        level.extend(options.iter().enumerate().map(|(number, option)| Branch {
            at: Rc::clone(&at),
            option: *option,
            revisits: number >= revisits,
        }));
    }
}
