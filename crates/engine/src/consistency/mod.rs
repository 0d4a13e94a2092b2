//! Runs a Plan: keeps what its axioms need as the graph grows, and answers which choices keep every axiom.
//!
//! A Plan's axioms are checked in four ways: orders kept closed edge by edge (thesis §4.1), coherence by view
//! ("Enhancing GenMC" §4.1), a search of the product of automaton and graph around the new event (thesis
//! §4.2.2), and bit matrices for anything else, which also say what each axiom means. RMWs are atomic in every
//! Plan.
//!
//! Departs 1: atomicity is the usual one (no write between what an RMW read and what it wrote), which
//! implies thesis Def. 2.3.1 and also excludes plain writes in between (test `intruder`).
//! I1: an event is added at the end of its thread, so it has no successor but through `co` and `fr`:
//! a choice closes a cycle exactly if a later write of its location already precedes the event. Where the causal
//! order is smaller than `po` this does not hold, and choices are judged by matrices alone (`choices::general`).
//! I2: `co`-maximal choices are always consistent (maximal extensibility, which whoever makes a Plan has to
//! show); they are not checked, but for axioms that are matrices.
//!
//! A Plan has three parts that know nothing of each other: [`Upkeep`] keeps the rows of graphs, [`Checks`] looks at
//! graphs with a choice made, and [`ErrorRules`] compare accesses. The Plan itself answers the explorer's questions
//! with them (`choices`).

mod alarm;
mod checks;
mod choices;
pub mod plan;
mod rows;
mod workspace;

pub use alarm::{Alarm, Late, Question};
pub use checks::computed::{ComputedOrder, ComputedRules};
pub use checks::races::{ErrorRules, Race};
pub use checks::Checks;
pub use choices::cells::{each_combination, write_at, writes_of};
pub use choices::gap_witness::GapWitness;
pub use choices::kept::{Kept, Marks, Past};
pub use choices::pieces::may_stand;
pub use choices::sources::Conditional;
pub use choices::witness::Witness;
pub use plan::layout::Plan;
pub use plan::tables::PlanError;
pub use rows::Upkeep;
pub use workspace::Workspace;
