//! Meetings of threads: who has come to which round, and whether that is everybody.
//!
//! A thread that meets others has two events (BAM, thesis §7.1, with the two ends of its barrier event apart). An
//! `Arrive` follows nothing but its own thread; a `Depart` follows, like a join, every `Arrive` of its round. Nothing
//! else orders them, so the order of arrival is not a choice.
//!
//! I1: a `Depart` is in the graph only with all arrivals of its round, which are in its causal past.

use super::payload::{Arrival, Round};
use super::store::Graph;
use crate::ids::EventId;

impl Graph {
    /// All arrivals, newest first.
    fn arrivals(&self) -> impl Iterator<Item = (EventId, &Arrival)> + '_ {
        let mut next = self.last_arrival;
        std::iter::from_fn(move || {
            if next.is_none() {
                return None;
            }
            let id = next;
            let arrival = self.event(id).arrival()?;
            next = arrival.previous;
            Some((id, arrival))
        })
    }

    /// The arrivals of a round.
    pub fn arrivals_of(&self, round: Round) -> impl Iterator<Item = EventId> + '_ {
        self.arrivals().filter(move |(_, arrival)| arrival.round == round).map(|(id, _)| id)
    }

    /// How many rounds at an address are over for those that know some of the events.
    pub fn rounds_known(&self, address: u64, knows: impl Fn(EventId) -> bool) -> u32 {
        let known = self.arrivals().filter(|(id, arrival)| arrival.round.address == address && knows(*id));
        known.map(|(_, arrival)| arrival.round.number + 1).max().unwrap_or(0)
    }

    /// Whether all threads have come to the meeting of an `Arrive`.
    pub fn is_complete(&self, arrival: EventId) -> bool {
        let Some(arrival) = self.event(arrival).arrival() else { return false };
        self.arrivals_of(arrival.round).count() >= arrival.count as usize
    }

    /// An arrival at an address whose meeting is not complete.
    pub fn waiting_at(&self, address: u64) -> Option<EventId> {
        let here = self.arrivals().filter(|(_, arrival)| arrival.round.address == address);
        here.map(|(id, _)| id).find(|id| !self.is_complete(*id))
    }
}
