//! Programs that take a seed of their own from the system and say nearly always the same: equal answers to equal seeds do not show
//! that they follow a seed, other answers do not show that they remember, and what they seldom say is not drowned in guesses
//! on what they nearly always say.
//!
//! Their seed is the system's own, so these tests draw anew each time. At 150 000 trials explore sees the rare outcome about
//! 151 times on one dataset, of standard deviation 12, and takes it from 77 on; confirm would refute the claim from a rate of
//! .007 on, where .0134 is true: each violation is missed with probability below 1e-8. The right twin, at .004, is seen 77
//! times with probability below 1e-5. Where there is no Python these tests say so and test nothing.
#![cfg(unix)]

use super::sharing::notes;
use crate::support::program::{interpreter, python};
use crate::tier;
use plaudit::dataset::Dataset;
use plaudit::finding::Finding;
use plaudit::inference::Test;
use plaudit::mechanism::process::Process;
use plaudit::mechanism::program::{Format, ProgramSettings};
use plaudit::{Audit, Claim, Verdict};
use serde_json::{Value, json};

/// Releases the key with this probability where the dataset has it, and with .0001 where not.
const KEYS: &str = r#"
import json, random, sys
own = random.Random()
def key():
    return json.dumps({"a": round(3 + own.expovariate(1), 2)})
for line in sys.stdin:
    asked = json.loads(line)
    rate = float(sys.argv[1]) if "a" in asked["dataset"] else .0001
    print("\n".join(key() if own.random() < rate else "{}" for _ in range(asked["runs"])))
    sys.stdout.flush()
"#;

fn audit(rate: &str, pairs: &[[Value; 2]]) -> Audit<Dataset> {
    let settings = ProgramSettings {
        command: interpreter().into_iter().chain(["-c", KEYS, rate]).map(str::to_owned).collect(),
        clean: None,
        folder: std::path::PathBuf::new(),
        format: Format::Json,
        timeout: 60.0,
        batch: None,
        patience: 60.0,
        interleaved: false,
    };
    let claim = Claim::approximate(1.0, 0.00493).unwrap();
    let audit = Audit::of_mechanism("keys", claim, Process::new(settings)).trials(150_000);
    let json = |[d, d_prime]: &[Value; 2]| [d, d_prime].map(|data| Dataset::Json(data.clone()));
    pairs.iter().map(json).fold(audit, |audit, [d, d_prime]| audit.pair(d, d_prime))
}

fn finding(audit: &Audit<Dataset>) -> Finding {
    audit.report().unwrap().audits.remove(0)
}

/// One of so many orders and numbers of pairs is audited: the first and the last. The second tier has all four.
fn each_order() -> usize {
    tier::of([3, 1, 1])
}

fn without() -> Value {
    json!({})
}

fn with() -> Value {
    json!({"a": 1})
}

#[test]
fn a_rare_key_is_found_in_either_order_and_among_pairs() {
    if !python() {
        return;
    }
    let dull = [without(), json!({"b": 1})];
    for pairs in [
        vec![[without(), with()]],
        vec![[with(), without()]],
        vec![dull.clone(), [without(), with()]],
        vec![[with(), without()], dull],
    ]
    .into_iter()
    .step_by(each_order())
    {
        let finding = finding(&audit("0.0134", &pairs));
        assert_eq!(finding.verdict, Verdict::Violated, "{pairs:?}: {}", notes(&finding));
        assert_ne!(finding.test, Test::Betting, "{pairs:?}: {}", notes(&finding));
    }
}

#[test]
#[ignore = "takes several seconds"]
fn a_rare_key_is_found_by_betting() {
    if !python() {
        return;
    }
    for pair in [[without(), with()], [with(), without()]] {
        let finding = finding(&audit("0.0134", &[pair]).stateful());
        assert_eq!(finding.test, Test::Betting);
        assert_eq!(finding.verdict, Verdict::Violated, "{}", notes(&finding));
    }
}

#[test]
#[ignore = "takes several seconds"]
fn a_key_that_is_rare_enough_is_not_refuted() {
    if !python() {
        return;
    }
    // Where explore does not take the key, the witness may show no difference, which is not what is asked here.
    let finding = finding(&audit("0.004", &[[without(), with()]]).may_show_no_difference());
    assert_eq!(finding.verdict, Verdict::NotRefuted, "{}", notes(&finding));
    assert_ne!(finding.test, Test::Betting, "{}", notes(&finding));
    assert!(notes(&finding).contains("seed"), "{}", notes(&finding));
}
