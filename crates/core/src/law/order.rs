//! Outcomes that depend on earlier ones, and outcomes that come twice.

use super::cells::Cells;
use super::parts::{Evidence, Part, evidence, ln_mean};
use super::tree::any_share;
use plaudit_accountant::number::{brief, grouped};
use statrs::function::gamma::ln_gamma;

/// Classes of outcomes, by quarters of probability.
const CLASSES: usize = 4;

/// Evidence from consecutive draws, in pairs that do not overlap: how often both are in one half, and all pairs of
/// quarters.
pub(super) fn consecutive(cells: &Cells, places: &[usize]) -> Evidence {
    let class = |cell: usize| ((cells.middle[cell] * CLASSES as f64) as usize).min(CLASSES - 1);
    let mut share = [0.0; CLASSES];
    for (cell, p) in cells.probability.iter().enumerate() {
        share[class(cell)] += p;
    }
    let mut table = [[0u64; CLASSES]; CLASSES];
    for pair in places.chunks_exact(2) {
        table[class(pair[0])][class(pair[1])] += 1;
    }
    let pairs: u64 = table.iter().flatten().sum();
    let is_upper = |class: usize| class >= CLASSES / 2;
    let upper: f64 = share[CLASSES / 2..].iter().sum();
    let agreement = upper * upper + (1.0 - upper) * (1.0 - upper);
    let agree = |(one, other): &(usize, usize)| is_upper(*one) == is_upper(*other);
    let all = || (0..CLASSES).flat_map(|one| (0..CLASSES).map(move |other| (one, other)));
    let agreed: u64 = all().filter(agree).map(|(one, other)| table[one][other]).sum();
    let of_halves =
        if upper > 0.0 && upper < 1.0 { any_share(agreed, pairs, agreement) } else { 0.0 };
    // A law on few values has empty classes: they are not cells of the table.
    let cells: Vec<(u64, f64)> = all()
        .map(|(one, other)| (table[one][other], share[one] * share[other]))
        .filter(|(_, p)| *p > 0.0)
        .collect();
    let of_table = any_shares(&cells);
    let seen = format!(
        "{} of {} pairs of consecutive draws in one half, {} expected",
        grouped(agreed),
        grouped(pairs),
        brief(agreement * pairs as f64)
    );
    evidence(Part::Order, ln_mean(&[(0.5, of_halves), (0.5, of_table)]), seen)
}

/// Likelihood of counts under Dirichlet(½, …) shares over that under these, as a logarithm.
fn any_shares(cells: &[(u64, f64)]) -> f64 {
    let half = 0.5 * cells.len() as f64;
    let n: u64 = cells.iter().map(|(n, _)| n).sum();
    let each =
        cells.iter().map(|(n, p)| ln_gamma(*n as f64 + 0.5) - ln_gamma(0.5) - *n as f64 * p.ln());
    ln_gamma(half) - ln_gamma(n as f64 + half) + each.sum::<f64>()
}

/// Evidence from equal draws: their pairs over the most that are expected, if a number comes with probability `atom` at
/// most.
pub(super) fn repeats(draws: &[f64], atom: f64) -> Evidence {
    let mut sorted = draws.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let groups = sorted.chunk_by(|one, other| one == other).map(|group| group.len() as f64);
    let equal: f64 = groups.map(|n| n * (n - 1.0) / 2.0).sum();
    let n = draws.len() as f64;
    let expected = n * (n - 1.0) / 2.0 * atom;
    let seen = format!("{} pairs of equal draws, {} expected", brief(equal), brief(expected));
    evidence(Part::Repeats, (equal / expected.max(1e-300)).ln(), seen)
}
