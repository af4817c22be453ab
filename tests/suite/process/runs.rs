//! In which order a program is asked for its runs, and whose clock times them.
//!
//! Right programs are audited at α = 1e-6, so that a test of two of them fails for a fresh seed with
//! probability below 2e-6 although the code is right. Programs in Python need Python 3.9 or later;
//! where there is none, these tests say so and test nothing.
#![cfg(unix)]

use crate::support::program::{interpreter, python};
use plaudit::dataset::Dataset;
use plaudit::finding::Finding;
use plaudit::mechanism::process::Process;
use plaudit::mechanism::program::{Format, ProgramSettings};
use plaudit::{Audit, Claim, Verdict};
use serde_json::json;

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/misbehaving/misbehave.py");

fn audit(command: &[&str], batch: usize) -> Audit<Dataset> {
    patient_audit(command, batch, 60.0)
}

fn patient_audit(command: &[&str], batch: usize, patience: f64) -> Audit<Dataset> {
    let settings = ProgramSettings {
        command: command.iter().map(|word| (*word).to_owned()).collect(),
        clean: None,
        folder: std::path::PathBuf::new(),
        format: Format::Json,
        timeout: 60.0,
        batch: Some(batch),
        patience,
        interleaved: false,
    };
    Audit::of_mechanism(command[0], Claim::pure(1.0).unwrap(), Process::new(settings))
        .may_show_no_difference()
        .pair(Dataset::Json(json!(0)), Dataset::Json(json!(1)))
}

/// On one thread, so that there is one copy of the program.
fn finding(audit: Audit<Dataset>, trials: u64) -> Finding {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let report = pool.install(|| audit.trials(trials).seed(1).report());
    report.unwrap().audits.remove(0)
}

fn has_note(finding: &Finding, words: &str) -> bool {
    finding.notes.iter().any(|note| note.contains(words))
}

/// Its outcomes say nothing of the data, and much of how many requests came before. Asked for a batch
/// on D and one on D', in turns, it would say which dataset it was.
#[test]
fn a_hidden_counter_is_no_leak_of_a_program_that_follows_no_seed() {
    if !python() {
        return;
    }
    let command = [&interpreter()[..], &[PROGRAM, "alternates"]].concat();
    let in_order = finding(patient_audit(&command, 256, 10.0), 800);
    assert_eq!(in_order.verdict, Verdict::NotRefuted, "{}", in_order.reason());
    assert!(in_order.epsilon_lower < 0.5, "{}", in_order.epsilon_lower);
    // Whether its two copies differ depends on how many questions each got, and that on the time: either way of asking
    // hides the counter.
    let hides = |words| has_note(&in_order, words);
    assert!(hides("in the order of the coins") || hides("in a fresh copy"), "{:?}", in_order.notes);
    // Without the time for that: two copies of it differ, so each run is tested given those before.
    let in_turn = finding(patient_audit(&command, 256, 1e-3), 1000);
    assert!(has_note(&in_turn, "copies of it differ"), "{:?}", in_turn.notes);
    // Of one that has no state the report says what it is worth.
    let code = super::sharing::program("own = random.SystemRandom()", "", "data + laplace(own)");
    let command = [&interpreter()[..], &["-c", &code]].concat();
    let in_batches = finding(patient_audit(&command, 256, 1e-3), 1000);
    assert!(has_note(&in_batches, "batches of one dataset"), "{:?}", in_batches.notes);
}

/// A program for the shell that answers with these nanoseconds and always the same value.
fn timed(nanoseconds: &str) -> Finding {
    let answer = format!(
        r#"while read -r line; do
            case "$line" in *'"dataset": 1'*) d=1;; *) d=0;; esac
            {nanoseconds}
            echo '{{"$ns": '$ns', "value": 1}}'
        done"#
    );
    finding(audit(&["sh", "-c", &answer], 1).clock(), 1000)
}

#[test]
#[ignore = "takes several seconds"]
fn the_nanoseconds_that_a_program_tells_are_its_running_time() {
    // What it tells is looked at, ..
    let tells = timed("ns=$((1000 + 1000 * d))");
    assert_eq!(tells.verdict, Verdict::Violated, "{} {:?}", tells.reason(), tells.notes);
    assert_eq!(tells.witness.kind, "clock");
    let words = &tells.witness.description;
    assert!(words.contains("the run took"), "{words}");
    // .. and not how long plaudit waited for it.
    let slow = timed("[ $d = 1 ] && sleep 0.002; ns=1000");
    assert_eq!(slow.verdict, Verdict::NotRefuted, "{} {:?}", slow.reason(), slow.notes);
}

/// The program answers its first request with an outcome that nobody declared: it comes before the
/// trials, and bounds nothing all the same.
#[test]
fn an_outcome_that_was_not_declared_is_seen_in_the_questions_before_an_audit() {
    let answer = r#"first=leak
        while read -r line; do
            runs=${line#*'"runs": '}; runs=${runs%%[!0-9]*}
            seed=${line#*'"seed": '}; seed=${seed%%[!0-9]*}
            while [ "$runs" -gt 0 ]; do
                seed=$(( (seed * 1103515245 + 12345) & 2147483647 ))
                if [ $(( seed >> 16 & 1 )) = 1 ]; then out=a; else out=b; fi
                echo "\"${first:-$out}\""; first=; runs=$((runs - 1))
            done
        done"#;
    let finding = finding(audit(&["sh", "-c", answer], 64).outcomes(["a", "b"]), 4000);
    assert_eq!(finding.verdict, Verdict::Inconclusive, "{} {:?}", finding.reason(), finding.notes);
    assert!(finding.reason().contains("\"leak\""), "{}", finding.reason());
}
