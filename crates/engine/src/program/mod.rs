//! The Program: the bytecode that the front-end hands over, decoded and validated once.
//!
//! `docs/reference/bytecode.md` says what it means, `python/mazurka/program` writes it.
//!
//! I1: a decoded Program is valid: every register, constant, list, switch, string, loop, function
//!     and jump target that an instruction names exists, and no function runs off its end. The VM
//!     relies on this and checks none of it again.
//! I2: globals are sorted by address and do not overlap; neither do the objects of a frame, which
//!     are sorted by offset. A switch's cases are sorted by value, one per value.
//!
//! It does not check that the code makes sense (types, initialised registers).

mod address;
mod decode;
mod error;
mod expression;
mod op;
mod source;
mod sync;
mod types;
mod validate;

#[cfg(test)]
pub(crate) mod assemble;
#[cfg(test)]
pub(crate) mod assemble_sync;
#[cfg(test)]
mod sync_tests;
#[cfg(test)]
mod tests;

pub use address::{
    address, around, code_address, function_index, is_stray, offset, origin, region, step, thread_of, Extent,
    Region, FRAME_SCALE, GAP, GLOBAL_BASE, OFFSET_MASK, SLACK,
};
pub use error::DecodeError;
pub use expression::Inputs;
pub use op::{
    Annotation, Check, Domain, Field, Mode, Op, Owner, RmwOp, Row, ALLOC_ARRAY, ALLOC_NEW, ALLOC_PRIVATE,
    ALLOC_STACK, ALLOC_ZERO, LOOP_ANY, LOOP_CONSTANT, LOOP_ENDLESS,
};
pub use source::Source;
pub use sync::{Effect, Operation};
pub use types::{FrameObject, Function, Global, Instr, LoopSite, Piece, Program, SwitchTable, ThreadLocal};

/// Set in an operand that names a constant; clear in one that names a register.
pub const CONST: u32 = 0x8000_0000;

/// The most words that a thread's stack may hold; a call past it is a stack overflow.
pub const STACK_LIMIT: usize = 1 << 20;
