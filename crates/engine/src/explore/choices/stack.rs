//! The stack of choices: what the recursion of VISIT would keep.
//!
//! I1: the options of a frame are a range of one list, and those of a newer frame come after it. A frame that takes its
//! last option is gone before the option is explored, so that the stack is as deep as there are choices left.

use crate::explore::choices::frames::Frame;
use crate::ids::EventId;

/// Choices with options that are left.
#[derive(Default)]
pub(in crate::explore) struct Choices {
    frames: Vec<Frame>,
    /// The options of all frames, one after the other, and then those of the choice that is being made.
    options: Vec<EventId>,
}

impl Choices {
    /// Where the next option will be.
    #[inline(always)]
    pub fn end(&self) -> usize {
        self.options.len()
    }

    /// The list, to append the options of a new choice.
    #[inline(always)]
    pub fn options(&mut self) -> &mut Vec<EventId> {
        &mut self.options
    }

    /// An option of the choice that is being made, by its place.
    #[inline(always)]
    pub fn option(&self, place: usize) -> Option<EventId> {
        self.options.get(place).copied()
    }

    /// Forgets the options from a place on.
    #[inline(always)]
    pub fn forget_from(&mut self, place: usize) {
        self.options.truncate(place);
    }

    /// Keeps of the options from a place on those that pass a test.
    pub fn retain_from(&mut self, place: usize, mut keeps: impl FnMut(EventId) -> bool) {
        let mut kept = place;
        for at in place..self.options.len() {
            let option = self.options[at];
            if keeps(option) {
                self.options[kept] = option;
                kept += 1;
            }
        }
        self.options.truncate(kept);
    }

    /// Keeps a choice whose options are the newest.
    #[inline]
    pub fn push(&mut self, frame: Frame) {
        self.frames.push(frame);
    }

    /// The newest choice that has an option left, that option, and whether it is a read to revisit.
    #[inline]
    pub fn next(&mut self) -> Option<(Frame, EventId, bool)> {
        loop {
            let frame = self.frames.last_mut()?;
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
            return Some((frame, option, revisits));
        }
    }

    /// Parts with the upper half of the options of the oldest choice that has any: the choice with these alone.
    pub fn part_with_half(&mut self) -> Option<(Frame, Vec<EventId>)> {
        let frame = self.frames.iter_mut().find(|frame| frame.next < frame.end)?;
        let from = frame.next + (frame.end - frame.next) / 2;
        let options = self.options[from..frame.end].to_vec();
        let revisits = frame.revisits.max(from) - from;
        frame.end = from;
        Some((Frame { first: 0, next: 0, revisits, end: options.len(), ..*frame }, options))
    }

    /// Starts from a choice that another worker has parted with.
    pub fn take_over(&mut self, frame: Frame, options: Vec<EventId>) {
        self.frames.clear();
        self.frames.push(frame);
        self.options = options;
    }

    /// Bytes that it has taken, in use or not.
    pub fn bytes_reserved(&self) -> usize {
        self.frames.capacity() * size_of::<Frame>() + self.options.capacity() * size_of::<EventId>()
    }
}
