//! The prologue: what main does before it creates a thread has one execution, so it is run once,
//! directly on initial memory, and makes no events.

use crate::detect::{accessible, Finding};
use crate::detect::{Refusal, Violation};
use crate::explore::limits::watch::Watch;
use crate::explore::regimes::Regime;
use crate::explore::sync::misuse;
use crate::explore::threads::states::States;
use crate::explore::{Explorer, Stop};
use crate::graph::{Graph, ThreadState};
use crate::ids::ThreadId;
use crate::memory::Memory;
use crate::program::{region, Effect, Inputs, Program, Region};
use crate::vm::{bulk_steps, Answer, Request, Snapshot};

pub(in crate::explore) const MAIN: ThreadId = ThreadId(0);
/// Accesses after which the prologue is taken for one that does not end.
const PROLOGUE_LIMIT: u64 = 20_000_000;

/// How many accesses a request counts for.
fn accesses(request: &Request, answer: &Answer) -> u64 {
    match (request, answer) {
        (Request::Fill { size, .. } | Request::Copy { size, .. }, Answer::Value(1)) => bulk_steps(*size),
        _ => 1,
    }
}

impl<'p, R: Regime> Explorer<'p, R> {
    /// Runs main up to its first `Create` or its end.
    pub(in crate::explore) fn run_prologue(&mut self, watch: &mut Watch) -> Result<(), Stop> {
        let mut requests = 0;
        self.states.set_prologue(true);
        *self.graph_mut().thread_mut(MAIN) = ThreadState::ABSENT;
        let (mut at, mut request) = self.states.spawn(MAIN, self.program.entry, &[]);
        loop {
            // A finding shows where main stands.
            self.graph_mut().thread_mut(MAIN).pending.snapshot = at;
            if matches!(request, Request::Print { .. }) {
                self.print(MAIN, at);
            }
            if request == Request::Pause {
                (at, request) = self.end_pause(at)?;
                continue;
            }
            let Some(answer) = self.prologue().answer(at, request)? else { break };
            if watch.is_due(self.states.arena()) {
                self.look_around(watch)?;
            }
            requests += accesses(&request, &answer);
            if requests >= PROLOGUE_LIMIT {
                let message = format!("may not end: main made {requests} accesses before creating a thread");
                return Err(Finding::refusal(Refusal::EndlessLoop, message).into());
            }
            (at, request) = self.states.resume_in_place(at, answer);
        }
        self.states.set_prologue(false);
        self.settle(MAIN, at, request);
        Ok(())
    }

    fn prologue(&mut self) -> Prologue<'_, 'p> {
        let (program, graph) = (self.program, self.graphs.current());
        Prologue { program, graph, states: &mut self.states, memory: &mut self.memory }
    }
}

/// What main works on before there are events: its state, and initial memory.
pub(in crate::explore) struct Prologue<'e, 'p> {
    pub(in crate::explore) program: &'p Program,
    /// A graph without events.
    pub(in crate::explore) graph: &'e Graph,
    pub(in crate::explore) states: &'e mut States<'p>,
    pub(in crate::explore) memory: &'e mut Memory,
}

impl Prologue<'_, '_> {
    /// As `answer`, for a synchronisation object. If main waits, it is for itself: the prologue ends there, with an
    /// operation that never ends.
    pub(in crate::explore) fn answer_sync(
        &mut self,
        at: Snapshot,
        address: u64,
        operand: u64,
        operation: u32,
    ) -> Result<Option<Answer>, Finding> {
        let operation = self.program.operation(operation);
        let looks = operation.reads.is_some() || operation.looks || operation.is_checked();
        let is_new = operation.makes
            && region(address) == Region::SHARED
            && !self.memory.is_written(address, operation.size);
        let old = if looks && !is_new { self.read_initial(address, operation.size)? } else { 0 };
        Ok(match operation.effect_alone(&Inputs::new(old, MAIN, operand)) {
            Effect::Write { value, result } => {
                self.write_initial(at, address, operation.size, value)?;
                Some(Answer::Value(result))
            }
            Effect::Stay(result) => Some(Answer::Value(result)),
            Effect::Wait | Effect::Meet(_) => None,
            Effect::Misuse(message) => return Err(misuse(self.program, operation, message)),
        })
    }

    pub(in crate::explore) fn check_initial(
        &self,
        address: u64,
        size: u8,
        writes: bool,
    ) -> Result<(), Finding> {
        if region(address) != Region::GLOBAL {
            return accessible(self.graph, self.memory, address, size);
        }
        match self.memory.global(address, u64::from(size)) {
            Some(true) if writes => {
                Err(Finding::violation(Violation::Unallocated, "write to constant memory"))
            }
            Some(_) => Ok(()),
            None => Err(Finding::unallocated(address, u64::from(size))),
        }
    }

    pub(in crate::explore) fn read_initial(&self, address: u64, size: u8) -> Result<u64, Finding> {
        self.check_initial(address, size, false)?;
        if region(address) == Region::SHARED && !self.memory.is_written(address, size) {
            return Err(Finding::unwritten());
        }
        Ok(self.memory.read(address, size))
    }

    pub(in crate::explore) fn write_initial(
        &mut self,
        at: Snapshot,
        address: u64,
        size: u8,
        value: u64,
    ) -> Result<(), Finding> {
        self.check_initial(address, size, true)?;
        let (function, pc) = self.states.position(at);
        self.memory.write(address, size, value, function.0, pc);
        Ok(())
    }

    /// Does a fill or copy that main waits for in one step, if all its bytes are where they have to be; whether it did.
    /// Nothing is done unless every access that it stands for would be without a finding.
    pub(in crate::explore) fn bulk(&mut self, at: Snapshot, request: Request) -> bool {
        let (function, pc) = self.states.position(at);
        let writer = (function.0, pc);
        match request {
            Request::Fill { address, size, byte } => {
                let exists = self.memory.holds(address, size, true);
                if exists {
                    self.memory.put(address, &vec![byte; size as usize], writer);
                }
                exists
            }
            Request::Copy { address, size, source } => {
                let Some(bytes) = self.bulk_source(at, source, size) else { return false };
                if !self.memory.holds(address, size, true) {
                    return self.states.put_private(at, address, &bytes);
                }
                self.memory.put(address, &bytes, writer);
                true
            }
            _ => false,
        }
    }

    fn bulk_source(&self, at: Snapshot, address: u64, size: u64) -> Option<Vec<u8>> {
        match self.memory.holds(address, size, false) {
            true => Some(self.memory.take(address, size)),
            false => self.states.private_bytes(at, address, size),
        }
    }
}
