//! Rows: for each event, the sets of events that come before it in the orders that a plan asks for.

mod bits;
mod event_set;
mod fresh;
mod views;

pub use bits::{BitRows, PO};
pub use event_set::EventSet;
pub(super) use fresh::Freshness;
pub use views::{Shape, Views, LANE_STEP};
