//! What samples say together, and when they are enough.

use crate::explore::estimate::levels::Sample;
use crate::explore::estimate::Sampling;

/// Samples that are taken at least, unless one is exact.
const LEAST: u64 = 12;
/// How many standard errors the interval has on each side. There are few samples, so that two would be too few.
const SPREAD: f64 = 3.0;

/// A number that is estimated, and where it probably lies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Interval {
    /// The mean.
    pub mean: f64,
    /// It is probably not lower.
    pub low: f64,
    /// It is probably not higher.
    pub high: f64,
}

/// How large an exploration probably is.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// Complete and blocked executions.
    pub executions: Interval,
    /// Those that are explored; they stand for all.
    pub explored: Interval,
    /// The numbers are exact.
    pub exact: bool,
    /// Samples taken.
    pub samples: u64,
}

/// Samples, with weights that make up for their widths.
#[derive(Default)]
pub(super) struct Samples {
    taken: Vec<Sample>,
    exact: Option<Sample>,
}

impl Samples {
    pub fn next_width(&self, how: Sampling) -> usize {
        let (first, last) = how.widths;
        let doublings = self.taken.len().min(16);
        (first << doublings).min(last)
    }

    pub fn add(&mut self, sample: Sample) {
        if sample.exact {
            self.exact = Some(sample);
        }
        self.taken.push(sample);
    }

    /// Whether there are enough: §3.4.
    pub fn suffice(&self, how: Sampling) -> bool {
        let taken = self.taken.len() as u64;
        if self.exact.is_some() || taken >= how.most {
            return true;
        }
        if taken < LEAST || how.precision == 0.0 {
            return false;
        }
        let (mean, error) = self.mean(|sample| sample.executions);
        let cost: u64 = self.taken.iter().map(|sample| sample.cost).sum();
        error <= how.precision * mean || cost as f64 > self.mean(|sample| sample.events).0
    }

    /// The mean of something, and its standard error. A wide sample counts as much as several narrow ones.
    fn mean(&self, of: impl Fn(&Sample) -> f64) -> (f64, f64) {
        let count = self.taken.len() as f64;
        let weights: f64 = self.taken.iter().map(|sample| sample.width as f64).sum();
        let mean = self.taken.iter().map(|sample| sample.width as f64 * of(sample)).sum::<f64>() / weights;
        let squares = self.taken.iter().map(|sample| (sample.width as f64 * (of(sample) - mean)).powi(2));
        let error = squares.sum::<f64>().sqrt() / weights * (count / (count - 1.0).max(1.0)).sqrt();
        (mean, error)
    }

    fn interval(&self, of: impl Fn(&Sample) -> f64) -> Interval {
        if let Some(exact) = &self.exact {
            let number = of(exact);
            return Interval { mean: number, low: number, high: number };
        }
        if self.taken.is_empty() {
            return Interval::default();
        }
        let (mean, error) = self.mean(of);
        // Samples that are far too high are rarer than those that are too low: an interval of ratios.
        let ratio = if mean > 0.0 { 1.0 + SPREAD * error / mean } else { 1.0 };
        Interval { mean, low: mean / ratio, high: mean * ratio }
    }

    pub fn estimate(&self) -> Estimate {
        Estimate {
            executions: self.interval(|sample| sample.executions),
            explored: self.interval(|sample| sample.explored),
            exact: self.exact.is_some(),
            samples: self.taken.len() as u64,
        }
    }
}
