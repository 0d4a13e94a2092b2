//! Rounds of loops that changed nothing, found while exploring (dynamic spin-assume, thesis §7.2.5).
//!
//! A thread at a ROUND has come to the header of a loop. If it came there before, in the same activation of the loop,
//! the round in between is a *spin* if it left the thread as it was and had no effect: then the thread stops, as by a
//! false assumption, and only a revisit that changes what it read lets it go on.
//!
//! `docs/waiting.md` says why nothing is lost, even if the round has a read-modify-write that wrote back the value that
//! it read: `exchange(&lock, 1)` on a lock that is taken.
//!
//! Departs 1: the thesis compares which registers a path assigns, here their values are compared: a loop that assigns a
//! live register the value that it had spins, too.
//! Departs 2: whether a round is a spin depends on the thread's own events alone, not on who reads from them. So a
//! thread that stops is a thread of another program, and TruSt explores all executions of that program.
//! I1: with I2 of the VM's `rounds`, a thread never makes the same round without effect twice in a row.

pub(super) mod attempts;
mod effects;
mod observers;
mod undone;

use crate::explore::choices::extend::Patience;
use crate::explore::regimes::Regime;
use crate::explore::Explorer;
use crate::ids::ThreadId;
use crate::vm::{Arrival, Request, Snapshot};
pub(in crate::explore) use effects::writes_back;
use effects::{effect_of, Effect};
use undone::{last_events, undone, Allowed};

impl<R: Regime> Explorer<'_, R> {
    /// A thread has come to the header of a loop: it goes on, or stops there because the last round was a spin.
    #[inline(never)]
    pub(in crate::explore) fn come_round(
        &mut self,
        thread: ThreadId,
        at: Snapshot,
        patience: &mut Option<Patience>,
    ) -> (Snapshot, Request) {
        if self.states.is_attempt(at) {
            return self.fail_attempt(at);
        }
        let events = self.graph().thread(thread).count;
        if !self.states.is_compared(at) {
            return self.pass_round(Arrival { at, events }, at, patience);
        }
        let Some(earlier) = self.states.last_arrival(at) else {
            return self.begin_round(Arrival { at, events }, patience);
        };
        if earlier.events == events {
            return self.come_round_alone(earlier, at, patience);
        }
        if R::STOPS_SPINS && self.states.is_back(earlier.at, at) {
            let made = events - earlier.events;
            match effect_of(self.graph(), thread, made) {
                Effect::None => return (at, self.states.give_up(at)),
                Effect::Waits => return (at, self.states.spin(at)),
                Effect::Writes if self.is_undone(thread, made, at) => return (at, self.states.spin(at)),
                Effect::Writes | Effect::Other => {}
            }
        }
        self.begin_round(Arrival { at, events }, patience)
    }

    /// Whether nothing is left of what a thread wrote in its last `events` events, a round.
    fn is_undone(&self, thread: ThreadId, events: u32, at: Snapshot) -> bool {
        let loop_id = self.states.loop_of(at);
        if self.leniency.is_on() || self.config.observed.contains(&loop_id) {
            return false;
        }
        let round = last_events(self.graph(), thread, events);
        undone(self.graph(), &self.states, &round, loop_id, self.allowed()).is_some()
    }

    /// Which writes of a round may be left out of account.
    fn allowed(&self) -> Allowed {
        let taken_back = self.config.zero_net_effect && self.config.causal && !R::SEARCHES_COHERENCE;
        Allowed { taken_back, atomic: self.config.causal }
    }

    /// A round begins, which will be compared with this arrival.
    fn begin_round(&mut self, arrival: Arrival, patience: &mut Option<Patience>) -> (Snapshot, Request) {
        if self.runs_out_of(patience) {
            return (arrival.at, self.states.pause(arrival.at));
        }
        let answer = self.states.remember(arrival);
        self.states.resume(arrival.at, answer)
    }

    /// A thread has come round without any event: it does not end if nothing has changed. Only some of these arrivals
    /// are remembered, as Brent does to find cycles, so that a long loop takes no memory.
    fn come_round_alone(
        &mut self,
        earlier: Arrival,
        at: Snapshot,
        patience: &mut Option<Patience>,
    ) -> (Snapshot, Request) {
        if self.states.is_back(earlier.at, at) {
            return (at, self.states.give_up(at));
        }
        if self.states.rounds_made(at).is_power_of_two() {
            return self.begin_round(Arrival { at, ..earlier }, patience);
        }
        self.pass_round(earlier, at, patience)
    }

    /// A round begins whose state is used up; an arrival is remembered.
    fn pass_round(
        &mut self,
        arrival: Arrival,
        at: Snapshot,
        patience: &mut Option<Patience>,
    ) -> (Snapshot, Request) {
        if self.runs_out_of(patience) {
            return (at, self.states.pause(at));
        }
        let answer = self.states.remember(arrival);
        self.states.resume_in_place(at, answer)
    }
}
