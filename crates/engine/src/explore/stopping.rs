//! Threads that an assumption, or a spin, stops right after a read: load annotations and futile explorations (thesis §7.3).
//!
//! Such a read (or failed compare-exchange) changes nothing that other threads can see. If it did not take the
//! coherence-latest write when it was added, no revisit ever removes or changes it (thesis Definition 7.3.2), so its
//! thread stays where it is, and the graph is dropped. The read that takes the latest write is kept: it can be revisited.
//!
//! Departs 1: the thesis computes the values that stop the thread from the program's text. Here the thread runs on
//! with each value, as it would anyway, and the graph is dropped when it has stopped. So what is wrong with the read
//! itself, such as a race, is found first.
//! Departs 2: fences may stand between the read and the assumption. Frozen reads may not: a revisit of an earlier read
//! can remove them, and then they may see another write.
//! Departs 3: an execution in which a thread was stopped by such a read counts as blocked only if the read sees the
//! coherence-latest write. Otherwise the thread could have read again. Without this rule the number of blocked
//! executions would depend on the schedule.
//!
//! Why no finding is lost: let V be a consistent graph without such stopped reads, as large as possible among those that
//! no explored graph contains. Extend it by adding events as the explorer would, each with its latest choice. The
//! exploration without this reduction comes to the result E. If the reduction drops a graph on the way there, a read
//! r was there and stopped, after a write w that is later in coherence than what r sees. Neither is ever removed, so
//! both are in E. As r sees an older write than w in E, w is not in V. But then V with the causal past of w is larger,
//! and contains no stopped read either, so an explored graph contains it, and with it V. A finding that involves a
//! stopped read and an access that is added after it is found with the read that takes the latest write.

use crate::explore::regimes::Regime;
use crate::explore::Explorer;
use crate::graph::{AccessKind, Graph, Label, ThreadState, ThreadStatus};
use crate::ids::{EventId, ThreadId};

impl<R: Regime> Explorer<'_, R> {
    /// Whether a thread that has just stopped will stay so in whatever follows from the graph.
    #[cold]
    pub(in crate::explore) fn is_futile(&self, thread: ThreadId) -> bool {
        if !R::FIXES_READS || !self.config.load_annotations {
            return false;
        }
        let graph = self.graph();
        if self.made_undone_round(thread) {
            return false; // who observed it must be seen
        }
        let read = stopping_read(graph, graph.thread(thread));
        read.is_some_and(|read| {
            let loc = graph.event(read).loc();
            graph.co_after(loc, graph.rf(read)).any(|later| later < read)
        })
    }
}

/// Whether a thread was stopped right after a read that does not see the coherence-latest write.
pub(in crate::explore) fn stopped_early(graph: &Graph, threads: &[ThreadState]) -> bool {
    threads.iter().filter_map(|thread| stopping_read(graph, thread)).any(|read| {
        let loc = graph.event(read).loc();
        graph.loc(loc).last != graph.rf(read)
    })
}

/// The read that alone decided that the thread stops, if nothing but fences follows it.
fn stopping_read(graph: &Graph, thread: &ThreadState) -> Option<EventId> {
    if !matches!(thread.pending.status, ThreadStatus::Blocked | ThreadStatus::Spinning) {
        return None;
    }
    let mut id = thread.last;
    while id.is_some() && graph.event(id).label() == Label::Fence {
        id = graph.event(id).po_prev;
    }
    (id.is_some() && graph.event(id).access_kind() == Some(AccessKind::Read)).then_some(id)
}
