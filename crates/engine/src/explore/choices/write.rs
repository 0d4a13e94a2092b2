//! Adding writes: their places in coherence order, and the reads they might revisit
//! (Algorithm 1, lines 13-18; read-modify-writes as in thesis §5.5).

use crate::detect::check_new_access;
use crate::explore::choices::extend::{blame, blame_event};
use crate::explore::choices::frames::{Choice, Frame};
use crate::explore::regimes::Regime;
use crate::explore::sync;
use crate::explore::threads::states::States;
use crate::explore::{Explorer, Step, Stop};
use crate::graph::{Access, Event, Payload, CHECKED, EXCLUSIVE, SECTION};
use crate::ids::{EventId, ThreadId};
use crate::program::{region, Mode, Program, Region};
use crate::vm::{apply_rmw, Answer, Request, Snapshot, PAIR};

impl<R: Regime> Explorer<'_, R> {
    /// Adds a write of the event's value.
    pub(in crate::explore) fn add_write(
        &mut self,
        mut event: Event,
        address: u64,
        size: u8,
    ) -> Result<Step, Stop> {
        let (thread, at) = (event.thread, event.snapshot);
        let loc = self.locate(address, size, true)?;
        *event.access_mut() = Access { address, size, loc, value: event.access().value };
        let first = self.choices.end();
        self.graphs.settle();
        let write = self.graphs.push(event);
        R::find_places(self, write)?;
        if self.choices.end() == first {
            R::give_up(self)?;
        }
        let revisits = self.choices.end();
        R::find_revisits(self, write)?;
        if self.choices.end() == first {
            return Ok(Step::Dropped);
        }
        self.proceed(thread, at, Answer::None);
        self.choose_place(write, thread, first, revisits)
    }

    /// Adds the write half of a read-modify-write whose read half is the thread's newest event.
    /// If another RMW has read from the same write, this one only revisits, and is then dropped.
    pub(in crate::explore) fn add_exclusive_write(
        &mut self,
        thread: ThreadId,
        at: Snapshot,
    ) -> Result<Step, Stop> {
        let read_id = self.graph().thread(thread).last;
        if R::HAS_SECTIONS && self.graph().is_in_section(read_id) {
            return R::go_on_with_section(self, read_id);
        }
        let read = *self.graph().event(read_id);
        let access = *read.access();
        let (value, mode, answer) = if R::HAS_CELLS && access.size == PAIR {
            let (value, mode, answer) = self.pair_write_half(read_id, at);
            (value as u64, mode, answer)
        } else {
            write_half(self.program, &self.states, &read, at)
        };
        let event = exclusive_write(thread, mode, at, Access { value, ..access });
        if self.locations.get(access.loc).is_global {
            // The read half was checked; only writing to constant memory is new.
            self.locate(access.address, access.size, true).map_err(|f| blame(f.into(), thread))?;
        }
        let first = self.choices.end();
        R::settle_for_write_half(self, read_id);
        let write = self.graphs.push(event);
        R::find_exclusive_place(self, write, self.graph().rf(read_id))?;
        let revisits = self.choices.end();
        R::find_revisits(self, write)?;
        if self.choices.end() == first {
            return Ok(Step::Dropped);
        }
        self.proceed(thread, at, answer);
        self.choose_place(write, thread, first, revisits)
    }

    /// Takes the first place of a new write, and remembers the other places and the revisits.
    pub(in crate::explore) fn choose_place(
        &mut self,
        write: EventId,
        thread: ThreadId,
        first: usize,
        revisits: usize,
    ) -> Result<Step, Stop> {
        let end = self.choices.end();
        let place = self.choices.option(first).filter(|_| revisits > first);
        if let (Some(place), true) = (place, end - first == 1) {
            self.choices.forget_from(first);
            self.place(write, place)?;
            return Ok(Step::Extended);
        }
        self.choices.push(Frame {
            choice: Choice::Place,
            level: self.graphs.level(),
            event: write,
            arena: self.states.mark(),
            mark: self.graph().mark(),
            after: self.graph().thread(thread).pending,
            first,
            next: first + usize::from(place.is_some()),
            revisits,
            end,
            share: 0,
        });
        let Some(place) = place else { return Ok(Step::Dropped) };
        self.place(write, place)?;
        Ok(Step::Extended)
    }

    /// Puts a write directly after another in coherence order.
    pub(in crate::explore) fn place(&mut self, write: EventId, after: EventId) -> Result<(), Stop> {
        R::link_write(self, write, after)?;
        self.check_placed(write)
    }

    /// Whether a write that was just placed is an error.
    pub(in crate::explore) fn check_placed(&mut self, write: EventId) -> Result<(), Stop> {
        if self.annotations.exist() {
            self.check_annotated_write(write)?;
        }
        let event = self.graph().event(write);
        if R::HAS_SECTIONS && event.flags & SECTION != 0 {
            return R::check_section(self, write);
        }
        let is_checked = event.flags & CHECKED != 0;
        if region(event.access().address) == Region::SHARED {
            return self.check_shared_write(write, is_checked);
        }
        if is_checked {
            self.check_overwritten(write)?;
        }
        self.check_race(write)
    }

    /// As `check_placed`, for a write of an object whose life has a start and an end.
    fn check_shared_write(&mut self, write: EventId, is_checked: bool) -> Result<(), Stop> {
        self.graphs.settle();
        let graph = self.graph();
        let event = graph.event(write);
        let before = |access, end| self.graphs.happens_before(access, end);
        check_new_access(graph, &self.memory, &before, (write, event.access().address))
            .map_err(|f| blame_event(f, event))?;
        if is_checked {
            self.check_overwritten(write)?;
        }
        self.check_race(write)?;
        self.check_started(write)
    }
}

/// What the write half of a read-modify-write writes, how strongly, and what the thread gets as its result.
pub(in crate::explore) fn write_half(
    program: &Program,
    states: &States,
    read: &Event,
    at: Snapshot,
) -> (u64, Mode, Answer) {
    let old = read.access().value;
    match states.request(at) {
        Request::Rmw { size, mode, op, operand, .. } => {
            (apply_rmw(op, old, operand, size), write_half_mode(mode), Answer::Value(old))
        }
        Request::Cas { mode, new, .. } => {
            (new, write_half_mode(mode), Answer::Exchange { old, success: true })
        }
        Request::Sync { operand, operation, .. } => {
            sync::write_half(program.operation(operation), read, operand)
        }
        other => unreachable!("{other:?} is not a read-modify-write"),
    }
}

/// The write half of a read-modify-write.
pub(in crate::explore) fn exclusive_write(
    thread: ThreadId,
    mode: Mode,
    at: Snapshot,
    access: Access,
) -> Event {
    let mut event = Event::new(thread, Payload::WRITE, mode, at);
    *event.access_mut() = access;
    event.flags = EXCLUSIVE;
    event
}

/// The mode of the write half of a read-modify-write.
pub(in crate::explore) fn write_half_mode(mode: Mode) -> Mode {
    mode.write_half()
}
