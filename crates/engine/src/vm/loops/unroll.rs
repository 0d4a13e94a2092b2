//! Bounds of loops and of recursion.
//!
//! Only rounds in which the thread accesses shared memory count: a loop over private data takes no part in the
//! exploration, so it is never cut.

use crate::ids::FunctionId;
use crate::program::{Instr, Op, Program, LOOP_ENDLESS};
use crate::vm::Vm;

/// How often the back edges of loops may be passed, and how often functions may call themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unroll {
    /// Of all that has no bound of its own, here or in the Program.
    pub any: Option<u32>,
    /// Loops with bounds of their own, by number.
    pub loops: Vec<(u32, u32)>,
    /// Functions whose recursion has a bound of its own.
    pub functions: Vec<(FunctionId, u32)>,
}

impl Unroll {
    /// One bound for all loops and functions.
    pub fn all(bound: u32) -> Unroll {
        Unroll { any: Some(bound), ..Unroll::default() }
    }

    /// Whether the loops and functions exist.
    pub fn fits(&self, program: &Program) -> bool {
        self.loops.iter().all(|&(id, _)| id < program.loops)
            && self.functions.iter().all(|(function, _)| function.at() < program.functions.len())
    }

    /// Bounds that are nowhere above a number.
    pub fn at_most(&self, most: u32) -> Unroll {
        let lower = |bound: u32| bound.min(most);
        Unroll {
            any: Some(self.any.map_or(most, lower)),
            loops: self.loops.iter().map(|&(id, bound)| (id, lower(bound))).collect(),
            functions: self.functions.iter().map(|&(id, bound)| (id, lower(bound))).collect(),
        }
    }
}

/// A bound that nothing reaches.
const NEVER: u64 = u64::MAX;

/// The bounds of one program.
pub(in crate::vm) struct Bounds {
    /// By loop.
    loops: Vec<u64>,
    /// By function.
    calls: Vec<u64>,
    /// Some loop has a bound.
    pub is_any: bool,
}

impl Bounds {
    pub fn new(program: &Program, unroll: &Unroll) -> Bounds {
        let any = unroll.any.map_or(NEVER, u64::from);
        let mut loops = vec![any; program.loops as usize];
        let code = program.functions.iter().flat_map(|function| &function.code);
        for i in code.filter(|i| i.op == Op::Loop && i.b != 0) {
            loops[i.a as usize] = i.b.into();
        }
        for &(id, bound) in &unroll.loops {
            loops[id as usize] = bound.into();
        }
        let mut calls = vec![any; program.functions.len()];
        for &(function, bound) in &unroll.functions {
            calls[function.at()] = bound.into();
        }
        let is_any = loops.iter().any(|&bound| bound != NEVER);
        Bounds { loops, calls, is_any }
    }

    #[inline]
    pub fn of_loop(&self, id: u32) -> u64 {
        self.loops[id as usize]
    }

    pub fn is_bounded(&self, id: u32) -> bool {
        self.of_loop(id) != NEVER
    }

    pub fn of_calls(&self, function: FunctionId) -> u64 {
        self.calls[function.at()]
    }
}

impl Vm<'_> {
    /// Whether a round counts. `counted` are the loops that went round since the thread's last access: of those, only
    /// loops that are never left count again.
    #[cold]
    pub(in crate::vm) fn counts(&self, loop_: &Instr, counted: &mut Vec<u32>) -> bool {
        if counted.contains(&loop_.a) {
            return loop_.x == LOOP_ENDLESS;
        }
        counted.push(loop_.a);
        true
    }
}
