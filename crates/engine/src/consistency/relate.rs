//! The three questions of the explorer (what may this read see, where may this write stand, may this
//! revisit happen) and the updates of the orders that follow from each answer.

use super::plan::{Order, Plan};
use crate::graph::Graph;
use crate::ids::{EventId, LocId};

impl Plan {
    /// The writes that a new read may see, the coherence-latest first (`NONE`: the initial write).
    pub fn readable(&self, graph: &Graph, read: EventId, out: &mut Vec<EventId>) {
        let loc = graph.event(read).loc;
        let mut write = graph.loc(loc).last;
        out.push(write);
        while write.is_some() && !self.hides_older(graph, read, write) {
            write = graph.event(write).co_prev;
            if self.may_read(graph, read, write, loc) {
                out.push(write);
            }
        }
    }

    /// Whether no write older than this one can be seen (or passed) by the new event.
    /// True once `co ∪ fr` puts every newer write's past before the event.
    fn hides_older(&self, graph: &Graph, event: EventId, write: EventId) -> bool {
        self.orders
            .iter()
            .enumerate()
            .any(|(k, order)| order.co && order.fr && graph.precedes(k, write, event))
    }

    fn may_read(&self, graph: &Graph, read: EventId, write: EventId, loc: LocId) -> bool {
        self.orders.iter().enumerate().all(|(k, order)| {
            !order.fr
                || successors(graph, order, loc, write).all(|later| {
                    let before_source = order.rf && write.is_some() && graph.precedes(k, later, write);
                    !before_source && !graph.precedes(k, later, read)
                })
        })
    }

    /// The writes after which a new write may stand, the coherence-latest first.
    pub fn placeable(&self, graph: &Graph, write: EventId, out: &mut Vec<EventId>) {
        let loc = graph.event(write).loc;
        let mut after = graph.loc(loc).last;
        out.push(after);
        while after.is_some() && !self.hides_older(graph, write, after) {
            after = graph.event(after).co_prev;
            if self.may_place(graph, write, after, loc) {
                out.push(after);
            }
        }
    }

    fn may_place(&self, graph: &Graph, write: EventId, after: EventId, loc: LocId) -> bool {
        let next = graph.co_next(loc, after);
        if next.is_none() {
            return true;
        }
        !self.splits_rmw(graph, after, next)
            && self.orders.iter().enumerate().all(|(k, order)| !order.co || !graph.precedes(k, next, write))
    }

    /// Whether `next` is the write of an RMW that read from `after`.
    pub fn splits_rmw(&self, graph: &Graph, after: EventId, next: EventId) -> bool {
        if next.is_none() || !graph.event(next).is_exclusive() {
            return false;
        }
        graph.event(graph.event(next).po_prev).rf == after
    }

    /// As `placeable`, for a write that a revisited read of the graph reads from.
    pub fn placeable_revisit(&self, graph: &Graph, write: EventId, read: EventId, out: &mut Vec<EventId>) {
        let start = out.len();
        self.placeable(graph, write, out);
        let loc = graph.event(write).loc;
        let mut kept = start;
        for i in start..out.len() {
            if self.may_revisit(graph, read, write, out[i], loc) {
                out[kept] = out[i];
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    /// The place of an exclusive write is directly after what its read half read; none if another RMW's
    /// write already stands there.
    pub fn place_exclusive(&self, graph: &Graph, write: EventId) -> Option<EventId> {
        let event = graph.event(write);
        let source = graph.event(event.po_prev).rf;
        self.may_place(graph, write, source, event.loc).then_some(source)
    }

    /// Whether `read` may read from `write` standing directly after `after`.
    pub fn may_revisit(
        &self,
        graph: &Graph,
        read: EventId,
        write: EventId,
        after: EventId,
        loc: LocId,
    ) -> bool {
        self.orders.iter().enumerate().all(|(k, order)| {
            !order.fr
                || successors(graph, order, loc, after).all(|later| {
                    let before_source = order.rf && graph.precedes(k, later, write);
                    !before_source && !graph.precedes(k, later, read)
                })
        })
    }

    /// Orders a read after its write and before the writes that overwrite it.
    pub fn order_read(&self, graph: &mut Graph, read: EventId) {
        let event = graph.event(read);
        let (write, loc) = (event.rf, event.loc);
        for (k, order) in self.orders.iter().enumerate() {
            if order.rf && write.is_some() {
                graph.views.join(read.at(), write.at(), k);
            }
            if order.fr {
                defer_before_successors(graph, order, k, read, loc, write);
            }
        }
    }

    /// Orders a placed write after what it overwrites and before what overwrites it.
    pub fn order_write(&self, graph: &mut Graph, write: EventId) {
        let event = graph.event(write);
        let (after, loc) = (event.co_prev, event.loc);
        for (k, order) in self.orders.iter().enumerate() {
            if order.co && after.is_some() {
                graph.views.join(write.at(), after.at(), k);
            }
            if order.fr {
                order_after_readers(graph, order, k, write, loc, after);
            }
            if order.co && graph.event(write).co_next.is_some() {
                let next = graph.event(write).co_next;
                graph.deferred.push((k, write, next));
            }
        }
    }

    /// Brings the clocks up to date with the edges that were put off. Whoever asks what precedes what
    /// in an order other than the causal one calls this first.
    #[inline]
    pub fn settle_orders(&self, graph: &mut Graph) {
        if graph.deferred.is_empty() {
            return;
        }
        for i in 0..graph.deferred.len() {
            let (k, from, to) = graph.deferred[i];
            order_before(graph, k, from, to);
        }
        graph.deferred.clear();
    }
}

/// The writes that follow `write` directly in the order: the next one if coherence is part of the order
/// (it leads to the others), else all.
fn successors<'g>(
    graph: &'g Graph,
    order: &Order,
    loc: LocId,
    write: EventId,
) -> impl Iterator<Item = EventId> + 'g {
    let limit = if order.co { 1 } else { usize::MAX };
    graph.co_after(loc, write).take(limit)
}

fn defer_before_successors(
    graph: &mut Graph,
    order: &Order,
    k: usize,
    event: EventId,
    loc: LocId,
    write: EventId,
) {
    let mut later = graph.co_next(loc, write);
    while later.is_some() {
        graph.deferred.push((k, event, later));
        if order.co {
            break;
        }
        later = graph.event(later).co_next;
    }
}

fn order_after_readers(
    graph: &mut Graph,
    order: &Order,
    k: usize,
    write: EventId,
    loc: LocId,
    after: EventId,
) {
    let mut source = after;
    loop {
        let mut reader = graph.first_reader(loc, source);
        while reader.is_some() {
            graph.views.join(write.at(), reader.at(), k);
            reader = graph.event(reader).next_reader;
        }
        if order.co || source.is_none() {
            return;
        }
        source = graph.event(source).co_prev;
    }
}

/// Puts `from` and its past before `to` and everything after `to`.
/// The successors of an event are a suffix of each thread, so each is walked from its end.
fn order_before(graph: &mut Graph, k: usize, from: EventId, to: EventId) {
    for thread in 0..graph.threads().len() {
        let mut event = graph.threads()[thread].last;
        while event.is_some() && graph.precedes(k, to, event) {
            graph.views.join_saved(event.at(), from.at(), k);
            event = graph.event(event).po_prev;
        }
    }
}
