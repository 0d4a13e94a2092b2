//! Graphs to which no event can be added: whether every thread has ended, or what the others wait for.
//!
//! Threads that wait for ever are a violation (thesis §9.2.3.4, after Oberhauser et al.). The scheduler is fair: every
//! write becomes visible in the end. So a graph shows a violation iff each thread that has not ended
//!
//! - waits for a synchronisation object, and has seen the newest state of it,
//! - waits for another thread to end, or
//! - spins in a loop, and would do so with the newest write of each location (`alone`).
//!
//! A thread that an assumption stopped is not a thread of the program, and nobody knows what one would do that a bound
//! has cut: with either, an execution shows nothing. Where only objects and threads are waited for, the violation is a
//! deadlock.
//!
//! I1: an execution in which a thread spins without having seen the newest writes is explored in another form, too, in
//! which it has: the spin is removed, and the thread reads them instead.

mod alone;

use crate::detect::{Awaited, Finding, Seen, Violation, Wait};
use crate::explore::regimes::Regime;
use crate::explore::sync::{met_last, why_not_met, why_stuck};
use crate::explore::Explorer;
use crate::graph::{Access, Graph, ThreadState, ThreadStatus};
use crate::ids::ThreadId;
use crate::program::{Effect, Inputs};

/// What a graph shows to which no event can be added, and in which some thread has not ended.
pub(in crate::explore) enum Standstill {
    /// A thread waits for an object that was changed since, or was stopped though it could have read again (`stopping`):
    /// it could have waited a little longer, which is another execution, so this one does not count. (How
    /// many of these there are depends on the schedule; without them the number of blocked executions does not.)
    Spurious,
    /// A thread has ended the program, as main does by returning: those that wait no longer need to.
    Ended,
    /// Some thread was stopped, or would go on.
    Blocked,
    /// All that have not ended wait for ever.
    Stuck,
}

/// Whether every thread has ended, or never was.
#[inline(always)]
pub(in crate::explore) fn all_are_over(threads: &[ThreadState]) -> bool {
    threads.iter().all(is_over)
}

impl<R: Regime> Explorer<'_, R> {
    /// What the current graph shows, some thread of which has not ended.
    pub(in crate::explore) fn standstill(&mut self) -> Standstill {
        let threads = self.threads_met();
        let early = R::COUNTS_COHERENCE && self.config.load_annotations;
        let could_go_on = |thread: &ThreadState| waits_for_nothing(self.graph(), thread);
        if threads.iter().any(could_go_on)
            || (early && self.some_could_read_again())
            || threads.iter().any(|thread| self.stopped_at_exchange(thread))
        {
            return Standstill::Spurious;
        }
        if !threads.iter().all(|thread| is_over(thread) || is_waiting(thread)) {
            return Standstill::Blocked;
        }
        let is_exited = threads.iter().any(|thread| thread.pending.status == ThreadStatus::Exited);
        let spins = threads.iter().any(|thread| thread.pending.status == ThreadStatus::Spinning);
        let is_asked = is_exited || self.config.liveness;
        // Found without running any thread (I1).
        if spins && (!is_asked || self.some_could_read_again()) {
            return Standstill::Blocked;
        }
        match self.waits() {
            None => Standstill::Blocked,
            Some(waits) if self.one_sees_rounds_of_another(&waits) => Standstill::Blocked,
            Some(_) if is_exited => Standstill::Ended,
            Some(_) => Standstill::Stuck,
        }
    }

    /// Whether a thread waits for something that another one changes in each of its rounds, and takes back: sooner or
    /// later it sees it.
    fn one_sees_rounds_of_another(&self, waits: &[Wait]) -> bool {
        let writes = |thread: ThreadId| self.writes_of_undone_round(thread);
        waits.iter().any(|wait| {
            let Awaited::Change { seen } = &wait.awaited else { return false };
            let others = waits.iter().filter(|other| other.thread != wait.thread);
            let mut written = others.flat_map(|other| writes(other.thread));
            written.any(|access| {
                let is_noticed = |seen: &Seen| {
                    would_change(&access, seen) && !self.would_wait_for(wait.thread, seen, &access)
                };
                seen.iter().any(is_noticed)
            })
        })
    }

    /// Whether a thread that uses a synchronisation object would wait if it saw this write: it goes on as soon as that is
    /// taken back, as if it had not seen it.
    fn would_wait_for(&self, thread: ThreadId, seen: &Seen, write: &Access) -> bool {
        let Some(operation) = seen.operation.filter(|_| write.address == seen.address) else { return false };
        let effect = self.program.operation(operation).effect(&Inputs::new(write.value, thread, 0));
        matches!(effect, Effect::Wait)
    }

    fn some_could_read_again(&self) -> bool {
        (0..self.threads.len()).any(|thread| self.could_read_again(ThreadId::from_usize(thread)))
    }

    fn threads_met(&self) -> &[ThreadState] {
        &self.graph().threads()[..self.threads.len()]
    }

    /// What each thread that has not ended waits for; none if one of them would go on.
    pub(in crate::explore) fn waits(&mut self) -> Option<Vec<Wait>> {
        let mut waits = Vec::new();
        for thread in (0..self.threads.len()).map(ThreadId::from_usize) {
            let ThreadState { pending, last, .. } = *self.graph().thread(thread);
            let awaited = match pending.status {
                ThreadStatus::Join => Awaited::Thread(pending.other),
                ThreadStatus::Waiting | ThreadStatus::Meet => Awaited::Object(last),
                ThreadStatus::Spinning => Awaited::Change { seen: self.seen_alone(thread)? },
                _ => continue,
            };
            waits.push(Wait { thread, stack: self.states.stack(pending.snapshot), awaited });
        }
        Some(waits)
    }

    /// The finding of threads that wait for ever.
    pub(in crate::explore) fn stuck(&self) -> Finding {
        let first =
            |status| self.threads_met().iter().position(move |thread| thread.pending.status == status);
        let spinning = first(ThreadStatus::Spinning);
        // A thread that waits for an object explains more than one that waits for that thread.
        let on_object = || first(ThreadStatus::Waiting).or_else(|| first(ThreadStatus::Meet));
        let some = spinning.or_else(on_object).or_else(|| first(ThreadStatus::Join));
        let thread = end_of_waiting(self.graph(), ThreadId::from_usize(some.expect("some thread waits")));
        let state = self.graph().thread(thread);
        let mut finding = match spinning {
            Some(_) => Finding::violation(
                Violation::Liveness,
                "this loop waits for ever: nobody will write what it waits for",
            ),
            None => {
                Finding::violation(Violation::Deadlock, "this thread waits for another one that never ends")
            }
        };
        finding.thread = thread;
        if state.pending.status == ThreadStatus::Waiting {
            let source = self.graph().sources(state.last)[0];
            finding.message = why_stuck(self.program, &self.states, self.graph(), state.last);
            finding.other = source.is_some().then_some(source);
        }
        if state.pending.status == ThreadStatus::Meet {
            finding.message = why_not_met(self.program, &self.states, self.graph(), state.last);
            finding.other = met_last(self.graph(), state.last);
        }
        finding
    }
}

/// The end of a chain of threads that wait for each other: one that waits for something else, or one of a circle.
fn end_of_waiting(graph: &Graph, mut thread: ThreadId) -> ThreadId {
    let present = graph.threads().iter().filter(|thread| thread.pending.status != ThreadStatus::Absent);
    for _ in 0..present.count() {
        let pending = graph.thread(thread).pending;
        if pending.status == ThreadStatus::Join {
            thread = pending.other;
        }
    }
    thread
}

fn is_over(thread: &ThreadState) -> bool {
    matches!(thread.pending.status, ThreadStatus::Done | ThreadStatus::Exited | ThreadStatus::Absent)
}

/// Whether a thread that saw this write would not see what it sees.
fn would_change(write: &Access, seen: &Seen) -> bool {
    let overlaps = seen.address < write.address + u64::from(write.size)
        && write.address < seen.address + u64::from(seen.size);
    // The value of an access has room for eight bytes only.
    let is_the_same = (write.address, write.size) == (seen.address, seen.size)
        && write.size <= 8
        && u128::from(write.value) == seen.value;
    overlaps && !is_the_same
}

/// Whether it waits for an object, for other threads, or in a loop.
fn is_waiting(thread: &ThreadState) -> bool {
    matches!(
        thread.pending.status,
        ThreadStatus::Waiting | ThreadStatus::Join | ThreadStatus::Meet | ThreadStatus::Spinning
    )
}

/// Whether it waits for an object that was changed since.
fn waits_for_nothing(graph: &Graph, thread: &ThreadState) -> bool {
    thread.pending.status == ThreadStatus::Waiting && !graph.sees_latest(thread.last)
}
