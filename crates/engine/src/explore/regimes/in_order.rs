//! Exploration of programs without load buffering, where the causal order of the model is smaller than `po`.
//!
//! In most programs no load can see a store that comes after it in `po` and `rf`, because dependencies, fences or modes
//! order the two. Their executions are those of a causal order that holds all of `po`, and are explored like these:
//! threads have no gaps. Each new write is watched. If it comes after a read of its location in `po` and `rf`, does not
//! depend on it, and coherence does not forbid the read to see it, then there may be executions with a cycle of `po` and
//! `rf`. The exploration ends there, and starts again with gaps (`Gaps`).
//!
//! Where a model's other axioms need no dependencies, `Unbuffered` (`coherence`) comes first. It does the same with
//! clocks alone, and so is sooner unsure; then `InOrder` starts again.
//!
//! Departs 1: HMC has one exploration for all programs. An execution with a cycle of `po` and `rf` is reached from those
//! without one by letting a single read see such a write. This is not proved. `tests/property/test_hardware.py` compares
//! what is found with brute force.
//! I1: the rows of the graph are up to date, because threads have no gaps.

use crate::consistency::{Conditional, Late, Past};
use crate::detect::{Finding, Refusal};
use crate::explore::regimes::Regime;
use crate::explore::{Explorer, Stop};
use crate::ids::EventId;

/// Every `rf` and `co` without a cycle of `po` and `rf`, as long as no other is possible.
#[derive(Default)]
pub(in crate::explore) struct InOrder;

impl Regime for InOrder {
    const RENEWS_READS: bool = true;

    // As where threads have gaps, so that what is found out about a program does not depend on which of the two it needs.
    const STOPS_SPINS: bool = false;

    const TRACKS: bool = true;

    fn find_sources(
        explorer: &mut Explorer<'_, Self>,
        read: EventId,
        conditional: Option<&Conditional>,
    ) -> Result<(), Late> {
        let graph = explorer.graphs.current_mut();
        let (work, options) = (&mut explorer.work, explorer.choices.options());
        if explorer.plan.has_rows_for(graph, read) {
            return explorer.plan.readable(graph, read, conditional, work, options);
        }
        explorer.plan.consistent_sources(graph, read, conditional, work, options)
    }

    fn find_places(explorer: &mut Explorer<'_, Self>, write: EventId) -> Result<(), Late> {
        explorer.find_places_by_rows(write)
    }

    fn find_revisits(explorer: &mut Explorer<'_, Self>, write: EventId) -> Result<(), Stop> {
        if explorer.may_be_buffered(write) {
            return Err(buffered());
        }
        explorer.find_revisits_in_order(write)
    }

    fn enter_revisit(explorer: &mut Explorer<'_, Self>, read: EventId, write: EventId) -> (EventId, EventId) {
        explorer.enter_restriction(read, write)
    }

    fn take_revisit(explorer: &mut Explorer<'_, Self>, read: EventId, write: EventId) -> Result<bool, Stop> {
        let graph = explorer.graphs.current_mut();
        if graph.bits.fit_sets() {
            return explorer.take_revisit_in_order(read, write);
        }
        let first = explorer.choices.end();
        explorer.plan.consistent_places(graph, write, &mut explorer.work, explorer.choices.options())?;
        explorer.take_first_place(read, write, first)
    }
}

/// Why an exploration ends that is no longer known to find all executions.
#[cold]
pub(super) fn buffered() -> Stop {
    Finding::refusal(Refusal::Buffered, "a load may see a store that comes after it").into()
}

impl Explorer<'_, InOrder> {
    /// Whether a read before the newest write, in `po` and `rf`, may see it.
    fn may_be_buffered(&mut self, write: EventId) -> bool {
        let mut read = self.graph().loc(self.graph().event(write).loc()).last_read;
        let mut past = None;
        while read.is_some() {
            if self.graph().causes(read, write) {
                let past = past.get_or_insert_with(|| self.past_of(write));
                if self.may_see_later(past, read, write) {
                    return true;
                }
            }
            read = self.graph().earlier_read(read);
        }
        false
    }

    fn may_see_later(&mut self, past: &Past, read: EventId, write: EventId) -> bool {
        let graph = self.graph();
        if self.plan.forbids_own_write(graph, read, write) {
            return false;
        }
        !past.has(read)
            || (!self.plan.needs_outcome(graph, past, read)
                && self.kept_with_other_outcome(read, write).is_some())
            || self.kept_with_write_half(read, write).is_some()
    }
}
