//! The bytes of globals; only bytes that were set take memory.
//!
//! Small globals are all in one vector. Bytes further away are in pages, which are made when a byte in them
//! is set to something other than zero: an array of 64 MB costs nothing by itself.

use std::collections::HashMap;

/// Offsets below this are in the vector, if there are globals.
pub const NEAR_BYTES: usize = 1 << 20;
const PAGE_BYTES: usize = 1 << 12;

/// Bytes by offset; all are zeros at first.
#[derive(Clone, Debug, Default)]
pub struct SparseBytes {
    near: Vec<u8>,
    pages: HashMap<usize, Box<[u8; PAGE_BYTES]>>,
}

impl SparseBytes {
    /// Makes the vector reach up to an offset, or to its end.
    pub fn reach(&mut self, end: usize) {
        let end = end.min(NEAR_BYTES).next_multiple_of(PAGE_BYTES);
        if self.near.len() < end {
            self.near.resize(end, 0);
        }
    }

    /// How many bytes the vector has.
    pub fn near(&self) -> usize {
        self.near.len()
    }

    /// How many bytes are stored.
    pub fn held(&self) -> usize {
        self.near.len() + self.pages.len() * PAGE_BYTES
    }

    /// Copies bytes out.
    #[inline]
    pub fn read(&self, at: usize, into: &mut [u8]) {
        if let Some(bytes) = self.near.get(at..at + into.len()) {
            into.copy_from_slice(bytes);
        } else {
            self.read_pages(at, into);
        }
    }

    fn read_pages(&self, at: usize, into: &mut [u8]) {
        for (from, part) in split(at, into.len()) {
            let target = &mut into[part];
            let (page, inside) = (from / PAGE_BYTES, from % PAGE_BYTES);
            if let Some(bytes) = self.near.get(from..from + target.len()) {
                target.copy_from_slice(bytes);
            } else if let Some(bytes) = self.pages.get(&page) {
                target.copy_from_slice(&bytes[inside..inside + target.len()]);
            } else {
                target.fill(0);
            }
        }
    }

    /// Copies bytes in.
    pub fn write(&mut self, at: usize, bytes: &[u8]) {
        if let Some(target) = self.near.get_mut(at..at + bytes.len()) {
            target.copy_from_slice(bytes);
        } else {
            self.write_pages(at, bytes);
        }
    }

    fn write_pages(&mut self, at: usize, bytes: &[u8]) {
        for (from, part) in split(at, bytes.len()) {
            let source = &bytes[part];
            let (page, inside) = (from / PAGE_BYTES, from % PAGE_BYTES);
            if let Some(target) = self.near.get_mut(from..from + source.len()) {
                target.copy_from_slice(source);
            } else if self.pages.contains_key(&page) || source.iter().any(|byte| *byte != 0) {
                let target = self.pages.entry(page).or_insert_with(|| Box::new([0; PAGE_BYTES]));
                target[inside..inside + source.len()].copy_from_slice(source);
            }
        }
    }
}

/// The parts of a range of bytes that lie in one page each: the offset, and which bytes of the range.
fn split(at: usize, length: usize) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> {
    let first = PAGE_BYTES - at % PAGE_BYTES;
    let starts = std::iter::once(0).chain((first..length).step_by(PAGE_BYTES));
    starts.map(move |start| {
        let end = if start == 0 { first } else { start + PAGE_BYTES };
        (at + start, start..end.min(length))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(bytes: &SparseBytes, at: usize) -> u64 {
        let mut found = [0xff; 8];
        bytes.read(at, &mut found);
        u64::from_le_bytes(found)
    }

    #[test]
    fn bytes_are_where_they_were_written() {
        let mut bytes = SparseBytes::default();
        bytes.reach(NEAR_BYTES - 100);
        let places = [0, 5000, NEAR_BYTES - 4, NEAR_BYTES + PAGE_BYTES - 3, (1 << 30) - 8, 1 << 30];
        for (i, at) in places.iter().enumerate() {
            bytes.write(*at, &(u64::MAX - i as u64).to_le_bytes());
        }
        for (i, at) in places.iter().enumerate() {
            assert_eq!(value(&bytes, *at), u64::MAX - i as u64);
        }
        assert_eq!(value(&bytes, 1 << 40), 0);
    }

    #[test]
    fn long_ranges_cross_pages() {
        let mut bytes = SparseBytes::default();
        let data: Vec<u8> = (0..3 * PAGE_BYTES + 17).map(|i| (i % 251) as u8).collect();
        for at in [NEAR_BYTES - 9, NEAR_BYTES + PAGE_BYTES, 7 * NEAR_BYTES + 1] {
            bytes.write(at, &data);
            let mut found = vec![0xff; data.len()];
            bytes.read(at, &mut found);
            assert_eq!(found, data);
        }
    }

    #[test]
    fn zeros_take_no_room_and_overwrite() {
        let mut bytes = SparseBytes::default();
        bytes.reach(64);
        assert_eq!(bytes.near(), PAGE_BYTES);
        bytes.write(1 << 28, &vec![0; 1 << 16]);
        assert_eq!(bytes.held(), PAGE_BYTES);
        bytes.write(1 << 28, &[7; 8]);
        bytes.write(1 << 28, &[0; 4]);
        assert_eq!((bytes.held(), value(&bytes, 1 << 28)), (2 * PAGE_BYTES, 0x0707_0707_0000_0000));
    }
}
