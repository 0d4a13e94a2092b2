//! PyO3 bindings: converts, releases the GIL, maps errors. Nothing is decided here.

mod automata;
mod convert;

use mazurka_engine::consistency::plan::vocabulary as plan_words;
use mazurka_engine::consistency::Plan;
use mazurka_engine::detect::{Refusal, Violation};
use mazurka_engine::explore::{estimate, explore as run, Config, Flags, Leaks, Sampling};
use mazurka_engine::graph::{EventClass, Label};
use mazurka_engine::ids::FunctionId;
use mazurka_engine::program::{Field, Op, Program};
use mazurka_engine::vm::Unroll;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use std::num::NonZeroUsize;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::Ordering;
use std::sync::Arc;

create_exception!(_engine, EngineBug, PyException, "An invariant of the engine broke: a bug in Mazurka.");

/// The engine's table of opcodes, by number: name, what the fields `a`, `b` and `c` are, how many results
/// (None: `x` says), and whether control may pass to the next instruction.
#[pyfunction]
fn instructions() -> Vec<(&'static str, [&'static str; 3], Option<u32>, bool)> {
    let row = |op: &Op| {
        let row = op.row();
        (op.name(), row.fields.map(Field::name), row.results, row.goes_on)
    };
    Op::ALL.iter().map(row).collect()
}

/// The words of the kinds of violations; `rule` stands for those that a model names.
#[pyfunction]
fn violation_kinds() -> Vec<&'static str> {
    Violation::NAMES.to_vec()
}

/// The words of the reasons for refusals.
#[pyfunction]
fn refusal_reasons() -> Vec<&'static str> {
    Refusal::NAMES.to_vec()
}

/// The vocabularies of Plans and of graphs: the names of their members, by number.
#[pyfunction]
fn vocabularies() -> Vec<(&'static str, Vec<&'static str>)> {
    let tables = [
        ("event labels", Label::NAMES),
        ("event classes", EventClass::NAMES),
        ("relations", plan_words::RelationName::NAMES),
        ("matrix instructions", plan_words::MatrixWord::NAMES),
        ("verdicts", plan_words::Verdict::NAMES),
        ("checks", plan_words::CheckKind::NAMES),
        ("lifetime orders", plan_words::LifetimeOrder::NAMES),
    ];
    tables.map(|(table, names)| (table, names.to_vec())).to_vec()
}

/// Where the numbers of a Plan's views begin, and those of the views' pairs of one location.
#[pyfunction]
fn first_views() -> [u32; 2] {
    plan_words::FIRST_VIEWS
}

/// How many workers can run at the same time.
#[pyfunction]
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Explores a program under a plan; `_engine.pyi` describes the result.
#[pyfunction]
#[pyo3(signature = (program, plan, *, unroll=None, loop_bounds=vec![], call_bounds=vec![], schedule_seed=None, time_limit=None, collect=false, dependencies=false,
                    liveness=true, audit=false, reads_from=false, verbose=false, event_limit=200_000, step_limit=200_000_000,
                    load_annotations=true, confirmations=true, helping=false, postpones=true, symmetry=false,
                    memory_limit=None,
                    workers=NonZeroUsize::MIN, zero_net_effect=true, causal=false, eager=false, mixed_sizes=false,
                    leaves_sizes=false, leaks="ignored", foreseen=vec![], flags=None, flags_are_findings=false,
                    max_executions=None, progress=None, sampling=None, route=None))]
#[allow(clippy::too_many_arguments)] // One Python keyword each.
fn explore(
    py: Python<'_>,
    program: &[u8],
    plan: &[u8],
    unroll: Option<u32>,
    loop_bounds: Vec<(u32, u32)>,
    call_bounds: Vec<(u32, u32)>,
    schedule_seed: Option<u64>,
    time_limit: Option<f64>,
    collect: bool,
    dependencies: bool,
    liveness: bool,
    audit: bool,
    reads_from: bool,
    verbose: bool,
    event_limit: u32,
    step_limit: u64,
    load_annotations: bool,
    confirmations: bool,
    helping: bool,
    postpones: bool,
    symmetry: bool,
    memory_limit: Option<u64>,
    workers: NonZeroUsize,
    zero_net_effect: bool,
    causal: bool,
    eager: bool,
    mixed_sizes: bool,
    leaves_sizes: bool,
    leaks: &str,
    foreseen: Vec<(u32, u32, u64)>,
    flags: Option<&[u8]>,
    flags_are_findings: bool,
    max_executions: Option<u64>,
    progress: Option<PyRef<'_, convert::Progress>>,
    sampling: Option<(u64, u64, f64)>,
    route: Option<convert::RawRoute>,
) -> PyResult<convert::Explored> {
    let program = Program::decode(program).map_err(|e| PyValueError::new_err(e.to_string()))?;
    let decode = if mixed_sizes { Plan::decode_for_cells } else { Plan::decode };
    let plan = decode(plan).map_err(|e| PyValueError::new_err(e.to_string()))?;
    let functions = call_bounds.iter().map(|&(function, bound)| (FunctionId(function), bound)).collect();
    let unroll = Unroll { any: unroll, loops: loop_bounds, functions };
    if !unroll.fits(&program) {
        return Err(PyValueError::new_err("a bound is of a loop or function that does not exist"));
    }
    let leaks = match leaks {
        "ignored" => Leaks::Ignored,
        "noted" => Leaks::Noted,
        "forbidden" => Leaks::Forbidden,
        "all-forbidden" => Leaks::AllForbidden,
        _ => return Err(PyValueError::new_err(format!("'{leaks}' is nothing that can be done about leaks"))),
    };
    if !foreseen.is_empty() && !plan.upkeep().leaves_gaps() {
        return Err(PyValueError::new_err(
            "reads are foreseen only where the causal order is smaller than po",
        ));
    }
    let flags = flags.map(Plan::decode).transpose().map_err(|e| PyValueError::new_err(e.to_string()))?;
    let flags = flags.map(|plan| Flags { plan: Arc::new(plan), are_findings: flags_are_findings });
    let config = Config {
        unroll,
        schedule_seed,
        time_limit,
        collect,
        dependencies,
        liveness,
        load_annotations,
        confirmations,
        helping,
        postpones,
        symmetry,
        audit,
        reads_from,
        verbose,
        event_limit,
        step_limit,
        memory_limit,
        workers: workers.get(),
        zero_net_effect,
        causal,
        observed: Vec::new(),
        contended: Vec::new(),
        stuck: 0,
        foreseen,
        flags,
        eager,
        cuts: mixed_sizes.then(Vec::new),
        leaves_sizes,
        leaks,
        max_executions,
        progress: progress.as_ref().map(|progress| Arc::clone(&progress.shared)).unwrap_or_default(),
        route: route.map(convert::route),
    };
    let stops = progress.as_ref().map(|progress| Arc::clone(&progress.stops)).unwrap_or_default();
    let sampling = sampling.map(|(seed, most, precision)| Sampling::new(seed, most, precision));
    let result = py.detach(|| {
        // Python runs its Ctrl-C handler only when asked to.
        let is_signalled = || Python::attach(|py| py.check_signals().is_err());
        let interrupted = Arc::new(move || stops.load(Ordering::Relaxed) || is_signalled());
        catch_unwind(AssertUnwindSafe(|| match sampling {
            Some(sampling) => estimate(&program, &plan, &config, sampling, interrupted),
            None => run(&program, &plan, &config, interrupted),
        }))
    });
    let outcome = result.map_err(|panic| EngineBug::new_err(panic_message(&*panic)))?;
    convert::explored(py, &outcome)
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("the engine panicked").to_owned()
}

#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("EngineBug", module.py().get_type::<EngineBug>())?;
    automata::register(module)?;
    convert::register(module)?;
    module.add_function(wrap_pyfunction!(instructions, module)?)?;
    module.add_function(wrap_pyfunction!(violation_kinds, module)?)?;
    module.add_function(wrap_pyfunction!(refusal_reasons, module)?)?;
    module.add_function(wrap_pyfunction!(vocabularies, module)?)?;
    module.add_function(wrap_pyfunction!(first_views, module)?)?;
    module.add_function(wrap_pyfunction!(cores, module)?)?;
    module.add_function(wrap_pyfunction!(explore, module)?)
}
