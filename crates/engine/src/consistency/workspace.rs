//! What checking needs beside the plan and the graph: scratch space, and a tally of what each axiom forbade.

use crate::consistency::alarm::{Alarm, Late};
use crate::consistency::checks::matrix::Evaluator;
use crate::consistency::checks::search::Searcher;
use crate::consistency::plan::layout::{Plan, SearchCheck};
use crate::graph::Graph;
use crate::ids::EventId;

/// Small steps between two looks at the alarm: each may compare a write with all others of its location.
const BETWEEN_LOOKS: u32 = 64;

/// Scratch space of one exploration.
pub struct Workspace {
    searcher: Searcher,
    evaluator: Evaluator,
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
            forbidden: vec![0; plan.axioms()],
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
    pub(in crate::consistency) fn check_time(&mut self) -> Result<(), Late> {
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
        self.forbidden[axiom] += 1;
    }
}

impl Plan {
    /// The axiom among those that are searched or evaluated that a graph breaks, all of whose new edges touch
    /// the events `around`.
    pub(in crate::consistency) fn broken_search(
        &self,
        graph: &Graph,
        around: &[EventId],
        work: &mut Workspace,
    ) -> Option<usize> {
        let in_view = |view: usize, x: EventId, e: EventId| self.in_view(graph, view, x, e);
        let broken = self.searches.iter().find(|search| match &search.check {
            SearchCheck::Automaton(automaton) => work.searcher.has_cycle(automaton, graph, around, &in_view),
            SearchCheck::Matrix(matrix) => !work.evaluator.holds(matrix, graph),
        });
        broken.map(|search| search.axiom)
    }

    /// The axiom that a graph breaks, of those that are evaluated: nothing is known of them beforehand.
    pub fn broken_matrix(&self, graph: &Graph, work: &mut Workspace) -> Option<usize> {
        let broken = self.searches.iter().find(|search| match &search.check {
            SearchCheck::Matrix(matrix) => !work.evaluator.holds(matrix, graph),
            SearchCheck::Automaton(_) => false,
        });
        broken.map(|search| search.axiom)
    }

    /// Whether adding an event means to evaluate axioms on the whole graph.
    pub fn evaluates(&self) -> bool {
        self.searches.iter().any(|search| matches!(search.check, SearchCheck::Matrix(_)))
    }

    /// Whether a graph satisfies every axiom, from what the axioms mean.
    pub fn is_consistent(&self, graph: &Graph, work: &mut Workspace) -> bool {
        self.meanings.iter().all(|meaning| work.evaluator.holds(meaning, graph))
    }

    #[inline]
    pub(in crate::consistency) fn in_view(&self, graph: &Graph, view: usize, x: EventId, e: EventId) -> bool {
        x != e && self.views[view].iter().any(|row| graph.precedes(*row, x, e))
    }
}
