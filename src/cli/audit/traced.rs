//! Traces of the programs of violated audits, for `--trace`.

use super::super::output;
use plaudit_core::dataset::{Dataset, Pair};
use plaudit_core::finding::{Finding, Trace, Verdict};
use plaudit_core::visible::{visible, visible_lines};
use plaudit_engine::mechanism::program;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Seconds of a trace, at most: it takes a few runs.
const PATIENCE: Duration = Duration::from_secs(120);

/// Adds the trace of the confirmed pair to a violated audit of a program; a note on standard error says why there is
/// none.
pub(super) fn add(finding: &mut Finding, pair: &Pair<Value>, interrupted: &AtomicBool) {
    if finding.verdict != Verdict::Violated {
        return;
    }
    match traced(finding, pair, interrupted) {
        Ok(trace) => finding.trace = Some(trace),
        Err(why) => output::note(&format!(
            "{}: no trace: {}; a program gives one if it calls plaudit.serve of Python",
            visible(&finding.name),
            visible(&why)
        )),
    }
}

fn traced(
    finding: &Finding,
    pair: &Pair<Value>,
    interrupted: &AtomicBool,
) -> Result<Trace, String> {
    let parameters = &finding.mechanism.parameters;
    let words = |value: &Value| value.as_str().map(str::to_owned);
    let command: Option<Vec<String>> =
        parameters["command"].as_array().and_then(|all| all.iter().map(words).collect());
    let command = command.ok_or("only programs are traced")?;
    let folder = PathBuf::from(parameters["folder"].as_str().unwrap_or_default());
    let written = |value: &Value| {
        let dataset: Result<Dataset, _> = serde_json::from_value(value.clone());
        dataset.map(|it| it.to_wire()).map_err(|error| error.to_string())
    };
    let (d, d_prime) = (written(&pair.d)?, written(&pair.d_prime)?);
    let claim = &finding.claim;
    // Datasets as in requests, numbers that are not finite included.
    let request = format!(
        "{{\"d\": {d}, \"d_prime\": {d_prime}, \"epsilon\": {}, \"delta\": {}, \"name\": {}}}",
        claim.reference_epsilon,
        claim.reference_delta,
        Value::from(finding.name.as_str()),
    );
    let line = program::trace((&command, &folder), &request, PATIENCE, interrupted)?;
    let answer: Value = serde_json::from_str(&line)
        .map_err(|_| "its answer is not a trace, and may be an outcome".to_owned())?;
    if let Some(error) = answer.get("error").and_then(Value::as_str) {
        return Err(error.to_owned());
    }
    let trace: Trace = serde_json::from_value(answer.get("trace").cloned().unwrap_or_default())
        .map_err(|error| format!("its answer is not a trace: {error}"))?;
    Ok(shown(trace))
}

/// The same with everything visible: its text is that of a program.
fn shown(mut trace: Trace) -> Trace {
    trace.words = visible_lines(&trace.words);
    for it in &mut trace.differences {
        for text in [&mut it.kind, &mut it.file, &mut it.text, &mut it.words] {
            *text = visible(text);
        }
    }
    trace
}
