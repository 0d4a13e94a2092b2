//! Tests only: recomputes the rows from scratch, to compare with those that were kept edge by edge.

use crate::consistency::rows::orders::Kept;
use crate::consistency::rows::Upkeep;
use crate::graph::Graph;
use crate::ids::EventId;

impl Upkeep {
    /// Panics unless every row is what the graph's edges make it.
    pub fn assert_rows_are_right(&self, graph: &Graph) {
        if self.leaves_gaps() {
            return self.assert_causes_are_closed(graph);
        }
        let mut copy = graph.clone();
        let mut map = Vec::new();
        self.rebuild(graph, &mut copy, &mut map);
        for (old, new) in map.iter().enumerate() {
            for row in 0..graph.views.shape().rows {
                let event = &graph.events()[old];
                assert_eq!(
                    graph.views.row(old, row),
                    copy.views.row(new.at(), row),
                    "row {row} of {event:?}"
                );
            }
            for order in &self.orders {
                let Kept::Bits(row) = order.kept else { continue };
                for (x, y) in map.iter().enumerate() {
                    let kept = graph.bits.has(row, EventId::from_usize(x), EventId::from_usize(old));
                    assert_eq!(
                        kept,
                        copy.bits.has(row, *y, *new),
                        "bit row {row} of {:?}",
                        graph.events()[old]
                    );
                }
            }
        }
    }

    /// With gaps there is only the causal order, which must be transitive, contain `rf` and have no cycle.
    fn assert_causes_are_closed(&self, graph: &Graph) {
        let ids = || (0..graph.len()).map(EventId::from_usize);
        for e in ids() {
            for x in ids().filter(|x| self.causes(graph, *x, e)) {
                assert!(x == e || !self.causes(graph, e, x), "{e:?} causes itself by {x:?}");
                assert!(
                    ids().all(|y| !self.causes(graph, y, x) || self.causes(graph, y, e)),
                    "{x:?} to {e:?}"
                );
            }
            for source in graph.sources(e).iter().filter(|source| source.is_some()) {
                assert!(self.causes(graph, *source, e), "{e:?} reads");
            }
        }
    }
}
