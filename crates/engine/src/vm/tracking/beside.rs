//! What lies beside images, and how instructions that need nothing else change it.

use super::sets::{ReadSets, NONE};
use crate::program::{Field as Names, Instr, Op, RmwOp, CONST};
use crate::vm::image::{base, Snapshot};
use crate::vm::private::Place;

/// Where the numbers of an image have the reads that decided, and how many reads there were.
pub(super) const DECIDED: usize = 0;
pub(super) const READS: usize = 1;
/// Bytes that share a set.
const PART: usize = 4;

/// What lies beside the images of an arena.
#[derive(Clone, Debug, Default)]
pub(in crate::vm) struct Shadow {
    pub(super) numbers: Vec<u32>,
    sets: ReadSets,
}

impl Shadow {
    /// A copy of what lies beside the words below a length.
    pub(in crate::vm) fn copy_below(&self, len: usize) -> Shadow {
        let numbers = self.numbers[..self.numbers.len().min(2 * len)].to_vec();
        Shadow { numbers, sets: self.sets.clone() }
    }

    /// An image was copied to where the arena ended, at `start`.
    pub(in crate::vm) fn copy(&mut self, from: Snapshot, start: usize) {
        self.numbers.truncate(2 * start);
        self.numbers.extend_from_within(2 * from.start as usize..2 * from.end());
    }

    /// An image was made where the arena ended, at `start`.
    pub(in crate::vm) fn forget_from(&mut self, start: usize) {
        self.numbers.truncate(2 * start);
    }

    /// What lies beside the image that starts there.
    pub(super) fn tracker<'a>(&'a mut self, image: &[u64], start: usize) -> Tracker<'a> {
        Tracker { sets: &mut self.sets, numbers: &mut self.numbers[2 * start..], base: base(image) }
    }

    /// Words were inserted.
    pub(super) fn insert(&mut self, word: usize, words: usize) {
        self.numbers.splice(2 * word..2 * word, std::iter::repeat_n(NONE, 2 * words));
    }
}

/// What the run loop tells about the instructions that it runs.
pub(in crate::vm) trait Track {
    /// An instruction is about to be executed, or to wait.
    fn step(&mut self, i: &Instr);
}

/// Nobody asks for dependencies.
pub(in crate::vm) struct Untracked;

impl Track for Untracked {
    #[inline(always)]
    fn step(&mut self, _i: &Instr) {}
}

/// What lies beside an image, and where its top frame has its registers.
pub(super) struct Tracker<'a> {
    pub(super) sets: &'a mut ReadSets,
    pub(super) numbers: &'a mut [u32],
    base: usize,
}

impl Track for Tracker<'_> {
    /// Computations and branches; other instructions are tracked when they are performed or answered.
    fn step(&mut self, i: &Instr) {
        match i.op {
            Op::Br | Op::Switch | Op::Assume => self.decide(self.of(i.a)),
            Op::Loop | Op::Round | Op::Call | Op::Calli | Op::Ret => {}
            op if is_access(op) => {}
            op => {
                let mut set = NONE;
                for (kind, operand) in op.row().fields.iter().zip([i.a, i.b, i.c]) {
                    if *kind == Names::Operand {
                        set = self.sets.union(set, self.of(operand));
                    }
                }
                self.put_results(i, set);
                // Whether these make an event depends on their operands.
                if matches!(op, Op::Alloc | Op::Free | Op::Choose) {
                    self.decide(set);
                }
            }
        }
    }
}

impl Tracker<'_> {
    /// The set of an operand.
    pub(super) fn of(&self, operand: u32) -> u32 {
        match operand & CONST {
            0 => self.numbers[2 * (self.base + operand as usize)],
            _ => NONE,
        }
    }

    /// Sets the set of a register.
    pub(super) fn put(&mut self, register: usize, set: u32) {
        self.numbers[2 * (self.base + register)] = set;
    }

    fn put_results(&mut self, i: &Instr, set: u32) {
        let count = i.op.row().results.unwrap_or(u32::from(i.x)) as usize;
        (0..count).for_each(|result| self.put(i.dst as usize + result, set));
    }

    /// The reads of a set decide about all that follows.
    pub(super) fn decide(&mut self, set: u32) {
        self.numbers[DECIDED] = self.sets.union(self.numbers[DECIDED], set);
    }

    fn union_of(&mut self, operands: &[u32]) -> u32 {
        operands.iter().fold(NONE, |set, operand| self.sets.union(set, self.of(*operand)))
    }

    /// What an access writes, and what it expects to find.
    pub(super) fn written_and_expected(&mut self, lists: &[Vec<u32>], i: &Instr) -> (u32, u32) {
        match i.op {
            Op::Store | Op::Rmw | Op::Sync => (self.of(i.b), NONE),
            Op::StorePair | Op::RmwPair => (self.union_of(&[i.b, i.c]), NONE),
            Op::Cas => (self.of(i.c), self.of(i.b)),
            Op::CasPair => {
                let (expected, new) = lists[i.c as usize].split_at(2);
                (self.union_of(new), self.union_of(expected))
            }
            _ => (NONE, NONE),
        }
    }

    /// The registers of an access that has read something.
    pub(super) fn put_read(&mut self, i: &Instr, result: u32, expected: u32) {
        self.put_results(i, result);
        if matches!(i.op, Op::Cas | Op::CasPair) {
            let last = i.dst as usize + if i.op == Op::Cas { 1 } else { 2 };
            let success = self.sets.union(result, expected);
            self.put(last, success);
        }
    }

    /// The set of some bytes of private memory.
    pub(super) fn load(&mut self, place: Place, size: usize) -> u32 {
        let parts = place.at / PART..(place.at + size).div_ceil(PART);
        parts.fold(NONE, |set, part| self.sets.union(set, self.numbers[part]))
    }

    /// Some bytes of private memory get a set.
    pub(super) fn store(&mut self, place: Place, size: usize, set: u32) {
        let end = place.at + size;
        for part in place.at / PART..end.div_ceil(PART) {
            let is_whole = place.at <= part * PART && part * PART + PART <= end;
            let kept = if is_whole { NONE } else { self.numbers[part] };
            self.numbers[part] = self.sets.union(kept, set);
        }
    }
}

/// Whether an instruction reads or writes memory.
pub(super) fn is_access(op: Op) -> bool {
    matches!(op, Op::Load | Op::Store | Op::Rmw | Op::Cas | Op::Sync)
        || matches!(op, Op::LoadPair | Op::StorePair | Op::RmwPair | Op::CasPair)
}

/// Whether what an instruction writes is computed from what it reads.
pub(super) fn computes(i: &Instr) -> bool {
    matches!(i.op, Op::Rmw | Op::RmwPair) && i.x != RmwOp::Xchg as u8
}
