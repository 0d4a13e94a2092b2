//! A small assembler for tests: builds Programs through the same bytes as Python.

use super::{FrameObject, Instr, Mode, Op, Program, CONST};

/// A function under construction.
#[derive(Clone, Default)]
pub(crate) struct Code {
    pub(crate) params: u32,
    pub(crate) registers: u32,
    pub(crate) frame_size: u32,
    pub(crate) objects: Vec<FrameObject>,
    pub(crate) code: Vec<Instr>,
}

/// The bytes of a global that are not zero, in pieces: offset and bytes.
pub(crate) type Pieces = Vec<(u32, Vec<u8>)>;

/// A Program under construction; the pools grow as they are used.
#[derive(Clone, Default)]
pub(crate) struct Assembler {
    pub(crate) entry: u32,
    pub(crate) thread_locals: Vec<(u32, u32, Vec<u8>)>,
    pub(crate) constants: Vec<u64>,
    pub(crate) lists: Vec<Vec<u32>>,
    pub(crate) switches: Vec<(Vec<(u64, u32)>, u32)>,
    pub(crate) strings: Vec<String>,
    /// Encoded operations on synchronisation objects.
    pub(crate) operations: Vec<Vec<u8>>,
    pub(crate) loops: u32,
    pub(crate) globals: Vec<(u64, u32, bool, Pieces)>,
    pub(crate) functions: Vec<Code>,
    /// Function, pc, and the modes of the source as numbers.
    pub(crate) sources: Vec<(u32, u32, [u8; 2])>,
}

/// An instruction of 64 bits with nothing else set; for struct update.
pub(crate) fn op(op: Op) -> Instr {
    Instr { op, width: 64, mode: Mode::Na, x: 0, dst: 0, a: 0, b: 0, c: 0 }
}

/// An instruction with a result and two operands.
pub(crate) fn op3(code: Op, dst: u32, a: u32, b: u32) -> Instr {
    Instr { dst, a, b, ..op(code) }
}

impl Assembler {
    /// The operand of a constant.
    pub(crate) fn constant(&mut self, value: u64) -> u32 {
        let found = self.constants.iter().position(|&c| c == value);
        let index = found.unwrap_or_else(|| {
            self.constants.push(value);
            self.constants.len() - 1
        });
        index as u32 | CONST
    }

    /// The index of a string.
    pub(crate) fn string(&mut self, text: &str) -> u32 {
        let found = self.strings.iter().position(|string| string == text);
        let index = found.unwrap_or_else(|| {
            self.strings.push(text.into());
            self.strings.len() - 1
        });
        index as u32
    }

    /// The index of an operand list.
    pub(crate) fn list(&mut self, operands: &[u32]) -> u32 {
        self.lists.push(operands.to_vec());
        self.lists.len() as u32 - 1
    }

    /// A RET of operands.
    pub(crate) fn ret(&mut self, operands: &[u32]) -> Instr {
        Instr { c: self.list(operands), ..op(Op::Ret) }
    }

    /// Adds a function with registers and code but no frame objects.
    pub(crate) fn function(&mut self, params: u32, registers: u32, code: &[Instr]) -> u32 {
        let code = code.to_vec();
        self.functions.push(Code { params, registers, code, ..Code::default() });
        self.functions.len() as u32 - 1
    }

    /// The encoded Program.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut out = Out(b"MZPR\x03".to_vec());
        out.u32s(&[self.entry, self.thread_locals.len() as u32]);
        for (offset, size, data) in &self.thread_locals {
            out.u32s(&[*offset, *size]);
            out.blob(data);
        }
        out.u32s(&[self.constants.len() as u32]);
        self.constants.iter().for_each(|&c| out.u64(c));
        out.u32s(&[self.lists.len() as u32]);
        self.lists.iter().for_each(|list| out.counted(list));
        out.u32s(&[self.switches.len() as u32]);
        for (cases, default) in &self.switches {
            out.u32s(&[cases.len() as u32, *default]);
            for &(value, target) in cases {
                out.u64(value);
                out.u32s(&[target]);
            }
        }
        out.u32s(&[self.strings.len() as u32]);
        self.strings.iter().for_each(|s| out.blob(s.as_bytes()));
        out.u32s(&[self.operations.len() as u32]);
        self.operations.iter().for_each(|operation| out.0.extend(operation));
        out.u32s(&[self.loops, self.globals.len() as u32]);
        for (address, size, constant, data) in &self.globals {
            out.u64(*address);
            out.u32s(&[*size]);
            out.0.push(u8::from(*constant));
            out.u32s(&[data.len() as u32]);
            for (at, bytes) in data {
                out.u32s(&[*at]);
                out.blob(bytes);
            }
        }
        out.u32s(&[self.functions.len() as u32]);
        self.functions.iter().for_each(|f| out.function(f));
        out.u32s(&[self.sources.len() as u32]);
        for (function, pc, modes) in &self.sources {
            out.u32s(&[*function, *pc]);
            out.0.extend(modes);
        }
        out.0
    }

    /// The decoded Program, which must be valid.
    pub(crate) fn program(&self) -> Program {
        Program::decode(&self.bytes()).expect("the test's program is valid")
    }
}

/// Little-endian output.
struct Out(Vec<u8>);

impl Out {
    fn u32s(&mut self, values: &[u32]) {
        values.iter().for_each(|v| self.0.extend(v.to_le_bytes()));
    }

    fn u64(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    fn blob(&mut self, data: &[u8]) {
        self.u32s(&[data.len() as u32]);
        self.0.extend(data);
    }

    fn counted(&mut self, values: &[u32]) {
        self.u32s(&[values.len() as u32]);
        self.u32s(values);
    }

    fn function(&mut self, f: &Code) {
        self.u32s(&[f.params, f.registers, f.frame_size, f.objects.len() as u32]);
        f.objects.iter().for_each(|o| self.u32s(&[o.offset, o.size]));
        self.u32s(&[f.code.len() as u32]);
        for i in &f.code {
            self.0.extend([i.op as u8, i.width, i.mode as u8, i.x]);
            self.u32s(&[i.dst, i.a, i.b, i.c]);
        }
    }
}
