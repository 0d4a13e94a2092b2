//! Values of fixed nodes, kept for graphs that have the same events.
//!
//! An exploration comes back to the same events again and again, with other links between them: for each number of events, the
//! last few such graphs are remembered.
//!
//! I1: fixed relations follow from what `is_same` compares. A location stands for an address and a size. Where a thread
//! was joined it has no gap, so its last event follows from `po_prev`. Threads that met may have been others: events
//! of meetings are never the same.

use crate::consistency::checks::bits::Rows;
use crate::consistency::checks::circuit::Node;
use crate::graph::{Depends, Event, Graph, Payload};
use crate::ids::EventId;

/// Graphs of more events share what is kept for this number.
const MOST_EVENTS: usize = 128;

/// How many graphs of a size are remembered.
const GRAPHS: usize = 4;

/// What is kept, by the number of events.
#[derive(Clone, Default)]
pub(super) struct Fixed {
    sizes: Vec<[Remembered; GRAPHS]>,
}

/// The values for the events of one graph.
#[derive(Clone, Default)]
pub(super) struct Remembered {
    events: Vec<(Event, Depends)>,
    has_cells: bool,
    /// By node; none if it was not needed.
    values: Vec<Option<Rows>>,
    spare: Vec<Rows>,
}

impl Fixed {
    /// What is known of the events of a graph, perhaps nothing.
    pub(super) fn of(&mut self, graph: &Graph, nodes: usize) -> &mut Remembered {
        let size = graph.len().min(MOST_EVENTS);
        if self.sizes.len() <= size {
            self.sizes.resize_with(size + 1, Default::default);
        }
        let graphs = &mut self.sizes[size];
        let known = graphs.iter().position(|remembered| remembered.is_of(graph));
        // The one that was used last comes first.
        graphs[..=known.unwrap_or(GRAPHS - 1)].rotate_right(1);
        let remembered = &mut graphs[0];
        if known.is_none() {
            remembered.start(graph);
        }
        remembered.values.resize_with(nodes, || None);
        remembered
    }
}

impl Remembered {
    /// The value of a node that was given one.
    pub(super) fn value(&self, node: Node) -> Option<&Rows> {
        self.values[node as usize].as_ref()
    }

    /// Room for a value.
    pub(super) fn room(&mut self) -> Rows {
        self.spare.pop().unwrap_or_default()
    }

    pub(super) fn keep(&mut self, node: Node, value: Rows) {
        self.values[node as usize] = Some(value);
    }

    fn is_of(&self, graph: &Graph) -> bool {
        let ids = (0..graph.len()).map(EventId::from_usize);
        // Cells may divide the same accesses in several ways.
        !self.has_cells
            && !graph.cells.is_used()
            && self.events.len() == graph.len()
            && self.events.iter().zip(ids).all(|((event, depends), id)| {
                is_same(event, graph.event(id))
                    && match graph.depends(id) {
                        Some(now) => now.is_same(depends),
                        None => depends.is_same(&Depends::default()),
                    }
            })
    }

    fn start(&mut self, graph: &Graph) {
        self.spare.extend(self.values.drain(..).flatten());
        self.events.clear();
        self.has_cells = graph.cells.is_used();
        for (at, event) in graph.events().iter().enumerate() {
            let depends = graph.depends(EventId::from_usize(at)).cloned().unwrap_or_default();
            self.events.push((*event, depends));
        }
    }
}

/// Whether fixed relations cannot tell two events apart.
fn is_same(one: &Event, other: &Event) -> bool {
    let alike = (one.thread, one.po_prev, one.class) == (other.thread, other.po_prev, other.class)
        && one.is_write_half() == other.is_write_half();
    alike
        && match (&one.payload, &other.payload) {
            (Payload::Read(_), Payload::Read(_)) | (Payload::Write(_), Payload::Write(_)) => {
                one.loc() == other.loc()
            }
            (Payload::Fence(one), Payload::Fence(other)) => one == other,
            (Payload::Choose(_), Payload::Choose(_)) => true,
            (Payload::Create(one), Payload::Create(other)) => one == other,
            (Payload::Join(one), Payload::Join(other)) => one == other,
            (Payload::Alloc(one), Payload::Alloc(other)) => {
                (one.address, one.size) == (other.address, other.size)
            }
            (Payload::Free(one), Payload::Free(other)) => {
                (one.address, one.alloc) == (other.address, other.alloc)
            }
            // Meetings of threads depend on all that have come.
            _ => false,
        }
}
