//! Graphs to which no event can be added: whether every thread has ended, and which threads wait for which.

use crate::detect::{Finding, Violation};
use crate::explore::sync::{met_last, why_not_met, why_stuck};
use crate::explore::threads::states::States;
use crate::graph::{Graph, ThreadState, ThreadStatus};
use crate::ids::ThreadId;
use crate::program::Program;

/// Whether every thread has ended, or never was.
#[inline(always)]
pub(in crate::explore) fn all_are_over(threads: &[ThreadState]) -> bool {
    threads.iter().all(is_over)
}

/// Whether a thread has ended the program, as main does by returning: those that wait need wait no more.
pub(in crate::explore) fn ends_by_exit(threads: &[ThreadState]) -> bool {
    threads.iter().any(|thread| thread.pending.status == ThreadStatus::Exited)
        && threads.iter().all(|thread| is_over(thread) || is_waiting(thread))
}

/// Whether a thread waits for an object that was changed since: it could have waited a little longer,
/// which is another execution, so this one does not count. (How many of these there are depends on the
/// schedule; without them the number of blocked executions does not.)
pub(in crate::explore) fn waits_for_nothing(graph: &Graph, threads: &[ThreadState]) -> bool {
    threads.iter().any(|thread| {
        thread.pending.status == ThreadStatus::Waiting
            && graph.loc(graph.event(thread.last).loc()).last != graph.rf(thread.last)
    })
}

/// Finds a deadlock among the first `threads` threads.
pub(in crate::explore) fn check_deadlock(
    program: &Program,
    states: &States,
    graph: &Graph,
    threads: usize,
) -> Result<(), Finding> {
    let Some(thread) = deadlocked(graph, &graph.threads()[..threads]) else { return Ok(()) };
    let state = graph.thread(thread);
    let mut finding =
        Finding::violation(Violation::Deadlock, "this thread waits for another one that never ends");
    finding.thread = thread;
    if state.pending.status == ThreadStatus::Waiting {
        let source = graph.rf(state.last);
        finding.message = why_stuck(program, states, graph, state.last);
        finding.other = source.is_some().then_some(source);
    }
    if state.pending.status == ThreadStatus::Meet {
        finding.message = why_not_met(program, states, graph, state.last);
        finding.other = met_last(graph, state.last);
    }
    Err(finding)
}

/// The thread to blame if every thread that is not done waits for an object or for another thread: nobody will ever go
/// on.
fn deadlocked(graph: &Graph, threads: &[ThreadState]) -> Option<ThreadId> {
    if !threads.iter().all(|thread| is_over(thread) || is_waiting(thread)) {
        return None;
    }
    // A thread that waits for an object explains more than one that waits for that thread.
    let waits_for_object = |status| matches!(status, ThreadStatus::Waiting | ThreadStatus::Meet);
    let on_object = threads.iter().position(|thread| waits_for_object(thread.pending.status));
    let waiting = on_object.or_else(|| threads.iter().position(is_waiting))?;
    Some(end_of_waiting(graph, ThreadId::from_usize(waiting)))
}

/// The end of a chain of threads that wait for each other: one that waits for an object, or one of a circle.
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

/// Whether it waits for an object or for another thread.
fn is_waiting(thread: &ThreadState) -> bool {
    matches!(thread.pending.status, ThreadStatus::Waiting | ThreadStatus::Join | ThreadStatus::Meet)
}
