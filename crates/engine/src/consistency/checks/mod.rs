//! How an axiom is checked: views, searches of automata, matrices.

pub(in crate::consistency) mod automaton;
pub(in crate::consistency) mod bits;
mod circuit;
pub(in crate::consistency) mod coherence;
#[cfg(test)]
pub(in crate::consistency) mod defined;
mod fixed;
pub(in crate::consistency) mod matrix;
pub(in crate::consistency) mod races;
#[cfg(test)]
pub(in crate::consistency) mod random;
pub(in crate::consistency) mod relations;
pub(in crate::consistency) mod search;
#[cfg(test)]
pub(in crate::consistency) mod search_tests;
pub(in crate::consistency) mod steps;
pub(in crate::consistency) mod walk;

use crate::consistency::plan::tables::Matrix;
use crate::consistency::Workspace;
use crate::graph::Graph;
use crate::ids::EventId;
use automaton::Automaton;
use coherence::Coherence;

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
    ) -> Checks {
        let has_matrices = searches.iter().any(Searched::is_matrix);
        let is_settled_by_orders = coherences.is_empty() && searches.is_empty();
        Checks { coherences, searches, has_matrices, is_settled_by_orders, views, meanings, settled }
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

    #[inline]
    fn in_view(&self, graph: &Graph, view: usize, x: EventId, e: EventId) -> bool {
        x != e && self.views[view].iter().any(|row| graph.precedes(*row, x, e))
    }
}
