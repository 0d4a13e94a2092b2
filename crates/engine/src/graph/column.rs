//! Columns: facts about events that do not fit into a flat value, one entry per event.
//!
//! A graph owns its columns and updates them all whenever its events change: [`each_column`] has the list. A new column
//! implements [`Column`] and becomes a field of [`Graph`](super::Graph) and a member of the list. It is then
//! maintained when events are pushed and popped, and when graphs are restricted, copied and cleared.
//!
//! I1: a column has as many entries as the graph has events, in their order.

use super::event::Event;
use crate::ids::EventId;

/// What a graph requires of a column.
pub(super) trait Column {
    /// Appends the entry of a new event that follows `base` in program order (`NONE`: it follows no event).
    fn push(&mut self, event: &Event, base: Option<EventId>);

    /// Removes the entry of the newest event.
    fn pop(&mut self);

    /// Removes all entries, and makes room for those of another graph's column.
    fn clear_like(&mut self, other: &Self);

    /// Becomes a copy of the column of another graph. Earlier changes to that one cannot be undone here.
    fn copy_from(&mut self, other: &Self);

    /// Becomes the column of a graph with some of the events of another: `map` says what became of each (`NONE`:
    /// removed). The first `same` of them keep their ids, and the order of events stays the same.
    fn restrict(&mut self, other: &Self, same: usize, map: &[EventId]);

    /// Bytes in use.
    fn bytes(&self) -> usize;

    /// Bytes allocated, whether in use or not.
    fn bytes_reserved(&self) -> usize;
}

/// Calls a method of every column of a graph; `from` passes the same column of another graph. Returns an array of the
/// results.
macro_rules! each_column {
    ($graph:ident.$method:ident(from $other:ident $(, $argument:expr)*)) => {
        [
            $graph.views.$method(&$other.views $(, $argument)*),
            $graph.bits.$method(&$other.bits $(, $argument)*),
            $graph.dependencies.$method(&$other.dependencies $(, $argument)*),
        ]
    };
    ($graph:ident.$method:ident($($argument:expr),*)) => {
        [
            $graph.views.$method($($argument),*),
            $graph.bits.$method($($argument),*),
            $graph.dependencies.$method($($argument),*),
        ]
    };
}

pub(super) use each_column;
