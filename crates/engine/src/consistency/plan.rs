//! The Plan as the engine receives it.

use std::fmt;

const MAGIC: &[u8] = b"MZKL\x01";
const PO: u8 = 1;
const RF: u8 = 2;
const CO: u8 = 4;
const FR: u8 = 8;

/// An order that must stay acyclic: `po` and some of the other base relations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order {
    /// Contains reads-from.
    pub rf: bool,
    /// Contains coherence.
    pub co: bool,
    /// Contains from-read.
    pub fr: bool,
}

/// What the engine checks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The tracked orders; the first is the causal order.
    pub orders: Vec<Order>,
    /// The order that must hold between an access and the end of its object's life.
    pub happens_before: usize,
}

/// Why bytes are not a Plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanError(pub String);

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the plan cannot be read: {}", self.0)
    }
}

impl std::error::Error for PlanError {}

impl Plan {
    /// Reads a Plan from what `Plan.encode()` wrote.
    pub fn decode(bytes: &[u8]) -> Result<Plan, PlanError> {
        let body = bytes.strip_prefix(MAGIC).ok_or_else(|| PlanError("wrong magic".into()))?;
        let [happens_before, count, axioms @ ..] = body else {
            return Err(PlanError("too short".into()));
        };
        if axioms.len() != *count as usize {
            return Err(PlanError(format!("{count} axioms announced, {} found", axioms.len())));
        }
        let mut orders = vec![Order { rf: true, co: false, fr: false }];
        for bits in axioms {
            if bits & PO == 0 || bits & !(PO | RF | CO | FR) != 0 {
                return Err(PlanError(format!("order {bits:#x} is not a union of po and rf, co, fr")));
            }
            let order = Order { rf: bits & RF != 0, co: bits & CO != 0, fr: bits & FR != 0 };
            orders.push(order);
        }
        let happens_before = usize::from(*happens_before);
        if happens_before >= orders.len() {
            return Err(PlanError(format!("there is no order {happens_before} to be happens-before")));
        }
        Ok(Plan { orders, happens_before })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_orders_and_refuses_what_it_does_not_know() {
        let plan = Plan::decode(b"MZKL\x01\x01\x01\x0f").expect("well formed");
        assert_eq!(plan.orders.len(), 2);
        assert_eq!(plan.orders[1], Order { rf: true, co: true, fr: true });
        assert!(Plan::decode(b"MZKL\x01\x01\x01\x0e").is_err());
        assert!(Plan::decode(b"MZKL\x01\x01\x02\x0f").is_err());
        assert!(Plan::decode(b"MZKL\x01\x02\x01\x0f").is_err());
        assert!(Plan::decode(b"").is_err());
    }
}
