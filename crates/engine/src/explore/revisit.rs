//! Backward revisits: when a write is added, which earlier reads could have read from it.
//!
//! Implements TruSt §4.1 (Algorithm 1, lines 15-18 and 23-27) with thesis Algorithm 6.1 for exclusive
//! writes. Departs 1: one sweep from the newest event to the oldest candidate read; an event in the
//! write's causal past is kept, any other must have been added maximally or the sweep ends there.
//! I1: what the sweep has passed is removed or kept by the revisit of every older read alike.

use super::frames::{Choice, Frame};
use super::{Explorer, Stop};
use crate::graph::{Event, Graph, Label, Pending, CAUSAL};
use crate::ids::EventId;

impl Explorer<'_> {
    /// Appends to the options the reads that the newest event, a write not yet placed, may revisit.
    pub(super) fn find_revisits(&mut self, write: EventId) {
        let graph = &self.graphs[self.level];
        let loc = graph.event(write).loc;
        let mut candidate = next_candidate(graph, graph.loc(loc).last_read, write);
        let mut id = write;
        while candidate.is_some() && id.0 > 0 {
            id = EventId(id.0 - 1);
            if graph.precedes(CAUSAL, id, write) {
                continue;
            }
            if !is_maximal(graph, id, write) {
                return;
            }
            if id == candidate {
                self.options.push(id);
                candidate = next_candidate(graph, graph.event(id).previous, write);
            }
        }
    }

    /// Makes `write`, the newest event of the current graph and not yet placed, revisit `read`: goes to
    /// the restricted graph and takes the write's first place there. False if it has none.
    pub(super) fn revisit(&mut self, read: EventId, write: EventId) -> Result<bool, Stop> {
        self.enter_restriction(read, write);
        let (read, write) = (self.map[read.at()], self.map[write.at()]);
        let first = self.options.len();
        let graph = &self.graphs[self.level];
        if graph.event(write).is_exclusive() {
            let loc = graph.event(write).loc;
            let place = self.plan.place_exclusive(graph, write);
            let place = place.filter(|after| self.plan.may_revisit(graph, read, write, *after, loc));
            self.options.extend(place);
        } else {
            self.plan.placeable_revisit(graph, write, read, &mut self.options);
        }
        let end = self.options.len();
        if first == end {
            self.level -= 1;
            return Ok(false);
        }
        self.outcome.revisits += 1;
        let after = self.options[first];
        if end - first > 1 {
            self.frames.push(Frame {
                choice: Choice::Revisit { read },
                level: self.level,
                event: write,
                arena: self.arena.len(),
                trail: graph.views.mark(),
                after: Pending::ABSENT,
                first,
                next: first + 1,
                revisits: end,
                end,
            });
        } else {
            self.options.truncate(first);
        }
        self.place_revisit(read, write, after)?;
        Ok(true)
    }

    fn enter_restriction(&mut self, read: EventId, write: EventId) {
        if self.graphs.len() == self.level + 1 {
            let views = &self.graphs[0].views;
            self.graphs.push(Graph::new(views.orders(), views.lanes()));
        }
        let (parents, children) = self.graphs.split_at_mut(self.level + 1);
        parents[self.level].restrict_into(read, write, &mut children[0], &mut self.map);
        self.level += 1;
        let graph = &mut self.graphs[self.level];
        let read = self.map[read.at()];
        graph.reset_clocks(read);
    }

    /// Places the write of a revisit and gives the read its value.
    pub(super) fn place_revisit(
        &mut self,
        read: EventId,
        write: EventId,
        after: EventId,
    ) -> Result<(), Stop> {
        self.place(write, after)?;
        let graph = &mut self.graphs[self.level];
        self.plan.order_read(graph, read);
        self.deliver(read)
    }
}

/// The newest read from `read` on that is not in the write's causal past.
fn next_candidate(graph: &Graph, mut read: EventId, write: EventId) -> EventId {
    while read.is_some() && graph.precedes(CAUSAL, read, write) {
        read = graph.event(read).previous;
    }
    read
}

/// Whether an event was added maximally before `write` (thesis Algorithm 6.1, line 4).
fn is_maximal(graph: &Graph, id: EventId, write: EventId) -> bool {
    let event = graph.event(id);
    match event.label {
        Label::Read => {
            let source = event.rf;
            let seen = source.is_none() || source < id || graph.precedes(CAUSAL, source, write);
            seen && is_latest(graph, event, source, id, write)
        }
        // A reader that was there before its write was revisited by it.
        Label::Write => {
            graph.readers_of(id).all(|reader| reader > id)
                && (event.is_exclusive() || is_latest(graph, event, id, id, write))
        }
        Label::Fence | Label::Alloc | Label::Free | Label::Create | Label::Join => true,
    }
}

/// Whether no write after `source` in coherence order was there when `id` was added, or will stay.
fn is_latest(graph: &Graph, event: &Event, source: EventId, id: EventId, write: EventId) -> bool {
    graph.co_after(event.loc, source).all(|later| later > id && !graph.precedes(CAUSAL, later, write))
}
