//! How an axiom is checked: views, searches of automata, matrices.

pub(in crate::consistency) mod automaton;
pub(in crate::consistency) mod bits;
mod circuit;
pub(in crate::consistency) mod coherence;
pub(in crate::consistency) mod computed;
#[cfg(test)]
pub(in crate::consistency) mod defined;
mod earlier;
mod fixed;
pub(in crate::consistency) mod matrix;
pub(in crate::consistency) mod pieces;
pub(in crate::consistency) mod races;
#[cfg(test)]
pub(in crate::consistency) mod random;
pub(in crate::consistency) mod relations;
pub(in crate::consistency) mod search;
#[cfg(test)]
pub(in crate::consistency) mod search_tests;
pub(in crate::consistency) mod steps;
pub(in crate::consistency) mod walk;

use crate::consistency::plan::tables::{Matrix, MatrixOp, Symbol};
use crate::consistency::plan::vocabulary::Verdict;
use crate::consistency::Workspace;
use crate::graph::Graph;
use crate::ids::EventId;
use automaton::Automaton;
use coherence::Coherence;
use pieces::Pieces;

/// The checks of axioms that are not orders kept closed, and what every axiom means.
///
/// It looks at a graph with a choice made, and names the axiom that is broken by its number.
pub struct Checks {
    coherences: Vec<Coherence>,
    searches: Vec<Searched>,
    has_matrices: bool,
    /// Every axiom is an order that is kept closed.
    is_settled_by_orders: bool,
    /// The rows of each view that make up its relation.
    views: Vec<Vec<usize>>,
    /// What each axiom means.
    meanings: Vec<Matrix>,
    /// Clocks that coherence never contradicts, because of some axiom.
    settled: Vec<usize>,
    /// No axiom leads from an event that comes last in its thread, and that nothing overwrites, to another one.
    extends: bool,
    /// Its cycles are forbidden, whatever depends on what.
    causality: Option<Automaton>,
}

/// An axiom that is checked by a search after each choice.
#[derive(Clone, Debug)]
pub(in crate::consistency) struct Searched {
    pub axiom: usize,
    pub check: SearchCheck,
}

/// How the search is done.
#[derive(Clone, Debug)]
pub(in crate::consistency) enum SearchCheck {
    Automaton(Automaton),
    Matrix(Matrix),
}

impl Searched {
    fn is_matrix(&self) -> bool {
        matches!(self.check, SearchCheck::Matrix(_))
    }
}

impl Checks {
    /// The views are known by the rows that make up their relations, the meanings by the axioms' numbers.
    pub(in crate::consistency) fn new(
        coherences: Vec<Coherence>,
        searches: Vec<Searched>,
        views: Vec<Vec<usize>>,
        meanings: Vec<Matrix>,
        settled: Vec<usize>,
        has_local_orders: bool,
    ) -> Checks {
        let has_matrices = searches.iter().any(Searched::is_matrix);
        let is_settled_by_orders = coherences.is_empty() && searches.is_empty() && !has_local_orders;
        let extends = !meanings.iter().any(may_break_last);
        let causality = None;
        Checks {
            coherences,
            searches,
            has_matrices,
            is_settled_by_orders,
            views,
            meanings,
            settled,
            extends,
            causality,
        }
    }

    /// With an automaton whose cycles some axiom forbids.
    pub(in crate::consistency) fn with_causality(self, causality: Option<Automaton>) -> Checks {
        Checks { causality, ..self }
    }

    /// Whether an event that comes last in its thread breaks no axiom if nothing overwrites what it writes or reads:
    /// then no relation of an axiom leads from it to another event.
    #[inline(always)]
    pub fn extends(&self) -> bool {
        self.extends
    }

    /// Whether coherence has to agree with a view that contains `po`: one of the first clocks of each event.
    pub(in crate::consistency) fn has_coherence_in_po(&self, carried: usize) -> bool {
        self.coherences.iter().any(|coherence| coherence.rows.iter().any(|row| *row < carried))
    }

    /// How many axioms there are, of whatever kind.
    pub fn axioms(&self) -> usize {
        self.meanings.len()
    }

    /// Whether some axioms can be checked only after a choice is made.
    #[inline(always)]
    pub fn has_searches(&self) -> bool {
        !self.searches.is_empty()
    }

    /// Whether some axioms are matrix programs, about which nothing is known in advance: for each event they are
    /// evaluated on the whole graph.
    #[inline(always)]
    pub fn has_matrices(&self) -> bool {
        self.has_matrices
    }

    /// Whether the coherence-latest choice has to be evaluated, too.
    #[inline(always)]
    pub fn evaluates_latest(&self) -> bool {
        self.has_matrices && !self.extends
    }

    /// Whether there is nothing to check: every axiom is an order that is kept closed.
    #[inline(always)]
    pub(in crate::consistency) fn is_settled_by_orders(&self) -> bool {
        self.is_settled_by_orders
    }

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

    /// Whether a graph satisfies every axiom, from what the axioms mean.
    pub fn is_consistent(&self, graph: &Graph, work: &mut Workspace) -> bool {
        self.meanings.iter().all(|meaning| work.evaluator.holds(meaning, graph))
    }

    /// An axiom whose relation must be empty and is not, with two events that it relates.
    pub fn related_pair(&self, graph: &Graph, work: &mut Workspace) -> Option<(usize, EventId, EventId)> {
        let of_pairs = |(_, meaning): &(usize, &Matrix)| meaning.verdict == Verdict::Empty;
        self.meanings.iter().enumerate().filter(of_pairs).find_map(|(number, meaning)| {
            let pairs = work.evaluator.relation(meaning, graph);
            let second = |first: usize| (0..graph.len()).find(|second| pairs.has(first, *second));
            let found = (0..graph.len()).find_map(|first| second(first).map(|second| (first, second)))?;
            Some((number, EventId::from_usize(found.0), EventId::from_usize(found.1)))
        })
    }

    /// The axiom that a graph breaks, of all, if they are about pieces of accesses.
    pub(in crate::consistency) fn broken_in_pieces(
        &self,
        graph: &Graph,
        pieces: &mut Pieces,
    ) -> Option<usize> {
        pieces.prepare(graph);
        self.meanings.iter().position(|meaning| !pieces.holds(meaning, graph))
    }

    #[inline]
    fn in_view(&self, graph: &Graph, view: usize, x: EventId, e: EventId) -> bool {
        x != e && self.views[view].iter().any(|row| graph.precedes(*row, x, e))
    }
}

/// Whether an axiom may be broken by an event that nothing follows in `po`, `rf`, `co` and `fr`: its relation leads from
/// such an event to another one or to itself, or must not lead to it.
fn may_break_last(meaning: &Matrix) -> bool {
    meaning.verdict == Verdict::Empty || leads_from_last(&meaning.program)
}

/// Whether a program's relation may lead from an event that nothing follows to another one, or to itself.
fn leads_from_last(program: &[MatrixOp]) -> bool {
    // Of each relation: whether it may lead from such an event to another one, and to itself.
    let mut stack: Vec<(bool, bool)> = Vec::new();
    let mut slots = Vec::new();
    for op in program {
        let mut pop = || stack.pop().expect("the program is well formed");
        let leads = match *op {
            MatrixOp::Relation(Symbol::Any) => (true, true),
            MatrixOp::Relation(Symbol::SameThread | Symbol::LocOverlap | Symbol::Alloc | Symbol::Free) => {
                (true, false)
            }
            MatrixOp::Relation(Symbol::SameDomain) => (true, false),
            MatrixOp::Relation(_) | MatrixOp::Empty => (false, false),
            MatrixOp::Test(_) | MatrixOp::Identity => (false, true),
            MatrixOp::Union => {
                let (second, first) = (pop(), pop());
                (first.0 || second.0, first.1 || second.1)
            }
            MatrixOp::Intersection => {
                let (second, first) = (pop(), pop());
                (first.0 && second.0, first.1 && second.1)
            }
            // What leads away may come back.
            MatrixOp::Sequence => {
                let (second, first) = (pop(), pop());
                let away = first.0 || second.0;
                (away, away || (first.1 && second.1))
            }
            MatrixOp::Difference => {
                pop();
                pop()
            }
            MatrixOp::Plus => {
                let (away, stays) = pop();
                (away, away || stays)
            }
            MatrixOp::Star | MatrixOp::Maybe => (pop().0, true),
            MatrixOp::Inverse => (true, pop().1),
            MatrixOp::Store(slot) => {
                let top = pop();
                if slots.len() <= slot {
                    slots.resize(slot + 1, top);
                }
                slots[slot] = top;
                top
            }
            MatrixOp::Load(slot) => slots[slot],
            MatrixOp::Variable(_) | MatrixOp::Fixpoint(_) => return true,
        };
        stack.push(leads);
    }
    let (away, stays) = stack.pop().expect("the program is well formed");
    away || stays
}
