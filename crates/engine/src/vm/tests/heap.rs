//! The heaps: private objects inside the VM, shared ones as requests.

use super::*;
use crate::program::assemble::Code;
use crate::program::{
    FrameObject, Owner, ALLOC_ARRAY, ALLOC_NEW, ALLOC_PRIVATE, ALLOC_STACK, ALLOC_ZERO, GAP,
};

fn sized(width: u8, instr: Instr) -> Instr {
    Instr { width, ..instr }
}

fn private(instr: Instr) -> Instr {
    Instr { x: ALLOC_PRIVATE, ..instr }
}

#[test]
fn private_heap() {
    let mut asm = Assembler { thread_locals: vec![(0, 4, vec![])], ..Assembler::default() };
    let (ten, align, value) = (asm.constant(10), asm.constant(64), asm.constant(77));
    let ret = asm.ret(&[3]);
    asm.function(
        1,
        5,
        &[
            private(op3(Op::Alloc, 1, ten, ten)),
            private(op3(Op::Alloc, 2, ten, align)),
            op3(Op::Store, 0, 2, value),
            op3(Op::Objsize, 3, 1, 0),
            op3(Op::Free, 0, 1, 0),
            op3(Op::Load, 4, 2, 0),
            op3(Op::Add, 3, 3, 4),
            Instr { a: 0, b: 8, c: 9, ..op(Op::Br) },
            sized(8, op3(Op::Load, 4, 1, 0)),
            op3(Op::Free, 0, 2, 0),
            op3(Op::Free, 0, 2, 0),
            ret,
        ],
    );
    let program = asm.program();
    // The first object goes after the thread-locals (16) and a gap (256), the second to the next multiple of 64.
    let [one, two] = [272, 576].map(|offset| address(Region::PRIVATE, ME, offset));
    let late = Fault::PrivateAccess { address: one, size: 1, cause: Cause::Freed };
    assert_eq!(first(&program, &[1]), fault(late));
    assert_eq!(first(&program, &[0]), fault(Fault::DoubleFree { address: two }));
}

#[test]
fn private_heap_bounds_and_bad_frees() {
    let mut asm = Assembler { thread_locals: vec![(0, 8, vec![])], ..Assembler::default() };
    let (ten, zero) = (asm.constant(10), asm.constant(0));
    let ret = asm.ret(&[2]);
    asm.functions.push(Code {
        params: 2,
        registers: 4,
        frame_size: 8,
        objects: vec![FrameObject { offset: 0, size: 8 }],
        code: vec![
            Instr { x: ALLOC_PRIVATE | ALLOC_ZERO, ..op3(Op::Alloc, 2, ten, zero) },
            op3(Op::Add, 2, 2, 0),
            Instr { a: 1, b: 3, c: 5, ..op(Op::Br) },
            sized(16, op3(Op::Load, 2, 2, 0)),
            ret,
            op3(Op::Free, 0, zero, 0),
            op3(Op::Free, 0, 2, 0),
            op3(Op::Frameaddr, 3, 0, 0),
            op3(Op::Free, 0, 3, 0),
            op(Op::Unreachable),
        ],
    });
    let program = asm.program();
    assert_eq!(first(&program, &[8, 1]), done(0));
    let base = address(Region::PRIVATE, ME, 272);
    let outside =
        Fault::PrivateAccess { address: base + 9, size: 2, cause: Cause::outside((base, base + 10)) };
    assert_eq!(first(&program, &[9, 1]), fault(outside));
    let inside = Fault::InvalidFree { address: base + 1, cause: Cause::outside((base, base + 10)) };
    assert_eq!(first(&program, &[1, 0]), fault(inside));
    let in_frame = first(&program, &[0, 0]);
    assert!(matches!(in_frame, Request::Fault(Fault::InvalidFree { .. })), "{in_frame:?}");
}

#[test]
fn many_private_objects_come_and_go() {
    // Keeps two of every three objects: stores i in each, frees every third, sums the rest by chain.
    let mut asm = Assembler::default();
    let c: Vec<u32> = [0, 1, 3, 8, 16, 60].iter().map(|&v| asm.constant(v)).collect();
    let [zero, one, three, eight, sixteen, count] = c[..] else { unreachable!() };
    let ret = asm.ret(&[4]);
    let br = |a, b, c| Instr { a, b, c, ..op(Op::Br) };
    // r0 i, r1 new, r2 list head, r3 scratch, r4 sum; a node is (value, next).
    asm.function(
        0,
        6,
        &[
            private(op3(Op::Alloc, 1, sixteen, zero)), // 0
            op3(Op::Store, 0, 1, 0),
            op3(Op::Urem, 3, 0, three),
            br(3, 4, 8),
            op3(Op::Add, 3, 1, eight), // 4
            op3(Op::Store, 0, 3, 2),
            op3(Op::Mov, 2, 1, 0),
            Instr { a: 9, ..op(Op::Jmp) },
            op3(Op::Free, 0, 1, 0), // 8
            op3(Op::Add, 0, 0, one),
            op3(Op::Ult, 3, 0, count),
            br(3, 0, 12),
            op3(Op::Load, 3, 2, 0), // 12
            op3(Op::Add, 4, 4, 3),
            op3(Op::Add, 5, 2, eight),
            op3(Op::Load, 5, 5, 0),
            op3(Op::Free, 0, 2, 0),
            op3(Op::Mov, 2, 5, 0),
            br(2, 12, 19),
            ret, // 19
        ],
    );
    assert_eq!(first(&asm.program(), &[]), done((0..60).filter(|i| i % 3 != 0).sum()));
}

#[test]
fn allocations_that_do_not_fit() {
    for (flags, size) in [(ALLOC_PRIVATE, 1 << 24), (0, 1 << 28), (ALLOC_STACK, u64::MAX)] {
        let mut asm = Assembler::default();
        let ret = asm.ret(&[1]);
        asm.function(1, 2, &[Instr { x: flags, ..op3(Op::Alloc, 1, 0, 0) }, ret]);
        assert_eq!(first(&asm.program(), &[size]), fault(Fault::OutOfMemory { size }));
    }
}

#[test]
fn allocations_that_no_machine_has_room_for_fail() {
    for flags in [ALLOC_PRIVATE, 0, ALLOC_ZERO] {
        let mut asm = Assembler::default();
        let ret = asm.ret(&[1]);
        asm.function(1, 2, &[Instr { x: flags, ..op3(Op::Alloc, 1, 0, 0) }, ret]);
        for size in [1 << 47, u64::MAX - 1] {
            assert_eq!(first(&asm.program(), &[size]), done(0));
        }
    }
}

#[test]
fn shared_objects_follow_the_bump_pointer() {
    let mut asm = Assembler::default();
    let (size, align, zero) = (asm.constant(20), asm.constant(64), asm.constant(0));
    let ret = asm.ret(&[0]);
    asm.function(
        0,
        2,
        &[
            Instr { x: ALLOC_ZERO, ..op3(Op::Alloc, 0, size, align) },
            Instr { x: ALLOC_STACK, ..op3(Op::Alloc, 1, zero, zero) },
            Instr { x: ALLOC_STACK, ..op3(Op::Free, 0, 1, 0) },
            op3(Op::Objsize, 0, 0, 0),
            ret,
        ],
    );
    let program = asm.program();
    let vm = Vm::new(&program, &Unroll::default(), STEPS);
    let mut arena = Arena::new();
    let [one, two] = [4096, 4384].map(|offset| address(Region::SHARED, ME, offset));
    let (at, request) = vm.spawn(&mut arena, ME, FunctionId(0), &[]);
    assert_eq!(request, Request::Alloc { address: one, size: 20, zeroed: true, owner: Owner::Free });
    let (at, request) = vm.resume(&mut arena, at, Answer::None);
    assert_eq!(request, Request::Alloc { address: two, size: 0, zeroed: false, owner: Owner::Scope });
    let (at, request) = vm.resume(&mut arena, at, Answer::None);
    assert_eq!(request, Request::Free { address: two, owner: Owner::Scope });
    let (at, request) = vm.resume(&mut arena, at, Answer::None);
    assert_eq!(request, Request::ObjectSize { address: one });
    assert_eq!(vm.resume(&mut arena, at, Answer::Value(20)).1, done(20));
}

#[test]
fn objects_are_freed_by_their_owner() {
    // Allocates with some flags, and frees with others.
    for (made, ended, is_right) in [
        (0, 0, true),
        (ALLOC_NEW, ALLOC_NEW, true),
        (ALLOC_ARRAY, ALLOC_ARRAY, true),
        (ALLOC_NEW, ALLOC_ARRAY, false),
        (0, ALLOC_NEW, false),
        (ALLOC_ARRAY, 0, false),
    ] {
        let mut asm = Assembler::default();
        let [zero, ten] = [0, 10].map(|v| asm.constant(v));
        let ret = asm.ret(&[zero]);
        let alloc = Instr { x: ALLOC_PRIVATE | made, ..op3(Op::Alloc, 0, ten, zero) };
        asm.function(0, 1, &[alloc, Instr { x: ended, ..op3(Op::Free, 0, 0, 0) }, ret]);
        let address = address(Region::PRIVATE, ME, GAP);
        let (owner, by) = (Owner::of(made), Owner::of(ended));
        let expected = if is_right { done(0) } else { fault(Fault::MismatchedFree { address, owner, by }) };
        assert_eq!(first(&asm.program(), &[]), expected, "{made} {ended}");
    }
}
