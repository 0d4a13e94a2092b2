//! Accesses of 16 bytes.

use super::*;
use crate::program::assemble::Code;
use crate::program::{FrameObject, RmwOp};
use crate::vm::{PairAccess, PairOperands};

const LOW: u64 = 0x1111_2222_3333_4444;
const HIGH: u64 = 0x5555_6666_7777_8888;

fn pair(instr: Instr) -> Instr {
    Instr { width: 128, ..instr }
}

/// Function 0 stores registers 0 and 1 in a frame object of 24 bytes, does something at the same place, register 2, and
/// returns a result or what is there afterwards. Its list 0 has registers 0 and 1 and two constants.
fn frame_program(instr: Instr, returned: u32) -> Program {
    let mut asm = Assembler::default();
    let (one, two) = (asm.constant(1), asm.constant(2));
    asm.list(&[0, 1, one, two]);
    let ret = asm.ret(&[returned]);
    let code = vec![
        op3(Op::Frameaddr, 2, 0, 4),
        pair(Instr { c: 1, ..op3(Op::StorePair, 0, 2, 0) }),
        pair(Instr { dst: 3, a: 2, ..instr }),
        pair(op3(Op::LoadPair, 6, 2, 0)),
        ret,
    ];
    let objects = vec![FrameObject { offset: 0, size: 24 }];
    asm.functions.push(Code { params: 2, registers: 8, frame_size: 24, objects, code });
    asm.program()
}

fn results(instr: Instr, registers: &[u32]) -> Vec<u64> {
    let value = |register| match first(&frame_program(instr, register), &[LOW, HIGH]) {
        Request::Done { value } => value,
        other => panic!("{other:?}"),
    };
    registers.iter().map(|register| value(*register)).collect()
}

#[test]
fn private_pairs_are_two_registers() {
    assert_eq!(results(op(Op::LoadPair), &[3, 4, 6, 7]), [LOW, HIGH, LOW, HIGH]);
    let add = Instr { b: 0, c: 0, x: RmwOp::Add as u8, ..op(Op::RmwPair) };
    let sum = (u128::from(HIGH) << 64 | u128::from(LOW)) + (u128::from(LOW) << 64 | u128::from(LOW));
    assert_eq!(results(add, &[3, 4, 6, 7]), [LOW, HIGH, sum as u64, (sum >> 64) as u64]);
}

#[test]
fn a_pair_is_exchanged_if_both_halves_are_as_expected() {
    assert_eq!(results(op(Op::CasPair), &[3, 4, 5, 6, 7]), [LOW, HIGH, 1, 1, 2]);
    let mut asm = Assembler::default();
    asm.list(&[0, 0, 0, 0]); // the upper half is another
    let ret = asm.ret(&[5]);
    let code = vec![
        op3(Op::Frameaddr, 2, 0, 0),
        pair(Instr { c: 1, ..op3(Op::StorePair, 0, 2, 0) }),
        pair(op3(Op::CasPair, 3, 2, 0)),
        ret,
    ];
    let objects = vec![FrameObject { offset: 0, size: 16 }];
    asm.functions.push(Code { params: 2, registers: 6, frame_size: 16, objects, code });
    assert_eq!(first(&asm.program(), &[LOW, HIGH]), done(0));
}

#[test]
fn an_access_that_leaves_the_object_is_a_fault() {
    let at = |inside| {
        let mut asm = Assembler::default();
        let ret = asm.ret(&[3]);
        let code = vec![
            op3(Op::Frameaddr, 2, 0, inside),
            pair(Instr { c: 1, ..op3(Op::StorePair, 0, 2, 0) }),
            pair(op3(Op::LoadPair, 3, 2, 0)),
            ret,
        ];
        let objects = vec![FrameObject { offset: 0, size: 24 }];
        asm.functions.push(Code { params: 0, registers: 5, frame_size: 24, objects, code });
        first(&asm.program(), &[])
    };
    assert_eq!(at(8), done(0));
    assert!(matches!(at(9), Request::Fault(Fault::PrivateAccess { size: 16, .. })));
}

#[test]
fn shared_pairs_are_requests_whose_operands_are_in_the_image() {
    let mut asm = Assembler::default();
    let (place, one, two) =
        (asm.constant(address(Region::SHARED, ME, 4096)), asm.constant(1), asm.constant(2));
    asm.list(&[0, 1, one, two]);
    let ret = asm.ret(&[4]);
    let exchange = Instr { mode: Mode::AcqRel, x: Mode::Acq as u8, ..pair(op3(Op::CasPair, 2, place, 0)) };
    asm.function(2, 5, &[exchange, ret]);
    let program = asm.program();
    let vm = Vm::new(&program, &Unroll::default(), STEPS);
    let mut arena = Arena::new();
    let (at, request) = vm.spawn(&mut arena, ME, FunctionId(0), &[LOW, HIGH]);
    let address = address(Region::SHARED, ME, 4096);
    assert_eq!(request, Request::Pair { address, mode: Mode::AcqRel, access: PairAccess::Cas(Mode::Acq) });
    let first = u128::from(HIGH) << 64 | u128::from(LOW);
    assert_eq!(vm.pair_operands(&arena, at), PairOperands { first, new: 2 << 64 | 1 });
    let answer = |wrote| Answer::Pair { low: LOW, high: HIGH, wrote };
    assert_eq!(vm.resume(&mut arena, at, answer(true)).1, done(1));
    assert_eq!(vm.resume(&mut arena, at, answer(false)).1, done(0));
}
