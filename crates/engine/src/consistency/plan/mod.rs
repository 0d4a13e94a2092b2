//! The Plan, which says what the engine checks: decoded, validated, and laid out as rows.

pub(in crate::consistency) mod bytes;
#[cfg(test)]
pub mod encode;
pub(in crate::consistency) mod layout;
pub(in crate::consistency) mod tables;
pub(in crate::consistency) mod validate;
pub mod vocabulary;
