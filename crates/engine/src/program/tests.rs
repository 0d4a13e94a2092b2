//! What the decoder takes, what it refuses, and that nothing makes it panic.

use super::assemble::{op, op3, Assembler, Code};
use super::assemble_sync::Use;
use super::*;

/// A program that uses every section.
fn rich() -> Assembler {
    let mut asm = Assembler {
        thread_locals: vec![(0, 8, vec![1, 2])],
        strings: vec!["assertion".into(), "x == 1".into()],
        loops: 1,
        ..Assembler::default()
    };
    asm.globals.push((address(Region::GLOBAL, crate::ids::ThreadId(0), 64), 4, false, vec![(0, vec![7])]));
    asm.globals.push((address(Region::GLOBAL, crate::ids::ThreadId(0), 16), 8, true, vec![]));
    asm.switches.push((vec![(5, 1), (2, 3)], 2));
    for which in [Use::Give, Use::Try] {
        asm.lock(which, 0, 0);
    }
    let c = asm.constant(3);
    let list = asm.list(&[c, 0]);
    let ret = asm.ret(&[1]);
    let code = vec![
        Instr { a: 0, c: 0, ..op(Op::Switch) },
        Instr { dst: 1, a: 0, c: list, x: 2, ..op(Op::Call) },
        Instr { dst: 3, a: 0, ..op(Op::Loop) },
        op3(Op::Fail, 0, 0, 1),
        ret,
    ];
    let objects = vec![FrameObject { offset: 8, size: 4 }, FrameObject { offset: 0, size: 8 }];
    asm.functions.push(Code { params: 1, registers: 4, frame_size: 12, objects, code });
    asm
}

#[test]
fn initial_values_come_from_pieces() {
    let mut asm = rich();
    let base = address(Region::GLOBAL, crate::ids::ThreadId(0), 1 << 28);
    let last = u32::MAX - 1;
    asm.globals.push((base, u32::MAX, true, vec![(1, vec![1, 2]), (4, vec![5]), (last, vec![9])]));
    let program = asm.program();
    let global = program.globals.last().expect("there are globals");
    assert_eq!(global.initial(base, 8), Some(0x0000_0005_0002_0100));
    assert_eq!(global.initial(base + 2, 2), Some(2));
    assert_eq!(global.initial(base + 4, 1), Some(5));
    assert_eq!(global.initial(base + (1 << 31), 8), Some(0));
    assert_eq!(global.initial(base + u64::from(last) - 7, 8), Some(9 << 56));
    assert_eq!(global.initial(base + u64::from(last) - 6, 8), None);
    let memory = crate::memory::Memory::new(&program);
    assert_eq!(memory.read(base, 8), 0x0000_0005_0002_0100);
    assert_eq!(memory.read(base + u64::from(last) - 7, 8), 9 << 56);
    assert!(memory.bytes() <= 3 << 12, "a page of small globals and two of the large one");
}

fn error(asm: &Assembler) -> String {
    Program::decode(&asm.bytes()).expect_err("this is refused").to_string()
}

#[test]
fn a_program_comes_through() {
    let program = rich().program();
    assert_eq!(program.tls, [1, 2, 0, 0, 0, 0, 0, 0]);
    assert!(program.globals[0].constant && program.globals[0].address < program.globals[1].address);
    assert_eq!(program.globals[1].initial(program.globals[1].address, 4), Some(7));
    assert_eq!(program.globals[1].initial(program.globals[1].address + 1, 4), None);
    assert!(program.global_at(program.globals[1].address + 3).is_some_and(|g| !g.constant));
    assert!(program.global_at(program.globals[1].address + 4).is_none());
    assert!(program.global_at(0).is_none());
    assert_eq!(program.switches[0].cases, [(2, 3), (5, 1)]);
    let function = &program.functions[0];
    assert_eq!(function.objects[0].offset, 0);
    assert_eq!(function.loops, [LoopSite { id: 0, counter: 3, pc: 2, is_shared: false }]);
    assert_eq!((function.frame_words(), program.strings[1].as_str()), (3, "x == 1"));
}

#[test]
fn truncated_anywhere_it_is_refused() {
    let bytes = rich().bytes();
    for end in 0..bytes.len() {
        assert!(Program::decode(&bytes[..end]).is_err(), "{end} bytes were taken");
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(Program::decode(&longer).is_err());
}

#[test]
fn no_single_wrong_byte_panics() {
    let bytes = rich().bytes();
    for at in 0..bytes.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff, bytes[at].wrapping_add(1)] {
            let mut wrong = bytes.clone();
            wrong[at] = value;
            let _ = Program::decode(&wrong);
        }
    }
}

/// What is wrong with a function of four registers, two constants, and this instruction.
fn refusal(instr: Instr) -> Option<String> {
    let mut asm = rich();
    asm.constants = vec![0, 0];
    let at = asm.functions[0].code.len() - 1;
    asm.functions[0].code.insert(at, instr);
    Program::decode(&asm.bytes()).err().map(|e| e.to_string())
}

#[test]
fn operands_and_results_must_exist() {
    let bad = [
        op3(Op::Add, 4, 0, 0),
        op3(Op::Add, CONST, 0, 0),
        op3(Op::Add, 0, 4, 0),
        op3(Op::Add, 0, 0, CONST | 2),
        op3(Op::Saddo, 3, 0, 0),
        op3(Op::Cas, 3, 0, 0),
        Instr { c: 9, ..op(Op::Select) },
        Instr { dst: 3, a: 0, c: 0, x: 2, ..op(Op::Call) },
        Instr { dst: u32::MAX, a: 0, c: 0, x: 2, ..op(Op::Calli) },
        op3(Op::Alloc, 0, 0, 4),
        op3(Op::Sync, 0, 4, 0),
        op3(Op::Sync, 0, 0, 4),
        Instr { c: 2, ..op(Op::Sync) },
        Instr { dst: 4, c: 1, x: 1, ..op(Op::Sync) },
        op3(Op::Assume, 0, 4, 0),
        op3(Op::SelfThread, 4, 0, 0),
    ];
    for instr in bad {
        let what = refusal(instr).unwrap_or_else(|| panic!("{instr:?} was taken"));
        assert!(what.contains("does not exist") && what.contains("pc 4"), "{what}");
    }
    let good = [
        op3(Op::Add, 3, 3, CONST | 1),
        op3(Op::Saddo, 2, 0, 0),
        Instr { dst: 2, a: 0, c: 0, x: 2, ..op(Op::Call) },
        Instr { dst: 99, a: 0, c: 0, x: 0, ..op(Op::Call) },
        // Operands that an instruction does not have may be anything.
        Instr { dst: 0, a: 1, b: 99, c: 99, ..op(Op::Mov) },
        Instr { dst: 99, a: 99, ..op(Op::Nop) },
    ];
    for instr in good {
        assert_eq!(refusal(instr), None, "{instr:?}");
    }
}

#[test]
fn tables_and_targets_must_exist() {
    let bad = [
        op3(Op::Jmp, 0, 6, 0),
        Instr { a: 0, b: 0, c: 6, ..op(Op::Br) },
        Instr { c: 1, ..op(Op::Switch) },
        op3(Op::Loop, 0, 1, 0),
        op3(Op::Call, 0, 1, 0),
        Instr { c: 2, ..op(Op::Print) },
        op3(Op::Fail, 0, 0, 99),
        op3(Op::Unknown, 0, 99, 0),
        op3(Op::Frameaddr, 0, 13, 0),
        op3(Op::Tlsaddr, 0, 9, 0),
    ];
    for instr in bad {
        assert!(refusal(instr).is_some(), "{instr:?} was taken");
    }
    let mut asm = rich();
    asm.switches[0].0[1].1 = 5;
    assert!(error(&asm).contains("jumps outside"));
}

#[test]
fn widths_and_small_numbers_must_make_sense() {
    let with = |code, width, x| Instr { width, x, ..op(code) };
    let bad = [
        with(Op::Add, 0, 0),
        with(Op::Load, 65, 0),
        with(Op::Sext, 32, 8),
        with(Op::Sext, 32, 65),
        with(Op::Bswap, 12, 0),
        with(Op::Fadd, 16, 0),
        with(Op::Fcmp, 64, 16),
        with(Op::Fptosi, 64, 0),
        with(Op::Rmw, 64, 13),
        with(Op::Rmw, 8, RmwOp::Fadd as u8),
        with(Op::Cas, 64, 6),
        with(Op::Alloc, 64, 32),
    ];
    for instr in bad {
        assert!(refusal(instr).is_some(), "{instr:?} was taken");
    }
}

#[test]
fn shapes_must_fit() {
    let refuse = |change: &dyn Fn(&mut Assembler), what: &str| {
        let mut asm = rich();
        change(&mut asm);
        let error = error(&asm);
        assert!(error.contains(what), "{error}");
    };
    refuse(&|asm| asm.entry = 1, "entry");
    refuse(&|asm| asm.functions[0].params = 5, "parameters");
    refuse(&|asm| asm.functions[0].objects[0].size = 5, "outside the frame");
    refuse(&|asm| asm.functions[0].objects[1].size = 9, "overlap");
    refuse(&|asm| asm.functions[0].frame_size = u32::MAX, "too large");
    refuse(&|asm| asm.functions[0].registers = 1 << 21, "larger than a stack");
    refuse(&|asm| asm.functions[0].code.truncate(3), "terminator");
    refuse(&|asm| asm.functions[0].code.clear(), "terminator");
    refuse(&|asm| asm.globals[0].0 -= 44, "overlaps");
    refuse(&|asm| asm.globals[0].0 = 8, "below the globals");
    refuse(&|asm| asm.globals[0].0 = u64::MAX, "outside the globals");
    refuse(&|asm| asm.globals[0].3 = vec![(0, vec![0; 5])], "more data");
    refuse(&|asm| asm.globals[0].3 = vec![(u32::MAX, vec![0; 5])], "more data");
    refuse(&|asm| asm.globals[0].3 = vec![(1, vec![0; 2]), (2, vec![0])], "overlap");
    refuse(&|asm| asm.thread_locals[0].2 = vec![0; 9], "thread-local size");
    refuse(&|asm| asm.thread_locals[0].1 = u32::MAX, "thread-local size");
    refuse(&|asm| asm.thread_locals[0].0 = u32::MAX, "thread-local offset");
    refuse(&|asm| asm.thread_locals.push((7, 8, vec![])), "thread-local offset");
    refuse(
        &|asm| asm.thread_locals.extend([(8, 1 << 22, vec![]), (1 << 23, 1 << 22, vec![])]),
        "thread-local size",
    );
}

#[test]
fn opcodes_have_their_numbers_and_rows() {
    assert_eq!(Op::from_u8(Op::NAMES.len() as u8), None);
    for (number, &op) in Op::ALL.iter().enumerate() {
        assert_eq!((op as usize, op.name()), (number, Op::NAMES[number]));
    }
    assert_eq!(Op::Select.row().fields, [Field::Operand; 3]);
    assert_eq!(
        (Op::Call.row().results, Op::Cas.row().results, Op::Store.row().results),
        (None, Some(2), Some(0))
    );
    let ends = Op::ALL.iter().filter(|op| !op.row().goes_on).map(|op| op.name());
    assert_eq!(
        ends.collect::<Vec<_>>(),
        ["JMP", "BR", "SWITCH", "RET", "UNREACHABLE", "EXIT", "FAIL", "UNKNOWN", "REFUSE", "SPIN"]
    );
}

const FAR: u64 = 1 << 46;

/// An object of 8 bytes of a thread.
fn small_object() -> Extent {
    let base = address(Region::SHARED, crate::ids::ThreadId(3), 4096);
    (base, base + 8)
}

#[test]
fn an_address_that_leaves_its_object_is_in_no_other() {
    let object = small_object();
    let base = object.0;
    for offset in [0, 3, 8, 8 + SLACK, SLACK.wrapping_neg()] {
        assert_eq!(step(Some(object), base, offset), base.wrapping_add(offset));
        assert!(!is_stray(step(Some(object), base, offset)));
    }
    for offset in [9 + SLACK, (SLACK + 1).wrapping_neg(), FAR, FAR.wrapping_neg()] {
        let stray = step(Some(object), base, offset);
        assert!(is_stray(stray) && region(stray) >= 16);
        for offset in [1u64, 1 << 30, 1 << 45, u64::MAX, (1u64 << 45).wrapping_neg()] {
            assert!(is_stray(step(None, stray, offset)), "{stray:#x} {offset:#x}");
        }
    }
    assert!(is_stray(step(None, base, 8)) && is_stray(step(None, base, u64::MAX)), "of no object");
    for outside in [0, 0x50, 0u64.wrapping_sub(240), u64::MAX, code_address(1), 7 << 48 | base] {
        assert_eq!(step(None, outside, 240), outside.wrapping_add(240), "no address of an object");
    }
}

#[test]
fn an_address_comes_back_to_its_object() {
    let object = small_object();
    for offset in (-3000..3000).chain([-(1 << 20), 1 << 20, -(2 << 20) + 4096, (2 << 20) - 4096]) {
        let there = step(Some(object), object.0, offset as u64);
        assert_eq!(around(object, origin(there)), Some(object), "{offset}");
        assert_eq!(step(Some(object), there, (4 - offset) as u64), object.0 + 4, "{offset}");
        assert_eq!(step(Some(object), there, 500), step(Some(object), object.0, (offset + 500) as u64));
    }
    for offset in [FAR, FAR.wrapping_neg()] {
        let lost = step(Some(object), object.0, offset);
        assert!(is_stray(step(Some(object), lost, offset.wrapping_neg())));
    }
}

#[test]
fn addresses_compare_as_those_that_were_asked_for() {
    let object = small_object();
    let offsets =
        [-(1 << 46), -(3 << 20), -(1 << 20), -400, -65, -64, 0, 8, 72, 73, 400, 1 << 20, 3 << 20, 1 << 46];
    let at = |offset: i64| step(Some(object), object.0, offset as u64) as i64;
    assert!(offsets.windows(2).all(|pair| at(pair[0]) < at(pair[1])));
}

#[test]
fn addresses_take_apart() {
    let thread = crate::ids::ThreadId(0xabc);
    let place = address(Region::SHARED, thread, 0x123_4567);
    assert_eq!((region(place), thread_of(place), offset(place)), (4, thread, 0x123_4567));
    assert_eq!(function_index(code_address(70_000)), Some(70_000));
    assert_eq!(function_index(code_address(1) + 8), None);
}
