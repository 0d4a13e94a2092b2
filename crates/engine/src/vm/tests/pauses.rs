//! Threads that run for long: they pause, and those that never end are told apart.

use super::*;
use crate::program::ALLOC_PRIVATE;
use crate::vm::SLICE;

/// A loop that applies an instruction of register 0 and a number to register 0, until that is 0.
fn until_zero(code: Op, number: u64) -> Program {
    let mut asm = Assembler { loops: 1, ..Assembler::default() };
    let number = asm.constant(number);
    let ret = asm.ret(&[0]);
    let code = [
        op3(code, 0, 0, number),
        Instr { a: 0, b: 2, c: 4, ..op(Op::Br) },
        op3(Op::Loop, 1, 0, 0),
        op(Op::Jmp),
        ret,
    ];
    asm.function(1, 2, &code);
    asm.program()
}

/// What a thread asks for first, and whether it is known not to end then.
fn pause(program: &Program, argument: u64) -> (Request, bool) {
    let vm = Vm::new(program, &Unroll::default(), u64::MAX);
    let mut arena = Arena::new();
    let (at, request) = vm.spawn(&mut arena, ME, FunctionId(0), &[argument]);
    (request, request == Request::Pause && vm.is_endless(&arena, at))
}

#[test]
fn a_thread_that_comes_back_is_endless_and_one_that_counts_is_not() {
    assert_eq!(pause(&until_zero(Op::Sub, 1), 1000), (done(0), false));
    assert_eq!(pause(&until_zero(Op::Sub, 1), SLICE * 8), (Request::Pause, false));
    assert_eq!(pause(&until_zero(Op::Xor, 1), 2), (Request::Pause, true), "2 and 3 in turns");
}

#[test]
fn a_thread_that_cannot_leave_its_code_is_endless() {
    let mut asm = Assembler { loops: 1, ..Assembler::default() };
    let one = asm.constant(1);
    asm.function(0, 2, &[op3(Op::Add, 0, 0, one), op3(Op::Loop, 1, 0, 0), op(Op::Jmp)]);
    assert_eq!(pause(&asm.program(), 0), (Request::Pause, true));
}

/// To look on, with an image of megabytes, would take a minute.
#[test]
fn what_a_thread_moves_counts_when_it_is_looked_at() {
    let mut asm = Assembler { loops: 1, ..Assembler::default() };
    let (size, one) = (asm.constant(64), asm.constant(1));
    let ret = asm.ret(&[0]);
    let code = [
        Instr { x: ALLOC_PRIVATE, ..op3(Op::Alloc, 1, size, one) },
        Instr { a: 0, b: 2, c: 4, ..op(Op::Br) },
        op3(Op::Loop, 2, 0, 0),
        op(Op::Jmp),
        ret,
    ];
    asm.function(1, 3, &code);
    assert_eq!(pause(&asm.program(), 1), (Request::Pause, false));
}

#[test]
fn a_thread_goes_on_after_a_pause() {
    let program = until_zero(Op::Sub, 1);
    let vm = Vm::new(&program, &Unroll::default(), u64::MAX);
    let mut arena = Arena::new();
    let (at, request) = vm.spawn(&mut arena, ME, FunctionId(0), &[SLICE * 3 / 4]);
    assert_eq!(request, Request::Pause);
    let (next, request) = vm.go_on(&mut arena, at);
    assert_eq!(request, done(0));
    assert_eq!(vm.request(&arena, at), Request::Pause, "the image stays");
    assert!(next.end() > at.end());
}
