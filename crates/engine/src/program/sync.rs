//! Synchronisation objects, as the Program describes them: a word of memory and the operations on it.
//!
//! `docs/reference/synchronisation.md` says what a description means, `mazurka/program/sync.py` writes it.
//! The VM, the prologue and the explorer all ask an [`Operation`] what it does to a word; none of them knows
//! an object by name.
//!
//! I1: the last case of an operation applies to every word.
//! I2: an operation that does not read never waits and has no result, and only one that does not read meets others.

use super::decode::Reader;
use super::expression::{Expression, Inputs};
use super::{DecodeError, Mode};

type Result<T> = std::result::Result<T, DecodeError>;

/// In place of a mode: the operation does not read.
const NO_READ: u8 = 0xff;

const COUNTS_ROUNDS: u8 = 1;
const MAKES: u8 = 2;
const FAILS_RELAXED: u8 = 4;

/// What an operation does to a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The word gets a new value, and the thread its result.
    Write {
        /// The new value.
        value: u64,
        /// The result, 0 if there is none.
        result: u64,
    },
    /// The word stays as it is, and the thread gets this result.
    Stay(u64),
    /// The thread waits until the word has another value.
    Wait,
    /// Misuse of the object: a finding with this message, a string of the Program.
    Misuse(u32),
    /// The thread waits until this many threads have come.
    Meet(u64),
}

/// Like [`Effect`], but before the inputs are known.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Then {
    Write { value: Expression, result: Expression },
    Stay(Expression),
    Wait,
    Misuse(u32),
    Meet(Expression),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Case {
    when: Expression,
    then: Then,
}

/// An operation on a synchronisation object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Bytes of the object's word.
    pub size: u8,
    /// The mode of its read; none if it is a plain write.
    pub reads: Option<Mode>,
    /// The mode of a read that its write does not follow.
    pub fails: Mode,
    /// The mode of its write.
    pub writes: Mode,
    /// Whether the thread gets a result.
    pub has_result: bool,
    /// Its operand is the number of rounds that the thread knows to be over.
    pub counts_rounds: bool,
    /// It makes the object: what the word was before it need not have been written.
    pub makes: bool,
    /// String: the message if it is done while threads wait to meet here; the empty string if it may be done then.
    pub while_met: u32,
    /// String: the kind of violation that misuse causes.
    pub kind: u32,
    /// String: what is wrong if a thread waits forever.
    pub stuck: u32,
    /// String: the same if the thread itself wrote the word last.
    pub stuck_alone: u32,
    /// The first case that applies says what happens. A plain write is applied to the thread's own last
    /// write.
    cases: Vec<Case>,
    /// What a plain write must not overwrite, with the message.
    overwrites: Vec<(Expression, u32)>,
    /// The only value that it changes, if there is one such.
    pub only_changes: Option<u64>,
    /// Whether it writes every word that it reads.
    pub always_writes: bool,
    /// Whether a thread may have to wait.
    pub may_wait: bool,
    /// Whether what it does depends on the word's value.
    pub looks: bool,
    /// Whether the thread meets others; the word does not matter then.
    pub meets: bool,
}

impl Operation {
    #[inline(always)]
    fn then(&self, of: &Inputs) -> &Then {
        let case = self.cases.iter().find(|case| case.when.holds(of));
        &case.expect("I1: the last case always applies").then
    }

    /// What it does to a word.
    #[inline(always)]
    pub fn effect(&self, of: &Inputs) -> Effect {
        match self.then(of) {
            Then::Write { value, result } => {
                let value = value.value(of) & u64::MAX >> (64 - 8 * u32::from(self.size));
                Effect::Write { value, result: result.value(of) }
            }
            Then::Stay(result) => Effect::Stay(result.value(of)),
            Then::Wait => Effect::Wait,
            Then::Misuse(message) => Effect::Misuse(*message),
            Then::Meet(count) => Effect::Meet(count.value(of)),
        }
    }

    /// What it does to a word that no other thread can change in the meantime.
    pub fn effect_alone(&self, of: &Inputs) -> Effect {
        match (self.effect(of), self.misuse_of_overwritten(of)) {
            (Effect::Write { .. }, Some(message)) => Effect::Misuse(message),
            (Effect::Meet(1), _) => Effect::Stay(0),
            (Effect::Meet(_), _) => Effect::Wait,
            (effect, _) => effect,
        }
    }

    /// The message if a plain write must not overwrite this word.
    pub fn misuse_of_overwritten(&self, of: &Inputs) -> Option<u32> {
        self.overwrites.iter().find(|(when, _)| when.holds(of)).map(|(_, message)| *message)
    }

    /// Whether it writes the word.
    #[inline]
    pub fn does_write(&self, of: &Inputs) -> bool {
        matches!(self.then(of), Then::Write { .. })
    }

    /// Whether the thread waits.
    #[inline]
    pub fn does_wait(&self, of: &Inputs) -> bool {
        matches!(self.then(of), Then::Wait)
    }

    /// Whether some words must not be overwritten.
    #[inline]
    pub fn is_checked(&self) -> bool {
        !self.overwrites.is_empty()
    }
}

/// The only value that some cases change, if the first of them says so.
fn only_change(cases: &[Case]) -> Option<u64> {
    let (first, rest) = cases.split_first()?;
    let value = first.when.only_word()?;
    (first.writes() && !rest.iter().any(Case::writes)).then_some(value)
}

impl Case {
    fn writes(&self) -> bool {
        matches!(self.then, Then::Write { .. })
    }

    fn meets(&self) -> bool {
        matches!(self.then, Then::Meet(_))
    }

    fn looks(&self) -> bool {
        self.when.looks()
            || match &self.then {
                Then::Write { value, result } => value.looks() || result.looks(),
                Then::Stay(result) => result.looks(),
                Then::Wait | Then::Misuse(_) => false,
                Then::Meet(count) => count.looks(),
            }
    }
}

/// Reads an operation; the Program has `strings` strings.
pub(super) fn operation(reader: &mut Reader, strings: usize) -> Result<Operation> {
    let place = reader.place();
    let fail = |what: &str| DecodeError::new(place.clone(), what);
    let of_locks = |mode: &Mode| matches!(mode, Mode::Lock | Mode::Unlock);
    let known = |number| Mode::of_c(number).or_else(|| Mode::from_u8(number).filter(of_locks));
    let mode = |number| known(number).ok_or_else(|| fail("unknown mode"));
    let [size, reads, writes, has_result] = [reader.u8()?, reader.u8()?, reader.u8()?, reader.u8()?];
    let flags = reader.u8()?;
    let string = |reader: &mut Reader| {
        let index = reader.u32()?;
        let exists = (index as usize) < strings;
        exists.then_some(index).ok_or_else(|| fail("an operation names a string that does not exist"))
    };
    let [kind, stuck, stuck_alone] = [string(reader)?, string(reader)?, string(reader)?];
    let while_met = string(reader)?;
    let cases = reader.many(2, |reader| case(reader, &string))?;
    let reads = if reads == NO_READ { None } else { Some(mode(reads)?) };
    let operation = Operation {
        size,
        reads,
        fails: reads.filter(|_| flags & FAILS_RELAXED == 0).unwrap_or(Mode::Rlx),
        writes: mode(writes)?,
        has_result: has_result != 0,
        counts_rounds: flags & COUNTS_ROUNDS != 0,
        makes: flags & MAKES != 0,
        while_met,
        kind,
        stuck,
        stuck_alone,
        only_changes: only_change(&cases),
        always_writes: cases.iter().all(Case::writes),
        may_wait: cases.iter().any(|case| case.then == Then::Wait),
        looks: cases.iter().any(Case::looks),
        meets: cases.iter().any(Case::meets),
        cases,
        overwrites: reader.many(5, |reader| Ok((Expression::decode(reader)?, string(reader)?)))?,
    };
    match operation.mistake() {
        Some(what) => Err(fail(what)),
        None => Ok(operation),
    }
}

fn case(reader: &mut Reader, string: &impl Fn(&mut Reader) -> Result<u32>) -> Result<Case> {
    let when = Expression::decode(reader)?;
    let place = reader.place();
    let then = match reader.u8()? {
        0 => Then::Write { value: Expression::decode(reader)?, result: Expression::decode(reader)? },
        1 => Then::Stay(Expression::decode(reader)?),
        2 => Then::Wait,
        3 => Then::Misuse(string(reader)?),
        4 => Then::Meet(Expression::decode(reader)?),
        other => return Err(DecodeError::new(place, format!("unknown effect {other}"))),
    };
    Ok(Case { when, then })
}

impl Operation {
    /// Why it cannot be run, if it cannot.
    fn mistake(&self) -> Option<&'static str> {
        let last = self.cases.last().map(|case| &case.when);
        let only_writes =
            |case: &Case| matches!(case.then, Then::Write { .. } | Then::Misuse(_)) && self.reads.is_none();
        if !matches!(self.size, 1 | 2 | 4 | 8) {
            Some("the word of an object must have 1, 2, 4 or 8 bytes")
        } else if !last.is_some_and(Expression::always_holds) {
            Some("the last case of an operation must always apply")
        } else if self.meets
            && (self.reads.is_some() || self.has_result || self.looks || self.cases.len() > 1)
        {
            Some("an operation that meets other threads has one case, and no word and no result")
        } else if !self.meets
            && self.reads.is_none()
            && (self.has_result || !self.cases.iter().all(only_writes))
        {
            Some("an operation that does not read cannot wait or have a result")
        } else if self.reads.is_some() && self.is_checked() {
            Some("an operation that reads must check the old value in its cases")
        } else {
            None
        }
    }
}
