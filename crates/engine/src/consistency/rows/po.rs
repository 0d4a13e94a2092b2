//! Program order with creation, joining and meetings of threads: immediate steps in both directions, and clocks.
//!
//! The graph links events only to their predecessors; the forward links are built once per search, when the
//! first step needs them.
//!
//! I1: if no thread has had a gap, program order is part of insertion order, and one pass computes all clocks.

use crate::graph::Graph;
use crate::ids::{EventId, ThreadId};

/// The events directly before an event.
#[inline]
pub(in crate::consistency) fn predecessors(graph: &Graph, id: EventId) -> impl Iterator<Item = EventId> + '_ {
    let event = graph.event(id);
    let own = if event.po_prev.is_some() { event.po_prev } else { graph.thread(event.thread).creator };
    std::iter::once(own).filter(|own| own.is_some()).chain(awaited(graph, id))
}

/// The last events of the threads that an event has waited for.
#[inline]
pub(in crate::consistency) fn awaited(graph: &Graph, id: EventId) -> impl Iterator<Item = EventId> + '_ {
    let event = graph.event(id);
    let end = event.joined().map(|other| graph.frontier(other)).filter(|end| end.is_some());
    let met = event.departed().into_iter().flat_map(|round| graph.arrivals_of(round));
    end.into_iter().chain(met.filter(move |arrival| *arrival != event.po_prev))
}

/// Program order of one graph, computed as far as it was needed.
#[derive(Clone, Default)]
pub(in crate::consistency) struct ProgramOrder {
    has_steps: bool,
    next: Vec<EventId>,
    first: Vec<EventId>,
    joins: Vec<EventId>,
    departures: Vec<EventId>,
    has_clocks: bool,
    clocks: Vec<u32>,
}

impl ProgramOrder {
    /// Forgets the previous graph.
    pub(in crate::consistency) fn reset(&mut self) {
        (self.has_steps, self.has_clocks) = (false, false);
    }

    /// Makes `next`, `first_of` and `joins_of` usable.
    #[inline]
    pub(in crate::consistency) fn need_steps(&mut self, graph: &Graph) {
        if !self.has_steps {
            self.build_steps(graph);
        }
    }

    fn build_steps(&mut self, graph: &Graph) {
        self.has_steps = true;
        self.next.clear();
        self.next.resize(graph.len(), EventId::NONE);
        self.first.clear();
        self.first.resize(graph.threads().len(), EventId::NONE);
        self.joins.clear();
        self.departures.clear();
        for (at, event) in graph.events().iter().enumerate() {
            let id = EventId::from_usize(at);
            if event.po_prev.is_some() {
                self.next[event.po_prev.at()] = id;
            } else {
                self.first[event.thread.at()] = id;
            }
            if event.joined().is_some() {
                self.joins.push(id);
            }
            if event.departed().is_some() {
                self.departures.push(id);
            }
        }
    }

    /// The next event of the thread.
    #[inline]
    pub(in crate::consistency) fn next(&self, id: EventId) -> EventId {
        self.next[id.at()]
    }

    /// The first event of a thread.
    #[inline]
    pub(in crate::consistency) fn first_of(&self, thread: ThreadId) -> EventId {
        self.first[thread.at()]
    }

    /// The number of joins.
    #[inline]
    pub(in crate::consistency) fn join_count(&self) -> usize {
        self.joins.len()
    }

    /// One of the joins.
    #[inline]
    pub(in crate::consistency) fn join(&self, at: usize) -> EventId {
        self.joins[at]
    }

    /// The number of departures from meetings.
    #[inline]
    pub(in crate::consistency) fn departure_count(&self) -> usize {
        self.departures.len()
    }

    /// One of the departures.
    #[inline]
    pub(in crate::consistency) fn departure(&self, at: usize) -> EventId {
        self.departures[at]
    }

    /// Makes `precedes` usable.
    pub(in crate::consistency) fn need_clocks(&mut self, graph: &Graph) {
        if self.has_clocks {
            return;
        }
        self.has_clocks = true;
        let lanes = graph.threads().len();
        self.clocks.clear();
        self.clocks.resize(graph.len() * lanes, 0);
        while self.pass_on_clocks(graph, lanes) {} // I1
    }

    /// Joins into each event's clock those of its predecessors. Returns whether another pass is needed, because a
    /// clock changed after it was used.
    fn pass_on_clocks(&mut self, graph: &Graph, lanes: usize) -> bool {
        let mut late = false;
        for (at, event) in graph.events().iter().enumerate() {
            self.clocks[at * lanes + event.thread.at()] = event.index + 1;
            for before in predecessors(graph, EventId::from_usize(at)) {
                for lane in 0..lanes {
                    let (from, to) = (self.clocks[before.at() * lanes + lane], at * lanes + lane);
                    late |= before.at() > at && from > self.clocks[to];
                    self.clocks[to] = self.clocks[to].max(from);
                }
                late |= before.at() > at
                    && self.clocks[before.at() * lanes + graph.event(before).thread.at()] == 0;
            }
        }
        late
    }

    /// Whether an event precedes another one.
    #[inline]
    pub(in crate::consistency) fn precedes(&self, graph: &Graph, x: EventId, y: EventId) -> bool {
        let event = graph.event(x);
        x != y && self.clocks[y.at() * graph.threads().len() + event.thread.at()] > event.index
    }
}
