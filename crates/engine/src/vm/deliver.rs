//! Gives a waiting instruction the answer to its request.

use super::heap;
use super::image::{thread, Field, Fields, HEADER};
use super::pairs::{answered, set_results};
use super::request::Answer;
use super::run::value;
use super::values::mask;
use super::Vm;
use crate::program::{address, Instr, Op, Region};

impl Vm<'_> {
    /// Writes the result of the instruction at the pc, which stays; false if there is no room for what it makes.
    #[inline(always)]
    pub(super) fn deliver(
        &self,
        head: &mut [u64; HEADER],
        registers: &mut [u64],
        i: &Instr,
        answer: &Answer,
    ) -> bool {
        match i.op {
            Op::Load | Op::Rmw => {
                registers[i.dst as usize] = answer.value() & mask(i.width);
                true
            }
            Op::Cas => {
                let success = matches!(answer, Answer::Exchange { success: true, .. });
                registers[i.dst as usize + 1] = u64::from(success);
                registers[i.dst as usize] = answer.value() & mask(i.width);
                true
            }
            Op::Store | Op::Fence => true,
            _ => self.deliver_rarer(head, registers, i, answer),
        }
    }

    #[inline(never)]
    fn deliver_rarer(
        &self,
        head: &mut [u64; HEADER],
        registers: &mut [u64],
        i: &Instr,
        answer: &Answer,
    ) -> bool {
        let result = match i.op {
            Op::Create => {
                let children = head.field(Field::Children);
                head.set_field(Field::Children, children + 1);
                answer.value()
            }
            Op::Alloc => match self.shared_place(head, registers, i) {
                Some((at, next)) => {
                    head.set_field(Field::SharedNext, next);
                    address(Region::SHARED, thread(head), u64::from(at))
                }
                None => return false,
            },
            Op::LoadPair | Op::StorePair | Op::RmwPair | Op::CasPair => {
                let (old, wrote) = answered(answer);
                set_results(registers, i, old, wrote);
                return true;
            }
            op if op.row().results.unwrap_or(u32::from(i.x)) == 0 => return true,
            _ => answer.value(),
        };
        registers[i.dst as usize] = result;
        true
    }

    /// Where the shared object of an ALLOC goes, and what may follow it.
    pub(super) fn shared_place(&self, head: &[u64], registers: &[u64], i: &Instr) -> Option<(u32, u32)> {
        let operand = |operand| value(operand, registers, &self.program.constants);
        heap::place(head.field(Field::SharedNext), operand(i.a), operand(i.b))
    }
}
