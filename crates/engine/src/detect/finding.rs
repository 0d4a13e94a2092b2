//! Findings, and the message of each.

use super::kinds::{Refusal, Violation};
use crate::ids::{EventId, FunctionId, ThreadId};
use crate::program::{is_stray, offset, Check, Extent, Owner, Program};
use crate::vm::{read_float, signed, Cause, Fault, Repetition, Snapshot};

/// Whether a number is one of a signed type.
fn fits(value: i128, width: u8) -> bool {
    i128::from(signed(value as u64, width)) == value
}

/// The message for an access after the end of an object's lifetime.
pub(super) const ACCESS_AFTER_FREE: &str = "access to freed memory";
/// The same for a local variable.
pub(super) const ACCESS_AFTER_RETURN: &str = "access to a local variable that is gone";

/// The message for a loop, or a recursion, that comes back to the same state alone.
pub(crate) const DOES_NOT_END: &str = "does not end";

/// `1 byte`, `4 bytes`.
pub(crate) fn count(bytes: u64) -> String {
    if bytes == 1 {
        "1 byte".into()
    } else {
        format!("{bytes} bytes")
    }
}

/// Something wrong that an execution does, or something that the engine refuses to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The engine does not support this; this is not a verdict on the program.
    pub refused: bool,
    /// A stable word: a violation kind, or why it was refused.
    pub kind: String,
    /// What happened.
    pub message: String,
    /// The event that it is about, if it may not be the newest one of its thread; else none.
    pub event: EventId,
    /// The other event involved.
    pub other: Option<EventId>,
    /// The thread that did it; filled in where the exploration stops.
    pub thread: ThreadId,
    /// The thread's state when it did it; `None` if it is only about to do it.
    pub at: Option<Snapshot>,
    /// The address of the memory involved.
    pub address: Option<u64>,
    /// The private object that the address was computed from.
    pub object: Option<Box<Extent>>,
    /// The error rule of the plan that was broken.
    pub rule: Option<u32>,
    /// The loop or recursion that does not end.
    pub endless: Option<Repetition>,
}

/// A thread that waits for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Which thread.
    pub thread: ThreadId,
    /// Where: its active calls, innermost first.
    pub stack: Vec<(FunctionId, u32)>,
    /// What for.
    pub awaited: Awaited,
}

/// What a thread waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// The end of another thread.
    Thread(ThreadId),
    /// A synchronisation object, whose word this event has read.
    Object(EventId),
    /// That what it reads in each round of a loop changes.
    Change {
        /// What it reads, in the order of the round.
        seen: Vec<Seen>,
    },
}

/// A location that a thread in a loop reads in each round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Where.
    pub address: u64,
    /// How many bytes.
    pub size: u8,
    /// What it sees there.
    pub value: u128,
    /// Who wrote that; none is initial memory.
    pub source: Option<EventId>,
    /// The instruction that reads.
    pub place: (FunctionId, u32),
    /// The operation on a synchronisation object that reads it, if nothing else does.
    pub operation: Option<u32>,
}

impl Finding {
    /// A violation.
    pub fn violation(kind: Violation, message: impl Into<String>) -> Finding {
        Finding::failure(kind.name(), message)
    }

    /// A violation whose kind the program itself names.
    fn failure(kind: &str, message: impl Into<String>) -> Finding {
        Finding {
            refused: false,
            kind: kind.into(),
            message: message.into(),
            event: EventId::NONE,
            other: None,
            thread: ThreadId(0),
            at: None,
            address: None,
            object: None,
            rule: None,
            endless: None,
        }
    }

    /// Whether threads wait for ever.
    pub fn is_of_waiting(&self) -> bool {
        [Violation::Deadlock, Violation::Liveness].iter().any(|kind| kind.name() == self.kind)
    }

    /// Something not supported.
    pub fn refusal(reason: Refusal, message: impl Into<String>) -> Finding {
        Finding { refused: true, ..Finding::failure(reason.name(), message) }
    }

    /// The same, with the other event involved.
    pub fn with(mut self, other: EventId) -> Finding {
        self.other = Some(other);
        self
    }

    /// A loop or a recursion without an end, or one that may be; the message says which, and follows its name.
    pub fn endless(what: Repetition, message: &str) -> Finding {
        Finding { endless: Some(what), ..Finding::refusal(Refusal::EndlessLoop, message) }
    }

    /// The same, with the address of the memory involved.
    pub fn about(mut self, address: u64) -> Finding {
        self.address = Some(address);
        self
    }

    /// A use of bytes that were never written.
    pub fn unwritten() -> Finding {
        Finding::violation(Violation::Uninitialized, "read of memory that was never written")
    }

    /// Memory that nobody frees, and the state in which a thread has allocated it, if that is known.
    pub fn leak(address: u64, thread: ThreadId, at: Option<Snapshot>, how: &str) -> Finding {
        let message = format!("this memory is never freed{how}");
        Finding { thread, at, ..Finding::violation(Violation::Leak, message) }.about(address)
    }

    /// An access to memory outside of every object.
    pub fn unallocated(address: u64, size: u64) -> Finding {
        if address < 4096 {
            return Finding::violation(Violation::Unallocated, "null pointer dereference").about(address);
        }
        if is_stray(address) {
            let message =
                format!("access of {} outside the object that the address was made from", count(size));
            return Finding::violation(Violation::Unallocated, message);
        }
        let message =
            format!("access of {} at {address:#x}, which is outside every live object", count(size));
        Finding::violation(Violation::Unallocated, message).about(address)
    }

    /// Something that C leaves undefined, from the operands of the check that noticed it.
    fn undefined(check: Check, width: u8, a: u64, b: u64) -> Finding {
        let (left, right) = (i128::from(signed(a, width)), i128::from(signed(b, width)));
        let (sign, exact) = match check {
            Check::Written => {
                let message = "read of a local variable that was never written";
                return Finding::violation(Violation::Uninitialized, message);
            }
            Check::Index => {
                let message = format!("the index {left} is outside the array, which has {right} elements");
                return Finding::violation(Violation::Unallocated, message);
            }
            Check::Shl if (0..i128::from(width)).contains(&right) => match fits(left << right, width) {
                true => {
                    let message = format!("shift of {left}, which is negative, to the left");
                    return Finding::violation(Violation::Undefined, message);
                }
                false => ("<<", left << right),
            },
            Check::Shift | Check::Shl => {
                let message = format!("shift of {left} by {right}, but the type has {width} bits");
                return Finding::violation(Violation::Undefined, message);
            }
            Check::Signed | Check::Unsigned => return Finding::unfit_float(check, width, a, b),
            Check::Add => ("+", left + right),
            Check::Sub => ("-", left - right),
            Check::Mul => ("*", left * right),
            Check::Div => ("/", -left),
        };
        let message =
            format!("{left} {sign} {right} is {exact}, which a signed type of {width} bits cannot hold");
        Finding::violation(Violation::Overflow, message)
    }

    /// A conversion of a float to an integer type that cannot hold it.
    fn unfit_float(check: Check, width: u8, float: u64, bits: u64) -> Finding {
        let (kind, sign) = match check {
            Check::Signed => (Violation::Overflow, "a signed"),
            _ => (Violation::Undefined, "an unsigned"),
        };
        let value = read_float(float, width);
        Finding::violation(
            kind,
            format!("{value:?} is converted to {sign} type of {bits} bits, which cannot hold it"),
        )
    }

    /// An invalid access to private memory.
    fn from_private(address: u64, size: u64, cause: Cause) -> Finding {
        match cause {
            Cause::Freed => Finding::violation(Violation::Freed, ACCESS_AFTER_FREE),
            Cause::Returned => Finding::violation(Violation::Freed, ACCESS_AFTER_RETURN),
            Cause::Outside { .. } => Finding::unallocated(address, size).beside(address, cause),
            Cause::Unwritten => Finding::unwritten().about(address),
            Cause::Unknown => Finding::unallocated(address, size),
        }
    }

    /// The finding with the private object that an address was computed from, if any.
    fn beside(self, address: u64, cause: Cause) -> Finding {
        let Cause::Outside { from, to } = cause else { return self };
        let start = address - offset(address);
        Finding { object: Some(Box::new((start + u64::from(from), start + u64::from(to)))), ..self }
    }

    /// A free of something that is not a heap object.
    pub fn invalid_free(address: u64) -> Finding {
        let message = format!("free of {address:#x}, which is not the start of a heap object");
        Finding::violation(Violation::InvalidFree, message).about(address)
    }

    /// A free of an object that must be freed otherwise.
    pub fn mismatched_free(address: u64, owner: Owner, by: Owner) -> Finding {
        let ((made, needs), (_, used)) = (owner.words(), by.words());
        let message = format!("{used} instead of {needs} for memory from {made}");
        Finding::violation(Violation::InvalidFree, message).about(address)
    }

    /// What a thread's fault means.
    pub fn from_fault(fault: Fault, program: &Program) -> Finding {
        let text = |index: u32| program.strings[index as usize].clone();
        match fault {
            Fault::DivisionByZero => Finding::violation(Violation::DivisionByZero, "division by zero"),
            Fault::Check { check, width, a, b } => Finding::undefined(check, width, a, b),
            Fault::StackOverflow => Finding::violation(
                Violation::StackOverflow,
                "the call stack exceeds its limit: endless recursion?",
            ),
            Fault::OutOfMemory { size } => {
                let room = "a thread has 256 MiB of shared and 8 MiB of private memory";
                Finding::refusal(Refusal::Unsupported, format!("an allocation of {size} bytes ({room})"))
            }
            Fault::PrivateAccess { address, size, cause } => {
                Finding::from_private(address, u64::from(size), cause)
            }
            Fault::BadCall { address: 0 } => {
                Finding::violation(Violation::Unallocated, "call through a null pointer")
            }
            Fault::BadCall { address } => Finding::violation(
                Violation::Unallocated,
                format!("call of {address:#x}, which is not a function"),
            ),
            Fault::DoubleFree { .. } => {
                Finding::violation(Violation::DoubleFree, "the object was freed before")
            }
            Fault::InvalidFree { address, cause } => Finding::invalid_free(address).beside(address, cause),
            Fault::MismatchedFree { address, owner, by } => Finding::mismatched_free(address, owner, by),
            Fault::Unreachable => {
                Finding::violation(Violation::Undefined, "control reached a point that must be unreachable")
            }
            Fault::Fail { kind, message } => Finding::failure(&text(kind), text(message)),
            Fault::Unknown { name } => Finding::refusal(Refusal::UnknownFunction, text(name)),
            Fault::Refused { what } => Finding::refusal(Refusal::Unsupported, text(what)),
            Fault::EndlessLoop => Finding::refusal(Refusal::EndlessLoop, DOES_NOT_END),
        }
    }
}
