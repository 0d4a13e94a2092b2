//! How much memory an exploration holds, and when that is too much.
//!
//! Counted is what grows: thread states, graphs, choices. What the whole process takes is a second measure, where the
//! system tells it, because there is also memory that nobody counts here.

use super::frames::Frame;
use super::outcome::Located;
use super::{Explorer, Stop};
use crate::detect::Finding;
use crate::graph::Graph;
use crate::ids::ThreadId;
use crate::vm::{Repetition, Snapshot};
use std::ops::Range;

impl Explorer<'_> {
    /// Stops if there is more memory in use than allowed, and notes what has grown.
    pub(super) fn guard_room(&mut self) -> Result<(), Stop> {
        let Some(limit) = self.config.memory_limit else { return Ok(()) };
        let held = self.bytes_held();
        let all = match &self.member {
            Some(member) => member.hold(self.published, held),
            None => held,
        };
        self.published = held;
        if all as u64 <= limit && resident_bytes().is_none_or(|bytes| bytes <= limit) {
            return Ok(());
        }
        self.outcome.out_of_memory = true;
        self.outcome.grew = self.what_grew();
        Err(Stop::Interrupted)
    }

    fn bytes_held(&self) -> usize {
        let graphs: usize = self.graphs.iter().map(Graph::bytes_reserved).sum();
        let choices = self.frames.capacity() * size_of::<Frame>();
        graphs + choices + self.arena.bytes_reserved() + self.memory.bytes()
    }

    /// What is most likely to have made the execution at hand long.
    fn what_grew(&self) -> Option<Located> {
        let threads = ThreadId(0)..ThreadId::from_usize(self.threads.len());
        let (_, thread, what) = self.busiest_of(threads)?;
        let mut finding = Finding::endless(what);
        finding.thread = thread;
        Some(self.located(finding))
    }

    /// What some threads do most often: how often, who and what.
    pub(super) fn busiest_of(&self, threads: Range<ThreadId>) -> Option<(u64, ThreadId, Repetition)> {
        let mut worst: Option<(u64, ThreadId, Repetition)> = None;
        for thread in (threads.start.0..threads.end.0).map(ThreadId) {
            let at = self.graph().thread(thread).pending.snapshot;
            let busiest = if at == Snapshot::EMPTY { None } else { self.vm.busiest(&self.arena, at) };
            if let Some((rounds, what)) = busiest {
                if worst.is_none_or(|(most, ..)| rounds > most) {
                    worst = Some((rounds, thread, what));
                }
            }
        }
        worst
    }
}

/// What the process takes of the machine's memory, if the system tells.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}
