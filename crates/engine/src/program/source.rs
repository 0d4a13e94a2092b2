//! What the source says of an instruction that was compiled for a machine: its modes there, if it is there at all.

use super::decode::Reader;
use super::{DecodeError, Mode};
use crate::ids::FunctionId;

/// In place of a mode: the source does not have the instruction.
const ABSENT: u8 = u8::MAX;

/// The modes of an instruction in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its mode; none if only the machine has it.
    pub mode: Option<Mode>,
    /// The mode of a compare-exchange that fails.
    pub failure: Mode,
}

/// Reads an entry: which instruction, and what the source says of it.
pub(super) fn source(reader: &mut Reader) -> Result<((FunctionId, u32), Source), DecodeError> {
    let place = reader.place();
    let at = (FunctionId(reader.u32()?), reader.u32()?);
    let (mode, failure) = (reader.u8()?, reader.u8()?);
    let known = |number: u8| {
        Mode::from_u8(number).ok_or_else(|| DecodeError::new(place.clone(), format!("unknown mode {number}")))
    };
    let mode = if mode == ABSENT { None } else { Some(known(mode)?) };
    Ok((at, Source { mode, failure: known(failure)? }))
}
