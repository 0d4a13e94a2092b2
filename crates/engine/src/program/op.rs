//! The opcodes with what they name, modes and read-modify-write operations, with Python's numbers and names.
//!
//! All of them are generated from `python/mazurka/program/opcodes.py` when the engine is built (`build.rs`).

use crate::numbered::numbered;

include!(concat!(env!("OUT_DIR"), "/opcodes.rs"));

numbered!(
    /// What a field of an instruction names.
    Field {
        Unused = "",
        Operand = "operand",
        Target = "target",
        Switch = "switch",
        List = "list",
        String = "string",
        Function = "function",
        Loop = "loop",
        Operation = "operation",
        Number = "number",
    }
);

/// What an opcode's instructions name, and whether they pass control on.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// What `a`, `b` and `c` are.
    pub fields: [Field; 3],
    /// How many registers it writes, from `dst` on; `None`: as many as `x` says.
    pub results: Option<u32>,
    /// Whether control may pass to the next instruction.
    pub goes_on: bool,
}

impl Op {
    /// What its instructions name.
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }
}

impl Mode {
    /// The mode with a number, if C has it.
    pub fn of_c(number: u8) -> Option<Mode> {
        Mode::from_u8(number).filter(|mode| *mode <= Mode::Sc)
    }

    /// The mode of the read half of a read-modify-write.
    pub fn read_half(self) -> Mode {
        match self {
            Mode::Acq | Mode::AcqRel | Mode::Aq | Mode::AcqAqrl => Mode::Acq,
            Mode::Sc => Mode::Sc,
            Mode::Aqrl | Mode::AqrlRlx | Mode::AqrlRel => Mode::Aqrl,
            Mode::Noret | Mode::NoretRel => Mode::Noret,
            Mode::Rl | Mode::AcqPc | Mode::Success | Mode::Lock => self,
            _ => Mode::Rlx,
        }
    }

    /// The mode of its write half.
    pub fn write_half(self) -> Mode {
        match self {
            Mode::Rel | Mode::AcqRel | Mode::Rl | Mode::AqrlRel | Mode::NoretRel => Mode::Rel,
            Mode::Sc => Mode::Sc,
            Mode::Aqrl | Mode::RlxAqrl | Mode::AcqAqrl => Mode::Aqrl,
            Mode::Aq | Mode::Lock | Mode::Unlock => self,
            _ => Mode::Rlx,
        }
    }

    /// Whether only fences of machines have this mode.
    pub fn is_of_fences(self) -> bool {
        self >= Mode::RR
    }

    /// Whether only accesses have it.
    pub fn is_of_accesses(self) -> bool {
        self > Mode::Sc && !self.is_of_fences()
    }
}

/// Which events of SRCU have to do with each other: some bytes of an `srcu_struct`. All of them are its domain; a critical
/// section is one of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Domain {
    /// Where it starts.
    pub address: u64,
    /// How many bytes; none for fences that are not of SRCU.
    pub size: u8,
}

impl Domain {
    /// Of fences that are not of SRCU.
    pub const NONE: Domain = Domain { address: 0, size: 0 };

    /// Whether two have a byte in common.
    pub fn overlaps(&self, other: &Domain) -> bool {
        self.address < other.address + u64::from(other.size)
            && other.address < self.address + u64::from(self.size)
    }
}

/// Who ends an object's life.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Owner {
    /// A call of free.
    #[default]
    Free,
    /// The function whose local variable it is.
    Scope,
    /// The operator delete of C++.
    Delete,
    /// The operator delete[] of C++.
    DeleteArray,
}

impl Owner {
    /// What the flags of an allocation or of a free say.
    pub fn of(flags: u8) -> Owner {
        match flags & (ALLOC_STACK | ALLOC_NEW | ALLOC_ARRAY) {
            ALLOC_STACK => Owner::Scope,
            ALLOC_NEW => Owner::Delete,
            ALLOC_ARRAY => Owner::DeleteArray,
            _ => Owner::Free,
        }
    }

    /// The owner with a number, of which the lowest two bits count.
    pub fn from_bits(bits: u64) -> Owner {
        [Owner::Free, Owner::Scope, Owner::Delete, Owner::DeleteArray][bits as usize & 3]
    }

    /// Whether the object is a local variable.
    pub fn is_scope(self) -> bool {
        self == Owner::Scope
    }

    /// How the program allocates such an object, and how it frees it.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Owner::Free => ("malloc", "free"),
            Owner::Scope => ("a function", "its end"),
            Owner::Delete => ("new", "delete"),
            Owner::DeleteArray => ("new[]", "delete[]"),
        }
    }
}
