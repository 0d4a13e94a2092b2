//! Exploration of all `rf` and `co`, where the causal order holds all of `po`: TruSt Algorithm 1.
//!
//! Backward revisits implement TruSt §4.1 (Algorithm 1, lines 15-18 and 23-27) with thesis Algorithm 6.1 for exclusive
//! writes. Departs 1: one sweep from the newest event to the oldest candidate read; an event in the
//! write's causal past is kept, any other must have been added maximally or the sweep ends there.
//! I1: what the sweep has passed is removed or kept by the revisit of every older read alike.

use crate::consistency::{Conditional, Late};
use crate::explore::regimes::in_order::buffered;
use crate::explore::regimes::Regime;
use crate::explore::{Explorer, Stop};
use crate::graph::{AccessKind, Causes, Event, Graph};
use crate::ids::EventId;

/// Every `rf` and `co` in which `po` and `rf` have no common cycle, with clocks. It may watch whether there are others.
#[derive(Default)]
pub(in crate::explore) struct ByClocks<const WATCHES: bool>;

/// The causal order holds all of `po`, so there are no others.
pub(in crate::explore) type Coherence = ByClocks<false>;

/// The causal order is a part of `po`, but as far as clocks can show, there are no others (`in_order`).
pub(in crate::explore) type Unbuffered = ByClocks<true>;

impl<const WATCHES: bool> Regime for ByClocks<WATCHES> {
    const RENEWS_READS: bool = false;
    /// `is_maximal` is false for it from then on, and for whatever else would have to be removed.
    const FIXES_READS: bool = true;

    #[inline]
    fn find_sources(
        explorer: &mut Explorer<'_, Self>,
        read: EventId,
        conditional: Option<&Conditional>,
    ) -> Result<(), Late> {
        let graph = explorer.graphs.current_mut();
        explorer.plan.readable(graph, read, conditional, &mut explorer.work, explorer.choices.options())
    }

    #[inline]
    fn find_places(explorer: &mut Explorer<'_, Self>, write: EventId) -> Result<(), Late> {
        let graph = explorer.graphs.current_mut();
        explorer.plan.placeable(graph, write, &mut explorer.work, explorer.choices.options())
    }

    /// If another write stands in the way, this one only revisits, and fewer rows are asked.
    #[inline(always)]
    fn settle_for_write_half(explorer: &mut Explorer<'_, Self>, read: EventId) {
        let graph = explorer.graphs.current_mut();
        let (loc, source) = (graph.event(read).loc(), graph.rf(read));
        if graph.splits_rmw(source, graph.overwriter(loc, source)) {
            explorer.plan.upkeep().settle_for_revisits(graph);
        } else {
            explorer.plan.upkeep().settle_orders(graph);
        }
    }

    #[inline]
    fn find_exclusive_place(
        explorer: &mut Explorer<'_, Self>,
        write: EventId,
        _source: EventId,
    ) -> Result<(), Late> {
        let graph = explorer.graphs.current_mut();
        explorer.choices.options().extend(explorer.plan.place_exclusive(graph, write, &mut explorer.work));
        Ok(())
    }

    fn find_revisits(explorer: &mut Explorer<'_, Self>, write: EventId) -> Result<(), Stop> {
        if WATCHES {
            let (graph, work) = (explorer.graphs.current(), &mut explorer.work);
            if !explorer.plan.checks().forbid_earlier_readers(graph, write, work) {
                return Err(buffered());
            }
        }
        explorer.find_revisits_in_order(write)
    }

    #[inline(always)]
    fn check_read(explorer: &mut Explorer<'_, Self>, read: EventId) -> Result<(), Stop> {
        let write = if WATCHES { explorer.graph().rf(read) } else { EventId::NONE };
        if write.is_none() || !explorer.plan.watches_link(explorer.graph(), write, read) {
            return Ok(());
        }
        explorer.graphs.settle();
        match explorer.plan.orders_link(explorer.graph(), write, read) {
            true => Ok(()),
            false => Err(buffered()),
        }
    }

    #[inline(always)]
    fn check_fence(explorer: &mut Explorer<'_, Self>, fence: EventId) -> Result<(), Stop> {
        if !WATCHES {
            return Ok(());
        }
        explorer.graphs.settle();
        match explorer.plan.is_about(explorer.graph(), fence) {
            true => Ok(()),
            false => Err(buffered()),
        }
    }

    #[inline]
    fn enter_revisit(explorer: &mut Explorer<'_, Self>, read: EventId, write: EventId) -> (EventId, EventId) {
        explorer.enter_restriction(read, write)
    }

    #[inline]
    fn take_revisit(explorer: &mut Explorer<'_, Self>, read: EventId, write: EventId) -> Result<bool, Stop> {
        explorer.take_revisit_in_order(read, write)
    }
}

impl<R: Regime> Explorer<'_, R> {
    /// `Regime::find_revisits`, where the causal order holds all of `po`.
    #[inline]
    pub(super) fn find_revisits_in_order(&mut self, write: EventId) -> Result<(), Stop> {
        let graph = self.graphs.current();
        let loc = graph.event(write).loc();
        let rival = rival(graph, write);
        let causes = graph.causes_of(write);
        let has_put_off = graph.has_put_off();
        let mut candidate = next_candidate(graph, graph.loc(loc).last_read, causes);
        let mut id = write;
        while candidate.is_some() && id.0 > 0 {
            id = EventId(id.0 - 1);
            if causes.contain(id) {
                continue;
            }
            // It may be compared with all later writes of its location.
            self.work.check_time_now_and_then()?;
            if !is_maximal(graph, id, causes) || (has_put_off && graph.puts_off(id)) {
                return Ok(());
            }
            if id == candidate {
                let may_see = || {
                    let event = graph.event(id);
                    graph.may_see(event.thread, event.index, write)
                };
                if (!has_put_off || may_see()) && (rival.is_none() || id < rival) {
                    self.choices.options().push(id);
                }
                candidate = next_candidate(graph, graph.earlier_read(id), causes);
            }
        }
        Ok(())
    }

    /// `Regime::take_revisit`, where the causal order holds all of `po`.
    #[inline]
    pub(super) fn take_revisit_in_order(&mut self, read: EventId, write: EventId) -> Result<bool, Stop> {
        let first = self.choices.end();
        let graph = self.graphs.current_mut();
        self.plan.placeable_revisit(graph, write, read, &mut self.work, self.choices.options())?;
        self.take_first_place(read, write, first)
    }
}

/// The exclusive write that stands where another one would have to: what stays with it cannot be revisited.
fn rival(graph: &Graph, write: EventId) -> EventId {
    let event = graph.event(write);
    if !event.is_exclusive() {
        return EventId::NONE;
    }
    let source = graph.rf(event.po_prev);
    let next = graph.overwriter(event.loc(), source);
    if graph.splits_rmw(source, next) {
        next
    } else {
        EventId::NONE
    }
}

/// The newest read from `read` on that is not in the write's causal past. With a read, all earlier ones of its
/// thread are in it.
fn next_candidate(graph: &Graph, mut read: EventId, causes: Causes<'_>) -> EventId {
    while read.is_some() && causes.contain(read) {
        read = graph.earlier_foreign_read(read);
    }
    read
}

/// Whether an event was added maximally before the write with these causes (thesis Algorithm 6.1, line 4).
fn is_maximal(graph: &Graph, id: EventId, causes: Causes<'_>) -> bool {
    let event = graph.event(id);
    match event.access_kind() {
        Some(AccessKind::Read) => {
            let source = graph.rf(id);
            let seen = source.is_none() || source < id || causes.contain(source);
            seen && is_latest(graph, event, source, id, causes)
        }
        // A reader that was there before its write was revisited by it.
        Some(AccessKind::Write) => {
            graph.readers_of(id).all(|reader| reader > id)
                && (event.is_exclusive() || is_latest(graph, event, id, id, causes))
        }
        None => event.chose_first(),
    }
}

/// Whether no write after `source` in coherence order was there when `id` was added, or will stay.
fn is_latest(graph: &Graph, event: &Event, source: EventId, id: EventId, causes: Causes<'_>) -> bool {
    graph.co_after(event.loc(), source).all(|later| later > id && !causes.contain(later))
}
