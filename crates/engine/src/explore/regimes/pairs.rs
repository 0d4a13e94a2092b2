//! Accesses of 16 bytes: an event's own value has room for the lower half only, so its pieces have values.
//!
//! I1: a cell has 8 bytes at most, so such an access has at least two pieces.
//! I2: the pieces of a write have their values when it gets its cells, those of a read when it gets its value.

use crate::explore::choices::read::{read_half, Condition};
use crate::explore::choices::write::write_half_mode;
use crate::explore::regimes::Regime;
use crate::explore::{Explorer, Step, Stop};
use crate::graph::{Event, Payload, CONDITIONAL, EXCLUSIVE};
use crate::ids::{EventId, ThreadId};
use crate::program::Mode;
use crate::vm::{Answer, PairAccess, Request, Snapshot, PAIR};

impl<R: Regime> Explorer<'_, R> {
    /// What an access of 16 bytes reads or writes.
    pub(in crate::explore) fn pair(&self, event: EventId) -> u128 {
        self.locations.pair(self.graph(), event)
    }

    /// A read of 16 bytes has its value: the thread goes on, unless it writes next.
    pub(in crate::explore) fn deliver_pair(&mut self, read: EventId) {
        let event = *self.graph().event(read);
        if event.is_exclusive() {
            self.await_write_half(read);
        } else {
            self.proceed(event.thread, event.snapshot, Answer::of_pair(self.pair(read), false));
        }
    }

    /// What the write half of an access of 16 bytes writes, how strongly, and what the thread is told.
    pub(in crate::explore) fn pair_write_half(&self, read: EventId, at: Snapshot) -> (u128, Mode, Answer) {
        let Request::Pair { mode, access, .. } = self.states.request(at) else {
            unreachable!("it reads and writes 16 bytes");
        };
        let old = self.pair(read);
        let new = access.written(old, &self.states.pair_operands(at)).expect("it writes");
        (new, write_half_mode(mode), Answer::of_pair(old, true))
    }

    /// Gives the pieces of a new write of 16 bytes their values.
    pub(super) fn keep_pair_written(&mut self, write: EventId) {
        let event = *self.graph().event(write);
        let value = match event.is_exclusive() {
            true => self.pair_write_half(event.po_prev, event.snapshot).0,
            false => self.states.pair_operands(event.snapshot).first,
        };
        self.keep_pair(write, value);
    }

    /// Gives the pieces of a read of 16 bytes their values.
    pub(super) fn keep_pair_read(&mut self, read: EventId) {
        let graph = self.graph();
        let sources = graph.cells.sources(read).iter().copied();
        let value = self.locations.assemble_pair(graph, graph.event(read).access(), sources);
        self.keep_pair(read, value);
    }

    fn keep_pair(&mut self, event: EventId, value: u128) {
        let graph = self.graphs.current_mut();
        let access = *graph.event(event).access();
        let parts = self.locations.parts_of_pair(&access, value);
        graph.cells.set_values(event, &parts);
    }

    /// Whether a read whose write depends on its value is followed by it if it takes its cells from these writes.
    pub(super) fn is_met(
        &self,
        condition: &Condition,
        read: &Event,
        sources: impl Iterator<Item = EventId>,
    ) -> bool {
        let (graph, access) = (self.graph(), read.access());
        match condition.expected_pair() {
            Some(expected) => self.locations.assemble_pair(graph, access, sources) == expected,
            None => condition.holds(self.locations.assemble(graph, access, sources)),
        }
    }

    /// Adds the event, or the first of two, of an access of 16 bytes.
    pub(super) fn add_pair_event(
        &mut self,
        thread: ThreadId,
        at: Snapshot,
        (address, mode): (u64, Mode),
        access: PairAccess,
    ) -> Result<Step, Stop> {
        let read = |mode| Event::new(thread, Payload::READ, mode, at);
        match access {
            PairAccess::Load => self.add_read(read(mode), address, PAIR),
            PairAccess::Rmw(_) => self.add_compound(read(read_half(mode)), EXCLUSIVE, address, PAIR),
            PairAccess::Cas(_) => self.add_compound(read(read_half(mode)), CONDITIONAL, address, PAIR),
            PairAccess::Store => {
                let mut event = Event::new(thread, Payload::WRITE, mode, at);
                event.access_mut().value = self.states.pair_operands(at).first as u64;
                self.add_write(event, address, PAIR)
            }
        }
    }
}
