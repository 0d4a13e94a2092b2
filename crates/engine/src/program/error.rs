//! Why bytes are not a Program.

use std::fmt;

/// What is wrong with an encoded Program, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    place: String,
    what: String,
}

impl DecodeError {
    /// An error at a place such as `function 3, pc 7`.
    pub(crate) fn new(place: impl Into<String>, what: impl Into<String>) -> Self {
        DecodeError { place: place.into(), what: what.into() }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bad program: {}: {}", self.place, self.what)
    }
}

impl std::error::Error for DecodeError {}
