//! Flags: axioms that complete executions are compared with, and which they may break.
//!
//! A model of a machine may call executions erroneous by relations that grow: two plain accesses of the Linux kernel race
//! unless a path orders them, and events that are added later may be on that path. So flags are asked of executions to
//! which nothing is added any more, and not of those in which a thread is blocked.
//!
//! Such an axiom says that a relation is empty. If it is not, a pair of it is the finding.

use crate::consistency::{Plan, Race, Workspace};
use crate::detect::Finding;
use crate::explore::races::broken_rule;
use crate::explore::regimes::Regime;
use crate::explore::Explorer;
use crate::graph::{AccessKind, Event, EventClass, Graph, PO};
use crate::ids::EventId;
use std::sync::Arc;

/// What executions are flagged by.
#[derive(Clone)]
pub struct Flags {
    /// Its axioms.
    pub plan: Arc<Plan>,
    /// The first execution that breaks one is a violation. Otherwise they are counted.
    pub are_findings: bool,
}

impl std::fmt::Debug for Flags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Flags")
    }
}

impl<R: Regime> Explorer<'_, R> {
    /// Compares a complete execution, which stands for so many, with the flags.
    #[inline]
    pub(in crate::explore) fn judge_flags(&mut self, weight: u64) -> Result<(), Finding> {
        match &self.config.flags {
            Some(flags) => {
                let flags = flags.clone();
                self.compare_with(&flags, weight)
            }
            None => Ok(()),
        }
    }

    #[cold]
    fn compare_with(&mut self, flags: &Flags, weight: u64) -> Result<(), Finding> {
        let graph = self.graphs.current();
        if !has_conflict(graph) {
            return Ok(());
        }
        let Some((axiom, first, second)) = broken(&flags.plan, graph, &mut self.work) else { return Ok(()) };
        if !flags.are_findings {
            self.outcome.flagged += weight;
            return Ok(());
        }
        let event = graph.event(second);
        let mut finding = broken_rule(&Race { rule: axiom, warning: false, other: first }, event);
        (finding.event, finding.thread, finding.at) = (second, event.thread, Some(event.snapshot));
        Err(finding)
    }
}

/// Whether two threads access a location, one of them plainly, and one of them writes, though `po` does not order them.
fn has_conflict(graph: &Graph) -> bool {
    let plain = |event: &Event| {
        [EventClass::ReadNaLoad, EventClass::WriteNaStore].iter().any(|class| *class as u8 == event.class)
    };
    let ids = || (0..graph.len()).map(EventId::from_usize);
    ids().filter(|id| plain(graph.event(*id))).any(|id| {
        let this = graph.event(id);
        ids().any(|other| {
            let that = graph.event(other);
            this.thread != that.thread
                && that.as_access().is_some_and(|access| access.loc == this.loc())
                && [this, that].iter().any(|event| event.access_kind() == Some(AccessKind::Write))
                && !graph.bits.has(PO, id, other)
                && !graph.bits.has(PO, other, id)
        })
    })
}

/// An axiom that a graph breaks because its relation is not empty, and two events that it relates.
fn broken(plan: &Plan, graph: &Graph, work: &mut Workspace) -> Option<(usize, EventId, EventId)> {
    plan.checks().related_pair(graph, work)
}
