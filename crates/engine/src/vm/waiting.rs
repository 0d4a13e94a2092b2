//! What an image waits for, from the instruction at its pc.
//!
//! I1: an image rests only where `run` stopped. So a division there divides by zero, a call there
//!     overflows the stack or has no callee, and a private access there is out of bounds: otherwise
//!     the thread would have gone on.

use super::heap::{self, Object};
use super::image::{base, thread, Field, Fields};
use super::private::{extent, is_private};
use super::request::{Cause, Fault, Request};
use super::values::{bytes, mask};
use super::Vm;
use crate::ids::ThreadId;
use crate::program::{
    address, offset, region, Instr, Mode, Op, Region, RmwOp, ALLOC_PRIVATE, ALLOC_STACK, ALLOC_ZERO,
};

/// The thread that runs the entry function, whose return ends the whole program.
const ENTRY: ThreadId = ThreadId(0);

impl Vm<'_> {
    /// The request of an image at rest.
    #[inline(never)]
    pub(super) fn waiting(&self, image: &[u64]) -> Request {
        let function = &self.program.functions[image.field(Field::Function) as usize];
        let i = &function.code[image.field(Field::Pc) as usize];
        if image.field(Field::Endless) != 0 {
            return Request::Fault(Fault::EndlessLoop);
        }
        match i.op {
            Op::Load | Op::Store | Op::Rmw | Op::Cas => self.access_request(image, i),
            Op::Fence => self.shared_request(image, i),
            _ => self.other_request(image, i),
        }
    }

    /// The request of a fence, or of an access that is neither private nor constant.
    pub(super) fn shared_request(&self, image: &[u64], i: &Instr) -> Request {
        let mode = i.mode;
        if i.op == Op::Fence {
            return Request::Fence { mode };
        }
        let size = bytes(i.width);
        let address = self.operand(image, i.a);
        let value = |operand| self.operand(image, operand) & mask(i.width);
        match i.op {
            Op::Load => Request::Load { address, size, mode },
            Op::Store => Request::Store { address, size, mode, value: value(i.b) },
            Op::Rmw => {
                let op = RmwOp::from_u8(i.x).expect("program I1: the operation exists");
                Request::Rmw { address, size, mode, op, operand: value(i.b) }
            }
            _ => {
                let failure = Mode::from_u8(i.x).expect("program I1: the mode exists");
                let (expected, new) = (value(i.b), value(i.c));
                Request::Cas { address, size, mode, failure, expected, new }
            }
        }
    }

    fn access_request(&self, image: &[u64], i: &Instr) -> Request {
        let address = self.operand(image, i.a);
        match is_private(address) {
            true => Request::Fault(self.private_fault(image, address, bytes(i.width))),
            false => self.shared_request(image, i),
        }
    }

    pub(super) fn private_fault(&self, image: &[u64], address: u64, size: u8) -> Fault {
        let own = region(address) == Region::PRIVATE && crate::program::thread_of(address) == thread(image);
        let found = match own {
            true => heap::object(self.program, image, offset(address) as usize),
            false => Object::None,
        };
        let cause = match found {
            Object::Freed { local: true } => Cause::Returned,
            Object::Freed { local: false } => Cause::Freed,
            _ => extent(self.program, image, address).map_or(Cause::Unknown, Cause::outside),
        };
        Fault::PrivateAccess { address, size, cause }
    }

    fn other_request(&self, image: &[u64], i: &Instr) -> Request {
        let a = || self.operand(image, i.a);
        match i.op {
            Op::Alloc => self.alloc_request(image, i),
            Op::Free | Op::Objsize => self.object_request(image, i),
            Op::Step => Request::Step { base: a(), offset: self.operand(image, i.b) },
            Op::Unwind => Request::Unwind,
            Op::Fill | Op::Copy => self.bulk_request(image, i),
            Op::Create => self.create_request(image, i),
            Op::Join => Request::Join { thread: a() },
            Op::Sync => self.sync_request(image, i),
            Op::Print => Request::Print { string: i.a, list: i.c },
            Op::Ret => {
                let results = &self.program.lists[i.c as usize];
                let value = results.first().map_or(0, |&operand| self.operand(image, operand));
                match thread(image) {
                    ENTRY => Request::Exit,
                    _ => Request::Done { value },
                }
            }
            Op::Exit if i.x != 0 => Request::Exit,
            Op::Exit => Request::Done { value: a() },
            Op::Assume => Request::Blocked,
            Op::Loop => Request::Cut { loop_id: i.a },
            _ => match self.callee(image, i).filter(|callee| self.is_too_deep(image, *callee)) {
                Some(function) => Request::CutCall { function },
                None => Request::Fault(self.fault(image, i)),
            },
        }
    }

    fn fault(&self, image: &[u64], i: &Instr) -> Fault {
        match i.op {
            Op::Udiv | Op::Sdiv | Op::Urem | Op::Srem => Fault::DivisionByZero,
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

    fn alloc_request(&self, image: &[u64], i: &Instr) -> Request {
        let size = self.operand(image, i.a);
        match self.shared_place(image, &image[base(image)..], i) {
            Some((at, _)) if i.x & ALLOC_PRIVATE == 0 => Request::Alloc {
                address: address(Region::SHARED, thread(image), u64::from(at)),
                size,
                zeroed: i.x & ALLOC_ZERO != 0,
                stack: i.x & ALLOC_STACK != 0,
            },
            _ => Request::Fault(Fault::OutOfMemory { size }),
        }
    }

    fn object_request(&self, image: &[u64], i: &Instr) -> Request {
        let address = self.operand(image, i.a);
        if is_private(address) {
            let freed = matches!(self.heap_object(image, address), Object::Freed { .. });
            return Request::Fault(match freed {
                true => Fault::DoubleFree { address },
                false => Fault::InvalidFree { address },
            });
        }
        match i.op {
            Op::Free => Request::Free { address, stack: i.x & ALLOC_STACK != 0 },
            _ => Request::ObjectSize { address },
        }
    }

    fn create_request(&self, image: &[u64], i: &Instr) -> Request {
        let (function, argument) = (self.operand(image, i.a), self.operand(image, i.b));
        match self.program.function_at(function) {
            Some(_) => Request::Create { function, argument },
            None => Request::Fault(Fault::BadCall { address: function }),
        }
    }
}
