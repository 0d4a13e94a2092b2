//! Numbers that the description of a synchronisation object computes from a word, a thread and an operand.
//!
//! Nearly all of them are one of these plus a number, or compare two such sums; they are kept so that these are quick.

use super::decode::Reader;
use super::{DecodeError, Op};
use crate::ids::ThreadId;

type Result<T> = std::result::Result<T, DecodeError>;

/// How deep an expression may be nested.
const DEEPEST: u32 = 32;

/// Where `Inputs` has nothing, the word, the thread and the operand.
const NOTHING: u8 = 0;
const OLD: u8 = 1;
const THREAD: u8 = 2;
const OPERAND: u8 = 3;

/// The inputs of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs([u64; 4]);

impl Inputs {
    /// The word's value, the thread that performs it, and the operand.
    #[inline(always)]
    pub fn new(old: u64, thread: ThreadId, operand: u64) -> Inputs {
        Inputs([0, old, u64::from(thread.0), operand])
    }

    /// The same with another word.
    #[inline(always)]
    pub fn with(mut self, old: u64) -> Inputs {
        self.0[usize::from(OLD)] = old;
        self
    }
}

/// One of the inputs plus a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sum {
    input: u8,
    plus: u64,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expression {
    Sum(Sum),
    /// What a value instruction of 64 bits makes of two sums.
    Pair(Op, [Sum; 2]),
    /// The same of any two.
    Nested(Op, Box<[Expression; 2]>),
}

impl Sum {
    #[inline(always)]
    fn value(self, of: &Inputs) -> u64 {
        of.0[usize::from(self.input & 3)].wrapping_add(self.plus)
    }

    fn is_number(self) -> bool {
        self.input == NOTHING
    }
}

impl Expression {
    #[inline(always)]
    pub(super) fn value(&self, of: &Inputs) -> u64 {
        match self {
            Expression::Sum(sum) => sum.value(of),
            Expression::Pair(op, [left, right]) => compute(*op, left.value(of), right.value(of)),
            Expression::Nested(op, parts) => nested(*op, parts, of),
        }
    }

    /// Whether it holds, as a condition.
    #[inline(always)]
    pub(super) fn holds(&self, of: &Inputs) -> bool {
        self.value(of) != 0
    }

    /// Whether it always holds, as a condition.
    pub(super) fn always_holds(&self) -> bool {
        matches!(self, Expression::Sum(sum) if sum.is_number() && sum.plus != 0)
    }

    /// The one value of the word for which it holds, if it says so at once.
    pub(super) fn only_word(&self) -> Option<u64> {
        match self {
            Expression::Pair(Op::Eq, [Sum { input: OLD, plus: 0 }, number]) if number.is_number() => {
                Some(number.plus)
            }
            _ => None,
        }
    }

    /// Whether the word's value matters.
    pub(super) fn looks(&self) -> bool {
        match self {
            Expression::Sum(sum) => sum.input == OLD,
            Expression::Pair(_, sums) => sums.iter().any(|sum| sum.input == OLD),
            Expression::Nested(_, parts) => parts.iter().any(Expression::looks),
        }
    }

    /// Reads an expression.
    pub(super) fn decode(reader: &mut Reader) -> Result<Expression> {
        expression(reader, DEEPEST)
    }
}

#[inline(never)]
fn nested(op: Op, parts: &[Expression; 2], of: &Inputs) -> u64 {
    compute(op, parts[0].value(of), parts[1].value(of))
}

/// The value instructions that expressions are made of.
fn is_operator(op: Op) -> bool {
    use Op::*;
    matches!(op, Add | Sub | And | Or | Xor | Shl | Lshr | Eq | Ne | Ult | Ule)
}

#[inline(always)]
fn compute(op: Op, a: u64, b: u64) -> u64 {
    match op {
        Op::Eq => u64::from(a == b),
        Op::Ne => u64::from(a != b),
        Op::Ult => u64::from(a < b),
        Op::Ule => u64::from(a <= b),
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Shl => a.checked_shl(b.min(64) as u32).unwrap_or(0),
        Op::Lshr => a.checked_shr(b.min(64) as u32).unwrap_or(0),
        other => unreachable!("the decoder refuses {} in an expression", other.name()),
    }
}

fn expression(reader: &mut Reader, depth: u32) -> Result<Expression> {
    let place = reader.place();
    let input = |input| Expression::Sum(Sum { input, plus: 0 });
    Ok(match reader.u8()? {
        0 => input(OLD),
        1 => input(THREAD),
        2 => input(OPERAND),
        3 => Expression::Sum(Sum { input: NOTHING, plus: reader.u64()? }),
        4 if depth > 0 => {
            let op = Op::from_u8(reader.u8()?).filter(|op| is_operator(*op));
            let op = op.ok_or_else(|| DecodeError::new(place, "unknown operator"))?;
            joined(op, expression(reader, depth - 1)?, expression(reader, depth - 1)?)
        }
        other => return Err(DecodeError::new(place, format!("unknown expression {other}"))),
    })
}

/// An operator applied to two expressions, in its quickest form.
fn joined(op: Op, left: Expression, right: Expression) -> Expression {
    match (op, left, right) {
        (Op::Add, Expression::Sum(sum), Expression::Sum(number)) if number.is_number() => {
            Expression::Sum(Sum { plus: sum.plus.wrapping_add(number.plus), ..sum })
        }
        (Op::Sub, Expression::Sum(sum), Expression::Sum(number)) if number.is_number() => {
            Expression::Sum(Sum { plus: sum.plus.wrapping_sub(number.plus), ..sum })
        }
        (_, Expression::Sum(left), Expression::Sum(right)) => Expression::Pair(op, [left, right]),
        (_, left, right) => Expression::Nested(op, Box::new([left, right])),
    }
}
