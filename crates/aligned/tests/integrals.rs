//! Probabilities of regions against closed forms, and against each other.

#[allow(dead_code)]
mod programs;

use plaudit_aligned::{Noise, check_regions, in_cells, paths, probability, regions};
use programs::published::Range;
use programs::{Above, NoisyMax, SparseVector};

/// Probabilities of the outcomes, in the order of the regions.
fn law(mechanism: &dyn plaudit_aligned::Written, answers: &[f64]) -> Vec<(f64, f64)> {
    let paths = paths(mechanism, answers.len(), 20_000).unwrap();
    let regions = regions(&paths);
    check_regions(&paths, &regions).unwrap();
    let answers: Vec<_> = answers.iter().map(|x| (*x).try_into().unwrap()).collect();
    regions
        .iter()
        .map(|region| {
            let found = probability(&region.rows, &paths[region.paths[0]].draws, &answers).unwrap();
            assert!(found.upper - found.lower < 1e-11, "{found:?}");
            (found.lower, found.upper)
        })
        .collect()
}

fn is(found: (f64, f64), wanted: f64) {
    assert!(found.0 <= wanted + 1e-15 && wanted <= found.1 + 1e-15, "{found:?} {wanted}");
}

#[test]
fn probabilities_add_up_to_one() {
    for noise in
        [Noise::Laplace, Noise::Exponential, Noise::Gumbel, Noise::Gaussian, Noise::Uniform]
    {
        for by_loop in [false, true] {
            let max = NoisyMax { noise, scale: 1.3, by_loop, gap: false, releases: false };
            let law = law(&max, &[0.3, 1.0, -0.2, 0.5]);
            assert_eq!(law.len(), 4);
            let sum = |end: fn(&(f64, f64)) -> f64| law.iter().map(end).sum::<f64>();
            assert!(sum(|x| x.0) <= 1.0 && 1.0 <= sum(|x| x.1), "{noise:?} {law:?}");
        }
    }
}

#[test]
fn closed_forms() {
    // Gumbel noise: the exponential mechanism.
    let max =
        NoisyMax { noise: Noise::Gumbel, scale: 2.0, by_loop: false, gap: false, releases: false };
    let answers = [0.0, 1.0, 3.0];
    let sum: f64 = answers.iter().map(|u: &f64| (u / 2.0).exp()).sum();
    for (found, u) in law(&max, &answers).into_iter().zip(answers) {
        is(found, (u / 2.0).exp() / sum);
    }
    // Two Laplace draws of scale 1 that are d apart: 1 − e^(−d)(2 + d)/4.
    let two =
        NoisyMax { noise: Noise::Laplace, scale: 1.0, by_loop: false, gap: false, releases: false };
    is(law(&two, &[1.5, 0.0])[0], 1.0 - (-1.5f64).exp() * 3.5 / 4.0);
    // Two Gaussian draws: Φ(d/(σ√2)).
    let two = NoisyMax { noise: Noise::Gaussian, ..two };
    is(law(&two, &[1.0, 0.0])[0], 0.760_249_938_906_523_5);
}

#[test]
fn sparse_vector_with_renewed_threshold() {
    let svt = SparseVector {
        threshold: 0.1,
        threshold_scale: 2.0,
        query_scale: Some(4.0),
        stop_after: 2,
        renewed: true,
        releases: Above::Bit,
    };
    let law = law(&svt, &[0.0, 1.0, 0.5, 0.2]);
    let sum = |end: fn(&(f64, f64)) -> f64| law.iter().map(end).sum::<f64>();
    assert!(sum(|x| x.0) <= 1.0 && 1.0 <= sum(|x| x.1));
}

#[test]
fn cells_bound_ranges() {
    let range = Range { noise: Noise::Gaussian, threshold_scale: 8.0, scale: 4.0 };
    let paths = paths(&range, 2, 100).unwrap();
    let answers = [0.into(), 0.into()];
    let sums = |cells| {
        let found = paths.iter().map(|p| in_cells(&p.rows, &p.draws, &answers, cells).unwrap());
        found.fold((0.0, 0.0), |sum, found| (sum.0 + found.lower, sum.1 + found.upper))
    };
    assert!(paths.iter().any(|p| probability(&p.rows, &p.draws, &answers).is_none()));
    let (rough, fine) = (sums(16), sums(128));
    assert!(rough.0 <= 1.0 && 1.0 <= rough.1 && fine.0 <= 1.0 && 1.0 <= fine.1);
    assert!(fine.1 - fine.0 < (rough.1 - rough.0) / 4.0, "{rough:?} {fine:?}");
}
