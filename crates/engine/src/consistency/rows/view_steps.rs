//! Steps of views: how the clocks of an event follow from those of the events directly before it.
//!
//! A view is an automaton whose states are clocks. I1: clocks depend only on the causal past, so they never change
//! while the event exists.

use crate::consistency::plan::tables::{Classes, Scope};
use crate::graph::{Access, EventClass, Graph, CAUSAL};
use crate::ids::EventId;

/// A step of a view from one clock to another.
#[derive(Clone, Copy, Debug)]
pub(in crate::consistency) struct ClockStep {
    pub source: usize,
    pub target: usize,
    pub before: Classes,
    pub after: Classes,
    pub scope: Scope,
}

/// The steps of all views, by the relation that they follow.
pub(in crate::consistency) struct ViewSteps {
    /// Along `po`, in addition to the clocks that are carried.
    po: Vec<ClockStep>,
    rf: Vec<ClockStep>,
    rmw: Vec<ClockStep>,
    /// Along `po-loc`; `po_row` is then a clock of `po` alone.
    po_loc: Vec<ClockStep>,
    po_row: usize,
    /// What steps along `po-loc` lead from and to.
    from: Classes,
    to: Classes,
}

impl ViewSteps {
    /// Steps along `po`, `rf`, `rmw` and `po-loc`, and the clock that the last ones need.
    pub fn new([po, rf, rmw, po_loc]: [Vec<ClockStep>; 4], po_row: usize) -> ViewSteps {
        let from = Classes(po_loc.iter().fold(0, |all, step| all | step.before.0));
        let to = Classes(po_loc.iter().fold(0, |all, step| all | step.after.0));
        ViewSteps { po, rf, rmw, po_loc, po_row, from, to }
    }

    /// Puts a new event's past in `po` into its clocks.
    pub fn enter(&self, graph: &mut Graph, id: EventId) {
        if !self.po.is_empty() || !self.rmw.is_empty() {
            let event = graph.event(id);
            let (po_prev, is_write_half) = (event.po_prev, event.is_write_half());
            let previous = if po_prev.is_some() { po_prev } else { graph.thread(event.thread).creator };
            if previous.is_some() {
                take_steps(graph, &self.po, previous, id);
            }
            if is_write_half {
                take_steps(graph, &self.rmw, po_prev, id);
            }
        }
        if self.to.has(graph.event(id).class) {
            self.enter_by_location(graph, id);
        }
    }

    /// Takes the steps from earlier accesses of the same location.
    fn enter_by_location(&self, graph: &mut Graph, id: EventId) {
        let Some(&Access { loc, .. }) = graph.event(id).as_access() else { return };
        if graph.cells.is_used() {
            for other in overlapping(graph, id) {
                self.follow_location(graph, other, id);
            }
        } else if self.from.0 & EventClass::WRITES != 0 {
            let mut write = graph.overwriter(loc, EventId::NONE);
            while write.is_some() {
                self.follow_location(graph, write, id);
                write = graph.co_next(write);
            }
        }
        if self.from.0 & EventClass::READS != 0 {
            let mut read = graph.loc(loc).last_read;
            while read.is_some() {
                self.follow_location(graph, read, id);
                read = graph.earlier_read(read);
            }
        }
    }

    /// Takes the steps from an access of the same location, if it is earlier.
    #[inline(always)]
    fn follow_location(&self, graph: &mut Graph, other: EventId, id: EventId) {
        let is_source = self.from.has(graph.event(other).class);
        if is_source && other != id && graph.precedes(self.po_row, other, id) {
            take_steps(graph, &self.po_loc, other, id);
        }
    }

    /// Takes the steps from the last event of a thread that was waited for.
    pub fn enter_end(&self, graph: &mut Graph, join: EventId, end: EventId) {
        take_steps(graph, &self.po, end, join);
    }

    /// Takes the steps along `rf` into the clocks of a read.
    #[inline(always)]
    pub fn see(&self, graph: &mut Graph, read: EventId, write: EventId) {
        graph.views.join(read.at(), write.at(), CAUSAL);
        if self.rf.is_empty() {
            return;
        }
        let (before, after) = (graph.event(write).class, graph.event(read).class);
        let internal = graph.event(write).thread == graph.event(read).thread;
        for step in &self.rf {
            if step.before.has(before) && step.after.has(after) && step.scope.has(internal) {
                graph.views.join_across(read.at(), step.target, write.at(), step.source);
            }
        }
    }
}

/// The accesses that have bytes in common with one.
fn overlapping(graph: &Graph, id: EventId) -> Vec<EventId> {
    (0..graph.len()).map(EventId::from_usize).filter(|other| graph.overlap(*other, id)).collect()
}

#[inline]
fn take_steps(graph: &mut Graph, steps: &[ClockStep], from: EventId, to: EventId) {
    let (before, after) = (graph.event(from).class, graph.event(to).class);
    for step in steps {
        if step.before.has(before) && step.after.has(after) {
            graph.views.join_across(to.at(), step.target, from.at(), step.source);
        }
    }
}
