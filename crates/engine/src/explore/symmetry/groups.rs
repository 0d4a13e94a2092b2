//! Which threads are exchangeable: those that main starts first of all, one after the other, with the same function and
//! the same argument, if nothing tells them apart later.
//!
//! Main must join all threads of a group, or end without joining any, right after it has started its threads, and must
//! not use what they return. Code that threads run must not ask for their own number, start or join threads, or make
//! objects that other threads can see, because addresses contain numbers of threads.
//! What main does until then is the same in all executions, so it is tried out once, before the first event.

use crate::explore::regimes::Regime;
use crate::explore::symmetry::Symmetry;
use crate::explore::threads::prologue::MAIN;
use crate::explore::Explorer;
use crate::ids::{FunctionId, ThreadId};
use crate::program::{function_index, Op, Program, ALLOC_PRIVATE};
use crate::vm::{Answer, Request};

/// `x` of a `JOIN`: nobody uses what the thread returned.
const UNUSED: u8 = 1;
/// How much main may ask for while it is tried out: a loop that starts threads or prints for ever does not end here.
const MOST_REQUESTS: usize = 4096;

impl<R: Regime> Explorer<'_, R> {
    /// Finds the groups; main stands where the prologue ends.
    pub(in crate::explore) fn find_symmetry(&mut self) {
        let shows_all = self.config.collect || self.config.verbose;
        if self.config.symmetry && R::FIXES_READS && !self.leniency.is_on() && !shows_all {
            let mark = self.states.mark();
            self.symmetry = self.try_main().unwrap_or_default();
            self.states.go_back_to(mark);
        }
    }

    /// Runs main on until it does something else than starting and joining threads.
    fn try_main(&mut self) -> Option<Symmetry> {
        let mut at = self.graph().thread(MAIN).pending.snapshot;
        let mut request = self.states.request(at);
        let mut started: Vec<(u64, u64)> = Vec::new();
        let mut joined: Vec<u64> = Vec::new();
        let mut requests = 0;
        loop {
            requests += 1;
            if requests > MOST_REQUESTS {
                return None;
            }
            let answer = match request {
                Request::Create { function, argument } if joined.is_empty() => {
                    started.push((function, argument));
                    Answer::Value(value_of(started.len()))
                }
                Request::Join { thread } => {
                    let (function, pc) = self.states.position(at);
                    let is_unused = self.program.functions[function.at()].code[pc as usize].x == UNUSED;
                    if !is_unused || joined.contains(&thread) {
                        return None;
                    }
                    joined.push(thread);
                    Answer::Value(0)
                }
                Request::Print { .. } => Answer::None,
                Request::Done { .. } | Request::Exit => break,
                _ if joined.is_empty() => return None,
                _ => break,
            };
            (at, request) = self.states.resume(at, answer);
        }
        if !started.iter().all(|(function, _)| is_anonymous(self.program, *function)) {
            return None;
        }
        let mut groups = grouped(&started);
        groups.retain(|group| {
            let is_joined = |thread: &ThreadId| joined.contains(&value_of(thread.at()));
            group.len() > 1 && (group.iter().all(is_joined) || !group.iter().any(is_joined))
        });
        Some(Symmetry { groups })
    }
}

/// What main gets for the n-th thread that it starts; only main starts threads, so this is thread n.
fn value_of(number: usize) -> u64 {
    number as u64 + 1
}

/// Threads that run the same.
fn grouped(started: &[(u64, u64)]) -> Vec<Vec<ThreadId>> {
    let mut groups: Vec<((u64, u64), Vec<ThreadId>)> = Vec::new();
    for (number, what) in started.iter().enumerate() {
        let thread = ThreadId::from_usize(number + 1);
        match groups.iter_mut().find(|(same, _)| same == what) {
            Some((_, group)) => group.push(thread),
            None => groups.push((*what, vec![thread])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Whether nothing that a thread runs depends on its number.
fn is_anonymous(program: &Program, function: u64) -> bool {
    let Some(first) = function_index(function) else { return false };
    let mut seen = vec![FunctionId(first)];
    let mut next = 0;
    while let Some(function) = seen.get(next).copied() {
        next += 1;
        for instr in &program.functions[function.at()].code {
            match instr.op {
                Op::SelfThread | Op::Create | Op::Join | Op::Calli | Op::Free | Op::Unwind => return false,
                Op::Alloc if instr.x & ALLOC_PRIVATE == 0 => return false,
                Op::Call if !seen.contains(&FunctionId(instr.a)) => seen.push(FunctionId(instr.a)),
                _ => {}
            }
        }
    }
    true
}
