//! Adding events: the forward half of VISIT (Algorithm 1, lines 5-14 and 19).

use super::frames::{Choice, Frame};
use super::{Explorer, Step, Stop};
use crate::detect::Finding;
use crate::detect::{
    accessible, check_accesses_before, check_free, check_new_access, object_size, uninitialized,
};
use crate::graph::{Class, Event, Label, Pending, ThreadState, COMPOUND, EXCLUSIVE, STACK, ZEROED};
use crate::ids::{EventId, FunctionId, LocId, ThreadId};
use crate::program::{function_index, region, Mode, Region};
use crate::vm::{Answer, Request, Snapshot};

/// The last thread that an address has room for.
const MOST_THREADS: usize = 0xffff;

impl Explorer<'_> {
    /// Adds the next event, if a thread can go on.
    #[inline]
    pub(super) fn step(&mut self) -> Result<Step, Stop> {
        let graph = &self.graphs[self.level];
        let Some(thread) = self.schedule.next(graph, self.threads.len()) else {
            return Ok(Step::Full);
        };
        self.outcome.events += 1;
        let pending = graph.thread(thread).pending;
        if pending.class == Class::Exclusive {
            return self.add_exclusive_write(thread, pending.snapshot);
        }
        self.guard_length(thread)?;
        let request = self.vm.request(&self.arena, pending.snapshot);
        self.add_event(thread, pending.snapshot, request).map_err(|stop| blame(stop, thread))
    }

    /// A thread with this many events is taken for one that does not end.
    fn guard_length(&self, thread: ThreadId) -> Result<(), Stop> {
        if self.config.unroll.is_none() && self.graph().thread(thread).count >= self.config.event_limit {
            let message = format!("a thread has made {} events", self.config.event_limit);
            return Err(blame(Finding::refusal("endless-loop", message).into(), thread));
        }
        Ok(())
    }

    fn add_event(&mut self, thread: ThreadId, at: Snapshot, request: Request) -> Result<Step, Stop> {
        match request {
            Request::Load { address, size, mode } => {
                self.add_read(Event::new(thread, Label::Read, mode, at), address, size)
            }
            Request::Rmw { address, size, mode, .. } | Request::Cas { address, size, mode, .. } => {
                let mut event = Event::new(thread, Label::Read, read_half(mode), at);
                event.flags = COMPOUND;
                self.add_read(event, address, size)
            }
            Request::Lock { address } | Request::TryLock { address } => {
                let mut event = Event::new(thread, Label::Read, Mode::Acq, at);
                event.flags = COMPOUND;
                self.add_read(event, address, 4)
            }
            Request::Store { address, size, mode, value } => {
                self.add_write(thread, at, address, size, mode, value)
            }
            Request::Unlock { .. } | Request::MutexInit { .. } | Request::MutexDestroy { .. } => {
                self.add_mutex_write(thread, at, request)
            }
            Request::Fence { mode } => self.add_plain(Event::new(thread, Label::Fence, mode, at)),
            Request::Alloc { address, size, zeroed, stack } => {
                let mut event = Event::new(thread, Label::Alloc, Mode::Na, at);
                (event.address, event.value) = (address, size);
                event.flags = if zeroed { ZEROED } else { 0 } | if stack { STACK } else { 0 };
                self.add_plain(event)
            }
            Request::Free { address, stack } => self.add_free(thread, at, address, stack),
            Request::Create { function, argument } => self.add_create(thread, at, function, argument),
            Request::Join { thread: value } => self.add_join(thread, at, value),
            Request::Fault(fault) => Err(Finding::from_fault(fault, self.program).into()),
            Request::ObjectSize { .. } => {
                Err(Finding::violation("invalid-free", "realloc of what is not a heap object").into())
            }
            Request::Print { .. } | Request::Done { .. } | Request::Blocked | Request::Cut { .. } => {
                unreachable!("these requests are never scheduled")
            }
        }
    }

    /// Adds an event without choices; the thread goes on at once.
    fn add_plain(&mut self, event: Event) -> Result<Step, Stop> {
        let (thread, snapshot) = (event.thread, event.snapshot);
        self.graph_mut().push(event);
        self.proceed(thread, snapshot, Answer::None);
        Ok(Step::Extended)
    }

    fn add_free(&mut self, thread: ThreadId, at: Snapshot, address: u64, stack: bool) -> Result<Step, Stop> {
        let alloc = check_free(self.graph(), &self.memory, address, stack)?;
        let size = object_size(self.graph(), &self.memory, address).unwrap_or(0);
        let mut event = Event::new(thread, Label::Free, Mode::Na, at);
        event.address = address;
        event.rf = alloc;
        event.flags = if stack { STACK } else { 0 };
        let end = self.graph_mut().push(event);
        self.plan.settle_orders(&mut self.graphs[self.level]);
        check_accesses_before(self.graph(), end, address, size)?;
        self.proceed(thread, at, Answer::None);
        Ok(Step::Extended)
    }

    fn add_create(
        &mut self,
        thread: ThreadId,
        at: Snapshot,
        function: u64,
        argument: u64,
    ) -> Result<Step, Stop> {
        let nth = self.vm.children(&self.arena, at);
        let child = self.threads.child(thread, nth).ok_or(Stop::TooManyThreads)?;
        if child.at() > MOST_THREADS {
            return Err(Finding::refusal("unsupported", "more than 65536 threads").into());
        }
        let mut event = Event::new(thread, Label::Create, Mode::Na, at);
        event.value = u64::from(child.0);
        let creator = self.graph_mut().push(event);
        *self.graph_mut().thread_mut(child) = ThreadState { creator, ..ThreadState::ABSENT };
        let function = FunctionId(function_index(function).expect("the VM checked the address"));
        let (snapshot, request) = self.vm.spawn(&mut self.arena, child, function, &[argument]);
        self.settle(child, snapshot, request);
        self.proceed(thread, at, Answer::Value(u64::from(child.0) + 1));
        Ok(Step::Extended)
    }

    fn add_join(&mut self, thread: ThreadId, at: Snapshot, value: u64) -> Result<Step, Stop> {
        let Some(other) = self.joinable(value) else {
            return Err(Finding::violation("thread", format!("join of {value}, which is no thread")).into());
        };
        let done = self.graph().thread(other).pending.snapshot;
        let Request::Done { value } = self.vm.request(&self.arena, done) else {
            unreachable!("a join is scheduled when its thread is done")
        };
        let mut event = Event::new(thread, Label::Join, Mode::Na, at);
        event.value = u64::from(other.0);
        let graph = &mut self.graphs[self.level];
        let end = graph.frontier(other);
        let join = graph.push(event);
        for order in 0..graph.views.orders() {
            graph.views.join(join.at(), end.at(), order);
        }
        self.proceed(thread, at, Answer::Value(value));
        Ok(Step::Extended)
    }

    fn joinable(&self, value: u64) -> Option<ThreadId> {
        let thread = self.threads.named(value)?;
        (self.graph().thread(thread).pending.class != Class::Absent && thread.0 != 0).then_some(thread)
    }

    /// The location of an access, if it may happen.
    #[inline]
    pub(super) fn locate(&mut self, address: u64, size: u8, writes: bool) -> Result<LocId, Finding> {
        let id = match self.locations.find(address, size) {
            Some(id) => id,
            None => self.new_location(address, size)?,
        };
        let location = self.locations.get(id);
        if !location.is_global {
            accessible(self.graph(), &self.memory, address, size)?;
        } else if writes && location.is_constant {
            return Err(Finding::violation("unallocated", "write to constant memory"));
        }
        if self.locations.mixed_with(id, self.graph()).is_some() {
            let message = "accesses of different sizes to the same bytes";
            return Err(Finding::refusal("mixed-size", message));
        }
        let count = self.locations.len();
        self.graph_mut().reserve_locs(count);
        Ok(id)
    }

    fn new_location(&mut self, address: u64, size: u8) -> Result<LocId, Finding> {
        if region(address) == Region::GLOBAL {
            if self.memory.global(address, u64::from(size)).is_none() {
                return Err(Finding::unallocated(address, u64::from(size)));
            }
        } else {
            accessible(self.graph(), &self.memory, address, size)?;
        }
        Ok(self.locations.add(address, size, &self.memory))
    }

    fn add_read(&mut self, mut event: Event, address: u64, size: u8) -> Result<Step, Stop> {
        event.loc = self.locate(address, size, false)?;
        (event.address, event.size) = (address, size);
        let first = self.options.len();
        let graph = &mut self.graphs[self.level];
        self.plan.settle_orders(graph);
        let trail = graph.views.mark();
        let read = graph.push(event);
        self.plan.readable(graph, read, &mut self.options);
        if !event.is_load() {
            self.drop_doomed_locks(event.snapshot, first, event.loc);
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
        check_new_access(graph, &self.memory, read).map_err(|f| blame_event(f, event))?;
        if uninitialized(graph, &self.memory, event) {
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

    /// Resumes a thread with an answer, up to its next request.
    #[inline]
    pub(super) fn proceed(&mut self, thread: ThreadId, from: Snapshot, answer: Answer) {
        let (snapshot, request) = self.vm.resume(&mut self.arena, from, answer);
        self.settle(thread, snapshot, request);
    }

    /// Notes a thread's next request; those that no other thread can see are answered here.
    #[inline]
    pub(super) fn settle(&mut self, thread: ThreadId, mut snapshot: Snapshot, mut request: Request) {
        loop {
            let mut other = ThreadId(0);
            let class = match request {
                Request::Load { .. }
                | Request::Rmw { .. }
                | Request::Cas { .. }
                | Request::Lock { .. }
                | Request::TryLock { .. } => Class::Read,
                Request::Join { thread: value } => match self.joinable(value) {
                    Some(waited) => {
                        other = waited;
                        Class::Join
                    }
                    None => Class::Ready,
                },
                Request::Done { .. } => Class::Done,
                Request::Blocked => Class::Blocked,
                Request::Cut { .. } => Class::Cut,
                Request::Fault(_) => Class::Fault,
                Request::Print { .. } => {
                    self.print(thread, snapshot);
                    (snapshot, request) = self.vm.resume_in_place(&mut self.arena, snapshot, Answer::None);
                    continue;
                }
                Request::ObjectSize { address } => match object_size(self.graph(), &self.memory, address) {
                    Some(size) => {
                        let answer = Answer::Value(size);
                        (snapshot, request) = self.vm.resume_in_place(&mut self.arena, snapshot, answer);
                        continue;
                    }
                    None => Class::Ready,
                },
                _ => Class::Ready,
            };
            self.graph_mut().thread_mut(thread).pending = Pending { snapshot, class, other };
            return;
        }
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

/// Says that a finding is about an event of the graph.
pub(super) fn blame_event(mut finding: Finding, event: &Event) -> Stop {
    finding.thread = event.thread;
    finding.at = Some(event.snapshot);
    Stop::Finding(finding)
}

/// Says whose finding it is.
pub(super) fn blame(stop: Stop, thread: ThreadId) -> Stop {
    match stop {
        Stop::Finding(mut finding) => {
            finding.thread = thread;
            Stop::Finding(finding)
        }
        Stop::TooManyThreads => Stop::TooManyThreads,
    }
}
