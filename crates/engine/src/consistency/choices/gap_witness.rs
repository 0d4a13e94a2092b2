//! Coherence found for a graph whose threads may have gaps: as `witness`, but each choice is judged by what the axioms
//! mean.
//!
//! Writes are put into coherence order one by one, each in every place, the latest first, until all are there. More of
//! `co` never makes a graph consistent that was not, so an order is given up as soon as a part of it is inconsistent.
//!
//! I1: which orders are found depends on the events and on what each reads alone: writes are taken by thread and
//! position, but for those of read-modify-writes, which come after what they have read.

use crate::consistency::alarm::Late;
use crate::consistency::plan::layout::Plan;
use crate::consistency::Workspace;
use crate::graph::{Event, Graph, Label};
use crate::ids::{EventId, LocId};

/// Coherence orders, and the space to find them in.
#[derive(Default)]
pub struct GapWitness {
    copy: Option<Graph>,
    sequence: Vec<EventId>,
    /// For each write that was placed, the places that are left for it, the best last.
    left: Vec<Vec<EventId>>,
}

impl GapWitness {
    /// Finds coherence orders of all writes under which a graph is consistent, if there are any. Every read in it reads
    /// from something. The search can take time that is exponential in the number of writes.
    pub fn find(&mut self, plan: &Plan, graph: &Graph, work: &mut Workspace) -> Result<bool, Late> {
        let mut copy = self.copy.take().unwrap_or_else(|| graph.clone());
        copy.copy_from(graph);
        for id in (0..copy.len()).map(EventId::from_usize) {
            if copy.event(id).label() == Label::Write {
                copy.unlink_write(id);
            }
        }
        let found = match self.find_sequence(graph) {
            true => self.place_all(plan, &mut copy, work),
            false => Ok(false),
        };
        self.copy = Some(copy);
        found
    }

    /// The writes of a location in the order that was found, oldest first.
    pub fn order(&self, loc: LocId) -> Vec<EventId> {
        let copy = self.copy.as_ref().expect("an order was found");
        copy.co_after(loc, EventId::NONE).collect()
    }

    /// Gives a graph, with all its writes, the orders that were found for it.
    pub fn give_to(&self, graph: &mut Graph) {
        let copy = self.copy.as_ref().expect("an order was found");
        for loc in copy.written_locs() {
            graph.relink_coherence(loc, &self.order(loc));
        }
    }

    /// The order in which writes are placed (I1). False if read-modify-writes read from each other in a circle.
    fn find_sequence(&mut self, graph: &Graph) -> bool {
        let ids = (0..graph.len()).map(EventId::from_usize);
        let mut waiting: Vec<EventId> = ids.filter(|id| graph.event(*id).label() == Label::Write).collect();
        waiting.sort_unstable_by_key(|id| name(graph.event(*id)));
        self.sequence.clear();
        while !waiting.is_empty() {
            let is_ready = |id: &EventId| match source_of(graph, *id) {
                Some(source) => source.is_none() || self.sequence.contains(&source),
                None => true,
            };
            let Some(next) = waiting.iter().position(is_ready) else { return false };
            self.sequence.push(waiting.remove(next));
        }
        true
    }

    fn place_all(&mut self, plan: &Plan, copy: &mut Graph, work: &mut Workspace) -> Result<bool, Late> {
        self.left.clear();
        loop {
            work.check_time()?;
            if self.left.len() == self.sequence.len() {
                // What was placed last was consistent.
                return Ok(!self.sequence.is_empty() || plan.checks.is_consistent(copy, work));
            }
            self.left.push(places(copy, self.sequence[self.left.len()]));
            if !self.take_place(plan, copy, work)? {
                return Ok(false);
            }
        }
    }

    /// Puts the newest write into its next place, or an earlier one if there is none that is consistent.
    fn take_place(&mut self, plan: &Plan, copy: &mut Graph, work: &mut Workspace) -> Result<bool, Late> {
        while let Some(newest) = self.left.len().checked_sub(1) {
            let write = self.sequence[newest];
            match self.left[newest].pop() {
                Some(after) => {
                    work.check_time_now_and_then()?;
                    copy.link_write(write, after);
                    if plan.checks.is_consistent(copy, work) {
                        return Ok(true);
                    }
                    copy.unlink_write(write);
                }
                None => {
                    self.left.pop();
                    if let Some(earlier) = newest.checked_sub(1) {
                        copy.unlink_write(self.sequence[earlier]);
                    }
                }
            }
        }
        Ok(false)
    }
}

fn name(event: &Event) -> (u32, u32) {
    (event.thread.0, event.index)
}

/// What the read of a read-modify-write has read, of its write.
fn source_of(graph: &Graph, write: EventId) -> Option<EventId> {
    let event = graph.event(write);
    event.is_exclusive().then(|| graph.rf(event.po_prev))
}

/// Where a write may stand by atomicity alone, the latest place last.
fn places(copy: &Graph, write: EventId) -> Vec<EventId> {
    let loc = copy.event(write).loc();
    let whole = [EventId::NONE].into_iter().chain(copy.co_after(loc, EventId::NONE));
    let source = source_of(copy, write);
    let fits = |after: &EventId| {
        source.is_none_or(|source| source == *after) && !copy.splits_rmw(*after, copy.overwriter(loc, *after))
    };
    whole.filter(fits).collect()
}
