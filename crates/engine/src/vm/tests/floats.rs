//! Floating-point instructions against Rust's own, in both widths.

use super::*;

const SAMPLES: [f64; 12] =
    [0.0, -0.0, 1.0, -1.5, 0.1, 2.5, -3.5, 1e30, 1e-30, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];

fn single(value: f64) -> u64 {
    u64::from((value as f32).to_bits())
}

fn check_double(code: Op, expected: impl Fn(f64, f64) -> f64) {
    let unit = Unit::new(op(code));
    for a in SAMPLES {
        for b in SAMPLES {
            let got = f64::from_bits(unit.value(&[a.to_bits(), b.to_bits()]));
            let want = expected(a, b);
            let same = got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan();
            assert!(same, "{} {a} {b}: {got} not {want}", code.name());
        }
    }
}

fn check_single(code: Op, expected: impl Fn(f32, f32) -> f32) {
    let unit = Unit::new(Instr { width: 32, ..op(code) });
    for a in SAMPLES {
        for b in SAMPLES {
            let got = f32::from_bits(unit.value(&[single(a), single(b)]) as u32);
            let want = expected(a as f32, b as f32);
            let same = got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan();
            assert!(same, "{} {a} {b}: {got} not {want}", code.name());
        }
    }
}

#[test]
fn arithmetic_and_rounding() {
    check_double(Op::Fadd, |a, b| a + b);
    check_double(Op::Fsub, |a, b| a - b);
    check_double(Op::Fmul, |a, b| a * b);
    check_double(Op::Fdiv, |a, b| a / b);
    check_double(Op::Frem, |a, b| a % b);
    check_double(Op::Fneg, |a, _| -a);
    check_double(Op::Fabs, |a, _| a.abs());
    check_double(Op::Fsqrt, |a, _| a.sqrt());
    check_double(Op::Ffloor, |a, _| a.floor());
    check_double(Op::Fceil, |a, _| a.ceil());
    check_double(Op::Ftrunc, |a, _| a.trunc());
    check_double(Op::Fround, |a, _| a.round());
}

#[test]
fn single_precision() {
    check_single(Op::Fadd, |a, b| a + b);
    check_single(Op::Fsub, |a, b| a - b);
    check_single(Op::Fmul, |a, b| a * b);
    check_single(Op::Fdiv, |a, b| a / b);
    check_single(Op::Frem, |a, b| a % b);
    check_single(Op::Fneg, |a, _| -a);
    check_single(Op::Fabs, |a, _| a.abs());
    check_single(Op::Fsqrt, |a, _| a.sqrt());
    check_single(Op::Ffloor, |a, _| a.floor());
    check_single(Op::Fceil, |a, _| a.ceil());
    check_single(Op::Ftrunc, |a, _| a.trunc());
    check_single(Op::Fround, |a, _| a.round());
}

/// LLVM's predicates by number, spelled out.
fn predicate(number: u8, a: f64, b: f64) -> bool {
    let unordered = a.is_nan() || b.is_nan();
    match number {
        0 => false,
        1 => a == b,
        2 => a > b,
        3 => a >= b,
        4 => a < b,
        5 => a <= b,
        6 => !unordered && a != b,
        7 => !unordered,
        8 => unordered,
        9 => unordered || a == b,
        10 => unordered || a > b,
        11 => unordered || a >= b,
        12 => unordered || a < b,
        13 => unordered || a <= b,
        14 => a != b,
        _ => true,
    }
}

#[test]
fn comparisons_with_nan() {
    for number in 0..16 {
        let double = Unit::new(Instr { x: number, ..op(Op::Fcmp) });
        let narrow = Unit::new(Instr { x: number, width: 32, ..op(Op::Fcmp) });
        for a in SAMPLES {
            for b in SAMPLES {
                let want = u64::from(predicate(number, a, b));
                assert_eq!(double.value(&[a.to_bits(), b.to_bits()]), want, "{number} {a} {b}");
                let want = u64::from(predicate(number, f64::from(a as f32), f64::from(b as f32)));
                assert_eq!(narrow.value(&[single(a), single(b)]), want, "{number} {a} {b}");
            }
        }
    }
}

#[test]
fn conversions() {
    let convert = |code, width, x, value| Unit::new(Instr { width, x, ..op(code) }).value(&[value]);
    assert_eq!(convert(Op::Fptosi, 64, 32, (-2.7f64).to_bits()), 0xffff_fffe);
    assert_eq!(convert(Op::Fptosi, 32, 8, single(-2.7)), 0xfe);
    assert_eq!(convert(Op::Fptosi, 64, 64, f64::NAN.to_bits()), 0);
    assert_eq!(convert(Op::Fptoui, 64, 64, 1.8e19f64.to_bits()), 18_000_000_000_000_000_000);
    assert_eq!(convert(Op::Sitofp, 64, 8, 0xff), (-1f64).to_bits());
    assert_eq!(convert(Op::Sitofp, 32, 64, u64::MAX), single(-1.0));
    assert_eq!(convert(Op::Uitofp, 64, 8, 0xff), 255f64.to_bits());
    let odd = (1u64 << 24) + 1;
    assert_eq!(convert(Op::Uitofp, 32, 64, odd), u64::from((odd as f32).to_bits()));
    assert_eq!(convert(Op::Fpext, 64, 0, single(0.1)), f64::from(0.1f32).to_bits());
    assert_eq!(convert(Op::Fptrunc, 32, 0, 0.1f64.to_bits()), single(0.1));
}
