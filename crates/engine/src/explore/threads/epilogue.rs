//! The epilogue: where one thread is left that only waits for threads which are done, and then ends too, its joins
//! order nothing that is still to come. They are answered beside the graph, and make no events.
//!
//! Departs 1: such joins are not events, unless graphs are collected or leaks are looked for, in the states in which
//! threads end. Anything else that the thread asks for (an
//! access, an error, something to print) is given up here, and the joins become events as usual.
//! I1: what was remembered is of a state that has not changed since: a new state in its place is forgotten here.
//! I2: unless they vary, every state in which a thread is done has returned the thread's first value.
//! I3: which threads were joined before, by other threads too, is looked up each time: a second join is a finding.

use crate::explore::leaks::Leaks;
use crate::explore::regimes::Regime;
use crate::explore::threads::numbers::ThreadTable;
use crate::explore::threads::states::States;
use crate::explore::Explorer;
use crate::graph::{Graph, ThreadStatus};
use crate::ids::ThreadId;
use crate::vm::{Answer, Request, Snapshot};

/// The last joins that were tried: whose, from which state, what the joined threads had returned, and whether
/// they were an epilogue.
#[derive(Default)]
pub(in crate::explore) struct Epilogue {
    from: Option<(ThreadId, Snapshot)>,
    returned: Vec<(ThreadId, u64)>,
    ends: bool,
    /// The current graph's joins are not an epilogue, as was found at the first of them.
    refused: bool,
    returns: Returns,
}

/// What threads have returned so far, in any execution.
#[derive(Clone, Default)]
pub(in crate::explore) struct Returns {
    /// What each thread returned when it was done for the first time.
    first: Vec<Option<u64>>,
    /// Some thread has also returned something else.
    vary: bool,
}

impl Returns {
    #[inline]
    fn note(&mut self, thread: ThreadId, value: u64) {
        if self.first.len() <= thread.at() {
            self.first.resize(thread.at() + 1, None);
        }
        self.vary |= *self.first[thread.at()].get_or_insert(value) != value;
    }
}

impl Epilogue {
    /// The exploration goes on from an earlier choice.
    #[inline]
    pub fn start_again(&mut self) {
        self.refused = false;
    }

    /// A thread waits in a new state.
    #[inline]
    pub fn forget(&mut self, thread: ThreadId, at: Snapshot) {
        if self.from == Some((thread, at)) {
            self.from = None;
        }
    }

    /// A thread is done.
    #[inline]
    pub fn note_return(&mut self, thread: ThreadId, value: u64) {
        self.returns.note(thread, value);
    }

    /// What another worker has to know (I2).
    pub fn returns(&self) -> Returns {
        self.returns.clone()
    }

    /// Goes on with the states of another worker. Those that were remembered lay in another arena.
    pub fn take_over(&mut self, returns: Returns) {
        *self = Epilogue { returns, ..Epilogue::default() };
    }

    /// Whether a thread that could join another now does nothing but that until it ends, and the execution with it.
    #[inline]
    fn is_reached(
        &mut self,
        graph: &Graph,
        states: &mut States,
        table: &ThreadTable,
        thread: ThreadId,
    ) -> bool {
        if self.refused {
            return false;
        }
        let threads = &graph.threads()[..table.len()];
        let at = threads[thread.at()].pending.snapshot;
        let mut some_are_absent = false;
        let mut some_are_joined = false;
        for (other, state) in threads.iter().enumerate() {
            some_are_joined |= state.joined_by.is_some();
            match state.pending.status {
                ThreadStatus::Done => {}
                ThreadStatus::Absent => some_are_absent = true,
                _ if other == thread.at() => {}
                _ => return false,
            }
        }
        let compares = self.returns.vary || some_are_absent || some_are_joined;
        if self.from != Some((thread, at)) || (compares && !self.is_as_before(graph, states)) {
            self.ends = self.only_joins(graph, states, table, at);
            self.from = Some((thread, at));
        }
        self.refused = !self.ends;
        self.ends
    }

    /// Whether the joined threads are done, were not joined before (I3), and have returned what they had returned.
    fn is_as_before(&self, graph: &Graph, states: &States) -> bool {
        let is_free = |thread: ThreadId| graph.thread(thread).joined_by.is_none();
        let is_same = |thread, value| returned(graph, states, thread) == Some(value);
        self.returned.iter().all(|(other, value)| is_free(*other) && is_same(*other, *value))
    }

    /// Whether a thread only joins others from a state on.
    fn only_joins(
        &mut self,
        graph: &Graph,
        states: &mut States,
        table: &ThreadTable,
        from: Snapshot,
    ) -> bool {
        self.returned.clear();
        let top = states.mark();
        let mut request = states.request(from);
        let mut at = None;
        let ends = loop {
            match request {
                Request::Done { .. } | Request::Exit => break true,
                Request::Join { thread: value } => {
                    let Some(other) = table.joinable(graph, value) else { break false };
                    let Some(value) = returned(graph, states, other) else { break false };
                    // Joining a thread twice is a finding.
                    let is_joined = graph.thread(other).joined_by.is_some();
                    if is_joined || self.returned.iter().any(|(joined, _)| *joined == other) {
                        break false;
                    }
                    self.returned.push((other, value));
                    let answer = Answer::Value(value);
                    let (next, asked) = match at {
                        None => states.resume(from, answer),
                        Some(at) => states.resume_in_place(at, answer),
                    };
                    (at, request) = (Some(next), asked);
                }
                _ => break false,
            }
        };
        states.go_back_to(top);
        ends
    }
}

/// What a thread that is done has returned.
fn returned(graph: &Graph, states: &States, thread: ThreadId) -> Option<u64> {
    let pending = graph.thread(thread).pending;
    match states.request(pending.snapshot) {
        Request::Done { value } if pending.status == ThreadStatus::Done => Some(value),
        _ => None,
    }
}

impl<R: Regime> Explorer<'_, R> {
    /// Whether the execution ends with joins that a thread could make now and that need not be events.
    #[inline]
    pub(in crate::explore) fn only_joins_are_left(&mut self, thread: ThreadId) -> bool {
        let must_be_events = self.config.collect
            || !R::MAY_LEAVE_OUT_JOINS
            || self.plan.checks().evaluates_latest()
            || self.config.leaks != Leaks::Ignored
            || self.config.flags.is_some()
            || !self.config.foreseen.is_empty();
        !must_be_events
            && self.epilogue.is_reached(self.graphs.current(), &mut self.states, &self.threads, thread)
    }
}
