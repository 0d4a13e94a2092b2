//! Synchronisation objects in the graph, as the Program describes them: each is a location.
//!
//! An operation that reads is a read-modify-write whose read makes its thread wait, fail, or go on; one that does not
//! is a write. Of the writes that make a thread wait only the coherence-latest can be followed by one that lets it go
//! on, so only that one is read; and an execution in which a thread still waits although the word has changed does
//! not count. Meetings of threads are in `meetings`.

mod meetings;

pub(in crate::explore) use meetings::{met_last, why_not_met};

use crate::detect::Finding;
use crate::explore::choices::extend::blame_event;
use crate::explore::regimes::Regime;
use crate::explore::threads::states::States;
use crate::explore::{Explorer, Step, Stop};
use crate::graph::{
    Event, Graph, Label, Payload, Pending, ThreadStatus, CHECKED, CONDITIONAL, EXCLUSIVE, WAITS,
};
use crate::ids::{EventId, ThreadId};
use crate::memory::Memory;
use crate::program::{Effect, Inputs, Mode, Operation, Program};
use crate::vm::{Answer, Fault, Request, Snapshot};

impl<R: Regime> Explorer<'_, R> {
    /// Adds the first event of an operation.
    pub(in crate::explore) fn add_sync(
        &mut self,
        thread: ThreadId,
        at: Snapshot,
        address: u64,
        operand: u64,
        operation: u32,
    ) -> Result<Step, Stop> {
        let operation = self.program.operation(operation);
        if operation.meets {
            return self.add_meeting(thread, at, address, operand, operation);
        }
        self.check_none_waits(operation, address)?;
        if let Some(mode) = operation.reads {
            let read = Event::new(thread, Payload::READ, mode, at);
            let writes = if operation.always_writes { EXCLUSIVE } else { CONDITIONAL };
            let waits = if operation.may_wait { WAITS } else { 0 };
            return self.add_compound(read, writes | waits, address, operation.size);
        }
        let old = if operation.looks {
            last_written(self.graph(), &self.memory, thread, (address, operation.size))
        } else {
            0
        };
        let mut event = Event::new(thread, Payload::WRITE, operation.writes, at);
        event.flags = if operation.is_checked() { CHECKED } else { 0 };
        event.access_mut().value = match operation.effect(&Inputs::new(old, thread, operand)) {
            Effect::Write { value, .. } => value,
            Effect::Misuse(message) => return Err(misuse(self.program, operation, message).into()),
            Effect::Stay(_) | Effect::Wait | Effect::Meet(_) => unreachable!("program::sync I2"),
        };
        self.add_write(event, address, operation.size)
    }

    fn add_meeting(
        &mut self,
        thread: ThreadId,
        at: Snapshot,
        address: u64,
        operand: u64,
        operation: &Operation,
    ) -> Result<Step, Stop> {
        match operation.effect(&Inputs::new(0, thread, operand)) {
            Effect::Meet(count) => self.add_arrival(thread, at, address, count),
            other => unreachable!("{other:?} is no meeting"),
        }
    }

    /// Of the options of a read, those that make its thread wait lead nowhere unless the word can still change, which
    /// only the coherence-latest one can.
    pub(in crate::explore) fn drop_doomed_waits(&mut self, first: usize, read: &Event) {
        if self.choices.end() <= first + 1 {
            return;
        }
        let (operation, operand) = asked_operation(self.program, &self.states, read.snapshot);
        let (id, mut choices) = (self.graph().thread(read.thread).last, std::mem::take(&mut self.choices));
        choices.retain_from(first + 1, |option| {
            let old = R::value_of_choice(self, id, option);
            operation.only_changes == Some(old)
                || !operation.does_wait(&Inputs::new(old, read.thread, operand))
        });
        self.choices = choices;
    }

    /// An operation has read a word that it does not change.
    pub(in crate::explore) fn deliver_sync(
        &mut self,
        read: &Event,
        old: u64,
        operand: u64,
        operation: u32,
    ) -> Result<(), Stop> {
        let operation = self.program.operation(operation);
        let operand = if operation.counts_rounds { self.rounds_at(read) } else { operand };
        match operation.effect(&Inputs::new(old, read.thread, operand)) {
            Effect::Stay(result) => self.proceed(read.thread, read.snapshot, Answer::Value(result)),
            Effect::Wait => {
                self.graph_mut().thread_mut(read.thread).pending =
                    Pending { snapshot: read.snapshot, status: ThreadStatus::Waiting, other: ThreadId(0) };
            }
            Effect::Misuse(message) => {
                return Err(blame_event(misuse(self.program, operation, message), read))
            }
            Effect::Write { .. } => unreachable!("a read that is followed by its write is exclusive"),
            Effect::Meet(_) => unreachable!("program::sync I2"),
        }
        Ok(())
    }

    /// How many rounds at the address of a thread's newest event, a read, are over for it.
    fn rounds_at(&mut self, read: &Event) -> u64 {
        self.graphs.settle();
        let id = self.graph().thread(read.thread).last;
        u64::from(self.rounds_over(read.access().address, id))
    }

    /// A placed write must find the object in a state that allows it.
    pub(in crate::explore) fn check_overwritten(&self, write: EventId) -> Result<(), Stop> {
        let event = self.graph().event(write);
        let (operation, operand) = asked_operation(self.program, &self.states, event.snapshot);
        let old = R::value_overwritten(self, write);
        match operation.misuse_of_overwritten(&Inputs::new(old, event.thread, operand)) {
            Some(message) => Err(blame_event(misuse(self.program, operation, message), event)),
            None => Ok(()),
        }
    }
}

/// The operation that a thread asks for, and its operand.
fn asked_operation<'p>(program: &'p Program, states: &States, at: Snapshot) -> (&'p Operation, u64) {
    match states.request(at) {
        Request::Sync { operand, operation, .. } => (program.operation(operation), operand),
        other => unreachable!("{other:?} is not an operation on a synchronisation object"),
    }
}

/// The finding of an object that is misused.
pub(in crate::explore) fn misuse(program: &Program, operation: &Operation, message: u32) -> Finding {
    Finding::from_fault(Fault::Fail { kind: operation.kind, message }, program)
}

/// What the write half of an operation writes, how strongly, and what the thread gets as its result.
pub(in crate::explore) fn write_half(
    operation: &Operation,
    read: &Event,
    operand: u64,
) -> (u64, Mode, Answer) {
    match operation.effect(&Inputs::new(read.access().value, read.thread, operand)) {
        Effect::Write { value, result } => (value, operation.writes, Answer::Value(result)),
        other => unreachable!("{other:?} has no write half"),
    }
}

/// Why a thread that has read a word waits for ever.
pub(in crate::explore) fn why_stuck(
    program: &Program,
    states: &States,
    graph: &Graph,
    read: EventId,
) -> String {
    let source = graph.sources(read)[0];
    let read = graph.event(read);
    let (operation, _) = asked_operation(program, states, read.snapshot);
    let writer = if source.is_some() { graph.event(source).thread } else { ThreadId(0) };
    let string = if writer == read.thread { operation.stuck_alone } else { operation.stuck };
    program.strings[string as usize].clone()
}

/// What a thread last wrote to the word, or what was there at first.
pub(in crate::explore) fn last_written(
    graph: &Graph,
    memory: &Memory,
    thread: ThreadId,
    (address, size): (u64, u8),
) -> u64 {
    let mut id = graph.thread(thread).last;
    while id.is_some() {
        let event = graph.event(id);
        if event.label() == Label::Write && event.access().address == address {
            return event.access().value;
        }
        id = event.po_prev;
    }
    memory.read(address, size)
}
