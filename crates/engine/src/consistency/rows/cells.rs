//! Rows of graphs whose accesses may have several sizes: what `orders` and `enter` do for one location, for each cell.

use crate::consistency::rows::orders::Order;
use crate::consistency::rows::Upkeep;
use crate::graph::Graph;
use crate::ids::EventId;

impl Upkeep {
    /// Sets the views of a linked read: its past in `po`, and what it learns from its sources.
    pub fn see_in_cells(&self, graph: &mut Graph, read: EventId) {
        self.reenter(graph, read);
        for at in 0..graph.cells.sources(read).len() {
            let sources = graph.cells.sources(read);
            let source = sources[at];
            if source.is_some() && !sources[..at].contains(&source) {
                self.see(graph, read, source);
            }
        }
    }

    /// Orders a linked read or a placed write, which nothing follows in `po`, among the others.
    pub fn order_in_cells(&self, graph: &mut Graph, event: EventId) {
        for (k, order) in self.orders().iter().enumerate() {
            let (mut before, mut after) = (Vec::new(), Vec::new());
            order.each_neighbour(graph, event, |x| before.push(x), |y| after.push(y));
            before.into_iter().for_each(|x| order.join(graph, event, x));
            graph.deferred.extend(after.into_iter().map(|y| (k, event, y)));
        }
        self.settle_orders(graph);
    }

    /// The axiom whose order a new event closes to a cycle. Its rows have its past in `po`.
    pub(in crate::consistency) fn cycle_in_cells(&self, graph: &Graph, event: EventId) -> Option<usize> {
        let closes = |order: &&Order| {
            let (mut before, mut after) = (vec![event], Vec::new());
            order.each_neighbour(graph, event, |x| before.push(x), |y| after.push(y));
            after.iter().any(|y| before.iter().any(|x| order.has(graph, *y, *x)))
        };
        self.orders().iter().find(closes).map(|order| order.axiom)
    }

    /// Whether some order has every edge of `rf`, `co` and `fr`.
    pub(in crate::consistency) fn has_eco_in_orders(&self) -> bool {
        self.orders().iter().any(|order| order.whole_rf && order.co && order.fr)
    }
}

impl Order {
    /// The events that a linked event directly follows and precedes in this order, by links alone.
    fn each_neighbour(
        &self,
        graph: &Graph,
        event: EventId,
        mut before: impl FnMut(EventId),
        mut after: impl FnMut(EventId),
    ) {
        let cells = &graph.cells;
        let is_read = graph.event(event).is_read();
        for (place, source) in cells.linked(event) {
            let cell = cells.cell(place);
            if is_read {
                if source.is_some() && self.reads(graph, source, event) {
                    before(source);
                }
                if self.fr {
                    self.nearest(cell.after(source).iter()).for_each(|write| after(*write));
                }
                continue;
            }
            let (older, newer) = (cell.before(event), cell.after(event));
            if self.co {
                older.last().into_iter().for_each(|write| before(*write));
                newer.first().into_iter().for_each(|write| after(*write));
            }
            for read in &cell.reads {
                let source = cells.source_in(*read, place);
                if source == event {
                    if self.reads(graph, event, *read) {
                        after(*read);
                    }
                } else if self.fr && (source.is_none() || older.contains(&source)) {
                    before(*read);
                }
            }
        }
    }

    /// The first of some writes in coherence order, if that leads to the others, or all.
    fn nearest<'a>(&self, writes: impl Iterator<Item = &'a EventId>) -> impl Iterator<Item = &'a EventId> {
        writes.take(if self.co { 1 } else { usize::MAX })
    }
}
