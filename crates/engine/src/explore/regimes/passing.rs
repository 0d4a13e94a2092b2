//! Passing over events that are there already: a thread that runs again from a gap asks for what was kept.
//!
//! I1: a thread that passes over an event asks for what the event is; if not, the program has a dependency that
//! the plan's causal order leaves out, and is refused.

use crate::detect::{Finding, Refusal};
use crate::explore::regimes::Gaps;
use crate::explore::Explorer;
use crate::graph::{Class, Event, Label, Pending};
use crate::ids::ThreadId;
use crate::vm::{Answer, Request, Snapshot};

/// What came of meeting an event that is there already.
pub(in crate::explore) enum Passed {
    /// Nothing is there.
    Missing,
    /// The thread has gone on.
    On(Snapshot, Request),
    /// The thread waits as noted.
    Settled,
}

impl Explorer<'_, Gaps> {
    /// If the event that a thread asks for is there, passes over it.
    pub(super) fn pass_over_kept(&mut self, thread: ThreadId, at: Snapshot, request: Request) -> Passed {
        let Some(kept) = self.graph().kept_next(thread) else {
            let ends = matches!(
                request,
                Request::Done { .. }
                    | Request::Exit
                    | Request::Blocked
                    | Request::Cut { .. }
                    | Request::CutCall { .. }
            );
            if ends && self.graph().thread(thread).tail.is_some() {
                return self.go_astray(thread, at);
            }
            return Passed::Missing;
        };
        let event = *self.graph().event(kept);
        let mut value = event.value;
        if event.label == Label::Read {
            value = self.value_of(event.loc, event.rf);
        }
        let Some(answer) = self.answer_kept(&event, request, value) else {
            return self.go_astray(thread, at);
        };
        let graph = &mut self.graphs[self.level];
        graph.pass(thread, kept);
        let event = graph.event_mut(kept);
        (event.snapshot, event.value) = (at, value);
        if event.label == Label::Read && event.is_exclusive() {
            return self.pass_over_write_half(thread, at);
        }
        let (snapshot, request) = self.vm.resume(&mut self.arena, at, answer);
        Passed::On(snapshot, request)
    }

    fn go_astray(&mut self, thread: ThreadId, at: Snapshot) -> Passed {
        let pending = Pending { snapshot: at, class: Class::Astray, other: ThreadId(0) };
        self.graph_mut().thread_mut(thread).pending = pending;
        Passed::Settled
    }

    /// The read half was there; the write half may be, or is added next.
    fn pass_over_write_half(&mut self, thread: ThreadId, at: Snapshot) -> Passed {
        let graph = self.graph();
        let read = *graph.event(graph.thread(thread).last);
        let mut pending = Pending { snapshot: at, class: Class::Exclusive, other: ThreadId(0) };
        if let Some(kept) = graph.kept_next(thread) {
            let (value, _, answer) = self.write_half(&read, at);
            let event = self.graph_mut().event_mut(kept);
            if event.label == Label::Write && event.is_exclusive() && event.value == value {
                event.snapshot = at;
                self.graph_mut().pass(thread, kept);
                let (snapshot, request) = self.vm.resume(&mut self.arena, at, answer);
                return Passed::On(snapshot, request);
            }
            pending.class = Class::Astray;
        }
        self.graph_mut().thread_mut(thread).pending = pending;
        Passed::Settled
    }

    /// The answer to a request for an event that is there; none if it asks for something else.
    fn answer_kept(&self, event: &Event, request: Request, value: u64) -> Option<Answer> {
        let access = |address: u64, size: u8| (address, size) == (event.address, event.size);
        match (event.label, request) {
            (Label::Read, Request::Load { address, size, .. }) => {
                (event.is_load() && access(address, size)).then_some(Answer::Value(value))
            }
            (Label::Read, Request::Rmw { address, size, .. }) => {
                (event.is_exclusive() && access(address, size)).then_some(Answer::Value(value))
            }
            (Label::Read, Request::Cas { address, size, expected, .. }) => {
                let alike = access(address, size) && event.is_exclusive() == (value == expected);
                alike.then_some(Answer::Exchange { old: value, success: value == expected })
            }
            (Label::Write, Request::Store { address, size, value: stored, .. }) => {
                (access(address, size) && stored == event.value).then_some(Answer::None)
            }
            (Label::Fence, Request::Fence { mode }) => (mode == event.mode).then_some(Answer::None),
            (Label::Alloc, Request::Alloc { address, .. }) | (Label::Free, Request::Free { address, .. }) => {
                (address == event.address).then_some(Answer::None)
            }
            (Label::Create, Request::Create { .. }) => Some(Answer::Value(event.value + 1)),
            (Label::Join, Request::Join { .. }) => {
                let done = self.graph().thread(ThreadId(event.value as u32)).pending.snapshot;
                match self.request(done) {
                    Request::Done { value } => Some(Answer::Value(value)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The refusal of a program with a dependency that the causal order leaves out.
pub(in crate::explore) fn astray() -> Finding {
    let message = "an access that depends on an earlier one, which the model's ppo does not order";
    Finding::refusal(Refusal::Dependency, message)
}
