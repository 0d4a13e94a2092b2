//! Snapshots: requests and answers, and that one image can be resumed many ways.

use super::*;
use crate::program::{code_address, Domain, RmwOp};

const X: u64 = (Region::GLOBAL << 44) | 32;

/// r0 = load x; x = rmw; cas; fence; create; join; returns r0 + the rest.
fn every_request() -> Program {
    let mut asm = Assembler { strings: vec!["\"%d\"".into()], ..Assembler::default() };
    let [x, one, two, f] = [X, 1, 0x1_0000_0002, code_address(0)].map(|v| asm.constant(v));
    let mode = |mode, instr: Instr| Instr { mode, width: 32, ..instr };
    let printed = asm.list(&[x, 0]);
    let ret = asm.ret(&[0]);
    asm.function(
        0,
        5,
        &[
            mode(Mode::Acq, op3(Op::Load, 0, x, 0)),
            mode(Mode::Rel, op3(Op::Store, 0, x, two)),
            mode(Mode::Sc, Instr { x: RmwOp::Xor as u8, ..op3(Op::Rmw, 1, x, two) }),
            op3(Op::Add, 0, 0, 1),
            mode(Mode::AcqRel, Instr { x: Mode::Rlx as u8, c: one, ..op3(Op::Cas, 1, x, two) }),
            op3(Op::Add, 0, 0, 1),
            op3(Op::Add, 0, 0, 2),
            mode(Mode::Sc, op(Op::Fence)),
            op3(Op::Create, 3, f, one),
            op3(Op::Join, 4, 3, 0),
            op3(Op::Add, 0, 0, 4),
            op3(Op::SelfThread, 1, 0, 0),
            op3(Op::Add, 0, 0, 1),
            Instr { c: printed, ..op(Op::Print) },
            ret,
        ],
    );
    asm.program()
}

#[test]
fn requests_and_their_answers() {
    let program = every_request();
    let vm = Vm::new(&program, &Unroll::default(), STEPS);
    let (address, size) = (X, 4);
    let mut arena = Arena::new();
    let (mut at, mut request) = vm.spawn(&mut arena, ME, FunctionId(0), &[]);
    let (load, sc) = (Request::Load { address, size, mode: Mode::Acq }, Mode::Sc);
    let cas = Request::Cas { address, size, mode: Mode::AcqRel, failure: Mode::Rlx, expected: 2, new: 1 };
    let script = [
        (load, Answer::Value(0xf_0000_0100)),
        (Request::Store { address, size, mode: Mode::Rel, value: 2 }, Answer::None),
        (Request::Rmw { address, size, mode: sc, op: RmwOp::Xor, operand: 2 }, Answer::Value(10)),
        (cas, Answer::Exchange { old: 2, success: true }),
        (Request::Fence { mode: sc, domain: Domain::NONE }, Answer::None),
        (Request::Create { function: code_address(0), argument: 1 }, Answer::Value(8)),
        (Request::Join { thread: 8 }, Answer::Value(1000)),
        (Request::Print { string: 0, list: 0 }, Answer::None),
    ];
    for (want, answer) in script {
        assert_eq!(request, want);
        assert_eq!(vm.request(&arena, at), want);
        (at, request) = vm.resume(&mut arena, at, answer);
    }
    assert_eq!(request, done(0x100 + 10 + 2 + 1 + 1000 + 3));
    assert_eq!(vm.children(&arena, at), 1);
}

#[test]
fn prints_know_their_values() {
    let mut asm = Assembler { strings: vec![String::new()], ..Assembler::default() };
    let format = asm.constant(X);
    let printed = asm.list(&[format, 0]);
    let ret = asm.ret(&[]);
    asm.function(1, 1, &[Instr { c: printed, ..op(Op::Print) }, ret]);
    let program = asm.program();
    let vm = Vm::new(&program, &Unroll::default(), STEPS);
    let mut arena = Arena::new();
    let (at, _) = vm.spawn(&mut arena, ME, FunctionId(0), &[42]);
    assert_eq!(vm.print_arguments(&arena, at), [X, 42]);
    let (at, _) = vm.resume_in_place(&mut arena, at, Answer::None);
    assert_eq!(vm.print_arguments(&arena, at), [0u64; 0]);
}

#[test]
fn bad_thread_functions_are_faults() {
    let mut asm = Assembler::default();
    let ret = asm.ret(&[]);
    asm.function(1, 2, &[op3(Op::Create, 1, 0, 0), ret]);
    assert_eq!(first(&asm.program(), &[X]), fault(Fault::BadCall { address: X }));
}

/// Function 0 loads x twice, in a callee, and returns the first value minus the second.
fn two_loads() -> Program {
    let mut asm = Assembler { thread_locals: vec![(0, 8, vec![])], ..Assembler::default() };
    let x = asm.constant(X);
    let none = asm.list(&[]);
    let call = |dst| Instr { dst, a: 1, c: none, x: 1, ..op(Op::Call) };
    let (main, callee) = (asm.ret(&[0]), asm.ret(&[0]));
    asm.function(
        0,
        3,
        &[
            call(0),
            op3(Op::Tlsaddr, 2, 0, 0),
            op3(Op::Store, 0, 2, 0),
            call(1),
            op3(Op::Load, 0, 2, 0),
            op3(Op::Sub, 0, 0, 1),
            main,
        ],
    );
    asm.function(0, 1, &[op3(Op::Load, 0, x, 0), callee]);
    asm.program()
}

#[test]
fn snapshots_are_independent() {
    let program = two_loads();
    let vm = Vm::new(&program, &Unroll::default(), STEPS);
    let mut arena = Arena::new();
    let (start, _) = vm.spawn(&mut arena, ME, FunctionId(0), &[]);
    assert_eq!(vm.stack(&arena, start), [(FunctionId(1), 0), (FunctionId(0), 0)]);
    let (ten, _) = vm.resume(&mut arena, start, Answer::Value(10));
    let (twenty, _) = vm.resume(&mut arena, start, Answer::Value(20));
    assert_eq!(vm.stack(&arena, ten), [(FunctionId(1), 0), (FunctionId(0), 3)]);
    let before: Vec<u64> = arena.words.clone();
    let top = arena.len();
    for (from, first) in [(ten, 10), (twenty, 20), (ten, 10)] {
        for second in [1, 2, 3] {
            let (at, request) = vm.resume(&mut arena, from, Answer::Value(second));
            assert_eq!(request, done(first - second));
            assert_eq!(at.end(), arena.len());
            arena.truncate(top);
        }
    }
    assert_eq!(arena.words, before);
    let (_, request) = vm.resume_in_place(&mut arena, twenty, Answer::Value(1));
    assert_eq!(request, done(19));
    assert_eq!(vm.resume(&mut arena, ten, Answer::Value(4)).1, done(6));
}

#[test]
fn equal_histories_give_equal_images() {
    let program = two_loads();
    let vm = Vm::new(&program, &Unroll::default(), STEPS);
    let mut arena = Arena::new();
    let (start, _) = vm.spawn(&mut arena, ME, FunctionId(0), &[]);
    let (one, _) = vm.resume(&mut arena, start, Answer::Value(7));
    let (two, _) = vm.resume(&mut arena, start, Answer::Value(7));
    assert_eq!(arena.image(one), arena.image(two));
}

#[test]
#[should_panic(expected = "topmost")]
fn only_the_topmost_image_runs_in_place() {
    let program = two_loads();
    let vm = Vm::new(&program, &Unroll::default(), STEPS);
    let mut arena = Arena::new();
    let (start, _) = vm.spawn(&mut arena, ME, FunctionId(0), &[]);
    let (_, _): (Snapshot, Request) = vm.resume(&mut arena, start, Answer::Value(7));
    vm.resume_in_place(&mut arena, start, Answer::Value(7));
}

#[test]
fn missing_arguments_are_zero_and_extra_ones_dropped() {
    let mut asm = Assembler::default();
    let ret = asm.ret(&[2]);
    asm.function(2, 4, &[op3(Op::Add, 2, 0, 1), op3(Op::Add, 2, 2, 3), ret]);
    let program = asm.program();
    assert_eq!(first(&program, &[5]), done(5));
    assert_eq!(first(&program, &[5, 6, 7, 8]), done(11));
}
