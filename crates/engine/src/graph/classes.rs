//! Event classes: everything about an event that a plan's guards may ask, as one small number.
//!
//! The numbers are a contract with `mazurka/kat/meaning/plan.py` (CLASSES).

use super::event::{Event, Label, COMPOUND, EXCLUSIVE};
use crate::program::Mode;

/// The class of initial writes, which are no events.
pub const INITIAL: u8 = 29;
const WRITES: u8 = 12;
const FENCES: u8 = 20;
const ALLOC: u8 = 25;

impl Event {
    /// The class that follows from the event's label, mode and flags.
    #[inline]
    pub fn classify(&self) -> u8 {
        match self.label {
            Label::Read => read_class(self.mode, self.flags),
            Label::Write => {
                let mode = match self.mode {
                    Mode::Na => 0,
                    Mode::Rlx | Mode::Acq => 1,
                    Mode::Rel | Mode::AcqRel => 2,
                    Mode::Sc => 3,
                };
                WRITES + mode * 2 + u8::from(self.flags & EXCLUSIVE != 0)
            }
            Label::Fence => {
                FENCES
                    + match self.mode {
                        Mode::Na | Mode::Rlx => 0,
                        Mode::Acq => 1,
                        Mode::Rel => 2,
                        Mode::AcqRel => 3,
                        Mode::Sc => 4,
                    }
            }
            Label::Alloc => ALLOC,
            Label::Free => ALLOC + 1,
            Label::Create => ALLOC + 2,
            Label::Join => ALLOC + 3,
        }
    }
}

/// The class of a read with a mode and flags.
#[inline]
pub fn read_class(mode: Mode, flags: u8) -> u8 {
    let mode = match mode {
        Mode::Na => 0,
        Mode::Rlx | Mode::Rel => 1,
        Mode::Acq | Mode::AcqRel => 2,
        Mode::Sc => 3,
    };
    let kind = match (flags & COMPOUND != 0, flags & EXCLUSIVE != 0) {
        (false, _) => 0,
        (true, true) => 1,
        (true, false) => 2,
    };
    mode * 3 + kind
}
