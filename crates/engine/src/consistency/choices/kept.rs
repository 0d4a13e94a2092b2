//! What a revisit keeps where the causal order is smaller than `po`: what the write depends on.
//!
//! Where the causal order is a union of edges, that is a row of the write. Where it is any other relation, it is found
//! anew for each write, by going backwards from it along that relation, dependencies and `rf`.
//!
//! Departs 1: a store that is read by its own thread alone may be forwarded before what is ordered before it. So such a
//! store is kept with what it depends on, but without what is merely ordered before it (`Mark::Alone`).
//! Departs 2: if the read half of a read-modify-write is kept, its write half is kept, too, unless it depends on the
//! read that is revisited. If it is not, some executions are found more than once, and have to be told apart
//! (`Kept::splits`).

use crate::consistency::checks::bits::Rows;
use crate::consistency::plan::layout::Plan;
use crate::consistency::rows::causes::{self, is_barrier};
use crate::consistency::Workspace;
use crate::graph::{Dependency, Graph, Label, PO};
use crate::ids::EventId;

/// How an event is kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Mark {
    Not,
    /// With what it depends on.
    Alone,
    /// With all that is ordered before it.
    Whole,
}

/// What a write depends on, in one graph.
pub struct Past {
    marks: Vec<Mark>,
    /// The preserved part of `po`; none if it is in the rows.
    order: Option<Rows>,
}

/// What a revisit keeps beside what was there when the read was added.
pub struct Kept {
    events: Vec<bool>,
    /// It keeps the read of a read-modify-write and removes its write.
    pub splits: bool,
}

impl Kept {
    /// Whether an event is kept.
    #[inline]
    pub fn has(&self, id: EventId) -> bool {
        self.events[id.at()]
    }
}

impl Plan {
    /// Whether the preserved part of `po` has a read, or its write half, before another event.
    pub fn orders_later(
        &self,
        graph: &Graph,
        read: EventId,
        half: Option<EventId>,
        work: &mut Workspace,
    ) -> bool {
        let Some(term) = self.upkeep.preserved_term() else { return false };
        let order = work.evaluator.relation(term, graph);
        let later = (0..graph.len()).filter(|id| Some(*id) != half.map(|half| half.at()));
        let from = |id: EventId, later: usize| later < graph.len() && order.has(id.at(), later);
        later.into_iter().any(|later| from(read, later) || half.is_some_and(|half| from(half, later)))
    }

    /// What a new write depends on.
    pub fn past(&self, graph: &Graph, write: EventId, work: &mut Workspace) -> Past {
        let ids = (0..graph.len()).map(EventId::from_usize);
        let Some(term) = self.upkeep.preserved_term() else {
            let mark = |id| if causes::causes(graph, id, write) { Mark::Whole } else { Mark::Not };
            return Past { marks: ids.map(mark).collect(), order: None };
        };
        let order = work.evaluator.relation(term, graph).clone();
        let mut past = Past { marks: vec![Mark::Not; graph.len()], order: Some(order) };
        past.go_back(graph, write, Mark::Whole);
        past
    }
}

impl Past {
    /// What the revisit of a read by the write keeps; none if the write depends on the read.
    pub fn kept(&self, graph: &Graph, read: EventId, write: EventId) -> Option<Kept> {
        if self.marks[read.at()] != Mark::Not {
            return None;
        }
        let mut marks = self.marks.clone();
        let mut splits = false;
        if let Some(order) = &self.order {
            let removed_half = |marks: &[Mark], id: EventId| {
                let event = graph.event(id);
                id > read && id != write && event.is_write_half() && marks[id.at()] == Mark::Not && {
                    let half = event.po_prev;
                    half < read || marks[half.at()] != Mark::Not
                }
            };
            let mut tried: Vec<EventId> = Vec::new();
            while let Some(half) = (read.at() + 1..graph.len())
                .map(EventId::from_usize)
                .find(|id| !tried.contains(id) && removed_half(&marks, *id))
            {
                let mut more = Past { marks: marks.clone(), order: None };
                more.go_back_along(graph, order, half, Mark::Alone);
                if more.marks[read.at()] == Mark::Not && more.marks[write.at()] == self.marks[write.at()] {
                    marks = more.marks;
                } else {
                    tried.push(half);
                    splits = true;
                }
            }
        }
        let events = marks.iter().map(|mark| *mark != Mark::Not).collect();
        Some(Kept { events, splits })
    }

    fn go_back(&mut self, graph: &Graph, from: EventId, mark: Mark) {
        if let Some(order) = self.order.take() {
            self.go_back_along(graph, &order, from, mark);
            self.order = Some(order);
        }
    }

    fn go_back_along(&mut self, graph: &Graph, order: &Rows, from: EventId, mark: Mark) {
        let mut pending = vec![(from, mark)];
        while let Some((id, mark)) = pending.pop() {
            if self.marks[id.at()] >= mark {
                continue;
            }
            self.marks[id.at()] = mark;
            pending.extend(needed(graph, id).into_iter().map(|earlier| (earlier, Mark::Whole)));
            if mark == Mark::Whole {
                let before = (0..graph.len()).filter(|x| order.has(*x, id.at()));
                pending.extend(before.map(|x| (EventId::from_usize(x), Mark::Whole)));
            }
            let event = graph.event(id);
            if event.label() == Label::Read && graph.rf(id).is_some() {
                let source = graph.rf(id);
                let is_own = graph.event(source).thread == event.thread;
                pending.push((source, if is_own { Mark::Alone } else { Mark::Whole }));
            }
        }
    }
}

/// The events without which one could not be what it is: those that it depends on, and those before it in `po` that
/// are in every causal order. Fences are among them, so that none is added between events that it orders.
fn needed(graph: &Graph, id: EventId) -> Vec<EventId> {
    let event = graph.event(id);
    let own = [Dependency::Addr, Dependency::Data, Dependency::Ctrl];
    let mut found: Vec<EventId> = own.into_iter().flat_map(|how| graph.dependencies(id, how)).collect();
    for earlier in graph.earlier_in_thread(id) {
        found.extend(graph.dependencies(earlier, Dependency::Addr));
        if graph.event(earlier).label() == Label::Fence {
            found.push(earlier);
        }
    }
    if event.is_write_half() {
        found.push(event.po_prev);
    }
    for earlier in (0..graph.len()).map(EventId::from_usize) {
        let orders = |event| is_barrier(event) || event.label() == Label::Choose;
        if earlier != id
            && graph.bits.has(PO, earlier, id)
            && (orders(graph.event(earlier)) || is_barrier(event))
        {
            found.push(earlier);
        }
    }
    found
}
