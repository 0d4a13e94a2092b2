//! Fills and copies of many bytes in one step.
//!
//! FILL and COPY do the work of the accesses that follow them in the code, or answer that they did not. A
//! thread does them alone if all bytes are private or constant. In the prologue, where accesses are not
//! events, the owner of initial memory does them. In all other cases the accesses are made one by one, and
//! they cause any finding.
//!
//! I1: they are done only if the target's bytes lie in one live object that may be written, and the source's
//!     in one live object: so the accesses would not have caused a finding.
//! I2: the work counts as steps, so that a loop of fills is found to be endless as soon as a loop of accesses
//!     is. So does a change of the private heap, which moves the data after it.

use super::heap::NO_ROOM;
use super::image::{Arena, Snapshot};
use super::private::{is_private, read, resolve, store, Place};
use super::request::Request;
use super::Vm;
use crate::program::{Instr, Op};

/// `x` of a COPY whose source and target may have bytes in common.
const OVERLAPPING: u8 = 1;
/// Bytes that are filled or copied per step.
const BYTES_PER_STEP: u64 = 64;

/// The number of steps that some bytes count as, at least one.
pub fn bulk_steps(size: u64) -> u64 {
    1 + size / BYTES_PER_STEP
}

/// Takes the steps for moving some words, except for one, which the caller takes.
#[inline]
pub(super) fn pay_for(words: usize, steps: &mut u64) {
    let taken = bulk_steps(8 * words as u64) - 1;
    *steps = steps.saturating_sub(taken).max(1);
}

impl Vm<'_> {
    /// Does a FILL or COPY, or finds that it cannot be done at once; false if a request is needed.
    pub(super) fn bulk(&self, image: &mut [u64], i: &Instr, steps: &mut u64) -> bool {
        let (to, from) = (self.operand(image, i.a), self.operand(image, i.b));
        let size = self.operand(image, i.c);
        if size == 0 {
            return self.finish(image, i.dst, 1);
        }
        let smears = i.op == Op::Copy && i.x != OVERLAPPING && to.abs_diff(from) < size;
        let possible = size < NO_ROOM && !smears;
        let done = possible && self.bulk_alone(image, i, size as usize);
        if possible && !done && self.in_prologue {
            return false;
        }
        if done {
            pay_for((size / 8) as usize, steps);
        }
        self.finish(image, i.dst, u64::from(done))
    }

    fn bulk_alone(&self, image: &mut [u64], i: &Instr, size: usize) -> bool {
        let (to, from) = (self.operand(image, i.a), self.operand(image, i.b));
        let Some(at) = self.own_place(image, to, size) else { return false };
        if i.op == Op::Fill {
            fill(image, at, size, from as u8);
            return true;
        }
        let bytes = self.own_bytes(image, from, size).or_else(|| self.constants.bytes(from, size));
        bytes.map(|bytes| put(image, at, &bytes)).is_some()
    }

    fn own_place(&self, image: &[u64], address: u64, size: usize) -> Option<Place> {
        if is_private(address) {
            resolve(self.program, image, address, size)
        } else {
            None
        }
    }

    fn own_bytes(&self, image: &[u64], address: u64, size: usize) -> Option<Vec<u8>> {
        self.own_place(image, address, size).map(|place| take(image, place.at, size))
    }

    /// The request for a FILL or COPY that the thread cannot do alone.
    pub(super) fn bulk_request(&self, image: &[u64], i: &Instr) -> Request {
        let (address, size) = (self.operand(image, i.a), self.operand(image, i.c));
        match (i.op, self.operand(image, i.b)) {
            (Op::Fill, byte) => Request::Fill { address, size, byte: byte as u8 },
            (_, source) => Request::Copy { address, size, source },
        }
    }

    /// Bytes of a private object of the image's thread.
    pub fn private_bytes(&self, arena: &Arena, at: Snapshot, address: u64, size: u64) -> Option<Vec<u8>> {
        self.own_bytes(arena.image(at), address, size as usize)
    }

    /// Writes bytes of a private object of the image's thread, for a COPY that it waits for. Whether they
    /// exist.
    pub fn put_private(&self, arena: &mut Arena, at: Snapshot, address: u64, bytes: &[u8]) -> bool {
        let image = &mut arena.words[at.start as usize..at.end()];
        let place = self.own_place(image, address, bytes.len());
        place.map(|place| put(image, place, bytes)).is_some()
    }
}

fn fill(image: &mut [u64], place: Place, size: usize, byte: u8) {
    for done in (0..size).step_by(8) {
        let length = (size - done).min(8) as u8;
        store(image, place.after(done), length, u64::from_le_bytes([byte; 8]));
    }
}

fn take(image: &[u64], position: usize, size: usize) -> Vec<u8> {
    let mut bytes = vec![0; size];
    for (number, chunk) in bytes.chunks_mut(8).enumerate() {
        let value = read(image, position + 8 * number, chunk.len() as u8);
        chunk.copy_from_slice(&value.to_le_bytes()[..chunk.len()]);
    }
    bytes
}

fn put(image: &mut [u64], place: Place, bytes: &[u8]) {
    for (number, chunk) in bytes.chunks(8).enumerate() {
        let mut value = [0; 8];
        value[..chunk.len()].copy_from_slice(chunk);
        store(image, place.after(8 * number), chunk.len() as u8, u64::from_le_bytes(value));
    }
}
