//! The prologue: what main does before it creates a thread has one execution, so it is run once,
//! directly on initial memory, and makes no events.

use super::mutex::{BUSY, DESTROYED};
use super::{Explorer, Stop};
use crate::detect::{accessible, check_free, object_size, Finding};
use crate::graph::ThreadState;
use crate::ids::ThreadId;
use crate::program::{region, Region};
use crate::vm::{apply_rmw, Answer, Request, Snapshot};

const MAIN: ThreadId = ThreadId(0);
/// Accesses after which the prologue is taken for one that does not end, if there is no loop bound.
const PROLOGUE_LIMIT: u64 = 20_000_000;
/// What main holds a mutex with.
const HELD_BY_MAIN: u64 = 1;

impl Explorer<'_> {
    /// Runs main up to its first `Create` or its end.
    pub(super) fn run_prologue(&mut self) -> Result<(), Stop> {
        let mut requests = 0;
        *self.graph_mut().thread_mut(MAIN) = ThreadState::ABSENT;
        let (mut at, mut request) = self.vm.spawn(&mut self.arena, MAIN, self.program.entry, &[]);
        loop {
            // A finding shows where main stands.
            self.graph_mut().thread_mut(MAIN).pending.snapshot = at;
            let Some(answer) = self.answer(at, request)? else { break };
            requests += 1;
            if requests == PROLOGUE_LIMIT && self.config.unroll.is_none() {
                let message = format!("main has made {requests} accesses before it creates a thread");
                return Err(Finding::refusal("endless-loop", message).into());
            }
            (at, request) = self.vm.resume_in_place(&mut self.arena, at, answer);
        }
        self.settle(MAIN, at, request);
        Ok(())
    }

    /// Answers a request from initial memory; none if the prologue ends here.
    fn answer(&mut self, at: Snapshot, request: Request) -> Result<Option<Answer>, Finding> {
        let answer = match request {
            Request::Load { address, size, .. } => {
                let value = self.read_initial(address, size)?;
                Answer::Value(value)
            }
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
                let old = self.read_initial(address, size)?;
                if old == expected {
                    self.write_initial(at, address, size, new)?;
                }
                Answer::Exchange { old, success: old == expected }
            }
            Request::Fence { .. } => Answer::None,
            Request::Alloc { address, size, zeroed, stack } => {
                let (function, pc) = self.vm.position(&self.arena, at);
                self.memory.allocate(address, size, zeroed, stack, (function.0, pc));
                Answer::None
            }
            Request::Free { address, stack } => {
                check_free(self.graph(), &self.memory, address, stack)?;
                self.memory.free(address);
                Answer::None
            }
            Request::ObjectSize { address } => match object_size(self.graph(), &self.memory, address) {
                Some(size) => Answer::Value(size),
                None => {
                    return Err(Finding::violation("invalid-free", "realloc of what is not a heap object"))
                }
            },
            Request::Print { .. } => {
                self.print(MAIN, at);
                Answer::None
            }
            Request::Lock { address } => match self.read_initial(address, 4)? {
                0 => {
                    self.write_initial(at, address, 4, HELD_BY_MAIN)?;
                    Answer::None
                }
                DESTROYED => return Err(Finding::violation("mutex", "lock of a mutex that was destroyed")),
                // Main waits for itself: an execution that is blocked, with the lock as its only event.
                _ => return Ok(None),
            },
            Request::TryLock { address } => {
                let free = self.read_initial(address, 4)? == 0;
                if free {
                    self.write_initial(at, address, 4, HELD_BY_MAIN)?;
                }
                Answer::Value(if free { 0 } else { BUSY })
            }
            Request::Unlock { address } => {
                if self.read_initial(address, 4)? != HELD_BY_MAIN {
                    let message = "unlock of a mutex that this thread does not hold";
                    return Err(Finding::violation("mutex", message));
                }
                self.write_initial(at, address, 4, 0)?;
                Answer::None
            }
            Request::MutexInit { address } => {
                self.write_initial(at, address, 4, 0)?;
                Answer::None
            }
            Request::MutexDestroy { address } => {
                if self.read_initial(address, 4)? == HELD_BY_MAIN {
                    return Err(Finding::violation("mutex", "destruction of a mutex that is held"));
                }
                self.write_initial(at, address, 4, DESTROYED)?;
                Answer::None
            }
            Request::Create { .. }
            | Request::Join { .. }
            | Request::Done { .. }
            | Request::Blocked
            | Request::Cut { .. }
            | Request::Fault(_) => return Ok(None),
        };
        Ok(Some(answer))
    }

    fn check_initial(&self, address: u64, size: u8, writes: bool) -> Result<(), Finding> {
        if region(address) != Region::GLOBAL {
            return accessible(self.graph(), &self.memory, address, size);
        }
        match self.memory.global(address, u64::from(size)) {
            Some(true) if writes => Err(Finding::violation("unallocated", "write to constant memory")),
            Some(_) => Ok(()),
            None => Err(Finding::unallocated(address, u64::from(size))),
        }
    }

    fn read_initial(&self, address: u64, size: u8) -> Result<u64, Finding> {
        self.check_initial(address, size, false)?;
        if region(address) == Region::SHARED && !self.memory.is_written(address, size) {
            return Err(Finding::violation("uninitialized", "read of memory that nobody wrote"));
        }
        Ok(self.memory.read(address, size))
    }

    fn write_initial(&mut self, at: Snapshot, address: u64, size: u8, value: u64) -> Result<(), Finding> {
        self.check_initial(address, size, true)?;
        let (function, pc) = self.vm.position(&self.arena, at);
        self.memory.write(address, size, value, function.0, pc);
        Ok(())
    }
}
