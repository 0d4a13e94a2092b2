//! Tests only: the orders recomputed from nothing, to compare with what was kept edge by edge.

use super::plan::{Order, Plan};
use crate::graph::{Graph, Label};
use crate::ids::{EventId, ThreadId};

impl Plan {
    /// Panics unless every clock is what the graph's edges make it.
    pub fn assert_orders_are_closed(&self, graph: &Graph) {
        for (k, order) in self.orders.iter().enumerate() {
            let rows = recompute(graph, order);
            for (id, row) in rows.iter().enumerate() {
                assert_eq!(graph.views.row(id, k), row, "order {k} of event {id}: {:?}", graph.events()[id]);
            }
        }
    }
}

fn recompute(graph: &Graph, order: &Order) -> Vec<Vec<u32>> {
    let ids: Vec<EventId> = (0..graph.len()).map(EventId::from_usize).collect();
    let mut rows = vec![vec![0; graph.views.lanes()]; graph.len()];
    let predecessors: Vec<_> = ids.iter().map(|id| predecessors(graph, order, *id)).collect();
    loop {
        let mut changed = false;
        for id in &ids {
            let event = graph.event(*id);
            let mut row = rows[id.at()].clone();
            row[event.thread.at()] = event.index + 1;
            for predecessor in &predecessors[id.at()] {
                for (lane, count) in rows[predecessor.at()].iter().enumerate() {
                    row[lane] = row[lane].max(*count);
                }
            }
            changed |= row != rows[id.at()];
            rows[id.at()] = row;
        }
        if !changed {
            return rows;
        }
    }
}

fn predecessors(graph: &Graph, order: &Order, id: EventId) -> Vec<EventId> {
    let event = graph.event(id);
    let mut found = vec![event.po_prev, graph.thread(event.thread).creator];
    if event.label == Label::Join {
        found.push(graph.frontier(ThreadId(event.value as u32)));
    }
    if event.label == Label::Read && order.rf {
        found.push(event.rf);
    }
    if event.label == Label::Write && graph.co_next(event.loc, event.co_prev) == id {
        let mut older = event.co_prev;
        loop {
            if order.co {
                found.push(older);
            }
            let reads_older = |e: &EventId| {
                let read = graph.event(*e);
                read.label == Label::Read && read.loc == event.loc && read.rf == older
            };
            if order.fr {
                found.extend((0..graph.len()).map(EventId::from_usize).filter(reads_older));
            }
            if older.is_none() {
                break;
            }
            older = graph.event(older).co_prev;
        }
    }
    found.retain(|e| e.is_some());
    found
}
