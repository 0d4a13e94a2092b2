//! What each request of a thread does: before the first thread starts, when its next request is noted, and when its
//! turn comes.

use crate::detect::{
    check_free, living_local, object_size, step_shared, Finding, Refusal, Violation, DOES_NOT_END,
};
use crate::explore::choices::extend::check_own;
use crate::explore::choices::read::read_half;
use crate::explore::regimes::{Passed, Regime};
use crate::explore::threads::prologue::{Prologue, MAIN};
use crate::explore::{Explorer, Step, Stop};
use crate::graph::{Alloc, Event, Payload, Pending, ThreadStatus, CONDITIONAL, EXCLUSIVE};
use crate::ids::{EventId, ThreadId};
use crate::program::Mode;
use crate::vm::{apply_rmw, pair_of, Answer, Fault, PairAccess, Repetition, Request, Snapshot};

impl Prologue<'_, '_> {
    /// Answers a request from initial memory; none if the prologue ends here.
    pub(in crate::explore) fn answer(
        &mut self,
        at: Snapshot,
        request: Request,
    ) -> Result<Option<Answer>, Finding> {
        let answer = match request {
            Request::Load { address, size, .. } => Answer::Value(self.load(at, address, size)?),
            Request::Store { address, size, value, .. } => {
                self.write_initial(at, address, size, value)?;
                Answer::None
            }
            Request::Rmw { address, size, op, operand, .. } => {
                let old = self.read_initial(address, size)?;
                self.write_initial(at, address, size, apply_rmw(op, old, operand, size))?;
                Answer::Value(old)
            }
            Request::Cas { address, size, expected, new, .. } => {
                self.compare_exchange(at, address, size, expected, new)?
            }
            Request::Pair { address, access, .. } => self.access_pair(at, address, access)?,
            Request::Fence { .. } | Request::Print { .. } => Answer::None,
            Request::Pause => unreachable!("the prologue goes on without an answer"),
            Request::Round | Request::Begin | Request::End => {
                unreachable!("the VM passes over it before the first thread")
            }
            Request::Fill { .. } | Request::Copy { .. } => Answer::Value(u64::from(self.bulk(at, request))),
            Request::Alloc { address, size, zeroed, owner } => {
                self.memory.allocate(address, size, zeroed, owner, self.states.stack(at));
                Answer::None
            }
            Request::Free { address, owner } => {
                check_free(self.graph, self.memory, address, owner)?;
                self.memory.free(address);
                Answer::None
            }
            Request::ObjectSize { address } => {
                Answer::Value(object_size(self.graph, self.memory, address).ok_or_else(no_heap_object)?)
            }
            Request::Step { base, offset } => {
                Answer::Value(step_shared(self.graph, self.memory, base, offset))
            }
            Request::Unwind => Answer::Value(living_local(self.graph, self.memory, MAIN)),
            Request::Sync { address, operand, operation } => {
                return self.answer_sync(at, address, operand, operation);
            }
            Request::Choose { first, last, .. } if first == last => Answer::Value(first),
            Request::Create { .. }
            | Request::Join { .. }
            | Request::Choose { .. }
            | Request::Done { .. }
            | Request::Exit
            | Request::Blocked
            | Request::Cut { .. }
            | Request::CutCall { .. }
            | Request::Fault(_) => return Ok(None),
            // Nobody else is there who could change what the loop waits for.
            Request::Spin { loop_id } => {
                return Err(Finding::endless(Repetition::Loop(loop_id), DOES_NOT_END))
            }
        };
        Ok(Some(answer))
    }

    fn load(&mut self, at: Snapshot, address: u64, size: u8) -> Result<u64, Finding> {
        if self.states.only_moves(at) {
            self.check_initial(address, size, false)?;
            return Ok(self.memory.read(address, size));
        }
        self.read_initial(address, size)
    }

    fn access_pair(&mut self, at: Snapshot, address: u64, access: PairAccess) -> Result<Answer, Finding> {
        let old = match access {
            PairAccess::Store => 0,
            _ => pair_of(self.read_initial(address, 8)?, self.read_initial(address + 8, 8)?),
        };
        let new = access.written(old, &self.states.pair_operands(at));
        if let Some(new) = new {
            self.write_initial(at, address, 8, new as u64)?;
            self.write_initial(at, address + 8, 8, (new >> 64) as u64)?;
        }
        Ok(Answer::of_pair(old, new.is_some()))
    }

    fn compare_exchange(
        &mut self,
        at: Snapshot,
        address: u64,
        size: u8,
        expected: u64,
        new: u64,
    ) -> Result<Answer, Finding> {
        let old = self.read_initial(address, size)?;
        if old == expected {
            self.write_initial(at, address, size, new)?;
        }
        Ok(Answer::Exchange { old, success: old == expected })
    }
}

/// What happens to a request before its thread's turn comes.
enum Reaction {
    /// The thread has a status until then, and perhaps waits for another thread.
    Wait(ThreadStatus, ThreadId),
    /// No other thread can see the request: it is answered at once.
    Answer(Answer),
    /// The thread has come to the header of a loop.
    ComeRound,
}

impl<R: Regime> Explorer<'_, R> {
    /// Notes a thread's next request; those that no other thread can see are answered here.
    #[inline]
    pub(in crate::explore) fn settle(
        &mut self,
        thread: ThreadId,
        mut snapshot: Snapshot,
        mut request: Request,
    ) {
        let mut patience = None;
        loop {
            self.states.note(snapshot, request);
            match R::pass_over(self, thread, snapshot, request) {
                Passed::Missing => {}
                Passed::On(at, next) => {
                    (snapshot, request) = (at, next);
                    continue;
                }
                Passed::Settled => return,
            }
            (snapshot, request) = match self.reaction(thread, snapshot, request) {
                Reaction::Wait(status, other) => {
                    self.graph_mut().thread_mut(thread).pending = Pending { snapshot, status, other };
                    self.epilogue.forget(thread, snapshot);
                    return;
                }
                Reaction::Answer(answer) => self.answer_alone(snapshot, answer, &mut patience),
                Reaction::ComeRound => self.come_round(thread, snapshot, &mut patience),
            };
        }
    }

    /// What happens to a request. Inlined, with one match, since most requests only wait.
    #[inline(always)]
    fn reaction(&mut self, thread: ThreadId, at: Snapshot, request: Request) -> Reaction {
        let status = match request {
            Request::Load { .. } | Request::Rmw { .. } | Request::Cas { .. } | Request::Begin => {
                ThreadStatus::Read
            }
            Request::Pair { access, .. } if access != PairAccess::Store => ThreadStatus::Read,
            Request::Sync { operation, .. } if self.program.operation(operation).reads.is_some() => {
                ThreadStatus::Read
            }
            Request::Sync { operand, operation, .. } if self.meets_alone(thread, operand, operation) => {
                return Reaction::Answer(Answer::Value(0));
            }
            Request::Join { thread: value } => match self.threads.joinable(self.graph(), value) {
                Some(waited) => return Reaction::Wait(ThreadStatus::Join, waited),
                None => ThreadStatus::Ready,
            },
            Request::Done { value } => {
                self.epilogue.note_return(thread, value);
                ThreadStatus::Done
            }
            Request::Exit => ThreadStatus::Exited,
            Request::Blocked => self.stops(thread, ThreadStatus::Blocked),
            Request::Spin { .. } => self.stops(thread, ThreadStatus::Spinning),
            Request::Cut { .. } | Request::CutCall { .. } => ThreadStatus::Cut,
            Request::Fault(_) => ThreadStatus::Fault,
            Request::Print { .. } => {
                self.print(thread, at);
                return Reaction::Answer(Answer::None);
            }
            Request::Round => return Reaction::ComeRound,
            Request::Choose { first, last, .. } if first == last => {
                return Reaction::Answer(Answer::Value(first));
            }
            Request::Step { .. } | Request::Unwind | Request::ObjectSize { .. } => {
                match self.answer_about_objects(thread, request) {
                    Some(value) => return Reaction::Answer(Answer::Value(value)),
                    None => ThreadStatus::Ready,
                }
            }
            _ => ThreadStatus::Ready,
        };
        Reaction::Wait(status, ThreadId(0))
    }

    /// Notes that a thread stops for good, unless a revisit changes what it read.
    fn stops(&mut self, thread: ThreadId, how: ThreadStatus) -> ThreadStatus {
        self.stopped = Some(thread);
        how
    }

    /// What a thread asks about objects; none if there is no answer.
    pub(in crate::explore) fn answer_about_objects(&self, thread: ThreadId, request: Request) -> Option<u64> {
        match request {
            Request::Step { base, offset } => Some(step_shared(self.graph(), &self.memory, base, offset)),
            Request::Unwind => Some(living_local(self.graph(), &self.memory, thread)),
            Request::ObjectSize { address } => object_size(self.graph(), &self.memory, address),
            _ => None,
        }
    }

    /// Adds the events of a thread whose turn it is.
    #[inline(always)] // It has two callers, and in one of them runs once per event.
    pub(in crate::explore) fn add_event(
        &mut self,
        thread: ThreadId,
        at: Snapshot,
        request: Request,
    ) -> Result<Step, Stop> {
        match request {
            Request::Load { address, size, mode } => {
                self.add_read(Event::new(thread, Payload::READ, mode, at), address, size)
            }
            Request::Rmw { address, size, mode, .. } => {
                let read = Event::new(thread, Payload::READ, read_half(mode), at);
                self.add_compound(read, EXCLUSIVE, address, size)
            }
            Request::Cas { address, size, mode, .. } => {
                let read = Event::new(thread, Payload::READ, read_half(mode), at);
                self.add_compound(read, CONDITIONAL, address, size)
            }
            Request::Store { address, size, mode, value } => {
                let mut event = Event::new(thread, Payload::WRITE, mode, at);
                event.access_mut().value = value;
                self.add_write(event, address, size)
            }
            Request::Sync { address, operand, operation } => {
                self.add_sync(thread, at, address, operand, operation)
            }
            Request::Pair { address, mode, access } => {
                R::add_pair(self, (thread, at), (address, mode), access)
            }
            Request::Begin => R::begin_section(self, thread, at),
            Request::End => Err(no_section()),
            Request::Fence { mode, domain } => {
                let fence = EventId::from_usize(self.graph().len());
                let step = self.add_plain(Event::new(thread, Payload::Fence(domain), mode, at))?;
                R::check_fence(self, fence)?;
                Ok(step)
            }
            Request::Alloc { address, size, zeroed, owner } => {
                let alloc = Payload::Alloc(Alloc::new(address, size, zeroed, owner));
                self.add_plain(Event::new(thread, alloc, Mode::Na, at))
            }
            Request::Free { address, owner } => self.add_free(thread, at, address, owner),
            Request::Create { function, argument } => self.add_create(thread, at, function, argument),
            Request::Join { thread: value } => self.add_join(thread, at, value),
            Request::Choose { first, last, mask } => self.add_choice((thread, at), (first, last), mask),
            Request::Fault(fault) => Err(self.fail(thread, fault)),
            Request::ObjectSize { .. } => Err(no_heap_object().into()),
            Request::Pause => self.run_on(thread, at),
            Request::Print { .. }
            | Request::Round
            | Request::Step { .. }
            | Request::Unwind
            | Request::Fill { .. }
            | Request::Copy { .. }
            | Request::Done { .. }
            | Request::Exit
            | Request::Blocked
            | Request::Spin { .. }
            | Request::Cut { .. }
            | Request::CutCall { .. } => {
                unreachable!("these requests are never scheduled")
            }
        }
    }

    /// Why the exploration stops at a fault of a thread.
    #[cold]
    fn fail(&mut self, thread: ThreadId, fault: Fault) -> Stop {
        check_own(self.graph(), &self.states, &self.threads, thread, &fault);
        if matches!(fault, Fault::OutOfMemory { .. }) && self.config.unroll.any.is_none() {
            if let Err(stop) = self.suspect(thread..ThreadId(thread.0 + 1)) {
                return stop;
            }
        }
        Finding::from_fault(fault, self.program).into()
    }
}

pub(in crate::explore) fn no_heap_object() -> Finding {
    Finding::violation(Violation::InvalidFree, "realloc of something that is not a heap object")
}

#[cold]
fn no_section() -> Stop {
    Finding::refusal(Refusal::Unsupported, "the end of an atomic section that has not begun").into()
}
