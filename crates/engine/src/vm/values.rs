//! What the value instructions compute.
//!
//! I1: operands and results are zero-extended to 64 bits; a result is masked to its width.
//! I2: widths are 1..=64 (checked when the program was decoded).

use super::floats;
use crate::program::{Check, Instr, Op, RmwOp};

/// The bits of a value of `width` bits.
#[inline(always)]
pub(super) fn mask(width: u8) -> u64 {
    u64::MAX >> (64 - width)
}

/// A value of `width` bits as a signed number.
#[inline(always)]
pub(crate) fn signed(value: u64, width: u8) -> i64 {
    let unused = 64 - width;
    ((value << unused) as i64) >> unused
}

/// The bytes that a value of `width` bits takes in memory.
#[inline(always)]
pub(super) fn bytes(width: u8) -> u8 {
    width.div_ceil(8)
}

#[inline(always)]
pub(super) fn shift_left(a: u64, b: u64, width: u8) -> u64 {
    if b < u64::from(width) {
        a << b & mask(width)
    } else {
        0
    }
}

#[inline(always)]
pub(super) fn shift_right(a: u64, b: u64, width: u8) -> u64 {
    if b < u64::from(width) {
        a >> b
    } else {
        0
    }
}

#[inline(always)]
pub(super) fn shift_right_signed(a: u64, b: u64, width: u8) -> u64 {
    (signed(a, width) >> b.min(63)) as u64 & mask(width)
}

/// UDIV, SDIV, UREM and SREM; None for a division by zero.
#[inline(never)]
pub(super) fn divide(op: Op, a: u64, b: u64, width: u8) -> Option<u64> {
    if b == 0 {
        return None;
    }
    let (sa, sb) = (signed(a, width), signed(b, width));
    let result = match op {
        Op::Udiv => a / b,
        Op::Urem => a % b,
        Op::Sdiv => sa.wrapping_div(sb) as u64,
        _ => sa.wrapping_rem(sb) as u64,
    };
    Some(result & mask(width))
}

/// The instructions of the SADDO family: the wrapped result, and whether it overflowed.
#[inline(never)]
pub(super) fn overflowing(op: Op, a: u64, b: u64, width: u8) -> (u64, bool) {
    let is_signed = matches!(op, Op::Saddo | Op::Ssubo | Op::Smulo);
    let wide = |value| match is_signed {
        true => i128::from(signed(value, width)),
        false => i128::from(value),
    };
    let exact = match op {
        Op::Saddo | Op::Uaddo => wide(a) + wide(b),
        Op::Ssubo | Op::Usubo => wide(a) - wide(b),
        Op::Smulo => wide(a) * wide(b),
        // The product of two unsigned numbers may pass i128: it wraps there, but not to itself.
        _ => return unsigned_product(a, b, width),
    };
    let wrapped = exact as u64 & mask(width);
    (wrapped, wide(wrapped) != exact)
}

/// Whether what a CHECK asks holds of its operands.
#[inline(never)]
pub(super) fn holds(check: Check, a: u64, b: u64, width: u8) -> bool {
    match check {
        Check::Written => a != 0,
        Check::Index => a < b,
        Check::Shift => b < u64::from(width),
        Check::Add => !overflowing(Op::Saddo, a, b, width).1,
        Check::Sub => !overflowing(Op::Ssubo, a, b, width).1,
        Check::Mul => !overflowing(Op::Smulo, a, b, width).1,
        Check::Shl => shift_fits(a, b, width),
        Check::Signed => floats::fits(a, width, -two_to(b.wrapping_sub(1)), two_to(b.wrapping_sub(1))),
        Check::Unsigned => floats::fits(a, width, 0.0, two_to(b)),
        Check::Div => signed(b, width) != -1 || signed(a, width) != i64::MIN >> (64 - width),
    }
}

/// Whether a number is not negative, and fits its type after it was shifted to the left.
fn shift_fits(a: u64, b: u64, width: u8) -> bool {
    b < u64::from(width) && u128::from(a) << b < 1 << (width - 1)
}

/// The first number that has more than `bits` bits, as a float.
fn two_to(bits: u64) -> f64 {
    2f64.powi(bits.min(1024) as i32)
}

fn unsigned_product(a: u64, b: u64, width: u8) -> (u64, bool) {
    let exact = u128::from(a) * u128::from(b);
    let wrapped = exact as u64 & mask(width);
    (wrapped, u128::from(wrapped) != exact)
}

/// The value instructions that the run loop does not compute itself.
#[inline(never)]
pub(super) fn compute(i: &Instr, a: u64, b: u64, c: u64) -> u64 {
    let w = i.width;
    let result = match i.op {
        Op::Mul => a.wrapping_mul(b),
        Op::Lshr => shift_right(a, b, w),
        Op::Ashr => shift_right_signed(a, b, w),
        Op::Ctpop => u64::from(a.count_ones()),
        Op::Ctlz => u64::from(a.leading_zeros()) - u64::from(64 - w),
        Op::Cttz => u64::from(a.trailing_zeros()).min(u64::from(w)),
        Op::Bswap => a.swap_bytes() >> (64 - w),
        Op::Bitrev => a.reverse_bits() >> (64 - w),
        Op::Abs => signed(a, w).wrapping_abs() as u64,
        Op::Smax => signed(a, w).max(signed(b, w)) as u64,
        Op::Smin => signed(a, w).min(signed(b, w)) as u64,
        Op::Umax => a.max(b),
        Op::Umin => a.min(b),
        Op::Fshl => (double(a, b, w) << (c % u64::from(w)) >> w) as u64,
        Op::Fshr => (double(a, b, w) >> (c % u64::from(w))) as u64,
        _ => return floats::compute(i, a, b),
    };
    result & mask(w)
}

/// The double word `a:b` of two values.
fn double(a: u64, b: u64, width: u8) -> u128 {
    u128::from(a) << width | u128::from(b)
}

/// What a read-modify-write stores.
pub fn apply_rmw(op: RmwOp, old: u64, operand: u64, size: u8) -> u64 {
    let width = size * 8;
    let by_sign = |value| signed(value, width);
    let result = match op {
        RmwOp::Xchg => operand,
        RmwOp::Add => old.wrapping_add(operand),
        RmwOp::Sub => old.wrapping_sub(operand),
        RmwOp::And => old & operand,
        RmwOp::Or => old | operand,
        RmwOp::Xor => old ^ operand,
        RmwOp::Nand => !(old & operand),
        RmwOp::Max => by_sign(old).max(by_sign(operand)) as u64,
        RmwOp::Min => by_sign(old).min(by_sign(operand)) as u64,
        RmwOp::Umax => old.max(operand),
        RmwOp::Umin => old.min(operand),
        RmwOp::Fadd => floats::arithmetic(Op::Fadd, old, operand, width),
        RmwOp::Fsub => floats::arithmetic(Op::Fsub, old, operand, width),
    };
    result & mask(width)
}
