//! Going back to the newest choice that has an option left, and taking it.

use crate::explore::choices::frames::{Choice, Frame};
use crate::explore::regimes::Regime;
use crate::explore::{Explorer, Stop};
use crate::ids::EventId;

impl<R: Regime> Explorer<'_, R> {
    /// Takes the next option. False if there is none: everything has been explored.
    pub(in crate::explore) fn backtrack(&mut self) -> Result<bool, Stop> {
        self.epilogue.start_again();
        loop {
            let Some(frame) = self.frames.last_mut() else { return Ok(false) };
            if frame.next == frame.end {
                self.options.truncate(frame.first);
                self.frames.pop();
                continue;
            }
            let (option, revisits) = (self.options[frame.next], frame.next >= frame.revisits);
            frame.next += 1;
            let frame = *frame;
            if frame.next == frame.end {
                self.options.truncate(frame.first);
                self.frames.pop();
            }
            self.rewind(&frame);
            if self.take(&frame, option, revisits)? {
                return Ok(true);
            }
        }
    }

    /// Restores the graph and the arena to what they were when the frame was made.
    #[inline]
    fn rewind(&mut self, frame: &Frame) {
        self.level = frame.level;
        let graph = &mut self.graphs[frame.level];
        while graph.len() > frame.event.at() + 1 {
            graph.pop();
        }
        graph.undo_to(frame.mark);
        graph.unlink(frame.event);
        let is_read = matches!(frame.choice, Choice::Source);
        if !is_read || R::RENEWS_READS {
            self.plan.reenter(graph, frame.event);
        }
        if is_read {
            R::return_to(graph, frame.event);
        }
        self.arena.truncate(frame.arena);
    }

    fn take(&mut self, frame: &Frame, option: EventId, revisits: bool) -> Result<bool, Stop> {
        match frame.choice {
            Choice::Source => self.read_from(frame.event, option, !R::RENEWS_READS)?,
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
                self.plan.reenter(&mut self.graphs[self.level], read);
                self.place_revisit(read, frame.event, option)?;
            }
        }
        Ok(true)
    }
}
