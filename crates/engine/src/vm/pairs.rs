//! Accesses of 16 bytes, whose values are in two registers each, the lower half first.
//!
//! I1: the operands of a pair are not in its request, which stays small; they depend on the image alone, as requests do.

use super::image::{base, Arena, Snapshot};
use super::private::{is_private, is_written, read, resolve, store};
use super::request::{Answer, Request};
use super::Vm;
use crate::program::{Instr, Mode, Op, RmwOp};

/// How many bytes a pair has.
pub const PAIR: u8 = 16;
/// How many bytes each of its halves has.
const HALF: u8 = 8;

/// What an access of 16 bytes does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairAccess {
    /// Reads.
    Load,
    /// Writes.
    Store,
    /// Reads, and writes what `apply_rmw_to_pair` makes of it.
    Rmw(RmwOp),
    /// Reads, and writes if the value is as expected. The mode if it is not.
    Cas(Mode),
}

impl PairAccess {
    /// What it writes where it has read something, if it writes at all. `operands` are those of its thread.
    pub fn written(self, old: u128, operands: &PairOperands) -> Option<u128> {
        match self {
            PairAccess::Load => None,
            PairAccess::Store => Some(operands.first),
            PairAccess::Rmw(op) => Some(apply_rmw_to_pair(op, old, operands.first)),
            PairAccess::Cas(_) => (old == operands.first).then_some(operands.new),
        }
    }
}

/// What a thread gives to an access of 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairOperands {
    /// What to write, the operand of a read-modify-write, or what a compare-and-swap expects.
    pub first: u128,
    /// What a compare-and-swap writes.
    pub new: u128,
}

/// A value of 16 bytes from its halves.
pub fn pair_of(low: u64, high: u64) -> u128 {
    u128::from(high) << 64 | u128::from(low)
}

/// What a read-modify-write of 16 bytes stores.
fn apply_rmw_to_pair(op: RmwOp, old: u128, operand: u128) -> u128 {
    let (signed_old, signed_operand) = (old as i128, operand as i128);
    match op {
        RmwOp::Xchg => operand,
        RmwOp::Add => old.wrapping_add(operand),
        RmwOp::Sub => old.wrapping_sub(operand),
        RmwOp::And => old & operand,
        RmwOp::Or => old | operand,
        RmwOp::Xor => old ^ operand,
        RmwOp::Nand => !(old & operand),
        RmwOp::Max => signed_old.max(signed_operand) as u128,
        RmwOp::Min => signed_old.min(signed_operand) as u128,
        RmwOp::Umax => old.max(operand),
        RmwOp::Umin => old.min(operand),
        RmwOp::Fadd | RmwOp::Fsub => unreachable!("program I1: no float has 16 bytes"),
    }
}

fn what(i: &Instr) -> PairAccess {
    match i.op {
        Op::LoadPair => PairAccess::Load,
        Op::StorePair => PairAccess::Store,
        Op::RmwPair => PairAccess::Rmw(RmwOp::from_u8(i.x).expect("program I1: the operation exists")),
        _ => PairAccess::Cas(Mode::from_u8(i.x).expect("program I1: the mode exists")),
    }
}

impl Vm<'_> {
    /// What a thread that waits for an access of 16 bytes gives to it.
    pub fn pair_operands(&self, arena: &Arena, at: Snapshot) -> PairOperands {
        self.operands_of(arena.image(at), self.instruction(arena, at))
    }

    fn operands_of(&self, image: &[u64], i: &Instr) -> PairOperands {
        let pair = |low, high| pair_of(self.operand(image, low), self.operand(image, high));
        match i.op {
            Op::StorePair | Op::RmwPair => PairOperands { first: pair(i.b, i.c), new: 0 },
            Op::CasPair => match self.program.lists[i.c as usize][..] {
                [low, high, new_low, new_high] => {
                    PairOperands { first: pair(low, high), new: pair(new_low, new_high) }
                }
                _ => unreachable!("program I1: the list has four operands"),
            },
            _ => PairOperands { first: 0, new: 0 },
        }
    }

    /// The request of an image that waits for an access of 16 bytes.
    pub(super) fn pair_request(&self, image: &[u64], i: &Instr) -> Request {
        let address = self.operand(image, i.a);
        match is_private(address) {
            true => Request::Fault(self.private_fault(image, address, PAIR)),
            false => Request::Pair { address, mode: i.mode, access: what(i) },
        }
    }

    /// An access of 16 bytes that the thread can do alone: of its private memory, or a load of constants.
    pub(super) fn perform_pair(&self, image: &mut [u64], i: &Instr) -> bool {
        let address = self.operand(image, i.a);
        if !is_private(address) {
            let half = |at| self.constants.read(at, HALF);
            let found = (i.op == Op::LoadPair).then(|| half(address).zip(half(address + 8))).flatten();
            return found.is_some_and(|(low, high)| self.finish_pair(image, i, pair_of(low, high), false));
        }
        let Some(place) = resolve(self.program, image, address, usize::from(PAIR)) else { return false };
        if i.op != Op::StorePair && !is_written(image, place, usize::from(PAIR)) {
            return false;
        }
        let old = pair_of(read(image, place.at, HALF), read(image, place.at + 8, HALF));
        let new = what(i).written(old, &self.operands_of(image, i));
        if let Some(new) = new {
            store(image, place, HALF, new as u64);
            store(image, place.after(8), HALF, (new >> 64) as u64);
        }
        self.finish_pair(image, i, old, new.is_some())
    }

    /// Writes the result registers and moves on.
    fn finish_pair(&self, image: &mut [u64], i: &Instr, old: u128, wrote: bool) -> bool {
        let base = base(image);
        set_results(&mut image[base..], i, old, wrote);
        self.advance(image)
    }
}

/// Writes the result registers of an access of 16 bytes.
pub(super) fn set_results(registers: &mut [u64], i: &Instr, old: u128, wrote: bool) {
    let dst = i.dst as usize;
    let results = [old as u64, (old >> 64) as u64, u64::from(wrote)];
    let count = i.op.row().results.expect("the table says how many") as usize;
    registers[dst..dst + count].copy_from_slice(&results[..count]);
}

/// What the answer to a request for 16 bytes says: the value found, and whether the thread wrote.
pub(super) fn answered(answer: &Answer) -> (u128, bool) {
    match *answer {
        Answer::Pair { low, high, wrote } => (pair_of(low, high), wrote),
        Answer::None => (0, true), // of a store, which has no results
        _ => panic!("a request for 16 bytes was answered with {answer:?}"),
    }
}
