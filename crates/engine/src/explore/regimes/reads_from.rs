//! Exploration up to reads-from equivalence: TruSt Algorithm 2 (§4.2).
//!
//! The graph still has a coherence order, but only as a witness that there is one: a choice that contradicts it
//! is made on a copy of the graph with another, if there is any.
//!
//! Departs 1: the order by which maximality is judged is found without the read that is revisited and without
//! the write, where the paper finds it with them. With them it could depend on what the read reads now, and
//! then two graphs would lead to the same revisit (test `judged_without_the_read`).
//! I1: a write is added last; so is the write of a revisit, as far as atomicity lets it.

use crate::consistency::{Conditional, Late};
use crate::explore::{Explorer, Stop};
use crate::graph::Label;
use crate::ids::EventId;

impl Explorer<'_> {
    /// Appends to the options the writes that a new read may see under some coherence order.
    pub(in crate::explore) fn find_sources(
        &mut self,
        read: EventId,
        conditional: Option<&Conditional>,
    ) -> Result<(), Late> {
        let graph = &mut self.graphs[self.level];
        let loc = graph.event(read).loc;
        let mut write = graph.loc(loc).last;
        loop {
            self.work.check_time_now_and_then()?;
            if let Some(kinds) = conditional {
                self.plan.reclassify(graph, read, kinds.class(graph, write));
            }
            let fits = self.plan.fits(graph, read, write, &mut self.work);
            let (work, witness) = (&mut self.work, &mut self.witness);
            match fits {
                Ok(()) => self.options.push(write),
                Err(_) if self.plan.find_coherence_reading(graph, read, write, work, witness)? => {
                    self.options.push(write);
                }
                Err(axiom) => work.count_forbidden(axiom),
            }
            if write.is_none() {
                return Ok(());
            }
            write = graph.event(write).co_prev;
        }
    }

    /// A new read, which has the right class, sees a write: in place if the witness allows it.
    pub(in crate::explore) fn link_in_some_way(
        &mut self,
        read: EventId,
        source: EventId,
    ) -> Result<(), Late> {
        let graph = &mut self.graphs[self.level];
        let fits = self.plan.fits(graph, read, source, &mut self.work).is_ok();
        if !fits {
            let (work, witness) = (&mut self.work, &mut self.witness);
            let found = self.plan.find_coherence_reading(graph, read, source, work, witness)?;
            assert!(found, "an option of a read has a witness");
            self.enter_copy();
        }
        let graph = &mut self.graphs[self.level];
        graph.link_read(read, source);
        self.plan.order_read(graph, read);
        if !fits {
            self.plan.adopt(graph, &self.witness);
        }
        Ok(())
    }

    /// Whether the write half of a read-modify-write has its place under some coherence order.
    pub(in crate::explore) fn finds_exclusive_place(&mut self, write: EventId) -> Result<bool, Late> {
        let graph = &mut self.graphs[self.level];
        if self.plan.place_exclusive(graph, write, &mut self.work).is_some() {
            return Ok(true);
        }
        self.plan.find_coherence(graph, &|_| true, &mut self.work, &mut self.witness)
    }

    /// Places the write half of a read-modify-write: in place if the witness allows it.
    pub(in crate::explore) fn place_exclusive_in_some_way(&mut self, write: EventId) -> Result<(), Late> {
        let graph = &mut self.graphs[self.level];
        self.plan.settle_orders(graph);
        if let Some(after) = self.plan.place_exclusive(graph, write, &mut self.work) {
            graph.link_write(write, after);
            self.plan.order_write(graph, write);
            return Ok(());
        }
        let found = self.plan.find_coherence(graph, &|_| true, &mut self.work, &mut self.witness)?;
        assert!(found, "an exclusive write that is placed has a witness");
        self.enter_copy();
        self.plan.adopt(&mut self.graphs[self.level], &self.witness);
        Ok(())
    }

    /// Goes to a copy of the current graph.
    fn enter_copy(&mut self) {
        if self.graphs.len() == self.level + 1 {
            self.graphs.push(self.plan.graph(self.lanes));
        }
        let (parents, children) = self.graphs.split_at_mut(self.level + 1);
        children[0].copy_from(&parents[self.level]);
        self.level += 1;
    }

    /// As `find_revisits`, judging each candidate by an order of its own (Algorithm 2, line 16).
    pub(in crate::explore) fn find_revisits_by_witness(&mut self, write: EventId) -> Result<(), Late> {
        let mut read = self.graph().loc(self.graph().event(write).loc).last_read;
        while read.is_some() {
            self.work.check_time_now_and_then()?;
            let previous = self.graph().event(read).previous;
            if !self.plan.causes(self.graph(), read, write) && self.is_maximal_extension(read, write)? {
                self.options.push(read);
            }
            read = previous;
        }
        Ok(())
    }

    fn is_maximal_extension(&mut self, read: EventId, write: EventId) -> Result<bool, Late> {
        let (graph, plan) = (&self.graphs[self.level], self.plan);
        let kept = |id: EventId| id < read || (id != write && plan.causes(graph, id, write));
        let removed = || (read.at()..write.at()).map(EventId::from_usize).filter(|id| !kept(*id));
        // A reader that was there before its write was revisited by it, and may stay: no revisit undoes that.
        let revisits = |id: EventId| graph.readers_of(id).any(|reader| reader < id);
        if removed().any(|id| graph.event(id).label == Label::Write && revisits(id)) {
            return Ok(false);
        }
        if !self.plan.find_coherence(graph, &kept, &mut self.work, &mut self.witness)? {
            return Ok(false);
        }
        for id in removed().filter(|id| graph.event(*id).label == Label::Read) {
            self.work.check_time_now_and_then()?;
            if graph.event(id).rf != self.latest_before(id, read, &kept) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The newest of the writes that a revisit removes and that were there before an event, or else the last
    /// of those that stay.
    fn latest_before(&self, id: EventId, read: EventId, kept: &dyn Fn(EventId) -> bool) -> EventId {
        let graph = self.graph();
        let loc = graph.event(id).loc;
        let newer = (read.at()..id.at()).rev().map(EventId::from_usize).find(|other| {
            let event = graph.event(*other);
            event.label == Label::Write && event.loc == loc && !kept(*other)
        });
        newer.unwrap_or_else(|| self.witness.last_of(graph, id))
    }

    /// The current graph, a restriction for a revisit: finds a witness and lets the read see the write.
    pub(in crate::explore) fn revisit_in_some_way(
        &mut self,
        read: EventId,
        write: EventId,
    ) -> Result<bool, Stop> {
        let graph = &mut self.graphs[self.level];
        self.plan.order_read(graph, read);
        if !self.plan.find_coherence(graph, &|_| true, &mut self.work, &mut self.witness)? {
            self.level -= 1;
            return Ok(false);
        }
        self.plan.adopt(graph, &self.witness);
        self.outcome.revisits += 1;
        self.check_placed(write)?;
        self.deliver(read)?;
        Ok(true)
    }
}
