//! How much memory an exploration holds, and when that is too much.
//!
//! What grows is counted: thread states, graphs, choices. What the whole process takes is a second measure, where the
//! system tells it, because there is also memory that is not counted here.
//!
//! A failed allocation would end the process, so the system is asked for memory before it is needed.
//! I1: between two looks what is held grows at most to twice its size, as vectors do, and by `HEADROOM`.

use crate::detect::Finding;
use crate::explore::limits::endless::VERY_LONG;
use crate::explore::outcome::Located;
use crate::explore::regimes::Regime;
use crate::explore::threads::states::States;
use crate::explore::{Explorer, Stop};
use crate::graph::Graph;
use crate::ids::ThreadId;
use crate::vm::{Loops, Repetition, Snapshot};
use mazurka_machine::resident_bytes;
use std::hint::black_box;
use std::ops::Range;

/// What may be needed until the next look beside what is held.
const HEADROOM: usize = 128 << 20;

impl<R: Regime> Explorer<'_, R> {
    /// Stops if there is more memory in use than allowed, or not enough to go on, and notes what has grown.
    pub(in crate::explore) fn guard_room(&mut self) -> Result<(), Stop> {
        let held = self.bytes_held();
        let all = match &self.member {
            Some(member) => member.hold(self.published, held),
            None => held,
        };
        self.published = held;
        let in_use = (all as u64).max(resident_bytes().unwrap_or(0));
        let is_too_much = self.config.memory_limit.is_some_and(|limit| in_use > limit);
        if !is_too_much && can_get(usize::try_from(in_use).unwrap_or(usize::MAX).saturating_add(HEADROOM)) {
            return Ok(());
        }
        (self.outcome.out_of_memory, self.outcome.system_refused) = (true, !is_too_much);
        self.outcome.grew = self.what_grew();
        Err(Stop::Interrupted)
    }

    fn bytes_held(&self) -> usize {
        let choices = self.graphs.bytes_reserved() + self.choices.bytes_reserved();
        choices + self.states.arena().bytes_reserved() + self.memory.bytes()
    }

    /// What is most likely to have made the execution at hand long.
    fn what_grew(&self) -> Option<Located> {
        let threads = ThreadId(0)..ThreadId::from_usize(self.threads.len());
        let open = busiest_of(self.graph(), &self.states, threads.clone(), Loops::Open);
        let any = busiest_of(self.graph(), &self.states, threads, Loops::All);
        // A loop that ends some day is to blame only if no other has gone round often.
        let often = |(rounds, ..): &(u64, ThreadId, Repetition)| *rounds >= self.bounds.rounds;
        let (_, thread, what) = open.filter(often).or(any.filter(often)).or(open).or(any)?;
        let mut finding = Finding::endless(what, VERY_LONG);
        finding.thread = thread;
        Some(self.located(finding))
    }
}

/// What some threads repeat most often: how often, which thread, and what it repeats.
pub(super) fn busiest_of(
    graph: &Graph,
    states: &States,
    threads: Range<ThreadId>,
    which: Loops,
) -> Option<(u64, ThreadId, Repetition)> {
    let mut worst: Option<(u64, ThreadId, Repetition)> = None;
    for thread in (threads.start.0..threads.end.0).map(ThreadId) {
        let at = graph.thread(thread).pending.snapshot;
        let busiest = if at == Snapshot::EMPTY { None } else { states.busiest(at, which) };
        if let Some((rounds, what)) = busiest {
            if worst.is_none_or(|(most, ..)| rounds > most) {
                worst = Some((rounds, thread, what));
            }
        }
    }
    worst
}

/// Whether the system has this many bytes for this process: asks for them, and gives them back untouched.
fn can_get(bytes: usize) -> bool {
    let mut probe: Vec<u8> = Vec::new();
    let has = probe.try_reserve_exact(bytes).is_ok();
    black_box(&probe); // Or the compiler might see that nobody uses it.
    has
}

#[cfg(test)]
mod tests {
    use super::can_get;

    #[test]
    fn what_the_system_has_not_got_is_refused() {
        assert!(can_get(1 << 20));
        assert!(!can_get(usize::MAX / 2 - 1)); // More than there are addresses.
        assert!(!can_get(usize::MAX));
    }
}
