//! One use of a pair.

use crate::component::pair::{LawPair, UseView};
use crate::event::Sampling;

/// Bounds on δ(ε) of one use of a pair, in the worse direction.
pub(crate) fn single_delta(law: &LawPair, sampling: Option<Sampling>, epsilon: f64) -> (f64, f64) {
    let of = |view: UseView| view.delta(law, epsilon);
    let (lower, upper) = match sampling {
        None | Some(Sampling::PoissonSubstitution { .. }) => of(UseView::Whole),
        Some(Sampling::WithoutReplacement { rate }) => of(UseView::Substituted(rate)),
        Some(Sampling::Poisson { rate }) => {
            let (a, b) = (of(UseView::Present(rate)), of(UseView::Absent(rate)));
            (a.0.max(b.0), a.1.max(b.1))
        }
    };
    // Where the density underflows, there may still be something.
    let least =
        if law.support().1 == f64::INFINITY && law.atoms().is_empty() { 1e-300 } else { 0.0 };
    (lower.clamp(0.0, 1.0), upper.clamp(least, 1.0))
}
