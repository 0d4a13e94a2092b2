//! The requests of threads, and the answers to them.

use crate::ids::FunctionId;
use crate::program::{offset, Extent, Mode, RmwOp};

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
    /// Order accesses.
    Fence {
        /// How strongly.
        mode: Mode,
    },
    /// A new object that other threads may see starts its lifetime, at its own address.
    Alloc {
        /// Where it starts.
        address: u64,
        /// Its size in bytes.
        size: u64,
        /// Whether it starts as zeros.
        zeroed: bool,
        /// Whether it is a local variable.
        stack: bool,
    },
    /// An object's lifetime ends.
    Free {
        /// Where it starts; neither 0 nor private.
        address: u64,
        /// Whether a scope ended, rather than a call of free.
        stack: bool,
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
    /// Whether it is answered at once, without an event and no matter what other threads do.
    pub fn is_unseen(&self) -> bool {
        matches!(
            self,
            Request::Print { .. } | Request::ObjectSize { .. } | Request::Step { .. } | Request::Unwind
        )
    }
}

// Requests are copied and remembered at each event.
const _: () = assert!(size_of::<Request>() <= 32);

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
    /// Something was freed (or resized) that is not the start of a heap object.
    InvalidFree {
        /// The address given.
        address: u64,
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

/// The answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Go on: the request needs no value.
    None,
    /// A value: for Load, Rmw, Create, Join, Sync, ObjectSize, Step, Fill, Copy, Unwind.
    Value(u64),
    /// What a compare-and-swap found, and whether it wrote.
    Exchange {
        /// The value found.
        old: u64,
        /// Whether it was the expected one.
        success: bool,
    },
}

impl Answer {
    /// The value that answers a request which asks for one.
    #[inline(always)]
    pub(super) fn value(&self) -> u64 {
        match *self {
            Answer::Value(value) => value,
            Answer::Exchange { old, .. } => old,
            Answer::None => panic!("a request for a value was answered with None"),
        }
    }
}
