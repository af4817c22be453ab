//! Proofs that nobody asked for cost little, however extreme the numbers are: noise from 10⁻¹² to 10¹² times
//! the sensitivity against every form of claim.
//!
//! Before there were bounds on what is enclosed, one of these computed e^(10⁹) digit by digit: fourteen minutes
//! and 1.5 GB. So that they end at all within the time that tests get is the test; what they say is held against
//! what is known.

use crate::tier;
use plaudit::finding::Decision;
use plaudit::mechanism::{AddedNoise, Release};
use plaudit::verify::prove_closed;
use plaudit::{Claim, Relation};
use rayon::prelude::*;

fn claims() -> Vec<Claim> {
    let gaussian = "gaussian(sigma=1) x 10".parse().unwrap();
    vec![
        Claim::pure(1.0).unwrap(),
        Claim::approximate(1.0, 1e-5).unwrap(),
        Claim::approximate(10_000.0, 0.5).unwrap(),
        Claim::gaussian(1.0).unwrap(),
        Claim::gaussian(1e-3).unwrap(),
        Claim::zero_concentrated(0.5).unwrap(),
        Claim::zero_concentrated(1e-9).unwrap(),
        Claim::renyi([(2.0, 0.5), (1e9, 10.0)]).unwrap(),
        Claim::profile(vec![(0.0, 0.3), (1.0, 0.02)]).unwrap(),
        Claim::tradeoff(vec![(0.0, 0.9), (0.1, 0.6)]).unwrap(),
        Claim::composition(gaussian).unwrap(),
        Claim::pure(1.0).unwrap().for_groups(10_000).unwrap(),
        Claim::gaussian(1.0).unwrap().for_groups(3).unwrap(),
    ]
}

const SIZES: [f64; 10] = [1e-12, 1e-9, 1e-6, 1e-3, 1.0, 30.0, 1e3, 1e6, 1e9, 1e12];

/// Every size of noise (in the first tier the extremes and one between) and every claim, each with one of every six ways (in the second
/// tier, with all) in which entries move and numbers are released. The ways take turns, so that each meets every size and every claim: a Latin square.
#[test]
#[ignore = "takes several seconds"]
fn proofs_end_whatever_the_size_of_the_noise() {
    let relations = [(Relation::Linf(1.0), 1), (Relation::L2(1.0), 3), (Relation::Linf(1.0), 1000)];
    let ways = relations.iter().flat_map(|relation| [1, 1000].map(|count| (relation, count)));
    let ways: Vec<_> = ways.collect();
    let more: &[f64] = &[1e-12, 1e-9, 1e-3, 30.0, 1e6, 1e12];
    let (sizes, each) = tier::of([(&[1e-12, 30.0, 1e12][..], 6), (more, 6), (more, 1)]);
    let rows = sizes.iter().copied().enumerate();
    let cases: Vec<_> = rows
        .flat_map(|(row, size)| {
            let claims = claims().into_iter().enumerate();
            claims.map(move |(column, claim)| (row + column, size, claim))
        })
        .flat_map(|(turn, size, claim)| {
            let mine = ways.iter().cycle().skip(turn).step_by(each);
            mine.take(ways.len() / each).map(move |way| (size, claim.clone(), *way))
        })
        .collect();
    assert_eq!(cases.len() * each, sizes.len() * 13 * ways.len());
    cases.par_iter().for_each(|(size, claim, ((relation, entries), count))| {
        for noise in
            [AddedNoise::Laplace { scale: 1.0 / size }, AddedNoise::Gaussian { sigma: 1.0 / size }]
        {
            let release = Release { noise, count: *count, of_one_entry: false };
            let proof = prove_closed(&[release], relation, *entries, claim);
            let said = proof.map(|proof| proof.decision);
            let asked = format!("{size:e} {noise:?} {relation} {entries} x{count} {claim}");
            // Noise that is a millionth of what moves hides nothing, and noise that is a billion
            // times as large hides all but a delta.
            let (epsilon, delta) = claim.reference_point();
            let of_one_point = claim.as_epsilon_delta().is_some();
            let harmless = of_one_point && delta > 0.0 && *size <= 1e-9;
            let hopeless = epsilon <= 100.0 && *size >= 1e6;
            assert!(!(harmless && said == Some(Decision::Refuted)), "{asked}");
            assert!(!(hopeless && said == Some(Decision::Verified)), "{asked}");
        }
    });
}

/// One number and a pure claim: what is proved is known exactly.
#[test]
fn of_one_number_a_pure_claim_is_decided_at_every_size() {
    for size in SIZES {
        let release = |noise| Release { noise, count: 1, of_one_entry: false };
        let claim = Claim::pure(1.0).unwrap();
        let decide = |noise| {
            prove_closed(&[release(noise)], &Relation::Linf(1.0), 1, &claim)
                .map(|proof| proof.decision)
        };
        let laplace = decide(AddedNoise::Laplace { scale: 1.0 / size });
        let known = if size <= 1.0 { Decision::Verified } else { Decision::Refuted };
        assert_eq!(laplace, Some(known), "Laplace noise, {size:e}");
        let gaussian = decide(AddedNoise::Gaussian { sigma: 1.0 / size });
        assert_ne!(gaussian, Some(Decision::Verified), "Gaussian noise, {size:e}");
    }
}
