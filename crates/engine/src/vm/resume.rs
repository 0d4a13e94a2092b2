//! Starting and resuming threads: the doors through which images run.

use super::heap::{private_start, SHARED_START};
use super::image::{
    base, get, pack, set, thread, Arena, Field, Snapshot, HEADER, LINKS, NO_CALLER,
};
use super::request::{Answer, Request};
use super::run::Stop;
use super::values::mask;
use super::Vm;
use crate::ids::{FunctionId, ThreadId};
use crate::program::{address, Instr, Op, Region};

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
        self.run(arena, start)
    }

    /// Copies an image to the arena's top, answers the request that it waits for and runs the copy
    /// to its next request. The image itself stays as it is.
    ///
    /// A thread that is done, blocked, cut or at fault stays so, whatever the answer.
    #[inline]
    pub fn resume(
        &self,
        arena: &mut Arena,
        from: Snapshot,
        answer: Answer,
    ) -> (Snapshot, Request) {
        let start = arena.words.len();
        arena.words.extend_from_within(from.start as usize..from.end());
        self.answer(arena, start, answer)
    }

    /// The same for the arena's topmost image, which is used up: nothing is copied.
    #[inline]
    pub fn resume_in_place(
        &self,
        arena: &mut Arena,
        from: Snapshot,
        answer: Answer,
    ) -> (Snapshot, Request) {
        assert_eq!(from.end(), arena.len(), "only the topmost image can be resumed in place");
        self.answer(arena, from.start as usize, answer)
    }

    /// What an image asks for.
    #[inline]
    pub fn request(&self, arena: &Arena, at: Snapshot) -> Request {
        self.waiting(arena.image(at))
    }

    #[inline(always)]
    fn answer(&self, arena: &mut Arena, start: usize, answer: Answer) -> (Snapshot, Request) {
        self.deliver(&mut arena.words[start..], answer);
        self.run(arena, start)
    }

    /// Gives the waiting instruction its answer and moves past it.
    #[inline(always)]
    fn deliver(&self, image: &mut [u64], answer: Answer) {
        let function = &self.program.functions[get(image, Field::Function) as usize];
        let i = &function.code[get(image, Field::Pc) as usize];
        match i.op {
            Op::Load => {
                self.finish(image, i.dst, answer.value() & mask(i.width));
            }
            Op::Store | Op::Fence | Op::Free | Op::Print => {
                self.advance(image);
            }
            _ => self.deliver_rarer(image, i, answer),
        }
    }

    #[inline(never)]
    fn deliver_rarer(&self, image: &mut [u64], i: &Instr, answer: Answer) {
        match i.op {
            Op::Rmw | Op::Join | Op::Trylock | Op::Objsize => {
                self.finish(image, i.dst, answer.value());
            }
            Op::Cas => {
                let success = matches!(answer, Answer::Exchange { success: true, .. });
                let flag = base(image) + i.dst as usize + 1;
                image[flag] = u64::from(success);
                self.finish(image, i.dst, answer.value() & mask(i.width));
            }
            Op::Create => {
                let children = get(image, Field::Children);
                set(image, Field::Children, children + 1);
                self.finish(image, i.dst, answer.value());
            }
            Op::Alloc => {
                if let Some((at, next)) = self.shared_place(image, i) {
                    set(image, Field::SharedNext, next);
                    let result = address(Region::SHARED, thread(image), u64::from(at));
                    self.finish(image, i.dst, result);
                }
            }
            Op::Lock | Op::Unlock | Op::MutexInit | Op::MutexDestroy => {
                self.advance(image);
            }
            _ => {}
        }
    }

    /// Runs the image at the arena's top until it waits.
    #[inline(always)]
    fn run(&self, arena: &mut Arena, start: usize) -> (Snapshot, Request) {
        let words = &mut arena.words;
        let mut steps = self.step_limit.max(1);
        loop {
            let (stop, i) = self.run_registers(&mut words[start..], &mut steps);
            if stop == Stop::Access {
                let request = self.shared_request(&words[start..], i);
                return (top_image(words, start), request);
            }
            let goes_on = stop == Stop::Needs && self.perform(words, start, i);
            steps -= u64::from(goes_on);
            if steps == 0 {
                set(&mut words[start..], Field::Endless, 1);
            }
            if !goes_on || steps == 0 {
                return (top_image(words, start), self.waiting(&words[start..]));
            }
        }
    }
}

fn top_image(words: &[u64], start: usize) -> Snapshot {
    Snapshot { start: start as u32, len: (words.len() - start) as u32 }
}
