//! Revisits of an exchange by a write that depends on what the exchange writes, which its thread has read early.
//!
//! What an exchange writes does not depend on what it reads. Where a model lets a thread read its own store before that is
//! visible to others, another thread may answer with a write that the exchange itself reads, and overwrites. Such a
//! revisit keeps both halves, and the write half moves: it stands directly after the write of the revisit.
//!
//! Departs 1: such executions may be found more than once (`Regime::is_known`).

use crate::consistency::{Kept, Late};
use crate::explore::regimes::passing::Passed;
use crate::explore::regimes::{Regime, WithGaps};
use crate::explore::{Explorer, Stop};
use crate::graph::{Graph, CONDITIONAL};
use crate::ids::EventId;
use crate::program::RmwOp;
use crate::vm::{PairAccess, Request};

impl<R: Regime> Explorer<'_, R> {
    /// The write of an exchange that its own thread has read.
    pub(super) fn forwarded_half(&self, read: EventId) -> Option<EventId> {
        let half = self.half_of_exchange(read)?;
        let graph = self.graph();
        let event = graph.event(read);
        let is_own = |reader: EventId| graph.event(reader).thread == event.thread;
        graph.readers_of(half).any(is_own).then_some(half)
    }

    /// What the revisit of an exchange keeps if the newest write depends on nothing of it but what it has written.
    pub(super) fn kept_with_write_half(&mut self, read: EventId, write: EventId) -> Option<Kept> {
        let half = self.forwarded_half(read)?;
        let graph = self.graphs.current();
        let past = self.plan.past_forwarding(graph, write, half, &mut self.work)?;
        let mut kept = past.kept(graph, read, write)?;
        kept.splits = true;
        Some(kept)
    }
}

impl<R: WithGaps> Explorer<'_, R> {
    /// Takes the write of a revisited read out of coherence order.
    pub(super) fn take_out_half(&mut self, read: EventId) {
        if let Some(half) = self.moved_half(read) {
            self.graph_mut().unlink_write(half);
        }
    }

    /// Puts it after the write of the revisit.
    pub(super) fn put_half_after(&mut self, read: EventId, write: EventId) {
        if let Some(half) = self.moved_half(read) {
            self.graph_mut().link_write(half, write);
        }
    }

    /// Appends the writes after which the write of a revisit may stand, followed by a half that moves, the
    /// coherence-latest first.
    pub(super) fn find_places_before(&mut self, half: EventId, write: EventId) -> Result<(), Stop> {
        let graph = self.graphs.current_mut();
        let event = *graph.event(write);
        let source = event.is_exclusive().then(|| graph.rf(event.po_prev));
        let mut places: Vec<EventId> = graph.co_after(event.loc(), EventId::NONE).collect();
        places.insert(0, EventId::NONE);
        for after in places.into_iter().rev() {
            self.work.check_time()?;
            let graph = self.graphs.current_mut();
            let splits = graph.splits_rmw(after, graph.overwriter(event.loc(), after));
            if splits || source.is_some_and(|source| source != after) {
                continue;
            }
            graph.link_write(write, after);
            graph.link_write(half, write);
            if self.plan.checks().is_consistent(graph, &mut self.work) {
                self.choices.options().push(after);
            }
            graph.unlink_write(half);
            graph.unlink_write(write);
        }
        Ok(())
    }

    /// Whether a part of a graph is consistent in which the write of an exchange, taken out of coherence order, stands
    /// after what its read sees.
    pub(super) fn moved_half_fits(
        &mut self,
        part: &mut Graph,
        half: EventId,
        source: EventId,
    ) -> Result<bool, Late> {
        let fits = R::allows_half(self, part, half, source);
        part.unlink_write(half);
        fits
    }
}

impl<R: Regime> Explorer<'_, R> {
    /// The write of an exchange, if the read is one.
    pub(super) fn half_of_exchange(&self, read: EventId) -> Option<EventId> {
        let event = self.graph().event(read);
        if !event.is_exclusive() || event.flags & CONDITIONAL != 0 {
            return None;
        }
        let exchanges = match self.states.request(event.snapshot) {
            Request::Rmw { op, .. } | Request::Pair { access: PairAccess::Rmw(op), .. } => op == RmwOp::Xchg,
            _ => false,
        };
        if exchanges {
            self.graph().write_half_of(read)
        } else {
            None
        }
    }

    /// The write of a revisited read, in the graph that the revisit left, if it was kept.
    pub(super) fn moved_half(&self, read: EventId) -> Option<EventId> {
        self.graph().write_half_of(read)
    }

    /// The thread of a revisited read, which it has reached, goes on after the write that was kept.
    pub(super) fn pass_over_moved_half(&mut self, read: EventId) {
        if self.moved_half(read).is_none() {
            return;
        }
        let event = *self.graph().event(read);
        if let Passed::On(at, request) = self.pass_over_write_half(event.thread, event.snapshot) {
            if self.config.route.is_some() {
                self.forget_prints(event.thread);
            }
            self.settle(event.thread, at, request);
        }
    }
}
