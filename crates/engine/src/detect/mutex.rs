//! What may be done to a mutex, from the value of its word: 0 when free, the holder's thread number plus
//! one when taken, `MUTEX_DESTROYED` after its end.

use super::kinds::Violation;
use super::Finding;
use crate::ids::ThreadId;
use crate::program::MUTEX_DESTROYED;

/// The word of a mutex that a thread holds.
pub fn held_by(thread: ThreadId) -> u64 {
    u64::from(thread.0) + 1
}

/// Locking (or trying to) needs a mutex that exists.
pub fn check_lock(word: u64) -> Result<(), Finding> {
    match word {
        MUTEX_DESTROYED => Err(Finding::violation(Violation::Mutex, "lock of a mutex that was destroyed")),
        _ => Ok(()),
    }
}

/// Unlocking needs a mutex that the thread holds: `word` is what it wrote there last.
pub fn check_unlock(word: u64, thread: ThreadId) -> Result<(), Finding> {
    if word == held_by(thread) {
        return Ok(());
    }
    Err(Finding::violation(Violation::Mutex, "unlock of a mutex that this thread does not hold"))
}

/// What a write to a mutex may overwrite: destruction needs a free mutex, and nothing but initialisation
/// follows a destruction.
pub fn check_overwrite(old: u64, new: u64) -> Result<(), Finding> {
    match (old, new) {
        (MUTEX_DESTROYED, _) => {
            Err(Finding::violation(Violation::Mutex, "use of a mutex that was destroyed"))
        }
        (1.., MUTEX_DESTROYED) => {
            Err(Finding::violation(Violation::Mutex, "destruction of a mutex that is held"))
        }
        _ => Ok(()),
    }
}
