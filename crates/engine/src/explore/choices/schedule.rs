//! Which thread adds the next event: the papers' `next_P`.
//!
//! By default writes (and whatever depends on no other thread) come first, then reads, then joins and ends of meetings, lowest
//! thread first. A seed gives each event a priority of its own; no count may depend on it.
//! Departs 1: the papers ask for a total order on events that extends `po`; neither of these is one. What
//! TruSt needs is I2: the maximal extension of a graph is then unique, as re-adding what a revisit removed
//! replays the same choices. The tests compare both with brute force.
//! I1: the write half of a read-modify-write follows its read half at once (thesis §5.5).
//! I2: the choice depends on the graph's events only, not on how they came there.

use crate::graph::{Graph, ThreadState, ThreadStatus};
use crate::ids::ThreadId;

/// An order in which threads take turns.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    seed: Option<u64>,
    left_to_right: bool,
    writes_first: bool,
}

impl Schedule {
    /// Writes first, or the order that a seed picks; or from left to right, whatever the seed.
    pub fn new(seed: Option<u64>, left_to_right: bool) -> Schedule {
        Schedule { seed, left_to_right, writes_first: false }
    }

    /// Another schedule like this: writes first, and reads in an order that a seed picks.
    pub fn shuffled(seed: u64, other: Schedule) -> Schedule {
        Schedule { seed: Some(seed), writes_first: true, ..other }
    }

    /// The thread whose next event is to be added; none if no thread can go on.
    /// A thread that faulted comes before all others.
    #[inline(always)]
    pub fn next(&self, graph: &Graph, threads: usize) -> Option<ThreadId> {
        self.next_but(graph, threads, |_| false)
    }

    /// The same without some threads that are about to read.
    #[inline(always)]
    pub fn next_but(
        &self,
        graph: &Graph,
        threads: usize,
        is_put_off: impl Fn(ThreadId) -> bool,
    ) -> Option<ThreadId> {
        if self.left_to_right {
            return leftmost(graph, threads);
        }
        match self.seed {
            None => writes_first(graph, threads, is_put_off),
            Some(seed) => seeded(graph, threads, seed, self.writes_first, is_put_off),
        }
    }

    /// The next thread where a missing event may forbid what its graph allows without it: those with gaps come first,
    /// and a fault comes after all others (`first_fault`). Some threads are put off.
    pub fn next_with_gaps_first(
        &self,
        graph: &Graph,
        threads: usize,
        is_put_off: impl Fn(ThreadId) -> bool,
    ) -> Option<ThreadId> {
        let status = |thread: &ThreadId| graph.thread(*thread).pending.status;
        let has_gap = |thread: &ThreadId| graph.thread(*thread).tail.is_some();
        let ids = || (0..threads).map(ThreadId::from_usize);
        let may_run = |thread: &ThreadId| may_run(graph, *thread);
        let urgency = |thread: &ThreadId| match self.seed {
            None => (status(thread) as u64, thread.at()),
            Some(seed) => (priority(seed, graph, thread.at()), thread.at()),
        };
        let at_once =
            |thread: &ThreadId| matches!(status(thread), ThreadStatus::Exclusive | ThreadStatus::Astray);
        let runs_now = |thread: &ThreadId| may_run(thread) && !is_put_off(*thread);
        ids()
            .find(at_once)
            .or_else(|| ids().filter(|thread| has_gap(thread) && runs_now(thread)).min_by_key(urgency))
            .or_else(|| ids().filter(runs_now).min_by_key(urgency))
    }

    /// The first thread that faulted, unless something is missing: then a thread with a gap never goes on, so what was
    /// kept of it does not come to be, and neither does the fault.
    pub fn first_fault(&self, graph: &Graph, threads: usize) -> Option<ThreadId> {
        let state = |thread: &ThreadId| graph.thread(*thread);
        let ids = || (0..threads).map(ThreadId::from_usize);
        if ids().any(|thread| state(&thread).tail.is_some()) {
            return None;
        }
        ids().find(|thread| state(thread).pending.status == ThreadStatus::Fault)
    }
}

/// The first thread that can go on, where one that has waited for others comes after these.
fn leftmost(graph: &Graph, threads: usize) -> Option<ThreadId> {
    let ids = || (0..threads).map(ThreadId::from_usize);
    let status = |thread: &ThreadId| graph.thread(*thread).pending.status;
    let at_once = |thread: &ThreadId| status(thread) < ThreadStatus::Ready;
    let may_run = |thread: &ThreadId| may_run(graph, *thread);
    ids().find(at_once).or_else(|| ids().filter(may_run).min_by_key(|thread| graph.next_turn(*thread)))
}

/// The lowest thread of the most urgent status.
#[inline(always)]
fn writes_first(graph: &Graph, threads: usize, is_put_off: impl Fn(ThreadId) -> bool) -> Option<ThreadId> {
    let mut best = (ThreadStatus::Join, 0);
    for (position, state) in graph.threads()[..threads].iter().enumerate() {
        let status = state.pending.status;
        if status < best.0 && (status != ThreadStatus::Read || !is_put_off(ThreadId::from_usize(position))) {
            best = (status, position);
            if status == ThreadStatus::Fault {
                break; // Nothing is more urgent. Without this, the loop is unrolled, which costs more for a few threads.
            }
        }
    }
    match best.0 {
        ThreadStatus::Join => first_that_waited(graph, threads),
        _ => Some(ThreadId::from_usize(best.1)),
    }
}

/// The lowest thread whose wait for others is over; joins come before ends of meetings.
#[inline(never)]
fn first_that_waited(graph: &Graph, threads: usize) -> Option<ThreadId> {
    let states = || graph.threads()[..threads].iter().enumerate();
    let first = |status| {
        let mut waiting = states().filter(|(_, state)| state.pending.status == status);
        waiting.find(|(_, state)| may_go_on(graph, state)).map(|(position, _)| ThreadId::from_usize(position))
    };
    first(ThreadStatus::Join).or_else(|| first(ThreadStatus::Meet))
}

fn seeded(
    graph: &Graph,
    threads: usize,
    seed: u64,
    by_status: bool,
    is_put_off: impl Fn(ThreadId) -> bool,
) -> Option<ThreadId> {
    let mut best: Option<(ThreadStatus, u64, usize)> = None;
    for (position, state) in graph.threads()[..threads].iter().enumerate() {
        let available = match state.pending.status {
            ThreadStatus::Exclusive | ThreadStatus::Fault | ThreadStatus::Astray => {
                return Some(ThreadId::from_usize(position))
            }
            ThreadStatus::Ready => true,
            ThreadStatus::Read => !is_put_off(ThreadId::from_usize(position)),
            ThreadStatus::Join | ThreadStatus::Meet => may_go_on(graph, state),
            _ => false,
        };
        let status = if by_status { state.pending.status } else { ThreadStatus::Ready };
        let candidate = (status, priority(seed, graph, position), position);
        if available && best.is_none_or(|best| candidate < best) {
            best = Some(candidate);
        }
    }
    best.map(|(_, _, position)| ThreadId::from_usize(position))
}

/// Whether a thread can go on, perhaps after waiting.
fn may_run(graph: &Graph, thread: ThreadId) -> bool {
    let state = graph.thread(thread);
    match state.pending.status {
        ThreadStatus::Ready | ThreadStatus::Read => true,
        ThreadStatus::Join | ThreadStatus::Meet => may_go_on(graph, state),
        _ => false,
    }
}

/// What decides whose event comes next; the lowest does.
fn priority(seed: u64, graph: &Graph, thread: usize) -> u64 {
    let event = (thread as u64) << 32 | u64::from(graph.thread(ThreadId::from_usize(thread)).count);
    mix(seed ^ mix(event))
}

/// Whether the threads that a thread waits for have done what it waits for.
#[inline]
fn may_go_on(graph: &Graph, state: &ThreadState) -> bool {
    match state.pending.status {
        ThreadStatus::Meet => graph.is_complete(state.last),
        _ => graph.thread(state.pending.other).pending.status == ThreadStatus::Done,
    }
}

/// Scrambles a number (the finaliser of splitmix64).
fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
