//! Private memory: frames and thread-locals; and constant globals.

use super::*;
use crate::program::assemble::Code;
use crate::program::{FrameObject, RmwOp};

fn sized(width: u8, instr: Instr) -> Instr {
    Instr { width, ..instr }
}

/// Function 0 stores register 1 at frame offset (12 + register 0) and loads it back, `width` bits,
/// in a frame with objects of 16 bytes at 8 and of 8 bytes at 24.
fn frame_program(width: u8) -> Program {
    let mut asm = Assembler::default();
    let ret = asm.ret(&[3]);
    let code = vec![
        op3(Op::Frameaddr, 2, 8, 4),
        op3(Op::Add, 2, 2, 0),
        sized(width, op3(Op::Store, 0, 2, 1)),
        sized(width, op3(Op::Load, 3, 2, 0)),
        ret,
    ];
    let objects = vec![FrameObject { offset: 24, size: 8 }, FrameObject { offset: 8, size: 16 }];
    asm.functions.push(Code { params: 2, registers: 4, frame_size: 40, objects, code });
    asm.program()
}

#[test]
fn frame_accesses_at_every_place() {
    let value = 0x8877_6655_4433_2211;
    for width in [1, 8, 16, 24, 32, 48, 64] {
        let program = frame_program(width);
        let size = i64::from(width.div_ceil(8));
        for offset in -12..40i64 {
            let place = 12 + offset;
            let inside = |from: i64, to: i64| from <= place && place + size <= to;
            let request = first(&program, &[offset as u64, value]);
            if inside(8, 24) {
                assert_eq!(request, done(value & (u64::MAX >> (64 - width))), "{width} at {place}");
            } else {
                let refused = matches!(request, Request::Fault(Fault::PrivateAccess { .. }));
                assert!(refused, "{width} at {place}: {request:?}");
            }
        }
    }
}

/// Function 0 stores 7 at a distance in bytes (register 0) from one of three private objects (register 1).
fn step_program() -> Program {
    let mut asm = Assembler { thread_locals: vec![(0, 8, vec![])], ..Assembler::default() };
    let (size, seven) = (asm.constant(16), asm.constant(7));
    let ret = asm.ret(&[3]);
    let code = vec![
        Instr { x: 1, ..op3(Op::Alloc, 2, size, size) },
        Instr { x: 1, ..op3(Op::Alloc, 4, size, size) },
        Instr { a: 1, b: 4, c: 3, ..op(Op::Br) },
        op3(Op::Frameaddr, 2, 8, 0),
        op3(Op::Step, 3, 2, 0),
        sized(8, op3(Op::Store, 0, 3, seven)),
        sized(8, op3(Op::Load, 3, 3, 0)),
        ret,
    ];
    let objects = [0, 8, 24].map(|offset| FrameObject { offset, size: if offset == 8 { 16 } else { 8 } });
    asm.functions.push(Code { params: 2, registers: 5, frame_size: 32, objects: objects.to_vec(), code });
    asm.program()
}

#[test]
fn a_step_never_reaches_another_object() {
    let program = step_program();
    let near = -2000..2000i64;
    let far = [1 << 20, 1 << 28, 1 << 44, i64::MAX, -(1 << 28), i64::MIN];
    for on_heap in [0, 1] {
        for offset in near.clone().chain(far) {
            let request = first(&program, &[offset as u64, on_heap]);
            match request {
                Request::Done { value: 7 } => assert!((0..16).contains(&offset), "{offset}"),
                Request::Fault(Fault::PrivateAccess { .. }) | Request::Store { .. } => {
                    assert!(!(0..16).contains(&offset), "{offset}");
                }
                other => panic!("{offset}: {other:?}"),
            }
        }
    }
}

#[test]
fn neighbours_survive_an_unaligned_store() {
    let mut asm = Assembler::default();
    let ones = asm.constant(u64::MAX);
    let zero = asm.constant(0);
    let (five, eight) = (asm.constant(5), asm.constant(8));
    let ret = asm.ret(&[2, 3]);
    let code = vec![
        op3(Op::Frameaddr, 0, 0, 0),
        op3(Op::Store, 0, 0, ones),
        op3(Op::Add, 1, 0, eight),
        op3(Op::Store, 0, 1, ones),
        op3(Op::Add, 4, 0, five),
        sized(48, op3(Op::Store, 0, 4, zero)),
        op3(Op::Load, 2, 0, 0),
        op3(Op::Load, 3, 1, 0),
        op3(Op::Xor, 2, 2, 3),
        ret,
    ];
    let objects = vec![FrameObject { offset: 0, size: 16 }];
    asm.functions.push(Code { params: 0, registers: 5, frame_size: 16, objects, code });
    let (low, high) = (0x0000_00ff_ffff_ffffu64, 0xffff_ffff_ff00_0000u64);
    assert_eq!(first(&asm.program(), &[]), done(low ^ high));
}

#[test]
fn a_callee_reaches_its_callers_objects_only_while_they_live() {
    let mut asm = Assembler::default();
    let (pointer, none) = (asm.list(&[0]), asm.list(&[]));
    let objects = vec![FrameObject { offset: 0, size: 8 }];
    let call = |dst, a, c, x| Instr { dst, a, c, x, ..op(Op::Call) };
    let ret = asm.ret(&[1]);
    // main: its object is 4, plus what the callee adds; then uses the callee's dead object.
    let four = asm.constant(4);
    let code = vec![
        op3(Op::Frameaddr, 0, 0, 0),
        op3(Op::Store, 0, 0, four),
        call(1, 1, pointer, 0),
        op3(Op::Load, 1, 0, 0),
        call(2, 2, none, 1),
        op3(Op::Load, 3, 2, 0),
        ret,
    ];
    asm.functions.push(Code { params: 0, registers: 4, frame_size: 8, objects: objects.clone(), code });
    let back = asm.ret(&[]);
    asm.function(1, 2, &[op3(Op::Load, 1, 0, 0), op3(Op::Add, 1, 1, 1), op3(Op::Store, 0, 0, 1), back]);
    let dangling = asm.ret(&[0]);
    let code = vec![op3(Op::Frameaddr, 0, 0, 0), dangling];
    asm.functions.push(Code { params: 0, registers: 1, frame_size: 8, objects, code });
    let program = asm.program();
    let vm = Vm::new(&program, &Unroll::default(), STEPS);
    let mut arena = Arena::new();
    let (at, request) = vm.spawn(&mut arena, ME, FunctionId(0), &[]);
    assert!(matches!(request, Request::Fault(Fault::PrivateAccess { size: 8, cause: Cause::Unknown, .. })));
    assert_eq!(vm.position(&arena, at), (FunctionId(0), 5));
}

#[test]
fn each_thread_local_has_its_own_bounds() {
    let thread_locals = vec![(0, 8, vec![1]), (512, 3, vec![2]), (1024, 4, vec![3])];
    let mut asm = Assembler { thread_locals, ..Assembler::default() };
    let ret = asm.ret(&[2]);
    let load = sized(8, op3(Op::Load, 2, 1, 0));
    asm.function(
        2,
        3,
        &[op3(Op::Tlsaddr, 2, 0, 0), op3(Op::Add, 2, 2, 0), op3(Op::Step, 1, 2, 1), load, ret],
    );
    let program = asm.program();
    for (from, offset, value) in
        [(0, 0, 1), (512, 0, 2), (512, 1, 0), (1024, 0, 3), (1028, -4, 3), (576, -64, 2)]
    {
        assert_eq!(first(&program, &[from, offset as u64]), done(value), "{from} {offset}");
    }
    for (from, offset) in
        [(0, 512), (512, 512), (512, -512), (1024, 1024), (0, 8), (512, 3), (512, -1), (300, 212)]
    {
        let refused = first(&program, &[from, offset as u64]);
        assert!(!matches!(refused, Request::Done { .. }), "{from} {offset}: {refused:?}");
    }
}

#[test]
fn thread_locals_start_from_their_data_and_stay_inside() {
    let mut asm = Assembler { thread_locals: vec![(0, 12, vec![1, 2, 3])], ..Assembler::default() };
    let ret = asm.ret(&[2]);
    asm.function(
        1,
        3,
        &[op3(Op::Tlsaddr, 1, 0, 0), op3(Op::Add, 1, 1, 0), sized(32, op3(Op::Load, 2, 1, 0)), ret],
    );
    let program = asm.program();
    assert_eq!(first(&program, &[0]), done(0x0003_0201));
    assert_eq!(first(&program, &[8]), done(0));
    let own = address(Region::PRIVATE, ME, 0);
    let cause = Cause::outside((own, own + 12));
    let outside = Fault::PrivateAccess { address: own + 9, size: 4, cause };
    assert_eq!(first(&program, &[9]), fault(outside));
    let foreign = address(Region::PRIVATE, ThreadId(1), 0).wrapping_sub(own);
    let refused = first(&program, &[foreign]);
    assert!(matches!(refused, Request::Fault(Fault::PrivateAccess { .. })), "{refused:?}");
}

#[test]
fn atomics_on_private_memory() {
    let mut asm = Assembler { thread_locals: vec![(0, 8, vec![])], ..Assembler::default() };
    let (five, six) = (asm.constant(5), asm.constant(6));
    let ret = asm.ret(&[1]);
    let rmw = Instr { x: RmwOp::Add as u8, ..op3(Op::Rmw, 1, 0, five) };
    let cas = |expected| Instr { c: six, ..op3(Op::Cas, 2, 0, expected) };
    asm.function(
        0,
        4,
        &[
            op3(Op::Tlsaddr, 0, 0, 0),
            rmw,
            cas(six),
            op3(Op::Add, 1, 1, 3),
            cas(five),
            op3(Op::Add, 1, 1, 3),
            op3(Op::Shl, 1, 1, five),
            op3(Op::Load, 2, 0, 0),
            op3(Op::Add, 1, 1, 2),
            ret,
        ],
    );
    // Old value 0, one success of two, final value 6.
    assert_eq!(first(&asm.program(), &[]), done(32 + 6));
}

#[test]
fn constant_globals_are_read_inside() {
    let mut asm = Assembler::default();
    let base = address(Region::GLOBAL, ThreadId(0), 0);
    // A variable right between two constants; the second has fewer bytes of data than its size.
    asm.globals.push((base + 20, 12, true, vec![(0, vec![9])]));
    asm.globals.push((base, 16, true, vec![(0, (1..=16).collect())]));
    asm.globals.push((base + 16, 4, false, vec![(0, vec![5])]));
    let ret = asm.ret(&[1]);
    asm.function(1, 2, &[sized(32, op3(Op::Load, 1, 0, 0)), ret]);
    let program = asm.program();
    assert_eq!(first(&program, &[base + 1]), done(0x0504_0302));
    assert_eq!(first(&program, &[base + 12]), done(0x100f_0e0d));
    assert_eq!(first(&program, &[base + 20]), done(9));
    assert_eq!(first(&program, &[base + 28]), done(0));
    let outside = [base + 13, base + 16, base + 18, base + 29, base + 32, base - 1, 0, u64::MAX];
    for address in outside.into_iter().chain([base + (1 << 40), 8]) {
        let want = Request::Load { address, size: 4, mode: Mode::Na };
        assert_eq!(first(&program, &[address]), want);
    }
}

#[test]
fn far_apart_constants_share_a_coarse_map() {
    let mut asm = Assembler::default();
    let base = address(Region::GLOBAL, ThreadId(0), 0);
    let far = base + (1 << 40);
    asm.globals.push((base, 4, true, vec![(0, vec![1])]));
    asm.globals.push((base + 8, 4, false, vec![]));
    asm.globals.push((far, 4, true, vec![(0, vec![2])]));
    let ret = asm.ret(&[1]);
    asm.function(1, 2, &[sized(32, op3(Op::Load, 1, 0, 0)), ret]);
    let program = asm.program();
    assert_eq!(first(&program, &[base]), done(1));
    assert_eq!(first(&program, &[far]), done(2));
    assert!(matches!(first(&program, &[base + 8]), Request::Load { .. }));
}

/// Function 0 stores `width` bits at byte 1 of a frame object of 16 bytes, then reads 16 bits at byte (register 0),
/// with `x` of the load.
fn partly_written(width: u8, x: u8) -> Program {
    let mut asm = Assembler::default();
    let ret = asm.ret(&[2]);
    let code = vec![
        op3(Op::Frameaddr, 1, 8, 1),
        sized(width, op3(Op::Store, 0, 1, 1)),
        op3(Op::Frameaddr, 1, 8, 0),
        op3(Op::Add, 1, 1, 0),
        Instr { x, ..sized(16, op3(Op::Load, 2, 1, 0)) },
        ret,
    ];
    let objects = vec![FrameObject { offset: 8, size: 16 }];
    asm.functions.push(Code { params: 1, registers: 3, frame_size: 80, objects, code });
    asm.program()
}

#[test]
fn only_bytes_that_were_written_can_be_read() {
    for width in [8, 16, 32, 64] {
        let written = 1..1 + u64::from(width / 8);
        for byte in 0..15 {
            let whole = written.contains(&byte) && written.contains(&(byte + 1));
            let request = first(&partly_written(width, 0), &[byte]);
            let is_unwritten =
                matches!(request, Request::Fault(Fault::PrivateAccess { cause: Cause::Unwritten, .. }));
            assert_eq!(is_unwritten, !whole, "{width} bits, read at {byte}: {request:?}");
            let moved = first(&partly_written(width, 1), &[byte]);
            assert!(
                matches!(moved, Request::Done { .. }),
                "a copy may move what was never written: {moved:?}"
            );
        }
    }
}

/// Function 0 reads 64 bits at byte (register 0) of a private heap object of 200 bytes, made with flags `x`, of which a
/// FILL sets the first 100.
fn half_filled(x: u8) -> Program {
    let mut asm = Assembler::default();
    let (size, half, zero) = (asm.constant(200), asm.constant(100), asm.constant(0));
    let ret = asm.ret(&[2]);
    let code = vec![
        Instr { x, ..op3(Op::Alloc, 1, size, zero) },
        Instr { a: 1, b: zero, c: half, dst: 2, ..op(Op::Fill) },
        op3(Op::Add, 1, 1, 0),
        sized(64, op3(Op::Load, 2, 1, 0)),
        ret,
    ];
    asm.function(1, 3, &code);
    asm.program()
}

#[test]
fn fills_and_zeroed_allocations_count_as_writes() {
    for byte in 0..=192 {
        let filled = first(&half_filled(1), &[byte]);
        assert_eq!(matches!(filled, Request::Done { .. }), byte <= 92, "at {byte}: {filled:?}");
        let zeroed = first(&half_filled(1 | 2), &[byte]);
        assert_eq!(zeroed, done(0), "at {byte}");
    }
}
