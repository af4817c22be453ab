//! Verdict, headline, row, sentence and card of odd claims agree: of Gaussian, Laplace and enumerated noise against claims of every form,
//! met exactly, by a little, missed by a little, of no loss, and of any. `audit::golden` checks shipped audits. The first tier
//! takes some of them, the second one all.

use crate::support::agree::disagreements;
use crate::tier;
use plaudit::game::Control;
use plaudit::spec::{Overrides, parse};
use rayon::prelude::*;
use std::path::Path;

const CLAIMS: [&str; 46] = [
    "epsilon = 0.0",
    "epsilon = 1.0",
    "epsilon = 1.0986122886681098",
    "epsilon = 3.0",
    "epsilon = 0.0, delta = 1.0",
    "epsilon = 0.0, delta = 0.5",
    "epsilon = 0.0, delta = 0.3829",
    "epsilon = 1.0, delta = 1e-5",
    "epsilon = 1.0, delta = 1.0",
    "epsilon = 5.0, delta = 1e-300",
    "mu = 0.0",
    "mu = 0.99999",
    "mu = 1.0",
    "mu = 1.5",
    "mu = 2.0",
    "rho = 0.0",
    "rho = 0.2",
    "rho = 0.45",
    "rho = 0.4999",
    "rho = 0.5",
    "rho = 3.0",
    "renyi = [{ order = 2.0, epsilon = 1.0 }]",
    "renyi = [{ order = 2.0, epsilon = 0.99 }]",
    "renyi = [{ order = 2.0, epsilon = 0.5 }]",
    "renyi = [{ order = 100.0, epsilon = 1.0 }]",
    "renyi = [{ order = 1.01, epsilon = 0.4 }]",
    "renyi = [{ order = 1.5, epsilon = 0.0 }]",
    "renyi = [{ order = 16.0, epsilon = 7.9 }]",
    "renyi = [{ order = 2.0, epsilon = 10.0 }, { order = 4.0, epsilon = 10.5 }]",
    "profile = [[0.0, 0.4], [1.0, 0.13]]",
    "profile = [[0.0, 0.38], [1.0, 0.13]]",
    "profile = [[0.0, 1.0], [2.0, 0.02]]",
    "profile = [[0.0, 1.0]]",
    "profile = [[0.0, 0.0]]",
    "profile = [[0.0, 0.5], [20.0, 0.5]]",
    "profile = [[1.0, 0.5], [2.0, 0.1], [3.0, 0.01]]",
    "profile = [[3.0, 0.0]]",
    "tradeoff = [[0.0, 1.0], [0.2, 0.4], [1.0, 0.0]]",
    "tradeoff = [[0.0, 1.0], [1.0, 0.0]]",
    "tradeoff = [[0.0, 0.0], [1.0, 0.0]]",
    "tradeoff = [[0.0, 1.0], [0.1, 0.2], [1.0, 0.0]]",
    "tradeoff = [[0.0, 0.99], [0.5, 0.1], [1.0, 0.0]]",
    "composition = \"gaussian(sigma=1)\"",
    "composition = \"gaussian(sigma=1.1)\"",
    "composition = \"laplace(scale=1) x 2\"",
    "composition = \"gaussian(sigma=2) x 4\"",
];

const MECHANISMS: [(&str, &str); 3] = [
    (
        "{ kind = \"gaussian\", sigma = 1.0 }",
        "relation = { linf = 1.0 }\npairs = [{ d = [0.0], d_prime = [1.0] }]",
    ),
    (
        "{ kind = \"laplace\", scale = 1.0 }",
        "relation = { linf = 1.0 }\npairs = [{ d = [0.0], d_prime = [1.0] }]",
    ),
    (
        "{ kind = \"randomized-response\", truth = 0.5 }",
        "relation = \"substitution\"\npairs = [{ d = [0], d_prime = [1] }]\nverify = { values = [0, 1], size = 1 }",
    ),
];

#[test]
fn odd_claims_say_the_same_everywhere() {
    let specs = MECHANISMS.iter().flat_map(|(mechanism, rest)| {
        CLAIMS.iter().enumerate().map(move |(at, claim)| {
            format!(
                "[[audit]]\nname = \"a{at}\"\nmechanism = {mechanism}\n{rest}\nclaim = {{ {claim} }}\ntrials = 4_000\n"
            )
        })
    });
    let specs: Vec<String> = specs.step_by(tier::of([5, 1, 1])).collect();
    let wrong = specs.par_iter().flat_map(|text| {
        let mut loaded = parse(text, Path::new("a.toml"), &Overrides::default()).expect(text);
        let audit = loaded.remove(0).audit;
        let finding = audit.run(Control::unattended()).expect("an audit").finding;
        let found = disagreements(&finding.with_headline());
        found.into_iter().map(|why| format!("{why}\n{text}")).collect::<Vec<_>>()
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
