//! A lock for tests, described as Python describes its objects.

use super::assemble::{op, Assembler};
use super::{Instr, Mode, Op};

/// The kind of violation that misuse of the lock is.
pub(crate) const MISUSE: &str = "lock";
/// The word of a lock that was destroyed.
pub(crate) const DESTROYED: u64 = 0xffff_ffff;
/// The result of an attempt to take a lock that is taken.
pub(crate) const BUSY: u64 = 16;

/// An operation on the lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    Take,
    Try,
    Give,
    Init,
    Destroy,
}

const OLD: [u8; 1] = [0];

fn number(value: u64) -> Vec<u8> {
    [vec![3], value.to_le_bytes().to_vec()].concat()
}

fn compute(op: Op, left: &[u8], right: &[u8]) -> Vec<u8> {
    [&[4, op as u8], left, right].concat()
}

fn holder() -> Vec<u8> {
    compute(Op::Add, &[1], &number(1))
}

fn is(value: &[u8]) -> Vec<u8> {
    compute(Op::Eq, &OLD, value)
}

fn writes(when: &[u8], value: &[u8]) -> Vec<u8> {
    [when, &[0], value, &number(0)].concat()
}

fn counted(parts: &[Vec<u8>]) -> Vec<u8> {
    [(parts.len() as u32).to_le_bytes().to_vec(), parts.concat()].concat()
}

/// An encoded operation: the modes of its read (0xff: none) and write, its cases, and what it must not
/// overwrite.
pub(crate) fn encode(
    asm: &mut Assembler,
    [reads, writes, results]: [u8; 3],
    cases: &[Vec<u8>],
    overwrites: &[Vec<u8>],
) -> Vec<u8> {
    let kind = asm.string(MISUSE).to_le_bytes();
    let stuck = asm.string("stuck").to_le_bytes();
    let head = [4, reads, writes, results, 0];
    let nothing = asm.string("").to_le_bytes();
    [&head[..], &kind, &stuck, &stuck, &nothing, &counted(cases), &counted(overwrites)].concat()
}

fn lock_operation(asm: &mut Assembler, which: Use) -> Vec<u8> {
    let (acquire, relaxed, release) = (Mode::Acq as u8, Mode::Rlx as u8, Mode::Rel as u8);
    let (always, free, dead) = (number(1), number(0), number(DESTROYED));
    let message = |asm: &mut Assembler, text| asm.string(text).to_le_bytes().to_vec();
    let gone = message(asm, "lock is gone");
    let misuse = [is(&dead), vec![3], gone.clone()].concat();
    let take = writes(&is(&free), &holder());
    match which {
        Use::Take => {
            let wait = [always, vec![2]].concat();
            encode(asm, [acquire, relaxed, 0], &[take, misuse, wait], &[])
        }
        Use::Try => {
            let busy = [always, vec![1], number(BUSY)].concat();
            encode(asm, [acquire, relaxed, 1], &[take, misuse, busy], &[])
        }
        Use::Give => {
            let text = message(asm, "lock is not held");
            let not_held = [always, vec![3], text].concat();
            let cases = [writes(&is(&holder()), &free), not_held];
            encode(asm, [0xff, release, 0], &cases, &[[is(&dead), gone].concat()])
        }
        Use::Init => encode(asm, [0xff, relaxed, 0], &[writes(&always, &free)], &[]),
        Use::Destroy => {
            let text = message(asm, "lock is held");
            let held = [compute(Op::Ne, &OLD, &free), text].concat();
            encode(asm, [0xff, relaxed, 0], &[writes(&always, &dead)], &[held])
        }
    }
}

impl Assembler {
    /// An operation on the lock at an address.
    pub(crate) fn lock(&mut self, which: Use, dst: u32, address: u32) -> Instr {
        let encoded = lock_operation(self, which);
        self.operations.push(encoded);
        let c = self.operations.len() as u32 - 1;
        Instr { dst, a: address, b: address, c, x: u8::from(which == Use::Try), ..op(Op::Sync) }
    }
}
