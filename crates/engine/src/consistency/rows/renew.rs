//! Makes all rows of a graph anew, after gaps have been filled.
//!
//! `po` and `rf` may have a common cycle, so there is no order in which each event comes after all that its rows are
//! made from. They are joined until nothing changes.
//!
//! I1: rows start with less than they end with, and only grow. What they held before might go round a cycle for ever.

use crate::consistency::rows::local::{Direct, Local};
use crate::consistency::rows::po::{awaited, predecessors};
use crate::consistency::rows::Upkeep;
use crate::graph::{Graph, Label, PO};
use crate::ids::EventId;

impl Upkeep {
    /// Makes the rows of a graph without gaps anew. The newest event reads nothing, and has no place in `co`.
    pub fn renew_rows(&self, graph: &mut Graph) {
        let Some(local) = &self.local else { return };
        graph.late_read = None;
        let sequence = po_sequence(graph);
        for id in &sequence {
            graph.reset_rows(*id);
            graph.bits.clear_row(PO, *id);
            for previous in predecessors(graph, *id).collect::<Vec<EventId>>() {
                graph.bits.follow(id.at(), previous);
            }
            local.enter_dependencies(graph, *id);
        }
        // It does not depend on other rows.
        let direct: Vec<Direct> = sequence.iter().map(|id| local.direct(graph, *id)).collect();
        loop {
            let before = (graph.views.clone(), graph.bits.clone());
            for (id, direct) in sequence.iter().zip(&direct) {
                self.renew(local, graph, *id, direct);
            }
            if before.0.has_same_rows(&graph.views) && before.1.has_same_rows(&graph.bits) {
                break;
            }
        }
        graph.note_fresh_rows();
    }

    fn renew(&self, local: &Local, graph: &mut Graph, id: EventId, direct: &Direct) {
        graph.reset_rows(id);
        self.view_steps.enter(graph, id);
        for end in awaited(graph, id).collect::<Vec<EventId>>() {
            for row in 0..graph.views.shape().carried {
                graph.views.join(id.at(), end.at(), row);
            }
            self.view_steps.enter_end(graph, id, end);
        }
        let is_newest = id.at() + 1 == graph.len();
        if graph.event(id).label() == Label::Read && !is_newest && graph.rf(id).is_some() {
            self.view_steps.see(graph, id, graph.rf(id));
        }
        local.enter_dependencies(graph, id);
        local.keep(graph, id, direct.ordered());
        for order in &local.orders {
            order.enter(graph, id, direct.before(order));
        }
    }
}

/// All events, each after those before it in `po`.
fn po_sequence(graph: &Graph) -> Vec<EventId> {
    let mut sequence = Vec::with_capacity(graph.len());
    let mut is_added = vec![false; graph.len()];
    while sequence.len() < graph.len() {
        for id in (0..graph.len()).map(EventId::from_usize) {
            if !is_added[id.at()] && predecessors(graph, id).all(|previous| is_added[previous.at()]) {
                is_added[id.at()] = true;
                sequence.push(id);
            }
        }
    }
    sequence
}
