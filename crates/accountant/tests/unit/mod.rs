//! Single uses and Gaussian ones composed on the lattice, against their closed forms.

use super::component::converted;
use super::component::laws::{CUT, laws};
use super::component::pair::LawPair;
use super::component::uses::Use;
use super::compose::pld::Pld;
use super::event::{EventKind, Sampling};

fn use_of(kind: EventKind, sampling: Option<Sampling>, count: u64) -> Use {
    let (upper, lower) = laws(&kind, sampling, (count, 1e-12)).unwrap();
    Use { upper, lower, count }
}

/// Points at which a window is asked, and the allowed width of a bracket there, relative to δ.
fn holds(pld: &Pld, exact: impl Fn(f64) -> (f64, f64), epsilons: &[f64], width: f64, what: &str) {
    for &epsilon in epsilons {
        let bracket = pld.delta_at(epsilon);
        let (low, high) = exact(epsilon);
        assert!(bracket.lower <= high, "{what} at {epsilon}: {bracket:?} [{low}, {high}]");
        assert!(bracket.upper >= low, "{what} at {epsilon}: {bracket:?} [{low}, {high}]");
        if low > 1e-200 {
            let here = (bracket.upper - bracket.lower) / low;
            assert!(here <= width, "{what} at {epsilon}: {bracket:?} of width {here}");
        }
    }
}

#[test]
fn gaussian_uses_on_the_lattice_are_one_gaussian() {
    for (sigma, count) in [(1.0, 1), (10.0, 100), (3.0, 1000), (1000.0, 1_000_000)] {
        let kind = EventKind::Gaussian { sigma, sensitivity: 1.0 };
        let pld = Pld::new(vec![use_of(kind, None, count)], 1e-6);
        let total = EventKind::Gdp { mu: (count as f64).sqrt() / sigma };
        let law = laws(&total, None, (1, CUT)).unwrap().0;
        let epsilons = [0.0, 0.3, 1.0, 3.0, 4.377, 6.0, 9.0, 20.0, 30.0];
        holds(&pld, |e| law.delta(e), &epsilons, 0.1, &format!("{sigma} x {count}"));
    }
}

#[test]
fn small_deltas_of_gaussian_uses_are_in_narrow_brackets() {
    for delta in [1e-3, 1e-8, 1e-12, 1e-30, 1e-100] {
        let kind = EventKind::Gaussian { sigma: 10.0, sensitivity: 1.0 };
        let pld = Pld::new(vec![use_of(kind, None, 100)], delta);
        let law = laws(&EventKind::Gdp { mu: 1.0 }, None, (1, CUT)).unwrap().0;
        let bracket = pld.epsilon_at(delta);
        let at = |epsilon: f64| law.delta(epsilon);
        assert!(
            at(bracket.lower).1 >= delta && at(bracket.upper).0 <= delta,
            "{delta}: {bracket:?}"
        );
        assert!(bracket.upper - bracket.lower <= 1e-4, "{delta}: {bracket:?}");
    }
}

#[test]
fn single_uses_on_the_lattice_have_their_closed_forms() {
    let kinds = [
        EventKind::Laplace { scale: 1.0, sensitivity: 1.0 },
        EventKind::Gaussian { sigma: 0.7, sensitivity: 1.0 },
        EventKind::DiscreteLaplace { scale: 3.0, sensitivity: 4 },
        EventKind::DiscreteGaussian { sigma: 2.0, sensitivity: 3 },
        EventKind::RandomizedResponse { truth: 0.4, values: 4 },
        EventKind::EpsilonDelta { epsilon: 1.0, delta: 1e-3 },
    ];
    let samples =
        [None, Some(Sampling::Poisson { rate: 0.05 }), Some(Sampling::Poisson { rate: 0.7 })];
    for kind in kinds {
        for sampling in samples {
            let it = use_of(kind.clone(), sampling, 1);
            let law = it.upper.clone();
            let pld = Pld::new(vec![it], 1e-6);
            let epsilons = [0.0, 0.01, 0.2, 0.49, 0.77, 1.5];
            let what = format!("{kind:?} {sampling:?}");
            // Off the lattice, atoms are rounded down: as wide as a step, in loss.
            holds(&pld, |e| law.delta(e), &epsilons, 0.02, &what);
        }
    }
}

#[test]
fn a_sample_without_replacement_is_bounded_from_above_by_its_closed_form() {
    for kind in [
        EventKind::Laplace { scale: 1.0, sensitivity: 1.0 },
        EventKind::Gaussian { sigma: 1.0, sensitivity: 1.0 },
        EventKind::EpsilonDelta { epsilon: 1.0, delta: 1e-3 },
    ] {
        let sampling = Some(Sampling::WithoutReplacement { rate: 0.1 });
        let it = use_of(kind.clone(), sampling, 1);
        let law = it.upper.clone();
        let pld = Pld::new(vec![it], 1e-6);
        let what = format!("{kind:?}");
        holds(&pld, |e| law.delta(e), &[0.0, 0.01, 0.1, 0.4], 0.02, &what);
    }
}

#[test]
fn converted_divergences_are_a_pair_of_laws() {
    for rho in [1e-9, 0.1, 10.0, 1e4, 1e9] {
        let LawPair::Atoms { parts, .. } = converted::law(&converted::of_every_order(rho, 0.0))
        else {
            panic!("not atoms");
        };
        let (p, q): (f64, f64) = parts.iter().fold((0.0, 0.0), |sum, x| (sum.0 + x.p, sum.1 + x.q));
        assert!((p - 1.0).abs() < 1e-5 && (q - 1.0).abs() < 1e-9, "{rho}: {p} {q}");
        assert!(parts.windows(2).all(|two| two[0].loss < two[1].loss), "{rho}");
    }
}
