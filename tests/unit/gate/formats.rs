//! Each output, as those who read it say it must be, with names that try to break out of it.

use super::*;
use crate::finding::{Expectation, Report, Verdict};
use crate::visible::is_hidden;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::HashSet;

const HOSTILE: &str = "</script></testsuite>]]>|`code` \"'<img src=x>\n::error::x\r%0A\u{1b}[31m\u{202e}\u{200f}\u{0} @team [a](b)";

/// A failure, an accepted one, one that was not reached, a warning, a note and a stale entry, all with a hostile name.
fn decision() -> GateDecision {
    let text = include_str!("../../data/sample-report.json");
    let mut report: Report = serde_json::from_str(text).unwrap();
    report.audits.truncate(5);
    for (at, finding) in report.audits.iter_mut().enumerate() {
        finding.name = format!("{at}{HOSTILE}");
        finding.reason = HOSTILE.into();
        finding.claim.words = HOSTILE.into();
    }
    let before = report.clone();
    for finding in &mut report.audits[..2] {
        (finding.verdict, finding.expected) = (Verdict::Violated, Expectation::NotViolated);
        finding.as_expected = false;
    }
    report.audits[2].interrupted = true;
    report.audits[3].alpha = 1e-9;
    report.audits[4].mechanism.description = HOSTILE.into();
    let acceptance = |audit: String| Acceptance {
        audit,
        rule: "violated".into(),
        fingerprint: None,
        reason: HOSTILE.into(),
        expires: "2026-12-31".into(),
        place: (HOSTILE.into(), 1),
    };
    let accepted = vec![acceptance(format!("1{HOSTILE}")), acceptance(format!("none{HOSTILE}"))];
    let rules = GateRules { accepted, today: "2026-11-26".into(), ..GateRules::default() };
    let decision = decide(&report, Some(&before), &rules);
    for status in [CheckStatus::Failed, CheckStatus::Accepted, CheckStatus::Inconclusive] {
        assert!(decision.with(status).next().is_some(), "{status:?}");
    }
    for rule in ["changed-level", "changed-mechanism", "stale-acceptance"] {
        assert!(decision.notes.iter().any(|note| note.rule == rule), "{rule}");
    }
    decision
}

fn shows_nothing_hidden(text: &str) {
    assert!(!text.chars().any(|c| c != '\n' && is_hidden(c)), "{text:?}");
}

/// Attributes by the schema of Jenkins' xUnit plugin (junit-10.xsd): those that must be there, and those that may.
fn attributes(element: &str) -> (&'static [&'static str], &'static [&'static str]) {
    match element {
        "testsuites" => (&[], &["name", "time", "tests", "failures", "errors"]),
        "testsuite" => {
            (&["name", "tests", "failures", "errors"], &["time", "skipped", "timestamp"])
        }
        "testcase" => (&["name"], &["time", "classname", "group"]),
        "failure" | "error" | "skipped" => (&[], &["type", "message"]),
        "system-out" => (&[], &[]),
        other => panic!("<{other}> is not in the schema"),
    }
}

fn check_element(tag: &BytesStart, parent: &str) -> String {
    let name = String::from_utf8(tag.name().as_ref().to_vec()).unwrap();
    let may_be_in = match name.as_str() {
        "testsuites" => "",
        "testsuite" => "testsuites",
        "testcase" | "system-out" => "testsuite",
        _ => "testcase",
    };
    assert_eq!(parent, may_be_in, "<{name}>");
    let (must, may) = attributes(&name);
    let there: Vec<String> = tag
        .attributes()
        .map(|it| String::from_utf8(it.unwrap().key.as_ref().to_vec()).unwrap())
        .collect();
    for attribute in must {
        assert!(there.iter().any(|it| it == attribute), "<{name}> has no {attribute}");
    }
    for attribute in &there {
        let known = must.iter().chain(may).any(|it| it == attribute);
        assert!(known, "<{name}> has {attribute}");
    }
    name
}

#[test]
fn junit_is_as_the_schema_says() {
    let decision = decision();
    let xml = junit(&decision).unwrap();
    shows_nothing_hidden(&xml);
    assert!(xml.contains(" skipped=\"1\""), "{xml}");
    let mut reader = Reader::from_str(&xml);
    let (mut open, mut cases): (Vec<String>, usize) = (Vec::new(), 0);
    loop {
        let parent = open.last().cloned().unwrap_or_default();
        match reader.read_event().unwrap() {
            Event::Start(tag) => open.push(check_element(&tag, &parent)),
            Event::Empty(tag) => drop(check_element(&tag, &parent)),
            Event::End(_) => cases += usize::from(open.pop().unwrap() == "testcase"),
            Event::Eof => break,
            _ => {}
        }
    }
    assert!(open.is_empty());
    let empty = xml.lines().filter(|line| line.contains("<testcase ") && line.ends_with("/>"));
    assert_eq!(cases + empty.count(), decision.checks.len());
}

#[test]
fn code_quality_has_the_fields_that_gitlab_asks_for() {
    let value = code_quality(&decision());
    shows_nothing_hidden(&value.to_string());
    let entries = value.as_array().unwrap();
    assert!(entries.len() >= 6);
    for entry in entries {
        for field in ["description", "check_name", "fingerprint", "severity"] {
            assert!(entry[field].as_str().is_some_and(|it| !it.is_empty()), "{field}: {entry}");
        }
        let severities = ["info", "minor", "major", "critical", "blocker"];
        assert!(severities.contains(&entry["severity"].as_str().unwrap()), "{entry}");
        assert!(entry["location"]["path"].is_string(), "{entry}");
        assert!(entry["location"]["lines"]["begin"].as_u64().is_some_and(|it| it >= 1), "{entry}");
    }
    let prints: HashSet<&str> =
        entries.iter().filter_map(|it| it["fingerprint"].as_str()).collect();
    assert_eq!(prints.len(), entries.len(), "fingerprints tell entries apart");
}

#[test]
fn sarif_names_only_rules_that_it_describes() {
    let log = sarif(&decision());
    let text = log.to_string();
    shows_nothing_hidden(&text);
    assert!(!text.contains("\\u001b") && !text.contains("\\u0000"), "{text}");
    let ids = |list: &serde_json::Value, key: &str| -> HashSet<String> {
        list.as_array().unwrap().iter().map(|it| it[key].as_str().unwrap().to_owned()).collect()
    };
    let run = &log["runs"][0];
    let rules = ids(&run["tool"]["driver"]["rules"], "id");
    assert!(ids(&run["results"], "ruleId").is_subset(&rules));
    assert!(ACCEPTABLE.iter().all(|rule| rules.contains(*rule)));
}

#[test]
fn annotations_and_comments_keep_names_in_their_place() {
    let decision = decision();
    let lines = annotations(&decision);
    shows_nothing_hidden(&lines);
    for line in lines.lines() {
        let level = line.strip_prefix("::").and_then(|it| it.split(' ').next()).unwrap();
        assert!(["error", "warning", "notice"].contains(&level), "{line}");
        let title = line.split("title=").nth(1).unwrap().split("::").next().unwrap();
        assert!(!title.contains(':') && !title.contains(','), "{line}");
        assert!(!line.contains("%0A"), "{line}");
    }
    let comment = markdown(&decision);
    shows_nothing_hidden(&comment);
    assert!(!comment.contains("<img") && !comment.contains("@team"), "{comment}");
    for row in comment.lines().filter(|line| line.starts_with("| ")) {
        let bars = row.replace("\\|", "").matches('|').count();
        assert!((3..=4).contains(&bars), "{row}");
        assert!(!row.replace("\\`", "").contains('`'), "{row}");
    }
    shows_nothing_hidden(&summary(&decision).to_string());
}
