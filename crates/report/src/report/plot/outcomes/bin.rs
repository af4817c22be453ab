//! A bin of the witness, as it is drawn.

use super::super::backend::Style;
use super::super::series::Series;
use plaudit_core::finding::Finding;
use plaudit_core::tally::Guess;

/// One bin of the witness with its counts.
#[derive(Clone, Debug)]
pub struct DrawnBin {
    pub index: usize,
    pub label: String,
    /// Lower and upper end of an interval; infinite where unbounded. `None`: not an interval of
    /// positive width.
    pub interval: Option<(f64, f64)>,
    /// The number, of bins that are one.
    pub value: Option<f64>,
    pub share_d: f64,
    pub share_d_prime: f64,
    pub says: Guess,
}

impl DrawnBin {
    /// `true` if any run ended in it.
    pub fn seen(&self) -> bool {
        self.share_d > 0.0 || self.share_d_prime > 0.0
    }

    pub fn mass(&self) -> f64 {
        self.share_d.max(self.share_d_prime)
    }
}

/// Shading of a region, and the witness's guess there.
pub fn region(says: Guess) -> Option<(Style, Style, &'static str)> {
    match says {
        Guess::D => Some((Series::SaysD.style(), Style::StripD, "D")),
        Guess::DPrime => Some((Series::SaysDPrime.style(), Style::StripDPrime, "D′")),
        Guess::Abstain => None,
    }
}

/// The bins of a finding's witness.
pub fn bins(finding: &Finding) -> Vec<DrawnBin> {
    let tally = &finding.tally;
    let share = |counts: &[u64], total: u64, at: usize| match counts.get(at) {
        Some(count) if total > 0 => *count as f64 / total as f64,
        _ => 0.0,
    };
    let (trials_d, trials_d_prime) = (tally.trials_d(), tally.trials_d_prime());
    let summaries = finding.witness.bins.iter().enumerate();
    summaries
        .map(|(at, bin)| {
            let from = bin.from.filter(|from| !from.is_nan());
            let to = bin.to.filter(|to| !to.is_nan());
            let ends = (from.unwrap_or(f64::NEG_INFINITY), to.unwrap_or(f64::INFINITY));
            let single = bin.numeric && from.is_some() && from == to;
            DrawnBin {
                index: at,
                label: bin.label.clone(),
                interval: (bin.numeric && ends.0 < ends.1).then_some(ends),
                value: from.filter(|at| single && at.is_finite()),
                share_d: share(&tally.d, trials_d, at),
                share_d_prime: share(&tally.d_prime, trials_d_prime, at),
                says: bin.says,
            }
        })
        .collect()
}
