//! Each output, against its specification, with names that try to break out of it.

use super::*;
use plaudit_core::finding::reason::{Reason, Reasons};
use plaudit_core::finding::{Expectation, Report, Verdict};
use plaudit_core::visible::is_hidden;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::HashSet;

const HOSTILE: &str = "</script></testsuite>]]>|`code` \"'<img src=x>\n::error::x\r%0A\u{1b}[31m\u{202e}\u{200f}\u{0} @team [a](b)";

/// A failure, an accepted one, one that was not reached, a warning, a note and a stale entry, all with a hostile name.
fn decision() -> GateDecision {
    let text =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/sample-report.json"));
    let mut report: Report = serde_json::from_str(text).unwrap();
    report.audits.truncate(5);
    for (at, finding) in report.audits.iter_mut().enumerate() {
        finding.name = format!("{at}{HOSTILE}");
        finding.reasons = Reasons(vec![Reason::Sentences(HOSTILE.into())]);
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
        rule: GateRule::Violated,
        fingerprint: None,
        bound: None,
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
        assert!(decision.notes.iter().any(|note| note.rule.id() == rule), "{rule}");
    }
    decision
}

fn shows_nothing_hidden(text: &str) {
    assert!(!text.chars().any(|c| c != '\n' && is_hidden(c)), "{text:?}");
}

/// Attributes by the schema of Jenkins' xUnit plugin (junit-10.xsd), and the `skipped` of the root, which others read: those that must be
/// there, and those that may.
fn attributes(element: &str) -> (&'static [&'static str], &'static [&'static str]) {
    match element {
        "testsuites" => (&["time", "skipped"], &["name", "tests", "failures", "errors"]),
        "testsuite" => {
            (&["name", "tests", "failures", "errors", "time", "skipped"], &["timestamp"])
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
    let uri = run["tool"]["driver"]["informationUri"].as_str().unwrap();
    assert!(
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml"))
            .contains(&format!("documentation = \"{uri}\""))
    );
    let rules = ids(&run["tool"]["driver"]["rules"], "id");
    assert!(ids(&run["results"], "ruleId").is_subset(&rules));
    let told = |rule: GateRule| rule == GateRule::Expected || rules.contains(rule.id());
    assert!(GateRule::ALL.into_iter().all(told));
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

/// Many failures, and one audit each that could not be tested, that is advisory and that passed.
fn mixed() -> GateDecision {
    let text =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/sample-report.json"));
    let mut report: Report = serde_json::from_str(text).unwrap();
    report.audits.truncate(1);
    let like = report.audits.pop().unwrap();
    let mut add = |name: &str, verdict, clock| {
        let expected = Expectation::NotViolated;
        let mut finding = like.clone();
        (finding.name, finding.verdict, finding.expected) = (name.into(), verdict, expected);
        (finding.as_expected, finding.interrupted) = (expected.is_met_by(verdict), false);
        finding.scope.clock = clock;
        finding.witness.kind = if clock { "clock" } else { "thresholds" }.into();
        report.audits.push(finding);
    };
    (0..12).for_each(|at| add(&format!("broken-{at}"), Verdict::Violated, false));
    add("too-few-runs", Verdict::Inconclusive, false);
    add("timed", Verdict::Violated, true);
    add("fine", Verdict::NotRefuted, false);
    decide(&report, None, &GateRules::default())
}

#[test]
fn what_could_not_be_tested_and_what_is_advisory_have_lines_of_their_own() {
    let decision = mixed();
    let words = "12 failed, 1 advisory, 1 inconclusive, 1 passed";
    assert!(decision.words().contains(words), "{}", decision.words());
    let xml = junit(&decision).unwrap();
    let case = |name: &str| {
        let found = xml.split("<testcase ").find(|it| it.starts_with(&format!("name=\"{name}\"")));
        found.unwrap().to_owned()
    };
    assert!(xml.contains("failures=\"12\"") && xml.contains("errors=\"1\""), "{xml}");
    let (untested, timed) = (case("too-few-runs"), case("timed"));
    assert!(
        untested.contains("<error ") && untested.contains("type=\"inconclusive\""),
        "{untested}"
    );
    assert!(timed.contains("<skipped ") && timed.contains("(advisory: "), "{timed}");
    let lines = annotations(&decision);
    assert_eq!(lines.matches("::error ").count(), 10, "{lines}");
    let warned =
        |name: &str| lines.lines().any(|it| it.starts_with("::warning ") && it.contains(name));
    assert!(warned("title=too-few-runs::") && warned("title=timed::"), "{lines}");
    let comment = markdown(&decision);
    let section = |heading: &str| {
        let (_, rest) = comment.split_once(&format!("**{heading}**\n")).unwrap();
        rest.split("\n**").next().unwrap().to_owned()
    };
    assert!(comment.contains(words), "{comment}");
    assert!(section("Inconclusive: no pass").contains("| too-few-runs |"), "{comment}");
    assert!(section("Advisory: running times").contains("| timed |"), "{comment}");
    assert_eq!(section("Failed").matches("\n| broken-").count(), 12, "{comment}");
    for (value, list, name, kind) in [
        (sarif(&decision), "/runs/0/results", "/message/text", "level"),
        (code_quality(&decision), "", "/description", "severity"),
        (summary(&decision), "/not_passed", "/name", "status"),
        (summary(&decision), "/advisory", "/name", "status"),
    ] {
        let entries = value.pointer(list).unwrap().as_array().unwrap();
        let kinds_of = |wanted: &str| -> Vec<&str> {
            let with = entries
                .iter()
                .filter(|it| it.pointer(name).unwrap().as_str().unwrap().starts_with(wanted));
            with.map(|it| it[kind].as_str().unwrap()).collect()
        };
        let (untested, timed) = (kinds_of("too-few-runs"), kinds_of("timed"));
        match (kind, list) {
            ("level", _) => assert_eq!((untested, timed), (vec!["warning"], vec!["warning"])),
            ("severity", _) => assert_eq!((untested, timed), (vec!["major"], vec!["minor"])),
            (_, "/advisory") => assert_eq!((untested, timed), (vec![], vec!["advisory"])),
            _ => assert_eq!((untested, timed), (vec!["inconclusive"], vec![])),
        }
        assert!(kinds_of("fine").is_empty());
    }
    let counts = &summary(&decision)["counts"];
    assert_eq!((&counts["inconclusive"], &counts["advisory"]), (&1.into(), &1.into()));
}
