//! Automata of relations between events, with tests of events as symbolic guards: what the planner and the prover
//! decide with.
//!
//! Implements the automata of thesis §3.1-3.7: building them, saturating them with what is known, inclusion, and inclusion
//! of cyclic words. What is known (which relations contain which, what words are within one, which events a
//! relation can be between) comes as data from Python; no relation has a name here.
//! Not here: terms, assumptions as the user wrote them, graphs.

mod budget;
mod compose;
mod context;
mod cycles;
mod guards;
mod hashing;
mod nfa;
mod reduce;
mod rings;
mod rules;
mod saturated;
mod search;
mod steps;
#[cfg(test)]
mod tests;

pub use budget::{Budget, Stop};
pub use compose::{concatenate, repeat, reverse, rotate, unite};
pub use context::{Context, Relation};
pub use cycles::CycleSearch;
pub use guards::{Guard, Guards};
pub use nfa::{Edge, Label, Nfa, State, END, START};
pub use reduce::reduced;
pub use rings::words_round;
pub use rules::{saturate, saturate_once, Rule};
pub use saturated::Saturated;
pub use search::{inclusion, Found, Language, Search, Word};
