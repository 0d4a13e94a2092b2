//! Rounds of loops: what an image at a ROUND, which stands at the header of a loop, remembers of the arrival before.
//!
//! The result register of a ROUND names the image of an earlier arrival by its place in the arena, and how many events
//! the thread had made then. An image lies above those that it was made from, so these are there as long as it is.
//!
//! A ROUND with `x` = 2 stands where an attempt has failed: its round takes back what it added. It remembers nothing.
//!
//! I1: two images at one ROUND that differ in registers which are dead there alone do the same from there on.

use crate::program::{Instr, Op};
use crate::vm::image::{base, pack, Arena, Field, Fields, Snapshot};
use crate::vm::request::{Answer, Request};
use crate::vm::run::value;
use crate::vm::Vm;

/// The value of `Field::Endless` for a thread that spins.
pub(in crate::vm) const SPINS: u32 = 2;

/// The `x` of a ROUND that stands where an attempt has failed, instead of at the header of a loop.
const FAILED: u8 = 2;

/// An earlier arrival at the header of a loop, in the same activation of the loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrival {
    /// The thread's state then.
    pub at: Snapshot,
    /// How many events the thread had made.
    pub events: u32,
}

impl Vm<'_> {
    /// The arrival that an image at a ROUND remembers; none if it has just entered the loop.
    pub fn last_arrival(&self, arena: &Arena, at: Snapshot) -> Option<Arrival> {
        let image = arena.image(at);
        let i = self.round(arena, at);
        let remembered = image[base(image) + i.dst as usize];
        if self.operand(image, i.a) == 0 || remembered == 0 {
            return None;
        }
        let start = remembered as u32 - 1;
        Some(Arrival { at: Snapshot { start, len: at.len }, events: (remembered >> 32) as u32 })
    }

    /// The answer to an image at a ROUND that makes it remember an arrival.
    pub fn remember(&self, arrival: Arrival) -> Answer {
        Answer::Value(pack(arrival.at.start + 1, arrival.events))
    }

    /// How many rounds of the loop an image at a ROUND has made.
    pub fn rounds_made(&self, arena: &Arena, at: Snapshot) -> u64 {
        self.operand(arena.image(at), self.round(arena, at).a)
    }

    /// Whether an image at a ROUND is, in all that matters from there on, what it was at an earlier arrival.
    pub fn is_back(&self, arena: &Arena, earlier: Snapshot, at: Snapshot) -> bool {
        let (old, new) = (arena.image(earlier), arena.image(at));
        let top = base(new);
        if old.len() != new.len() || old[..top] != new[..top] {
            return false;
        }
        let i = self.round(arena, at);
        let objects = top + self.program.functions[new.field(Field::Function) as usize].registers as usize;
        let live = &self.program.lists[i.c as usize];
        let constants = &self.program.constants;
        let same =
            |&operand| value(operand, &old[top..], constants) == value(operand, &new[top..], constants);
        live.iter().all(same) && old[objects..] == new[objects..]
    }

    /// Stops the topmost image, which is at a ROUND, as one that spins; returns its request.
    pub fn spin(&self, arena: &mut Arena, at: Snapshot) -> Request {
        let image = &mut arena.words[at.start as usize..at.end()];
        image.set_field(Field::Endless, SPINS);
        self.waiting(image)
    }

    /// The loop of an image at a ROUND.
    pub fn loop_of(&self, arena: &Arena, at: Snapshot) -> u32 {
        self.round(arena, at).b
    }

    /// If an image has stopped at a ROUND because it spins: its loop, and how many events it had before the round.
    pub fn spun_since(&self, arena: &Arena, at: Snapshot) -> Option<(u32, u32)> {
        if self.instruction(arena, at).op != Op::Round || self.is_attempt(arena, at) {
            return None;
        }
        Some((self.loop_of(arena, at), self.last_arrival(arena, at)?.events))
    }

    /// If an image spins: how many events it had before the round, unless the round has one access at most.
    pub fn round_since(&self, arena: &Arena, at: Snapshot) -> Option<u32> {
        let spin = self.instruction(arena, at);
        if spin.op != Op::Spin {
            return Some(self.spun_since(arena, at)?.1);
        }
        let image = arena.image(at);
        let function = &self.program.functions[image.field(Field::Function) as usize];
        let begin = &function.code[spin.b as usize];
        (begin.op == Op::Round).then(|| (image[base(image) + begin.dst as usize] >> 32) as u32)
    }

    /// Whether an image at a ROUND is to be compared with an earlier arrival, not only to remember this one.
    pub fn is_compared(&self, arena: &Arena, at: Snapshot) -> bool {
        self.round(arena, at).x == 0
    }

    /// Whether an image is at a ROUND that stands where an attempt has failed.
    pub fn is_attempt(&self, arena: &Arena, at: Snapshot) -> bool {
        let i = self.instruction(arena, at);
        i.op == Op::Round && i.x == FAILED
    }

    /// The only number that lets an attempt succeed that has failed, if there is one.
    pub fn wanted_exactly(&self, arena: &Arena, at: Snapshot) -> Option<u64> {
        let wanted =
            self.is_attempt(arena, at).then(|| &self.program.lists[self.round(arena, at).c as usize])?;
        wanted.first().map(|&operand| self.operand(arena.image(at), operand))
    }

    /// Whether the program has attempts that may fail.
    pub fn has_attempts(&self) -> bool {
        let code = self.program.functions.iter().flat_map(|function| &function.code);
        code.into_iter().any(|i| i.op == Op::Round && i.x == FAILED)
    }

    fn round(&self, arena: &Arena, at: Snapshot) -> &Instr {
        let i = self.instruction(arena, at);
        debug_assert!(i.op == Op::Round, "only an image at a ROUND has come round");
        i
    }
}
