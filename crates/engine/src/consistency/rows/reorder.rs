//! Recomputes orders from scratch, for a graph whose coherence order has changed.

use crate::consistency::checks::relations::is_same_location;
use crate::consistency::rows::orders::{Kept, Order};
use crate::consistency::rows::po::awaited;
use crate::consistency::rows::rebuild::causal_sequence;
use crate::consistency::rows::Upkeep;
use crate::graph::{AccessKind, Graph};
use crate::ids::EventId;

impl Upkeep {
    /// Sets the rows of all orders to what the graph's edges make them. Views stay as they are: they do not
    /// depend on coherence.
    pub(in crate::consistency) fn reorder(&self, graph: &mut Graph) {
        if self.orders.is_empty() {
            return;
        }
        let sequence = causal_sequence(graph, &|_| true);
        self.clear_orders(graph);
        loop {
            let before = (graph.views.clone(), graph.bits.clone());
            for id in &sequence {
                self.enter_again(graph, *id);
            }
            if before.0.has_same_rows(&graph.views) && before.1.has_same_rows(&graph.bits) {
                return;
            }
        }
    }

    fn clear_orders(&self, graph: &mut Graph) {
        for event in 0..graph.len() {
            let (thread, index) = (graph.events()[event].thread, graph.events()[event].index);
            graph.bits.reset(event);
            for order in &self.orders {
                if let Kept::Clock(row) = order.kept {
                    graph.views.clear_row(event, row, thread.at(), index + 1);
                }
            }
        }
    }

    /// Joins into an event's orders those of its direct predecessors.
    fn enter_again(&self, graph: &mut Graph, id: EventId) {
        let event = *graph.event(id);
        let mut previous = vec![event.po_prev, graph.thread(event.thread).creator];
        previous.extend(awaited(graph, id));
        previous.retain(|other| other.is_some());
        for order in &self.orders {
            if let Kept::Clock(row) = order.kept {
                for other in &previous {
                    graph.views.join(id.at(), other.at(), row);
                }
            }
        }
        if !graph.bits.is_unused() {
            self.enter_bits(graph, id);
            self.join_earlier_again(graph, id);
        }
        for order in &self.orders {
            for other in communicated(graph, order, id) {
                order.join(graph, id, other);
            }
        }
    }

    /// Joins the bit rows of all earlier events, including those already in the event's row: they may have grown.
    fn join_earlier_again(&self, graph: &mut Graph, id: EventId) {
        let event = *graph.event(id);
        for order in &self.orders {
            let Kept::Bits(row) = order.kept else { continue };
            for (guard, after, same_location) in &order.po {
                if !after.has(event.class) {
                    continue;
                }
                let earlier: Vec<EventId> = graph.bits.earlier(id, *guard).collect();
                for other in earlier {
                    if !same_location || is_same_location(graph, other, id) {
                        graph.bits.join(row, id, other);
                    }
                }
            }
        }
    }
}

/// The events that directly precede an event in `rf`, `co` or `fr`.
fn communicated(graph: &Graph, order: &Order, id: EventId) -> Vec<EventId> {
    match graph.event(id).access_kind() {
        Some(AccessKind::Read) => {
            let reads = |source: &&EventId| source.is_some() && order.reads(graph, **source, id);
            graph.sources(id).iter().filter(reads).copied().collect()
        }
        Some(AccessKind::Write) => {
            let loc = graph.event(id).loc();
            let mut found = Vec::new();
            let mut older = graph.co_prev(id);
            loop {
                if order.co && older.is_some() {
                    found.push(older);
                }
                if order.fr {
                    let mut reader = graph.first_reader(loc, older);
                    while reader.is_some() {
                        found.push(reader);
                        reader = graph.next_reader(reader);
                    }
                }
                if older.is_none() {
                    return found;
                }
                older = graph.co_prev(older);
            }
        }
        None => Vec::new(),
    }
}
