//! Private memory: where the bytes behind a FRAME or PRIVATE address are.
//!
//! A frame object whose first byte is the n-th of the stack has the address n * `FRAME_SCALE`; its other
//! bytes follow. So there are gaps between the addresses of objects that are adjacent in the image.
//!
//! I1: what `resolve` gives lies inside one live object of the image's own thread.

use super::heap;
use super::image::{frames, thread, Field, Fields, HEADER};
use super::values::mask;
use crate::program::{
    address, around, offset, region, thread_of, Extent, Program, Region, FRAME_SCALE, SLACK,
};

/// Whether an address is in FRAME or PRIVATE.
#[inline(always)]
pub(super) fn is_private(address: u64) -> bool {
    address >> 45 == Region::FRAME >> 1
}

/// Where some bytes of private memory are in an image.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The first byte, in bytes from the image's start.
    pub(super) at: usize,
    /// The first byte's mark, in bits from the image's start; `NONE` if the bytes count as written from the start.
    pub(super) marks: usize,
}

impl Place {
    /// The place of bytes that come later in the same object.
    #[inline]
    pub(super) fn after(self, bytes: usize) -> Place {
        let marks = if self.marks == NONE { NONE } else { self.marks + bytes };
        Place { at: self.at + bytes, marks }
    }
}

/// Instead of the position of marks.
const NONE: usize = usize::MAX;

/// Where `size` bytes of private memory are.
pub(super) fn resolve(program: &Program, image: &[u64], address: u64, size: usize) -> Option<Place> {
    if thread_of(address) != thread(image) {
        return None;
    }
    let from = offset(address) as usize;
    if region(address) == Region::FRAME {
        return in_frames(program, image, from, size);
    }
    if from < program.thread_locals_end() as usize {
        return in_thread_locals(program, from, size);
    }
    heap::locate(program, image, from, size)
}

/// Bytes of a thread-local, which are zeros at first, or what the program says.
fn in_thread_locals(program: &Program, from: usize, size: usize) -> Option<Place> {
    let local = program.thread_local(from as u64)?;
    let inside = from + size <= local.end() as usize;
    inside.then(|| Place {
        at: HEADER * 8 + local.position as usize + from - local.offset as usize,
        marks: NONE,
    })
}

/// Bytes of a frame object.
fn in_frames(program: &Program, image: &[u64], from: usize, size: usize) -> Option<Place> {
    let ((start, end), place) = frame_object(program, image, from as u64)?;
    let inside = (from as u64).checked_sub(start)?;
    let fits = inside + size as u64 <= end - start;
    fits.then(|| place.after(inside as usize))
}

/// The last frame object that starts at or before an offset: its offsets, and where it starts.
fn frame_object(program: &Program, image: &[u64], from: u64) -> Option<(Extent, Place)> {
    let stack = image.field(Field::Stack) as usize;
    let reached = from / FRAME_SCALE;
    for frame in frames(image) {
        let function = &program.functions[frame.function.at()];
        let first = ((frame.base - stack + function.registers as usize) * 8) as u64;
        let Some(inside) = reached.checked_sub(first) else { continue };
        let after = function.objects.partition_point(|object| u64::from(object.offset) <= inside);
        let Some(object) = function.objects[..after].last() else { continue };
        let place = first + u64::from(object.offset);
        let start = place * FRAME_SCALE;
        let marks = (frame.base + function.registers as usize + function.object_words()) * 64;
        let begin = Place { at: stack * 8 + place as usize, marks: marks + object.offset as usize };
        return Some(((start, start + u64::from(object.size)), begin));
    }
    None
}

/// The private object of the image's thread that an address was computed from.
pub(super) fn extent(program: &Program, image: &[u64], base: u64) -> Option<Extent> {
    if thread_of(base) != thread(image) {
        return None;
    }
    let from = offset(base);
    let found = if region(base) == Region::FRAME {
        let (extent, _) = frame_object(program, image, from + SLACK)?;
        around(extent, from)
    } else if from <= u64::from(program.thread_locals_end()) + SLACK {
        let local = program.thread_local(from + SLACK)?;
        around((local.offset.into(), local.end().into()), from)
    } else {
        heap::extent(program, image, from)
    };
    let absolute = |at| address(region(base), thread(image), 0) + at;
    found.map(|(start, end)| (absolute(start), absolute(end)))
}

/// Whether all of some bytes were written.
#[inline]
pub(super) fn is_written(image: &[u64], place: Place, size: usize) -> bool {
    place.marks == NONE || marks(place, size).all(|(word, bits)| image[word] & bits == bits)
}

/// Notes that some bytes were written.
#[inline]
pub(super) fn mark_written(image: &mut [u64], place: Place, size: usize) {
    if place.marks != NONE {
        marks(place, size).for_each(|(word, bits)| image[word] |= bits);
    }
}

/// The words that the marks of some bytes are in, and which of their bits these are.
#[inline(always)]
fn marks(place: Place, size: usize) -> impl Iterator<Item = (usize, u64)> {
    let end = place.marks + size;
    let after = move |bit: usize| (bit / 64 * 64 + 64).min(end);
    std::iter::successors(Some(place.marks), move |&bit| Some(after(bit)))
        .take_while(move |&bit| bit < end)
        .map(move |bit| (bit / 64, mask((after(bit) - bit) as u8) << (bit % 64)))
}

/// Writes up to 8 bytes, and notes that they were written.
#[inline]
pub(super) fn store(image: &mut [u64], place: Place, size: u8, value: u64) {
    write(image, place.at, size, value);
    mark_written(image, place, usize::from(size));
}

/// Reads up to 8 bytes at a byte position.
#[inline]
pub(super) fn read(image: &[u64], position: usize, size: u8) -> u64 {
    let (word, shift) = (position / 8, position % 8 * 8);
    let bits = usize::from(size) * 8;
    let mut value = image[word] >> shift;
    if shift + bits > 64 {
        value |= image[word + 1] << (64 - shift);
    }
    value & mask(bits as u8)
}

/// Writes up to 8 bytes at a byte position.
#[inline]
fn write(image: &mut [u64], position: usize, size: u8, value: u64) {
    let (word, shift) = (position / 8, position % 8 * 8);
    let bits = usize::from(size) * 8;
    let kept = mask(bits as u8);
    let value = value & kept;
    image[word] = image[word] & !(kept << shift) | value << shift;
    if shift + bits > 64 {
        let done = 64 - shift;
        image[word + 1] = image[word + 1] & !(kept >> done) | value >> done;
    }
}
