//! Rounds of loops: what an image at a ROUND remembers, and when it is what it was.

use super::*;
use crate::vm::Arrival;

const X: u64 = (Region::GLOBAL << 44) | 32;
const LIVE: u32 = 0;
const DEAD: u32 = 1;
const COUNTER: u32 = 2;

/// A loop that reads x into a register and ends if that is 7; `live` are the registers that a ROUND compares.
fn reading(register: u32, live: &[u32]) -> Program {
    let mut asm = Assembler { loops: 1, ..Assembler::default() };
    let (x, seven) = (asm.constant(X), asm.constant(7));
    let c = asm.list(live);
    let ret = asm.ret(&[register]);
    let code = [
        Instr { dst: 3, a: COUNTER, b: 0, c, ..op(Op::Round) },
        op3(Op::Load, register, x, 0),
        op3(Op::Eq, 4, register, seven),
        Instr { a: 4, b: 6, c: 4, ..op(Op::Br) },
        op3(Op::Loop, COUNTER, 0, 0),
        op(Op::Jmp),
        ret,
    ];
    asm.function(0, 5, &code);
    asm.program()
}

/// Makes a round in which the thread reads a value; the arrival before it and the image after it.
fn round(vm: &Vm, arena: &mut Arena, from: Snapshot, value: u64) -> (Arrival, Snapshot) {
    let arrival = Arrival { at: from, events: 0 };
    let (at, request) = vm.resume(arena, from, vm.remember(arrival));
    assert!(matches!(request, Request::Load { address: X, .. }));
    let (at, request) = vm.resume(arena, at, Answer::Value(value));
    assert_eq!(request, Request::Round);
    (arrival, at)
}

#[test]
fn an_image_that_enters_a_loop_remembers_nothing() {
    let program = reading(LIVE, &[LIVE]);
    let vm = Vm::new(&program, &Unroll::default(), STEPS);
    let mut arena = Arena::new();
    let (at, request) = vm.spawn(&mut arena, ME, FunctionId(0), &[]);
    assert_eq!(request, Request::Round);
    assert_eq!(vm.last_arrival(&arena, at), None);
    let (arrival, back) = round(&vm, &mut arena, at, 0);
    assert_eq!(vm.last_arrival(&arena, back), Some(arrival));
    assert_eq!(vm.rounds_made(&arena, back), 1);
}

#[test]
fn only_what_is_live_is_compared() {
    for (register, same) in [(LIVE, false), (DEAD, true)] {
        let program = reading(register, &[LIVE]);
        let vm = Vm::new(&program, &Unroll::default(), STEPS);
        let mut arena = Arena::new();
        let (at, _) = vm.spawn(&mut arena, ME, FunctionId(0), &[]);
        let (first, at) = round(&vm, &mut arena, at, 5);
        assert_eq!(vm.is_back(&arena, first.at, at), same, "register {register} changed");
        let (second, at) = round(&vm, &mut arena, at, 5);
        assert!(vm.is_back(&arena, second.at, at), "register {register} was assigned what it held");
    }
}

#[test]
fn a_thread_that_spins_says_so_and_is_no_other() {
    let program = reading(DEAD, &[]);
    let vm = Vm::new(&program, &Unroll::default(), STEPS);
    let mut arena = Arena::new();
    let (at, _) = vm.spawn(&mut arena, ME, FunctionId(0), &[]);
    let (_, at) = round(&vm, &mut arena, at, 0);
    assert_eq!(vm.spin(&mut arena, at), Request::Spin { loop_id: 0 });
    assert_eq!(vm.request(&arena, at), Request::Spin { loop_id: 0 });
}

#[test]
fn rounds_are_not_requests_before_the_first_thread() {
    let program = reading(LIVE, &[LIVE]);
    let mut vm = Vm::new(&program, &Unroll::default(), STEPS);
    vm.in_prologue = true;
    let request = vm.spawn(&mut Arena::new(), ME, FunctionId(0), &[]).1;
    assert!(matches!(request, Request::Load { address: X, .. }));
}
