//! Whatever a program does, an audit of it comes to a defined end, soon, and leaves no process.
//!
//! Most of these programs are written in Python (3.9 or later, nothing but its standard library);
//! where there is none, these tests say so and test nothing.
#![cfg(unix)]

use crate::support::program::{interpreter, python};
use plaudit::dataset::Dataset;
use plaudit::finding::Finding;
use plaudit::mechanism::process::Process;
use plaudit::mechanism::program::{Format, ProgramSettings};
use plaudit::{Audit, Claim, Verdict};
use serde_json::json;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/misbehaving/misbehave.py");

/// How an audit ends.
#[derive(Clone, Copy, Debug)]
enum End {
    /// Not refuted.
    Fair,
    /// Violated.
    Leaks,
    /// Inconclusive, for a reason with these words.
    Broken(&'static str),
}
use End::{Broken, Fair, Leaks};

/// Modes of `misbehave.py` that answer as JSON lines.
const JSON: &[(&str, End)] = &[
    ("good", Fair),
    ("slow-start", Fair),
    ("stderr-chatter", Fair),
    ("late-banner", Fair),
    ("errors", Fair),
    ("crlf", Fair),
    ("timed", Fair),
    ("banner", Broken("broke its contract")),
    ("exit", Broken("exit code 3")),
    ("exit-0", Broken("exit code 0")),
    ("never-reads", Broken("no answer within 2 s")),
    ("hang", Broken("no answer within 2 s")),
    ("hang-ignores-term", Broken("no answer within 2 s")),
    ("closes-stdout", Broken("closed its output")),
    ("forks-and-exits", Broken("exit code 0")),
    ("garbage", Broken("broke its contract")),
    ("flood-stderr", Fair),
    ("flood-stderr-line", Fair),
    ("hang-middle", Broken("no answer within 2 s")),
    ("hang-middle-ignores-term", Broken("no answer within 2 s")),
    ("trickle", Broken("of 4 outcomes within 2 s")),
    ("die", Broken("exit code 9")),
    ("kill", Broken("signal 9")),
    ("segfault", Broken("signal 11")),
    ("abort", Broken("signal 6")),
    ("die-later", Fair),
    ("too-few-waits", Broken("no answer within 2 s")),
    ("too-few-exits", Broken("exit code 0, after 0 of 1 outcomes")),
    ("too-many", Broken("more than")),
    ("too-many-late", Broken("more than")),
    ("malformed", Broken("broke its contract")),
    ("not-json", Broken("broke its contract")),
    ("no-outcome", Broken("$nonsense")),
    ("nothing", Broken("broke its contract")),
    ("two-in-a-line", Broken("broke its contract")),
    ("deep", Broken("broke its contract")),
    ("endless-line", Broken("longer than")),
    ("endless-number", Broken("longer than")),
    ("not-utf-8", Broken("broke its contract")),
    ("big-string", Broken("longer than")),
    ("grandchild", Fair),
    ("grandchild-dies", Broken("exit code 9")),
    ("grandchild-session", Fair),
    ("lingers", Fair),
    ("ignores-seed", Fair),
    ("fixed-noise", Leaks),
];

/// Modes that answer as arrays.
const NPY: &[(&str, End)] = &[
    ("good", Fair),
    ("npy-split", Fair),
    ("npy-v1", Fair),
    ("npy-v2", Fair),
    ("npy-v3", Fair),
    ("npy-big-endian", Fair),
    ("npy-f4", Fair),
    ("npy-i8", Fair),
    ("npy-i4", Fair),
    ("npy-b1", Fair),
    ("npy-vector", Fair),
    ("npy-fortran-1d", Fair),
    ("npy-nan", Fair),
    ("banner", Broken("broke its contract")),
    ("npy-pickle", Broken("broke its contract")),
    ("npy-complex", Broken("broke its contract")),
    ("npy-float16", Broken("broke its contract")),
    ("npy-structured", Broken("broke its contract")),
    ("npy-3d", Broken("broke its contract")),
    ("npy-truncated", Broken("exit code 0")),
    ("npy-truncated-waits", Broken("no answer within 2 s")),
    ("npy-too-many", Broken("broke its contract")),
    ("npy-too-few-exits", Broken("without outcomes")),
    ("npy-empty", Broken("without outcomes")),
    ("npy-huge-shape", Broken("broke its contract")),
    ("npy-negative-shape", Broken("broke its contract")),
    ("npy-huge-header", Broken("broke its contract")),
    ("npy-bad-header", Broken("broke its contract")),
    ("npy-bad-magic", Broken("broke its contract")),
    ("npy-version-9", Broken("broke its contract")),
    ("npy-late-vector", Leaks),
];

/// Whether a program in this mode is waited for until its time is over.
fn waits(mode: &str) -> bool {
    ["never-reads", "hang", "trickle", "waits"].iter().any(|word| mode.contains(word))
}

fn settings(mode: &str, argument: Option<&str>, format: Format) -> ProgramSettings {
    let mut command = [&interpreter()[..], &[PROGRAM, mode]].concat();
    command.extend(argument);
    ProgramSettings {
        command: command.into_iter().map(str::to_owned).collect(),
        clean: None,
        folder: std::path::PathBuf::new(),
        format,
        // Short only where it will be waited for: machines may be slow.
        timeout: if waits(mode) { 2.0 } else { 60.0 },
        batch: Some(256),
        patience: 10.0,
        interleaved: false,
    }
}

/// The claim is the true ε, or that of a mechanism which shows all.
fn finding(mode: &str, settings: ProgramSettings) -> Finding {
    let claim = Claim::pure(1.0).unwrap();
    let audit = Audit::of_mechanism(mode, claim, Process::new(settings))
        .may_show_no_difference()
        .pair(Dataset::Json(json!(0.0)), Dataset::Json(json!(1.0)));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    // Hardly more than a test at level 1e-6 needs where each request takes a flood, or a fresh copy.
    let slow = mode.starts_with("flood") || mode == "die-later";
    let trials = if slow { 130 } else { 600 };
    let report = pool.install(|| audit.trials(trials).seed(1).report());
    report.unwrap().audits.remove(0)
}

/// Runs all cases, several at a time, and says which ended in another way. Those that are waited for come first:
/// they cost no work, and the others go on beside them.
fn all_end(cases: &[(&'static str, End)], format: Format) {
    let mut cases = cases.to_vec();
    cases.sort_by_key(|(mode, _)| !waits(mode));
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while let Some(&(mode, end)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let finding = finding(mode, settings(mode, None, format));
                    let right = match end {
                        Fair => finding.verdict == Verdict::NotRefuted,
                        Leaks => finding.verdict == Verdict::Violated,
                        Broken(words) => {
                            finding.verdict == Verdict::Inconclusive
                                && finding.reason().contains(words)
                                && finding.power.words == "No trials were played."
                        }
                    };
                    if !right {
                        let Finding { verdict, reasons: reason, notes, .. } = finding;
                        let words = format!("{mode}: {end:?}, yet {verdict:?}: {reason} {notes:?}");
                        wrong.lock().unwrap().push(words);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn whatever_a_program_does_with_lines_comes_to_its_end() {
    if python() {
        all_end(JSON, Format::Json);
    }
}

#[test]
#[ignore = "takes several seconds"]
fn whatever_a_program_does_with_arrays_comes_to_its_end() {
    if python() {
        all_end(NPY, Format::Npy);
    }
}

/// A program for the shell, which starts at once: `answer` says what to print for a line.
fn shell(answer: &str) -> ProgramSettings {
    let loop_ = format!(
        "{answer}; while read -r line; do case \"$line\" in *'\"dataset\": 1'*) d=1;; *) d=0;; esac; \
         reply; done"
    );
    ProgramSettings {
        command: vec!["sh".into(), "-c".into(), loop_],
        clean: None,
        folder: std::path::PathBuf::new(),
        format: Format::Json,
        timeout: 60.0,
        batch: Some(1),
        patience: 600.0,
        interleaved: false,
    }
}

fn of_shell(answer: &str, timeout: f64, trials: u64, epsilon: f64) -> Finding {
    let settings = ProgramSettings { timeout, ..shell(answer) };
    let claim = Claim::pure(epsilon).unwrap();
    let audit = Audit::of_mechanism("shell", claim, Process::new(settings))
        .may_show_no_difference()
        .pair(Dataset::Json(json!(0)), Dataset::Json(json!(1)));
    let report = audit.trials(trials).seed(1).report().unwrap();
    report.audits.into_iter().next().unwrap()
}

/// One byte of the system's randomness: the truth three times in four.
const DRAW: &str = "u=$(od -An -N1 -tu1 /dev/urandom); t=$((u < 192))";

#[test]
fn a_breakdown_for_one_dataset_only_is_a_violation() {
    let dies = of_shell("reply() { [ $d = 1 ] && exit 7; echo 0; }", 60.0, 200, 1.0);
    assert_eq!(dies.verdict, Verdict::Violated, "{} {:?}", dies.reason(), dies.notes);
    assert!(dies.witness.description.contains("exit code 7"), "{}", dies.witness.description);
    assert!(dies.notes[0].contains("fresh copy"), "{:?}", dies.notes);
    let told = "breaks down in fresh copies, too (of 2 runs on D in 0, of 2 on D′ in 2)";
    assert!(dies.notes[0].contains(told), "{:?}", dies.notes);
    assert!(!dies.notes[0].contains("like a fresh one"), "{:?}", dies.notes);
    let hangs = of_shell("reply() { [ $d = 1 ] && sleep 60; echo 0; }", 0.2, 120, 1.0);
    assert_eq!(hangs.verdict, Verdict::Violated, "{} {:?}", hangs.reason(), hangs.notes);
}

/// Randomized response whose coin is drawn once for each process: fair in fresh copies, and blatant
/// in one that lives on. A number is drawn with it, so that no two processes say the same by chance.
#[test]
#[ignore = "takes several seconds"]
fn noise_that_a_process_keeps_is_met_with_fresh_copies() {
    let number = "n=$(($(od -An -N4 -tu4 /dev/urandom)))";
    let answer = format!("{DRAW}; {number}; reply() {{ echo \"[$(( t ? d : 1 - d )), $n]\"; }}");
    let fair = of_shell(&answer, 60.0, 1000, 1.2);
    assert_eq!(fair.verdict, Verdict::NotRefuted, "{} {:?}", fair.reason(), fair.notes);
    assert!(fair.notes.iter().any(|note| note.contains("fresh copy")), "{:?}", fair.notes);
    assert_eq!(fair.trials.total, 1000);
}

/// The same, but drawn once for each request: what a request answers is one run, told many times.
#[test]
fn noise_that_a_request_shares_is_met_with_requests_of_one_run() {
    if python() {
        let finding = finding("same-for-all", settings("same-for-all", None, Format::Json));
        assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", finding.reason());
        let told = |note: &String| note.contains("all outcomes of a request are one");
        assert!(finding.notes.iter().any(told), "{:?}", finding.notes);
    }
}

/// A copy that says 0 again and again, and fresh ones of which one says 1, need not have state.
#[test]
#[ignore = "takes several seconds"]
fn what_is_rare_is_no_state() {
    if !python() {
        return;
    }
    for seed in 1..=5 {
        let process = Process::new(settings("rare", None, Format::Json));
        let audit = Audit::of_mechanism("rare", Claim::pure(1.0).unwrap(), process)
            .may_show_no_difference()
            .pair(Dataset::Json(json!(0.0)), Dataset::Json(json!(1.0)));
        let finding = audit.trials(2000).seed(seed).report().unwrap().audits.remove(0);
        assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", finding.reason());
        assert!(finding.notes.is_empty(), "{:?}", finding.notes);
    }
}

/// A copy that fails and a fresh one that does not need not have state, if the program often fails; a
/// copy that only fails, after so many runs, has.
#[test]
#[ignore = "takes several seconds"]
fn failing_often_is_no_state_and_failing_for_good_is() {
    if !python() {
        return;
    }
    let state = |finding: &Finding| {
        finding.notes.iter().any(|note| note.contains("it fails after earlier runs"))
    };
    let often = finding("mostly-errors", settings("mostly-errors", None, Format::Json));
    assert_eq!(often.verdict, Verdict::NotRefuted, "{}", often.reason());
    assert!(often.notes.is_empty(), "{:?}", often.notes);
    let on_one = finding("errors-on-d2", settings("errors-on-d2", None, Format::Json));
    assert_eq!(on_one.verdict, Verdict::Violated, "{}", on_one.reason());
    assert!(on_one.notes.is_empty(), "{:?}", on_one.notes);
    let spent = finding("free-budget", settings("free-budget", Some("100"), Format::Json));
    assert!(state(&spent), "{:?}", spent.notes);
}

/// Randomness that no seed governs: whether runs depend on earlier ones could not be played again.
#[test]
fn a_program_with_its_own_entropy_is_said_to_be_one() {
    let free =
        of_shell(&format!("reply() {{ {DRAW}; echo $(( t ? d : 1 - d )); }}"), 60.0, 1000, 1.2);
    assert_eq!(free.verdict, Verdict::NotRefuted, "{} {:?}", free.reason(), free.notes);
    let told = free.notes.iter().filter(|note| note.contains("rely on it")).count();
    assert_eq!(told, 1, "{:?}", free.notes);
}

#[test]
fn noise_that_never_changes_is_a_violation() {
    let fixed = of_shell("reply() { echo $((d + 42)); }", 60.0, 2000, 1.0);
    assert_eq!(fixed.verdict, Verdict::Violated, "{}", fixed.reason());
    // It says the same whatever its seed is, so that nothing shows whether it follows that.
    assert_eq!(fixed.notes.len(), 1, "{:?}", fixed.notes);
    assert!(fixed.notes[0].contains("could not be determined"), "{:?}", fixed.notes);
}

/// The first answer fails in every fresh copy, once: a file says whether it was tried.
#[test]
fn a_breakdown_is_tried_once_more_and_told() {
    if !python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let tried = folder.path().join("tried");
    let mode = settings("die-once", tried.to_str(), Format::Json);
    let finding = finding("die-once", mode);
    assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", finding.reason());
    assert!(
        finding.notes.iter().any(|note| note.contains("once and was asked again")),
        "{:?}",
        finding.notes
    );
}

/// What is wrong, and what mostly helps.
#[test]
fn a_banner_and_a_missing_flush_are_called_by_their_names() {
    if !python() {
        return;
    }
    let reason = |mode: &str, format| finding(mode, settings(mode, None, format)).reason();
    let banner = reason("banner", Format::Json);
    for words in [
        "it printed a line that is not an outcome, `Welcome to the mechanism!`",
        "A banner is anything else that is printed there",
        "print it to standard error (in Python: print(.., file=sys.stderr)",
    ] {
        assert!(banner.contains(words), "{banner}");
    }
    for (mode, format) in [("banner", Format::Npy), ("too-many", Format::Json)] {
        let said = reason(mode, format);
        assert!(said.contains("A banner is anything else that is printed there"), "{mode}: {said}");
    }
    let hangs = reason("hang", Format::Json);
    let words = "flush standard output after each request (in Python: sys.stdout.flush()";
    assert!(hangs.contains(words), "{hangs}");
    let dies = reason("die", Format::Json);
    assert!(!dies.contains("banner") && !dies.contains("flush"), "{dies}");
}

#[test]
fn no_process_is_left() {
    if !python() {
        return;
    }
    let word = format!("nobody-{}", std::process::id());
    for mode in ["grandchild", "grandchild-session", "hang-ignores-term", "lingers"] {
        let mut settings = settings(mode, None, Format::Json);
        settings.command.extend(["300".to_owned(), word.clone()]);
        drop(finding(mode, settings));
    }
    let left = || -> Vec<String> {
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let lines =
            processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
        let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
        lines.filter(|line| line.contains(&word)).collect()
    };
    // Those that init must wait for are gone in a moment.
    for _ in 0..100 {
        if left().is_empty() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("left: {:#?}", left());
}
