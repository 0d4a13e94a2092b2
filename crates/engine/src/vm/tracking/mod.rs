//! Dependencies: which reads of its thread each register and each part of private memory was computed from
//! (HMC Algorithm 1; thesis §2.4.1). `mazurka/reference/running/dependencies.py` says what counts as what.
//!
//! Beside each word of an image lie the numbers of two sets of reads, one for each half of the word; a register uses
//! the first. Those of the header are the set of reads that have decided about branches, and how many reads there were.
//! A read is known by how many the thread made before it. Sets are kept in a table that only grows.
//!
//! I1: with tracking off, nothing is stored here and nothing is done but to ask whether it is on.
//! I2: what lies beside an image is changed and copied with it, so dependencies depend on the image alone.
//!
//! Departs 1: parts of 4 bytes have one set. A narrower write adds to it, and a narrower read has all of it.

mod beside;
mod run;
mod sets;

pub(in crate::vm) use beside::{Shadow, Track, Untracked};
pub use run::Depends;
