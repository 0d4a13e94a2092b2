//! Going back to the newest choice that has an option left, and taking it.

use crate::explore::choices::frames::{Choice, Frame};
use crate::explore::regimes::Regime;
use crate::explore::{Explorer, Stop};
use crate::ids::EventId;

impl<R: Regime> Explorer<'_, R> {
    /// Takes the next option. False if there is none: everything has been explored.
    #[inline(always)] // It has two callers, and in one of them runs once per execution.
    pub(in crate::explore) fn backtrack(&mut self) -> Result<bool, Stop> {
        self.epilogue.start_again();
        while let Some((frame, option, revisits)) = self.choices.next() {
            self.rewind(&frame);
            if self.take(&frame, option, revisits)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Restores the graph and the arena to what they were when the frame was made.
    #[inline(always)]
    pub(in crate::explore) fn rewind(&mut self, frame: &Frame) {
        self.graphs.go_back_to(frame.level);
        let graph = self.graphs.current_mut();
        while graph.len() > frame.event.at() + 1 {
            graph.pop();
        }
        graph.undo_to(frame.mark);
        if let (true, Choice::Section { count }) = (R::HAS_SECTIONS, frame.choice) {
            R::return_to_section(self, frame.event, count as usize);
            return self.states.go_back_to(frame.arena);
        }
        if matches!(frame.choice, Choice::Value) {
            self.plan.upkeep().reenter(graph, frame.event);
            R::return_to(graph, frame.event);
            return self.states.go_back_to(frame.arena);
        }
        R::unlink(graph, frame.event);
        let is_read = matches!(frame.choice, Choice::Source);
        if !is_read || R::RENEWS_READS {
            self.plan.upkeep().reenter(graph, frame.event);
        }
        if is_read {
            R::return_to(graph, frame.event);
        }
        self.states.go_back_to(frame.arena);
    }

    /// Takes an option of a choice that the graph stands at. False if nothing follows from it.
    #[inline(always)]
    pub(in crate::explore) fn take(
        &mut self,
        frame: &Frame,
        option: EventId,
        revisits: bool,
    ) -> Result<bool, Stop> {
        match frame.choice {
            Choice::Source => self.read_from(frame.event, option, !R::RENEWS_READS)?,
            Choice::Value => self.take_value(frame.event, option),
            Choice::Section { .. } => R::take_source_of_section(self, frame.event, option)?,
            Choice::Place => {
                let graph = self.graph_mut();
                let thread = graph.event(frame.event).thread;
                graph.thread_mut(thread).pending = frame.after;
                if revisits {
                    return self.revisit(option, frame.event);
                }
                self.place(frame.event, option)?;
            }
            Choice::Revisit { read } => {
                self.graphs.renew(read);
                R::place_revisit(self, read, frame.event, option)?;
            }
        }
        Ok(true)
    }
}
