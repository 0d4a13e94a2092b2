//! Checks that everything a Program names exists, once, so that the VM need not look again.
//!
//! Implements I1 and I2 of the module: after `validate` the VM indexes without checks.

use super::{
    address, region, DecodeError, Field, Function, Global, Instr, Mode, Op, Program, Region, RmwOp,
    ALLOC_ARRAY, ALLOC_NEW, ALLOC_PRIVATE, ALLOC_STACK, ALLOC_ZERO, CONST, STACK_LIMIT,
};
use crate::ids::ThreadId;

type Check = Result<(), String>;

/// Words that a frame needs besides its registers and objects.
const FRAME_EXTRA: usize = 2;

/// Checks a whole Program.
pub(super) fn validate(program: &Program) -> Result<(), DecodeError> {
    let entry_exists = program.entry.at() < program.functions.len();
    ensure(entry_exists, "the entry function does not exist").map_err(at("header"))?;
    globals(&program.globals)?;
    for (index, function) in program.functions.iter().enumerate() {
        let place = format!("function {index}");
        shape(function).map_err(at(&place))?;
        for (pc, instr) in function.code.iter().enumerate() {
            let context = Context { program, function };
            let what = context.instruction(instr);
            let place = || format!("function {index}, pc {pc} ({})", instr.op.name());
            what.map_err(|what| DecodeError::new(place(), what))?;
        }
    }
    for (function, pc) in program.sources.keys() {
        let known = program.functions.get(function.at()).is_some_and(|f| (*pc as usize) < f.code.len());
        ensure(known, "there is no such instruction")
            .map_err(at(&format!("source of function {}, pc {pc}", function.0)))?;
    }
    Ok(())
}

fn at(place: &str) -> impl FnOnce(String) -> DecodeError + '_ {
    move |what| DecodeError::new(place, what)
}

fn ensure(holds: bool, otherwise: &str) -> Check {
    if holds {
        Ok(())
    } else {
        Err(otherwise.to_string())
    }
}

fn globals(globals: &[Global]) -> Result<(), DecodeError> {
    let mut end = address(Region::GLOBAL, ThreadId(0), 0);
    for global in globals {
        let place = format!("global at {:#x}", global.address);
        ensure(global.address >= end, "it overlaps the previous one or is below the globals")
            .map_err(at(&place))?;
        let last = global.address.saturating_add(u64::from(global.size));
        ensure(region(last) == Region::GLOBAL, "it is outside the globals").map_err(at(&place))?;
        let mut filled = 0;
        for piece in &global.pieces {
            ensure(u64::from(piece.at) >= filled, "two pieces of its data overlap").map_err(at(&place))?;
            filled = piece.end();
        }
        ensure(filled <= u64::from(global.size), "it has more data than bytes").map_err(at(&place))?;
        end = last;
    }
    Ok(())
}

fn shape(function: &Function) -> Check {
    ensure(function.params <= function.registers, "fewer registers than parameters")?;
    let words = FRAME_EXTRA + function.registers as usize + function.frame_words();
    ensure(words <= STACK_LIMIT, "its frame is larger than a stack")?;
    let mut end = 0u64;
    for object in &function.objects {
        ensure(u64::from(object.offset) >= end, "two frame objects overlap")?;
        end = u64::from(object.offset) + u64::from(object.size);
        ensure(end <= u64::from(function.frame_size), "an object is outside the frame")?;
    }
    let ends = function.code.last().is_some_and(|last| !last.op.row().goes_on);
    ensure(ends, "its code does not end in a terminator")
}

/// What an instruction's numbers refer to.
struct Context<'p> {
    program: &'p Program,
    function: &'p Function,
}

impl Context<'_> {
    /// Checks the instruction's fields by the opcode's row, and then what only this opcode requires.
    fn instruction(&self, i: &Instr) -> Check {
        let row = i.op.row();
        self.results(i.dst, row.results.unwrap_or(u32::from(i.x)))?;
        for (kind, field) in row.fields.into_iter().zip([i.a, i.b, i.c]) {
            self.field(kind, field)?;
        }
        let is_fence = matches!(i.op, Op::Fence | Op::FenceAt);
        ensure(is_fence || !i.mode.is_of_fences(), "only a fence has this mode")?;
        ensure(!is_fence || !i.mode.is_of_accesses(), "a fence cannot have this mode")?;
        self.numbers(i)
    }

    fn field(&self, kind: Field, field: u32) -> Check {
        match kind {
            Field::Unused | Field::Number => Ok(()),
            Field::Operand => self.operand(field),
            Field::Target => self.target(field),
            Field::Switch => self.switch(field),
            Field::List => self.list(field),
            Field::String => self.string(field),
            Field::Operation => {
                let exists = (field as usize) < self.program.operations.len();
                ensure(exists, "the operation does not exist")
            }
            Field::Loop => ensure(field < self.program.loops, "the loop does not exist"),
            Field::Function => {
                let exists = (field as usize) < self.program.functions.len();
                ensure(exists, "the called function does not exist")
            }
        }
    }

    /// What an opcode requires of the width, of `x` and of plain numbers.
    fn numbers(&self, i: &Instr) -> Check {
        match i.op {
            Op::Frameaddr => {
                let inside = i.a <= self.function.frame_size && i.b <= self.function.frame_size;
                ensure(inside, "the offset is outside the frame")
            }
            Op::Tlsaddr => {
                let inside = i.a <= self.program.thread_locals_end();
                ensure(inside, "the offset is outside the thread-locals")
            }
            Op::Alloc | Op::Free => {
                let flags = ALLOC_PRIVATE | ALLOC_ZERO | ALLOC_STACK | ALLOC_NEW | ALLOC_ARRAY;
                ensure(i.x & !flags == 0, "unknown allocation flag")
            }
            Op::Load | Op::Store | Op::Rmw | Op::Cas => access(i),
            Op::LoadPair | Op::StorePair | Op::RmwPair | Op::CasPair => self.pair(i),
            Op::Check => {
                let check = super::Check::from_u8(i.x).ok_or("unknown check")?;
                if matches!(check, super::Check::Signed | super::Check::Unsigned) {
                    return floating(i);
                }
                ensure((1..=64).contains(&i.width), "a width must be 1 to 64")
            }
            Op::Sync => {
                let has_result = self.program.operations[i.c as usize].has_result;
                ensure(i.x == u8::from(has_result), "the number of results is not that of the operation")
            }
            op if (Op::Fadd..=Op::Fround).contains(&op) || op == Op::Fdigits => floating(i),
            op if op < Op::Fadd => integer(i),
            _ => Ok(()),
        }
    }

    /// An access of 16 bytes.
    fn pair(&self, i: &Instr) -> Check {
        ensure(i.width == 128, "a pair must have 128 bits")?;
        match i.op {
            Op::RmwPair => {
                let op = RmwOp::from_u8(i.x).ok_or("unknown read-modify-write operation")?;
                ensure(!matches!(op, RmwOp::Fadd | RmwOp::Fsub), "a float must have 32 or 64 bits")
            }
            Op::CasPair => {
                ensure(Mode::of_c(i.x).is_some(), "unknown failure mode")?;
                let operands = self.program.lists[i.c as usize].len();
                ensure(operands == 4, "what a pair expects and writes must be four operands")
            }
            _ => Ok(()),
        }
    }

    fn operand(&self, operand: u32) -> Check {
        if operand & CONST != 0 {
            let exists = ((operand & !CONST) as usize) < self.program.constants.len();
            ensure(exists, "the constant does not exist")
        } else {
            ensure(operand < self.function.registers, "the register does not exist")
        }
    }

    /// `count` registers from `first` on, which must not be a constant.
    fn results(&self, first: u32, count: u32) -> Check {
        let fits = u64::from(first) + u64::from(count) <= u64::from(self.function.registers);
        ensure(count == 0 || fits, "a result register does not exist")
    }

    fn target(&self, pc: u32) -> Check {
        ensure((pc as usize) < self.function.code.len(), "it jumps outside the function")
    }

    fn switch(&self, index: u32) -> Check {
        let table = self.program.switches.get(index as usize);
        let table = table.ok_or("the switch table does not exist")?;
        self.target(table.default)?;
        table.cases.iter().try_for_each(|case| self.target(case.1))
    }

    fn string(&self, index: u32) -> Check {
        ensure((index as usize) < self.program.strings.len(), "the string does not exist")
    }

    fn list(&self, index: u32) -> Check {
        let list = self.program.lists.get(index as usize);
        let list = list.ok_or("the operand list does not exist")?;
        list.iter().try_for_each(|&operand| self.operand(operand))
    }
}

fn width(width: u8) -> Check {
    ensure((1..=64).contains(&width), "a width must be 1 to 64 bits")
}

fn integer(i: &Instr) -> Check {
    width(i.width)?;
    match i.op {
        Op::Sext => {
            ensure(i.x >= i.width && i.x <= 64, "it extends to a smaller width or to more than 64 bits")
        }
        Op::Bswap => ensure(i.width.is_multiple_of(8), "the width is not a multiple of 8"),
        _ => Ok(()),
    }
}

fn access(i: &Instr) -> Check {
    width(i.width)?;
    match i.op {
        Op::Rmw => {
            let op = RmwOp::from_u8(i.x).ok_or("unknown read-modify-write operation")?;
            let floating = matches!(op, RmwOp::Fadd | RmwOp::Fsub);
            ensure(!floating || matches!(i.width, 32 | 64), "a float must have 32 or 64 bits")
        }
        Op::Cas => ensure(Mode::of_c(i.x).is_some(), "unknown failure mode"),
        _ => Ok(()),
    }
}

fn floating(i: &Instr) -> Check {
    let converts = matches!(i.op, Op::Fpext | Op::Fptrunc);
    ensure(converts || matches!(i.width, 32 | 64), "a float must have 32 or 64 bits")?;
    match i.op {
        Op::Fcmp => ensure(i.x <= 15, "unknown comparison"),
        Op::Fdigits => ensure(matches!(i.x, 0..=2 | 4..=6), "unknown number format"),
        Op::Fptosi | Op::Fptoui | Op::Sitofp | Op::Uitofp => width(i.x),
        _ => Ok(()),
    }
}
