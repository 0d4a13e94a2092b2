//! Starting and resuming threads.

use super::heap::{private_start, SHARED_START};
use super::image::{pack, Arena, Field, Fields, Snapshot, HEADER, LINKS, NO_CALLER};
use super::loops::pauses::PAUSES;
use super::loops::rounds::SPINS;
use super::request::{Answer, Request};
use super::run::Stop;
use super::tracking::Untracked;
use super::values::{bytes, mask};
use super::Vm;
use crate::ids::{FunctionId, ThreadId};
use crate::program::{Instr, Op};

impl Vm<'_> {
    /// Makes a thread that is about to run a function, on top of the arena, and runs it to its first
    /// request. Missing arguments are 0, extra ones are dropped.
    pub fn spawn(
        &self,
        arena: &mut Arena,
        thread: ThreadId,
        function: FunctionId,
        arguments: &[u64],
    ) -> (Snapshot, Request) {
        arena.counted.clear();
        let words = &mut arena.words;
        let start = words.len();
        let callee = &self.program.functions[function.at()];
        let stack = HEADER + self.program.tls.len().div_ceil(8);
        words.extend([
            pack(0, 0),
            pack(function.0, thread.0),
            pack(LINKS as u32, stack as u32),
            pack(SHARED_START, private_start(self.program)),
            pack(0, 0),
        ]);
        for chunk in self.program.tls.chunks(8) {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            words.push(u64::from_le_bytes(bytes));
        }
        words.extend([0, NO_CALLER]);
        let registers = words.len();
        words.resize(registers + callee.registers as usize + callee.frame_words(), 0);
        let taken = arguments.len().min(callee.params as usize);
        words[registers..registers + taken].copy_from_slice(&arguments[..taken]);
        arena.shadow.forget_from(start);
        self.run(arena, start, None)
    }

    /// Copies an image to the arena's top, answers the request that it waits for and runs the copy
    /// to its next request. The image itself stays as it is.
    ///
    /// The answer must be of the kind that the request asks for. A thread that is done, blocked, cut
    /// or at fault takes no answer: the caller must not resume it.
    #[inline(always)]
    pub fn resume(&self, arena: &mut Arena, from: Snapshot, answer: Answer) -> (Snapshot, Request) {
        if self.tracks {
            return self.resume_tracked(arena, from, &answer);
        }
        let start = arena.words.len();
        arena.words.extend_from_within(from.start as usize..from.end());
        if self.bounds.is_any {
            arena.counted.clear();
        }
        self.run_untracked(arena, start, Some(&answer))
    }

    /// The same for the arena's topmost image, which is used up: nothing is copied.
    #[inline]
    pub fn resume_in_place(&self, arena: &mut Arena, from: Snapshot, answer: Answer) -> (Snapshot, Request) {
        assert_eq!(from.end(), arena.len(), "only the topmost image can be resumed in place");
        self.run(arena, from.start as usize, Some(&answer))
    }

    /// Copies an image that spins to the arena's top, and lets the copy go into the next round of its loop. It spins
    /// at a ROUND, which begins the round, or at a SPIN, which says where that is.
    pub fn pass_spin(&self, arena: &mut Arena, from: Snapshot) -> (Snapshot, Request) {
        let start = self.copy_to_top(arena, from);
        let image = &mut arena.words[start..];
        if image.field(Field::Endless) == SPINS {
            image.set_field(Field::Endless, 0);
            return (top_image(&arena.words, start), self.waiting(&arena.words[start..]));
        }
        let function = &self.program.functions[image.field(Field::Function) as usize];
        let spin = &function.code[image.field(Field::Pc) as usize];
        debug_assert!(spin.op == Op::Spin, "a thread spins at a ROUND or at a SPIN");
        image.set_field(Field::Pc, spin.b);
        self.run(arena, start, None)
    }

    /// Copies an image, and what it depends on, to the arena's top; where the copy starts.
    pub(super) fn copy_to_top(&self, arena: &mut Arena, from: Snapshot) -> usize {
        let start = arena.words.len();
        arena.words.extend_from_within(from.start as usize..from.end());
        if self.tracks {
            arena.shadow.copy(from, start);
        }
        start
    }

    /// Treats the topmost image as one in an endless loop; returns its request.
    pub fn give_up(&self, arena: &mut Arena, at: Snapshot) -> Request {
        let image = &mut arena.words[at.start as usize..at.end()];
        image.set_field(Field::Endless, 1);
        self.waiting(image)
    }

    /// The request of an image.
    #[inline]
    pub fn request(&self, arena: &Arena, at: Snapshot) -> Request {
        self.waiting(arena.image(at))
    }

    /// Runs the image at the arena's top until it waits.
    #[inline(always)]
    pub(super) fn run(
        &self,
        arena: &mut Arena,
        start: usize,
        answer: Option<&Answer>,
    ) -> (Snapshot, Request) {
        match self.tracks {
            true => self.run_tracked(arena, start, answer),
            false => self.run_untracked(arena, start, answer),
        }
    }

    #[inline(always)]
    fn run_untracked(&self, arena: &mut Arena, start: usize, answer: Option<&Answer>) -> (Snapshot, Request) {
        let words = &mut arena.words;
        let mut steps = self.slice;
        let image = &mut words[start..];
        let (stop, i) = self.run_registers(image, answer, &mut steps, &mut arena.counted, &mut Untracked);
        arena.steps += self.slice - steps;
        let (size, mode) = (bytes(i.width), i.mode);
        match stop {
            Stop::Load(address) => (top_image(words, start), Request::Load { address, size, mode }),
            Stop::Store(address, value) => {
                let value = value & mask(i.width);
                (top_image(words, start), Request::Store { address, size, mode, value })
            }
            Stop::Shared => (top_image(words, start), self.shared_request(&words[start..], i)),
            _ => self.run_on(arena, start, (stop, i), steps),
        }
    }

    /// Goes on after a stop that is not a plain access of shared memory.
    #[inline(never)]
    fn run_on(
        &self,
        arena: &mut Arena,
        start: usize,
        (mut stop, mut i): (Stop, &Instr),
        mut steps: u64,
    ) -> (Snapshot, Request) {
        let words = &mut arena.words;
        let before = steps;
        while matches!(stop, Stop::Needs) && self.perform(words, start, i, &mut steps) {
            steps -= 1;
            (stop, i) = match steps {
                0 => (Stop::Endless, i),
                _ => {
                    let image = &mut words[start..];
                    self.run_registers(image, None, &mut steps, &mut arena.counted, &mut Untracked)
                }
            };
        }
        arena.steps += before - steps;
        self.at_rest(arena, start, stop, i)
    }

    /// The image that has stopped at the arena's top, and its request.
    pub(super) fn at_rest(
        &self,
        arena: &mut Arena,
        start: usize,
        stop: Stop,
        i: &Instr,
    ) -> (Snapshot, Request) {
        let words = &mut arena.words;
        let image = &mut words[start..];
        if matches!(stop, Stop::Endless) {
            image.set_field(Field::Endless, if self.slice < self.step_limit { PAUSES } else { 1 });
        }
        let request = match stop {
            Stop::Needs | Stop::Endless => self.waiting(image),
            _ => self.shared_request(image, i),
        };
        (top_image(words, start), request)
    }
}

#[inline(always)]
fn top_image(words: &[u64], start: usize) -> Snapshot {
    Snapshot { start: start as u32, len: (words.len() - start) as u32 }
}
