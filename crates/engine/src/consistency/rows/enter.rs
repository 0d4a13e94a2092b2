//! The rows of a new event: its past in `po`, and then the past of the write that it reads from.

use crate::consistency::checks::relations::is_same_location;
use crate::consistency::plan::tables::Scope;
use crate::consistency::rows::orders::Kept;
use crate::consistency::rows::po::awaited;
use crate::consistency::rows::{causes, Upkeep};
use crate::graph::{Event, Graph};
use crate::ids::EventId;

impl Upkeep {
    /// Adds an event at the end of its thread; its rows have its past in `po`.
    #[inline]
    pub fn push(&self, graph: &mut Graph, event: Event) -> EventId {
        self.settle_orders(graph);
        let id = graph.push(event);
        self.enter(graph, id);
        id
    }

    /// Sets the rows of an event to its past in `po`. It reads nothing, and has no place in `co`.
    #[inline]
    pub fn reenter(&self, graph: &mut Graph, id: EventId) {
        graph.reset_rows(id);
        self.enter(graph, id);
    }

    /// As `reenter`, with another class.
    pub fn reclassify(&self, graph: &mut Graph, id: EventId, class: u8) {
        graph.set_class(id, class);
        self.reenter(graph, id);
    }

    #[inline]
    fn enter(&self, graph: &mut Graph, id: EventId) {
        if !self.is_plain {
            self.enter_steps(graph, id);
        }
    }

    fn enter_steps(&self, graph: &mut Graph, id: EventId) {
        if let Some(preserved) = &self.preserved {
            if self.local.is_none() || !graph.has_fresh_rows() {
                return preserved.enter(graph, id);
            }
        }
        self.view_steps.enter(graph, id);
        if let (Some(local), true) = (&self.local, graph.bits.fit_sets()) {
            return local.enter(graph, id);
        }
        if !graph.bits.is_unused() {
            self.enter_bits(graph, id);
        }
    }

    /// Puts an event's past in `po` into its bit rows.
    pub(in crate::consistency::rows) fn enter_bits(&self, graph: &mut Graph, id: EventId) {
        let event = *graph.event(id);
        for order in &self.orders {
            let Kept::Bits(row) = order.kept else { continue };
            for (guard, after, same_location) in &order.po {
                if !after.has(event.class) {
                    continue;
                }
                if !same_location {
                    graph.bits.join_earlier(row, id, *guard);
                    continue;
                }
                // Rows of newer events often contain the older ones.
                let mut before = id;
                while let Some(other) = graph.bits.newest_missing(row, id, *guard, before) {
                    if is_same_location(graph, other, id) {
                        graph.bits.join(row, id, other);
                    }
                    before = other;
                }
            }
            if event.is_write_half() {
                let before = graph.event(event.po_prev).class;
                if order.rmw.iter().any(|guards| guards.0.has(before) && guards.1.has(event.class)) {
                    graph.bits.join(row, id, event.po_prev);
                }
            }
        }
    }

    /// An event also follows the last events of the threads that it has waited for.
    pub fn enter_awaited(&self, graph: &mut Graph, id: EventId) {
        let ends: Vec<EventId> = awaited(graph, id).collect();
        for end in ends {
            self.enter_end(graph, id, end);
        }
    }

    fn enter_end(&self, graph: &mut Graph, join: EventId, end: EventId) {
        for row in 0..graph.views.shape().carried {
            graph.views.join(join.at(), end.at(), row);
        }
        if self.is_plain {
            return;
        }
        self.view_steps.enter_end(graph, join, end);
        graph.bits.follow(join.at(), end);
        if let (Some(local), true) = (&self.local, graph.bits.fit_sets()) {
            return local.enter(graph, join);
        }
        self.enter_bits(graph, join);
    }

    /// Puts what a read learns from its write into its rows.
    #[inline]
    pub(in crate::consistency) fn see(&self, graph: &mut Graph, read: EventId, write: EventId) {
        if write.is_none() {
            return;
        }
        match &self.preserved {
            Some(preserved) if preserved.term.is_none() => return causes::see(graph, read, write),
            _ => {}
        }
        self.view_steps.see(graph, read, write);
    }
}

impl Scope {
    /// Whether pairs within (or between) threads count.
    #[inline(always)]
    pub fn has(self, internal: bool) -> bool {
        match self {
            Scope::All => true,
            Scope::External => !internal,
            Scope::Internal => internal,
        }
    }
}
