//! Attempts that add to a counter and have failed (zero-net-effect loops, thesis §7.2.6).
//!
//! `while (fetch_add(&left, -share) < share) { fetch_add(&left, share); ... }`: a pass marks the addition that each round
//! begins with, and puts a ROUND where the thread goes if it has read too little (or too much, or another number than
//! it wants). The thread stops there, before it takes back what it added.
//!
//! Why that is sound, and why an access that makes it unsound is found: `docs/waiting.md`. In short: without the additions
//! that are taken back, whoever succeeded does so again, as long as nobody uses more of the counter than that. Here it is
//! checked that nobody does. If somebody does, all is explored again without stopping at the loop
//! (`Config::contended`). No causality is needed for this: what breaks the rules is that an access is there, not what
//! it has seen.
//!
//! I1: values lie within a quarter of what the counter can hold, to both sides of 0, and so does the sum of what threads
//! add at once. So sums never wrap around, whatever the order.
//!
//! Departs 1: the thesis lets any additions by, whose results may be used, and so loses executions
//! (`tests/programs/spin_attempt_counted.c`).
//! Departs 2: the thesis goes on with the thread, here the exploration starts again.

use crate::detect::{Finding, Refusal};
use crate::explore::outcome::Config;
use crate::explore::regimes::Regime;
use crate::explore::spinning::effects::value_before;
use crate::explore::spinning::undone::{adds, is_blind};
use crate::explore::threads::states::States;
use crate::explore::Explorer;
use crate::graph::{Access, Event, ThreadStatus};
use crate::ids::{EventId, LocId, ThreadId};
use crate::vm::{Answer, Repetition, Request, Snapshot};

/// The mark of the first attempt; smaller ones mean something else.
const FIRST_MARK: u32 = 2;
/// How many kinds of wishes there are.
const KINDS: u32 = 3;

/// What an attempt must read to succeed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Exactly,
    AtLeast,
    AtMost,
}

/// An attempt in a graph.
#[derive(Clone, Copy)]
struct Attempt {
    loop_id: u32,
    wanted: Wanted,
}

/// What a thread has added to a place, and will take back: address, size and number.
pub(in crate::explore) type Temporary = (u64, u8, i64);

/// Whether threads stop at attempts that failed: not where several sizes of accesses to one place are told apart.
pub(in crate::explore) fn stops_attempts<R: Regime>(config: &Config) -> bool {
    R::STOPS_SPINS && !R::SEARCHES_COHERENCE && config.zero_net_effect && config.cuts.is_none()
}

impl<R: Regime> Explorer<'_, R> {
    /// A thread has made an attempt that failed: it stops, or goes on to take back what it added.
    pub(super) fn fail_attempt(&mut self, at: Snapshot) -> (Snapshot, Request) {
        if self.stops_attempts() && !self.config.contended.contains(&self.states.loop_of(at)) {
            return (at, self.states.spin(at));
        }
        self.states.resume(at, Answer::Value(0))
    }

    fn stops_attempts(&self) -> bool {
        stops_attempts::<R>(self.config) && !self.leniency.is_on()
    }

    /// Finds a counter that is accessed in a way in which attempts may not be left out, in a graph to which no event can
    /// be added.
    pub(in crate::explore) fn check_attempts(&self) -> Result<(), Finding> {
        if !self.has_attempts || !self.stops_attempts() {
            return Ok(());
        }
        let mut known: Vec<LocId> = Vec::new();
        for event in self.graph().events().iter().filter(|event| event.is_write_half()) {
            let Some(attempt) = self.attempt(event) else { continue };
            if known.contains(&event.loc()) {
                continue;
            }
            known.push(event.loc());
            if !self.is_counter(event.loc()) {
                let finding =
                    Finding::refusal(Refusal::Contended, "attempts of this loop cannot be left out");
                let endless = Some(Repetition::Loop(attempt.loop_id));
                return Err(Finding { endless, thread: event.thread, ..finding });
            }
        }
        Ok(())
    }

    /// The attempt that an event is half of, if its thread stops when it fails.
    fn attempt(&self, event: &Event) -> Option<Attempt> {
        let mark = event.is_exclusive().then(|| mark(&self.states, event))?.checked_sub(FIRST_MARK)?;
        let wanted = [Wanted::Exactly, Wanted::AtLeast, Wanted::AtMost][(mark % KINDS) as usize];
        let loop_id = mark / KINDS;
        (!self.config.contended.contains(&loop_id)).then_some(Attempt { loop_id, wanted })
    }

    /// Whether a location is only accessed by attempts, all in the same direction, and by additions with unused results.
    fn is_counter(&self, loc: LocId) -> bool {
        let mut most = vec![0_i64; self.threads.len()];
        let mut falls = None;
        let events = self.graph().events().iter().enumerate();
        for (at, event) in events.filter(|(_, event)| event.as_access().is_some_and(|one| one.loc == loc)) {
            let attempt = self.attempt(event);
            if attempt.is_none() && !is_blind(&self.states, event) {
                return false;
            }
            if !event.is_write_half() {
                continue;
            }
            let id = EventId::from_usize(at);
            let (before, after) = self.values(id);
            let largest = 1_u64 << (8 * event.access().size - 2);
            if before.unsigned_abs() > largest || after.unsigned_abs() > largest {
                return false;
            }
            let Some(attempt) = attempt else { continue };
            let direction = *falls.get_or_insert(after < before);
            let most = &mut most[event.thread.at()];
            *most = (*most).max((after - before).abs());
            if after == before || direction != (after < before) || !attempt.suits(direction) {
                return false;
            }
            if !self.is_on_the_right_side(event, id, direction) {
                return false;
            }
        }
        let size =
            self.graph().events().iter().find_map(|event| event.as_access().filter(|one| one.loc == loc));
        let largest = size.map_or(0, |access| 1_i128 << (8 * access.size - 2));
        most.iter().map(|&one| i128::from(one)).sum::<i128>() <= largest
    }

    /// What a read-modify-write has read and written, as signed numbers.
    fn values(&self, write: EventId) -> (i64, i64) {
        let access = self.graph().event(write).access();
        (signed(value_before(self.graph(), write), access), signed(access.value, access))
    }

    /// Whether an attempt that wanted one number, and has failed, has read one from which the counter can come back.
    fn is_on_the_right_side(&self, event: &Event, write: EventId, falls: bool) -> bool {
        let state = self.graph().thread(event.thread);
        let has_failed = state.last == write && state.pending.status == ThreadStatus::Spinning;
        let exactly = has_failed.then(|| self.states.wanted_exactly(state.pending.snapshot)).flatten();
        let Some(exactly) = exactly.map(|value| signed(value, event.access())) else { return true };
        let (before, _) = self.values(write);
        (before < exactly) == falls
    }

    /// Whether a write is that of an attempt after which its thread has stopped.
    pub(in crate::explore) fn is_failed_attempt(&self, write: EventId) -> bool {
        let state = self.graph().thread(self.graph().event(write).thread);
        let has_stopped = state.last == write && state.pending.status == ThreadStatus::Spinning;
        has_stopped && self.states.is_attempt(state.pending.snapshot)
    }

    /// What other threads that have stopped after an attempt will take back.
    pub(in crate::explore) fn failed_attempts(&self, without: ThreadId) -> Vec<Temporary> {
        let mut found = Vec::new();
        for thread in (0..self.threads.len()).map(ThreadId::from_usize).filter(|&thread| thread != without) {
            let last = self.graph().thread(thread).last;
            if last.is_some() && self.is_failed_attempt(last) {
                let (before, after) = self.values(last);
                let access = self.graph().event(last).access();
                found.push((access.address, access.size, after.wrapping_sub(before)));
            }
        }
        found
    }
}

impl Attempt {
    /// Whether an attempt that makes a counter fall, or rise, fails less often if others do not.
    fn suits(self, falls: bool) -> bool {
        match self.wanted {
            Wanted::Exactly => true,
            Wanted::AtLeast => falls,
            Wanted::AtMost => !falls,
        }
    }
}

/// The mark of a read-modify-write that adds.
fn mark(states: &States, event: &Event) -> u32 {
    if adds(states, event) {
        states.instruction(event.snapshot).c
    } else {
        0
    }
}

/// A value of an access as a signed number.
fn signed(value: u64, access: &Access) -> i64 {
    let shift = 64 - 8 * u32::from(access.size);
    ((value << shift) as i64) >> shift
}
