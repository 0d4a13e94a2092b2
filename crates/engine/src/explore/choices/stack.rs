//! The stack of choices: what the recursion of VISIT would keep.
//!
//! I1: the options of a frame are a range of one list, and those of a newer frame come after it. A frame stays while its
//! last option is explored, so that the frames are the choices on the way to the current graph (`taken`).
//! I2: the shares of what is explored, of the option at hand, and of the options that are left add up to `all`, which has
//! nothing of what was given to other workers. Whole numbers keep that exact: what a division leaves over goes to the
//! option at hand. What is explored is computed from the others when somebody asks, so that exploring need not add it up.

use crate::explore::choices::frames::Frame;
use crate::ids::EventId;

/// The share of a whole exploration.
pub(in crate::explore) const WHOLE: u64 = 1 << 63;

/// Choices with options that are left.
#[derive(Default)]
pub(in crate::explore) struct Choices {
    frames: Vec<Frame>,
    /// The options of all frames, one after the other, and then those of the choice that is being made.
    options: Vec<EventId>,
    /// The share of all that there was to explore.
    all: u64,
    /// The share of the option that is being explored, without what its own choices have left.
    at_hand: u64,
    /// What was taken before the oldest frame, by the workers that had it before.
    before: Way,
}

/// A choice with some of its options, for another worker.
pub(in crate::explore) struct Part {
    pub frame: Frame,
    pub options: Vec<EventId>,
    pub before: Way,
}

/// The options that lead to a choice that was given to another worker.
#[derive(Clone, Default)]
pub(in crate::explore) struct Way {
    /// How many options each choice before it had used up, with the one that leads on.
    taken: Vec<u32>,
    /// How many of its own options were left to others.
    skipped: u32,
}

impl Choices {
    /// No choice has been made: all is to be explored.
    pub fn new() -> Choices {
        Choices { all: WHOLE, at_hand: WHOLE, ..Choices::default() }
    }

    /// The share of what has been explored since the start, or since work was taken over.
    pub fn explored(&self) -> u64 {
        let left = |frame: &Frame| frame.share * (frame.end - frame.next) as u64;
        self.all - self.at_hand - self.frames.iter().map(left).sum::<u64>()
    }

    /// How many choices there are on the way to the current graph, if none was taken over.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// How many options each choice on the way to the current graph has used up, with the one that leads on.
    pub fn taken(&self) -> Vec<u32> {
        let mut taken = self.before.taken.clone();
        taken.extend(self.frames.iter().map(|frame| (frame.next - frame.first) as u32));
        if let Some(oldest) = taken.get_mut(self.before.taken.len()) {
            *oldest += self.before.skipped;
        }
        taken
    }

    /// Leaves one option to the choice at a depth: the one with which it has used up so many. Newer choices, which were
    /// made with another option, are gone then. False if the option at hand is this one, or there is none like that.
    pub fn narrow(&mut self, depth: usize, wanted: u32) -> bool {
        let frame = &mut self.frames[depth];
        let place = frame.first + wanted as usize;
        if place <= frame.next || place > frame.end {
            frame.end = frame.next;
            return false;
        }
        (frame.next, frame.end) = (place - 1, place);
        self.frames.truncate(depth + 1);
        true
    }

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
    pub fn push(&mut self, mut frame: Frame) {
        frame.share = self.at_hand / (frame.end - frame.first) as u64;
        self.at_hand -= frame.share * (frame.end - frame.next) as u64;
        self.frames.push(frame);
    }

    /// The newest choice that has an option left, that option, and whether it is a read to revisit.
    #[inline]
    pub fn next(&mut self) -> Option<(Frame, EventId, bool)> {
        self.at_hand = 0;
        loop {
            let frame = self.frames.last_mut()?;
            if frame.next == frame.end {
                self.options.truncate(frame.first);
                self.frames.pop();
                continue;
            }
            let (option, revisits) = (self.options[frame.next], frame.next >= frame.revisits);
            frame.next += 1;
            self.at_hand = frame.share;
            return Some((*frame, option, revisits));
        }
    }

    /// Parts with the upper half of the options of the oldest choice that has any: the choice with these alone.
    pub fn part_with_half(&mut self) -> Option<Part> {
        let number = self.frames.iter().position(|frame| frame.next < frame.end)?;
        let frame = &mut self.frames[number];
        let from = frame.next + (frame.end - frame.next) / 2;
        let options = self.options[from..frame.end].to_vec();
        let revisits = frame.revisits.max(from) - from;
        self.all -= frame.share * options.len() as u64;
        frame.end = from;
        let skipped = (from - frame.first) as u32;
        let frame = Frame { first: 0, next: 0, revisits, end: options.len(), ..*frame };
        let mut taken = self.taken();
        taken.truncate(self.before.taken.len() + number);
        let skipped = if number == 0 { self.before.skipped + skipped } else { skipped };
        Some(Part { frame, options, before: Way { taken, skipped } })
    }

    /// Starts from a choice that another worker has parted with.
    pub fn take_over(&mut self, part: Part) {
        (self.all, self.at_hand) = (part.frame.share * part.options.len() as u64, 0);
        self.frames.clear();
        self.frames.push(part.frame);
        self.options = part.options;
        self.before = part.before;
    }

    /// Takes the newest choice away, with all of its options, taken or not.
    pub fn take_newest(&mut self) -> Option<(Frame, Vec<EventId>)> {
        let frame = self.frames.pop()?;
        Some((frame, self.options.split_off(frame.first)))
    }

    /// Forgets all choices.
    pub fn clear(&mut self) {
        self.frames.clear();
        self.options.clear();
        self.before = Way::default();
    }

    /// Bytes that it has taken, in use or not.
    pub fn bytes_reserved(&self) -> usize {
        self.frames.capacity() * size_of::<Frame>()
            + self.options.capacity() * size_of::<EventId>()
            + self.before.taken.capacity() * size_of::<u32>()
    }
}
