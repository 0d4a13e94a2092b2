//! The run loop: instructions that need nothing but the top frame's registers.
//!
//! I1: it stops at an instruction that needs more, with the pc there.
//! I2: every register and constant exists (the program was validated), so no index panics.

use super::digits::text_length;
use super::image::{split, thread, Field, Fields};
use super::private::is_private;
use super::request::Answer;
use super::tracking::Track;
use super::values::{compute, divide, holds, mask, overflowing, shift_left, signed};
use super::Vm;
use crate::program::{address, Check, Instr, Op, Region, CONST, FRAME_SCALE};

/// Why the run loop stopped.
pub(super) enum Stop {
    /// At a LOAD of shared memory at this address.
    Load(u64),
    /// At a STORE to shared memory at this address, of this value.
    Store(u64, u64),
    /// At another access of shared memory, or a fence.
    Shared,
    /// At an instruction that needs more than registers, but perhaps no request.
    Needs,
    /// The steps have run out.
    Endless,
}

/// The value of an operand.
#[inline(always)]
pub(super) fn value(operand: u32, registers: &[u64], constants: &[u64]) -> u64 {
    if operand & CONST != 0 {
        constants[(operand & !CONST) as usize]
    } else {
        registers[operand as usize]
    }
}

impl<'p> Vm<'p> {
    /// Gives the waiting instruction its answer, if there is one, and runs the top frame up to the
    /// first instruction that needs more than registers.
    ///
    /// One function, inlined where it is called: the setup costs as much as the instructions that it then
    /// runs.
    #[inline(always)]
    pub(super) fn run_registers(
        &self,
        image: &mut [u64],
        answer: Option<&Answer>,
        steps: &mut u64,
        counted: &mut Vec<u32>,
        track: &mut impl Track,
    ) -> (Stop, &'p Instr) {
        let (head, registers) = split(image);
        let function = &self.program.functions[head.field(Field::Function) as usize];
        let constants = &self.program.constants[..];
        let code = &function.code[..];
        let mut pc = head.field(Field::Pc) as usize;
        let mut left = *steps;

        if let Some(answer) = answer {
            let i = &code[pc];
            if !self.deliver(head, registers, i, answer) {
                return (Stop::Needs, i);
            }
            pc += 1;
        }

        let stop = loop {
            let i = &code[pc];
            track.step(i);
            let a = || value(i.a, registers, constants);
            let b = || value(i.b, registers, constants);
            let result = match i.op {
                Op::Mov => a(),
                Op::Add => a().wrapping_add(b()) & mask(i.width),
                Op::Sub => a().wrapping_sub(b()) & mask(i.width),
                Op::And => a() & b(),
                Op::Or => a() | b(),
                Op::Xor => a() ^ b(),
                Op::Shl => shift_left(a(), b(), i.width),
                Op::Eq => u64::from(a() == b()),
                Op::Ne => u64::from(a() != b()),
                Op::Ult => u64::from(a() < b()),
                Op::Ule => u64::from(a() <= b()),
                Op::Slt => u64::from(signed(a(), i.width) < signed(b(), i.width)),
                Op::Sle => u64::from(signed(a(), i.width) <= signed(b(), i.width)),
                Op::Trunc => a() & mask(i.width),
                Op::Sext => signed(a(), i.width) as u64 & mask(i.x),
                Op::Select if a() != 0 => b(),
                Op::Select => value(i.c, registers, constants),
                Op::Udiv | Op::Sdiv | Op::Urem | Op::Srem => match divide(i.op, a(), b(), i.width) {
                    Some(quotient) => quotient,
                    None => break (Stop::Needs, i),
                },
                Op::Saddo | Op::Uaddo | Op::Ssubo | Op::Usubo | Op::Smulo | Op::Umulo => {
                    let (wrapped, overflow) = overflowing(i.op, a(), b(), i.width);
                    registers[i.dst as usize + 1] = u64::from(overflow);
                    wrapped
                }
                Op::Load => {
                    let address = a();
                    let alone = is_private(address) || self.constants.may_hold(address);
                    break (if alone { Stop::Needs } else { Stop::Load(address) }, i);
                }
                Op::Store => {
                    let address = a();
                    let alone = is_private(address);
                    break (if alone { Stop::Needs } else { Stop::Store(address, b()) }, i);
                }
                Op::Rmw | Op::Cas => {
                    let alone = is_private(a());
                    break (if alone { Stop::Needs } else { Stop::Shared }, i);
                }
                Op::Fence => break (Stop::Shared, i),
                Op::Jmp | Op::Br | Op::Switch => {
                    pc = match i.op {
                        Op::Jmp => i.a,
                        Op::Br if a() != 0 => i.b,
                        Op::Br => i.c,
                        _ => self.program.switches[i.c as usize].target(a()),
                    } as usize;
                    left -= 1;
                    if left == 0 {
                        break (Stop::Endless, i);
                    }
                    continue;
                }
                Op::Loop => {
                    let rounds = registers[i.dst as usize];
                    if self.bounds.is_any && !self.counts(i, counted) {
                        rounds
                    } else if rounds >= self.bounds.of_loop(i.a) && self.may_cut(i) {
                        break (Stop::Needs, i);
                    } else {
                        rounds.wrapping_add(1)
                    }
                }
                Op::Check => {
                    let check = Check::from_u8(i.x).expect("program I1: the check exists");
                    if !holds(check, a(), b(), i.width) {
                        break (Stop::Needs, i);
                    }
                    pc += 1;
                    continue;
                }
                Op::Assume if a() == 0 => break (Stop::Needs, i),
                Op::Round | Op::Begin | Op::End if self.in_prologue => {
                    pc += 1;
                    continue;
                }
                Op::Assume | Op::Nop | Op::Annotate => {
                    pc += 1;
                    continue;
                }
                Op::SelfThread => u64::from(thread(head).0) + 1,
                Op::Tlsaddr => address(Region::PRIVATE, thread(head), u64::from(i.a)),
                Op::Frameaddr => {
                    let objects = head.field(Field::Frame) + function.registers;
                    let start = (u64::from(objects) * 8 + u64::from(i.a)) * FRAME_SCALE;
                    address(Region::FRAME, thread(head), start + u64::from(i.b))
                }
                Op::Fdigits => text_length(a(), b(), i.x),
                Op::Step if b() <= u64::from(i.c) => a().wrapping_add(b()),
                op if (op as u8) < Op::Jmp as u8 => compute(i, a(), b(), value(i.c, registers, constants)),
                _ => break (Stop::Needs, i),
            };
            registers[i.dst as usize] = result;
            pc += 1;
        };

        *steps = left;
        head.set_pc(pc);
        stop
    }
}
