//! When work has to end: at the deadline, or when the caller wants it to.
//!
//! The explorer looks between events. One event can take long where coherence is searched for and where choices are
//! audited, so these look, too.
//!
//! I1: every loop whose length is not bounded by a polynomial in the size of the graph looks, and so does one that
//! compares each write of a location with all others: there may be a hundred thousand.
//! I2: a look costs a reading of the clock; the caller, whose answer may be slow, is asked a few times a second.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time between two questions to the caller.
const BETWEEN_QUESTIONS: Duration = Duration::from_millis(20);
/// Time until the first one: most explorations are over by then, and an answer can take as long as they do.
const BEFORE_QUESTIONS: Duration = Duration::from_millis(1);

/// Whether the caller wants to stop.
pub type Question = Arc<dyn Fn() -> bool + Send + Sync>;

/// Work was broken off: it has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Late;

/// Says when it is time to stop. Clones belong together: what one hears from the caller all know.
#[derive(Clone)]
pub struct Alarm {
    deadline: Option<Instant>,
    question: Option<Question>,
    ask_at: Instant,
    /// The caller wants to stop, and is not asked again.
    is_over: Arc<AtomicBool>,
}

impl Alarm {
    /// One that rings so many seconds from now, if ever, or when the answer to the question is yes.
    pub fn new(seconds: Option<f64>, question: Question) -> Alarm {
        let now = Instant::now();
        let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        // A limit beyond what the clock can say is none.
        let deadline = limit.and_then(|limit| now.checked_add(limit));
        Alarm { deadline, question: Some(question), ask_at: now + BEFORE_QUESTIONS, is_over: Arc::default() }
    }

    /// One that never rings.
    pub fn silent() -> Alarm {
        Alarm { deadline: None, question: None, ask_at: Instant::now(), is_over: Arc::default() }
    }

    /// For another worker, which leaves questions to the one that has the caller's ear.
    pub fn without_questions(&self) -> Alarm {
        Alarm { question: None, ..self.clone() }
    }

    /// Finds out whether to stop. If not: whether it is time for questions that take longer.
    pub fn look(&mut self) -> Result<bool, Late> {
        let now = Instant::now();
        if self.is_over.load(Ordering::Relaxed) || self.deadline.is_some_and(|deadline| now >= deadline) {
            return Err(Late);
        }
        let asks = now >= self.ask_at;
        if asks {
            self.ask_at = now + BETWEEN_QUESTIONS;
            if self.question.as_ref().is_some_and(|question| question()) {
                self.is_over.store(true, Ordering::Relaxed);
                return Err(Late);
            }
        }
        Ok(asks)
    }
}
