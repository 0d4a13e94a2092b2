//! Passing over events that are there already: a thread that runs again from a gap asks for what was kept.
//!
//! I1: a thread that passes over an event asks for what the event is, because nothing that the event depends on has
//! changed. Should a thread ask for something else all the same, the program is refused.

use crate::detect::{Finding, Refusal};
use crate::explore::choices::write::write_half;
use crate::explore::regimes::Regime;
use crate::explore::sync::last_written;
use crate::explore::threads::states::States;
use crate::explore::Explorer;
use crate::graph::{Access, Event, Graph, Label, Payload, Pending, ThreadStatus};
use crate::ids::{EventId, ThreadId};
use crate::program::{Effect, Inputs};
use crate::vm::{Answer, PairAccess, Request, Snapshot, PAIR};

/// What came of meeting an event that is there already.
pub(in crate::explore) enum Passed {
    /// Nothing is there.
    Missing,
    /// The thread has gone on.
    On(Snapshot, Request),
    /// The thread waits as noted.
    Settled,
}

impl<R: Regime> Explorer<'_, R> {
    /// If the event that a thread asks for is there, passes over it.
    pub(super) fn pass_over_kept(&mut self, thread: ThreadId, at: Snapshot, request: Request) -> Passed {
        let Some(kept) = self.graph().kept_next(thread) else {
            let ends = matches!(
                request,
                Request::Done { .. }
                    | Request::Exit
                    | Request::Blocked
                    | Request::Spin { .. }
                    | Request::Cut { .. }
                    | Request::CutCall { .. }
            );
            if ends && self.graph().thread(thread).tail.is_some() {
                return self.go_astray(thread, at);
            }
            return Passed::Missing;
        };
        if self.graph().event(kept).label() == Label::Read {
            let value = R::value_read(self, kept, self.graph().event(kept).loc());
            self.graph_mut().event_mut(kept).access_mut().value = value;
            if self.is_pair(kept) {
                R::keep_pair(self, kept);
            }
        }
        let graph = self.graph();
        let answer = match request {
            Request::Sync { address, operand, operation } => {
                self.answer_kept_sync(kept, address, operand, operation)
            }
            Request::Pair { address, access, .. } => self.answer_kept_pair(kept, at, address, access),
            _ => answer_kept(graph, &self.states, graph.event(kept), request),
        };
        let Some(answer) = answer else { return self.go_astray(thread, at) };
        let graph = self.graphs.current_mut();
        graph.pass(thread, kept, at);
        graph.leave_room_for_write_half(kept);
        let event = graph.event(kept);
        if event.label() == Label::Read && event.is_exclusive() {
            return self.pass_over_write_half(thread, at);
        }
        let (snapshot, request) = self.states.resume(at, answer);
        Passed::On(snapshot, request)
    }

    /// As `answer_kept`, for an operation on a synchronisation object. What it returns if it writes, its write half
    /// says.
    fn answer_kept_sync(&self, kept: EventId, address: u64, operand: u64, operation: u32) -> Option<Answer> {
        let (event, operation) = (self.graph().event(kept), self.program.operation(operation));
        let access = event.as_access()?;
        let is_read = event.label() == Label::Read;
        let is_alike = (access.address, access.size) == (address, operation.size)
            && is_read == operation.reads.is_some()
            && !(is_read && event.is_load());
        if !is_alike {
            return None;
        }
        let operand = if operation.counts_rounds { self.rounds_over(address, kept).into() } else { operand };
        let old = match is_read {
            true => access.value,
            false => last_written(self.graph(), &self.memory, event.thread, (address, operation.size)),
        };
        match operation.effect(&Inputs::new(old, event.thread, operand)) {
            Effect::Write { .. } if is_read => event.is_exclusive().then_some(Answer::None),
            Effect::Write { value, .. } => (value == access.value).then_some(Answer::None),
            Effect::Stay(result) => (!event.is_exclusive()).then_some(Answer::Value(result)),
            Effect::Wait | Effect::Misuse(_) | Effect::Meet(_) => None,
        }
    }

    /// As `answer_kept`, for an access of 16 bytes.
    fn answer_kept_pair(
        &self,
        kept: EventId,
        at: Snapshot,
        address: u64,
        access: PairAccess,
    ) -> Option<Answer> {
        let event = self.graph().event(kept);
        if !self.is_pair(kept) || event.access().address != address {
            return None;
        }
        let (value, operands) = (self.pair(kept), self.states.pair_operands(at));
        let is_read = event.label() == Label::Read;
        match access {
            PairAccess::Load => (is_read && event.is_load()).then(|| Answer::of_pair(value, false)),
            PairAccess::Store => (!is_read && value == operands.first).then_some(Answer::None),
            PairAccess::Rmw(_) => (is_read && event.is_exclusive()).then_some(Answer::None),
            PairAccess::Cas(_) => {
                let is_met = value == operands.first;
                (is_read && event.is_exclusive() == is_met).then(|| Answer::of_pair(value, is_met))
            }
        }
    }

    /// Whether an event is an access of 16 bytes.
    fn is_pair(&self, event: EventId) -> bool {
        R::HAS_CELLS && self.graph().event(event).as_access().is_some_and(|access| access.size == PAIR)
    }

    fn go_astray(&mut self, thread: ThreadId, at: Snapshot) -> Passed {
        let pending = Pending { snapshot: at, status: ThreadStatus::Astray, other: ThreadId(0) };
        self.graph_mut().thread_mut(thread).pending = pending;
        Passed::Settled
    }

    /// The read half was there; the write half may be, or is added next.
    pub(super) fn pass_over_write_half(&mut self, thread: ThreadId, at: Snapshot) -> Passed {
        let graph = self.graph();
        let read = *graph.event(graph.thread(thread).last);
        let mut pending = Pending { snapshot: at, status: ThreadStatus::Exclusive, other: ThreadId(0) };
        if let Some(kept) = graph.kept_next(thread) {
            let is_pair = self.is_pair(graph.thread(thread).last);
            let (is_alike, answer) = if is_pair {
                let (value, _, answer) = self.pair_write_half(graph.thread(thread).last, at);
                (self.is_pair(kept) && self.pair(kept) == value, answer)
            } else {
                let (value, _, answer) = write_half(self.program, &self.states, &read, at);
                (
                    !self.is_pair(kept) && graph.event(kept).as_access().is_some_and(|a| a.value == value),
                    answer,
                )
            };
            if self.graph().event(kept).is_write_half() && is_alike {
                self.graph_mut().pass(thread, kept, at);
                let (snapshot, request) = self.states.resume(at, answer);
                return Passed::On(snapshot, request);
            }
            pending.status = ThreadStatus::Astray;
        }
        self.graph_mut().thread_mut(thread).pending = pending;
        Passed::Settled
    }
}

/// The answer to a request for an event that is there; none if it asks for something else.
fn answer_kept(graph: &Graph, states: &States, event: &Event, request: Request) -> Option<Answer> {
    match event.payload {
        Payload::Read(_) => answer_read(event, request),
        Payload::Write(_) => match request {
            Request::Store { address, size, value, .. } => {
                let access = event.access();
                let alike = (access.address, access.size, access.value) == (address, size, value);
                alike.then_some(Answer::None)
            }
            _ => None,
        },
        Payload::Fence(own) => {
            matches!(request, Request::Fence { mode, domain } if (mode, domain) == (event.mode, own))
                .then_some(Answer::None)
        }
        Payload::Alloc(alloc) => {
            matches!(request, Request::Alloc { address, .. } if address == alloc.address)
                .then_some(Answer::None)
        }
        Payload::Free(free) => matches!(request, Request::Free { address, .. } if address == free.address)
            .then_some(Answer::None),
        Payload::Create(child) => {
            matches!(request, Request::Create { .. }).then_some(Answer::Value(u64::from(child.0) + 1))
        }
        Payload::Join(other) => {
            let done = states.request(graph.thread(other).pending.snapshot);
            match (request, done) {
                (Request::Join { .. }, Request::Done { value }) => Some(Answer::Value(value)),
                _ => None,
            }
        }
        Payload::Choose(choice) => match request {
            Request::Choose { first, last, mask } => {
                let alike =
                    first == choice.first && (last.wrapping_sub(first) & mask) + 1 == choice.count.into();
                alike.then_some(Answer::Value(choice.value()))
            }
            _ => None,
        },
        // All of `po` is in the causal past of a meeting, so nothing is missing before it.
        Payload::Arrive(_) | Payload::Depart(_) => None,
    }
}

/// As `answer_kept`, for a read with its value.
fn answer_read(event: &Event, request: Request) -> Option<Answer> {
    let Access { address, size, value, .. } = *event.access();
    let there = (address, size);
    match request {
        Request::Load { address, size, .. } => {
            (event.is_load() && (address, size) == there).then_some(Answer::Value(value))
        }
        Request::Rmw { address, size, .. } => {
            (event.is_exclusive() && (address, size) == there).then_some(Answer::Value(value))
        }
        Request::Cas { address, size, expected, .. } => {
            let alike = (address, size) == there && event.is_exclusive() == (value == expected);
            alike.then_some(Answer::Exchange { old: value, success: value == expected })
        }
        _ => None,
    }
}

/// The refusal of a program with a dependency that the causal order leaves out.
pub(in crate::explore) fn astray() -> Finding {
    let message = "an access that depends on an earlier one, though the model's ppo does not order them";
    Finding::refusal(Refusal::Dependency, message)
}
