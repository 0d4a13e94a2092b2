//! Writes-before: the coherence that views force upon a graph that has none yet (thesis §4.3).
//!
//! I1: every coherence order under which the graph is consistent extends this relation.

use crate::consistency::checks::bits::Rows;
use crate::consistency::checks::Checks;
use crate::consistency::{Late, Workspace};
use crate::graph::{Graph, Label};
use crate::ids::EventId;

/// Which of a graph's writes must come before which.
#[derive(Default)]
pub(in crate::consistency) struct Forced {
    writes: Vec<EventId>,
    /// By event: its position among `writes`.
    number: Vec<usize>,
    before: Rows,
}

/// Whether a new read knows of a write that must come after the one it would see. `Forced` finds that, too: this
/// is for reads that have many older writes of their own thread behind them.
pub(in crate::consistency) fn is_hidden(
    checks: &Checks,
    graph: &Graph,
    read: EventId,
    write: EventId,
) -> bool {
    let mut later = graph.loc(graph.event(read).loc()).last;
    while later.is_some() {
        let comes_later = later != write && (write.is_none() || checks.knows(graph, later, write));
        if comes_later && checks.knows(graph, read, later) {
            return true;
        }
        later = graph.co_prev(later);
    }
    false
}

impl Forced {
    /// Whether the first of two writes must come first.
    pub(in crate::consistency) fn has(&self, first: EventId, second: EventId) -> bool {
        self.before.has(self.number[first.at()], self.number[second.at()])
    }

    /// Finds what is forced among the events that are kept; false if that is contradictory.
    pub(in crate::consistency) fn find(
        &mut self,
        checks: &Checks,
        graph: &Graph,
        keeps: &dyn Fn(EventId) -> bool,
        work: &mut Workspace,
    ) -> Result<bool, Late> {
        let is_access = |id: &EventId| graph.event(*id).as_access().is_some();
        let kept = (0..graph.len()).map(EventId::from_usize).filter(|id| keeps(*id));
        let mut accesses: Vec<EventId> = kept.filter(is_access).collect();
        self.number.clear();
        self.number.resize(graph.len(), usize::MAX);
        self.writes.clear();
        for id in accesses.iter().filter(|id| graph.event(**id).label() == Label::Write) {
            self.number[id.at()] = self.writes.len();
            self.writes.push(*id);
        }
        self.before.reset(self.writes.len());
        accesses.sort_by_key(|id| graph.event(*id).loc());
        for accesses in accesses.chunk_by(|one, two| graph.event(*one).loc() == graph.event(*two).loc()) {
            if !self.find_between(checks, graph, accesses, work)? {
                return Ok(false);
            }
        }
        self.close(graph, work)
    }

    /// Finds what the accesses of one location force by what they know; false if that is contradictory.
    fn find_between(
        &mut self,
        checks: &Checks,
        graph: &Graph,
        accesses: &[EventId],
        work: &mut Workspace,
    ) -> Result<bool, Late> {
        let is_write = |id| graph.event(id).label() == Label::Write;
        let seen = |id: EventId| if is_write(id) { id } else { graph.rf(id) };
        for id in accesses {
            work.check_time_now_and_then()?;
            let target = seen(*id);
            for other in accesses {
                let source = seen(*other);
                if source.is_none() || source == target || !checks.knows(graph, *id, *other) {
                    continue;
                }
                if target.is_none() {
                    return Ok(false); // It reads the initial value but knows of a write.
                }
                self.before.set(self.number[source.at()], self.number[target.at()]);
            }
        }
        Ok(true)
    }

    /// Closes the relation under composition and the atomicity of RMWs; false if it has a cycle.
    fn close(&mut self, graph: &Graph, work: &mut Workspace) -> Result<bool, Late> {
        loop {
            self.before.close_while(|| work.check_time_now_and_then())?;
            if !self.before.is_irreflexive() {
                return Ok(false);
            }
            if !self.keep_pairs_together(graph) {
                return Ok(true);
            }
        }
    }

    /// Whatever is before the write of an RMW is before what its read reads, or is that; likewise after.
    fn keep_pairs_together(&mut self, graph: &Graph) -> bool {
        let (count, mut changed) = (self.writes.len(), false);
        let mut set = |before: &mut Rows, first: usize, second: usize| {
            changed |= !before.has(first, second);
            before.set(first, second);
        };
        for write in 0..count {
            let event = graph.event(self.writes[write]);
            if !event.is_exclusive() {
                continue;
            }
            let source = graph.rf(event.po_prev);
            if source.is_none() {
                // Directly after the initial write: before all others of the location.
                for other in (0..count).filter(|other| *other != write) {
                    if graph.event(self.writes[other]).loc() == event.loc() {
                        set(&mut self.before, write, other);
                    }
                }
                continue;
            }
            let source = self.number[source.at()];
            set(&mut self.before, source, write);
            for other in (0..count).filter(|other| *other != write && *other != source) {
                if self.before.has(other, write) {
                    set(&mut self.before, other, source);
                }
                if self.before.has(source, other) {
                    set(&mut self.before, write, other);
                }
            }
        }
        changed
    }
}
