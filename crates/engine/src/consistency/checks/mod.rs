//! How an axiom is checked: views, searches of automata, matrices.

pub(in crate::consistency) mod automaton;
pub(in crate::consistency) mod bits;
pub(in crate::consistency) mod coherence;
#[cfg(test)]
pub(in crate::consistency) mod defined;
pub(in crate::consistency) mod general;
pub(in crate::consistency) mod matrix;
pub(in crate::consistency) mod races;
#[cfg(test)]
pub(in crate::consistency) mod random;
pub(in crate::consistency) mod relations;
pub(in crate::consistency) mod search;
#[cfg(test)]
pub(in crate::consistency) mod search_tests;
pub(in crate::consistency) mod steps;
pub(in crate::consistency) mod walk;
