//! Adding events: the forward half of VISIT (Algorithm 1, lines 5-14 and 19).

use crate::detect::Finding;
use crate::detect::{check_accesses_before, check_begun, check_free, object_size};
use crate::detect::{Refusal, Violation};
use crate::explore::choices::locate::too_many_ways;
use crate::explore::regimes::{astray, Regime};
use crate::explore::threads::numbers::ThreadTable;
use crate::explore::threads::states::States;
use crate::explore::{Explorer, Step, Stop};
use crate::graph::{Event, Free, Graph, Mark, Payload, Pending, ThreadState, ThreadStatus, CONDITIONAL};
use crate::ids::{EventId, FunctionId, LocId, ThreadId};
use crate::program::{function_index, thread_of, Mode, Owner};
use crate::vm::{Answer, Arena, Fault, PairAccess, Request, Snapshot};

/// The last thread that an address has room for.
const MOST_THREADS: usize = 0xffff;
/// How many steps of a thread take as long as answering one of its requests.
const STEPS_OF_AN_ANSWER: u64 = 16;
/// Steps after which a thread that makes such requests does not end.
const MOST_PATIENCE: u64 = 200_000_000;

impl<R: Regime> Explorer<'_, R> {
    /// Adds the next event, if a thread can go on.
    #[inline(always)]
    pub(in crate::explore) fn step(&mut self) -> Result<Step, Stop> {
        if let Some(thread) = self.stopped {
            self.stopped = None;
            if self.is_futile(thread) {
                return Ok(Step::Dropped);
            }
        }
        let next = match R::HAS_GAPS {
            true => self.next_with_gaps(),
            false => self.schedule.next(self.graphs.current(), self.threads.len()),
        };
        let Some(thread) = next else {
            return Ok(Step::Full);
        };
        let thread = if self.postponement.is_on() { self.unless_it_waits(thread) } else { thread };
        let graph = self.graphs.current();
        let pending = graph.thread(thread).pending;
        let is_join = pending.status == ThreadStatus::Join;
        if is_join && !self.annotations.exist() && self.only_joins_are_left(thread) {
            return Ok(Step::Ended);
        }
        R::stage(self, pending.snapshot);
        match pending.status {
            ThreadStatus::Ready | ThreadStatus::Read => {}
            ThreadStatus::Exclusive => {
                self.outcome.events += 1;
                return self.add_exclusive_write(thread, pending.snapshot);
            }
            ThreadStatus::Meet => {
                self.outcome.events += 1;
                return Ok(self.add_departure(thread, pending.snapshot));
            }
            ThreadStatus::Astray => return Err(blame(astray().into(), thread)),
            _ => {}
        }
        self.outcome.events += 1;
        self.guard_endless(thread)?;
        let request = self.states.request(pending.snapshot);
        self.add_event(thread, pending.snapshot, request).map_err(|stop| blame(stop, thread))
    }

    /// The thread whose turn it is where threads may have gaps.
    ///
    /// A compare-exchange comes last: if it succeeds, it may come before what follows it, and executions in which it fails
    /// are found best if what it sees then is there already. One that orders more if it fails does not, because then some
    /// executions in which it succeeds would be missed. Behind a gap, what was kept may be there only if it fails
    /// (`missed`), whatever it orders; so one that closes a gap comes after all others, and of several of them first one
    /// that sees something which lets it be there (`waits_for_others`).
    fn next_with_gaps(&self) -> Option<ThreadId> {
        let (graph, threads) = (self.graphs.current(), self.threads.len());
        let is_put_off = |thread: ThreadId| {
            let request = self.states.request(graph.thread(thread).pending.snapshot);
            let is_in_gap = graph.thread(thread).tail.is_some();
            self.is_about_to_compare(request) && (is_in_gap || !request.orders_more_if_it_fails())
        };
        let next_but = |is_put_off: &dyn Fn(ThreadId) -> bool| match self.plan.checks().extends() {
            true => self.schedule.next_but(graph, threads, is_put_off),
            false => self.schedule.next_with_gaps_first(graph, threads, is_put_off),
        };
        next_but(&is_put_off)
            .or_else(|| next_but(&|thread| self.closes_gap(thread)))
            .or_else(|| next_but(&|thread| self.waiting.contains(&thread)))
            .or_else(|| next_but(&|_| false))
            .or_else(|| self.schedule.first_fault(graph, threads))
    }

    /// Whether a thread is about to fill a gap by a compare-exchange.
    fn closes_gap(&self, thread: ThreadId) -> bool {
        let thread = self.graph().thread(thread);
        let may_read = matches!(thread.pending.status, ThreadStatus::Ready | ThreadStatus::Read);
        let request = || self.states.request(thread.pending.snapshot);
        may_read && thread.tail.is_some() && self.is_about_to_compare(request())
    }

    /// Whether a read, the newest event, that can see nothing should be added after those with which other threads close
    /// gaps. If so, it is taken back.
    pub(in crate::explore) fn waits_for_others(&mut self, read: EventId, mark: Mark) -> bool {
        let event = self.graph().event(read);
        let thread = event.thread;
        let closes = event.flags & CONDITIONAL != 0 && self.graph().has_kept_after(read);
        let comes_before =
            |other: ThreadId| other != thread && !self.waiting.contains(&other) && self.closes_gap(other);
        if !closes || !(0..self.threads.len()).map(ThreadId::from_usize).any(comes_before) {
            self.waiting.clear();
            return false;
        }
        self.waiting.push(thread);
        let graph = self.graph_mut();
        graph.pop();
        graph.undo_to(mark);
        true
    }

    /// Whether the next event of a thread is the read of a read-modify-write that writes for some values only.
    fn is_about_to_compare(&self, request: Request) -> bool {
        match request {
            Request::Cas { .. } | Request::Pair { access: PairAccess::Cas(_), .. } => true,
            Request::Sync { operation, .. } => !self.program.operation(operation).always_writes,
            _ => false,
        }
    }

    /// Adds an event without choices; the thread goes on at once.
    pub(in crate::explore) fn add_plain(&mut self, event: Event) -> Result<Step, Stop> {
        let (thread, snapshot) = (event.thread, event.snapshot);
        self.graphs.push(event);
        self.proceed(thread, snapshot, Answer::None);
        Ok(Step::Extended)
    }

    pub(in crate::explore) fn add_free(
        &mut self,
        thread: ThreadId,
        at: Snapshot,
        address: u64,
        owner: Owner,
    ) -> Result<Step, Stop> {
        let alloc = check_free(self.graph(), &self.memory, address, owner)?;
        let size = object_size(self.graph(), &self.memory, address).unwrap_or(0);
        let event = Event::new(thread, Payload::Free(Free { address, alloc }), Mode::Na, at);
        let end = self.graphs.push(event);
        self.graphs.settle();
        let graph = self.graph();
        let before = |access, end| self.graphs.happens_before(access, end);
        check_begun(graph, &before, alloc, end)?;
        check_accesses_before(graph, &before, end, address, size)?;
        if !self.plan.computed_rules().is_empty() {
            self.judge_new(end)?;
        }
        self.proceed(thread, at, Answer::None);
        Ok(Step::Extended)
    }

    pub(in crate::explore) fn add_create(
        &mut self,
        thread: ThreadId,
        at: Snapshot,
        function: u64,
        argument: u64,
    ) -> Result<Step, Stop> {
        let nth = self.states.children(at);
        let child = self.threads.child(thread, nth)?;
        if child.at() > MOST_THREADS {
            return Err(Finding::refusal(Refusal::Unsupported, "more than 65536 threads").into());
        }
        let event = Event::new(thread, Payload::Create(child), Mode::Na, at);
        let creator = self.graphs.push(event);
        *self.graph_mut().thread_mut(child) = ThreadState { creator, ..ThreadState::ABSENT };
        let function = FunctionId(function_index(function).expect("the VM checked the address"));
        let (snapshot, request) = self.states.spawn(child, function, &[argument]);
        if self.config.route.is_some() {
            self.forget_prints(child);
        }
        self.settle(child, snapshot, request);
        self.proceed(thread, at, Answer::Value(u64::from(child.0) + 1));
        Ok(Step::Extended)
    }

    pub(in crate::explore) fn add_join(
        &mut self,
        thread: ThreadId,
        at: Snapshot,
        value: u64,
    ) -> Result<Step, Stop> {
        let Some(other) = self.threads.joinable(self.graph(), value) else {
            return Err(Finding::violation(
                Violation::Thread,
                format!("join of {value}, which is not a thread"),
            )
            .into());
        };
        let earlier = self.graph().thread(other).joined_by;
        if earlier.is_some() {
            let message = "join of a thread that was joined already";
            return Err(Finding::violation(Violation::Thread, message).with(earlier).into());
        }
        let done = self.graph().thread(other).pending.snapshot;
        let Request::Done { value } = self.states.request(done) else {
            // The thread did not exist when this one asked for it, and is not done yet.
            let pending = Pending { snapshot: at, status: ThreadStatus::Join, other };
            self.graph_mut().thread_mut(thread).pending = pending;
            return Ok(Step::Extended);
        };
        let event = Event::new(thread, Payload::Join(other), Mode::Na, at);
        self.graphs.push_awaiting(event);
        self.proceed(thread, at, Answer::Value(value));
        Ok(Step::Extended)
    }

    /// The location of an access, if it may happen.
    #[inline]
    pub(in crate::explore) fn locate(
        &mut self,
        address: u64,
        size: u8,
        writes: bool,
    ) -> Result<LocId, Finding> {
        let Explorer { locations, graphs, memory, leniency, .. } = self;
        let loc = locations.locate(graphs.current_mut(), memory, leniency, (address, size), writes)?;
        if R::HAS_CELLS && locations.has_too_many_ways(loc, graphs.current()) {
            return Err(too_many_ways());
        }
        Ok(loc)
    }

    /// Resumes a thread with an answer, up to its next request.
    #[inline]
    pub(in crate::explore) fn proceed(&mut self, thread: ThreadId, from: Snapshot, answer: Answer) {
        if self.config.route.is_some() {
            self.forget_prints(thread);
        }
        let (snapshot, request) = self.states.resume(from, answer);
        self.settle(thread, snapshot, request);
    }

    /// Answers a request that no other thread can see. A thread that makes too many of them does not end.
    #[inline(never)]
    pub(in crate::explore) fn answer_alone(
        &mut self,
        at: Snapshot,
        answer: Answer,
        patience: &mut Option<Patience>,
    ) -> (Snapshot, Request) {
        if self.runs_out_of(patience) {
            return (at, self.states.give_up(at));
        }
        self.states.resume_in_place(at, answer)
    }

    /// Whether a thread has made too many requests that no other thread can see, with this one.
    pub(in crate::explore) fn runs_out_of(&self, patience: &mut Option<Patience>) -> bool {
        let patience = patience.get_or_insert_with(|| Patience::new(self.states.arena()));
        patience.answers += 1;
        patience.steps(self.states.arena()) > self.config.step_limit.min(MOST_PATIENCE)
    }
}

/// A pointer into an object that is private to another thread was made from it, for it would hardly hit it by
/// chance. Then the object is not private, and a finding would be wrong.
pub(in crate::explore) fn check_own(
    graph: &Graph,
    states: &States,
    threads: &ThreadTable,
    thread: ThreadId,
    fault: &Fault,
) {
    let Fault::PrivateAccess { address, size, .. } = *fault else { return };
    let owner = thread_of(address);
    if owner == thread || owner.at() >= threads.len() {
        return;
    }
    let pending = graph.thread(owner).pending;
    let exists = pending.status != ThreadStatus::Absent && states.holds(pending.snapshot, address, size);
    assert!(!exists, "thread {} accesses what was taken for private to thread {}", thread.0, owner.0);
}

/// How much a thread has done since its last event, from its first such request on.
pub(in crate::explore) struct Patience {
    from: u64,
    answers: u64,
}

impl Patience {
    fn new(arena: &Arena) -> Patience {
        Patience { from: arena.steps(), answers: 0 }
    }

    fn steps(&self, arena: &Arena) -> u64 {
        arena.steps().wrapping_sub(self.from) + self.answers * STEPS_OF_AN_ANSWER
    }
}

/// Says that a finding is about an event of the graph.
pub(in crate::explore) fn blame_event(mut finding: Finding, event: &Event) -> Stop {
    finding.thread = event.thread;
    finding.at = Some(event.snapshot);
    Stop::Finding(finding)
}

/// Says whose finding it is.
pub(in crate::explore) fn blame(stop: Stop, thread: ThreadId) -> Stop {
    match stop {
        Stop::Finding(mut finding) => {
            finding.thread = thread;
            Stop::Finding(finding)
        }
        other => other,
    }
}
