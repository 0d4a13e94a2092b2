//! What clocks show about a new event and those before it in `po` and `rf`, where the causal order is a part of that.
//!
//! A read that comes before a write cannot see it if coherence orders the two. It orders whatever the view of its axiom
//! does. And it orders a read before the writes that follow it in its thread, so also before a chain of
//! read-modify-writes that began with one of these: `r ; po-loc ; (rf ; rmw)+` ends in a write that overwrites what `r`
//! sees.

use crate::consistency::checks::Checks;
use crate::consistency::plan::tables::Classes;
use crate::graph::{Graph, CAUSAL};
use crate::ids::EventId;

impl Checks {
    /// Whether coherence is shown to forbid every read before a new write to see it.
    pub fn forbid_earlier_readers(&self, graph: &Graph, write: EventId) -> bool {
        if self.orders_whole_past(graph, write) {
            return true;
        }
        let mut read = graph.loc(graph.event(write).loc()).last_read;
        while read.is_some() {
            let may_see = graph.causes(read, write)
                && !self.orders(graph, read, write)
                && !is_before_chain(graph, read, write);
            if may_see {
                return false;
            }
            read = graph.earlier_read(read);
        }
        true
    }

    /// Whether coherence orders all events of some classes before a new one that `po` and `rf` lead to it from.
    #[cold]
    pub(in crate::consistency) fn order_past(&self, graph: &Graph, event: EventId, classes: Classes) -> bool {
        let earlier = (0..event.0).map(EventId).filter(|id| classes.has(graph.event(*id).class));
        self.orders_whole_past(graph, event)
            || earlier.into_iter().all(|id| !graph.causes(id, event) || self.orders(graph, id, event))
    }

    fn orders_whole_past(&self, graph: &Graph, event: EventId) -> bool {
        let past = graph.views.counts(event.at(), CAUSAL);
        self.coherence_rows().any(|row| graph.views.counts(event.at(), row) == past)
    }

    fn orders(&self, graph: &Graph, earlier: EventId, event: EventId) -> bool {
        self.coherence_rows().any(|row| graph.precedes(row, earlier, event))
    }

    fn coherence_rows(&self) -> impl Iterator<Item = usize> + '_ {
        self.coherences.iter().flat_map(|coherence| coherence.rows.iter().copied())
    }
}

/// Whether a write ends a chain of read-modify-writes that began with a write after a read, in its thread.
fn is_before_chain(graph: &Graph, read: EventId, write: EventId) -> bool {
    let (thread, index) = (graph.event(read).thread, graph.event(read).index);
    let mut link = write;
    while link.is_some() && graph.event(link).is_write_half() {
        link = graph.rf(graph.event(link).po_prev);
        if link.is_some() && graph.event(link).thread == thread && graph.event(link).index > index {
            return true;
        }
    }
    false
}
