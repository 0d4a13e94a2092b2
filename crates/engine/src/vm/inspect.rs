//! What reports ask about an image: where it is, how it got there, what it prints, which loop it is in.

use super::image::{frames, Arena, Field, Fields, Frame, Snapshot, HEADER};
use super::private::resolve;
use super::Vm;
use crate::ids::{FunctionId, Stack};
use crate::program::{Function, Instr, LoopSite, Op, LOOP_CONSTANT};
use std::collections::BTreeMap;

/// What a thread repeats.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Repetition {
    /// It iterates this loop.
    Loop(u32),
    /// This function calls itself, directly or through others.
    Recursion(FunctionId),
}

/// Which loops are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loops {
    /// Those that may iterate any number of times.
    Open,
    /// Also those whose number of iterations is constant.
    All,
}

impl Vm<'_> {
    /// The function and the instruction that an image waits at.
    #[inline]
    pub fn position(&self, arena: &Arena, at: Snapshot) -> (FunctionId, u32) {
        let image = arena.image(at);
        (FunctionId(image.field(Field::Function)), image.field(Field::Pc))
    }

    /// The active functions, innermost first; the outer ones are at their calls.
    pub fn stack(&self, arena: &Arena, at: Snapshot) -> Stack {
        frames(arena.image(at)).map(|frame| (frame.function, frame.pc)).collect()
    }

    /// All that an image holds.
    pub fn words<'a>(&self, arena: &'a Arena, at: Snapshot) -> &'a [u64] {
        arena.image(at)
    }

    /// Its thread-locals.
    pub fn thread_locals<'a>(&self, arena: &'a Arena, at: Snapshot) -> &'a [u64] {
        &arena.image(at)[HEADER..HEADER + self.program.tls.len().div_ceil(8)]
    }

    /// How many threads it has created.
    #[inline]
    pub fn children(&self, arena: &Arena, at: Snapshot) -> u32 {
        arena.image(at).field(Field::Children)
    }

    /// Whether bytes of private memory lie in a live object of the image's thread.
    pub fn holds(&self, arena: &Arena, at: Snapshot, address: u64, size: u8) -> bool {
        resolve(self.program, arena.image(at), address, usize::from(size)).is_some()
    }

    /// The values that a PRINT shows (the first is the format's address); none if it is not at one.
    pub fn print_arguments(&self, arena: &Arena, at: Snapshot) -> Vec<u64> {
        let image = arena.image(at);
        match self.instruction(arena, at) {
            Instr { op: Op::Print, c, .. } => {
                let list = &self.program.lists[*c as usize];
                list.iter().map(|&operand| self.operand(image, operand)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether an image waits for a value that it will only move, not use (`x` of a LOAD).
    pub fn only_moves(&self, arena: &Arena, at: Snapshot) -> bool {
        matches!(self.instruction(arena, at), Instr { op: Op::Load, x: 1.., .. })
    }

    /// Whether two images of a thread differ only in how often loops have iterated; if so, the innermost
    /// loop that has (none if no loop has).
    pub fn repeats(&self, arena: &Arena, earlier: Snapshot, later: Snapshot) -> Option<Option<u32>> {
        let (old, new) = (arena.image(earlier), arena.image(later));
        if !self.differ_in_counters(old, new) {
            return None;
        }
        let went_round = self.counters(new).find(|(at, _)| old[*at] != new[*at]);
        Some(went_round.and_then(|(_, id)| id))
    }

    /// Where counters of some loops are in an image, those of the innermost function first.
    fn counted<'a>(&'a self, image: &'a [u64], which: Loops) -> impl Iterator<Item = (usize, u32)> + 'a {
        frames(image).flat_map(move |frame| {
            let function = &self.program.functions[frame.function.at()];
            let counts = move |site: &&LoopSite| {
                (which == Loops::All || self.is_open(function, site))
                    && self.has_count(function, site, frame.pc)
            };
            let sites = function.loops.iter().filter(counts);
            sites.map(move |site| (frame.base + site.counter as usize, site.id))
        })
    }

    /// What an image repeats most often, and how often: it iterates a loop, or a function calls itself.
    pub fn busiest(&self, arena: &Arena, at: Snapshot, which: Loops) -> Option<(u64, Repetition)> {
        let image = arena.image(at);
        let rounds = self.counted(image, which).map(|(at, id)| (image[at], Repetition::Loop(id)));
        let mut calls = BTreeMap::new();
        for frame in frames(image) {
            *calls.entry(frame.function).or_insert(0) += 1;
        }
        let depths = calls.into_iter().map(|(function, count)| (count - 1, Repetition::Recursion(function)));
        let busier =
            |most: (u64, Repetition), next: (u64, Repetition)| if next.0 > most.0 { next } else { most };
        rounds.chain(depths).reduce(busier).filter(|(count, _)| *count > 0)
    }

    /// What an image repeats most often, or else the innermost loop that it is in.
    pub fn what_repeats(&self, arena: &Arena, at: Snapshot) -> Option<Repetition> {
        let image = arena.image(at);
        let inside = || frames(image).find_map(|frame| self.enclosing_loop(frame)).map(Repetition::Loop);
        self.busiest(arena, at, Loops::Open).map(|(_, what)| what).or_else(inside)
    }

    /// The smallest loop whose code, from the target of its back edge to its LOOP, holds the frame's pc.
    fn enclosing_loop(&self, frame: Frame) -> Option<u32> {
        let function = &self.program.functions[frame.function.at()];
        let span = |site: &LoopSite| {
            let head = back_edge(&function.code, site.pc)?;
            (head <= frame.pc && frame.pc <= site.pc + 1).then_some((site.pc - head, site.id))
        };
        function.loops.iter().filter_map(span).min().map(|(_, id)| id)
    }

    /// Whether some loop of the program may iterate any number of times.
    pub fn has_open_loops(&self) -> bool {
        let functions = &self.program.functions;
        functions.iter().any(|function| function.loops.iter().any(|site| self.is_open(function, site)))
    }

    /// Whether a loop has a bound that may cut it.
    pub fn is_bounded(&self, id: u32) -> bool {
        self.bounds.is_bounded(id)
    }

    fn is_open(&self, function: &Function, site: &LoopSite) -> bool {
        function.code[site.pc as usize].x != LOOP_CONSTANT && !self.bounds.is_bounded(site.id)
    }

    /// The instruction that an image waits at.
    pub fn instruction(&self, arena: &Arena, at: Snapshot) -> &Instr {
        let (function, pc) = self.position(arena, at);
        &self.program.functions[function.at()].code[pc as usize]
    }
}

/// Where the jump after a LOOP goes back to.
pub(super) fn back_edge(code: &[Instr], pc: u32) -> Option<u32> {
    let jump = code.get(pc as usize + 1)?;
    let targets = match jump.op {
        Op::Jmp => [jump.a, jump.a],
        Op::Br => [jump.b, jump.c],
        _ => return None,
    };
    targets.into_iter().filter(|&target| target <= pc).min()
}
