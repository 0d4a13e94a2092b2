//! Threads that run for long without a request: they pause now and then, so that someone can ask whether they will end.
//!
//! A thread that comes back to a state in which it was, with no request in between, never ends. From where it pauses it
//! is run a little further, beside the arena, and compared with what it was at each jump to the same place. A cycle of
//! more jumps than that is not found, but most loops of this kind are short.

use crate::program::Op;
use crate::vm::image::{Arena, Field, Fields, Snapshot};
use crate::vm::request::Request;
use crate::vm::run::Stop;
use crate::vm::tracking::Untracked;
use crate::vm::Vm;

/// The value of `Field::Endless` for a thread that pauses.
pub(in crate::vm) const PAUSES: u32 = 3;
/// Steps between two pauses of a thread.
pub const SLICE: u64 = 1 << 24;
/// Steps by which a thread that pauses is run further.
const LOOK: u64 = 1 << 20;

impl Vm<'_> {
    /// Makes the topmost image pause; returns its request.
    pub fn pause(&self, arena: &mut Arena, at: Snapshot) -> Request {
        let image = &mut arena.words[at.start as usize..at.end()];
        image.set_field(Field::Endless, PAUSES);
        self.waiting(image)
    }

    /// Copies an image that pauses to the arena's top, and runs the copy to its next request.
    pub fn go_on(&self, arena: &mut Arena, from: Snapshot) -> (Snapshot, Request) {
        let start = arena.words.len();
        arena.words.extend_from_within(from.start as usize..from.end());
        if self.tracks {
            arena.shadow.copy(from, start);
        }
        self.go_on_from(arena, start)
    }

    /// The same for the arena's topmost image, which is used up.
    pub fn go_on_in_place(&self, arena: &mut Arena, from: Snapshot) -> (Snapshot, Request) {
        assert_eq!(from.end(), arena.len(), "only the topmost image can go on in place");
        self.go_on_from(arena, from.start as usize)
    }

    fn go_on_from(&self, arena: &mut Arena, start: usize) -> (Snapshot, Request) {
        let image = &mut arena.words[start..];
        let pc = image.field(Field::Pc) as usize;
        image.set_pc(pc);
        self.run(arena, start, None)
    }

    /// Whether a thread that pauses is known never to end: it cannot leave the code that it is in, or it comes back to
    /// where it is, and as it is.
    pub fn is_endless(&self, arena: &Arena, at: Snapshot) -> bool {
        self.has_no_way_out(arena.image(at)) || self.comes_back(arena.image(at))
    }

    /// Whether nothing that ends, blocks or calls can be reached from where the top frame is.
    fn has_no_way_out(&self, image: &[u64]) -> bool {
        let function = &self.program.functions[image.field(Field::Function) as usize];
        let mut seen = vec![false; function.code.len()];
        let mut left = vec![image.field(Field::Pc)];
        while let Some(pc) = left.pop() {
            if std::mem::replace(&mut seen[pc as usize], true) {
                continue;
            }
            let known = left.len();
            let waits = [Op::Call, Op::Calli, Op::Sync, Op::Join, Op::Assume];
            self.push_successors(function, pc, &mut left);
            if left.len() == known || waits.contains(&function.code[pc as usize].op) {
                return false;
            }
        }
        true
    }

    fn comes_back(&self, paused: &[u64]) -> bool {
        let mut words = paused.to_vec();
        let place = |image: &[u64]| (image.field(Field::Pc), image.field(Field::Function));
        let pc = words.field(Field::Pc) as usize;
        words.set_pc(pc);
        let from = words.clone();
        let mut work = SLICE; // What is moved counts as steps, or a look at a large image would take hours.
                              // No bound cuts a round without an access.
        let mut counted = (0..self.program.loops).collect();
        for _ in 0..LOOK {
            let (stop, i) = self.run_registers(&mut words, None, &mut 1, &mut counted, &mut Untracked);
            let goes_on = match stop {
                Stop::Endless => true,
                Stop::Needs if i.op == Op::Round => self.advance(&mut words),
                Stop::Needs => self.perform(&mut words, 0, i, &mut work) && work > 1,
                Stop::Load(_) | Stop::Store(..) | Stop::Shared => false,
            };
            if !goes_on {
                return false;
            }
            if place(&words) == place(&from) && self.differ_in_counters(&from, &words) {
                return true;
            }
        }
        false
    }
}
