//! Initial memory, many bytes at a time, and who wrote them.

use super::Memory;
use crate::program::{region, Region};

/// The most bytes of one access.
const WORD: usize = 8;

impl Memory {
    /// Whether bytes lie in one live object (and, if asked for, may be written).
    pub fn holds(&self, address: u64, size: u64, writes: bool) -> bool {
        match region(address) {
            Region::GLOBAL => self.global(address, size).is_some_and(|constant| !(constant && writes)),
            Region::SHARED => self
                .object(address)
                .is_some_and(|object| !object.dead && address + size <= object.base + object.size),
            _ => false,
        }
    }

    /// Copies bytes out.
    pub fn take(&self, address: u64, size: u64) -> Vec<u8> {
        let mut bytes = vec![0; size as usize];
        for (at, part) in (address..).step_by(WORD).zip(bytes.chunks_mut(WORD)) {
            let value = self.read(at, part.len() as u8).to_le_bytes();
            part.copy_from_slice(&value[..part.len()]);
        }
        bytes
    }

    /// Copies bytes in; the caller has checked that they exist.
    pub fn put(&mut self, address: u64, bytes: &[u8], writer: (u32, u32)) {
        self.note_writer(address, bytes.len() as u64, writer);
        for (at, part) in (address..).step_by(WORD).zip(bytes.chunks(WORD)) {
            let mut value = [0; WORD];
            value[..part.len()].copy_from_slice(part);
            self.store(at, part.len() as u8, u64::from_le_bytes(value));
        }
    }

    /// Records the last writer of bytes; earlier writers keep their other bytes (I2).
    pub(super) fn note_writer(&mut self, start: u64, size: u64, (function, pc): (u32, u32)) {
        let end = start + size;
        while let Some((&at, &(length, ..))) = self.writers.range(..end).next_back() {
            if at + length <= start {
                break;
            }
            let older = self.writers.remove(&at).expect("it was found there");
            if at < start {
                self.writers.insert(at, (start - at, older.1, older.2));
            }
            if at + length > end {
                self.writers.insert(end, (at + length - end, older.1, older.2));
            }
        }
        self.writers.insert(start, (size, function, pc));
    }
}
