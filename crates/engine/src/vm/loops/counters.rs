//! Counters of loops in an image: they differ from round to round without making a difference.
//!
//! A register may count the rounds of a loop and hold something else where the loop is over.

use crate::program::{Function, LoopSite, Op};
use crate::vm::image::frames;
use crate::vm::inspect::back_edge;
use crate::vm::Vm;

impl Vm<'_> {
    /// Where an image holds how often loops have iterated, with the loop, those of the innermost function first; then
    /// what ROUNDs remember, without one.
    pub(in crate::vm) fn counters(&self, image: &[u64]) -> Vec<(usize, Option<u32>)> {
        let mut found = Vec::new();
        let mut remembered = Vec::new();
        for frame in frames(image) {
            let function = &self.program.functions[frame.function.at()];
            let sites = function.loops.iter().filter(|site| self.has_count(function, site, frame.pc));
            found.extend(sites.map(|site| (frame.base + site.counter as usize, Some(site.id))));
            remembered.extend(function.rounds.iter().map(|&at| (frame.base + at as usize, None)));
        }
        found.extend(remembered);
        found
    }

    /// Whether the counter of a loop counts the loop's rounds where a frame is.
    pub(in crate::vm) fn has_count(&self, function: &Function, site: &LoopSite, pc: u32) -> bool {
        !site.is_shared || self.is_inside(function, site, pc)
    }

    /// Whether an instruction is in a loop: the loop's back edge can be reached from it without passing the header.
    fn is_inside(&self, function: &Function, site: &LoopSite, pc: u32) -> bool {
        let code = &function.code;
        let Some(header) = back_edge(code, site.pc) else { return false };
        let mut seen = vec![false; code.len()];
        let mut left = vec![pc];
        while let Some(at) = left.pop() {
            if at == site.pc {
                return true;
            }
            if std::mem::replace(&mut seen[at as usize], true) || (at == header && at != pc) {
                continue;
            }
            self.push_successors(function, at, &mut left);
        }
        false
    }

    /// Appends the instructions to which control may pass from one.
    pub(in crate::vm) fn push_successors(&self, function: &Function, pc: u32, found: &mut Vec<u32>) {
        let i = &function.code[pc as usize];
        match i.op {
            Op::Jmp => found.push(i.a),
            Op::Br => found.extend([i.b, i.c]),
            Op::Switch => {
                let table = &self.program.switches[i.c as usize];
                found.push(table.default);
                found.extend(table.cases.iter().map(|case| case.1));
            }
            op if op.row().goes_on => found.push(pc + 1),
            _ => {}
        }
    }
}

/// Whether two images differ at most in some positions.
pub(in crate::vm) fn differ_at_most(old: &[u64], new: &[u64], counters: &[(usize, Option<u32>)]) -> bool {
    let differs = |position: &usize| old[*position] != new[*position];
    let may_differ = |position: usize| counters.iter().any(|(at, _)| *at == position);
    old.len() == new.len() && (0..new.len()).filter(differs).all(may_differ)
}
