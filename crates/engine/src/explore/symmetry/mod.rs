//! Symmetry: threads that main starts with the same function and the same argument are exchangeable, so of executions
//! that differ only in which of them did what, one is counted for all.
//!
//! The *choices* of a thread are, event by event, the place in coherence order of the write that a read sees, or of a
//! write itself, or which of several values was chosen. They do not depend on the names of threads, so exchanging two threads exchanges their choices. An
//! execution is *sorted* if no thread of a group has larger choices (in the order of dictionaries) than a later one. Each
//! class of executions has exactly one that is sorted: two threads with the same choices have not written anything, so
//! exchanging them changes nothing. It stands for n! / (m1! m2! …) executions, where the m are the numbers of threads with
//! the same choices. Executions that are not sorted do not count (`order`). What can lead to no sorted execution is
//! not explored (`lasting`).
//!
//! Departs 1: GenMC compares each thread with the one before it when it adds a read. That is less work per event, but
//! relies on revisits that know of it.
//! I1: the groups are the same in all executions (`groups`).

mod groups;
mod lasting;
mod order;

use crate::explore::regimes::Regime;
use crate::explore::Explorer;
use crate::ids::ThreadId;

/// The threads that are exchangeable, group by group, lowest first.
#[derive(Clone, Default)]
pub(in crate::explore) struct Symmetry {
    groups: Vec<Vec<ThreadId>>,
}

impl<R: Regime> Explorer<'_, R> {
    /// For how many executions the current graph stands, to which nothing can be added: 0 if another stands for it.
    #[inline]
    pub(in crate::explore) fn weight(&self) -> u64 {
        if self.symmetry.groups.is_empty() {
            return 1;
        }
        self.symmetry.groups.iter().map(|group| order::weight(self.graph(), group)).product()
    }

    /// Whether nothing that follows from the current graph counts.
    #[inline]
    pub(in crate::explore) fn is_never_sorted(&mut self) -> bool {
        !self.symmetry.groups.is_empty() && self.is_lasting()
    }
}
