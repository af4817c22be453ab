//! Timed runs on both datasets by one request, in the order of the coins: programs that are slow to set up.
//!
//! The times are what the programs say, and follow their seeds: no machine is too slow for these tests. That a leak of
//! this size is missed has a probability below 1e-9.
#![cfg(unix)]

use crate::support::program::{interpreter, python};
use plaudit::finding::{Finding, Verdict};
use plaudit::spec::{Overrides, parse};

/// Each request takes 5 ms to set up; `RUN` makes an outcome and its nanoseconds of a dataset x.
const PROGRAM: &str = r#"import json, random, sys, time
for line in sys.stdin:
    request = json.loads(line)
    noise = random.Random(request["seed"])
    datasets = request.get("datasets") or [request["dataset"]]
    order = request["order"] if "order" in request else [0] * request["runs"]
    time.sleep(0.005)
    open("requests", "a").write("%d\n" % len(order))
    for which in order:
        x = datasets[which][0]
        RUN
        print(json.dumps(value) if took is None else json.dumps({"$ns": took, "value": value}))
    sys.stdout.flush()
"#;

/// In the language of the shell, which starts at once: on D' one run in thirty (983 of 2^15) ends the program, but
/// never in the questions before the audit, after which each run would get a copy of its own.
const BREAKS_DOWN: &str = r#"IFS=', '
draw() { seed=$(( (seed * 1103515245 + 12345) & 2147483647 )); }
while read -r line; do
    seed=${line#*'"seed": '}; seed=${seed%%[!0-9]*}
    runs=${line#*'"runs": '}; runs=${runs%%[!0-9]*}
    case "$line" in
        *'"order": ['*) order=${line#*'"order": ['}; order=${order%%]*} ;;
        *) order=; while [ "$runs" -gt 0 ]; do order="$order 0"; runs=$((runs - 1)); done ;;
    esac
    for which in $order; do
        draw
        [ "$which" = 1 ] && [ $((seed >> 16)) -lt 983 ] && exit 3
        draw
        echo "{\"\$ns\": $((1000 + (seed >> 16) % 100)), \"value\": $((seed >> 30))}"
    done
done
"#;

fn spec(command: &[&str]) -> String {
    format!(
        "[[audit]]\nname = \"timed\"\nmechanism = {{ command = {:?}, interleaved = true }}\n\
         relation = {{ linf = 1.0 }}\npairs = [{{ d = [0.0], d_prime = [1.0] }}]\nclaim = {{ epsilon = 1.0 }}\n\
         clock = true\ntrials = 12_000\n",
        [command, &["program"]].concat()
    )
}

fn finding(command: &[&str], program: &str, folder: &std::path::Path) -> Finding {
    std::fs::write(folder.join("program"), program).unwrap();
    let loaded = parse(&spec(command), &folder.join("a.toml"), &Overrides::default());
    let audit = loaded.unwrap_or_else(|error| panic!("{error}")).remove(0).audit;
    audit.report().unwrap().audits.remove(0)
}

/// The finding of a program, and the sizes of its requests.
fn audited(run: &str) -> (Finding, Vec<usize>) {
    let folder = tempfile::tempdir().unwrap();
    let finding = finding(&interpreter(), &PROGRAM.replace("RUN", run), folder.path());
    let sizes = std::fs::read_to_string(folder.path().join("requests")).unwrap();
    // Copies that ran at the same time may have written into each other's lines before the audit.
    let sizes = sizes.lines().filter_map(|size| size.parse().ok()).collect();
    (finding, sizes)
}

#[test]
#[ignore = "takes several seconds"]
fn a_leak_of_the_running_time_is_found_with_few_requests() {
    if !python() {
        return;
    }
    // One run in eleven on D' takes long.
    let run = "took = 5000 if x > 0.5 and noise.random() < 0.09 else 1000 + noise.randrange(100); value = 0";
    let (finding, sizes) = audited(run);
    assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
    assert!(finding.epsilon_lower > 2.0, "{}", finding.epsilon_lower);
    let large = sizes.iter().filter(|size| **size > 100).count();
    assert!((30..200).contains(&large), "{large} large requests of {}", sizes.len());
}

#[test]
fn each_outcome_is_counted_for_its_own_dataset() {
    if !python() {
        return;
    }
    let (finding, _) = audited("took = 1000 + noise.randrange(100); value = x");
    let told = &finding.tally;
    let both = told.d.iter().zip(&told.d_prime).filter(|(d, prime)| **d > 0 && **prime > 0).count();
    assert_eq!(both, 0, "{told:?}");
    let (finding, _) =
        audited("took = 1000 + noise.randrange(100); value = int(noise.random() < 0.5)");
    assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", finding.reason());
}

#[test]
fn an_outcome_without_its_time_breaks_the_contract() {
    if !python() {
        return;
    }
    let (finding, _) = audited("took = None; value = int(noise.random() < 0.5)");
    assert_eq!(finding.verdict, Verdict::Inconclusive, "{}", finding.reason());
    assert!(finding.reason().contains("lacks its running time"), "{}", finding.reason());
}

#[test]
fn a_breakdown_in_the_midst_of_a_request_is_the_outcome_of_its_run() {
    let folder = tempfile::tempdir().unwrap();
    let finding = finding(&["sh"], BREAKS_DOWN, folder.path());
    assert_eq!(finding.verdict, Verdict::Violated, "{}", finding.reason());
}

#[test]
fn arrays_have_no_room_for_times() {
    let text =
        spec(&interpreter()).replace("interleaved = true", "interleaved = true, format = \"npy\"");
    let mistake = parse(&text, std::path::Path::new("a.toml"), &Overrides::default()).err();
    let mistake = mistake.expect("a mistake").to_string();
    assert!(mistake.contains("needs format = \"json\""), "{mistake}");
}
