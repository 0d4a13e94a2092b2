//! Tests only: small Plans, written as `mazurka/kat/meaning/plan.py` writes them.

use crate::consistency::plan::tables::MAGIC;
use crate::consistency::plan::vocabulary::{CheckKind, LifetimeOrder, MatrixWord, RelationName, Verdict};
use crate::consistency::Plan;
use crate::graph::EventClass;
use RelationName::{Co, Fr, Po, PoLoc, Rf};

const ALL: [u32; 2] = [EventClass::EVERY as u32, (EventClass::EVERY >> 32) as u32];

/// No classes are watched, neither in the past of events nor at the ends of `rf`, and there is no automaton of causes.
const NOTHING_WATCHED: [u32; 5] = [0; 5];

/// The plan whose only axiom is that `po`, `rf`, `co` and `fr` have no cycle.
pub fn interleavings() -> Plan {
    closure(&[Po, Rf, Co, Fr], &[Po, Rf, Co, Fr])
}

/// A wrong plan: its check forbids more than its axiom, which an audit must find.
pub fn mistaken() -> Plan {
    closure(&[Po, Rf, Co, Fr], &[Po, Rf])
}

/// A plan with one axiom: the closure of unguarded relations, and the relations that the axiom is about.
fn closure(relations: &[RelationName], meaning: &[RelationName]) -> Plan {
    let mut words = vec![0, 1, CheckKind::Closure as u32, relations.len() as u32];
    for relation in relations {
        put_edge(&mut words, *relation);
    }
    put_union(&mut words, meaning);
    words.extend([0, 0, 0, LifetimeOrder::Axiom as u32, 0, 0, 0]);
    words.extend(NOTHING_WATCHED);
    decode(&words)
}

/// The plan in which accesses of one location are in an order that agrees with `po`, and the causal order
/// contains no more of `po` than that.
pub fn coherence_with_gaps() -> Plan {
    let mut words = vec![0, 1, CheckKind::Matrix as u32];
    // Once as the check, once as its meaning.
    for _ in 0..2 {
        put_union(&mut words, &[PoLoc, Rf, Co, Fr]);
    }
    words.extend([0, 0, 0, LifetimeOrder::Causal as u32, 0, 1, 1]);
    put_edge(&mut words, PoLoc);
    words.push(0);
    words.extend(NOTHING_WATCHED);
    decode(&words)
}

fn put_edge(words: &mut Vec<u32>, relation: RelationName) {
    words.push(relation as u32);
    words.extend(ALL);
    words.extend(ALL);
}

/// The matrix program that requires a union of relations to be acyclic.
fn put_union(words: &mut Vec<u32>, relations: &[RelationName]) {
    let pushes = relations.iter().flat_map(|relation| [MatrixWord::Relation as u32, *relation as u32]);
    let unions = std::iter::repeat_n(MatrixWord::Union as u32, relations.len() - 1);
    let program: Vec<u32> = pushes.chain(unions).collect();
    words.extend([Verdict::Acyclic as u32, program.len() as u32]);
    words.extend(program);
}

fn decode(words: &[u32]) -> Plan {
    let words = words.iter().flat_map(|word| word.to_le_bytes());
    let bytes: Vec<u8> = MAGIC.iter().copied().chain(words).collect();
    Plan::decode(&bytes).expect("well formed")
}
