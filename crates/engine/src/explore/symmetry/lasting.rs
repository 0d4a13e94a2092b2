//! Graphs from which no sorted execution follows.
//!
//! Let `a` be a thread and `b` a later one of its group, and let the choices of `a` be larger: at some position the two differ, at
//! `ea` and `eb`, and before it they are the same. If that lasts whatever is added and revisited, the graph is dropped.
//!
//! What a revisit may do (TruSt Algorithm 1, lines 15-18): a write revisits a read that is not in its causal past Q. It
//! keeps what was added before the read, and Q. All else is removed, and must have been added maximally, the read as
//! well. So an event that was added later than the read stays in Q if
//! - it did not take the latest choice (of several values: the first) when it was added, for then it is not maximal, or
//! - it is a write with a reader that is older than itself, for then that read was revisited by it.
//!
//! Call these *anchors*. Whatever is in the causal past of an anchor that was added after a read stays when
//! that read is revisited. A read that is in the causal past of such an anchor, or is an anchor itself, is never revisited;
//! any other is *open*. Revisits and new events only add to this: what an anchor held before is held by an anchor
//! afterwards, at least by the write that revisited. (An anchor that was not maximal because of a write that the revisit removes
//! is in Q, and so in the past of that write, which has an older reader.)
//!
//! So the difference lasts if, for each open read, its revisit leaves the compared events alone: all of them are older
//! than the read or in the past of an anchor after it. It also lasts if the read is one of those of `a`, and the events of `b`
//! up to the same position stay: the read then sees a new write, and the event of `b` there what both saw before.
//! If that was the initial write, the new one is later in coherence. If not, the new write has the event of `b` in
//! its causal past, provided that an anchor keeps it, and is later if coherence never contradicts the causal order.

use crate::explore::regimes::Regime;
use crate::explore::symmetry::order::{difference, events_of};
use crate::explore::Explorer;
use crate::graph::{AccessKind, Graph};
use crate::ids::EventId;

/// Larger graphs are not looked at: it would take too long for each choice.
const MOST_EVENTS: usize = 400;

impl<R: Regime> Explorer<'_, R> {
    /// Whether in some group the wrong order of two threads lasts.
    #[inline(never)]
    pub(super) fn is_lasting(&mut self) -> bool {
        if self.graph().len() > MOST_EVENTS {
            return false;
        }
        let pairs = self.pairs_out_of_order();
        if pairs.is_empty() {
            return false;
        }
        self.graphs.settle();
        let anchored = Anchored::new(self.graph(), self.plan.upkeep().coherence_follows_causes());
        pairs.iter().any(|(a, b)| anchored.keeps_apart(a, b))
    }

    /// For each two threads of a group that are out of order: their events up to the first difference.
    fn pairs_out_of_order(&self) -> Vec<(Vec<EventId>, Vec<EventId>)> {
        let graph = self.graph();
        let mut pairs = Vec::new();
        for group in &self.symmetry.groups {
            let threads: Vec<_> = group.iter().map(|thread| events_of(graph, *thread)).collect();
            for (number, a) in threads.iter().enumerate() {
                for b in &threads[number + 1..] {
                    if let Some(found) = difference(graph, a, b).filter(|found| found.order.is_gt()) {
                        pairs.push((a[..=found.position].to_vec(), b[..=found.position].to_vec()));
                    }
                }
            }
        }
        pairs
    }
}

/// What stays in a graph when reads are revisited.
struct Anchored<'g> {
    graph: &'g Graph,
    /// For each event the newest anchor that has it in its causal past, or is it.
    newest: Vec<Option<EventId>>,
    open: Vec<EventId>,
    coherence_follows_causes: bool,
}

impl<'g> Anchored<'g> {
    fn new(graph: &'g Graph, coherence_follows_causes: bool) -> Anchored<'g> {
        let ids = || (0..graph.len()).map(EventId::from_usize);
        let anchors: Vec<EventId> = ids().filter(|id| is_anchor(graph, *id)).collect();
        let newest = |id| anchors.iter().rev().copied().find(|anchor| graph.causes(id, *anchor));
        let newest: Vec<_> = ids().map(newest).collect();
        let is_open = |id: &EventId| {
            graph.event(*id).access_kind() == Some(AccessKind::Read)
                && !is_anchor(graph, *id)
                && newest[id.at()].is_none_or(|anchor| anchor < *id)
        };
        let open = ids().filter(is_open).collect();
        Anchored { graph, newest, open, coherence_follows_causes }
    }

    /// Whether an anchor keeps an event when a read is revisited.
    fn is_held(&self, id: EventId, read: EventId) -> bool {
        self.newest[id.at()].is_some_and(|anchor| anchor > read)
    }

    fn stays(&self, id: EventId, read: EventId) -> bool {
        id < read || self.is_held(id, read)
    }

    /// Whether two threads stay out of order; `a` and `b` are their events up to the first difference.
    fn keeps_apart(&self, a: &[EventId], b: &[EventId]) -> bool {
        self.open.iter().all(|read| {
            let unchanged = a.iter().chain(b).all(|id| self.stays(*id, *read));
            unchanged
                || a.iter().position(|id| id == read).is_some_and(|at| self.stays_larger(*read, &b[..=at]))
        })
    }

    /// Whether a read, if it is revisited, still has a larger choice than the last of some events, which saw the same.
    fn stays_larger(&self, read: EventId, others: &[EventId]) -> bool {
        let Some(other) = others.last() else { return false };
        others.iter().all(|id| self.stays(*id, read))
            && (self.graph.rf(*other).is_none()
                || (self.coherence_follows_causes && self.is_held(*other, read)))
    }
}

/// Whether an event stays in every graph, unless everything that follows an older read is removed with it.
fn is_anchor(graph: &Graph, id: EventId) -> bool {
    let event = graph.event(id);
    let skipped = |source| graph.co_after(event.loc(), source).any(|later| later < id);
    match event.access_kind() {
        Some(AccessKind::Read) => skipped(graph.rf(id)),
        Some(AccessKind::Write) => {
            graph.readers_of(id).any(|reader| reader < id) || (!event.is_exclusive() && skipped(id))
        }
        None => !event.chose_first(),
    }
}
