//! Hash maps over small keys. The keys are internal numbers, so hashing need not withstand an adversary.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map with a cheap hash.
pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mix>>;
/// A set with a cheap hash.
pub(crate) type Set<K> = HashSet<K, BuildHasherDefault<Mix>>;

/// Mixes words by rotation and multiplication.
#[derive(Default)]
pub(crate) struct Mix(u64);

const ODD: u64 = 0x9E37_79B9_7F4A_7C15; // 2^64 by the golden ratio

impl Mix {
    fn take(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(ODD);
    }
}

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.take(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.take(u64::from(word));
    }

    fn write_u16(&mut self, word: u16) {
        self.take(u64::from(word));
    }

    fn write_u32(&mut self, word: u32) {
        self.take(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.take(word);
    }

    fn write_usize(&mut self, word: usize) {
        self.take(word as u64);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}
