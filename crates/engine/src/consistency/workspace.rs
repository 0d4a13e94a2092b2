//! What checking needs beside the plan and the graph: scratch space, and a tally of what each axiom forbade.

use crate::consistency::alarm::{Alarm, Late};
use crate::consistency::checks::matrix::Evaluator;
use crate::consistency::checks::pieces::Pieces;
use crate::consistency::checks::search::Searcher;
use crate::consistency::plan::layout::Plan;
use crate::ids::EventId;

/// Small steps between two looks at the alarm: each may compare a write with all others of its location.
const BETWEEN_LOOKS: u32 = 64;

/// Scratch space of one exploration.
pub struct Workspace {
    pub(in crate::consistency) searcher: Searcher,
    pub(in crate::consistency) evaluator: Evaluator,
    /// For orders that are computed: their graphs may be others.
    pub(in crate::consistency) orders: Evaluator,
    pub(in crate::consistency) pieces: Pieces,
    /// What follows an event in `rf`, `co` and `fr`, and what precedes it.
    pub(in crate::consistency) eco: (Vec<EventId>, Vec<EventId>),
    /// How many events of each thread come before a write.
    pub(in crate::consistency) ordered: Vec<u32>,
    forbidden: Vec<u64>,
    /// Compare every answer with what the axioms mean.
    pub(in crate::consistency) audits: bool,
    alarm: Alarm,
    /// Small steps, to look at the alarm now and then.
    steps: u32,
}

/// The axiom that forbids a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Forbidden(pub(in crate::consistency) usize);

impl Workspace {
    /// For a plan; `audits` compares every answer with what the axioms mean.
    pub fn new(plan: &Plan, audits: bool) -> Workspace {
        Workspace {
            searcher: Searcher::new(),
            evaluator: Evaluator::new(),
            orders: Evaluator::new(),
            pieces: Pieces::default(),
            eco: (Vec::new(), Vec::new()),
            ordered: Vec::new(),
            forbidden: vec![0; plan.checks().axioms()],
            audits,
            alarm: Alarm::silent(),
            steps: 0,
        }
    }

    /// What is to be listened to while work takes long.
    pub fn set_alarm(&mut self, alarm: Alarm) {
        self.alarm = alarm;
    }

    /// Whether to go on.
    pub fn check_time(&mut self) -> Result<(), Late> {
        self.alarm.look().map(|_| ())
    }

    /// The same for one of very many small steps: looks every so many of them.
    #[inline]
    pub fn check_time_now_and_then(&mut self) -> Result<(), Late> {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(BETWEEN_LOOKS) {
            return self.check_time();
        }
        Ok(())
    }

    /// How many choices each axiom has forbidden since the last call; one that stands for many counts once.
    pub fn take_forbidden(&mut self) -> Vec<u64> {
        let none = vec![0; self.forbidden.len()];
        std::mem::replace(&mut self.forbidden, none)
    }

    /// Counts a choice that no coherence order allows, by the axiom that forbids it with one.
    pub fn count_forbidden(&mut self, forbidden: Forbidden) {
        self.forbid(forbidden.0);
    }

    #[inline]
    pub(in crate::consistency) fn forbid(&mut self, axiom: usize) {
        // What forbids a choice need not be an axiom (`choices::cells`).
        if let Some(count) = self.forbidden.get_mut(axiom) {
            *count += 1;
        }
    }
}
