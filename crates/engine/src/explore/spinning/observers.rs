//! Whether anybody has seen a round in the middle of what it took back, or a write that the next round overwrites.
//!
//! A thread that has undone what a round wrote stops as if the round had written nothing: removing the round from an
//! execution gives another one, as long as no event that stays depends on a value that only the round wrote. Who reads
//! from its last write reads the same value from the write before its first one. So a full graph is looked at for
//! events, other than the round's, that
//!
//! - read from a write of the round which is not the last of its place, or
//! - stand between two of them in coherence order.
//!
//! If there is one, all that was explored is dropped, and the exploration starts again without taking rounds of this
//! loop for undone (the roll-back of thesis §7.2.7).
//!
//! Some events are no observers: a thread that waits for the object will look again; so will one that spins, if nothing
//! came after the read but the decision to spin (not if the round wrote: it may be observed itself, and then stays); and
//! what is only added to the place, with the result unused, may be added before or after.
//!
//! Why no observer is missed. Take an execution with an observer, and of its parts that contain with each event all
//! that it depends on (by po and rf) a smallest one that has a finished round and its observer. The other rounds that
//! are undone have none, and can be removed. Then the observed round is the last of its thread, unless the observer
//! depends on something that the thread wrote after the round. But then the round's last write, or the one that
//! overwrites it, comes before the observer, which the model must not let read an older one: `Config::causal` says that
//! it does not. So that part is found, with a thread that stopped after the round.
//!
//! Departs 1: the thesis stops the thread before it takes back what it wrote, and lets others observe that once.
//! Departs 2: the thesis goes on with the thread, here the exploration starts again; it then explores all rounds.

use crate::detect::{Finding, Refusal};
use crate::explore::regimes::Regime;
use crate::explore::spinning::effects::{effect_of, writes_back, Effect};
use crate::explore::spinning::undone::{is_blind, last_events, undone, Written};
use crate::explore::stopping::stopping_read;
use crate::explore::Explorer;
use crate::graph::{Access, Label, ThreadStatus};
use crate::ids::{EventId, ThreadId};
use crate::vm::Repetition;

impl<R: Regime> Explorer<'_, R> {
    /// Whether a thread has stopped after a round that wrote.
    pub(in crate::explore) fn made_undone_round(&self, thread: ThreadId) -> bool {
        let state = self.graph().thread(thread);
        let round = self.states.spun_since(state.pending.snapshot);
        round.is_some_and(|(_, since)| effect_of(self.graph(), thread, state.count - since) == Effect::Writes)
    }

    /// What a thread has written in such a round.
    pub(in crate::explore) fn writes_of_undone_round(&self, thread: ThreadId) -> Vec<Access> {
        let state = self.graph().thread(thread);
        let Some((_, since)) = self.states.spun_since(state.pending.snapshot) else { return Vec::new() };
        let round = last_events(self.graph(), thread, state.count - since);
        let graph = self.graph();
        let changes = |id: &&EventId| graph.event(**id).label() == Label::Write && !writes_back(graph, **id);
        round.iter().filter(changes).map(|id| *graph.event(*id).access()).collect()
    }

    /// Finds an observer of a round that was taken for undone, in a graph to which no event can be added.
    pub(in crate::explore) fn check_unobserved(&self) -> Result<(), Finding> {
        let spinning =
            |thread: &ThreadId| self.graph().thread(*thread).pending.status == ThreadStatus::Spinning;
        for thread in (0..self.threads.len()).map(ThreadId::from_usize).filter(spinning) {
            let state = self.graph().thread(thread);
            let Some((loop_id, since)) = self.states.spun_since(state.pending.snapshot) else { continue };
            let round = last_events(self.graph(), thread, state.count - since);
            let places = undone(self.graph(), &self.states, &round, loop_id, self.allowed());
            if places.iter().flatten().any(|place| self.is_observed(thread, place)) {
                let finding = Finding::refusal(Refusal::Observed, "a round of this loop was observed");
                return Err(Finding { endless: Some(Repetition::Loop(loop_id)), thread, ..finding });
            }
        }
        Ok(())
    }

    fn is_observed(&self, thread: ThreadId, place: &Written) -> bool {
        if place.overwritten {
            return self.is_seen(thread, place, place.writes[0]);
        }
        place.writes.windows(2).any(|pair| self.is_observed_between(thread, place, pair[0], pair[1]))
    }

    /// Whether somebody saw the place after one write of a round and before another.
    fn is_observed_between(&self, thread: ThreadId, place: &Written, mut from: EventId, to: EventId) -> bool {
        loop {
            if self.is_seen(thread, place, from) {
                return true;
            }
            from = self.graph().co_next(from);
            if from == to {
                return false;
            }
            let commutes = |id| place.adds && is_blind(&self.states, self.graph().event(id));
            if from.is_none() || !commutes(from) {
                return true;
            }
        }
    }

    /// Whether somebody else reads from a write, to whom the value matters.
    fn is_seen(&self, thread: ThreadId, place: &Written, write: EventId) -> bool {
        self.graph().readers(write).iter().any(|&reader| {
            let event = self.graph().event(reader);
            let commutes = place.adds && is_blind(&self.states, event);
            event.thread != thread && !commutes && !self.will_look_again(reader)
        })
    }

    /// Whether a read is the last of a thread that waits, or that stopped as spinning after a round that wrote nothing.
    /// What the thread read before its last read does not count: with another value there, it might have gone on.
    fn will_look_again(&self, read: EventId) -> bool {
        let state = self.graph().thread(self.graph().event(read).thread);
        match state.pending.status {
            ThreadStatus::Waiting => state.last == read,
            ThreadStatus::Spinning => {
                stopping_read(self.graph(), state) == Some(read)
                    && !self.made_undone_round(self.graph().event(read).thread)
            }
            _ => false,
        }
    }
}
