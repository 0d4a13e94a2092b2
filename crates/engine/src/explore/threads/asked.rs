//! What threads asked for not long ago, so that their states need not be looked at again.
//!
//! I1: every state that a thread rests in is noted here when it comes to be. Another state can lie in the same
//! place of the arena only once the first is gone, and is then noted over it: what is found is never outdated.

use crate::vm::{Request, Snapshot};

/// How many requests are remembered: a power of two.
const SLOTS: usize = 64;
/// No state of a thread is empty.
const NOTHING: (Snapshot, Request) = (Snapshot::EMPTY, Request::Exit);

/// Requests by the place of the state that makes them.
pub(super) struct Asked([(Snapshot, Request); SLOTS]);

impl Asked {
    pub fn new() -> Asked {
        Asked([NOTHING; SLOTS])
    }

    /// A thread rests in a new state.
    #[inline]
    pub fn note(&mut self, at: Snapshot, request: Request) {
        self.0[slot(at)] = (at, request);
    }

    /// What a thread asks for in a state, if that is remembered.
    #[inline]
    pub fn find(&self, at: Snapshot) -> Option<Request> {
        let (noted, request) = &self.0[slot(at)];
        (*noted == at).then_some(*request)
    }
}

#[inline(always)]
fn slot(at: Snapshot) -> usize {
    at.end() % SLOTS
}
