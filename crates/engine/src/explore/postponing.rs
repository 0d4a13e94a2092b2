//! Reads that would make their threads wait are put off: locks without waste (thesis §7.3, in-place revisits).
//!
//! A thread that finds a mutex taken can only go on with a later write. So its read is not added while other threads
//! can go on and the coherence-latest write would make it wait: that is an order in which threads take turns like
//! any other, and depends on the graph alone (`schedule` I2). The read is added when the latest write lets it go on, and sees
//! it in place; or at the end, when nobody else can go on.
//!
//! A revisit may also make a read see a write that makes it wait. The papers' explorer keeps the read, and goes on with
//! it waiting: once the next write comes, both with the read as it is, which leads nowhere, and revisiting it. Here
//! the read is removed and put off (`graph::put_off`), and is added again as above. What it may see then is what
//! further revisits could have made it see: writes with the revisiting write in their causal past.
//! That write stays, as it would if the read saw it. If a revisit goes back to before it, the read is as free as one that
//! was removed with the rest.
//! I1: a read that was put off and is not in the graph has no successors there, so nothing depends on it.

use crate::explore::choices::frames::{Choice, Frame};
use crate::explore::outcome::Config;
use crate::explore::regimes::Regime;
use crate::explore::{Explorer, Stop};
use crate::graph::{Pending, ThreadStatus, WAITS};
use crate::ids::{EventId, ThreadId};
use crate::program::{Inputs, Program};
use crate::vm::Request;

/// Whether reads are put off.
pub(in crate::explore) struct Postponement {
    is_on: bool,
}

impl Postponement {
    pub fn new<R: Regime>(program: &Program, config: &Config) -> Postponement {
        let may_wait = program.operations.iter().any(|operation| operation.may_wait);
        Postponement { is_on: R::FIXES_READS && config.postpones && may_wait }
    }

    /// Whether some reads may have to be put off.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        self.is_on
    }
}

impl<R: Regime> Explorer<'_, R> {
    /// The thread whose turn it is, or another one if that would only come to wait.
    #[inline]
    pub(in crate::explore) fn unless_it_waits(&self, thread: ThreadId) -> ThreadId {
        let graph = self.graph();
        if graph.thread(thread).pending.status != ThreadStatus::Read || !self.comes_to_wait(thread) {
            return thread;
        }
        let next = self.schedule.next_but(graph, self.threads.len(), |other| self.comes_to_wait(other));
        next.unwrap_or(thread)
    }

    /// Whether a thread that is about to read would come to wait, or may not see the latest write.
    fn comes_to_wait(&self, thread: ThreadId) -> bool {
        let state = self.graph().thread(thread);
        let Request::Sync { address, operand, operation } = self.states.request(state.pending.snapshot)
        else {
            return false;
        };
        let operation = self.program.operation(operation);
        if !operation.may_wait {
            return false;
        }
        let (last, value) = match self.locations.find(address, operation.size) {
            Some(loc) => {
                let last = self.graph().loc(loc).last;
                (last, self.value_of(loc, last))
            }
            None => (EventId::NONE, self.memory.read(address, operation.size)),
        };
        operation.does_wait(&Inputs::new(value, thread, operand))
            || !self.graph().may_see(thread, state.count, last)
    }

    /// Whether a read whose revisit is due would make its thread wait.
    pub(in crate::explore) fn would_wait(&self, read: EventId, write: EventId) -> bool {
        let event = self.graph().event(read);
        if event.flags & WAITS == 0 {
            return false;
        }
        let Request::Sync { operand, operation, .. } = self.states.request(event.snapshot) else {
            return false;
        };
        let value = self.graph().event(write).access().value;
        self.program.operation(operation).does_wait(&Inputs::new(value, event.thread, operand))
    }

    /// Of the options of a read that was put off, keeps those that it may see.
    #[cold]
    pub(in crate::explore) fn drop_sources_before(&mut self, first: usize, read: EventId) {
        let Explorer { choices, graphs, .. } = self;
        let graph = graphs.current();
        let event = graph.event(read);
        choices.retain_from(first, |write| graph.may_see(event.thread, event.index, write));
    }

    /// Pushes the places of a write that has just come to another graph, of which it is the newest event.
    pub(in crate::explore) fn find_places_again(&mut self, write: EventId) -> Result<(), Stop> {
        let event = *self.graph().event(write);
        if event.is_exclusive() {
            R::settle_for_write_half(self, event.po_prev);
            R::find_exclusive_place(self, write, self.graph().rf(event.po_prev))?;
        } else {
            self.graphs.settle();
            R::find_places(self, write)?;
        }
        Ok(())
    }

    /// Makes a write, the newest event of the current graph and not yet placed, put off a read: goes to the
    /// restricted graph without the read and takes the write's first place there. False if it has none.
    pub(in crate::explore) fn put_off(&mut self, read: EventId, write: EventId) -> Result<bool, Stop> {
        let write = self.graphs.enter_restriction_without(read, write);
        let first = self.choices.end();
        let event = *self.graph().event(write);
        self.find_places_again(write)?;
        let end = self.choices.end();
        let Some(after) = self.choices.option(first) else {
            self.graphs.leave();
            return Ok(false);
        };
        self.outcome.revisits += 1;
        if end - first > 1 {
            let pending: Pending = self.graph().thread(event.thread).pending;
            self.choices.push(Frame {
                choice: Choice::Place,
                level: self.graphs.level(),
                event: write,
                arena: self.states.mark(),
                mark: self.graph().mark(),
                after: pending,
                first,
                next: first + 1,
                revisits: end,
                end,
                share: 0,
            });
        } else {
            self.choices.forget_from(first);
        }
        self.place(write, after)?;
        Ok(true)
    }
}
