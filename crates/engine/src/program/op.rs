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
