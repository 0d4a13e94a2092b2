//! Floating point: values are bit patterns of 32 or 64 bits.
//!
//! A conversion to an integer that cannot hold the number saturates at 64 bits and is then cut to its
//! width (C leaves it undefined); NaN becomes 0.

use super::values::{mask, signed};
use crate::program::{Instr, Op};

/// The floating-point instructions.
pub(super) fn compute(i: &Instr, a: u64, b: u64) -> u64 {
    let w = i.width;
    match i.op {
        Op::Fadd | Op::Fsub | Op::Fmul | Op::Fdiv | Op::Frem => arithmetic(i.op, a, b, w),
        Op::Fneg => a ^ sign_bit(w),
        Op::Fabs => a & !sign_bit(w),
        Op::Fcmp => u64::from(compare(i.x, read(a, w), read(b, w))),
        Op::Fptosi => read(a, w) as i64 as u64 & mask(i.x),
        Op::Fptoui => read(a, w) as u64 & mask(i.x),
        Op::Sitofp => from_signed(signed(a, i.x), w),
        Op::Uitofp => from_unsigned(a, w),
        Op::Fpext => read(a, 32).to_bits(),
        Op::Fptrunc => write(read(a, 64), 32),
        _ => write(rounded(i.op, read(a, w)), w),
    }
}

fn sign_bit(width: u8) -> u64 {
    1 << (width - 1)
}

/// Whether a float, without its fraction, is in a range that ends before `to`.
pub(super) fn fits(bits: u64, width: u8, from: f64, to: f64) -> bool {
    let whole = read(bits, width).trunc();
    whole >= from && whole < to
}

/// A float as a double, exactly.
pub(crate) fn read(bits: u64, width: u8) -> f64 {
    match width {
        32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

/// A double as a float, rounded once if it is narrow.
fn write(value: f64, width: u8) -> u64 {
    match width {
        32 => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}

/// FADD, FSUB, FMUL, FDIV and FREM, in the precision of the width.
pub(super) fn arithmetic(op: Op, a: u64, b: u64, width: u8) -> u64 {
    match width {
        32 => {
            let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            let result = match op {
                Op::Fadd => a + b,
                Op::Fsub => a - b,
                Op::Fmul => a * b,
                Op::Fdiv => a / b,
                _ => a % b,
            };
            u64::from(result.to_bits())
        }
        _ => {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            let result = match op {
                Op::Fadd => a + b,
                Op::Fsub => a - b,
                Op::Fmul => a * b,
                Op::Fdiv => a / b,
                _ => a % b,
            };
            result.to_bits()
        }
    }
}

/// LLVM's predicates: bit 0 holds when equal, 1 when greater, 2 when less, 3 when unordered.
fn compare(predicate: u8, a: f64, b: f64) -> bool {
    let relation = match a.partial_cmp(&b) {
        Some(std::cmp::Ordering::Equal) => 1,
        Some(std::cmp::Ordering::Greater) => 2,
        Some(std::cmp::Ordering::Less) => 4,
        None => 8,
    };
    predicate & relation != 0
}

fn from_signed(value: i64, width: u8) -> u64 {
    match width {
        32 => u64::from((value as f32).to_bits()),
        _ => (value as f64).to_bits(),
    }
}

fn from_unsigned(value: u64, width: u8) -> u64 {
    match width {
        32 => u64::from((value as f32).to_bits()),
        _ => (value as f64).to_bits(),
    }
}

/// FSQRT and the roundings. A float's square root is right when taken in double and rounded.
fn rounded(op: Op, value: f64) -> f64 {
    match op {
        Op::Fsqrt => value.sqrt(),
        Op::Ffloor => value.floor(),
        Op::Fceil => value.ceil(),
        Op::Ftrunc => value.trunc(),
        Op::Fround => value.round(),
        op => unreachable!("{} computes no value", op.name()),
    }
}
