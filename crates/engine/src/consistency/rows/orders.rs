//! Orders that are kept transitively closed: each choice adds its edges one by one.

use crate::consistency::plan::tables::{Classes, Scope};
use crate::consistency::rows::Upkeep;
use crate::graph::{Graph, LateRead};
use crate::ids::{EventId, LocId};

/// Where an order is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::consistency) enum Kept {
    Clock(usize),
    Bits(usize),
}

/// An order that must stay acyclic.
#[derive(Clone, Debug)]
pub(in crate::consistency) struct Order {
    pub axiom: usize,
    pub kept: Kept,
    /// Parts of `po` and `po-loc`, for orders that do not contain all of `po`: the guard's number, the later
    /// event's class, and whether the location must be the same.
    pub po: Vec<(usize, Classes, bool)>,
    pub rmw: Vec<(Classes, Classes)>,
    pub rf: Vec<(Scope, Classes, Classes)>,
    /// It contains all of `rf`.
    pub whole_rf: bool,
    pub co: bool,
    pub fr: bool,
}

impl Upkeep {
    /// Orders a read after its write and before the writes that overwrite it.
    pub fn order_read(&self, graph: &mut Graph, read: EventId) {
        let (write, loc) = (graph.rf(read), graph.event(read).loc());
        self.see(graph, read, write);
        self.link_local(graph, read);
        for (k, order) in self.orders.iter().enumerate() {
            if write.is_some() && order.reads(graph, write, read) {
                order.join(graph, read, write);
            }
            if order.fr {
                defer_before_successors(graph, order, k, read, loc, write);
            }
        }
    }

    /// As `order_read`, but deferred until the rows are needed (see `settle_orders`): the graph may be complete before.
    #[inline]
    pub fn order_read_later(&self, graph: &mut Graph, read: EventId, is_stale: bool) {
        graph.late_read = Some(LateRead { read, is_stale });
    }

    /// Orders a placed write after the write that it overwrites and before the one that overwrites it.
    pub fn order_write(&self, graph: &mut Graph, write: EventId) {
        let (after, loc) = (graph.co_prev(write), graph.event(write).loc());
        self.link_local(graph, write);
        for (k, order) in self.orders.iter().enumerate() {
            if order.co && after.is_some() {
                order.join(graph, write, after);
            }
            if order.fr {
                order_after_readers(graph, order, write, loc, after);
            }
            if order.co && graph.co_next(write).is_some() {
                let next = graph.co_next(write);
                graph.deferred.push((k, write, next));
            }
        }
    }

    /// Brings the rows of `local` up to date with the choice of an access.
    #[inline(always)]
    fn link_local(&self, graph: &mut Graph, access: EventId) {
        if let Some(local) = &self.local {
            if graph.has_fresh_rows() && graph.bits.fit_sets() {
                local.link(graph, access);
            }
        }
    }

    /// Brings the rows up to date with the deferred edges. Callers must do this before they ask what precedes
    /// what.
    #[inline]
    pub fn settle_orders(&self, graph: &mut Graph) {
        if graph.late_read.is_none() && graph.deferred.is_empty() {
            return;
        }
        self.settle(graph);
    }

    /// As `settle_orders`, for a graph that will only be restricted: its newest event will be the write of an RMW
    /// whose place in `co` another RMW has taken. A revisit removes the other RMW, and then the write comes between
    /// its read and the targets of the deferred edges.
    pub fn settle_for_revisits(&self, graph: &mut Graph) {
        if !self.has_po_in_orders {
            return self.settle_orders(graph);
        }
        self.settle_late_read(graph);
        graph.deferred.clear();
    }

    fn settle_late_read(&self, graph: &mut Graph) {
        if let Some(late) = graph.late_read.take() {
            if late.is_stale {
                self.reenter(graph, late.read);
            }
            if graph.cells.is_used() {
                self.learn_in_cells(graph, late.read);
                return self.order_in_cells(graph, late.read);
            }
            self.order_read(graph, late.read);
        }
    }

    fn settle(&self, graph: &mut Graph) {
        self.settle_late_read(graph);
        for i in 0..graph.deferred.len() {
            let (k, from, to) = graph.deferred[i];
            match self.orders[k].kept {
                Kept::Clock(row) => order_before(graph, row, from, to),
                Kept::Bits(row) => graph.bits.order_before(row, from, to),
            }
        }
        graph.deferred.clear();
    }
}

impl Order {
    /// Whether it contains all of `po`, `rf`, `co` and `fr`.
    pub(in crate::consistency) fn contains_all(&self) -> bool {
        matches!(self.kept, Kept::Clock(_)) && self.co && self.fr && self.whole_rf
    }

    /// Whether `x` is `e` or precedes it.
    #[inline(always)]
    pub(in crate::consistency) fn has(&self, graph: &Graph, x: EventId, e: EventId) -> bool {
        match self.kept {
            Kept::Clock(row) => graph.precedes(row, x, e),
            Kept::Bits(row) => graph.bits.has(row, x, e),
        }
    }

    #[inline(always)]
    pub(in crate::consistency) fn join(&self, graph: &mut Graph, to: EventId, from: EventId) {
        match self.kept {
            Kept::Clock(row) => graph.views.join(to.at(), from.at(), row),
            Kept::Bits(row) => graph.bits.join(row, to, from),
        }
    }

    /// Whether a read from a write is an edge of the order.
    #[inline(always)]
    pub(in crate::consistency) fn reads(&self, graph: &Graph, write: EventId, read: EventId) -> bool {
        self.whole_rf || self.reads_in_part(graph, write, read)
    }

    fn reads_in_part(&self, graph: &Graph, write: EventId, read: EventId) -> bool {
        let (write, read) = (graph.event(write), graph.event(read));
        let internal = write.thread == read.thread;
        let counts = |edge: &(Scope, Classes, Classes)| {
            edge.0.has(internal) && edge.1.has(write.class) && edge.2.has(read.class)
        };
        self.rf.iter().any(counts)
    }

    /// Whether ordering a read before the writes that follow `after` closes a cycle, because one of them precedes
    /// the read or an event that the read follows. If the order contains `co`, the next write leads to the others.
    #[inline(always)]
    pub(in crate::consistency) fn closes(
        &self,
        graph: &Graph,
        loc: LocId,
        after: EventId,
        read: EventId,
        source: EventId,
    ) -> bool {
        let mut later = graph.overwriter(loc, after);
        while later.is_some() {
            if (source.is_some() && self.has(graph, later, source)) || self.has(graph, later, read) {
                return true;
            }
            if self.co {
                return false;
            }
            later = graph.co_next(later);
        }
        false
    }
}

fn defer_before_successors(
    graph: &mut Graph,
    order: &Order,
    k: usize,
    event: EventId,
    loc: LocId,
    write: EventId,
) {
    let mut later = graph.overwriter(loc, write);
    while later.is_some() {
        graph.deferred.push((k, event, later));
        if order.co {
            break;
        }
        later = graph.co_next(later);
    }
}

fn order_after_readers(graph: &mut Graph, order: &Order, write: EventId, loc: LocId, after: EventId) {
    let mut source = after;
    loop {
        let mut reader = graph.first_reader(loc, source);
        while reader.is_some() {
            order.join(graph, write, reader);
            reader = graph.next_reader(reader);
        }
        if order.co || source.is_none() {
            return;
        }
        source = graph.co_prev(source);
    }
}

/// Puts `from` and its past before `to` and everything after `to`.
/// The successors of an event are a suffix of each thread, so each is walked from its end.
fn order_before(graph: &mut Graph, row: usize, from: EventId, to: EventId) {
    let place = |id: EventId| (graph.event(id).thread.at(), graph.event(id).index);
    let ((to_lane, to_index), (from_lane, from_index)) = (place(to), place(from));
    for thread in 0..graph.threads().len() {
        let mut event = graph.threads()[thread].last;
        while event.is_some() && graph.views.count(event.at(), row, to_lane) > to_index {
            if graph.views.count(event.at(), row, from_lane) <= from_index {
                graph.views.join_saved(event.at(), from.at(), row);
            }
            event = graph.event(event).po_prev;
        }
    }
}
