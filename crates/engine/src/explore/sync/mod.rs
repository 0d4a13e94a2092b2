//! Synchronisation objects in the graph.

pub(in crate::explore) mod mutex;
