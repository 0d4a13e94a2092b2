//! What a read may see: the first of the explorer's questions.

use crate::consistency::choices::audit;
use crate::consistency::plan::layout::Plan;
use crate::consistency::{Late, Workspace};
use crate::graph::Graph;
use crate::ids::{EventId, LocId};

/// The class of a read that depends on the value that it reads.
#[derive(Clone, Copy)]
pub struct Conditional<'a> {
    /// Whether a read of a value is followed by its write.
    pub writes: &'a dyn Fn(u64) -> bool,
    /// The class if it writes.
    pub writing: u8,
    /// The class if it does not.
    pub failing: u8,
    /// What the initial write holds.
    pub initial: u64,
}

impl Conditional<'_> {
    /// The class of a read that sees a write.
    pub fn class(&self, graph: &Graph, write: EventId) -> u8 {
        let value = if write.is_some() { graph.event(write).access().value } else { self.initial };
        if (self.writes)(value) {
            self.writing
        } else {
            self.failing
        }
    }
}

impl Plan {
    /// The writes that a new read may see, the coherence-latest first (`NONE`: the initial write).
    /// The read's class is left as the last one tried if it depends on the value.
    pub fn readable(
        &self,
        graph: &mut Graph,
        read: EventId,
        conditional: Option<&Conditional>,
        work: &mut Workspace,
        out: &mut Vec<EventId>,
    ) -> Result<(), Late> {
        let start = out.len();
        let conditional = conditional.filter(|kinds| kinds.writing != kinds.failing);
        self.find_readable(graph, read, conditional, work, out)?;
        if work.audits {
            audit::check_sources(self, graph, read, conditional, work, &out[start..]);
        }
        Ok(())
    }

    #[inline]
    fn find_readable(
        &self,
        graph: &mut Graph,
        read: EventId,
        conditional: Option<&Conditional>,
        work: &mut Workspace,
        out: &mut Vec<EventId>,
    ) -> Result<(), Late> {
        let loc = graph.event(read).loc();
        let mut write = graph.loc(loc).last;
        if !self.checks.evaluates_latest() || !self.matrix_forbids_read(graph, read, conditional, work) {
            out.push(write);
        }
        while write.is_some() {
            work.check_time_now_and_then()?;
            let hides = match conditional {
                None => self.hides_older(graph, read, write),
                Some(kinds) => self.hides_older_anyway(graph, read, write, kinds),
            };
            if let Some(axiom) = hides {
                work.forbid(axiom);
                return Ok(());
            }
            write = graph.co_prev(write);
            if let Some(kinds) = conditional {
                self.upkeep.reclassify(graph, read, kinds.class(graph, write));
            }
            match self.forbids_read(graph, read, write, loc, conditional.is_some(), work) {
                Some(axiom) => work.forbid(axiom),
                None => out.push(write),
            }
        }
        Ok(())
    }

    /// As `hides_older`, whichever class the read has.
    #[inline(never)]
    fn hides_older_anyway(
        &self,
        graph: &mut Graph,
        read: EventId,
        write: EventId,
        kinds: &Conditional,
    ) -> Option<usize> {
        let mut axiom = None;
        for class in [kinds.writing, kinds.failing] {
            self.upkeep.reclassify(graph, read, class);
            axiom = Some(self.hides_older(graph, read, write)?);
        }
        axiom
    }

    /// The axiom by which no write older than this one can be seen (or passed) by the new event: `co ∪ fr`
    /// puts every newer write's past before the event, or the event knows of this write.
    #[inline(always)]
    pub(in crate::consistency) fn hides_older(
        &self,
        graph: &Graph,
        event: EventId,
        write: EventId,
    ) -> Option<usize> {
        // A loop, for `find` would be a call.
        for order in self.upkeep.orders() {
            if order.co && order.fr && order.has(graph, write, event) {
                return Some(order.axiom);
            }
        }
        self.checks.hides_older(graph, event, write)
    }

    /// The axiom that forbids a new read to see a write that is not the coherence-latest.
    #[inline(always)]
    fn forbids_read(
        &self,
        graph: &mut Graph,
        read: EventId,
        write: EventId,
        loc: LocId,
        whole: bool,
        work: &mut Workspace,
    ) -> Option<usize> {
        for order in self.upkeep.orders().iter().filter(|order| order.fr) {
            let follows = write.is_some() && order.reads(graph, write, read);
            if order.closes(graph, loc, write, read, if follows { write } else { EventId::NONE }) {
                return Some(order.axiom);
            }
        }
        if self.checks.is_settled_by_orders() {
            return None;
        }
        self.forbids_read_otherwise(graph, read, write, loc, whole, work)
    }

    /// As `forbids_read`, by what is not an order.
    fn forbids_read_otherwise(
        &self,
        graph: &mut Graph,
        read: EventId,
        write: EventId,
        loc: LocId,
        whole: bool,
        work: &mut Workspace,
    ) -> Option<usize> {
        let incoherent = match whole {
            true => self.checks.incoherent_read(graph, read, write, write, loc),
            false => self.checks.incoherent_source(graph, read, write),
        };
        if incoherent.is_some() {
            return incoherent;
        }
        let local = self.upkeep.local();
        if !self.checks.has_searches() && local.is_none() {
            return None;
        }
        graph.link_read(read, write);
        let unordered = local.and_then(|local| local.forbids(graph, read));
        if unordered.is_some() || !self.checks.has_searches() {
            graph.unlink_read(read);
            return unordered;
        }
        self.upkeep.see(graph, read, write);
        let broken = self.checks.broken_search(graph, &[read], work);
        graph.unlink_read(read);
        self.upkeep.reenter(graph, read);
        broken
    }

    /// The axiom that forbids a new read to see a write, whichever it is.
    pub(in crate::consistency) fn forbids_source(
        &self,
        graph: &mut Graph,
        read: EventId,
        write: EventId,
        work: &mut Workspace,
    ) -> Option<usize> {
        let loc = graph.event(read).loc();
        if graph.loc(loc).last == write && !self.checks.evaluates_latest() {
            return None;
        }
        self.forbids_read(graph, read, write, loc, true, work)
    }

    /// Whether an axiom that nothing is known of forbids a read to see the latest write.
    fn matrix_forbids_read(
        &self,
        graph: &mut Graph,
        read: EventId,
        conditional: Option<&Conditional>,
        work: &mut Workspace,
    ) -> bool {
        let write = graph.loc(graph.event(read).loc()).last;
        if let Some(kinds) = conditional {
            self.upkeep.reclassify(graph, read, kinds.class(graph, write));
        }
        graph.link_read(read, write);
        let broken = self.checks.broken_matrix(graph, work);
        graph.unlink_read(read);
        if let Some(axiom) = broken {
            work.forbid(axiom);
        }
        broken.is_some()
    }
}
