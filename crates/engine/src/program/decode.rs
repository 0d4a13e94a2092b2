//! Reads the sections of an encoded Program, in the order in which Python writes them.
//!
//! I1: a count is trusted only if there are enough bytes for it, so memory stays within a small
//!     factor of the input and no input causes a panic.
//!
//! It does not check what instructions refer to: `validate` does.

use super::source::source;
use super::sync::operation;
use super::{
    DecodeError, Field, FrameObject, Function, Global, Instr, LoopSite, Mode, Op, Piece, Program,
    SwitchTable, ThreadLocal, CONST,
};
use crate::ids::FunctionId;

const MAGIC: &[u8] = b"MZPR\x03";
const INSTR_BYTES: usize = 20;
/// Thread-locals and frames live at 28-bit offsets.
const LARGEST_BLOCK: u32 = 1 << 23;
/// The rest of PRIVATE is for the heap.
const LAST_THREAD_LOCAL: u32 = 1 << 27;

type Result<T> = std::result::Result<T, DecodeError>;

/// Reads a whole Program; the result is not yet validated.
pub(super) fn decode(bytes: &[u8]) -> Result<Program> {
    let mut reader = Reader { bytes, at: 0 };
    if reader.take(MAGIC.len())? != MAGIC {
        return Err(DecodeError::new("byte 0", "this is not a Mazurka program of version 3"));
    }
    let entry = FunctionId(reader.u32()?);
    let (thread_locals, tls) = thread_locals(&mut reader)?;
    let constants = reader.many(8, Reader::u64)?;
    let lists = reader.many(4, |r| r.many(4, Reader::u32))?;
    let switches = reader.many(8, switch)?;
    let strings = reader.many(4, string)?;
    let operations = reader.many(24, |reader| operation(reader, strings.len()))?;
    let loops = reader.u32()?;
    let mut globals = reader.many(17, global)?;
    globals.sort_by_key(|g| g.address);
    let functions = reader.many(20, function)?;
    let sources = reader.many(10, source)?.into_iter().collect();
    reader.end()?;
    Ok(Program {
        functions,
        entry,
        globals,
        constants,
        lists,
        switches,
        strings,
        operations,
        loops,
        thread_locals,
        tls,
        sources,
    })
}

/// The thread-locals, in the order of their offsets, and the block that they start with.
fn thread_locals(reader: &mut Reader) -> Result<(Vec<ThreadLocal>, Vec<u8>)> {
    let (mut block, mut end) = (Vec::new(), 0);
    let found = reader.many(12, |reader| {
        let place = reader.place();
        let (offset, size) = (reader.u32()?, reader.u32()?);
        let data = reader.blob()?;
        let position = block.len().next_multiple_of(8) as u32;
        if size > LARGEST_BLOCK - position.min(LARGEST_BLOCK) || data.len() > size as usize {
            return Err(DecodeError::new(place, format!("bad thread-local size {size}")));
        }
        if offset < end || offset > LAST_THREAD_LOCAL {
            return Err(DecodeError::new(place, format!("bad thread-local offset {offset}")));
        }
        end = offset + size;
        block.resize(position as usize, 0);
        block.extend_from_slice(data);
        block.resize((position + size) as usize, 0);
        Ok(ThreadLocal { offset, size, position })
    })?;
    Ok((found, block))
}

fn switch(reader: &mut Reader) -> Result<SwitchTable> {
    let count = reader.u32()?;
    let default = reader.u32()?;
    reader.expect(count, 12)?;
    let mut cases = Vec::new();
    for _ in 0..count {
        cases.push((reader.u64()?, reader.u32()?));
    }
    cases.sort_by_key(|case| case.0);
    cases.dedup_by_key(|case| case.0);
    Ok(SwitchTable { cases, default })
}

fn string(reader: &mut Reader) -> Result<String> {
    let place = reader.place();
    let bytes = reader.blob()?.to_vec();
    String::from_utf8(bytes).map_err(|_| DecodeError::new(place, "a string is not UTF-8"))
}

fn global(reader: &mut Reader) -> Result<Global> {
    let address = reader.u64()?;
    let size = reader.u32()?;
    let constant = reader.u8()? != 0;
    let pieces = reader.many(8, piece)?;
    Ok(Global { address, size, constant, pieces })
}

fn piece(reader: &mut Reader) -> Result<Piece> {
    Ok(Piece { at: reader.u32()?, bytes: reader.blob()?.to_vec() })
}

fn function(reader: &mut Reader) -> Result<Function> {
    let place = reader.place();
    let params = reader.u32()?;
    let registers = reader.u32()?;
    let frame_size = reader.u32()?;
    if registers > LARGEST_BLOCK || frame_size > LARGEST_BLOCK {
        return Err(DecodeError::new(place, "the function's frame is too large"));
    }
    let mut objects = reader.many(8, |r| Ok(FrameObject { offset: r.u32()?, size: r.u32()? }))?;
    objects.retain(|object| object.size > 0);
    objects.sort_by_key(|object| object.offset);
    let code = reader.many(INSTR_BYTES, instruction)?;
    let loops = loop_sites(&code, params);
    let rounds = code.iter().filter(|i| i.op == Op::Round).map(|i| i.dst).collect();
    Ok(Function { params, registers, frame_size, objects, code, loops, rounds })
}

/// Whether an instruction writes something other than a count of rounds, or its first value, to a register.
fn keeps_something(i: &Instr, register: u32) -> bool {
    let results = i.op.row().results.unwrap_or(u32::from(i.x));
    let counts = i.op == Op::Loop || (i.op == Op::Mov && i.a & CONST != 0);
    register.wrapping_sub(i.dst) < results && !counts
}

fn loop_sites(code: &[Instr], params: u32) -> Vec<LoopSite> {
    let numbered = code.iter().enumerate();
    let loops = numbered.filter(|(_, instr)| instr.op == Op::Loop);
    let is_shared = |register| register < params || code.iter().any(|i| keeps_something(i, register));
    let site = |(pc, i): (usize, &Instr)| LoopSite {
        id: i.a,
        counter: i.dst,
        pc: pc as u32,
        is_shared: is_shared(i.dst),
    };
    loops.map(site).collect()
}

fn instruction(reader: &mut Reader) -> Result<Instr> {
    let place = reader.place();
    let [op, width, mode, x] = [reader.u8()?, reader.u8()?, reader.u8()?, reader.u8()?];
    let unknown = |what, number| DecodeError::new(place.clone(), format!("unknown {what} {number}"));
    let mut instr = Instr {
        op: Op::from_u8(op).ok_or_else(|| unknown("opcode", op))?,
        width,
        mode: Mode::from_u8(mode).ok_or_else(|| unknown("mode", mode))?,
        x,
        dst: reader.u32()?,
        a: reader.u32()?,
        b: reader.u32()?,
        c: reader.u32()?,
    };
    clear_unused(&mut instr);
    Ok(instr)
}

/// Replaces the operands that an instruction does not have by register 0, so that the VM may read all
/// operands of a value instruction: register 0 exists, because there is one for the result.
fn clear_unused(instr: &mut Instr) {
    let fields = [&mut instr.a, &mut instr.b, &mut instr.c];
    for (field, kind) in fields.into_iter().zip(instr.op.row().fields) {
        if kind == Field::Unused {
            *field = 0;
        }
    }
}

/// A cursor over the bytes that never passes their end.
pub(super) struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    pub(super) fn place(&self) -> String {
        format!("byte {}", self.at)
    }

    fn take(&mut self, count: usize) -> Result<&'b [u8]> {
        let rest = &self.bytes[self.at..];
        if count > rest.len() {
            return Err(DecodeError::new(self.place(), "the program ends too early"));
        }
        self.at += count;
        Ok(&rest[..count])
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let bytes = self.take(N)?;
        Ok(bytes.try_into().expect("take gives as many bytes as it was asked for"))
    }

    pub(super) fn u8(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    pub(super) fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(super) fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    fn blob(&mut self) -> Result<&'b [u8]> {
        let length = self.u32()?;
        self.take(length as usize)
    }

    /// Fails unless `count` things of at least `least` bytes can still follow (I1).
    fn expect(&self, count: u32, least: usize) -> Result<()> {
        let room = (self.bytes.len() - self.at) / least;
        if count as usize > room {
            let what = format!("{count} entries do not fit in the remaining bytes");
            return Err(DecodeError::new(self.place(), what));
        }
        Ok(())
    }

    /// A count, then that many things of at least `least` bytes each.
    pub(super) fn many<T>(
        &mut self,
        least: usize,
        mut read: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let count = self.u32()?;
        self.expect(count, least)?;
        (0..count).map(|_| read(self)).collect()
    }

    fn end(&self) -> Result<()> {
        if self.at != self.bytes.len() {
            return Err(DecodeError::new(self.place(), "bytes follow the end of the program"));
        }
        Ok(())
    }
}
