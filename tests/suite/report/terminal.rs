//! The summary for a terminal.
#![cfg(feature = "cli")]

use crate::support::assert_snapshot;
use crate::support::report::names::NAMES;
use crate::support::report::report;
use anstream::adapter::strip_str;
use plaudit::finding::reason::{Reason, Reasons};
use plaudit::finding::{Cause, Finding, Report, Verdict};
use plaudit::report::table;

fn plain(report: &Report, width: usize) -> String {
    strip_str(&table(report, width)).to_string()
}

/// As witnesses and their evidence stand in a report.
fn typeset(words: &str) -> String {
    words.replace("D'", "D′").replace(">=", "≥").replace("<=", "≤")
}

#[test]
fn the_table_reads_well_at_eighty_columns() {
    assert_snapshot("tests/data/snapshots/table.txt", &plain(&report(), 80));
}

/// What a witness did, in counts.
const EVIDENCE: &str =
    "says D in 3 of 10 runs (30.0000 %) on D and in 0 of 9 runs (0.0000 %) on D'";

/// In a log of CI a name that is cut is a name that cannot be looked for.
#[test]
fn names_are_whole_and_rows_fit_where_they_can() {
    for width in [40, 72, 80, 100, 200] {
        let text = plain(&report(), width);
        for (finding, row) in report().audits.iter().zip(text.lines().skip(1)) {
            assert!(row.contains(&format!(" {} ", finding.name)), "{} in {row}", finding.name);
            assert!(!row.ends_with(' '), "{row:?}");
        }
        let rows = text.lines().take_while(|line| !line.is_empty());
        let widest = rows.map(|row| row.chars().count()).max().unwrap();
        // Verdict, name, bound and what the claim allows are always there, and what is not as expected.
        assert!(widest <= width.max(88), "{widest} columns of {width}:\n{text}");
    }
}

#[test]
fn an_unexpected_violation_comes_with_its_witness_its_counts_and_possible_causes() {
    let mut report = report();
    for finding in &mut report.audits {
        finding.evidence.words = EVIDENCE.into();
        if finding.verdict == Verdict::Violated {
            finding.possible_causes = vec![Cause::OutputRange, Cause::Errors];
        }
    }
    let text = plain(&report, 80);
    let lines: Vec<_> = text.lines().collect();
    let unexpected: Vec<_> = report
        .audits
        .iter()
        .filter(|finding| !finding.as_expected && finding.verdict == Verdict::Violated)
        .collect();
    assert!(!unexpected.is_empty());
    for finding in unexpected {
        let at = lines.iter().position(|line| line.contains(&finding.reason())).unwrap();
        assert_eq!(
            lines[at + 1],
            format!("    witness: {}", typeset(&finding.witness.description))
        );
        assert_eq!(lines[at + 2], format!("    counts: {}", typeset(EVIDENCE)));
        let causes = finding.cause_words();
        assert_eq!(lines[at + 3], format!("    possible cause: {}", causes[0]));
        assert_eq!(lines[at + 4], format!("    or: {}", causes[1]));
    }
    assert_eq!(text.matches("possible cause:").count(), 1, "{text}");
}

/// A word of its own: nobody expected anything of an audit that did not end.
#[test]
fn an_interrupted_audit_is_neither_expected_nor_unexpected() {
    let mut report = report();
    for finding in &mut report.audits {
        if finding.verdict == Verdict::Inconclusive {
            finding.interrupted = true;
        }
    }
    let text = plain(&report, 100);
    let row = text.lines().find(|line| line.contains("histogram-of-income")).unwrap();
    assert!(row.contains("interrupted") && !row.contains("UNEXPECTED"), "{row}");
    assert!(text.contains("1 interrupted, 1 verdict UNEXPECTED"), "{text}");
    report.audits.retain(|finding| finding.as_expected || finding.interrupted);
    assert!(plain(&report, 100).contains("1 interrupted, every other verdict as expected"));
    report.audits.retain(|finding| finding.interrupted);
    assert!(plain(&report, 100).contains("interrupted before any verdict"));
}

#[test]
fn notes_stand_under_the_table_and_are_marked_in_it() {
    let mut report = report();
    report.audits[0].notes = vec!["The program broke down once.\u{1b}[2J".into()];
    let text = plain(&report, 100);
    let name = report.audits[0].name.clone();
    let row = text.lines().find(|line| line.contains(&name)).unwrap();
    assert!(row.contains("as expected*"), "{row}");
    assert!(text.contains(&format!("\n* {name}: The program broke down once.")), "{text}");
    assert!(!text.contains('\u{1b}'), "{text:?}");
    assert_eq!(text.matches('*').count(), 2, "{text}");
    // What is said of two audits stands there once.
    report.audits[1].notes = report.audits[0].notes.clone();
    let text = plain(&report, 100);
    let names = format!("\n* {name}, {}: The program", report.audits[1].name);
    assert!(text.contains(&names), "{text}");
    assert_eq!(text.matches("broke down once").count(), 1, "{text}");
}

#[test]
fn verdicts_are_words_and_colours() {
    let text = table(&report(), 80);
    for (verdict, escape) in [("violated", "\u{1b}[31m"), ("inconclusive", "\u{1b}[33m")] {
        assert!(text.contains(&format!("{escape}{verdict}")), "{text:?}");
    }
    assert!(!text.contains("\u{1b}[32mnot refuted"), "nothing was proved: not green");
}

#[test]
fn every_unexpected_or_inconclusive_verdict_is_explained() {
    let report = report();
    let text = plain(&report, 80);
    for finding in &report.audits {
        let explained = text.contains(&format!("{}: {}", finding.name, finding.reason()));
        assert_eq!(explained, !finding.as_expected, "{}", finding.name);
    }
    let mut fine = report;
    fine.audits.retain(|finding| finding.as_expected);
    assert!(
        plain(&fine, 80).contains(
            "3 claims under review: 0 violated, 3 not refuted. 3 planted mistakes: 3 caught; every verdict"
        )
    );
}

#[test]
fn names_cannot_touch_the_terminal_or_the_table() {
    let ordinary = report().audits.swap_remove(0);
    for name in NAMES {
        let finding = Finding {
            name: (*name).into(),
            reasons: Reasons(vec![Reason::Sentences((*name).into())]),
            as_expected: false,
            possible_causes: vec![Cause::NoiseScale],
            ..ordinary.clone()
        };
        let text = plain(&Report { audits: vec![finding], ..report() }, 80);
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{name:?}");
        assert_eq!(text.lines().count(), 11, "{name:?}: {text}");
    }
}

#[test]
fn a_report_of_nothing_has_a_total() {
    let text = plain(&Report { audits: Vec::new(), ..report() }, 80);
    assert!(text.contains("no audits; every verdict as expected"), "{text}");
}
