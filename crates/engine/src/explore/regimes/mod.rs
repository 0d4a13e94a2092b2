//! Regimes: what an exploration does differently by what it counts and by what the causal order holds.
//!
//! | regime | executions that count as one | causal order |
//! |---|---|---|
//! | [`Coherence`] | those with the same `rf` and `co` | holds all of `po`: clocks |
//! | [`ReadsFrom`] | those with the same `rf` | holds all of `po`: clocks |
//! | [`Unbuffered`] | those with the same `rf` and `co` | a part of `po`, but clocks show that it might hold all of it |
//! | [`InOrder`] | those with the same `rf` and `co` | a part of `po`, but no execution needs a gap |
//! | [`Gaps`] | those with the same `rf` and `co` | a part of `po`: threads may have gaps |
//! | [`ReadsFromGaps`] | those with the same `rf` | a part of `po`: threads may have gaps |
//! | [`Mixed`] | those with the same `rf` and `co` of all bytes | holds all of `po`: clocks |
//! | [`MixedGaps`] | those with the same `rf` and `co` of all bytes | a part of `po`: threads may have gaps |
//!
//! The regime is chosen once, in `explore`, and everything after that is compiled for it: nothing asks again, and
//! no other room knows which one it runs in. What two regimes share is a method of the explorer.

mod coherence;
mod forwarded;
mod gaps;
mod in_cells;
mod in_order;
mod joint;
mod missed;
mod mixed;
mod mixed_gaps;
mod open_outcomes;
mod pairs;
mod passing;
mod reads_from;
mod reads_from_gaps;
mod sweep;
mod with_gaps;

pub(in crate::explore) use coherence::{Coherence, Unbuffered};
pub(in crate::explore) use gaps::Gaps;
pub(in crate::explore) use in_order::InOrder;
pub(in crate::explore) use mixed::Mixed;
pub(in crate::explore) use mixed_gaps::MixedGaps;
pub(in crate::explore) use open_outcomes::opened;
pub(in crate::explore) use passing::{astray, Passed};
pub(in crate::explore) use reads_from::ReadsFrom;
pub(in crate::explore) use reads_from_gaps::ReadsFromGaps;
pub(in crate::explore) use with_gaps::WithGaps;

use crate::consistency::{Conditional, Late};
use crate::detect::{Finding, Refusal};
use crate::explore::choices::read::Condition;
use crate::explore::{Explorer, Step, Stop};
use crate::graph::Graph;
use crate::ids::{EventId, LocId, ThreadId};
use crate::program::Mode;
use crate::vm::{PairAccess, Request, Snapshot, PAIR};

/// What differs. A value of a regime is the space that it works in.
pub(in crate::explore) trait Regime: Default + Send {
    /// An event may need a search for a coherence order, whose time grows faster than the graph.
    const SEARCHES_COHERENCE: bool = false;

    /// Going back to the choice of a read renews the read's rows at once; else that waits until someone asks.
    const RENEWS_READS: bool;

    /// Executions that differ in coherence count.
    const COUNTS_COHERENCE: bool = true;

    /// No revisit removes or changes a read that did not take the coherence-latest write when it was added.
    const FIXES_READS: bool = false;

    /// Joins after which nothing happens need not be events.
    const MAY_LEAVE_OUT_JOINS: bool = true;

    /// A thread that made a round of a loop without any effect stops there.
    const STOPS_SPINS: bool = true;

    /// Atomic sections are explored.
    const HAS_SECTIONS: bool = false;

    /// What a program says about its own accesses is checked, and used.
    const READS_ANNOTATIONS: bool = true;

    /// Accesses may have several sizes, up to 16 bytes: their links are by cells.
    const HAS_CELLS: bool = false;

    /// Events may be missing in the middle of threads.
    const HAS_GAPS: bool = false;

    /// What threads depend on is tracked.
    const TRACKS: bool = false;

    /// Events that are added next belong to the instruction that a thread waits at.
    #[inline(always)]
    fn stage(explorer: &mut Explorer<'_, Self>, at: Snapshot) {
        if Self::TRACKS {
            explorer.stage_dependencies(at);
        }
    }

    /// Appends to the options the writes that a new read may see, the one to take first in front.
    fn find_sources(
        explorer: &mut Explorer<'_, Self>,
        read: EventId,
        conditional: Option<&Conditional>,
    ) -> Result<(), Late>;

    /// A new read sees a write. `is_stale`: its rows show another.
    #[inline(always)]
    fn link_read(
        explorer: &mut Explorer<'_, Self>,
        read: EventId,
        source: EventId,
        is_stale: bool,
    ) -> Result<(), Late> {
        explorer.graphs.link_read(read, source, is_stale);
        Ok(())
    }

    /// Appends to the options the writes after which a new write may stand, the one to take first in front.
    fn find_places(explorer: &mut Explorer<'_, Self>, write: EventId) -> Result<(), Late>;

    /// Brings the graph's rows up to date before the write half of a read-modify-write whose read half is there.
    fn settle_for_write_half(explorer: &mut Explorer<'_, Self>, _read: EventId) {
        explorer.graphs.settle();
    }

    /// As `find_places`, for the write half of a read-modify-write that read `source`: there is one place at most.
    fn find_exclusive_place(
        explorer: &mut Explorer<'_, Self>,
        write: EventId,
        _source: EventId,
    ) -> Result<(), Late> {
        Self::find_places(explorer, write)
    }

    /// An access has no choice that is consistent.
    fn give_up(_explorer: &mut Explorer<'_, Self>) -> Result<(), Stop> {
        Ok(())
    }

    /// Puts a write directly after another in coherence order.
    #[inline]
    fn link_write(explorer: &mut Explorer<'_, Self>, write: EventId, after: EventId) -> Result<(), Late> {
        explorer.graphs.link_write(write, after);
        Ok(())
    }

    /// Appends to the options the reads that the newest event, a write not yet placed, may revisit.
    fn find_revisits(explorer: &mut Explorer<'_, Self>, write: EventId) -> Result<(), Stop>;

    /// Whether the exploration goes on with what a read sees.
    #[inline(always)]
    fn check_read(_explorer: &mut Explorer<'_, Self>, _read: EventId) -> Result<(), Stop> {
        Ok(())
    }

    /// Whether the exploration goes on with a new fence.
    #[inline(always)]
    fn check_fence(_explorer: &mut Explorer<'_, Self>, _fence: EventId) -> Result<(), Stop> {
        Ok(())
    }

    /// Goes to the graph that a revisit leaves; the read and the write there.
    fn enter_revisit(explorer: &mut Explorer<'_, Self>, read: EventId, write: EventId) -> (EventId, EventId);

    /// Takes the first place of a write that a read is about to see, in the graph that the revisit left. False if it
    /// has none.
    fn take_revisit(explorer: &mut Explorer<'_, Self>, read: EventId, write: EventId) -> Result<bool, Stop>;

    /// Removes the links of an event that is linked in one way or another.
    #[inline(always)]
    fn unlink(graph: &mut Graph, event: EventId) {
        graph.unlink(event);
    }

    /// Goes to the graph without a compare-exchange whose outcome is open, with the newest event, a write. False if
    /// nothing follows from it.
    fn open_outcome(
        _explorer: &mut Explorer<'_, Self>,
        _read: EventId,
        _write: EventId,
    ) -> Result<bool, Stop> {
        unreachable!("no outcome is open")
    }

    /// Makes a read that is about to see the write of a revisit what it is then.
    #[inline(always)]
    fn shape_revisit(explorer: &mut Explorer<'_, Self>, read: EventId, write: EventId) {
        explorer.shape(read, write);
    }

    /// Places the write of a revisit and gives the read its value.
    #[inline(always)]
    fn place_revisit(
        explorer: &mut Explorer<'_, Self>,
        read: EventId,
        write: EventId,
        after: EventId,
    ) -> Result<(), Stop> {
        explorer.place(write, after)?;
        let graph = explorer.graphs.current_mut();
        explorer.plan.upkeep().order_read(graph, read);
        Self::deliver_revisit(explorer, read)
    }

    /// What a read has if it takes an option.
    #[inline(always)]
    fn value_of_choice(explorer: &Explorer<'_, Self>, read: EventId, option: EventId) -> u64 {
        explorer.value_of(explorer.graph().event(read).loc(), option)
    }

    /// Whether a read whose write depends on its value is followed by it if it takes an option.
    #[inline(always)]
    fn is_met(explorer: &Explorer<'_, Self>, condition: &Condition, read: EventId, option: EventId) -> bool {
        condition.holds(Self::value_of_choice(explorer, read, option))
    }

    /// Keeps what a linked read of 16 bytes reads.
    fn keep_pair(_explorer: &mut Explorer<'_, Self>, _read: EventId) {}

    /// What a linked read reads.
    #[inline(always)]
    fn value_read(explorer: &Explorer<'_, Self>, read: EventId, loc: LocId) -> u64 {
        explorer.value_of(loc, explorer.graph().rf(read))
    }

    /// What a placed write overwrites.
    fn value_overwritten(explorer: &Explorer<'_, Self>, write: EventId) -> u64 {
        explorer.value_of(explorer.graph().event(write).loc(), explorer.graph().co_prev(write))
    }

    /// Gives a revisited read its value, and lets its thread go on.
    fn deliver_revisit(explorer: &mut Explorer<'_, Self>, read: EventId) -> Result<(), Stop> {
        explorer.deliver(read)
    }

    /// Adds the event, or the first of two, of an access of 16 bytes.
    #[cold]
    fn add_pair(
        explorer: &mut Explorer<'_, Self>,
        (_thread, _at): (ThreadId, Snapshot),
        (address, _mode): (u64, Mode),
        access: PairAccess,
    ) -> Result<Step, Stop> {
        explorer.locate(address, PAIR, access == PairAccess::Store)?;
        unreachable!("no location has 16 bytes")
    }

    /// Adds the read of an atomic section that a thread is about to begin.
    #[cold]
    fn begin_section(
        _explorer: &mut Explorer<'_, Self>,
        _thread: ThreadId,
        _at: Snapshot,
    ) -> Result<Step, Stop> {
        Err(Finding::refusal(Refusal::MixedSize, "an atomic section").into())
    }

    /// Lets an atomic section read more, or end.
    fn go_on_with_section(_explorer: &mut Explorer<'_, Self>, _read: EventId) -> Result<Step, Stop> {
        unreachable!("no section has begun")
    }

    /// Lets the atomic section that runs read more, by an option.
    fn take_source_of_section(
        _explorer: &mut Explorer<'_, Self>,
        _newest: EventId,
        _option: EventId,
    ) -> Result<(), Stop> {
        unreachable!("no section has begun")
    }

    /// Whether what an atomic section has just read, or written, is an error.
    fn check_section(_explorer: &mut Explorer<'_, Self>, _access: EventId) -> Result<(), Stop> {
        unreachable!("no section has begun")
    }

    /// Lets the atomic section that runs have read a number of pieces only.
    fn return_to_section(_explorer: &mut Explorer<'_, Self>, _newest: EventId, _count: usize) {
        unreachable!("no section has begun")
    }

    /// Forgets which graphs were explored in which an outcome is open.
    fn forget_opened(_explorer: &mut Explorer<'_, Self>) {}

    /// Whether the current graph, to which no event can be added, was found before.
    #[inline(always)]
    fn is_known(_explorer: &mut Explorer<'_, Self>) -> bool {
        false
    }

    /// Whether an axiom that is evaluated forbids the current graph, to which no event can be added.
    fn is_forbidden(explorer: &mut Explorer<'_, Self>) -> bool {
        let graph = explorer.graphs.current();
        explorer.plan.checks().broken_matrix(graph, &mut explorer.work).is_some()
    }

    /// The thread of a read stands at that read again.
    fn return_to(_graph: &mut Graph, _read: EventId) {}

    /// If the event that a thread asks for is there already, passes over it.
    #[inline(always)]
    fn pass_over(
        explorer: &mut Explorer<'_, Self>,
        thread: ThreadId,
        at: Snapshot,
        request: Request,
    ) -> Passed {
        if !Self::HAS_GAPS || request.is_unseen() {
            return Passed::Missing;
        }
        explorer.pass_over_kept(thread, at, request)
    }
}
