//! Adding reads: the writes they may see, and what follows from the value (Algorithm 1, lines 10-12;
//! read-modify-writes as in thesis §5.5).

use super::extend::blame_event;
use super::frames::{Choice, Frame};
use super::{Explorer, Step, Stop};
use crate::detect::{check_new_access, uninitialized, Finding};
use crate::graph::{Class, Event, Pending, COMPOUND, EXCLUSIVE, LOCK};
use crate::ids::{EventId, LocId, ThreadId};
use crate::program::{region, Mode, Region};
use crate::vm::{Answer, Request};

impl Explorer<'_> {
    /// Adds the read half of something more than a load.
    pub(super) fn add_compound(
        &mut self,
        mut event: Event,
        flags: u8,
        address: u64,
        size: u8,
    ) -> Result<Step, Stop> {
        event.flags = COMPOUND | flags;
        self.add_read(event, address, size)
    }

    pub(super) fn add_read(&mut self, mut event: Event, address: u64, size: u8) -> Result<Step, Stop> {
        event.loc = self.locate(address, size, false)?;
        (event.address, event.size) = (address, size);
        let first = self.options.len();
        let graph = &mut self.graphs[self.level];
        self.plan.settle_orders(graph);
        let trail = graph.views.mark();
        let read = graph.push(event);
        self.plan.readable(graph, read, &mut self.options);
        if event.flags & LOCK != 0 {
            self.drop_doomed_locks(first, event.loc);
        }
        let source = self.options[first];
        if self.options.len() - first > 1 {
            self.frames.push(Frame {
                choice: Choice::Source,
                level: self.level,
                event: read,
                arena: self.arena.len(),
                trail,
                after: Pending::ABSENT,
                first,
                next: first + 1,
                revisits: self.options.len(),
                end: self.options.len(),
            });
        } else {
            self.options.truncate(first);
        }
        self.read_from(read, source)?;
        Ok(Step::Extended)
    }

    /// A new read sees a write.
    #[inline]
    pub(super) fn read_from(&mut self, read: EventId, source: EventId) -> Result<(), Stop> {
        let graph = &mut self.graphs[self.level];
        graph.link_read(read, source);
        self.plan.order_read(graph, read);
        self.deliver(read)
    }

    /// The value of a write of a location.
    #[inline]
    pub(super) fn value_of(&self, loc: LocId, write: EventId) -> u64 {
        if write.is_some() {
            self.graph().event(write).value
        } else {
            self.locations.get(loc).initial
        }
    }

    /// Gives a linked read its value and lets its thread go on.
    pub(super) fn deliver(&mut self, read: EventId) -> Result<(), Stop> {
        let event = *self.graph().event(read);
        let value = self.value_of(event.loc, event.rf);
        self.graph_mut().event_mut(read).value = value;
        if region(event.address) == Region::SHARED {
            self.check_shared_read(read)?;
        }
        if event.is_load() {
            self.proceed(event.thread, event.snapshot, Answer::Value(value));
            return Ok(());
        }
        self.deliver_compound(read, &event, value)
    }

    /// The first half of something more than a load has its value: does it write?
    fn deliver_compound(&mut self, read: EventId, event: &Event, value: u64) -> Result<(), Stop> {
        self.graph_mut().event_mut(read).flags &= !EXCLUSIVE;
        match self.vm.request(&self.arena, event.snapshot) {
            Request::Rmw { .. } => self.await_write_half(read),
            Request::Cas { expected, mode, .. } if value == expected => {
                self.graph_mut().event_mut(read).mode = read_half(mode);
                self.await_write_half(read);
            }
            Request::Cas { failure, .. } => {
                self.graph_mut().event_mut(read).mode = failure;
                let answer = Answer::Exchange { old: value, success: false };
                self.proceed(event.thread, event.snapshot, answer);
            }
            Request::Lock { .. } | Request::TryLock { .. } => self.deliver_mutex(read, value)?,
            other => unreachable!("{other:?} is not a read"),
        }
        Ok(())
    }

    fn check_shared_read(&mut self, read: EventId) -> Result<(), Stop> {
        self.plan.settle_orders(&mut self.graphs[self.level]);
        let graph = self.graph();
        let event = graph.event(read);
        check_new_access(graph, &self.memory, self.plan.happens_before, read)
            .map_err(|f| blame_event(f, event))?;
        if uninitialized(graph, &self.memory, event) && !self.vm.only_moves(&self.arena, event.snapshot) {
            let finding = Finding::violation("uninitialized", "read of memory that nobody wrote");
            return Err(blame_event(finding, event));
        }
        Ok(())
    }

    /// The read is the first half of a read-modify-write that writes.
    pub(super) fn await_write_half(&mut self, read: EventId) {
        let event = self.graph_mut().event_mut(read);
        event.flags |= EXCLUSIVE;
        let (thread, snapshot) = (event.thread, event.snapshot);
        self.graph_mut().thread_mut(thread).pending =
            Pending { snapshot, class: Class::Exclusive, other: ThreadId(0) };
    }
}

/// The mode of the read half of a read-modify-write.
pub(super) fn read_half(mode: Mode) -> Mode {
    match mode {
        Mode::Acq | Mode::AcqRel => Mode::Acq,
        Mode::Sc => Mode::Sc,
        Mode::Na | Mode::Rlx | Mode::Rel => Mode::Rlx,
    }
}
