//! The requests of threads, the answers to them, and what an image asks for: that follows from the instruction at
//! its pc.
//!
//! I1: an image rests only where `run` stopped. So a division there divides by zero, a call there
//!     overflows the stack or has no callee, and a private access there is out of bounds: otherwise
//!     the thread would have gone on.

use super::fault::Fault;
use super::heap::Object;
use super::image::{base, thread, Field, Fields};
use super::loops::pauses::PAUSES;
use super::loops::rounds::SPINS;
use super::pairs::PairAccess;
use super::private::is_private;
use super::values::{bytes, mask};
use super::Vm;
use crate::ids::{FunctionId, ThreadId};
use crate::program::{address, Domain, Instr, Mode, Op, Owner, Region, RmwOp, ALLOC_PRIVATE, ALLOC_ZERO};

/// What a thread waits for. Sizes are in bytes, values zero-extended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// Read memory. Answer: the value.
    Load {
        /// Where.
        address: u64,
        /// How many bytes.
        size: u8,
        /// How strongly.
        mode: Mode,
    },
    /// Write memory.
    Store {
        /// Where.
        address: u64,
        /// How many bytes.
        size: u8,
        /// How strongly.
        mode: Mode,
        /// What.
        value: u64,
    },
    /// Read, then write what [`apply_rmw`](super::apply_rmw) makes of it. Answer: the old value.
    Rmw {
        /// Where.
        address: u64,
        /// How many bytes.
        size: u8,
        /// How strongly.
        mode: Mode,
        /// What to make of the old value.
        op: RmwOp,
        /// The operand.
        operand: u64,
    },
    /// Read, then write if the value is as expected. Answer: an exchange.
    Cas {
        /// Where.
        address: u64,
        /// How many bytes.
        size: u8,
        /// How strongly if it succeeds.
        mode: Mode,
        /// How strongly if it fails.
        failure: Mode,
        /// The value to replace.
        expected: u64,
        /// The value to write.
        new: u64,
    },
    /// Read or write 16 bytes; [`pair_operands`](super::Vm::pair_operands) has the values. Answer: a pair, or none for
    /// a store.
    Pair {
        /// Where.
        address: u64,
        /// How strongly.
        mode: Mode,
        /// What it does.
        access: PairAccess,
    },
    /// Order accesses.
    Fence {
        /// How strongly.
        mode: Mode,
        /// Of what, if it is one of SRCU.
        domain: Domain,
    },
    /// A new object that other threads may see starts its lifetime, at its own address.
    Alloc {
        /// Where it starts.
        address: u64,
        /// Its size in bytes.
        size: u64,
        /// Whether it starts as zeros.
        zeroed: bool,
        /// Who ends its life.
        owner: Owner,
    },
    /// An object's lifetime ends.
    Free {
        /// Where it starts; neither 0 nor private.
        address: u64,
        /// Who ends it.
        owner: Owner,
    },
    /// Answer: the size of the object that starts there.
    ObjectSize {
        /// Where; neither 0 nor private.
        address: u64,
    },
    /// Compute an address. Answer: that of a byte of the same object, or of nothing.
    Step {
        /// An address in shared memory.
        base: u64,
        /// How many bytes to add.
        offset: u64,
    },
    /// Set bytes of initial memory, in the prologue only. Answer: 1 if all of them are in one object, else 0,
    /// and nothing was done.
    Fill {
        /// Where.
        address: u64,
        /// How many bytes.
        size: u64,
        /// To what.
        byte: u8,
    },
    /// Copy bytes from or to initial memory, in the prologue only. Answer: as for Fill.
    Copy {
        /// Where to.
        address: u64,
        /// How many bytes.
        size: u64,
        /// Where from.
        source: u64,
    },
    /// The thread is about to end. Answer: one of its live local variables that others may see, 0 if none is
    /// left.
    Unwind,
    /// Start a thread. Answer: its value.
    Create {
        /// The address of a function that exists.
        function: u64,
        /// Its argument.
        argument: u64,
    },
    /// Wait for a thread to finish. Answer: what it returned.
    Join {
        /// The thread's value, from Create (not checked).
        thread: u64,
    },
    /// Use a synchronisation object. Answer: the operation's result, if it has one.
    Sync {
        /// Where its word is.
        address: u64,
        /// The operand.
        operand: u64,
        /// Which operation of the Program.
        operation: u32,
    },
    /// Take one of the values `first`, `first + 1`, …, `last`, of so many bits. Answer: the value.
    Choose {
        /// The first value.
        first: u64,
        /// The last value.
        last: u64,
        /// The bits of a value.
        mask: u64,
    },
    /// An atomic section begins.
    Begin,
    /// It ends.
    End,
    /// A round of a loop begins. Answer: what the thread remembers of this arrival, or of an earlier one.
    Round,
    /// Go on: the thread has run for long, and only pauses.
    Pause,
    /// Show something; [`print_arguments`](super::Vm::print_arguments) has the values.
    Print {
        /// The source of the format.
        string: u32,
        /// The operand list.
        list: u32,
    },
    /// The thread has finished. It cannot be resumed.
    Done {
        /// What it returned.
        value: u64,
    },
    /// The whole program has ended, by `EXIT` or because the entry function returned. The thread cannot be
    /// resumed.
    Exit,
    /// The thread is blocked for good. It cannot be resumed.
    Blocked,
    /// The thread has made a round of a loop that changed nothing. It cannot be resumed: another round would do
    /// the same, unless it reads something else, and then that could have been the first round.
    Spin {
        /// Which loop.
        loop_id: u32,
    },
    /// The loop has reached its bound. It cannot be resumed.
    Cut {
        /// Which loop.
        loop_id: u32,
    },
    /// A function that calls itself has reached the bound of loops. It cannot be resumed.
    CutCall {
        /// Which function.
        function: FunctionId,
    },
    /// The thread cannot go on. It cannot be resumed.
    Fault(Fault),
}

impl Request {
    /// The loop that a thread which cannot go on is in: it spins there, or was cut.
    pub fn loop_id(&self) -> Option<u32> {
        match self {
            Request::Spin { loop_id } | Request::Cut { loop_id } => Some(*loop_id),
            _ => None,
        }
    }

    /// Whether it is a compare-exchange that orders more if it fails than if it succeeds, as C allows since 2017.
    pub fn orders_more_if_it_fails(&self) -> bool {
        match *self {
            Request::Cas { mode, failure, .. }
            | Request::Pair { access: PairAccess::Cas(failure), mode, .. } => failure > mode.read_half(),
            _ => false,
        }
    }

    /// Whether it is answered at once, without an event and no matter what other threads do.
    pub fn is_unseen(&self) -> bool {
        matches!(
            self,
            Request::Print { .. }
                | Request::ObjectSize { .. }
                | Request::Step { .. }
                | Request::Unwind
                | Request::Round
                | Request::Pause
        )
    }
}

// Requests are copied and remembered at each event.
const _: () = assert!(size_of::<Request>() <= 32);

/// The answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Go on: the request needs no value.
    None,
    /// A value: for Load, Rmw, Create, Join, Sync, ObjectSize, Step, Fill, Copy, Unwind, Choose.
    Value(u64),
    /// What a compare-and-swap found, and whether it wrote.
    Exchange {
        /// The value found.
        old: u64,
        /// Whether it was the expected one.
        success: bool,
    },
    /// What an access of 16 bytes found, and whether it wrote.
    Pair {
        /// The lower half of the value found.
        low: u64,
        /// The upper half.
        high: u64,
        /// Whether it wrote.
        wrote: bool,
    },
}

impl Answer {
    /// The answer to an access of 16 bytes.
    pub fn of_pair(found: u128, wrote: bool) -> Answer {
        Answer::Pair { low: found as u64, high: (found >> 64) as u64, wrote }
    }

    /// The value that answers a request which asks for one.
    #[inline(always)]
    pub(super) fn value(&self) -> u64 {
        match *self {
            Answer::Value(value) => value,
            Answer::Exchange { old, .. } => old,
            Answer::None | Answer::Pair { .. } => panic!("a request for a value was answered with {self:?}"),
        }
    }
}

/// The thread that runs the entry function, whose return ends the whole program.
const ENTRY: ThreadId = ThreadId(0);

/// The domain of a fence. What other threads cannot see is in none.
fn domain(address: u64, size: u8) -> Domain {
    match is_private(address) {
        true => Domain::NONE,
        false => Domain { address, size },
    }
}

impl Vm<'_> {
    /// The request of an image at rest.
    #[inline(never)]
    pub(super) fn waiting(&self, image: &[u64]) -> Request {
        let function = &self.program.functions[image.field(Field::Function) as usize];
        let i = &function.code[image.field(Field::Pc) as usize];
        match image.field(Field::Endless) {
            0 => {}
            SPINS => return Request::Spin { loop_id: i.b },
            PAUSES => return Request::Pause,
            _ => return Request::Fault(Fault::EndlessLoop),
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
            return Request::Fence { mode, domain: Domain::NONE };
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

    fn other_request(&self, image: &[u64], i: &Instr) -> Request {
        let a = || self.operand(image, i.a);
        match i.op {
            Op::LoadPair | Op::StorePair | Op::RmwPair | Op::CasPair => self.pair_request(image, i),
            Op::Alloc => self.alloc_request(image, i),
            Op::Free | Op::Objsize => self.object_request(image, i),
            Op::Step => Request::Step { base: a(), offset: self.operand(image, i.b) },
            Op::Unwind => Request::Unwind,
            Op::Fill | Op::Copy => self.bulk_request(image, i),
            Op::Create => self.create_request(image, i),
            Op::Join => Request::Join { thread: a() },
            Op::Sync => self.sync_request(image, i),
            Op::FenceAt => Request::Fence { mode: i.mode, domain: domain(a(), bytes(i.width)) },
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
            Op::Spin => Request::Spin { loop_id: i.a },
            Op::Loop => Request::Cut { loop_id: i.a },
            Op::Round => Request::Round,
            Op::Choose => {
                let mask = mask(i.width);
                Request::Choose { first: a() & mask, last: self.operand(image, i.b) & mask, mask }
            }
            Op::Begin => Request::Begin,
            Op::End => Request::End,
            _ => match self.callee(image, i).filter(|callee| self.is_too_deep(image, *callee)) {
                Some(function) => Request::CutCall { function },
                None => Request::Fault(self.fault(image, i)),
            },
        }
    }

    fn alloc_request(&self, image: &[u64], i: &Instr) -> Request {
        let size = self.operand(image, i.a);
        match self.shared_place(image, &image[base(image)..], i) {
            Some((at, _)) if i.x & ALLOC_PRIVATE == 0 => Request::Alloc {
                address: address(Region::SHARED, thread(image), u64::from(at)),
                size,
                zeroed: i.x & ALLOC_ZERO != 0,
                owner: Owner::of(i.x),
            },
            _ => Request::Fault(Fault::OutOfMemory { size }),
        }
    }

    fn object_request(&self, image: &[u64], i: &Instr) -> Request {
        let address = self.operand(image, i.a);
        if is_private(address) {
            return Request::Fault(match self.heap_object(image, address) {
                Object::Freed { .. } => Fault::DoubleFree { address },
                Object::Live(entry) if !entry.owner.is_scope() => {
                    Fault::MismatchedFree { address, owner: entry.owner, by: Owner::of(i.x) }
                }
                _ => self.invalid_free(image, address),
            });
        }
        match i.op {
            Op::Free => Request::Free { address, owner: Owner::of(i.x) },
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
