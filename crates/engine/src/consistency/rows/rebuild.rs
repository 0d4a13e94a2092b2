//! Rebuilds a graph from scratch, in an order that depends only on the graph.

use crate::consistency::rows::Upkeep;
use crate::graph::{AccessKind, Graph, Payload, ThreadState};
use crate::ids::{EventId, ThreadId};

impl Upkeep {
    /// Fills `copy` with the events of `graph` in a causal order, with the same links; `map` says what became of
    /// each. Snapshots do not change.
    pub fn rebuild(&self, graph: &Graph, copy: &mut Graph, map: &mut Vec<EventId>) {
        copy.clear_like(graph);
        map.clear();
        map.resize(graph.len(), EventId::NONE);
        for id in causal_sequence(graph, &|_| true) {
            self.copy_event(graph, id, copy, map);
            let new = map[id.at()];
            match graph.event(id).access_kind() {
                Some(AccessKind::Read) => {
                    copy.link_read(new, mapped(map, graph.rf(id)));
                    self.order_read(copy, new);
                }
                Some(AccessKind::Write) => {
                    copy.link_write(new, nearest_copied(graph, id, map));
                    self.order_write(copy, new);
                }
                None => {}
            }
            self.settle_orders(copy);
        }
    }

    /// Adds a copy of an event, without links.
    pub(in crate::consistency) fn copy_event(
        &self,
        graph: &Graph,
        id: EventId,
        copy: &mut Graph,
        map: &mut [EventId],
    ) {
        let new = self.push(copy, graph.event(id).without_links(|other| mapped(map, other)));
        map[id.at()] = new;
        if let Some(child) = graph.event(id).created() {
            *copy.thread_mut(child) = ThreadState { creator: new, ..ThreadState::ABSENT };
        }
        self.enter_awaited(copy, new);
    }
}

fn mapped(map: &[EventId], id: EventId) -> EventId {
    if id.is_some() {
        map[id.at()]
    } else {
        id
    }
}

/// The nearest older write of the location that has already been copied.
fn nearest_copied(graph: &Graph, write: EventId, map: &[EventId]) -> EventId {
    let mut older = graph.co_prev(write);
    while older.is_some() && map[older.at()].is_none() {
        older = graph.co_prev(older);
    }
    mapped(map, older)
}

/// The kept events, each after its past in `po` and `rf`, lowest thread first. The order is the same for all graphs
/// with the same events, whatever order they were added in.
pub(in crate::consistency) fn causal_sequence(
    graph: &Graph,
    keeps: &dyn Fn(EventId) -> bool,
) -> Vec<EventId> {
    let mut threads: Vec<Vec<EventId>> = vec![Vec::new(); graph.threads().len()];
    for (thread, events) in threads.iter_mut().enumerate() {
        let mut id = graph.tail(ThreadId::from_usize(thread));
        while id.is_some() {
            if keeps(id) {
                events.push(id);
            }
            id = graph.event(id).po_prev;
        }
    }
    let mut added = vec![false; graph.len()];
    let count = threads.iter().map(Vec::len).sum();
    let mut sequence = Vec::with_capacity(count);
    while sequence.len() < count {
        let ready =
            threads.iter().position(|events| events.last().is_some_and(|id| is_ready(graph, *id, &added)));
        let thread = ready.expect("the causal order has no cycle");
        let id = threads[thread].pop().expect("the thread has an event left");
        added[id.at()] = true;
        sequence.push(id);
    }
    sequence
}

fn is_ready(graph: &Graph, id: EventId, added: &[bool]) -> bool {
    let event = graph.event(id);
    let there = |other: EventId| other.is_none() || added[other.at()];
    there(graph.thread(event.thread).creator)
        && match event.payload {
            Payload::Read(_) => graph.sources(id).iter().all(|source| there(*source)),
            Payload::Free(free) => there(free.alloc),
            Payload::Join(other) => there(graph.frontier(other)),
            Payload::Depart(round) => graph.arrivals_of(round).all(there),
            Payload::Write(_) | Payload::Fence(_) | Payload::Alloc(_) | Payload::Create(_) => true,
            Payload::Arrive(_) | Payload::Choose(_) => true,
        }
}
