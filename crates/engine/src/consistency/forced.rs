//! Writes-before: the coherence that views force upon a graph that has none yet (thesis §4.3).
//!
//! I1: every coherence order under which the graph is consistent extends this relation.

use super::layout::Plan;
use crate::graph::{Graph, Label};
use crate::ids::EventId;

/// Which of a graph's writes must come before which.
#[derive(Default)]
pub(super) struct Forced {
    writes: Vec<EventId>,
    /// By event: its position among `writes`.
    number: Vec<usize>,
    before: Vec<bool>,
}

impl Plan {
    /// Whether an event knows of another, or is it, whatever the coherence order.
    fn knows(&self, graph: &Graph, event: EventId, other: EventId) -> bool {
        self.settled.iter().any(|row| graph.precedes(*row, other, event))
    }

    /// Whether a new read knows of a write that must come after the one it would see. `Forced` finds that, too: this
    /// is for reads that have many older writes of their own thread behind them.
    pub(super) fn is_hidden(&self, graph: &Graph, read: EventId, write: EventId) -> bool {
        let mut later = graph.loc(graph.event(read).loc).last;
        while later.is_some() {
            let comes_later = later != write && (write.is_none() || self.knows(graph, later, write));
            if comes_later && self.knows(graph, read, later) {
                return true;
            }
            later = graph.event(later).co_prev;
        }
        false
    }
}

impl Forced {
    /// Whether the first of two writes must come first.
    pub(super) fn has(&self, first: EventId, second: EventId) -> bool {
        self.before[self.number[first.at()] * self.writes.len() + self.number[second.at()]]
    }

    /// Finds what is forced among the events that are kept; false if that is contradictory.
    pub(super) fn find(&mut self, plan: &Plan, graph: &Graph, keeps: &dyn Fn(EventId) -> bool) -> bool {
        let kept: Vec<EventId> = (0..graph.len()).map(EventId::from_usize).filter(|id| keeps(*id)).collect();
        self.number.clear();
        self.number.resize(graph.len(), usize::MAX);
        self.writes.clear();
        for id in &kept {
            if graph.event(*id).label == Label::Write {
                self.number[id.at()] = self.writes.len();
                self.writes.push(*id);
            }
        }
        self.before.clear();
        self.before.resize(self.writes.len() * self.writes.len(), false);
        for id in &kept {
            let event = graph.event(*id);
            if !matches!(event.label, Label::Read | Label::Write) {
                continue;
            }
            let target = if event.label == Label::Read { event.rf } else { *id };
            for other in &kept {
                let access = graph.event(*other);
                let source = match access.label {
                    Label::Read => access.rf,
                    Label::Write => *other,
                    _ => continue,
                };
                if other == id || access.loc != event.loc || source.is_none() || source == target {
                    continue;
                }
                if plan.knows(graph, *id, *other) {
                    if target.is_none() {
                        return false; // It reads the initial value but knows of a write.
                    }
                    self.put(source, target);
                }
            }
        }
        self.close(graph)
    }

    fn put(&mut self, first: EventId, second: EventId) {
        let at = self.number[first.at()] * self.writes.len() + self.number[second.at()];
        self.before[at] = true;
    }

    /// Closes the relation under composition and the atomicity of RMWs; false if it has a cycle.
    fn close(&mut self, graph: &Graph) -> bool {
        let count = self.writes.len();
        loop {
            for middle in 0..count {
                for first in (0..count).filter(|first| *first != middle) {
                    if self.before[first * count + middle] {
                        for last in 0..count {
                            self.before[first * count + last] |= self.before[middle * count + last];
                        }
                    }
                }
            }
            if (0..count).any(|write| self.before[write * count + write]) {
                return false;
            }
            if !self.keep_pairs_together(graph) {
                return true;
            }
        }
    }

    /// Whatever is before the write of an RMW is before what its read reads, or is that; likewise after.
    fn keep_pairs_together(&mut self, graph: &Graph) -> bool {
        let (count, mut changed) = (self.writes.len(), false);
        let mut set = |before: &mut Vec<bool>, at: usize| {
            changed |= !before[at];
            before[at] = true;
        };
        for write in 0..count {
            let event = graph.event(self.writes[write]);
            if !event.is_exclusive() {
                continue;
            }
            let source = graph.event(event.po_prev).rf;
            if source.is_none() {
                // Directly after the initial write: before all others of the location.
                for other in (0..count).filter(|other| *other != write) {
                    if graph.event(self.writes[other]).loc == event.loc {
                        set(&mut self.before, write * count + other);
                    }
                }
                continue;
            }
            let source = self.number[source.at()];
            set(&mut self.before, source * count + write);
            for other in (0..count).filter(|other| *other != write && *other != source) {
                if self.before[other * count + write] {
                    set(&mut self.before, other * count + source);
                }
                if self.before[source * count + other] {
                    set(&mut self.before, write * count + other);
                }
            }
        }
        changed
    }
}
