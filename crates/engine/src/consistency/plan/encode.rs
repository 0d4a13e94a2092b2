//! Tests only: small Plans, written as `mazurka/kat/meaning/plan.py` writes them.

use crate::consistency::Plan;

const ALL: [u32; 2] = [(1 << crate::consistency::plan::tables::CLASS_COUNT) - 1, 0];

/// The plan whose only axiom is that `po`, `rf`, `co` and `fr` have no cycle.
pub fn interleavings() -> Plan {
    closures(&[&[0, 3, 6, 9]])
}

/// A plan with a closure of unguarded relations (by number) for each axiom.
pub fn closures(axioms: &[&[u32]]) -> Plan {
    let axioms: Vec<_> = axioms.iter().map(|symbols| (*symbols, *symbols)).collect();
    closures_meaning(&axioms)
}

/// A plan that is wrong: it forbids more than its axiom, as an audit finds out.
pub fn mistaken() -> Plan {
    closures_meaning(&[(&[0, 3, 6, 9], &[0, 3])])
}

/// As `closures`, each with the relations that its axiom is about.
fn closures_meaning(axioms: &[(&[u32], &[u32])]) -> Plan {
    let mut words = vec![0, axioms.len() as u32];
    for (symbols, meaning) in axioms {
        words.extend([0, symbols.len() as u32]);
        for symbol in *symbols {
            words.push(*symbol);
            words.extend(ALL);
            words.extend(ALL);
        }
        let pushes = meaning.iter().flat_map(|symbol| [0, *symbol]);
        let unions = std::iter::repeat_n(4, meaning.len() - 1);
        let program: Vec<u32> = pushes.chain(unions).collect();
        words.extend([0, program.len() as u32]);
        words.extend(program);
    }
    words.extend([0, 2, 0, 0]);
    decode(&words)
}

/// The plan in which accesses of one location are in an order that agrees with `po`, and the causal order
/// holds no more of `po` than that.
pub fn coherence_with_gaps() -> Plan {
    let mut words = vec![0, 1, 3];
    // po-loc | rf | co | fr, acyclic; as the check and as what it means.
    let program = [0, 2, 0, 3, 4, 0, 6, 4, 0, 9, 4];
    for _ in 0..2 {
        words.extend([0, program.len() as u32]);
        words.extend(program);
    }
    words.extend([0, 0, 0, 1, 1, 2]);
    words.extend(ALL);
    words.extend(ALL);
    decode(&words)
}

fn decode(words: &[u32]) -> Plan {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    let bytes: Vec<u8> = b"MZPL\x01".iter().copied().chain(bytes).collect();
    Plan::decode(&bytes).expect("well formed")
}
