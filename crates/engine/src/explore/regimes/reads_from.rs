//! Exploration up to reads-from equivalence: TruSt Algorithm 2 (§4.2).
//!
//! The graph still has a coherence order, but only as a witness that there is one: a choice that contradicts it
//! is made on a copy of the graph with another, if there is any.
//!
//! Departs 1: the order by which maximality is judged is found without the read that is revisited and without
//! the write, where the paper finds it with them. With them it could depend on what the read reads now, and
//! then two graphs would lead to the same revisit (test `judged_without_the_read`).
//! I1: a write is added last; so is the write of a revisit, as far as atomicity lets it.

use crate::consistency::{Conditional, Late, Witness};
use crate::explore::regimes::Regime;
use crate::explore::{Explorer, Stop};
use crate::graph::Label;
use crate::ids::EventId;

/// Every `rf`, with clocks and a coherence order that shows it possible.
#[derive(Default)]
pub(in crate::explore) struct ReadsFrom {
    witness: Witness,
}

impl Regime for ReadsFrom {
    const SEARCHES_COHERENCE: bool = true;
    const RENEWS_READS: bool = true;
    const COUNTS_COHERENCE: bool = false;

    /// Those that it may see under some coherence order.
    fn find_sources(
        explorer: &mut Explorer<'_, Self>,
        read: EventId,
        conditional: Option<&Conditional>,
    ) -> Result<(), Late> {
        let graph = explorer.graphs.current_mut();
        let loc = graph.event(read).loc();
        let mut write = graph.loc(loc).last;
        loop {
            explorer.work.check_time_now_and_then()?;
            if let Some(kinds) = conditional {
                explorer.plan.upkeep().reclassify(graph, read, kinds.class(graph, write));
            }
            let fits = explorer.plan.fits(graph, read, write, &mut explorer.work);
            let (work, witness) = (&mut explorer.work, &mut explorer.regime.witness);
            match fits {
                Ok(()) => explorer.choices.options().push(write),
                Err(_) if witness.find_reading(explorer.plan, graph, read, write, work)? => {
                    explorer.choices.options().push(write);
                }
                Err(axiom) => work.count_forbidden(axiom),
            }
            if write.is_none() {
                return Ok(());
            }
            write = graph.co_prev(write);
        }
    }

    /// In place if the witness allows it. The read has the right class.
    fn link_read(
        explorer: &mut Explorer<'_, Self>,
        read: EventId,
        source: EventId,
        _is_stale: bool,
    ) -> Result<(), Late> {
        let graph = explorer.graphs.current_mut();
        let fits = explorer.plan.fits(graph, read, source, &mut explorer.work).is_ok();
        if !fits {
            let (work, witness) = (&mut explorer.work, &mut explorer.regime.witness);
            let found = witness.find_reading(explorer.plan, graph, read, source, work)?;
            assert!(found, "an option of a read has a witness");
            explorer.graphs.enter_copy();
        }
        let graph = explorer.graphs.current_mut();
        graph.link_read(read, source);
        explorer.plan.upkeep().order_read(graph, read);
        if !fits {
            explorer.regime.witness.give_to(graph, explorer.plan.upkeep());
        }
        Ok(())
    }

    /// I1.
    fn find_places(explorer: &mut Explorer<'_, Self>, write: EventId) -> Result<(), Late> {
        let graph = explorer.graph();
        let last = graph.loc(graph.event(write).loc()).last;
        explorer.choices.options().push(last);
        Ok(())
    }

    /// Under some coherence order.
    fn find_exclusive_place(
        explorer: &mut Explorer<'_, Self>,
        write: EventId,
        source: EventId,
    ) -> Result<(), Late> {
        let (plan, graph) = (explorer.plan, explorer.graphs.current_mut());
        let (work, witness) = (&mut explorer.work, &mut explorer.regime.witness);
        if plan.place_exclusive(graph, write, work).is_some() || witness.find(plan, graph, &|_| true, work)? {
            explorer.choices.options().push(source);
        }
        Ok(())
    }

    /// In place if the witness allows it, as it always does unless the write is exclusive.
    fn link_write(explorer: &mut Explorer<'_, Self>, write: EventId, after: EventId) -> Result<(), Late> {
        if explorer.graph().event(write).is_exclusive() {
            return explorer.place_exclusive_in_some_way(write);
        }
        explorer.graphs.link_write(write, after);
        Ok(())
    }

    /// Judges each candidate by an order of its own (Algorithm 2, line 16).
    fn find_revisits(explorer: &mut Explorer<'_, Self>, write: EventId) -> Result<(), Stop> {
        let mut read = explorer.graph().loc(explorer.graph().event(write).loc()).last_read;
        while read.is_some() {
            explorer.work.check_time_now_and_then()?;
            let previous = explorer.graph().earlier_read(read);
            if !explorer.graph().causes(read, write) && explorer.is_maximal_extension(read, write)? {
                explorer.choices.options().push(read);
            }
            read = previous;
        }
        Ok(())
    }

    fn enter_revisit(explorer: &mut Explorer<'_, Self>, read: EventId, write: EventId) -> (EventId, EventId) {
        explorer.enter_restriction(read, write)
    }

    /// The write stands where a witness puts it, if there is any.
    fn take_revisit(explorer: &mut Explorer<'_, Self>, read: EventId, write: EventId) -> Result<bool, Stop> {
        let graph = explorer.graphs.current_mut();
        explorer.plan.upkeep().order_read(graph, read);
        let (work, witness) = (&mut explorer.work, &mut explorer.regime.witness);
        if !witness.find(explorer.plan, graph, &|_| true, work)? {
            explorer.graphs.leave();
            return Ok(false);
        }
        explorer.regime.witness.give_to(graph, explorer.plan.upkeep());
        explorer.outcome.revisits += 1;
        explorer.check_placed(write)?;
        explorer.deliver(read)?;
        Ok(true)
    }
}

impl Explorer<'_, ReadsFrom> {
    /// Places the write half of a read-modify-write: in place if the witness allows it.
    fn place_exclusive_in_some_way(&mut self, write: EventId) -> Result<(), Late> {
        let graph = self.graphs.current_mut();
        self.plan.upkeep().settle_orders(graph);
        if let Some(after) = self.plan.place_exclusive(graph, write, &mut self.work) {
            self.graphs.link_write(write, after);
            return Ok(());
        }
        let graph = self.graphs.current_mut();
        let found = self.regime.witness.find(self.plan, graph, &|_| true, &mut self.work)?;
        assert!(found, "an exclusive write that is placed has a witness");
        self.graphs.enter_copy();
        self.regime.witness.give_to(self.graphs.current_mut(), self.plan.upkeep());
        Ok(())
    }

    fn is_maximal_extension(&mut self, read: EventId, write: EventId) -> Result<bool, Late> {
        let graph = self.graphs.current();
        let kept = |id: EventId| id < read || (id != write && graph.causes(id, write));
        let removed = || (read.at()..write.at()).map(EventId::from_usize).filter(|id| !kept(*id));
        // A reader that was there before its write was revisited by it, and may stay: no revisit undoes that.
        let revisits = |id: EventId| graph.readers_of(id).any(|reader| reader < id);
        if removed().any(|id| graph.event(id).label() == Label::Write && revisits(id)) {
            return Ok(false);
        }
        if removed().any(|id| !graph.event(id).chose_first()) {
            return Ok(false);
        }
        if !self.regime.witness.find(self.plan, graph, &kept, &mut self.work)? {
            return Ok(false);
        }
        for id in removed().filter(|id| graph.event(*id).label() == Label::Read) {
            self.work.check_time_now_and_then()?;
            if graph.rf(id) != self.latest_before(id, read, &kept) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The newest of the writes that a revisit removes and that were there before an event, or else the last
    /// of those that stay.
    fn latest_before(&self, id: EventId, read: EventId, kept: &dyn Fn(EventId) -> bool) -> EventId {
        let graph = self.graph();
        let loc = graph.event(id).loc();
        let newer = (read.at()..id.at()).rev().map(EventId::from_usize).find(|other| {
            let event = graph.event(*other);
            event.label() == Label::Write && event.loc() == loc && !kept(*other)
        });
        newer.unwrap_or_else(|| self.regime.witness.last_of(graph, id))
    }
}
