//! Ctrl-C.
#![cfg(all(feature = "cli", target_os = "linux"))]

use crate::support::cli::{Folder, LAPLACE, UNDERSTATED, plaudit, stderr, stdout};
use plaudit::cli::exit;
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Longest wait for anything.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running `plaudit audit a.toml` that is not left running.
struct Running(Option<Child>);

impl Running {
    fn start(folder: &Folder, more: &[&str]) -> Self {
        Self::command(folder, &[&["audit", "a.toml", "--no-regressions"], more].concat())
    }

    fn command(folder: &Folder, words: &[&str]) -> Self {
        let child = plaudit()
            .current_dir(folder.path())
            .args(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Self(Some(child))
    }

    fn id(&self) -> String {
        self.0.as_ref().unwrap().id().to_string()
    }

    fn send(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.id()]).status();
        assert!(sent.is_ok_and(|kill| kill.success()));
    }

    /// Waits for its end.
    fn output(mut self) -> Output {
        let mut child = self.0.take().unwrap();
        let ended = wait_until(|| !matches!(child.try_wait(), Ok(None)));
        // If it has ended, there is nothing to kill.
        let _ = child.kill();
        let output = child.wait_with_output().unwrap();
        assert!(ended, "{}", stderr(&output));
        output
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Seconds of processor time that a process has used.
fn worked(id: &str) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2);
    // There are 100 ticks a second on every Linux that runs this.
    ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn wait_until(mut done: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while !done() {
        if start.elapsed() > PATIENCE {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}

/// The report of an interrupted run.
fn report(folder: &Folder) -> Value {
    let text = folder.path().join("reports/interrupted/report.json");
    let text = std::fs::read_to_string(text).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// A program that says who it is and then never answers.
const HANGS: &str = r#"
[[audit]]
name = "hangs"
mechanism = { command = ["sh", "-c", "echo $$ >> ids; exec sleep 1000"], timeout = 1000 }
relation = { linf = 1.0 }
pairs = [{ d = [0.0], d_prime = [1.0] }]
claim = { epsilon = 1.0 }
"#;

#[test]
fn an_interrupted_run_writes_what_it_has_says_the_signal_and_leaves_no_program_behind() {
    for (signals, exits) in [
        (&["-INT"][..], exit::INTERRUPTED),
        (&["-TERM"], exit::TERMINATED),
        (&["-INT", "-INT"], exit::INTERRUPTED),
    ] {
        let folder = Folder::new();
        let last = LAPLACE.replace("\"laplace\"\n", "\"never-begun\"\n");
        folder.spec("a.toml", &format!("{LAPLACE}{HANGS}{last}"));
        let running = Running::start(&folder, &[]);
        let ids = folder.path().join("ids");
        // Both of its copies.
        let lines = || std::fs::read_to_string(&ids).unwrap_or_default().lines().count();
        assert!(wait_until(|| lines() == 2));
        signals.iter().for_each(|signal| running.send(signal));
        let output = running.output();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(i32::from(exits)), "{said}");
        let ids = std::fs::read_to_string(&ids).unwrap();
        let alive = |id: &str| Path::new(&format!("/proc/{id}")).exists();
        assert!(wait_until(|| !ids.lines().any(alive)), "{ids}");
        if signals.len() > 1 {
            // The second one ends it at once: whether there is a report is left open.
            continue;
        }
        let words = "the report in reports/interrupted shows how far each audit got";
        assert!(said.contains(words), "{said}");
        assert!(!folder.path().join("reports/report.json").exists());
        let report = report(&folder);
        let verdicts: Vec<_> = report["audits"].as_array().unwrap().iter().collect();
        assert_eq!(verdicts.len(), 3);
        assert_eq!(verdicts[0]["verdict"], "verified");
        for (finding, words) in
            [(verdicts[1], "Interrupted while it explored"), (verdicts[2], "before it began")]
        {
            assert_eq!(finding["verdict"], "inconclusive");
            assert!(finding["reason"].as_str().unwrap().contains(words), "{finding}");
        }
        assert!(folder.path().join("reports/interrupted/index.html").exists());
        let said = stdout(&output);
        assert!(
            said.contains(
                "0 violated, 2 inconclusive, 1 verified (model); 2 interrupted, every other"
            ),
            "{said}"
        );
        assert!(!said.contains("UNEXPECTED"), "{said}");
    }
}

#[test]
fn the_last_whole_report_and_its_certificates_stay() {
    let folder = Folder::new();
    folder.spec("a.toml", UNDERSTATED);
    assert!(Running::start(&folder, &[]).output().status.code() == Some(1));
    let kept = ["report.json", "certificates/laplace-understated.json"];
    let read = |file: &str| std::fs::read(folder.path().join("reports").join(file)).unwrap();
    let before = kept.map(read);
    folder.spec("a.toml", HANGS);
    let running = Running::start(&folder, &[]);
    assert!(wait_until(|| folder.path().join("ids").exists()));
    running.send("-INT");
    let output = running.output();
    assert_eq!(output.status.code(), Some(i32::from(exit::INTERRUPTED)), "{}", stderr(&output));
    assert!(stderr(&output).contains("the last complete report, in reports, is unchanged"));
    assert_eq!(kept.map(read), before);
    assert_eq!(report(&folder)["audits"][0]["interrupted"], true);
}

/// The lock of a run that is killed without a chance to clean up is free.
#[test]
fn two_runs_do_not_write_into_one_folder() {
    let folder = Folder::new();
    folder.spec("a.toml", HANGS);
    let first = Running::start(&folder, &[]);
    assert!(wait_until(|| folder.path().join("ids").exists()));
    let second = Running::start(&folder, &[]).output();
    let said = stderr(&second);
    assert_eq!(second.status.code(), Some(i32::from(exit::FAILED)), "{said}");
    assert!(said.contains("another plaudit is running that will write into `reports`"), "{said}");
    assert!(said.contains("--out"), "{said}");
    folder.spec("a.toml", LAPLACE);
    let elsewhere = Running::start(&folder, &["--out", "other"]).output();
    assert_eq!(
        elsewhere.status.code(),
        Some(i32::from(exit::AS_EXPECTED)),
        "{}",
        stderr(&elsewhere)
    );
    first.send("-KILL");
    first.output();
    let third = Running::start(&folder, &[]).output();
    assert_eq!(third.status.code(), Some(i32::from(exit::AS_EXPECTED)), "{}", stderr(&third));
    let ids = std::fs::read_to_string(folder.path().join("ids")).unwrap();
    // What the first one started is not there for longer than this test.
    ids.lines().for_each(|id| {
        let _ = Command::new("kill").args(["-KILL", id]).stderr(Stdio::null()).status();
    });
}

#[test]
fn an_interrupted_search_shows_the_best_pair_so_far() {
    let folder = Folder::new();
    let pair = "pairs = [{ d = [0.0], d_prime = [1.0] }]";
    let domain = "domain = { lower = -10, upper = 10, size = [1, 5] }";
    folder.spec("a.toml", &LAPLACE.replace(pair, domain));
    let running = Running::start(&folder, &["--trials", "1e12"]);
    // The first look at all of its pairs takes a small part of that.
    assert!(wait_until(|| worked(&running.id()) > 4.0));
    running.send("-INT");
    let output = running.output();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(i32::from(exit::INTERRUPTED)), "{said}");
    let finding = report(&folder)["audits"][0].clone();
    assert_eq!(finding["verdict"], "inconclusive");
    assert_eq!(finding["trials"]["confirm"], 0);
    let name = finding["pair"]["name"].as_str().unwrap();
    assert!(name.starts_with("found by search"), "{finding}");
}

/// Pairs of 1296 datasets: several times the work after which it is interrupted.
const ENUMERATED: &str = r#"
[[audit]]
name = "enumerated"
mechanism = { kind = "exact-svt-1", epsilon = 1, threshold = 1, stop_after = 1 }
relation = { linf = 1.0 }
pairs = [{ d = [0, 0], d_prime = [1, 1] }]
claim = { epsilon = 1.0 }
verify = { values = [0, 1, 2, 3, 4, 5], size = 4 }
"#;

#[test]
fn an_enumeration_and_the_training_of_witnesses_are_interrupted() {
    let many = "mechanism = { kind = \"gaussian\", sigma = 1.0 }\nverify = false\nrelation = { l2 = 20.0 }\n\
                pairs = [{ pattern = \"all-up\", size = 200 }]\nclaim = { epsilon = 1.0, delta = 1e-5 }\n";
    let trained = format!("[[audit]]\nname = \"trained\"\n{many}");
    for (spec, words, seconds) in [
        (ENUMERATED, &["verify", "a.toml"][..], 1.0),
        (ENUMERATED, &["audit", "a.toml", "--no-regressions"], 1.0),
        (&trained, &["audit", "a.toml", "--no-regressions", "--trials", "1e10"], 0.3),
    ] {
        let folder = Folder::new();
        folder.spec("a.toml", spec);
        let running = Running::command(&folder, words);
        assert!(wait_until(|| worked(&running.id()) > seconds));
        running.send("-INT");
        let output = running.output();
        let code = output.status.code();
        assert_eq!(code, Some(i32::from(exit::INTERRUPTED)), "{words:?} {}", stderr(&output));
    }
}

#[test]
fn an_interrupted_run_that_cannot_write_leaves_the_previous_report_as_it_was() {
    let folder = Folder::new();
    folder.spec("a.toml", HANGS);
    let reports = folder.path().join("reports");
    std::fs::create_dir_all(&reports).unwrap();
    std::fs::write(reports.join("report.json"), "{}").unwrap();
    let running = Running::start(&folder, &[]);
    assert!(wait_until(|| folder.path().join("ids").exists()));
    // Something that is no part of a report is now where one must go.
    std::fs::create_dir_all(reports.join("interrupted/index.html/mine")).unwrap();
    running.send("-INT");
    let output = running.output();
    assert_eq!(output.status.code(), Some(i32::from(exit::FAILED)), "{}", stderr(&output));
    assert!(stderr(&output).contains("in the way"), "{}", stderr(&output));
    assert!(stdout(&output).contains("hangs"), "the table is lost: {}", stdout(&output));
    assert_eq!(std::fs::read_to_string(reports.join("report.json")).unwrap(), "{}");
}
