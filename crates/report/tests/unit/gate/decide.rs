use super::*;
use crate::gate::{annotations, code_quality, junit, markdown, sarif, summary};
use plaudit_core::finding::reason::{Reason, Reasons};

/// The sample report with its first audit changed.
fn report(change: impl Fn(&mut Finding)) -> Report {
    let text =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/sample-report.json"));
    let mut report: Report = serde_json::from_str(text).unwrap();
    report.audits.truncate(1);
    report.audits.iter_mut().for_each(change);
    report
}

fn said(words: &str) -> Reasons {
    Reasons(vec![Reason::Sentences(words.into())])
}

fn of(change: impl Fn(&mut Finding)) -> GateDecision {
    decide(&report(change), None, &GateRules::default())
}

fn ends(verdict: Verdict, expected: Expectation, as_expected: bool) -> impl Fn(&mut Finding) {
    move |finding| {
        (finding.verdict, finding.expected, finding.as_expected) = (verdict, expected, as_expected);
        finding.interrupted = false;
    }
}

#[test]
fn inconclusive_is_never_a_pass() {
    let inconclusive = ends(Verdict::Inconclusive, Expectation::NotViolated, true);
    let decision = of(&inconclusive);
    assert!(decision.is_red && decision.is_inconclusive);
    let rules = GateRules { inconclusive: OnInconclusive::Warn, ..GateRules::default() };
    let warned = decide(&report(&inconclusive), None, &rules);
    assert!(!warned.is_red);
    assert_eq!(warned.checks[0].status, CheckStatus::Inconclusive);
    assert!(warned.words().contains("1 inconclusive, 0 passed"), "{}", warned.words());
}

#[test]
fn what_was_not_expected_is_red_and_what_was_is_green() {
    let violated = of(ends(Verdict::Violated, Expectation::NotViolated, false));
    assert_eq!((violated.is_red, violated.checks[0].rule.id()), (true, "violated"));
    let missed = of(ends(Verdict::NotRefuted, Expectation::Violated, false));
    assert_eq!((missed.is_red, missed.checks[0].rule.id()), (true, "missed-mistake"));
    let caught = of(ends(Verdict::Violated, Expectation::Violated, true));
    assert!(!caught.is_red);
    let interrupted = of(|finding| finding.interrupted = true);
    assert_eq!(
        (interrupted.is_inconclusive, interrupted.checks[0].rule.id()),
        (true, "not-reached")
    );
}

#[test]
fn a_clock_advises_unless_it_is_asked_to_fail() {
    let timed = |end: (Verdict, Expectation)| {
        report(move |finding| {
            ends(end.0, end.1, end.1.is_met_by(end.0))(finding);
            finding.scope.clock = true;
            finding.witness.kind = "clock".into();
        })
    };
    let fail = GateRules { clock_fails: true, ..GateRules::default() };
    for (end, rule, status) in [
        ((Verdict::Violated, Expectation::NotViolated), "violated", CheckStatus::Failed),
        ((Verdict::NotRefuted, Expectation::Violated), "missed-mistake", CheckStatus::Failed),
        (
            (Verdict::Inconclusive, Expectation::NotViolated),
            "inconclusive",
            CheckStatus::Inconclusive,
        ),
    ] {
        let advised = decide(&timed(end), None, &GateRules::default());
        assert!(!advised.is_red && !advised.is_inconclusive, "{rule}");
        assert_eq!(
            (advised.checks[0].status, advised.checks[0].rule.id()),
            (CheckStatus::Advisory, rule)
        );
        let words = advised.words();
        assert!(
            words.contains("gate: green: 0 failed, 1 advisory, 0 inconclusive, 0 passed"),
            "{words}"
        );
        let failed = decide(&timed(end), None, &fail);
        assert!(failed.is_red, "{rule}");
        assert_eq!((failed.checks[0].status, failed.checks[0].rule.id()), (status, rule));
        assert!(!failed.words().contains("advisory"));
    }
    let caught = timed((Verdict::Violated, Expectation::Violated));
    assert_eq!(decide(&caught, None, &GateRules::default()).checks[0].status, CheckStatus::Passed);
    // A baseline has no clock: a timed audit that is gone is gone.
    let gone = report(|_| {});
    let gone = Report { audits: vec![], ..gone };
    assert!(decide(&gone, Some(&caught), &GateRules::default()).is_red);
}

#[test]
fn a_clock_excuses_no_violation_that_is_seen_without_it() {
    let timed = |finding: &mut Finding| {
        ends(Verdict::Violated, Expectation::NotViolated, false)(finding);
        (finding.scope.clock, finding.proof, finding.sensitivity) = (true, None, None);
        (finding.p_value, finding.witness.kind) = (0.0, "clock".into());
    };
    let status = |change: &dyn Fn(&mut Finding)| {
        of(|finding| {
            timed(finding);
            change(finding);
        })
        .checks[0]
            .status
    };
    assert_eq!(status(&|_| {}), CheckStatus::Advisory);
    let counted = status(&|finding| finding.witness.kind = "thresholds".into());
    assert_eq!(counted, CheckStatus::Failed, "a witness that does not look at time");
    let bracket = serde_json::json!({ "lower": 2.0, "upper": 2.0 });
    let refuted: plaudit_core::finding::Proof = serde_json::from_value(serde_json::json!({
        "method": "closed-form", "decision": "refuted", "covers_relation": true, "statement": "", "runs": 0,
        "domain": { "words": "", "datasets": null, "laws": null, "pairs": null },
        "unresolved": 0.0, "epsilon": bracket, "delta": bracket, "profile": [],
    }))
    .unwrap();
    let proved = status(&|finding| finding.proof = Some(refuted.clone()));
    assert_eq!(proved, CheckStatus::Failed, "a proof");
    let unseen = status(&|finding| {
        finding.witness.kind = "thresholds".into();
        finding.p_value = 1.0;
    });
    assert_eq!(unseen, CheckStatus::Advisory);
}

#[test]
fn the_chance_of_a_false_alarm_is_rounded_up() {
    let decision = of(|finding| {
        (finding.looks, finding.alpha) = (None, 1.000_01e-6);
        finding.trials.total = 1;
    });
    assert!(decision.words().contains("at most 0.001001 false alarms"), "{}", decision.words());
}

#[test]
fn what_the_baseline_had_is_missed() {
    let before = report(|_| {});
    let mut gone = before.clone();
    gone.audits.clear();
    let decision = decide(&gone, Some(&before), &GateRules::default());
    assert_eq!((decision.is_red, decision.checks[0].rule.id()), (true, "removed-audit"));
    let name = before.audits[0].name.clone();
    let rules = GateRules { not_reached: vec![name.clone()], ..GateRules::default() };
    let interrupted = decide(&gone, Some(&before), &rules);
    assert!(interrupted.is_inconclusive, "{interrupted:?}");
    assert!(
        interrupted.checks.iter().all(|check| check.rule.id() == "not-reached"),
        "{interrupted:?}"
    );
    gone.left_out = vec![LeftOut { audit: name.clone(), why: "--filter: its name".into() }];
    let decision = decide(&gone, Some(&before), &GateRules::default());
    assert!(!decision.is_red, "left out on purpose");
    let xml = junit(&decision).unwrap();
    let skipped = format!("<testcase name=\"{name}\">\n            <skipped");
    assert!(xml.contains(&skipped) && xml.contains("left out: --filter: its name"), "{xml}");
    assert!(markdown(&decision).contains("**Left out**"), "{}", markdown(&decision));
    let left_out = &summary(&decision)["left_out"];
    assert_eq!(left_out[0]["name"], name.as_str());
    assert_eq!(left_out[0]["why"], "--filter: its name");
    let same = decide(&before, Some(&before), &GateRules::default());
    assert!(same.checks.iter().all(|check| check.rule.id() != "removed-audit"));
    let planted = report(ends(Verdict::Violated, Expectation::Violated, true));
    let tame = report(ends(Verdict::NotRefuted, Expectation::NotViolated, true));
    let decision = decide(&tame, Some(&planted), &GateRules::default());
    assert!(decision.checks.iter().any(|check| check.rule.id() == "removed-mutant"));
}

#[test]
fn the_levels_of_attacks_count_and_attacks_do_not_vanish() {
    let attack = |alpha, expected| plaudit_core::finding::AttackFinding {
        name: "it".into(),
        about: None,
        kind: plaudit_core::finding::AttackKind::Membership,
        setting: String::new(),
        outcome: String::new(),
        succeeded: expected,
        expected,
        seed: 0,
        alpha,
        table: plaudit_core::finding::AttackTable::default(),
        picture: plaudit_core::finding::AttackPicture {
            x: String::new(),
            y: String::new(),
            logarithmic: false,
            lines: vec![],
        },
        details: serde_json::Value::Null,
        identity: None,
    };
    let with = |attacks| Report { attacks, ..report(|_| {}) };
    let rules = GateRules::default();
    let own = decide(&with(vec![]), None, &rules).false_alarm;
    let both = decide(&with(vec![attack(Some(0.01), false)]), None, &rules).false_alarm;
    assert!((both - own - 0.01).abs() < 1e-12, "{both} {own}");
    let before = with(vec![attack(None, false)]);
    let gone = decide(&with(vec![]), Some(&before), &rules);
    assert!(gone.checks.iter().any(|check| check.rule.id() == "removed-audit"));
    let given_up = decide(&with(vec![attack(None, true)]), Some(&before), &rules);
    assert!(given_up.checks.iter().any(|check| check.rule.id() == "loosened-claim"));
    let mut others = before.clone();
    others.audits[0].scope.neighbors = "something else".into();
    let decision = decide(&others, Some(&before), &rules);
    assert!(decision.checks.iter().any(|check| check.rule.id() == "other-neighbors"));
}

#[test]
fn hostile_names_stay_text_everywhere() {
    let name =
        "</testsuite>]]>\"'&|`<img src=x onerror=alert(1)>\n::error::x%0A\u{1b}[31m @team [a](b)";
    let decision = of(|finding| {
        finding.name = name.into();
        finding.reasons = said(name);
        ends(Verdict::Violated, Expectation::NotViolated, false)(finding);
    });
    let xml = junit(&decision).unwrap();
    assert!(!xml.contains("</testsuite>]]>") && !xml.contains("<img") && !xml.contains('\u{1b}'));
    assert_eq!(xml.matches("<testsuite ").count(), xml.matches("</testsuite>").count());
    let lines = annotations(&decision);
    assert_eq!(lines.lines().count(), 1, "{lines}");
    assert_eq!(lines.matches("%0A").count(), 0, "a percent of theirs is escaped: {lines}");
    assert!(lines.contains("%250A") && !lines.contains('\u{1b}'));
    let title = lines.split("title=").nth(1).unwrap().split("::").next().unwrap();
    assert!(!title.contains(':') && !title.contains(','), "{title}");
    let comment = markdown(&decision);
    assert!(!comment.contains("<img") && !comment.contains("@team"), "{comment}");
    assert!(!comment.contains("[a](b)") && !comment.contains('\u{1b}'));
    for value in [sarif(&decision), code_quality(&decision), summary(&decision)] {
        assert!(!value.to_string().contains("\\u001b"));
    }
}

#[test]
fn a_summary_is_short_however_much_fails() {
    let mut many = report(ends(Verdict::Violated, Expectation::NotViolated, false));
    many.audits[0].reasons = said(&"long ".repeat(1_000));
    many.audits = vec![many.audits[0].clone(); 3_000];
    let decision = decide(&many, None, &GateRules::default());
    let value = summary(&decision);
    assert!(value.to_string().len() < 50_000);
    let told = value["not_passed"].as_array().unwrap().len() as u64;
    assert_eq!(told + value["not_listed"].as_u64().unwrap(), 3_000);
    assert_eq!(value["counts"]["failed"], 3_000);
}

#[test]
fn fingerprints_tell_claims_apart_and_not_runs() {
    let one = of(|finding| finding.p_value = 0.5);
    let other = of(|finding| finding.p_value = 0.25);
    assert_eq!(one.checks[0].fingerprint, other.checks[0].fingerprint);
    let claim = of(|finding| finding.claim.words = "another claim".into());
    assert_ne!(one.checks[0].fingerprint, claim.checks[0].fingerprint);
}
