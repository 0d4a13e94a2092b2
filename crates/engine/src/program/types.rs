//! The parts of a Program.

use super::{decode, function_index, validate, DecodeError, Mode, Op, Operation, Source};
use crate::ids::FunctionId;
use std::collections::HashMap;

/// One instruction; its opcode determines which fields it uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instr {
    /// What to do.
    pub op: Op,
    /// Bits of the value, 1..=64 where it matters.
    pub width: u8,
    /// How strongly an access or fence orders.
    pub mode: Mode,
    /// A small number: predicate, flags, read-modify-write operation, other width, result count.
    pub x: u8,
    /// The register that takes the result.
    pub dst: u32,
    /// First operand.
    pub a: u32,
    /// Second operand.
    pub b: u32,
    /// Third operand, or the index of a list or switch.
    pub c: u32,
}

/// A private object of a function, in its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameObject {
    /// Byte offset in the frame's objects.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
}

/// A thread-local: there is a gap between its addresses and those of the next one, but not between their
/// bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadLocal {
    /// Offset of its address in PRIVATE.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// Where it is in the block.
    pub position: u32,
}

impl ThreadLocal {
    /// The offset after its last byte.
    pub fn end(&self) -> u32 {
        self.offset + self.size
    }
}

/// A LOOP instruction of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopSite {
    /// The loop's number in the program.
    pub id: u32,
    /// The register that counts its iterations.
    pub counter: u32,
    /// The position of the instruction.
    pub pc: u32,
    /// Something else is also kept in that register, where the loop is over.
    pub is_shared: bool,
}

/// A function's code and the shape of its frame.
#[derive(Clone, Debug)]
pub struct Function {
    /// Parameters, which arrive in the first registers.
    pub params: u32,
    /// Registers of a frame.
    pub registers: u32,
    /// Bytes of private objects in a frame.
    pub frame_size: u32,
    /// The private objects, by offset.
    pub objects: Vec<FrameObject>,
    /// The instructions.
    pub code: Vec<Instr>,
    /// Its LOOP instructions, by pc.
    pub loops: Vec<LoopSite>,
    /// What its ROUND instructions remember: the registers.
    pub rounds: Vec<u32>,
}

impl Function {
    /// Words that a frame's objects take, with a bit per byte that says whether it was written.
    #[inline]
    pub fn frame_words(&self) -> usize {
        self.object_words() + (self.frame_size as usize).div_ceil(64)
    }

    /// Words that the bytes of a frame's objects take.
    #[inline]
    pub fn object_words(&self) -> usize {
        (self.frame_size as usize).div_ceil(8)
    }
}

/// A global object.
#[derive(Clone, Debug)]
pub struct Global {
    /// Where it starts.
    pub address: u64,
    /// Its size in bytes.
    pub size: u32,
    /// Whether the program may not write it.
    pub constant: bool,
    /// Its initial bytes, by offset; the rest are zeros.
    pub pieces: Vec<Piece>,
}

/// Bytes that initial memory has at an offset of a global.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Where they start.
    pub at: u32,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Piece {
    /// The offset after the last byte.
    pub fn end(&self) -> u64 {
        u64::from(self.at) + self.bytes.len() as u64
    }
}

impl Global {
    /// The initial value of `size` bytes (at most 8) at an address inside it; None if they are not all
    /// inside.
    pub fn initial(&self, address: u64, size: u8) -> Option<u64> {
        let from = address.checked_sub(self.address)?;
        let end = from.checked_add(u64::from(size))?;
        if end > u64::from(self.size) {
            return None;
        }
        let mut value = [0u8; 8];
        let before = self.pieces.partition_point(|piece| u64::from(piece.at) < end);
        for piece in self.pieces[..before].iter().rev().take_while(|piece| piece.end() > from) {
            for at in from.max(u64::from(piece.at))..end.min(piece.end()) {
                value[(at - from) as usize] = piece.bytes[(at - u64::from(piece.at)) as usize];
            }
        }
        Some(u64::from_le_bytes(value))
    }
}

/// Where a SWITCH goes, by value.
#[derive(Clone, Debug)]
pub struct SwitchTable {
    /// Values and their targets, sorted by value.
    pub cases: Vec<(u64, u32)>,
    /// The target of all other values.
    pub default: u32,
}

impl SwitchTable {
    /// The target for a value.
    #[inline(never)]
    pub fn target(&self, value: u64) -> u32 {
        match self.cases.binary_search_by_key(&value, |case| case.0) {
            Ok(found) => self.cases[found].1,
            Err(_) => self.default,
        }
    }
}

/// Everything that the engine needs to run a program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The functions.
    pub functions: Vec<Function>,
    /// The function that thread 0 runs.
    pub entry: FunctionId,
    /// The globals, by address.
    pub globals: Vec<Global>,
    /// The constant pool.
    pub constants: Vec<u64>,
    /// The operand lists of calls, returns and prints.
    pub lists: Vec<Vec<u32>>,
    /// The switch tables.
    pub switches: Vec<SwitchTable>,
    /// Names and messages.
    pub strings: Vec<String>,
    /// The operations on synchronisation objects.
    pub operations: Vec<Operation>,
    /// How many loops the program has.
    pub loops: u32,
    /// The thread-locals, by offset.
    pub thread_locals: Vec<ThreadLocal>,
    /// A thread's initial block of thread-locals.
    pub tls: Vec<u8>,
    /// What the source says of instructions that were compiled for a machine, by function and pc.
    pub sources: HashMap<(FunctionId, u32), Source>,
}

impl Program {
    /// The offset in PRIVATE after the last thread-local.
    pub fn thread_locals_end(&self) -> u32 {
        self.thread_locals.last().map_or(0, ThreadLocal::end)
    }

    /// The last thread-local that starts at or before an offset.
    pub fn thread_local(&self, offset: u64) -> Option<&ThreadLocal> {
        let after = self.thread_locals.partition_point(|local| u64::from(local.offset) <= offset);
        self.thread_locals[..after].last()
    }

    /// Whether it has atomic sections.
    pub fn has_sections(&self) -> bool {
        self.functions.iter().any(|function| function.code.iter().any(|instr| instr.op == Op::Begin))
    }

    /// An operation on a synchronisation object.
    #[inline]
    pub fn operation(&self, number: u32) -> &Operation {
        &self.operations[number as usize]
    }

    /// Reads and validates an encoded Program.
    pub fn decode(bytes: &[u8]) -> Result<Program, DecodeError> {
        let program = decode::decode(bytes)?;
        validate::validate(&program)?;
        Ok(program)
    }

    /// The function that lives at an address.
    #[inline]
    pub fn function_at(&self, address: u64) -> Option<FunctionId> {
        let index = function_index(address)?;
        ((index as usize) < self.functions.len()).then_some(FunctionId(index))
    }

    /// The global that holds an address.
    pub fn global_at(&self, address: u64) -> Option<&Global> {
        let after = self.globals.partition_point(|g| g.address <= address);
        let global = self.globals[..after].last()?;
        (address - global.address < u64::from(global.size)).then_some(global)
    }
}
