//! Backward revisits: when a write is added, which earlier reads could have read from it.
//!
//! Implements TruSt §4.1 (Algorithm 1, lines 15-18 and 23-27) with thesis Algorithm 6.1 for exclusive
//! writes. Departs 1: one sweep from the newest event to the oldest candidate read; an event in the
//! write's causal past is kept, any other must have been added maximally or the sweep ends there.
//! I1: what the sweep has passed is removed or kept by the revisit of every older read alike.

use crate::consistency::{Late, Plan};
use crate::explore::choices::frames::{Choice, Frame};
use crate::explore::{Explorer, Stop};
use crate::graph::{Event, Graph, Label, Pending};
use crate::ids::EventId;

impl Explorer<'_> {
    /// Appends to the options the reads that the newest event, a write not yet placed, may revisit.
    pub(in crate::explore) fn find_revisits(&mut self, write: EventId) -> Result<(), Late> {
        if self.config.reads_from {
            return self.find_revisits_by_witness(write);
        }
        if self.plan.leaves_gaps() {
            return self.find_revisits_with_gaps(write);
        }
        let (graph, plan) = (&self.graphs[self.level], self.plan);
        let loc = graph.event(write).loc;
        let rival = rival(plan, graph, write);
        let mut candidate = next_candidate(plan, graph, graph.loc(loc).last_read, write);
        let mut id = write;
        while candidate.is_some() && id.0 > 0 {
            id = EventId(id.0 - 1);
            if plan.causes(graph, id, write) {
                continue;
            }
            // It may be compared with all later writes of its location.
            self.work.check_time_now_and_then()?;
            if !is_maximal(plan, graph, id, write) {
                return Ok(());
            }
            if id == candidate {
                if rival.is_none() || id < rival {
                    self.options.push(id);
                }
                candidate = next_candidate(plan, graph, graph.event(id).previous, write);
            }
        }
        Ok(())
    }

    /// Makes `write`, the newest event of the current graph and not yet placed, revisit `read`: goes to
    /// the restricted graph and takes the write's first place there. False if it has none.
    pub(in crate::explore) fn revisit(&mut self, read: EventId, write: EventId) -> Result<bool, Stop> {
        let (read, write) = if self.plan.leaves_gaps() {
            self.enter_part(read, write);
            (self.map[read.at()], self.map[write.at()])
        } else {
            self.enter_restriction(read, write)
        };
        self.shape(read, write);
        if self.config.reads_from {
            return self.revisit_in_some_way(read, write);
        }
        let first = self.options.len();
        let graph = &mut self.graphs[self.level];
        if self.plan.leaves_gaps() {
            self.plan.reenter(graph, read);
            self.plan.consistent_places(graph, write, &mut self.work, &mut self.options)?;
        } else {
            self.plan.placeable_revisit(graph, write, read, &mut self.work, &mut self.options)?;
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
                mark: self.graph().mark(),
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

    /// Goes to the restricted graph; the read and the write there.
    fn enter_restriction(&mut self, read: EventId, write: EventId) -> (EventId, EventId) {
        if self.graphs.len() == self.level + 1 {
            self.graphs.push(self.plan.graph(self.lanes));
        }
        let (parents, children) = self.graphs.split_at_mut(self.level + 1);
        let pair = parents[self.level].restrict_into(read, write, &mut children[0], &mut self.map);
        self.level += 1;
        self.plan.reenter(&mut self.graphs[self.level], pair.0);
        pair
    }

    /// Places the write of a revisit and gives the read its value.
    pub(in crate::explore) fn place_revisit(
        &mut self,
        read: EventId,
        write: EventId,
        after: EventId,
    ) -> Result<(), Stop> {
        self.place(write, after)?;
        let graph = &mut self.graphs[self.level];
        self.plan.order_read(graph, read);
        if self.plan.leaves_gaps() {
            return self.deliver_with_gaps(read);
        }
        self.deliver(read)
    }
}

/// The exclusive write that stands where another one would have to: what stays with it cannot be revisited.
fn rival(plan: &Plan, graph: &Graph, write: EventId) -> EventId {
    let event = graph.event(write);
    if !event.is_exclusive() {
        return EventId::NONE;
    }
    let source = graph.event(event.po_prev).rf;
    let next = graph.co_next(event.loc, source);
    if plan.splits_rmw(graph, source, next) {
        next
    } else {
        EventId::NONE
    }
}

/// The newest read from `read` on that is not in the write's causal past. With a read, all earlier ones of its
/// thread are in it.
fn next_candidate(plan: &Plan, graph: &Graph, mut read: EventId, write: EventId) -> EventId {
    while read.is_some() && plan.causes(graph, read, write) {
        read = graph.event(read).foreign;
    }
    read
}

/// Whether an event was added maximally before `write` (thesis Algorithm 6.1, line 4).
fn is_maximal(plan: &Plan, graph: &Graph, id: EventId, write: EventId) -> bool {
    let event = graph.event(id);
    match event.label {
        Label::Read => {
            let source = event.rf;
            let seen = source.is_none() || source < id || plan.causes(graph, source, write);
            seen && is_latest(plan, graph, event, source, id, write)
        }
        // A reader that was there before its write was revisited by it.
        Label::Write => {
            graph.readers_of(id).all(|reader| reader > id)
                && (event.is_exclusive() || is_latest(plan, graph, event, id, id, write))
        }
        Label::Fence | Label::Alloc | Label::Free | Label::Create | Label::Join => true,
    }
}

/// Whether no write after `source` in coherence order was there when `id` was added, or will stay.
fn is_latest(
    plan: &Plan,
    graph: &Graph,
    event: &Event,
    source: EventId,
    id: EventId,
    write: EventId,
) -> bool {
    graph.co_after(event.loc, source).all(|later| later > id && !plan.causes(graph, later, write))
}
