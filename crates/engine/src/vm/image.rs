//! Thread images: everything a thread is, as one flat run of words.
//!
//! An image is a header, then the private segment, then the stack of frames:
//!
//! ```text
//! header   pc | endless             two 32-bit halves per word, low half first
//!          function | thread        endless: 1 if the step limit was hit, 2 if it spins, 3 if it pauses
//!          frame | stack            positions: of the top frame's registers in the stack, of the stack
//!          shared | private         where the next object of each heap goes
//!          objects | children       private objects ever made, threads created
//! private  thread-locals, a directory of two words per object, the objects' data and marks
//! frames   pc | function of the call, position of the caller's registers; registers; objects, marks
//! ```
//!
//! Marks are a bit per byte of a private object, which says whether the byte was ever written.
//!
//! I1: positions are relative to the image (`stack`) or to its stack (`frame`), so that an image
//!     can be copied anywhere, and the private segment can grow under the stack.
//! I2: an image ends where its top frame ends; a running image is the last in its arena, so that
//!     calls push and returns truncate.
//! I3: an image at rest has its pc at the instruction that waits, and has changed nothing for it.

use super::tracking::Shadow;
use crate::ids::{FunctionId, ThreadId};

/// A stack of thread images.
#[derive(Clone, Debug, Default)]
pub struct Arena {
    pub(super) words: Vec<u64>,
    pub(super) steps: u64,
    /// Loops that have bounds and went round since the running thread's last access.
    pub(super) counted: Vec<u32>,
    /// What the words were computed from, if that is tracked.
    pub(super) shadow: Shadow,
}

impl Arena {
    /// An empty arena.
    pub fn new() -> Self {
        Self::default()
    }

    /// Words in use.
    #[inline]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }

    /// Bytes taken, in use or not.
    pub fn bytes_reserved(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }

    /// Jumps, calls and private accesses that images on it have made so far: a measure of time.
    #[inline]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether no image is in it.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Drops everything above a length that `len` returned.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.words.truncate(len);
    }

    /// A copy of everything below a length that `len` returned.
    pub fn copy_below(&self, len: usize) -> Arena {
        let (words, shadow) = (self.words[..len].to_vec(), self.shadow.copy_below(len));
        Arena { words, steps: self.steps, counted: Vec::new(), shadow }
    }

    #[inline]
    pub(super) fn image(&self, at: Snapshot) -> &[u64] {
        &self.words[at.start as usize..(at.start + at.len) as usize]
    }
}

/// A thread image in an arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Snapshot {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl Snapshot {
    /// No image.
    pub const EMPTY: Snapshot = Snapshot { start: 0, len: 0 };

    /// The arena's length with this image on top.
    #[inline]
    pub fn end(self) -> usize {
        (self.start + self.len) as usize
    }

    /// Words in the image.
    #[inline]
    pub fn words(self) -> usize {
        self.len as usize
    }
}

pub(super) const HEADER: usize = 5;
/// Words of a frame before its registers.
pub(super) const LINKS: usize = 2;
/// The caller's position in the outermost frame.
pub(super) const NO_CALLER: u64 = u64::MAX;

/// A half of a header word.
#[derive(Clone, Copy)]
pub(super) enum Field {
    Pc,
    Endless,
    Function,
    Thread,
    Frame,
    Stack,
    SharedNext,
    PrivateNext,
    Objects,
    Children,
}

/// Reads and writes the header of an image.
pub(super) trait Fields {
    fn field(&self, field: Field) -> u32;
    fn set_field(&mut self, field: Field, value: u32);
    /// Moves a thread that is not in an endless loop. Writes the whole word: a narrower store would
    /// stall the wider load of the next copy.
    fn set_pc(&mut self, pc: usize);
}

impl Fields for [u64] {
    #[inline(always)]
    fn field(&self, field: Field) -> u32 {
        let word = self[field as usize / 2];
        (word >> (field as usize % 2 * 32)) as u32
    }

    #[inline(always)]
    fn set_field(&mut self, field: Field, value: u32) {
        let shift = field as usize % 2 * 32;
        let word = &mut self[field as usize / 2];
        *word = *word & !(0xffff_ffff << shift) | u64::from(value) << shift;
    }

    #[inline(always)]
    fn set_pc(&mut self, pc: usize) {
        self[Field::Pc as usize / 2] = pc as u64;
    }
}

/// The header of an image, and what lies from its top frame's registers on.
#[inline(always)]
pub(super) fn split(image: &mut [u64]) -> (&mut [u64; HEADER], &mut [u64]) {
    let base = base(image);
    let (head, rest) = image.split_first_chunk_mut().expect("an image starts with its header");
    (head, &mut rest[base - HEADER..])
}

/// A pair of halves, as a header word or a frame's link keeps them.
#[inline(always)]
pub(super) fn pack(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// The thread of an image.
#[inline(always)]
pub(super) fn thread(image: &[u64]) -> ThreadId {
    ThreadId(image.field(Field::Thread))
}

/// Where the top frame's registers are in the image.
#[inline(always)]
pub(super) fn base(image: &[u64]) -> usize {
    image.field(Field::Stack) as usize + image.field(Field::Frame) as usize
}

/// A frame of a thread, as a walk from the top meets it.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The function.
    pub(super) function: FunctionId,
    /// Where it is: at its call, in all but the top frame.
    pub(super) pc: u32,
    /// Where its registers are in the image.
    pub(super) base: usize,
}

/// The frames of an image, innermost first.
pub(super) fn frames(image: &[u64]) -> impl Iterator<Item = Frame> + '_ {
    let stack = image.field(Field::Stack) as usize;
    let top = Frame {
        function: FunctionId(image.field(Field::Function)),
        pc: image.field(Field::Pc),
        base: base(image),
    };
    std::iter::successors(Some(top), move |frame| {
        let (call, caller) = (image[frame.base - 2], image[frame.base - 1]);
        (caller != NO_CALLER).then(|| Frame {
            function: FunctionId((call >> 32) as u32),
            pc: call as u32,
            base: stack + caller as usize,
        })
    })
}
