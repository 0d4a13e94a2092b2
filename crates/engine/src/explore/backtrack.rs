//! Going back to the newest choice that has an option left, and taking it.

use super::frames::{Choice, Frame};
use super::{Explorer, Stop};
use crate::ids::EventId;

impl Explorer<'_> {
    /// Takes the next option. False if there is none: everything has been explored.
    pub(super) fn backtrack(&mut self) -> Result<bool, Stop> {
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
        while graph.len() > frame.len {
            graph.pop();
        }
        graph.views.undo_to(frame.trail);
        self.arena.truncate(frame.arena);
    }

    fn take(&mut self, frame: &Frame, option: EventId, revisits: bool) -> Result<bool, Stop> {
        match frame.choice {
            Choice::Source => {
                let read = self.graph_mut().push(frame.event);
                self.read_from(read, option)?;
            }
            Choice::Place => {
                let write = self.push_again(frame.event, frame.after);
                if revisits {
                    return self.revisit(option, write);
                }
                self.place(write, option)?;
            }
            Choice::Revisit { read, write } => {
                self.displace_revisit(read, write);
                self.place_revisit(read, write, option)?;
            }
        }
        Ok(true)
    }
}
