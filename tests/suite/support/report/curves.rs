//! The curves of a sample finding.

use plaudit::claim::Claim;
use plaudit::finding::*;
use plaudit::game::Tally;

/// The empirical loss by the shares of bins.
pub fn loss(shares: &[(f64, f64)], tally: &Tally, epsilon: f64) -> Loss {
    let [exceeds_epsilon, exceeds_epsilon_reverse] = plaudit::loss::beyond_chance(tally, epsilon);
    let seen = shares.iter().filter(|(p, q)| *p > 0.0 || *q > 0.0);
    let mut distribution: Vec<LossPoint> = seen
        .map(|&(p, q)| LossPoint {
            loss: (p > 0.0 && q > 0.0).then(|| (p / q).ln()),
            share_d: p,
            share_d_prime: q,
        })
        .collect();
    distribution.sort_by(|a, b| {
        let place = |p: &LossPoint| (p.share_d / p.share_d_prime).ln();
        place(a).total_cmp(&place(b))
    });
    let sum = |f: &dyn Fn(f64, f64) -> f64| shares.iter().map(|&(p, q)| f(p, q)).sum::<f64>();
    let only_under_d = sum(&|p, q| if q == 0.0 { p } else { 0.0 });
    let only_under_d_prime = sum(&|p, q| if p == 0.0 { q } else { 0.0 });
    let kl = |p: f64, q: f64| if p > 0.0 && q > 0.0 { p * (p / q).ln() } else { 0.0 };
    Loss {
        kl: (only_under_d == 0.0).then(|| sum(&kl)),
        kl_reverse: (only_under_d_prime == 0.0).then(|| sum(&|p, q| kl(q, p))),
        exceeds_epsilon,
        exceeds_epsilon_reverse,
        only_under_d,
        only_under_d_prime,
        distribution,
        ..Loss::default()
    }
}

/// The trade-off curve by the shares of bins.
pub fn tradeoff(shares: &[(f64, f64)], claim: &Claim) -> Vec<TradeoffPoint> {
    let mut sorted = shares.to_vec();
    sorted.retain(|(p, q)| *p > 0.0 || *q > 0.0);
    sorted.sort_by(|a, b| (b.0 / b.1).total_cmp(&(a.0 / a.1)));
    let (mut type_1, mut power) = (0.0, 0.0);
    let mut points = vec![(0.0, 1.0)];
    for (p, q) in sorted {
        (type_1, power) = (type_1 + q, power + p);
        points.push((type_1, 1.0 - power));
    }
    points
        .into_iter()
        .map(|(type_1, type_2): (f64, f64)| TradeoffPoint {
            type_1: type_1.min(1.0),
            type_2: type_2.max(0.0),
            type_2_claim: claim.tradeoff_at(type_1.min(1.0)),
        })
        .collect()
}
