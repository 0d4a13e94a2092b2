//! A graph built again from nothing, in an order that depends on the graph alone.

use crate::consistency::plan::layout::Plan;
use crate::graph::{Event, Graph, Label, ThreadState};
use crate::ids::{EventId, ThreadId};

impl Plan {
    /// Fills `copy` with the events of `graph` in a causal order, all linked as they are; `map` says what became
    /// of each. Snapshots stay what they are.
    pub fn rebuild(&self, graph: &Graph, copy: &mut Graph, map: &mut Vec<EventId>) {
        copy.clear_like(graph);
        map.clear();
        map.resize(graph.len(), EventId::NONE);
        for id in causal_sequence(graph, &|_| true) {
            self.copy_event(graph, id, copy, map);
            let new = map[id.at()];
            match graph.event(id).label {
                Label::Read => {
                    copy.link_read(new, mapped(map, graph.event(id).rf));
                    self.order_read(copy, new);
                }
                Label::Write => {
                    copy.link_write(new, nearest_copied(graph, id, map));
                    self.order_write(copy, new);
                }
                _ => {}
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
        let old = *graph.event(id);
        let mut event = Event::new(old.thread, old.label, old.mode, old.snapshot);
        (event.flags, event.size, event.loc) = (old.flags, old.size, old.loc);
        (event.value, event.address) = (old.value, old.address);
        if old.label == Label::Free {
            event.rf = mapped(map, old.rf);
        }
        let new = self.push(copy, event);
        map[id.at()] = new;
        match old.label {
            Label::Create => {
                let child = ThreadId(old.value as u32);
                *copy.thread_mut(child) = ThreadState { creator: new, ..ThreadState::ABSENT };
            }
            Label::Join => {
                let end = copy.frontier(ThreadId(old.value as u32));
                self.enter_join(copy, new, end);
            }
            _ => {}
        }
    }
}

fn mapped(map: &[EventId], id: EventId) -> EventId {
    if id.is_some() {
        map[id.at()]
    } else {
        id
    }
}

/// The nearest older write of the location that was copied already.
fn nearest_copied(graph: &Graph, write: EventId, map: &[EventId]) -> EventId {
    let mut older = graph.event(write).co_prev;
    while older.is_some() && map[older.at()].is_none() {
        older = graph.event(older).co_prev;
    }
    mapped(map, older)
}

/// The kept events so that each follows its past in `po` and `rf`, lowest thread first: the same for all graphs
/// with the same events, whatever the order in which they were added.
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
    let creator = graph.thread(event.thread).creator;
    let there = |other: EventId| other.is_none() || added[other.at()];
    let needs = match event.label {
        Label::Read | Label::Free => event.rf,
        Label::Join => graph.frontier(ThreadId(event.value as u32)),
        _ => EventId::NONE,
    };
    there(creator) && there(needs)
}
