//! Plans whose causal order is smaller than `po`: every choice is judged by what the axioms mean.
//!
//! The causal order is a bit row, made when an event is added: it never changes afterwards, because whatever is
//! kept is kept with its causal past. Nothing else is kept per event, so events may be added in any order
//! that the causal order allows (thesis §5.7).
//!
//! I1: creations, joins, allocations and the ends of objects' lives are ordered with all of `po`, in every plan.

use crate::consistency::checks::relations::is_same_location;
use crate::consistency::choices::sources::Conditional;
use crate::consistency::plan::layout::Plan;
use crate::consistency::plan::tables::{Classes, GuardedEdge, Symbol};
use crate::consistency::rows::po::predecessors;
use crate::consistency::{Late, Workspace};
use crate::graph::{Event, Graph, Label, PO};
use crate::ids::EventId;

/// The bit row of the causal order.
const CAUSE: usize = 1;

/// The part of `po` that is in the causal order.
#[derive(Clone, Debug)]
pub(in crate::consistency) struct Preserved {
    edges: Vec<(Classes, Classes, bool)>,
}

impl Preserved {
    /// From edges along `po` and `po-loc`.
    pub(in crate::consistency) fn new(edges: &[GuardedEdge]) -> Preserved {
        let edges = edges.iter().map(|edge| (edge.before, edge.after, edge.symbol == Symbol::PoLoc));
        Preserved { edges: edges.collect() }
    }

    fn orders(&self, earlier: &Event, later: &Event) -> bool {
        is_barrier(earlier)
            || is_barrier(later)
            || self.edges.iter().any(|(before, after, same_location)| {
                before.has(earlier.class)
                    && after.has(later.class)
                    && (!same_location || is_same_location(earlier, later))
            })
    }
}

/// Whether `po` and `rf` lead from `x` to `e`.
fn is_in_past(graph: &Graph, x: EventId, e: EventId) -> bool {
    let mut seen = vec![false; graph.len()];
    let mut pending = vec![e];
    while let Some(id) = pending.pop() {
        if id.is_none() || std::mem::replace(&mut seen[id.at()], true) {
            continue;
        }
        pending.extend(predecessors(graph, id));
        pending.extend(graph.sources(id));
    }
    seen[x.at()]
}

fn is_barrier(event: &Event) -> bool {
    match event.label() {
        Label::Create | Label::Join | Label::Alloc | Label::Free => true,
        Label::Read | Label::Write | Label::Fence => false,
    }
}

impl Plan {
    /// Whether events may be missing in the middle of threads.
    #[inline(always)]
    pub fn leaves_gaps(&self) -> bool {
        self.preserved.is_some()
    }

    /// Whether `x` is `e` or in its causal past.
    #[inline(always)]
    pub fn causes(&self, graph: &Graph, x: EventId, e: EventId) -> bool {
        if self.preserved.is_none() {
            graph.causes(x, e)
        } else {
            graph.bits.has(CAUSE, x, e)
        }
    }

    /// Whether an access comes before the end of its object's life.
    pub fn happens_before(&self, graph: &Graph, access: EventId, end: EventId) -> bool {
        if self.leaves_gaps() {
            return is_in_past(graph, access, end);
        }
        self.lifetime_rows.iter().any(|row| graph.precedes(*row, access, end))
    }

    /// Makes the causal row of a new event from its past in `po`.
    pub(in crate::consistency) fn enter_causes(&self, graph: &mut Graph, id: EventId, preserved: &Preserved) {
        let event = *graph.event(id);
        graph.bits.clear_row(PO, id);
        let mut pending = predecessors(graph, id).to_vec();
        while let Some(earlier) = pending.pop() {
            if earlier.is_none() || graph.bits.has(PO, earlier, id) {
                continue;
            }
            graph.bits.insert(PO, earlier, id);
            if preserved.orders(graph.event(earlier), &event) {
                graph.bits.join(CAUSE, id, earlier);
            }
            pending.extend(predecessors(graph, earlier));
        }
        if event.is_write_half() {
            graph.bits.join(CAUSE, id, event.po_prev);
        }
    }

    pub(in crate::consistency) fn see_cause(&self, graph: &mut Graph, read: EventId, write: EventId) {
        graph.bits.join(CAUSE, read, write);
    }

    /// Appends the writes that a read, not linked yet, may see, the coherence-latest first.
    pub fn consistent_sources(
        &self,
        graph: &mut Graph,
        read: EventId,
        conditional: Option<&Conditional>,
        work: &mut Workspace,
        out: &mut Vec<EventId>,
    ) -> Result<(), Late> {
        let mut write = graph.loc(graph.event(read).loc()).last;
        loop {
            work.check_time()?;
            if let Some(kinds) = conditional {
                self.reclassify(graph, read, kinds.class(graph, write));
            }
            graph.link_read(read, write);
            if self.is_consistent(graph, work) {
                out.push(write);
            }
            graph.unlink_read(read);
            if write.is_none() {
                return Ok(());
            }
            write = graph.co_prev(write);
        }
    }

    /// Appends the writes after which a write, not placed yet, may stand, the coherence-latest first.
    pub fn consistent_places(
        &self,
        graph: &mut Graph,
        write: EventId,
        work: &mut Workspace,
        out: &mut Vec<EventId>,
    ) -> Result<(), Late> {
        let event = *graph.event(write);
        let mut after = graph.loc(event.loc()).last;
        let source = if event.is_exclusive() { Some(graph.rf(event.po_prev)) } else { None };
        loop {
            work.check_time()?;
            let splits = self.splits_rmw(graph, after, graph.overwriter(event.loc(), after));
            if !splits && source.is_none_or(|source| source == after) {
                graph.link_write(write, after);
                if self.is_consistent(graph, work) {
                    out.push(after);
                }
                graph.unlink_write(write);
            }
            if after.is_none() {
                return Ok(());
            }
            after = graph.co_prev(after);
        }
    }
}
