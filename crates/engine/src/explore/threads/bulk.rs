//! Fills and copies of initial memory in one step, which only the prologue asks for.
//!
//! I1: nothing is done unless every access that they stand for would be without a finding.

use crate::explore::regimes::Regime;
use crate::explore::Explorer;
use crate::vm::{Request, Snapshot};

impl<R: Regime> Explorer<'_, R> {
    /// Does a fill or copy that main waits for, if all its bytes are where they have to be; whether it did.
    pub(in crate::explore) fn bulk(&mut self, at: Snapshot, request: Request) -> bool {
        let (function, pc) = self.states.position(at);
        let writer = (function.0, pc);
        match request {
            Request::Fill { address, size, byte } => {
                let exists = self.memory.holds(address, size, true);
                if exists {
                    self.memory.put(address, &vec![byte; size as usize], writer);
                }
                exists
            }
            Request::Copy { address, size, source } => {
                let Some(bytes) = self.bulk_source(at, source, size) else { return false };
                if !self.memory.holds(address, size, true) {
                    return self.states.put_private(at, address, &bytes);
                }
                self.memory.put(address, &bytes, writer);
                true
            }
            _ => false,
        }
    }

    fn bulk_source(&self, at: Snapshot, address: u64, size: u64) -> Option<Vec<u8>> {
        match self.memory.holds(address, size, false) {
            true => Some(self.memory.take(address, size)),
            false => self.states.private_bytes(at, address, size),
        }
    }
}
