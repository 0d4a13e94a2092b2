//! What the system says about this process: both the explorer and the prover keep a limit on memory.

use std::fs::File;
use std::io::Read;

/// What the process takes of the machine's memory, if the system tells.
pub fn resident_bytes() -> Option<u64> {
    let mut status = [0; 4096]; // Read at once: the system writes the whole text again for each piece.
    let length = File::open("/proc/self/status").and_then(|mut file| file.read(&mut status)).ok()?;
    let mut lines = status[..length].split(|byte| *byte == b'\n');
    let line = lines.find_map(|line| line.strip_prefix(b"VmRSS:"))?;
    let kibibytes = std::str::from_utf8(line).ok()?.split_whitespace().next()?;
    Some(kibibytes.parse::<u64>().ok()? * 1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::resident_bytes;

    #[test]
    fn memory_that_is_used_is_seen() {
        let before = resident_bytes();
        let block = vec![1_u8; 64 << 20];
        let after = resident_bytes();
        assert!(after >= before.map(|bytes| bytes + (60 << 20)), "{before:?} {after:?} {}", block[99]);
    }
}
