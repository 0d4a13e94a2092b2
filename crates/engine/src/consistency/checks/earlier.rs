//! What clocks show about a new event and those before it in `po` and `rf`, where the causal order is a part of that.
//!
//! A read that comes before a write cannot see it if coherence orders the two. It orders whatever the view of its axiom
//! does. And it orders a read before the writes that follow it in its thread, so also before a chain of
//! read-modify-writes that began with one of these: `r ; po-loc ; (rf ; rmw)+` ends in a write that overwrites what `r`
//! sees.
//!
//! Where no clock orders the two, an axiom about causes may still do that, whatever depends on what: by fences and by the
//! modes of accesses on the way. It forbids a cycle, and the read would close one by seeing the write. Everything on the
//! way comes before the write in the causal order, so it stays when the write revisits the read.

use crate::consistency::checks::search::Searcher;
use crate::consistency::checks::Checks;
use crate::consistency::plan::tables::Classes;
use crate::consistency::Workspace;
use crate::graph::{Graph, CAUSAL};
use crate::ids::EventId;

impl Checks {
    /// Whether coherence, or what causes what, is shown to forbid every read before a new write to see it.
    pub fn forbid_earlier_readers(&self, graph: &Graph, write: EventId, work: &mut Workspace) -> bool {
        if self.orders_whole_past(graph, write) {
            return true;
        }
        let past = graph.views.counts(write.at(), CAUSAL);
        self.find_ordered(graph, write, &mut work.ordered);
        let mut read = graph.loc(graph.event(write).loc()).last_read;
        while read.is_some() {
            let (lane, index) = (graph.event(read).thread.at(), graph.event(read).index);
            let may_see = index < past[lane]
                && index >= work.ordered[lane]
                && !self.causes(graph, read, write, &mut work.searcher);
            if may_see {
                return false;
            }
            read = graph.earlier_read(read);
        }
        true
    }

    /// How many events of each thread coherence orders before a new write, or before the end of a chain that it ends.
    fn find_ordered(&self, graph: &Graph, write: EventId, ordered: &mut Vec<u32>) {
        ordered.clear();
        ordered.resize(graph.views.lanes(), 0);
        for row in self.coherence_rows() {
            for (most, count) in ordered.iter_mut().zip(graph.views.counts(write.at(), row)) {
                *most = (*most).max(*count);
            }
        }
        let mut link = write;
        while link.is_some() && graph.event(link).is_write_half() {
            link = graph.rf(graph.event(link).po_prev);
            if link.is_some() {
                let most = &mut ordered[graph.event(link).thread.at()];
                *most = (*most).max(graph.event(link).index);
            }
        }
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

    /// Whether an axiom about causes is broken if a read sees a write of another thread that it leads to.
    #[cold]
    fn causes(&self, graph: &Graph, read: EventId, write: EventId, searcher: &mut Searcher) -> bool {
        let is_external = graph.event(read).thread != graph.event(write).thread;
        let mut automata = self.causality.iter();
        is_external && automata.any(|automaton| searcher.leads(automaton, graph, read, write))
    }

    /// Whether the view of coherence has an event before another.
    pub(in crate::consistency) fn orders(&self, graph: &Graph, earlier: EventId, event: EventId) -> bool {
        self.coherence_rows().any(|row| graph.precedes(row, earlier, event))
    }

    fn coherence_rows(&self) -> impl Iterator<Item = usize> + '_ {
        self.coherences.iter().flat_map(|coherence| coherence.rows.iter().copied())
    }
}
