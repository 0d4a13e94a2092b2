//! Jumps, switches, loops, calls and the ways a thread ends.

use super::*;
use crate::program::assemble_sync::Use;
use crate::program::{code_address, LOOP_ENDLESS};

fn call(code: Op, dst: u32, a: u32, c: u32, x: u8) -> Instr {
    Instr { dst, a, c, x, ..op(code) }
}

/// f(n) = n == 0 ? 0 : n + f(n - 1), in function 0.
fn sum() -> Assembler {
    let mut asm = Assembler::default();
    let (zero, one) = (asm.constant(0), asm.constant(1));
    let arguments = asm.list(&[1]);
    let (base, step) = (asm.ret(&[zero]), asm.ret(&[2]));
    asm.function(
        1,
        3,
        &[
            Instr { a: 0, b: 2, c: 1, ..op(Op::Br) },
            base,
            op3(Op::Sub, 1, 0, one),
            call(Op::Call, 2, 0, arguments, 1),
            op3(Op::Add, 2, 2, 0),
            step,
        ],
    );
    asm
}

#[test]
fn recursion_and_its_limit() {
    let program = sum().program();
    assert_eq!(first(&program, &[10]), done(55));
    assert_eq!(first(&program, &[1000]), done(500_500));
    let vm = Vm::new(&program, &Unroll::default(), u64::MAX);
    let mut arena = Arena::new();
    let (at, request) = vm.spawn(&mut arena, ME, FunctionId(0), &[1 << 40]);
    assert_eq!(request, fault(Fault::StackOverflow));
    assert_eq!(vm.request(&arena, at), request);
    let stack = vm.stack(&arena, at);
    assert_eq!(stack.len(), (1 << 20) / 5);
    assert!(stack.iter().all(|&frame| frame == (FunctionId(0), 3)));
}

#[test]
fn indirect_calls_with_several_results() {
    let mut asm = Assembler::default();
    let (seven, eight) = (asm.constant(7), asm.constant(8));
    let arguments = asm.list(&[seven, eight, eight]);
    let ret = asm.ret(&[4]);
    asm.function(
        1,
        5,
        &[
            op3(Op::Mov, 3, seven, 0),
            call(Op::Calli, 1, 0, arguments, 3),
            op3(Op::Mul, 1, 1, eight),
            op3(Op::Add, 4, 1, 2),
            op3(Op::Add, 4, 4, 3),
            ret,
        ],
    );
    // Gets two of three arguments, gives two of three results, swapped; the third becomes 0.
    let swapped = asm.ret(&[1, 0]);
    asm.function(2, 2, &[swapped]);
    let program = asm.program();
    assert_eq!(first(&program, &[code_address(1)]), done(8 * 8 + 7));
    for address in [0, 5, code_address(2), code_address(1) + 1, code_address(1) << 4, u64::MAX] {
        assert_eq!(first(&program, &[address]), fault(Fault::BadCall { address }));
    }
}

#[test]
fn switches() {
    let mut asm = Assembler::default();
    let values: Vec<u32> = [10, 20, 30].map(|v| asm.constant(v)).to_vec();
    let returns: Vec<Instr> = values.iter().map(|&v| asm.ret(&[v])).collect();
    asm.switches.push((vec![(9, 2), (3, 1), (3, 2), (u64::MAX, 2)], 3));
    asm.function(1, 1, &[op(Op::Switch), returns[0], returns[1], returns[2]]);
    let program = asm.program();
    for (value, want) in [(3, 10), (9, 20), (u64::MAX, 20), (0, 30), (4, 30)] {
        assert_eq!(first(&program, &[value]), done(want));
    }
}

/// Counts register 1 up to register 0 with a LOOP on the back edge.
fn counting() -> Program {
    counting_with(op(Op::Nop), 0)
}

/// The same, with another instruction in each round, and what is known about the number of rounds.
fn counting_with(also: Instr, rounds: u8) -> Program {
    let mut asm = Assembler { loops: 8, ..Assembler::default() };
    let one = asm.constant(1);
    let ret = asm.ret(&[1]);
    asm.function(
        1,
        4,
        &[
            op3(Op::Add, 1, 1, one),
            also,
            op3(Op::Ult, 2, 1, 0),
            Instr { a: 2, b: 4, c: 6, ..op(Op::Br) },
            Instr { dst: 3, a: 6, x: rounds, ..op(Op::Loop) },
            Instr { a: 0, ..op(Op::Jmp) },
            ret,
        ],
    );
    asm.program()
}

#[test]
fn loops_are_cut_at_their_bound() {
    let run = |program: &Program, unroll: &Unroll, n| {
        let vm = Vm::new(program, unroll, STEPS);
        let mut arena = Arena::new();
        let (mut at, mut request) = vm.spawn(&mut arena, ME, FunctionId(0), &[n]);
        while matches!(request, Request::Fence { .. }) {
            (at, request) = vm.resume(&mut arena, at, Answer::None);
        }
        assert_eq!(vm.request(&arena, at), request);
        (request, vm.what_repeats(&arena, at))
    };
    let cut = (Request::Cut { loop_id: 6 }, Some(Repetition::Loop(6)));
    let accesses = counting_with(op(Op::Fence), 0);
    assert_eq!(run(&accesses, &Unroll::default(), 1000).0, done(1000));
    assert_eq!(run(&accesses, &Unroll::all(3), 4).0, done(4));
    assert_eq!(run(&accesses, &Unroll::all(3), 5), cut);
    assert_eq!(run(&accesses, &Unroll::all(0), 2), cut);
    assert_eq!(run(&accesses, &Unroll::all(0), 1).0, done(1));
    let own = |any, bound| Unroll { any, loops: vec![(6, bound)], functions: vec![] };
    assert_eq!(run(&accesses, &own(None, 3), 4).0, done(4));
    assert_eq!(run(&accesses, &own(None, 3), 5), cut);
    assert_eq!(run(&accesses, &own(Some(1), 3), 4).0, done(4));
    // Rounds without an access do not count, unless the loop has no exit.
    assert_eq!(run(&counting(), &Unroll::all(3), 1000).0, done(1000));
    assert_eq!(run(&counting_with(op(Op::Nop), LOOP_ENDLESS), &Unroll::all(3), 5), cut);
}

#[test]
fn recursion_is_cut_at_the_bound_of_loops() {
    let program = sum().program();
    let run = |unroll, n| {
        let vm = Vm::new(&program, &unroll, STEPS);
        vm.spawn(&mut Arena::new(), ME, FunctionId(0), &[n]).1
    };
    let own = |any, bound| Unroll { any, loops: vec![], functions: vec![(FunctionId(0), bound)] };
    assert_eq!(run(Unroll::default(), 100), done(5050));
    for unroll in [Unroll::all(3), own(None, 3), own(Some(1), 3)] {
        assert_eq!(run(unroll.clone(), 3), done(6));
        assert_eq!(run(unroll, 4), Request::CutCall { function: FunctionId(0) });
    }
}

#[test]
fn endless_loops() {
    let program = counting();
    let vm = Vm::new(&program, &Unroll::default(), 1000);
    let mut arena = Arena::new();
    let (at, request) = vm.spawn(&mut arena, ME, FunctionId(0), &[u64::MAX]);
    assert_eq!(request, fault(Fault::EndlessLoop));
    assert_eq!(vm.request(&arena, at), request);
    assert_eq!(vm.what_repeats(&arena, at), Some(Repetition::Loop(6)));

    let mut asm = Assembler::default();
    asm.function(0, 1, &[op(Op::Nop), op(Op::Jmp)]);
    let program = asm.program();
    let vm = Vm::new(&program, &Unroll::all(5), 10);
    let (at, request) = vm.spawn(&mut arena, ME, FunctionId(0), &[]);
    assert_eq!((request, vm.what_repeats(&arena, at)), (fault(Fault::EndlessLoop), None));
}

#[test]
fn endings() {
    let ending = |build: &dyn Fn(&mut Assembler) -> Instr| {
        let mut asm = Assembler { strings: vec![String::new(); 3], ..Assembler::default() };
        let instr = build(&mut asm);
        let ret = asm.ret(&[]);
        asm.function(1, 1, &[instr, ret]);
        first(&asm.program(), &[5])
    };
    assert_eq!(ending(&|_| op(Op::Nop)), done(0));
    assert_eq!(ending(&|_| op(Op::Exit)), done(5));
    assert_eq!(ending(&|_| op(Op::Assume)), done(0));
    assert_eq!(ending(&|asm| Instr { a: asm.constant(0), ..op(Op::Assume) }), Request::Blocked);
    assert_eq!(ending(&|_| op(Op::Unreachable)), fault(Fault::Unreachable));
    assert_eq!(ending(&|_| op3(Op::Fail, 0, 1, 2)), fault(Fault::Fail { kind: 1, message: 2 }));
    assert_eq!(ending(&|_| op3(Op::Unknown, 0, 2, 0)), fault(Fault::Unknown { name: 2 }));
    assert_eq!(ending(&|_| op3(Op::Refuse, 0, 1, 0)), fault(Fault::Refused { what: 1 }));
}

#[test]
fn exit_ends_the_thread_from_any_depth() {
    let mut asm = Assembler::default();
    let none = asm.list(&[]);
    asm.function(0, 1, &[call(Op::Call, 0, 1, none, 0), op(Op::Unreachable)]);
    let nine = asm.constant(9);
    asm.function(0, 1, &[Instr { a: nine, ..op(Op::Exit) }]);
    assert_eq!(first(&asm.program(), &[]), done(9));
}

/// A program of one instruction of an opcode: operands are register 0, targets the RET after it.
fn one_instruction(code: Op) -> Program {
    let named = code.row().fields.map(|kind| u32::from(kind == Field::Target));
    let [a, b, c] = named;
    let with = |(x, width)| {
        let mut asm = Assembler { strings: vec!["word".into()], loops: 1, ..Assembler::default() };
        asm.switches.push((Vec::new(), 1));
        asm.list(&[0; 4]);
        asm.lock(Use::Take, 0, 0);
        let ret = asm.ret(&[]);
        asm.function(1, 4, &[Instr { dst: 1, a, b, c, x, width, ..op(code) }, ret]);
        Program::decode(&asm.bytes()).ok()
    };
    [(0, 32), (32, 32), (64, 32), (0, 128)].into_iter().find_map(with).expect("some x and width are valid")
}

#[test]
fn every_opcode_is_run_by_some_part_of_the_vm() {
    for &code in Op::ALL {
        // An opcode that no part knows makes `waiting` panic: no thread rests there.
        first(&one_instruction(code), &[0]);
    }
}
