//! Work that one worker hands to another: a choice with some of its options, and all that they need.
//!
//! I1: it is the last part of what the giver has left, in the order in which it would be explored: the upper half
//! of the options of the oldest choice that has any.
//! I2: all that these options lead to is the same for whoever explores them: it depends on the graph, on the
//! images of threads, and on the numbers of threads; the numbers of locations only have to be those of the graph.

use crate::explore::choices::asked::Asked;
use crate::explore::choices::frames::Frame;
use crate::explore::regimes::Regime;
use crate::explore::threads::epilogue::Epilogue;
use crate::explore::threads::numbers::ThreadTable;
use crate::explore::Explorer;
use crate::graph::Graph;
use crate::ids::EventId;
use crate::vm::Arena;

/// A part of an exploration.
pub(in crate::explore) struct Work {
    graph: Graph,
    arena: Arena,
    frame: Frame,
    options: Vec<EventId>,
    /// Addresses and sizes of the graph's locations, by number.
    locations: Vec<(u64, u8)>,
    threads: ThreadTable,
    /// Bytes of the graphs that revisits led through.
    inherited: usize,
}

impl<R: Regime> Explorer<'_, R> {
    /// Parts with the last options that are left, if there are any.
    pub(in crate::explore) fn part_with_work(&mut self) -> Option<Work> {
        let frame = self.frames.iter_mut().find(|frame| frame.next < frame.end)?;
        let from = frame.next + (frame.end - frame.next) / 2;
        let options = self.options[from..frame.end].to_vec();
        let revisits = frame.revisits.max(from) - from;
        frame.end = from;
        let before: usize = self.graphs[..frame.level].iter().map(Graph::bytes).sum();
        Some(Work {
            inherited: self.inherited + before,
            // With its changes to rows, so that it can go back to the choice.
            graph: self.graphs[frame.level].clone(),
            arena: self.arena.copy_below(frame.arena),
            frame: Frame { level: 0, first: 0, next: 0, revisits, end: options.len(), ..*frame },
            options,
            locations: self.locations.names(),
            threads: self.threads.closed(),
        })
    }

    /// Stands where the giver stood with what it gave; to go back is to start.
    pub(in crate::explore) fn take_over(&mut self, work: Work) {
        self.level = 0;
        self.graphs[0] = work.graph;
        self.arena = work.arena;
        self.frames.clear();
        self.frames.push(work.frame);
        self.options = work.options;
        self.locations.follow(&work.locations, &self.memory);
        self.threads = work.threads;
        self.inherited = work.inherited;
        // They know threads' states by where these lay in another arena.
        self.asked = Asked::new();
        self.epilogue = Epilogue::default();
    }
}
