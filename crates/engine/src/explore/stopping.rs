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
//! A confirming compare-exchange (`annotations`) goes on only with the write that the load before it saw. If that load did
//! not take the latest write, and the compare-exchange stopped its thread, no other write lets it go on, so the graph is
//! dropped, too.
//! Departs 3: an execution counts as blocked only if no stopped thread could have read again (`could_read_again`).
//! Without this rule the number of blocked executions would depend on the schedule. A thread that failed an assumption
//! could if the read right before it does not see the coherence-latest write. A thread that spins could if that holds
//! of any read of its last round: the round is removed, and the thread makes it again with the latest writes.
//! What stopped rounds wrote does not count as later there, because it goes with the rounds. But the last read of a round
//! counts it: only then (I1) is no execution dropped that counts. Rounds that undid what they wrote (`spinning`) are judged
//! by their last read alone.
//! I1: what `is_futile` drops has a thread that could read again.
//!
//! Why a thread that waits for ever is still found: remove the stopped rounds, and let the threads make them again, one
//! after the other with the latest writes, first those that undo what they wrote. They stop again, because memory is
//! what it was. Then let the reads that end a round come last. No thread could read again in the result.
//!
//! Why no finding is lost: let V be a consistent graph without such stopped reads, as large as possible among those that
//! no explored graph contains. Extend it by adding events as the explorer would, each with its latest choice. The
//! exploration without this reduction comes to the result E. If the reduction drops a graph on the way there, a read
//! r was there and stopped, after a write w that is later in coherence than what r sees. Neither is ever removed, so
//! both are in E. As r sees an older write than w in E, w is not in V. But then V with the causal past of w is larger,
//! and contains no stopped read either, so an explored graph contains it, and with it V. A finding that involves a
//! stopped read and an access that is added after it is found with the read that takes the latest write.

use crate::explore::limits::endless::newest_first;
use crate::explore::regimes::Regime;
use crate::explore::spinning::writes_back;
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
        let Some(read) = stopping_read(graph, graph.thread(thread)) else { return false };
        later_writes(graph, read).any(|later| later < read) || self.confirms_in_vain(thread, read)
    }

    /// Whether a compare-exchange that stopped its thread had to confirm a load that is too old for it.
    fn confirms_in_vain(&self, thread: ThreadId, read: EventId) -> bool {
        let graph = self.graph();
        if !self.config.confirmations {
            return false;
        }
        let Some(load) = self.annotations.load_to_confirm(&self.states, graph, read) else { return false };
        let is_in_round = || self.start_of_spin(thread).is_some_and(|start| graph.event(load).index >= start);
        (self.stopped_at_exchange(graph.thread(thread)) || is_in_round())
            && later_writes(graph, load).any(|later| later < load && !writes_back(graph, later))
    }

    /// Whether a stopped thread could have read a later write instead of stopping.
    pub(in crate::explore) fn could_read_again(&self, thread: ThreadId) -> bool {
        let graph = self.graph();
        let last = stopping_read(graph, graph.thread(thread));
        if last.is_some_and(|read| !graph.sees_latest(read)) {
            return true;
        }
        let Some(start) = self.start_of_spin(thread) else { return false };
        let round = newest_first(graph, thread).take_while(|&id| graph.event(id).index >= start);
        let mut reads = round.filter(|&id| graph.event(id).label() == Label::Read);
        reads.any(|read| graph.overwriters(read).into_iter().any(|write| !self.is_in_spin(write)))
    }

    /// If a thread has stopped after a round that changed nothing, not even for a while: the index of its first event.
    fn start_of_spin(&self, thread: ThreadId) -> Option<u32> {
        let graph = self.graph();
        let pending = graph.thread(thread).pending;
        if pending.status != ThreadStatus::Spinning || self.made_undone_round(thread) {
            return None;
        }
        // The round has one access, if it is not known where it began.
        let is_access = |id: &EventId| graph.event(*id).label() == Label::Read;
        let last = || newest_first(graph, thread).find(is_access).map(|read| graph.event(read).index);
        self.states.round_since(pending.snapshot).or_else(last)
    }

    /// Whether a write is in the last round of a thread that spins.
    fn is_in_spin(&self, write: EventId) -> bool {
        let event = self.graph().event(write);
        self.start_of_spin(event.thread).is_some_and(|start| event.index >= start)
    }
}

/// The writes that are later in coherence than what a read sees.
fn later_writes(graph: &Graph, read: EventId) -> impl Iterator<Item = EventId> + '_ {
    graph.co_after(graph.event(read).loc(), graph.rf(read))
}

/// The read that alone decided that the thread stops, if nothing but fences follows it.
pub(in crate::explore) fn stopping_read(graph: &Graph, thread: &ThreadState) -> Option<EventId> {
    if !matches!(thread.pending.status, ThreadStatus::Blocked | ThreadStatus::Spinning) {
        return None;
    }
    let mut id = thread.last;
    while id.is_some() && graph.event(id).label() == Label::Fence {
        id = graph.event(id).po_prev;
    }
    (id.is_some() && graph.event(id).access_kind() == Some(AccessKind::Read)).then_some(id)
}
