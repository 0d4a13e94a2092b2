//! The causal order where it is smaller than `po`.
//!
//! It is a bit row, made when an event is added. The row never changes afterwards, because whatever is kept is kept
//! with its causal past. Nothing else is kept per event, so events may be added in any order that the causal order
//! allows (thesis §5.7).
//!
//! I1: creations, joins, meetings, allocations and the ends of objects' lives are ordered with all of `po`, in every
//! plan. A choice comes before what follows it in `po`, which may depend on it, and after nothing in particular.
//! I2: an event comes after all reads that it depends on, so no revisit changes what is kept.

use crate::consistency::checks::relations::is_same_location;
use crate::consistency::plan::tables::{Classes, Matrix, PreservedPart, Symbol};
use crate::consistency::rows::po::predecessors;
use crate::graph::{Dependency, Event, Graph, Label, CONDITIONAL, PO};
use crate::ids::EventId;

/// The bit row of the causal order.
const CAUSE: usize = 1;
/// Bit rows of each event: `po` and the causal order.
pub(in crate::consistency) const CAUSAL_BIT_ROWS: usize = 2;

/// The part of `po` that is in the causal order.
#[derive(Clone, Debug)]
pub(in crate::consistency) struct Preserved {
    edges: Vec<(Classes, Classes, bool)>,
    /// What it is if it is no union of edges. No row holds it then.
    pub term: Option<Matrix>,
    /// It is not known whether every event can be added.
    pub is_assumed: bool,
}

impl Preserved {
    /// From edges along `po` and `po-loc`, or a term.
    pub fn new(part: &PreservedPart) -> Preserved {
        let (edges, term) = match part {
            PreservedPart::Edges(edges) => (edges.as_slice(), None),
            PreservedPart::Term(matrix) | PreservedPart::Assumed(matrix) => {
                ([].as_slice(), Some(matrix.clone()))
            }
        };
        let edges = edges.iter().map(|edge| (edge.before, edge.after, edge.symbol == Symbol::PoLoc));
        let is_assumed = matches!(part, PreservedPart::Assumed(_));
        Preserved { edges: edges.collect(), term, is_assumed }
    }

    fn orders(&self, graph: &Graph, earlier: EventId, later: EventId) -> bool {
        let [first, second] = [earlier, later].map(|id| graph.event(id));
        is_barrier(first)
            || is_barrier(second)
            || first.label() == Label::Choose
            || self.edges.iter().any(|(before, after, same_location)| {
                before.has(first.class)
                    && after.has(second.class)
                    && (!same_location || is_same_location(graph, earlier, later))
            })
    }

    /// Makes the causal row of a new event from its past in `po`.
    pub fn enter(&self, graph: &mut Graph, id: EventId) {
        let event = *graph.event(id);
        graph.bits.clear_row(PO, id);
        let mut pending: Vec<EventId> = predecessors(graph, id).collect();
        while let Some(earlier) = pending.pop() {
            if graph.bits.has(PO, earlier, id) {
                continue;
            }
            graph.bits.insert(PO, earlier, id);
            if self.term.is_none() && self.orders(graph, earlier, id) {
                graph.bits.join(CAUSE, id, earlier);
            }
            pending.extend(predecessors(graph, earlier));
        }
        if self.term.is_some() {
            return;
        }
        if event.is_write_half() {
            graph.bits.join(CAUSE, id, event.po_prev);
        }
        for read in depends_on(graph, id) {
            graph.bits.join(CAUSE, id, read);
        }
    }

    /// Whether `x` is `e` or in its causal past, as far as that is the same in every causal order. It is searched for.
    pub fn causes_anyway(&self, graph: &Graph, x: EventId, e: EventId) -> bool {
        let mut seen = vec![false; graph.len()];
        let mut pending = vec![e];
        while let Some(id) = pending.pop() {
            if std::mem::replace(&mut seen[id.at()], true) {
                continue;
            }
            if id == x {
                return true;
            }
            pending.extend(depends_on(graph, id));
            pending.extend(graph.sources(id).iter().filter(|source| source.is_some()));
            if graph.event(id).is_write_half() {
                pending.push(graph.event(id).po_prev);
            }
            pending
                .extend(all_before(graph, id).into_iter().filter(|earlier| self.orders(graph, *earlier, id)));
        }
        false
    }
}

/// All events before one in `po`.
fn all_before(graph: &Graph, id: EventId) -> Vec<EventId> {
    let mut seen = vec![false; graph.len()];
    let mut found = Vec::new();
    let mut pending: Vec<EventId> = predecessors(graph, id).collect();
    while let Some(earlier) = pending.pop() {
        if !std::mem::replace(&mut seen[earlier.at()], true) {
            found.push(earlier);
            pending.extend(predecessors(graph, earlier));
        }
    }
    found
}

/// The events that must be there before one: the reads that it depends on, those that decide about the address of an
/// earlier access of its thread, compare-exchanges (which have one event or two), and the write halves of all these
/// reads. (A revisit that kept a read half alone would lose
/// executions: while it is there without its write, another read-modify-write cannot read the same write.)
fn depends_on(graph: &Graph, id: EventId) -> Vec<EventId> {
    let own = [Dependency::Addr, Dependency::Data, Dependency::Ctrl];
    let own = own.into_iter().flat_map(|how| graph.dependencies(id, how));
    let addresses =
        graph.earlier_in_thread(id).flat_map(|earlier| graph.dependencies(earlier, Dependency::Addr));
    let outcomes =
        graph.earlier_in_thread(id).filter(|earlier| graph.event(*earlier).flags & CONDITIONAL != 0);
    let mut found: Vec<EventId> = own.chain(addresses).chain(outcomes).collect();
    let halves = graph.earlier_in_thread(id).filter(|half| graph.event(*half).is_write_half());
    let halves: Vec<EventId> = halves.filter(|half| found.contains(&graph.event(*half).po_prev)).collect();
    found.extend(halves);
    found
}

/// Puts what a read reads into its causal row.
pub(in crate::consistency) fn see(graph: &mut Graph, read: EventId, write: EventId) {
    graph.bits.join(CAUSE, read, write);
}

/// Whether `x` is `e` or in its causal past.
#[inline(always)]
pub(in crate::consistency) fn causes(graph: &Graph, x: EventId, e: EventId) -> bool {
    graph.bits.has(CAUSE, x, e)
}

/// Whether `po` and `rf` lead from `x` to `e`.
pub(in crate::consistency) fn is_in_past(graph: &Graph, x: EventId, e: EventId) -> bool {
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

pub(in crate::consistency) fn is_barrier(event: &Event) -> bool {
    match event.label() {
        Label::Create | Label::Join | Label::Arrive | Label::Depart | Label::Alloc | Label::Free => true,
        Label::Read | Label::Write | Label::Fence | Label::Choose => false,
    }
}
