//! Error rules whose order is computed on the whole graph, not kept for each event.
//!
//! That is so where threads may have gaps, whose filling would change what is kept; and where the rules are about the
//! program's source, whose accesses may have other classes than those that the machine makes of them.
//! Any order will do: it need not contain `po`.

use crate::consistency::checks::races::Race;
use crate::consistency::plan::tables::{Classes, ErrorRule, HappensBefore, Matrix, Tables};
use crate::consistency::Workspace;
use crate::graph::Graph;
use crate::ids::EventId;

/// The rules, and what orders accesses between the start and the end of their object's life.
#[derive(Default)]
pub struct ComputedRules {
    rules: Vec<ErrorRule>,
    orders: Vec<Matrix>,
    lifetimes: Option<usize>,
    /// They are about the source of the program, not about what it was compiled to.
    pub of_source: bool,
}

/// One of the orders.
#[derive(Clone, Copy)]
pub struct ComputedOrder(usize);

impl ComputedRules {
    /// Takes the rules out of a Plan's tables if they are about computed orders.
    pub(in crate::consistency) fn take(tables: &mut Tables) -> ComputedRules {
        if tables.computed.is_empty() {
            return ComputedRules::default();
        }
        let lifetimes = match tables.happens_before {
            HappensBefore::Computed(order) => Some(order),
            _ => None,
        };
        ComputedRules {
            rules: std::mem::take(&mut tables.errors),
            orders: std::mem::take(&mut tables.computed),
            lifetimes,
            of_source: tables.of_source,
        }
    }

    /// Whether there is nothing to check.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.orders.is_empty()
    }

    /// The order that must have an access between the start and the end of its object's life, if it is one of these.
    pub fn lifetimes(&self) -> Option<ComputedOrder> {
        self.lifetimes.map(ComputedOrder)
    }

    /// Whether some rule is about two accesses of these classes, of one thread or not.
    pub fn concern(&self, one: u8, two: u8, is_one_thread: bool) -> bool {
        self.rules.iter().any(|rule| concerns(rule, (one, two), is_one_thread))
    }

    /// The rules that pairs of accesses with common bytes break, with the first of each pair.
    pub fn broken(
        &self,
        graph: &Graph,
        pairs: &[(EventId, EventId)],
        work: &mut Workspace,
    ) -> Vec<(EventId, Race)> {
        let mut found = Vec::new();
        for order in 0..self.orders.len() {
            let mut rules = self.rules.iter().filter(|rule| rule.view == order).peekable();
            if rules.peek().is_none() {
                continue;
            }
            let rules: Vec<&ErrorRule> = rules.collect();
            let is_before = self.relation(ComputedOrder(order), graph, work);
            for (one, two) in pairs {
                let (first, second) = (graph.event(*one), graph.event(*two));
                let is_one_thread = first.thread == second.thread;
                let is_broken = |rule: &&&ErrorRule| {
                    concerns(rule, (first.class, second.class), is_one_thread)
                        && !is_before(*one, *two)
                        && !is_before(*two, *one)
                };
                let race = |rule: &&ErrorRule| Race { rule: rule.number, warning: rule.warning, other: *two };
                found.extend(rules.iter().filter(is_broken).map(|rule| (*one, race(rule))));
            }
        }
        found
    }

    /// An order, on one graph.
    pub fn relation<'w>(
        &self,
        order: ComputedOrder,
        graph: &Graph,
        work: &'w mut Workspace,
    ) -> impl Fn(EventId, EventId) -> bool + 'w {
        let rows = work.orders.relation(&self.orders[order.0], graph);
        |before, after| rows.has(before.at(), after.at())
    }
}

fn concerns(rule: &ErrorRule, (one, two): (u8, u8), is_one_thread: bool) -> bool {
    let either = |first: Classes, second: Classes| first.has(one) && second.has(two);
    !(rule.between && is_one_thread) && (either(rule.first, rule.second) || either(rule.second, rule.first))
}
