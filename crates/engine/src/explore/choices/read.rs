//! Adding reads: the writes they may see, and what follows from the value (Algorithm 1, lines 10-12;
//! read-modify-writes as in thesis §5.5).

use crate::consistency::Conditional;
use crate::detect::{check_new_access, uninitialized, unwritten, Finding};
use crate::explore::choices::extend::blame_event;
use crate::explore::choices::frames::{Choice, Frame};
use crate::explore::regimes::Regime;
use crate::explore::threads::states::States;
use crate::explore::{Explorer, Step, Stop};
use crate::graph::{
    read_class, Access, Event, Pending, ThreadStatus, COMPOUND, CONDITIONAL, EXCLUSIVE, WAITS,
};
use crate::ids::{EventId, LocId, ThreadId};
use crate::program::{region, Inputs, Mode, Operation, Program, Region};
use crate::vm::{Answer, PairAccess, Request, PAIR};

impl<R: Regime> Explorer<'_, R> {
    /// Adds the read half of something more than a load.
    pub(in crate::explore) fn add_compound(
        &mut self,
        mut event: Event,
        flags: u8,
        address: u64,
        size: u8,
    ) -> Result<Step, Stop> {
        event.flags = COMPOUND | flags;
        self.add_read(event, address, size)
    }

    pub(in crate::explore) fn add_read(
        &mut self,
        mut event: Event,
        address: u64,
        size: u8,
    ) -> Result<Step, Stop> {
        let loc = self.locate(address, size, false)?;
        *event.access_mut() = Access { address, size, loc, value: 0 };
        if !self.config.foreseen.is_empty() {
            return self.add_foreseen(event);
        }
        let first = self.choices.end();
        self.graphs.settle();
        let mark = self.graph().mark();
        let read = self.graphs.push(event);
        let condition = Condition::of(self.program, &self.states, &event);
        let writes = |value| condition.is_some_and(|condition| condition.holds(value));
        let initial = || self.locations.get(loc).initial;
        let conditional = condition.map(|condition| condition.classes(&event, initial(), &writes));
        R::find_sources(self, read, conditional.as_ref())?;
        if self.choices.end() == first {
            if R::HAS_GAPS && self.waits_for_others(read, mark) {
                return Ok(Step::Extended);
            }
            R::give_up(self)?;
        } else if R::HAS_GAPS {
            self.waiting.clear();
        }
        if self.graph().has_put_off() {
            self.drop_sources_before(first, read);
        }
        if event.flags & WAITS != 0 {
            self.drop_doomed_waits(first, &event);
        }
        let Some(source) = self.choices.option(first) else { return Ok(Step::Dropped) };
        if self.choices.end() - first > 1 {
            self.choices.push(Frame {
                choice: Choice::Source,
                level: self.graphs.level(),
                event: read,
                arena: self.states.mark(),
                mark,
                after: Pending::ABSENT,
                first,
                next: first + 1,
                revisits: self.choices.end(),
                end: self.choices.end(),
                share: 0,
            });
        } else {
            self.choices.forget_from(first);
        }
        self.read_from(read, source, false)?;
        Ok(Step::Extended)
    }

    /// A new read sees a write. `is_stale`: its rows show another.
    #[inline(always)]
    pub(in crate::explore) fn read_from(
        &mut self,
        read: EventId,
        source: EventId,
        is_stale: bool,
    ) -> Result<(), Stop> {
        self.shape(read, source);
        R::link_read(self, read, source, is_stale)?;
        self.deliver(read)
    }

    /// Makes a read whose mode and class depend on its value what it is when it sees a write.
    #[inline(always)]
    pub(in crate::explore) fn shape(&mut self, read: EventId, source: EventId) {
        let event = self.graph().event(read);
        if event.flags & CONDITIONAL != 0 {
            self.shape_conditional(read, source);
        }
    }

    fn shape_conditional(&mut self, read: EventId, source: EventId) {
        let event = *self.graph().event(read);
        let condition = Condition::asked(self.program, &self.states, &event);
        let stops = || self.annotations.stop(&self.states, self.graph(), read, source);
        let writes = R::is_met(self, &condition, read, source) && !stops();
        self.shape_by(read, &condition, writes);
    }

    /// Makes a read what it is if it is followed by its write, or if it is not.
    pub(in crate::explore) fn shape_by(&mut self, read: EventId, condition: &Condition, writes: bool) {
        let mut event = *self.graph().event(read);
        event.mode = if writes { condition.success } else { condition.failure };
        event.flags = if writes { event.flags | EXCLUSIVE } else { event.flags & !EXCLUSIVE };
        let graph = self.graphs.current_mut();
        let stored = graph.event_mut(read);
        (stored.mode, stored.flags) = (event.mode, event.flags);
        let class = event.classify();
        if class != stored.class {
            self.plan.upkeep().reclassify(graph, read, class);
        }
    }

    /// The value of a write of a location.
    #[inline]
    pub(in crate::explore) fn value_of(&self, loc: LocId, write: EventId) -> u64 {
        self.locations.value_of(self.graph(), loc, write)
    }

    /// Gives a linked read its value and lets its thread go on.
    pub(in crate::explore) fn deliver(&mut self, read: EventId) -> Result<(), Stop> {
        R::check_read(self, read)?;
        let event = *self.graph().event(read);
        let access = event.access();
        let value = R::value_read(self, read, access.loc);
        self.graph_mut().event_mut(read).access_mut().value = value;
        let is_pair = R::HAS_CELLS && access.size == PAIR;
        if is_pair {
            R::keep_pair(self, read);
        }
        match region(access.address) {
            Region::SHARED => self.check_shared_read(read)?,
            _ => self.check_race(read)?,
        }
        if self.annotations.exist() {
            self.check_annotated_read(read)?;
        }
        if is_pair {
            self.deliver_pair(read);
            return Ok(());
        }
        if event.is_load() {
            self.proceed(event.thread, event.snapshot, Answer::Value(value));
            return Ok(());
        }
        self.deliver_compound(read, &event, value)
    }

    /// The first half of something more than a load has its value: does it write?
    fn deliver_compound(&mut self, read: EventId, event: &Event, value: u64) -> Result<(), Stop> {
        if event.is_exclusive() {
            self.await_write_half(read);
            return Ok(());
        }
        if R::HAS_GAPS {
            self.graph_mut().leave_room_for_write_half(read);
        }
        match self.states.request(event.snapshot) {
            Request::Cas { expected, .. } if value == expected => self.stop_exchange(read)?,
            Request::Cas { .. } => {
                let answer = Answer::Exchange { old: value, success: false };
                self.proceed(event.thread, event.snapshot, answer);
            }
            Request::Sync { operand, operation, .. } => {
                self.deliver_sync(event, value, operand, operation)?
            }
            other => unreachable!("{other:?} is not a read"),
        }
        Ok(())
    }

    /// All that may be wrong with a read of an object whose life has a start and an end.
    fn check_shared_read(&mut self, read: EventId) -> Result<(), Stop> {
        self.graphs.settle();
        let graph = self.graph();
        let event = graph.event(read);
        let before = |access, end| self.graphs.happens_before(access, end);
        check_new_access(graph, &self.memory, &before, (read, event.access().address))
            .map_err(|f| blame_event(f, event))?;
        if self.sees_unwritten(read) && !self.states.only_moves(event.snapshot) {
            return Err(blame_event(Finding::unwritten(), event));
        }
        self.check_race(read)?;
        self.check_started(read)
    }

    /// Whether a read sees bytes that were never written.
    #[inline(always)]
    fn sees_unwritten(&self, read: EventId) -> bool {
        let graph = self.graph();
        if !R::HAS_CELLS {
            return uninitialized(graph, &self.memory, read);
        }
        graph.cells.linked(read).any(|(cell, source)| {
            let (address, size) = self.locations.name(cell);
            source.is_none() && unwritten(graph, &self.memory, address, size)
        })
    }

    /// The read is the first half of a read-modify-write that writes.
    pub(in crate::explore) fn await_write_half(&mut self, read: EventId) {
        let event = self.graph().event(read);
        let (thread, snapshot) = (event.thread, event.snapshot);
        self.graph_mut().thread_mut(thread).pending =
            Pending { snapshot, status: ThreadStatus::Exclusive, other: ThreadId(0) };
    }
}

/// When a read is followed by its write, and its mode if so and if not.
#[derive(Clone, Copy)]
pub(in crate::explore) struct Condition<'p> {
    test: Test<'p>,
    success: Mode,
    failure: Mode,
}

#[derive(Clone, Copy)]
enum Test<'p> {
    /// If this is the value.
    Equals(u64),
    /// If this is the value of 16 bytes.
    EqualsPair(u128),
    /// If this operation, applied to the value, writes.
    Writes(&'p Operation, Inputs),
}

impl<'p> Condition<'p> {
    /// The condition of a read that is followed by its write for some values only.
    #[inline]
    pub(in crate::explore) fn of(
        program: &'p Program,
        states: &States,
        event: &Event,
    ) -> Option<Condition<'p>> {
        (event.flags & CONDITIONAL != 0).then(|| Condition::asked(program, states, event))
    }

    fn asked(program: &'p Program, states: &States, event: &Event) -> Condition<'p> {
        match states.request(event.snapshot) {
            Request::Cas { expected, mode, failure, .. } => {
                Condition { test: Test::Equals(expected), success: read_half(mode), failure }
            }
            Request::Pair { access: PairAccess::Cas(failure), mode, .. } => {
                let expected = states.pair_operands(event.snapshot).first;
                Condition { test: Test::EqualsPair(expected), success: read_half(mode), failure }
            }
            Request::Sync { operand, operation, .. } => {
                let operation = program.operation(operation);
                let test = match operation.only_changes {
                    Some(value) => Test::Equals(value),
                    None => Test::Writes(operation, Inputs::new(0, event.thread, operand)),
                };
                let success = operation.reads.expect("an operation that does not read has no condition");
                Condition { test, success, failure: operation.fails }
            }
            other => unreachable!("{other:?} writes whatever it reads"),
        }
    }

    /// How the class of the read depends on its value. `writes` is `holds`, and `initial` what the initial write holds.
    #[inline]
    pub(in crate::explore) fn classes<'a>(
        &self,
        event: &Event,
        initial: u64,
        writes: &'a dyn Fn(u64) -> bool,
    ) -> Conditional<'a> {
        Conditional {
            writes,
            writing: read_class(self.success, event.flags | EXCLUSIVE),
            failing: read_class(self.failure, event.flags & !EXCLUSIVE),
            initial,
        }
    }

    /// The value that it must be, if that has 16 bytes.
    pub(in crate::explore) fn expected_pair(&self) -> Option<u128> {
        match self.test {
            Test::EqualsPair(expected) => Some(expected),
            _ => None,
        }
    }

    #[inline]
    pub(in crate::explore) fn holds(&self, value: u64) -> bool {
        match self.test {
            Test::Equals(expected) => value == expected,
            Test::EqualsPair(_) => unreachable!("the value has 16 bytes"),
            Test::Writes(operation, inputs) => operation.does_write(&inputs.with(value)),
        }
    }
}

/// The mode of the read half of a read-modify-write.
pub(in crate::explore) fn read_half(mode: Mode) -> Mode {
    mode.read_half()
}
