//! Backward revisits where threads may have gaps, but what is removed leaves few of them: one sweep over the events.
//!
//! I1: no read-modify-write is split, so every revisit keeps the same events beside what is older than its read.
//! I2: what the sweep has passed is removed or kept by the revisit of every older read alike.

use crate::consistency::{self, Late};
use crate::explore::regimes::WithGaps;
use crate::explore::{Explorer, Stop};
use crate::graph::{AccessKind, Event, Graph};
use crate::ids::EventId;

/// Whether a write depends on an event, or is it.
pub(super) type Kept<'k> = &'k dyn Fn(EventId) -> bool;

impl<R: WithGaps> Explorer<'_, R> {
    /// Appends to the options the reads that a new write may revisit. False, with nothing appended, if a revisit might
    /// split a read-modify-write.
    pub(super) fn sweep_revisits(&mut self, write: EventId, past: Kept<'_>) -> Result<bool, Stop> {
        if !self.plan.checks().extends() || may_split(self.graph(), write, past) {
            return Ok(false);
        }
        let first = self.choices.end();
        let graph = self.graphs.take_current();
        let swept = self.sweep(&graph, write, past);
        *self.graphs.current_mut() = graph;
        if !swept? {
            return Ok(true);
        }
        self.drop_missed_revisits(first, write, past);
        Ok(true)
    }

    /// Appends the reads that are newer than the newest event that was not added maximally.
    fn sweep(&mut self, graph: &Graph, write: EventId, past: Kept<'_>) -> Result<bool, Late> {
        let mut candidate = next_candidate(graph, graph.loc(graph.event(write).loc()).last_read, past);
        let mut id = write;
        let mut part = None;
        let first = self.choices.end();
        let stays = |id| id != write && past(id);
        while candidate.is_some() && id.0 > 0 {
            id = EventId(id.0 - 1);
            if past(id) {
                continue;
            }
            let was_there = |other| other <= id && other != write;
            self.work.check_time_now_and_then()?;
            let part = part.get_or_insert_with(|| self.graphs.empty());
            let is_maximal = is_unread(graph, id, past)
                && graph.event(id).chose_first()
                && self.took_latest(graph, id, (EventId(0), write), &was_there, &stays, part)?;
            if !is_maximal {
                break;
            }
            if id == candidate {
                self.choices.options().push(id);
                candidate = next_candidate(graph, graph.earlier_read(id), past);
            }
        }
        Ok(self.choices.end() > first)
    }

    /// Drops the reads that would come before what is kept without them.
    fn drop_missed_revisits(&mut self, first: usize, write: EventId, past: Kept<'_>) {
        let found: Vec<EventId> = self.choices.options().drain(first..).collect();
        for read in found {
            let may_be_missed = comes_before_some(self.graph(), read, &|id| id < read || past(id));
            if !may_be_missed
                || !self.is_missed_by_revisit(read, write, &consistency::Kept::of(self.graph(), past))
            {
                self.choices.options().push(read);
            }
        }
    }
}

/// Whether a revisit might keep the read of a read-modify-write and remove its write.
fn may_split(graph: &Graph, write: EventId, past: Kept<'_>) -> bool {
    let ids = (0..write.0).map(EventId);
    ids.filter(|id| graph.event(*id).is_write_half() && !past(*id)).any(|half| {
        let read = graph.event(half).po_prev;
        read.0 + 1 != half.0 || past(read)
    })
}

/// The newest read from `read` on that the write does not depend on.
fn next_candidate(graph: &Graph, mut read: EventId, past: Kept<'_>) -> EventId {
    while read.is_some() && past(read) {
        read = graph.earlier_read(read);
    }
    read
}

/// Whether an event of the same thread comes after one in a part of the graph.
pub(super) fn comes_before_some(graph: &Graph, id: EventId, is_there: Kept<'_>) -> bool {
    let mut later = graph.tail(graph.event(id).thread);
    while later != id {
        if is_there(later) {
            return true;
        }
        later = graph.event(later).po_prev;
    }
    false
}

/// Whether nobody read a write before it was there. (Whoever stays and reads it keeps it.)
fn is_unread(graph: &Graph, id: EventId, past: Kept<'_>) -> bool {
    graph.event(id).access_kind() != Some(AccessKind::Write)
        || graph.readers_of(id).all(|reader| reader > id && !past(reader))
}

/// Whether an access that comes last in its thread, in a part of the graph, sees or follows the coherence-latest write
/// of that part (thesis Algorithm 6.1, line 4).
pub(super) fn chose_last(graph: &Graph, event: &Event, id: EventId, is_there: Kept<'_>) -> bool {
    let chosen = match event.access_kind() {
        Some(AccessKind::Read) => graph.rf(id),
        _ => id,
    };
    let was_there = chosen == id || chosen.is_none() || is_there(chosen);
    was_there && graph.co_after(event.loc(), chosen).all(|later| !is_there(later))
}
