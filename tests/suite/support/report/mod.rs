//! Findings in realistic shape, made from exact laws and expected counts: what an audit could
//! have found. The numbers called certified are plausible, not certified.

mod curves;
pub mod laws;
pub mod markup;
pub mod names;

use curves::{loss, tradeoff};
use laws::{gaussian, laplace, panics, sparse_vector, words};
use plaudit::finding::MechanismKind;
use plaudit::finding::reason::{Reason, Reasons};

use plaudit::claim::{Claim, LossUnit};
use plaudit::dataset::json_rows;
use plaudit::finding::*;
use plaudit::game::Tally;
use plaudit::inference::Test;
use plaudit::tally::Guess;
use serde_json::{Value, json};

/// A bin of a law: label, interval or value, and its probabilities under D and D'.
pub struct Cell {
    pub label: String,
    pub ends: Option<(Option<f64>, Option<f64>)>,
    pub p: f64,
    pub q: f64,
}

/// What the sample findings differ in.
pub struct Story {
    pub name: &'static str,
    pub kind: &'static str,
    pub description: &'static str,
    pub relation: &'static str,
    pub parameters: Value,
    pub claim: Claim,
    pub expected: Expectation,
    pub test: Test,
    pub pair: (&'static str, Value, Value, &'static str),
    pub scorer: &'static str,
    pub statistic: &'static str,
    pub witness: &'static str,
    pub cells: Vec<Cell>,
}

/// One run of everything that a report can show.
pub fn report() -> Report {
    let mut audits: Vec<Finding> = stories().iter().map(finding).collect();
    audits.push(inconclusive());
    Report {
        attacks: Vec::new(),
        changes: None,
        left_out: Vec::new(),
        schema_version: SCHEMA_VERSION.into(),
        tool: Tool { name: "plaudit".into(), version: "0.1.0".into() },
        run: Run { seed: 1, alpha: 1e-6 },
        provenance: Some(provenance(&audits)),
        audits: audits.into_iter().map(Finding::with_headline).collect(),
    }
}

/// Where the sample comes from.
fn provenance(audits: &[Finding]) -> Provenance {
    let origin = |(at, finding): (usize, &Finding)| Origin {
        audit: finding.name.clone(),
        spec: SpecPlace {
            file: if at < 4 { "audits/counts.toml" } else { "audits/sums.toml" }.into(),
            line: 3 + 9 * at,
            sha256: "5d41402abc4b2a76b9719d911017c592ae2f8a7f3c1d4e9b0a6c8d7e5f4a3b21".into(),
        },
        program: match finding.mechanism.kind {
            MechanismKind::Program => vec![ProgramFile {
                path: "audits/histogram".into(),
                sha256: Some(
                    "0f343b0931126a20f133d67c2b018a3b2d6a1c5e7f9081726354455463728190".into(),
                ),
                version: Some("histogram 2.1".into()),
            }],
            _ => Vec::new(),
        },
        wall_s: Some(0.124),
        steps: Some(StepTimes {
            explore_s: 0.05,
            confirm_s: 0.06,
            mechanism_s: 0.08,
            ..StepTimes::default()
        }),
    };
    Provenance {
        started: "2026-01-02T03:04:05Z".into(),
        wall_s: Some(3.21),

        jobs: Some(2),
        command: ["plaudit", "audit", "audits", "--seed", "1"].map(String::from).into(),
        build: "release, x86_64-linux, cli html".into(),
        git: Some(Commit {
            commit: "d20ad41c0ffee0123456789abcdef0123456789a".into(),
            clean: Some(true),
        }),
        audits: audits.iter().enumerate().map(origin).collect(),
    }
}

fn stories() -> Vec<Story> {
    let substitution = "substitution: same number of rows, one row differs";
    let add_remove = "add/remove: one dataset has one row more";
    let count = ("one row more", json!([0, 1, 1]), json!([0, 1, 1, 1]), "D' has one more row, `1`");
    vec![
        Story {
            name: "laplace-understated",
            kind: "laplace-count",
            description: "Counts rows with a property and adds Laplace noise of scale 0.5.",
            relation: add_remove,
            parameters: json!({"scale": 0.5, "sensitivity": 1}),
            claim: Claim::pure(1.0).unwrap(),
            expected: Expectation::Violated,
            test: Test::Guess,
            pair: count.clone(),
            scorer: "thresholds",
            statistic: "output",
            witness: "says D when output < 2.0137, D' when output >= 2.9812",
            cells: laplace(0.5),
        },
        Story {
            name: "laplace-count",
            kind: "laplace-count",
            description: "Counts rows with a property and adds Laplace noise of scale 1.",
            relation: add_remove,
            parameters: json!({"scale": 1, "sensitivity": 1}),
            claim: Claim::pure(1.0).unwrap(),
            expected: Expectation::NotViolated,
            test: Test::Guess,
            pair: count,
            scorer: "thresholds",
            statistic: "output",
            witness: "says D when output < 1.9421, D' when output >= 3.0688",
            cells: laplace(1.0),
        },
        Story {
            name: "noisy-max-exponential",
            kind: "noisy-max",
            description: "Names the largest of five counts after adding exponential noise.",
            relation: substitution,
            parameters: json!({"epsilon": 1.0, "queries": 5}),
            claim: Claim::pure(1.0).unwrap(),
            expected: Expectation::NotViolated,
            test: Test::EventD,
            pair: (
                "one above, rest below",
                json!([2, 1, 1, 1, 1]),
                json!([1, 2, 2, 2, 2]),
                "every count differs by 1",
            ),
            scorer: "atoms",
            statistic: "",
            witness: "says D when the outcome is 0",
            cells: words(&[
                ("0", 0.4411, 0.2024),
                ("1", 0.1402, 0.1991),
                ("2", 0.1396, 0.1995),
                ("3", 0.1397, 0.1998),
                ("4", 0.1394, 0.1992),
            ]),
        },
        Story {
            name: "svt-4",
            kind: "sparse-vector",
            description: "Says which of ten queries are above a noisy threshold; the noise of the \
                          answers does not grow with their number.",
            relation: substitution,
            parameters: json!({"epsilon": 1.0, "limit": 3, "variant": 4}),
            claim: Claim::pure(1.0).unwrap(),
            expected: Expectation::Violated,
            test: Test::EventDPrime,
            pair: (
                "one above, rest below",
                json!([1, 1, 1, 1, 1, 0, 0, 0, 0, 0]),
                json!([0, 0, 0, 0, 0, 1, 1, 1, 1, 1]),
                "every answer differs by 1",
            ),
            scorer: "atoms",
            statistic: "",
            witness: "says D' when the outcome is [-, -, -, -, -, +, +, +] or one of 6 others",
            cells: sparse_vector(),
        },
        Story {
            name: "mean-that-panics-when-empty",
            kind: "closure",
            description: "Divides a noisy sum by the number of rows.",
            relation: add_remove,
            parameters: json!({}),
            claim: Claim::pure(2.0).unwrap(),
            expected: Expectation::NotViolated,
            test: Test::EventDPrime,
            pair: ("empty and one row", json!([0.5]), json!([]), "D' has no row at all"),
            scorer: "shape",
            statistic: "output",
            witness: "says D' when it fails with \"attempt to divide by zero\"",
            cells: panics(),
        },
        Story {
            name: "gaussian-analytic",
            kind: "gaussian-sum",
            description: "Sum of clamped incomes with Gaussian noise of scale 3.7303.",
            relation: add_remove,
            parameters: json!({"sigma": 3.7303, "clamp": [0, 1]}),
            claim: Claim::approximate(1.0, 1e-5).unwrap(),
            expected: Expectation::NotViolated,
            test: Test::Guess,
            pair: (
                "one row more",
                json!([0.0, 0.2]),
                json!([0.0, 0.2, 1.0]),
                "D' has one more row, `1`",
            ),
            scorer: "thresholds",
            statistic: "output",
            witness: "says D when output < -5.212, D' when output >= 6.618",
            cells: gaussian(3.7303, 1.0),
        },
        Story {
            name: "gaussian-dp-miscalibrated",
            kind: "gaussian-sum",
            description: "Sum of clamped incomes with Gaussian noise of scale 0.7.",
            relation: add_remove,
            parameters: json!({"sigma": 0.7, "clamp": [0, 1]}),
            claim: Claim::gaussian(1.0).unwrap(),
            expected: Expectation::Violated,
            test: Test::EventD,
            pair: ("one row more", json!([0.0]), json!([0.0, 1.0]), "D' has one more row, `1`"),
            scorer: "thresholds",
            statistic: "output",
            witness: "says D when output < 0.131",
            cells: gaussian(0.7, 1.0),
        },
    ]
}

/// The finding of 10⁶ runs, 850 000 of them counted.
pub fn finding(story: &Story) -> Finding {
    let half = 425_000.0;
    let tally = Tally {
        d: story.cells.iter().map(|c| (c.p * half).round() as u64).collect(),
        d_prime: story.cells.iter().map(|c| (c.q * half).round() as u64).collect(),
    };
    let (n, m) = (tally.trials_d() as f64, tally.trials_d_prime() as f64);
    let shares: Vec<(f64, f64)> =
        tally.d.iter().zip(&tally.d_prime).map(|(d, dp)| (*d as f64 / n, *dp as f64 / m)).collect();
    let (epsilon, delta) = story.claim.reference_point();
    let hockey = |epsilon: f64, flip: bool| -> (f64, f64) {
        let sides = shares.iter().map(|(p, q)| if flip { (*q, *p) } else { (*p, *q) });
        let (mut value, mut event) = (0.0, 0.0);
        for (p, q) in sides {
            if p > epsilon.exp() * q {
                value += p - epsilon.exp() * q;
                event += p;
            }
        }
        (value, 5.5 * (event * (1.0 - event) / n).sqrt())
    };
    let worse = |epsilon: f64| {
        let (a, b) = (hockey(epsilon, false), hockey(epsilon, true));
        let pick = if a.0 >= b.0 { a } else { b };
        (pick.0, (pick.0 - pick.1).max(0.0))
    };
    let span = 2.0 * epsilon.max(0.5);
    let profile: Vec<ProfilePoint> = (0..=80)
        .map(|i| {
            let epsilon = span * f64::from(i) / 80.0;
            let (delta_estimate, delta_lower) = worse(epsilon);
            ProfilePoint {
                epsilon,
                delta_lower,
                delta_estimate,
                delta_band: Some(plaudit::loss::delta_band(&tally, epsilon)),
                delta_claim: story.claim.delta_at(epsilon),
                delta_exact: None,
            }
        })
        .collect();
    // The ε at which the certified curve meets the claim's δ.
    let (mut low, mut high) = (0.0, 30.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if worse(middle).1 > delta { low = middle } else { high = middle }
    }
    let epsilon_lower = low;
    let violated = profile.iter().any(|p| p.delta_lower > p.delta_claim) || epsilon_lower > epsilon;
    let verdict = if violated { Verdict::Violated } else { Verdict::NotRefuted };
    let as_expected = violated == (story.expected == Expectation::Violated);
    let says = |(p, q): (f64, f64)| {
        let loss = (p / q).ln();
        match story.test {
            Test::EventD if loss > 0.5 => Guess::D,
            Test::EventDPrime if loss < -0.5 => Guess::DPrime,
            Test::Guess if loss > 0.8 * epsilon.min(2.0) => Guess::D,
            Test::Guess if loss < -0.8 * epsilon.min(2.0) => Guess::DPrime,
            _ => Guess::Abstain,
        }
    };
    let bins: Vec<BinSummary> = story
        .cells
        .iter()
        .zip(&shares)
        .map(|(cell, share)| BinSummary {
            label: cell.label.clone(),
            from: cell.ends.and_then(|(from, _)| from),
            to: cell.ends.and_then(|(_, to)| to),
            numeric: cell.ends.is_some(),
            says: says(*share),
        })
        .collect();
    let evidence = evidence(&bins, &tally);
    let claim = ClaimSummary {
        claim: story.claim.clone(),
        words: story.claim.to_string(),
        reference_epsilon: epsilon,
        reference_delta: delta,
    };
    let reason = if violated {
        format!("the certified ε of {epsilon_lower:.4} is above what {} allows", claim.words)
    } else {
        format!("the certified ε of {epsilon_lower:.4} is within {}", claim.words)
    };
    let (name, d, d_prime, difference) = story.pair.clone();
    let told = loss(&shares, &tally, epsilon);
    Finding {
        expected_leak: None,
        leak_source: None,
        delta_alpha: None,
        scope: Scope::default(),
        evaluation: Evaluation::default(),
        identity: None,
        smallest: None,
        interrupted: false,
        headline: None,
        evidence,
        notes: Vec::new(),
        possible_causes: Vec::new(),
        trace: None,
        about: None,
        name: story.name.into(),
        mechanism: MechanismSummary {
            kind: serde_json::from_value(story.kind.into()).unwrap(),
            parameters: story.parameters.clone(),
            description: story.description.into(),
            post: Vec::new(),
        },
        post: None,
        relation: story.relation.into(),
        mu_lower: matches!(story.claim.region(), plaudit::claim::Region::Gaussian { .. })
            .then_some(1.3214),
        broken_point: None,
        upper: None,
        floats: Floats::AsReleased,
        leaks: None,
        claim,
        verdict,
        expected: story.expected,
        as_expected,
        reasons: Reasons(vec![Reason::Sentences(reason)]),
        epsilon_lower,
        delta_lower: worse(epsilon).1,
        p_value: if violated { 3.1e-214 } else { 0.7213 },
        alpha: 1e-6,
        looks: None,
        confidence: 1.0 - 1e-6,
        test: story.test,
        trials: Trials { explore: 150_000, confirm: 850_000, total: 1_000_000 },
        seed: 1,
        pair: PairSummary {
            answers: None,
            name: name.into(),
            rows: json_rows(&d, &d_prime),
            d,
            d_prime,
            difference: difference.into(),
            given: 1,
            surveyed: 1,
        },
        witness: WitnessSummary {
            kind: story.scorer.into(),
            description: story.witness.into(),
            statistic: story.statistic.into(),
            bins,
        },
        tally,
        power: Power {
            detectable: Some(epsilon + 0.034),
            unit: LossUnit::Epsilon,
            point: None,
            probability: 0.9,
            nearly_surely: None,
            smallest_event_mass: Some(8.1e-5),
            words: format!(
                "On this witness a true ε of {:.3} would have been refuted with probability 0.9; \
                 so would an event of probability 8.1e-5 that is impossible on the other dataset.",
                epsilon + 0.034
            ),
        },
        loss: told,
        profile,
        tradeoff: tradeoff(&shares, &story.claim),
        proof: None,
        sensitivity: None,
        wall_s: 0.124,
        steps: StepTimes::default(),
    }
}

/// What the guesses came to.
fn evidence(bins: &[BinSummary], tally: &Tally) -> Evidence {
    let said = |counts: &[u64], guess: Guess| -> u64 {
        bins.iter().zip(counts).filter(|(bin, _)| bin.says == guess).map(|(_, n)| n).sum()
    };
    let both = |counts: &[u64]| [said(counts, Guess::D), said(counts, Guess::DPrime)];
    let (on_d, on_d_prime) = (both(&tally.d), both(&tally.d_prime));
    let runs = [tally.trials_d(), tally.trials_d_prime()];
    let of = |count: u64, runs: u64| {
        format!("{count} of {runs} runs ({:.4} %)", 100.0 * count as f64 / runs as f64)
    };
    let says = [(Guess::D, "D"), (Guess::DPrime, "D'")].into_iter().enumerate();
    let words = says.filter(|(_, (guess, _))| bins.iter().any(|bin| bin.says == *guess));
    let words = words.map(|(at, (_, name))| {
        let (d, d_prime) = (of(on_d[at], runs[0]), of(on_d_prime[at], runs[1]));
        format!("says {name} in {d} on D and in {d_prime} on D'")
    });
    let words = words.collect::<Vec<_>>().join("; ");
    Evidence { on_d, on_d_prime, runs, words }
}

/// An audit that could not test its claim.
pub fn inconclusive() -> Finding {
    let claim = Claim::pure(0.5).unwrap();
    Finding {
        expected_leak: None,
        leak_source: None,
        delta_alpha: None,
        scope: Scope::default(),
        evaluation: Evaluation::default(),
        identity: None,
        evidence: Evidence::default(),
        smallest: None,
        interrupted: false,
        headline: None,
        notes: Vec::new(),
        possible_causes: Vec::new(),
        trace: None,
        about: None,
        name: "histogram-of-income".into(),
        mechanism: MechanismSummary {
            kind: MechanismKind::Program,
            parameters: json!({"command": ["./histogram"]}),
            description: "An external program.".into(),
            post: Vec::new(),
        },
        post: None,
        relation: "substitution: same number of rows, one row differs".into(),
        claim: ClaimSummary {
            claim: claim.clone(),
            words: claim.to_string(),
            reference_epsilon: 0.5,
            reference_delta: 0.0,
        },
        verdict: Verdict::Inconclusive,
        expected: Expectation::NotViolated,
        as_expected: false,
        reasons: Reasons(vec![Reason::Broken(
            "12 trials are too few to find a witness: give at least 1000".into(),
        )]),
        epsilon_lower: 0.0,
        delta_lower: 0.0,
        mu_lower: None,
        broken_point: None,
        upper: None,
        floats: Floats::AsReleased,
        leaks: None,
        p_value: 1.0,
        alpha: 1e-6,
        looks: None,
        confidence: 1.0 - 1e-6,
        test: Test::None,
        trials: Trials { explore: 12, confirm: 0, total: 12 },
        seed: 1,
        pair: PairSummary {
            name: "random rows".into(),
            answers: Some([2.0, 1.0].map(|x| WrittenAnswer::Numbers(vec![x]))),
            d: json!([[31, "low"], [47, "high"]]),
            d_prime: json!([[31, "low"], [52, "low"]]),
            difference: "row 2 is replaced".into(),
            rows: json_rows(
                &json!([[31, "low"], [47, "high"]]),
                &json!([[31, "low"], [52, "low"]]),
            ),
            given: 4,
            surveyed: 4,
        },
        witness: WitnessSummary {
            kind: "shape".into(),
            description: "no witness was found".into(),
            statistic: String::new(),
            bins: Vec::new(),
        },
        tally: Tally::default(),
        power: Power {
            detectable: None,
            unit: LossUnit::Epsilon,
            point: None,
            probability: 0.9,
            nearly_surely: None,
            smallest_event_mass: None,
            words: "Nothing could have been refuted.".into(),
        },
        loss: Loss::default(),
        profile: Vec::new(),
        tradeoff: Vec::new(),
        proof: None,
        sensitivity: None,
        wall_s: 0.002,
        steps: StepTimes::default(),
    }
}
