//! Work that one worker hands to another: a choice with some of its options, and all that they need.
//!
//! I1: it is the last part of what the giver has left, in the order in which it would be explored: the upper half
//! of the options of the oldest choice that has any.
//! I2: all that these options lead to is the same for whoever explores them: it depends on the graph, on the
//! images of threads, and on the numbers of threads; the numbers of locations only have to be those of the graph.

use crate::explore::choices::frames::Frame;
use crate::explore::choices::stack::Part;
use crate::explore::regimes::Regime;
use crate::explore::threads::epilogue::Returns;
use crate::explore::threads::numbers::ThreadTable;
use crate::explore::Explorer;
use crate::graph::Graph;
use crate::vm::Arena;

/// A part of an exploration.
pub(in crate::explore) struct Work {
    graph: Graph,
    arena: Arena,
    part: Part,
    /// Addresses and sizes of the graph's locations, by number.
    locations: Vec<(u64, u8)>,
    threads: ThreadTable,
    returns: Returns,
    /// Bytes of the graphs that revisits led through.
    inherited: usize,
}

impl<R: Regime> Explorer<'_, R> {
    /// Parts with the last options that are left, if there are any.
    pub(in crate::explore) fn part_with_work(&mut self) -> Option<Work> {
        let part = self.choices.part_with_half()?;
        let frame = part.frame;
        Some(Work {
            inherited: self.inherited + self.graphs.bytes_below(frame.level),
            graph: self.graphs.copy_of(frame.level),
            arena: self.states.copy_below(frame.arena),
            part: Part { frame: Frame { level: 0, ..frame }, ..part },
            locations: self.locations.names(),
            threads: self.threads.closed(),
            returns: self.epilogue.returns(),
        })
    }

    /// Stands where the giver stood with what it gave; to go back is to start.
    pub(in crate::explore) fn take_over(&mut self, work: Work) {
        self.graphs.take_over(work.graph);
        self.states.take_over(work.arena);
        self.choices.take_over(work.part);
        self.locations.follow(&work.locations, &self.memory);
        self.threads = work.threads;
        self.inherited = work.inherited;
        self.epilogue.take_over(work.returns);
    }
}
