//! Counters of loops in an image: they differ from round to round without making a difference.
//!
//! A register may count the rounds of a loop and hold something else where the loop is over.

use crate::program::{Function, LoopSite, Op};
use crate::vm::image::{frames, Frame};
use crate::vm::inspect::back_edge;
use crate::vm::Vm;

impl Vm<'_> {
    /// Where an image holds how often loops have iterated, with the loop, those of the innermost function first; then
    /// what ROUNDs remember, without one.
    pub(in crate::vm) fn counters<'a>(
        &'a self,
        image: &'a [u64],
    ) -> impl Iterator<Item = (usize, Option<u32>)> + 'a {
        let function = |frame: &Frame| &self.program.functions[frame.function.at()];
        let counted = frames(image).flat_map(move |frame| {
            let function = function(&frame);
            let sites = function.loops.iter().filter(move |site| self.has_count(function, site, frame.pc));
            sites.map(move |site| (frame.base + site.counter as usize, Some(site.id)))
        });
        let remembered = frames(image).flat_map(move |frame| {
            function(&frame).rounds.iter().map(move |&at| (frame.base + at as usize, None))
        });
        counted.chain(remembered)
    }

    /// Whether two images differ in counters at most.
    pub(in crate::vm) fn differ_in_counters(&self, old: &[u64], new: &[u64]) -> bool {
        let differs = |position: &usize| old[*position] != new[*position];
        old.len() == new.len()
            && (0..new.len()).filter(differs).all(|position| self.is_counter(new, position))
    }

    /// Whether a position of an image is one of its `counters`.
    fn is_counter(&self, image: &[u64], position: usize) -> bool {
        let Some(frame) = frames(image).find(|frame| frame.base <= position) else { return false };
        let function = &self.program.functions[frame.function.at()];
        let register = (position - frame.base) as u32;
        let counts = |site: &LoopSite| site.counter == register && self.has_count(function, site, frame.pc);
        function.loops.iter().any(counts) || function.rounds.contains(&register)
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
