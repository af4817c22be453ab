//! The summary for a terminal.
#![cfg(feature = "cli")]

mod report_support;

use anstream::adapter::strip_str;
use plaudit::report::{Finding, Report, table};
use report_support::names::NAMES;
use report_support::report;

fn plain(report: &Report, width: usize) -> String {
    strip_str(&table(report, width)).to_string()
}

#[test]
fn the_table_reads_well_at_eighty_columns() {
    insta::assert_snapshot!(plain(&report(), 80));
}

#[test]
fn rows_are_as_wide_as_they_may_be_and_not_wider() {
    for width in [72, 80, 100, 200] {
        let text = plain(&report(), width);
        let rows = text.lines().take_while(|line| !line.is_empty());
        let widest = rows.map(|row| row.chars().count()).max().unwrap();
        assert!(widest <= width, "{widest} columns of {width}:\n{text}");
        let whole = text.lines().take(9).any(|row| row.contains("mean-that-panics-when-empty"));
        assert_eq!(whole, width >= 100, "names are cut only where they must be:\n{text}");
    }
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
        let explained = text.contains(&format!("{}: {}", finding.name, finding.reason));
        assert_eq!(explained, !finding.as_expected, "{}", finding.name);
    }
    let mut fine = report;
    fine.audits.retain(|finding| finding.as_expected);
    assert!(
        plain(&fine, 80).contains("6 audits: 3 violated, 3 not refuted; every verdict as expected")
    );
}

#[test]
fn names_cannot_touch_the_terminal_or_the_table() {
    let ordinary = report().audits.swap_remove(0);
    for name in NAMES {
        let finding = Finding {
            name: (*name).into(),
            reason: (*name).into(),
            as_expected: false,
            ..ordinary.clone()
        };
        let text = plain(&Report { audits: vec![finding], ..report() }, 80);
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{name:?}");
        assert_eq!(text.lines().count(), 6, "{name:?}: {text}");
    }
}

#[test]
fn a_report_of_nothing_has_a_total() {
    let text = plain(&Report { audits: Vec::new(), ..report() }, 80);
    assert!(text.contains("no audits; every verdict as expected"), "{text}");
}
