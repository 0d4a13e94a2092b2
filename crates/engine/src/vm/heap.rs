//! The heaps: where a new object goes, and the private objects that live in an image.
//!
//! The private segment is the thread-locals, then a directory with two words per object ever made
//! (offset and size, position of the data), then the data of the live ones, each followed by its marks. Freeing drops the data
//! and keeps the entry, so that a second free or a late access is not mistaken for a wild one. The highest
//! two bits of an entry's size say who ends its lifetime.
//!
//! I1: the directory is sorted by offset, because the bump pointer only grows.
//! I2: positions count from the first data word, so that the directory can grow before them.

use super::image::{pack, Field, Fields, HEADER};
use super::private::Place;
use super::Vm;
use crate::program::{around, Extent, Owner, Program, GAP, OFFSET_MASK, SLACK};

/// Where a thread's shared heap starts.
pub(super) const SHARED_START: u32 = 4096;
/// Allocations of at least this many bytes fail: it is the size of the address space.
pub(super) const NO_ROOM: u64 = 1 << 47;
const ALIGNMENT: u64 = 16;
/// The most words that a private segment may have: each event copies it.
const PRIVATE_LIMIT: usize = 1 << 20;
/// The data position of a freed object.
const FREED: u64 = u64::MAX;
/// The first bit of an entry that says who ends the object's lifetime.
const OWNER_SHIFT: u32 = 62;

/// Where a thread's private heap starts.
pub(super) fn private_start(program: &Program) -> u32 {
    (u64::from(program.thread_locals_end()).next_multiple_of(ALIGNMENT) + GAP) as u32
}

/// The offset of a new object, and of what may follow it; None if it does not fit.
pub(super) fn place(next: u32, size: u64, alignment: u64) -> Option<(u32, u32)> {
    let at = u64::from(next).checked_next_multiple_of(alignment.max(ALIGNMENT))?;
    let after = at.checked_add(size.max(1))?.checked_add(GAP)?;
    (after <= OFFSET_MASK).then_some((at as u32, after as u32))
}

/// What the private heap knows about an offset.
pub(super) enum Object {
    /// It is in no object, alive or freed.
    None,
    /// It is in an object that has been freed.
    Freed {
        /// Who ended it.
        owner: Owner,
    },
    /// It is in a live object.
    Live(Entry),
}

/// A live private object.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    index: usize,
    /// Its offset in the region.
    pub(super) offset: usize,
    /// Its size in bytes.
    pub(super) size: usize,
    /// Who ends its lifetime.
    pub(super) owner: Owner,
    /// Its first word in the image.
    pub(super) first: usize,
}

/// The size in an entry of the directory.
fn size_of(shape: u64) -> u64 {
    shape << (64 - OWNER_SHIFT) >> (96 - OWNER_SHIFT)
}

/// Words of an object's data, with its marks.
pub(super) fn words_of(size: usize) -> usize {
    size.div_ceil(8) + size.div_ceil(64)
}

impl Vm<'_> {
    /// Where the directory of an image ends.
    pub(super) fn end_of_directory(&self, image: &[u64]) -> usize {
        directory(self.program) + 2 * image.field(Field::Objects) as usize
    }
}

fn directory(program: &Program) -> usize {
    HEADER + program.tls.len().div_ceil(8)
}

/// The object that an offset is in; an empty object holds its start.
pub(super) fn object(program: &Program, image: &[u64], offset: usize) -> Object {
    let start = directory(program);
    let end = start + 2 * image.field(Field::Objects) as usize;
    let entries = image[start..end].as_chunks::<2>().0;
    let after = entries.partition_point(|entry| entry[0] as u32 as usize <= offset);
    let Some(index) = after.checked_sub(1) else {
        return Object::None;
    };
    let [shape, position] = entries[index];
    let (from, size) = (shape as u32 as usize, size_of(shape) as usize);
    let owner = Owner::from_bits(shape >> OWNER_SHIFT);
    match offset - from < size.max(1) {
        false => Object::None,
        true if position == FREED => Object::Freed { owner },
        true => Object::Live(Entry { index, offset: from, size, owner, first: end + position as usize }),
    }
}

/// The offsets of the object that an offset was computed from, alive or freed.
pub(super) fn extent(program: &Program, image: &[u64], offset: u64) -> Option<Extent> {
    let start = directory(program);
    let end = start + 2 * image.field(Field::Objects) as usize;
    let entries = image[start..end].as_chunks::<2>().0;
    let after = entries.partition_point(|entry| entry[0] as u32 as u64 <= offset + SLACK);
    let shape = entries[after.checked_sub(1)?][0];
    let from = u64::from(shape as u32);
    around((from, from + size_of(shape)), offset)
}

/// Where bytes of a live object are.
pub(super) fn locate(program: &Program, image: &[u64], from: usize, size: usize) -> Option<Place> {
    match object(program, image, from) {
        Object::Live(entry) if from + size <= entry.offset + entry.size => {
            let inside = from - entry.offset;
            let marks = (entry.first + entry.size.div_ceil(8)) * 64;
            Some(Place { at: entry.first * 8 + inside, marks: marks + inside })
        }
        _ => None,
    }
}

/// Makes a private object of zeros, of which none is marked as written, in the image at the top of `words`; None if it does not fit.
pub(super) fn allocate(
    program: &Program,
    words: &mut Vec<u64>,
    start: usize,
    size: u64,
    alignment: u64,
    owner: Owner,
) -> Option<u32> {
    let image = &mut words[start..];
    let (offset, next) = place(image.field(Field::PrivateNext), size, alignment)?;
    let stack = image.field(Field::Stack) as usize;
    let data = words_of(size as usize);
    if stack + 2 + data > PRIVATE_LIMIT {
        return None;
    }
    let objects = image.field(Field::Objects);
    let end = directory(program) + 2 * objects as usize;
    image.set_field(Field::PrivateNext, next);
    image.set_field(Field::Objects, objects + 1);
    image.set_field(Field::Stack, (stack + 2 + data) as u32);
    let shape = pack(offset, size as u32) | (owner as u64) << OWNER_SHIFT;
    let entry = [shape, (stack - end) as u64];
    words.splice(start + stack..start + stack, std::iter::repeat_n(0, data));
    words.splice(start + end..start + end, entry);
    Some(offset)
}

/// Ends the lifetime of a private object in the image at the top of `words`.
pub(super) fn release(program: &Program, words: &mut Vec<u64>, start: usize, entry: Entry) {
    let data = words_of(entry.size);
    let image = &mut words[start..];
    let directory = directory(program);
    let objects = image.field(Field::Objects) as usize;
    image[directory + 2 * entry.index + 1] = FREED;
    for later in entry.index + 1..objects {
        let position = &mut image[directory + 2 * later + 1];
        if *position != FREED {
            *position -= data as u64;
        }
    }
    let stack = image.field(Field::Stack);
    image.set_field(Field::Stack, stack - data as u32);
    let first = start + entry.first;
    words.drain(first..first + data);
}
