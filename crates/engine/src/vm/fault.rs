//! Why a thread cannot go on, from the instruction at its pc.

use super::heap::{self, Object};
use super::image::thread;
use super::private::{extent, resolve};
use super::Vm;
use crate::program::{offset, region, Check, Extent, Instr, Op, Owner, Region};

/// Why an access to private memory is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// An object lived there that has been freed.
    Freed,
    /// A local variable lived there, of a function that has returned.
    Returned,
    /// It is not inside the object that its address was computed from. The object's offsets in the region are
    /// 32 bits wide, to keep all requests small.
    Outside {
        /// Of the first byte.
        from: u32,
        /// Of the one after the last.
        to: u32,
    },
    /// It reads bytes of an object that were never written.
    Unwritten,
    /// There is no object anywhere near.
    Unknown,
}

impl Cause {
    /// An access that is not inside an object.
    pub fn outside((start, end): Extent) -> Cause {
        let from = offset(start) as u32;
        Cause::Outside { from, to: from + (end - start) as u32 }
    }
}

/// Why a thread cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A division or remainder by zero.
    DivisionByZero,
    /// What a CHECK asks does not hold.
    Check {
        /// What it asks.
        check: Check,
        /// The width of its operands.
        width: u8,
        /// The first operand.
        a: u64,
        /// The second one.
        b: u64,
    },
    /// Calls are nested too deeply.
    StackOverflow,
    /// An allocation does not fit in the address space of its thread.
    OutOfMemory {
        /// The size asked for, in bytes.
        size: u64,
    },
    /// An access outside the live private objects of this thread.
    PrivateAccess {
        /// Where.
        address: u64,
        /// How many bytes.
        size: u8,
        /// What is wrong with it.
        cause: Cause,
    },
    /// A call of (or a thread started in) something that is not a function.
    BadCall {
        /// The address called.
        address: u64,
    },
    /// A private object was freed again.
    DoubleFree {
        /// Where it was.
        address: u64,
    },
    /// A private object was freed in another way than it was allocated.
    MismatchedFree {
        /// The object.
        address: u64,
        /// Who should have freed it.
        owner: Owner,
        /// Who does.
        by: Owner,
    },
    /// Something was freed (or resized) that is not the start of a heap object.
    InvalidFree {
        /// The address given.
        address: u64,
        /// The private object that it was computed from, if any.
        cause: Cause,
    },
    /// Code was reached that the compiler assumed to be unreachable.
    Unreachable,
    /// The program itself reports a finding, or misuses an object that only this thread sees.
    Fail {
        /// String: the finding's kind.
        kind: u32,
        /// String: its message.
        message: u32,
    },
    /// An external function was reached that is not known.
    Unknown {
        /// String: its name.
        name: u32,
    },
    /// A construct was reached that is not supported.
    Refused {
        /// String: which.
        what: u32,
    },
    /// The step limit was reached without a request.
    EndlessLoop,
}

impl Vm<'_> {
    /// Of an image that rests at an instruction which asks for nothing.
    pub(super) fn fault(&self, image: &[u64], i: &Instr) -> Fault {
        match i.op {
            Op::Udiv | Op::Sdiv | Op::Urem | Op::Srem => Fault::DivisionByZero,
            Op::Check => Fault::Check {
                check: Check::from_u8(i.x).expect("program I1: the check exists"),
                width: i.width,
                a: self.operand(image, i.a),
                b: self.operand(image, i.b),
            },
            Op::Call => Fault::StackOverflow,
            Op::Calli => {
                let address = self.operand(image, i.a);
                match self.program.function_at(address) {
                    Some(_) => Fault::StackOverflow,
                    None => Fault::BadCall { address },
                }
            }
            Op::Unreachable => Fault::Unreachable,
            Op::Fail => Fault::Fail { kind: i.a, message: i.b },
            Op::Unknown => Fault::Unknown { name: i.a },
            Op::Refuse => Fault::Refused { what: i.a },
            op => unreachable!("I1: no thread rests at {}", op.name()),
        }
    }

    pub(super) fn private_fault(&self, image: &[u64], address: u64, size: u8) -> Fault {
        let own = region(address) == Region::PRIVATE && crate::program::thread_of(address) == thread(image);
        let found = match own {
            true => heap::object(self.program, image, offset(address) as usize),
            false => Object::None,
        };
        let cause = match found {
            Object::Freed { owner: Owner::Scope } => Cause::Returned,
            Object::Freed { .. } => Cause::Freed,
            _ if resolve(self.program, image, address, usize::from(size)).is_some() => Cause::Unwritten,
            _ => extent(self.program, image, address).map_or(Cause::Unknown, Cause::outside),
        };
        Fault::PrivateAccess { address, size, cause }
    }

    /// Of a free of a private address at which no heap object starts.
    pub(super) fn invalid_free(&self, image: &[u64], address: u64) -> Fault {
        let cause = extent(self.program, image, address).map_or(Cause::Unknown, Cause::outside);
        Fault::InvalidFree { address, cause }
    }
}
