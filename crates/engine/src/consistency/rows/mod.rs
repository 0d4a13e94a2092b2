//! What is kept for every event as the graph grows: clocks and bit rows.

pub(in crate::consistency) mod causes;
mod cells;
pub(in crate::consistency) mod columns;
mod enter;
pub(in crate::consistency) mod local;
pub(in crate::consistency) mod orders;
pub(in crate::consistency) mod po;
pub(in crate::consistency) mod rebuild;
mod renew;
mod reorder;
#[cfg(test)]
mod verify;
pub(in crate::consistency) mod view_steps;

use crate::consistency::plan::tables::Matrix;
use crate::graph::{BitRows, Cells, Dependencies, Graph, Shape};
use crate::ids::EventId;
use causes::Preserved;
use local::Local;
use orders::{Kept, Order};
use view_steps::ViewSteps;

/// Keeps the rows of graphs up to date. It knows nothing of axioms: it says what precedes what, and others judge.
pub struct Upkeep {
    /// Accesses may have several cells.
    in_cells: bool,
    /// How rows of a new event start.
    shape: Shape,
    /// The bit rows of an empty graph.
    bits: BitRows,
    /// The rows of a new event need no further work: there are no steps and no bit rows.
    is_plain: bool,
    view_steps: ViewSteps,
    orders: Vec<Order>,
    /// Every order that contains `fr` contains `po` and `co`, too.
    has_po_in_orders: bool,
    /// The rows of the order that must hold between an access and the end of its object's life.
    lifetime_rows: Vec<usize>,
    /// The part of `po` in the causal order, if it is not all of `po`.
    preserved: Option<Preserved>,
    /// What is kept for such a part while threads have no gaps.
    local: Option<Local>,
}

impl Upkeep {
    /// For rows of this shape, which the steps and orders refer to.
    pub(in crate::consistency) fn new(
        shape: Shape,
        bits: BitRows,
        view_steps: ViewSteps,
        orders: Vec<Order>,
        lifetime_rows: Vec<usize>,
        preserved: Option<Preserved>,
    ) -> Upkeep {
        let is_plain = shape.rows == shape.own && bits.is_unused();
        let has_po_in_orders = orders.iter().all(|o| !o.fr || (o.co && matches!(o.kept, Kept::Clock(_))));
        Upkeep {
            in_cells: false,
            shape,
            bits,
            is_plain,
            view_steps,
            orders,
            has_po_in_orders,
            lifetime_rows,
            preserved,
            local: None,
        }
    }

    /// The same with rows for a causal order that is any part of `po`.
    pub(in crate::consistency) fn with_local(self, local: Option<Local>) -> Upkeep {
        Upkeep { local, ..self }
    }

    /// Whether rows are kept for a causal order that is any part of `po`, while threads have no gaps.
    pub fn keeps_rows_of_gaps(&self) -> bool {
        self.local.is_some()
    }

    /// What is kept for a causal order that is any part of `po`.
    #[inline(always)]
    pub(in crate::consistency) fn local(&self) -> Option<&Local> {
        self.local.as_ref()
    }

    /// The same for graphs whose accesses may have several cells.
    pub(in crate::consistency) fn for_cells(self, in_cells: bool) -> Upkeep {
        Upkeep { in_cells, ..self }
    }

    /// An empty graph with these rows, for a number of threads.
    pub fn graph(&self, lanes: usize) -> Graph {
        let mut graph = Graph::new(self.shape, lanes, self.bits.clone());
        if self.in_cells {
            graph.cells = Cells::in_use();
        }
        if self.leaves_gaps() {
            graph.dependencies = Dependencies::in_use();
        }
        graph
    }

    /// The orders that are kept closed.
    #[inline(always)]
    pub(in crate::consistency) fn orders(&self) -> &[Order] {
        &self.orders
    }

    /// How many clocks of an event have all that comes before it in `po`.
    pub(in crate::consistency) fn carried(&self) -> usize {
        self.shape.carried
    }

    /// Whether events may be missing in the middle of threads.
    #[inline(always)]
    pub fn leaves_gaps(&self) -> bool {
        self.preserved.is_some()
    }

    /// Whether it is not known that every event can be added to a graph that lacks it.
    pub fn may_be_stuck(&self) -> bool {
        self.preserved.as_ref().is_some_and(|preserved| preserved.is_assumed)
    }

    /// What is preserved of `po`, if that is not a union of edges.
    pub(in crate::consistency) fn preserved_term(&self) -> Option<&Matrix> {
        self.preserved.as_ref().and_then(|preserved| preserved.term.as_ref())
    }

    /// Whether no write comes before another in coherence order that is in its causal past.
    pub fn coherence_follows_causes(&self) -> bool {
        let contains = |order: &Order| order.co && order.whole_rf && matches!(order.kept, Kept::Clock(_));
        self.orders.iter().any(contains)
    }

    /// Whether `x` is `e` or in its causal past.
    #[inline(always)]
    pub fn causes(&self, graph: &Graph, x: EventId, e: EventId) -> bool {
        match &self.preserved {
            Some(preserved) if preserved.term.is_some() => preserved.causes_anyway(graph, x, e),
            Some(_) => causes::causes(graph, x, e),
            None => graph.causes(x, e),
        }
    }

    /// Whether an access comes before the end of its object's life.
    pub fn happens_before(&self, graph: &Graph, access: EventId, end: EventId) -> bool {
        if self.leaves_gaps() {
            return causes::is_in_past(graph, access, end);
        }
        self.lifetime_rows.iter().any(|row| graph.precedes(*row, access, end))
    }
}
