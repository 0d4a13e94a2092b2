//! Makes the engine's words of the bytecode from Python's: `python/mazurka/program/opcodes.py` is the one table.
//!
//! Writes `opcodes.rs`, which `program/op.rs` includes: an enum for each of Python's, and the rows of the opcodes.
//! That file says what a row looks like. A line that cannot be read, or a number out of turn, fails the build.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

const TABLE: &str = "../../python/mazurka/program/opcodes.py";
/// Python's enums whose numbers count from 0, and what they are.
const ENUMS: [(&str, &str); 5] = [
    ("Mode", "How strongly an access or fence orders."),
    ("RmwOp", "What a read-modify-write stores, from the old value and its operand."),
    ("Annotation", "What a program says about the access after an `ANNOTATE`."),
    ("Check", "What a `CHECK` asks of its operands."),
    ("Op", "An instruction's kind; `docs/reference/bytecode.md` says what each does."),
];
/// Python's enums that are numbers here, and what the numbers' names begin with.
const NUMBERS: [(&str, &str); 2] = [("AllocFlag", "ALLOC"), ("Rounds", "LOOP")];

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is");
    let source = Path::new(&root).join(TABLE);
    println!("cargo::rerun-if-changed={}", source.display());
    println!("cargo::rerun-if-changed=build.rs");
    let text = fs::read_to_string(&source).expect("the table of opcodes is there");
    let out = env::var("OUT_DIR").expect("cargo says where output goes");
    fs::write(Path::new(&out).join("opcodes.rs"), generated(&text)).expect("the output can be written");
}

/// A line of an enum: its name, its number, and what follows: a row, or nothing.
struct Member<'t> {
    name: &'t str,
    number: u32,
    row: &'t str,
}

fn members<'t>(text: &'t str, class: &str) -> Vec<Member<'t>> {
    let body = text.split(&format!("class {class}(IntEnum):\n")).nth(1);
    let body = body.unwrap_or_else(|| panic!("there is no enum {class}"));
    let lines = body.split("\n\n\n").next().unwrap_or_default().lines();
    let assigned = lines.filter_map(|line| line.strip_prefix("    ")?.split_once(" = "));
    let is_name = |name: &str| name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    let members = assigned.filter(|(name, _)| is_name(name)).map(|(name, rest)| {
        let rest = rest.split('#').next().unwrap_or_default().trim();
        let (number, row) = rest.split_once(", ").unwrap_or((rest, ""));
        let number = number.parse().unwrap_or_else(|_| panic!("{class}.{name} has no number"));
        Member { name, number, row: row.trim_matches('"') }
    });
    members.collect()
}

fn generated(text: &str) -> String {
    let mut out = String::new();
    for (class, meaning) in ENUMS {
        let _ = writeln!(out, "numbered!(\n    /// {meaning}\n    {class} {{");
        for (index, member) in members(text, class).iter().enumerate() {
            assert_eq!(member.number as usize, index, "{class}.{} is out of turn", member.name);
            let _ = writeln!(out, "        {} = \"{}\",", variant(member.name), member.name);
        }
        let _ = writeln!(out, "    }}\n);\n");
    }
    let _ = writeln!(out, "static ROWS: &[Row] = &[");
    for member in members(text, "Op") {
        let _ = writeln!(out, "    {}, // {}", row(&member), member.name);
    }
    let _ = writeln!(out, "];\n");
    for (class, prefix) in NUMBERS {
        for member in members(text, class) {
            let (name, number) = (member.name, member.number);
            let _ = writeln!(out, "/// `{class}.{name}`\npub const {prefix}_{name}: u8 = {number};");
        }
    }
    out
}

/// The name of a Rust variant: `SOME_NAME` is `SomeName`. `Self` is a keyword.
fn variant(name: &str) -> String {
    let capital = |word: &str| word[..1].to_string() + &word[1..].to_ascii_lowercase();
    match name {
        "SELF" => "SelfThread".to_string(),
        _ => name.split('_').map(capital).collect(),
    }
}

fn row(member: &Member) -> String {
    let name = member.name;
    assert!(!member.row.is_empty(), "Op.{name} has no row");
    let mut parts = member.row.split(';').map(str::trim);
    let shape = parts.next().unwrap_or_default();
    let goes_on = !parts.next().unwrap_or_default().split(' ').any(leaves);
    let (left, right) = shape.split_once('=').unwrap_or(("", shape));
    let results = match left.trim() {
        "" => "Some(0)",
        "dst" => "Some(1)",
        "dst dst+1" => "Some(2)",
        "dst dst+1 dst+2" => "Some(3)",
        "dst..." => "None",
        other => panic!("Op.{name} has the results {other}"),
    };
    let mut fields = ["Unused"; 3];
    for word in right.split_whitespace().filter(|word| *word != "dst") {
        let (letter, kind) = word.split_once(':').unwrap_or((word, "operand"));
        let place = "abc".find(letter).unwrap_or_else(|| panic!("Op.{name} has no field {letter}"));
        fields[place] = field(kind).unwrap_or_else(|| panic!("Op.{name} has a field of kind {kind}"));
    }
    let [a, b, c] = fields.map(|kind| format!("Field::{kind}"));
    format!("Row {{ fields: [{a}, {b}, {c}], results: {results}, goes_on: {goes_on} }}")
}

/// Whether a property says that control does not pass to the next instruction.
fn leaves(property: &str) -> bool {
    matches!(property, "jumps" | "returns" | "nowhere" | "stops")
}

fn field(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "operand" => "Operand",
        "target" => "Target",
        "switch" => "Switch",
        "list" => "List",
        "string" => "String",
        "function" => "Function",
        "loop" => "Loop",
        "operation" => "Operation",
        "number" => "Number",
        _ => return None,
    })
}
