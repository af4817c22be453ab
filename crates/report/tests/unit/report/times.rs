use super::*;
use plaudit_core::finding::StepTimes;

fn report() -> Report {
    let text =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/sample-report.json"));
    serde_json::from_str(text).unwrap()
}

#[test]
fn the_slowest_audit_stands_first_with_what_took_its_time() {
    let mut report = report();
    report.audits.truncate(3);
    for (at, finding) in report.audits.iter_mut().enumerate() {
        finding.name = format!("audit-{at}");
        finding.wall_s = at as f64;
        finding.trials.total = 2_000_000;
        finding.steps = StepTimes {
            explore_s: 0.5 * at as f64,
            confirm_s: 0.25 * at as f64,
            mechanism_s: 0.6 * at as f64,
            ..StepTimes::default()
        };
    }
    let text = times(&report);
    let lines: Vec<Vec<&str>> = text
        .lines()
        .skip(2)
        .map(|line| line.split("  ").filter(|it| !it.is_empty()).map(str::trim).collect())
        .collect();
    assert_eq!(lines[0], ["2 s", "–", "–", "1 s", "0.5 s", "–", "0.5 s", "1.2 s", "1M", "audit-2"]);
    assert_eq!(lines[2][9], "audit-0");
    assert_eq!(lines[2][8], "–");
    assert_eq!(lines[3], ["3 s", "–", "–", "1.5 s", "0.75 s", "–", "0.75 s", "1.8 s", "2M", "all"]);
}

#[test]
fn many_audits_are_summed_up() {
    let mut report = report();
    let one = report.audits[0].clone();
    report.audits = vec![one; MOST + 7];
    let text = times(&report);
    assert_eq!(text.lines().count(), 2 + MOST + 2, "{text}");
    assert!(text.contains("  7 others\n"), "{text}");
}
