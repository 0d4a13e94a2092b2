//! Every integer instruction against wide arithmetic, at all kinds of widths.

use super::*;
use crate::program::{Check, RmwOp};
use crate::vm::apply_rmw;

const WIDTHS: [u8; 7] = [1, 8, 16, 24, 32, 63, 64];

/// Interesting values of a width.
fn samples(width: u8) -> Vec<u64> {
    let mask = bits(width);
    let top = 1u64 << (width - 1);
    let mut all: Vec<u64> = [0, 1, 2, 3, 5, 7, 100, 0x1234_5678_9abc_def1, top, top - 1, top + 1]
        .into_iter()
        .chain([mask, mask - 1, u64::from(width), u64::from(width) - 1, u64::from(width) + 1])
        .map(|v| v & mask)
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn bits(width: u8) -> u64 {
    ((1u128 << width) - 1) as u64
}

fn wide(value: u64, width: u8) -> i128 {
    let value = i128::from(value);
    if value >> (width - 1) & 1 == 1 {
        value - (1 << width)
    } else {
        value
    }
}

/// Checks an instruction of two operands against a function of (a, b) at all widths.
fn check(code: Op, expected: impl Fn(u64, u64, u8) -> i128) {
    for width in WIDTHS {
        let unit = Unit::new(Instr { width, ..op(code) });
        for a in samples(width) {
            for b in samples(width) {
                let want = expected(a, b, width) as u64 & bits(width);
                assert_eq!(unit.value(&[a, b]), want, "{} {width} {a:x} {b:x}", code.name());
            }
        }
    }
}

#[test]
fn arithmetic() {
    check(Op::Mov, |a, _, _| i128::from(a));
    check(Op::Add, |a, b, _| i128::from(a) + i128::from(b));
    check(Op::Sub, |a, b, _| i128::from(a) - i128::from(b));
    check(Op::Mul, |a, b, w| i128::from(a).wrapping_mul(wide(b, w)));
    check(Op::And, |a, b, _| i128::from(a & b));
    check(Op::Or, |a, b, _| i128::from(a | b));
    check(Op::Xor, |a, b, _| i128::from(a ^ b));
}

#[test]
fn shifts_past_the_width() {
    let small = |b: u64, w: u8| b < u64::from(w);
    check(Op::Shl, |a, b, w| if small(b, w) { i128::from(a) << b } else { 0 });
    check(Op::Lshr, |a, b, w| if small(b, w) { i128::from(a) >> b } else { 0 });
    check(Op::Ashr, |a, b, w| wide(a, w) >> b.min(100));
}

#[test]
fn comparisons() {
    check(Op::Eq, |a, b, _| i128::from(a == b));
    check(Op::Ne, |a, b, _| i128::from(a != b));
    check(Op::Ult, |a, b, _| i128::from(a < b));
    check(Op::Ule, |a, b, _| i128::from(a <= b));
    check(Op::Slt, |a, b, w| i128::from(wide(a, w) < wide(b, w)));
    check(Op::Sle, |a, b, w| i128::from(wide(a, w) <= wide(b, w)));
}

#[test]
fn extremes() {
    check(Op::Smax, |a, b, w| wide(a, w).max(wide(b, w)));
    check(Op::Smin, |a, b, w| wide(a, w).min(wide(b, w)));
    check(Op::Umax, |a, b, _| i128::from(a.max(b)));
    check(Op::Umin, |a, b, _| i128::from(a.min(b)));
}

#[test]
fn divisions() {
    for code in [Op::Udiv, Op::Sdiv, Op::Urem, Op::Srem] {
        for width in WIDTHS {
            let unit = Unit::new(Instr { width, ..op(code) });
            for a in samples(width) {
                assert_eq!(unit.run(&[a, 0]), fault(Fault::DivisionByZero));
                for b in samples(width).into_iter().filter(|&b| b != 0) {
                    let want = match code {
                        Op::Udiv => i128::from(a / b),
                        Op::Urem => i128::from(a % b),
                        Op::Sdiv => wide(a, width) / wide(b, width),
                        _ => wide(a, width) % wide(b, width),
                    };
                    let want = want as u64 & bits(width);
                    assert_eq!(unit.value(&[a, b]), want, "{} {width} {a:x} {b:x}", code.name());
                }
            }
        }
    }
}

#[test]
fn single_operand_bits() {
    check(Op::Ctpop, |a, _, _| i128::from(a.count_ones()));
    check(Op::Ctlz, |a, _, w| (0..w).rev().take_while(|bit| a >> bit & 1 == 0).count() as i128);
    check(Op::Cttz, |a, _, w| (0..w).take_while(|bit| a >> bit & 1 == 0).count() as i128);
    check(Op::Bitrev, |a, _, w| (0..w).map(|bit| i128::from(a >> bit & 1) << (w - 1 - bit)).sum());
    check(Op::Abs, |a, _, w| wide(a, w).abs());
    check(Op::Trunc, |a, _, _| i128::from(a));
    let swap = |width| Unit::new(Instr { width, ..op(Op::Bswap) });
    assert_eq!(swap(16).value(&[0x1234]), 0x3412);
    assert_eq!(swap(24).value(&[0x12_3456]), 0x56_3412);
    assert_eq!(swap(32).value(&[0x1234_5678]), 0x7856_3412);
    assert_eq!(swap(64).value(&[1]), 1 << 56);
}

#[test]
fn widening_and_narrowing() {
    let sext = |width, x| Unit::new(Instr { width, x, ..op(Op::Sext) });
    assert_eq!(sext(1, 32).value(&[1]), 0xffff_ffff);
    assert_eq!(sext(8, 64).value(&[0x80]), 0xffff_ffff_ffff_ff80);
    assert_eq!(sext(24, 32).value(&[0x7f_ffff]), 0x7f_ffff);
    assert_eq!(sext(64, 64).value(&[u64::MAX]), u64::MAX);
    let trunc = Unit::new(Instr { width: 24, ..op(Op::Trunc) });
    assert_eq!(trunc.value(&[0xffff_ffff_1234_5678]), 0x34_5678);
}

type Signed = fn(i128, i128) -> i128;
type Unsigned = fn(i128, i128) -> Option<i128>;

#[test]
fn overflow_flags() {
    let signed: [(Op, Signed); 3] =
        [(Op::Saddo, |a, b| a + b), (Op::Ssubo, |a, b| a - b), (Op::Smulo, |a, b| a * b)];
    let unsigned: [(Op, Unsigned); 3] = [
        (Op::Uaddo, |a, b| Some(a + b)),
        (Op::Usubo, |a, b| Some(a - b)),
        (Op::Umulo, |a, b| a.checked_mul(b)),
    ];
    for width in WIDTHS {
        let all = samples(width);
        let pairs = || all.iter().flat_map(|&a| all.iter().map(move |&b| (a, b)));
        for (code, exact) in signed {
            let unit = Unit::new(Instr { width, ..op(code) });
            for (a, b) in pairs() {
                let want = exact(wide(a, width), wide(b, width));
                let low = want as u64 & bits(width);
                assert_eq!(unit.value(&[a, b]), low);
                let overflows = wide(low, width) != want;
                assert_eq!(unit.flag(&[a, b]), u64::from(overflows), "{} {a:x} {b:x}", code.name());
            }
        }
        for (code, exact) in unsigned {
            let unit = Unit::new(Instr { width, ..op(code) });
            for (a, b) in pairs() {
                let want = exact(i128::from(a), i128::from(b));
                let fits = want.is_some_and(|w| (0..=i128::from(bits(width))).contains(&w));
                assert_eq!(unit.flag(&[a, b]), u64::from(!fits), "{} {a:x} {b:x}", code.name());
                if let Some(want) = want {
                    assert_eq!(unit.value(&[a, b]), want as u64 & bits(width));
                }
            }
        }
    }
}

#[test]
fn three_operands() {
    let select = Unit::new(op(Op::Select));
    assert_eq!((select.value(&[1, 7, 9]), select.value(&[0, 7, 9])), (7, 9));
    for width in WIDTHS {
        let left = Unit::new(Instr { width, ..op(Op::Fshl) });
        let right = Unit::new(Instr { width, ..op(Op::Fshr) });
        let w = u64::from(width);
        for (a, b) in [(0x9a & bits(width), 0x35 & bits(width)), (bits(width), 0)] {
            for c in [0, 1, w - 1, w, w + 1, 3 * w] {
                let bit = |k: u64| if k < w { b >> k & 1 } else { a >> (k - w) & 1 };
                let up: u64 = (0..w).map(|k| bit(k + w - c % w) << k).sum();
                let down: u64 = (0..w).map(|k| bit(k + c % w) << k).sum();
                assert_eq!(left.value(&[a, b, c & bits(64)]), up, "fshl {width} {c}");
                assert_eq!(right.value(&[a, b, c]), down, "fshr {width} {c}");
            }
        }
    }
}

#[test]
fn read_modify_writes() {
    let old = 0xf0;
    let cases = [
        (RmwOp::Xchg, 3, 3),
        (RmwOp::Add, 0x20, 0x10),
        (RmwOp::Sub, 0xf1, 0xff),
        (RmwOp::And, 0x3c, 0x30),
        (RmwOp::Or, 0x0f, 0xff),
        (RmwOp::Xor, 0xff, 0x0f),
        (RmwOp::Nand, 0x3c, 0xcf),
        (RmwOp::Max, 5, 5),
        (RmwOp::Min, 5, 0xf0),
        (RmwOp::Umax, 5, 0xf0),
        (RmwOp::Umin, 5, 5),
    ];
    for (code, operand, want) in cases {
        assert_eq!(apply_rmw(code, old, operand, 1), want, "{}", code.name());
    }
    assert_eq!(apply_rmw(RmwOp::Max, old, 5, 4), 0xf0);
    assert_eq!(apply_rmw(RmwOp::Add, u64::MAX, 2, 8), 1);
    let float = |v: f32| u64::from(v.to_bits());
    assert_eq!(apply_rmw(RmwOp::Fadd, float(1.5), float(2.0), 4), float(3.5));
    assert_eq!(apply_rmw(RmwOp::Fsub, 1.5f64.to_bits(), 2f64.to_bits(), 8), (-0.5f64).to_bits());
}

#[test]
fn checks_hold_of_floats_that_fit() {
    for (check, width, value, bits, holds) in [
        (Check::Signed, 64, 127.9, 8, true),
        (Check::Signed, 64, 128.0, 8, false),
        (Check::Signed, 32, -128.5, 8, true),
        (Check::Signed, 64, -129.0, 8, false),
        (Check::Signed, 64, -9_223_372_036_854_775_808.0, 64, true),
        (Check::Signed, 64, 9_223_372_036_854_775_808.0, 64, false),
        (Check::Signed, 64, f64::NAN, 64, false),
        (Check::Unsigned, 64, -0.9, 32, true),
        (Check::Unsigned, 32, -1.0, 32, false),
        (Check::Unsigned, 64, 4_294_967_295.9, 32, true),
        (Check::Unsigned, 32, 4_294_967_296.0, 32, false),
        (Check::Unsigned, 64, f64::INFINITY, 64, false),
    ] {
        let unit = Unit::new(Instr { x: check as u8, width, ..op(Op::Check) });
        let a = if width == 64 { value.to_bits() } else { u64::from((value as f32).to_bits()) };
        let expected = match holds {
            true => done(0),
            false => fault(Fault::Check { check, width, a, b: bits }),
        };
        assert_eq!(unit.run(&[a, bits, 0]), expected, "{check:?} of {value}");
    }
}

#[test]
fn checks_hold_of_what_fits() {
    let bytes = [0u64, 1, 2, 7, 8, 9, 63, 127, 128, 129, 254, 255];
    for check in Check::ALL.iter().filter(|check| !matches!(check, Check::Signed | Check::Unsigned)) {
        let unit = Unit::new(Instr { x: *check as u8, width: 8, ..op(Op::Check) });
        for (a, b) in bytes.iter().flat_map(|&a| bytes.iter().map(move |&b| (a, b))) {
            let (left, right) = (i32::from(a as i8), i32::from(b as i8));
            let holds = match check {
                Check::Written => a != 0,
                Check::Index => a < b,
                Check::Shift => b < 8,
                Check::Add => (-128..128).contains(&(left + right)),
                Check::Sub => (-128..128).contains(&(left - right)),
                Check::Mul => (-128..128).contains(&(left * right)),
                Check::Shl => left >= 0 && b < 8 && left << b < 128,
                Check::Signed | Check::Unsigned => unreachable!("these are about floats"),
                Check::Div => (left, right) != (-128, -1),
            };
            let request = unit.run(&[a, b, 0]);
            let expected = match holds {
                true => done(0),
                false => fault(Fault::Check { check: *check, width: 8, a, b }),
            };
            assert_eq!(request, expected, "{check:?} of {a} and {b}");
        }
    }
}
