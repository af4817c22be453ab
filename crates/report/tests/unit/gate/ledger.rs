use super::*;
use crate::gate::GateRule;
use crate::gate::{GateDecision, GateRules, decide, markdown, summary};
use plaudit_core::finding::{Verdict, WitnessSummary};

/// A night of the sample report's first audit, a guesser of both datasets with these counts.
fn night(seed: u64, right: u64, wrong: u64) -> Report {
    let text =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/sample-report.json"));
    let mut report: Report = serde_json::from_str(text).unwrap();
    report.audits.truncate(1);
    let finding = &mut report.audits[0];
    finding.name = "it".into();
    (finding.expected, finding.verdict) = (Expectation::NotViolated, Verdict::NotRefuted);
    (finding.as_expected, finding.interrupted, finding.scope.clock) = (true, false, false);
    (finding.leaks, finding.looks, finding.proof) = (None, None, None);
    (finding.claim.reference_epsilon, finding.claim.reference_delta) = (1.0, 0.0);
    (finding.seed, finding.alpha, finding.test) = (seed, 0.05, Test::Guess);
    finding.trials.total = right + wrong;
    finding.trials.confirm = right + wrong;
    finding.evidence = Evidence {
        on_d: [right, 0],
        on_d_prime: [wrong, 0],
        runs: [right, wrong],
        words: String::new(),
    };
    report
}

fn contents(content: &str) -> BTreeMap<String, String> {
    BTreeMap::from([("it".to_owned(), content.to_owned())])
}

fn add(ledger: &mut Ledger, report: &Report, content: &str) -> LedgerLine {
    let lines = ledger.add(report, &contents(content), "2026-11-26T00:00:00Z");
    let [line] = &lines[..] else { panic!("{lines:?}") };
    line.clone()
}

#[test]
fn nights_add_up_and_a_seed_counts_once() {
    let mut ledger = Ledger::default();
    assert_eq!(add(&mut ledger, &night(1, 760, 240), "a").change, LedgerChange::Added);
    let first = ledger.clone();
    let again = add(&mut ledger, &night(1, 760, 240), "a");
    assert_eq!((again.change, again.nights), (LedgerChange::Repeated, 1));
    assert_eq!(ledger, first);
    let second = add(&mut ledger, &night(2, 760, 240), "a");
    assert_eq!((second.change, second.nights), (LedgerChange::Added, 2));
    assert!(second.ln_e_value > again.ln_e_value);
    assert_eq!(ledger.audits["it"].seeds, [1, 2]);
    ledger.check().unwrap();
}

#[test]
fn another_content_begins_anew() {
    let mut ledger = Ledger::default();
    for seed in 1..5 {
        add(&mut ledger, &night(seed, 800, 200), "a");
    }
    let reset = add(&mut ledger, &night(4, 500, 500), "b");
    assert_eq!((reset.change, reset.nights), (LedgerChange::Reset, 1));
    assert_eq!(reset.ln_e_value, 0.0);
}

#[test]
fn it_is_flagged_from_the_night_on_and_stays_so() {
    let mut ledger = Ledger::default();
    let mut flagged = Vec::new();
    for seed in 0..6 {
        let right = if seed < 4 { 765 } else { 600 };
        flagged.push(add(&mut ledger, &night(seed, right, 1_000 - right), "a").is_flagged());
    }
    assert!(!flagged[0] && flagged[3], "{flagged:?}");
    // Later nights do not undo it: the largest e-value counts.
    assert!(flagged[5], "{flagged:?}");
    assert!(ledger.audits["it"].evidence.ln_e_value() < 0.0);
}

#[test]
fn what_is_no_evidence_is_not_added() {
    let of = |change: fn(&mut Finding)| {
        let mut report = night(1, 760, 240);
        change(&mut report.audits[0]);
        Ledger::default().add(&report, &contents("a"), "now").len()
    };
    assert_eq!(of(|_| {}), 1);
    assert_eq!(of(|finding| finding.interrupted = true), 0);
    assert_eq!(of(|finding| finding.expected = Expectation::Violated), 0);
    assert_eq!(of(|finding| finding.scope.clock = true), 0);
    assert_eq!(of(|finding| finding.claim.reference_epsilon = f64::INFINITY), 0);
    // Proved, or exceeded: no trials.
    assert_eq!(of(|finding| finding.trials.total = 0), 0);
    assert_eq!(
        of(|finding| {
            let look =
                plaudit_core::finding::Look { trials: 1_000, alpha: 0.05, p_value: Some(1.0) };
            finding.looks = Some(plaudit_core::finding::Looks {
                alpha: 0.05,
                looks: vec![look; 2],
                enough: None,
            });
        }),
        0
    );
    let none = Ledger::default().add(&night(1, 760, 240), &BTreeMap::new(), "now");
    assert!(none.is_empty());
}

#[test]
fn a_night_that_breaks_off_gives_up_what_was_won() {
    let mut ledger = Ledger::default();
    let before = add(&mut ledger, &night(1, 760, 240), "a");
    let mut broken = night(2, 0, 0);
    (broken.audits[0].verdict, broken.audits[0].evidence) =
        (Verdict::Inconclusive, Evidence::default());
    assert_eq!(add(&mut ledger, &broken, "a").change, LedgerChange::BrokenOff);
    let after = add(&mut ledger, &night(3, 760, 240), "a");
    assert_eq!(after.ln_e_value, before.ln_e_value, "a smaller share of the same wealth");
    assert!(ledger.audits["it"].evidence.ln_e_value() < before.ln_e_value - 1.0);
}

#[test]
fn the_guesses_are_those_of_the_frozen_test() {
    let evidence =
        Evidence { on_d: [5, 1], on_d_prime: [2, 7], runs: [50, 60], words: String::new() };
    let both = guesses(&evidence, Test::Guess, true);
    assert_eq!(both.both, Guesses { right: 12, made: 15, trials: 110 });
    assert_eq!(both.one.trials, 0);
    let one = guesses(&evidence, Test::Guess, false);
    assert_eq!((one.one, one.both.trials), (both.both, 0));
    let event = guesses(&evidence, Test::EventD, true).one;
    assert_eq!(event, Guesses { right: 5, made: 7, trials: 110 });
    let event = guesses(&evidence, Test::EventDPrime, true).one;
    assert_eq!(event, Guesses { right: 7, made: 8, trials: 110 });
}

#[test]
fn bits_that_decide_nothing_are_no_evidence() {
    let of = |floats| {
        let mut report = night(1, 500, 500);
        let finding = &mut report.audits[0];
        let leak = |evidence: Evidence| plaudit_core::finding::Leak {
            refutes: false,
            epsilon_lower: 0.0,
            delta_lower: 0.0,
            p_value: 1.0,
            alpha: 0.01,
            test: Test::Guess,
            witness: String::new(),
            evidence,
        };
        let values = leak(finding.evidence.clone());
        let bits = leak(night(1, 1_000, 0).audits[0].evidence.clone());
        finding.leaks = Some(plaudit_core::finding::Leaks {
            grid: 1.0,
            headline: plaudit_core::finding::LeakKind::Values,
            values,
            representation: bits,
            words: String::new(),
        });
        finding.floats = floats;
        finding.witness = WitnessSummary::default();
        add(&mut Ledger::default(), &report, "a")
    };
    assert!(of(Floats::AsReleased).is_flagged());
    assert!(!of(Floats::Ideal).is_flagged());
}

fn decided(ledger: &mut Ledger, report: &Report, content: &str) -> GateDecision {
    let lines = ledger.add(report, &contents(content), "2026-11-26T00:00:00Z");
    decide(report, None, &GateRules { ledger: Some(lines), ..GateRules::default() })
}

#[test]
fn a_flagged_audit_is_red_and_told_in_every_output() {
    let mut ledger = Ledger::default();
    for seed in 1..8 {
        let decision = decided(&mut ledger, &night(seed, 765, 235), "a");
        let red = decision.checks.iter().find(|check| check.rule == GateRule::Ledger);
        assert_eq!(decision.is_red, red.is_some());
        assert_eq!(red.is_some(), ledger.audits["it"].evidence.most_ln_e_value >= 20_f64.ln());
    }
    let decision = decided(&mut ledger, &night(7, 765, 235), "a");
    assert!(decision.is_red);
    let [words, comment] = [decision.checks[1].message.clone(), markdown(&decision)];
    assert!(words.starts_with("over 7 nights since 2026-11-26T00:00:00Z the evidence"), "{words}");
    assert!(comment.contains("7 nights at most, 1 flagged"), "{comment}");
    assert!(comment.contains("**Ledger**"), "{comment}");
    let summary = summary(&decision);
    assert_eq!(summary["ledger"]["nights"], 7);
    assert_eq!(summary["ledger"]["repeated"], 1);
    assert_eq!(summary["ledger"]["largest"]["name"], "it");
    assert!(decide(&night(1, 1, 1), None, &GateRules::default()).ledger.is_none());
}

#[test]
fn a_ledger_is_read_as_it_was_written() {
    let mut ledger = Ledger::default();
    add(&mut ledger, &night(1, 761, 239), "a");
    let text = serde_json::to_string(&ledger).unwrap();
    assert_eq!(serde_json::from_str::<Ledger>(&text).unwrap(), ledger);
    let wrong = text.replace("\"right\":761", "\"right\":9000");
    let wrong: Ledger = serde_json::from_str(&wrong).unwrap();
    assert!(wrong.check().unwrap_err().contains("\"it\""));
}

#[test]
fn counts_that_cannot_be_those_of_the_seeds_are_refused() {
    let mut right = Ledger::default();
    for seed in 1..4 {
        add(&mut right, &night(seed, 760, 240), "a");
    }
    right.check().unwrap();
    let wrong = |change: &dyn Fn(&mut LedgerEntry)| {
        let mut ledger = right.clone();
        change(ledger.audits.get_mut("it").unwrap());
        ledger.check().unwrap_err()
    };
    let twice = wrong(&|it| it.seeds = vec![1, 2, 1]);
    assert!(twice.contains("the seed 1 of \"it\" is counted twice"), "{twice}");
    for (what, message) in [
        ("no seeds", wrong(&|it| it.seeds.clear())),
        ("more seeds than trials", wrong(&|it| it.seeds.extend(10..4_000))),
        ("more nights broke off", wrong(&|it| it.evidence.broken_off = 4)),
        ("all nights broke off", wrong(&|it| it.evidence.broken_off = 3)),
        ("more than can be won", wrong(&|it| it.evidence.most_ln_e_value = 2_500.0)),
    ] {
        assert!(message.contains("cannot be those of its"), "{what}: {message}");
    }
    let mut broken = night(9, 0, 0);
    broken.audits[0].verdict = Verdict::Inconclusive;
    add(&mut right, &broken, "a");
    right.check().unwrap();
}
