//! How a pair is seen: as it is, in a sample, or from the other side.

use super::pair::{LawPair, LawPart};
use super::part::diluted_loss;

/// View of the outcomes of a use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum UseView {
    Whole,
    /// P and Q exchanged.
    Exchanged,
    /// A row that is in a Poisson sample with this probability, against its absence: (1 − r)Q + rP
    /// against Q.
    Present(f64),
    /// Reverse direction: Q against (1 − r)Q + rP.
    Absent(f64),
    /// A row substituted, in a sample without replacement of this rate: (1 − r)Q + rP against Q
    /// above loss 0 and P against (1 − r)P + rQ below (Zhu, Dong, Wang 2022, Prop. 30).
    Substituted(f64),
}

impl UseView {
    /// The part of the loss `base` as it is seen.
    pub fn of(self, part: LawPart) -> LawPart {
        match self {
            Self::Whole => part,
            Self::Exchanged => part.reversed(),
            Self::Present(rate) => diluted(rate, part),
            Self::Absent(rate) => diluted(rate, part).reversed(),
            Self::Substituted(rate) if part.loss >= 0.0 => diluted(rate, part),
            Self::Substituted(rate) => diluted(rate, part.reversed()).reversed(),
        }
    }

    /// The loss as it is seen, of a loss of the law; monotone.
    pub fn loss(self, base: f64) -> f64 {
        match self {
            Self::Whole => base,
            Self::Exchanged => -base,
            Self::Present(rate) => diluted_loss(rate, base),
            Self::Absent(rate) => -diluted_loss(rate, base),
            Self::Substituted(rate) => diluted_loss(rate, base.abs()).copysign(base),
        }
    }

    /// The loss of the law that is seen as this one.
    pub fn base(self, loss: f64) -> f64 {
        match self {
            Self::Whole => loss,
            Self::Exchanged => -loss,
            Self::Present(rate) => undiluted_loss(rate, loss),
            Self::Absent(rate) => undiluted_loss(rate, -loss),
            Self::Substituted(rate) => undiluted_loss(rate, loss.abs()).copysign(loss),
        }
    }

    /// Least and greatest finite loss of a law as seen; `None` if it has no end.
    pub fn finite_ends(self, law: &LawPair) -> Option<(f64, f64)> {
        let losses: Vec<f64> = match law {
            LawPair::Gaussian { .. } | LawPair::Mixture(_) => Vec::new(),
            LawPair::Laplace { .. } | LawPair::BoundedRange { .. } | LawPair::Opposed(_) => {
                let (start, end) = law.support();
                vec![self.loss(start), self.loss(end)]
            }
            LawPair::Atoms { parts, .. } => {
                let seen = parts.iter().map(|part| self.of(*part)).filter(|part| part.p > 0.0);
                seen.map(|part| part.loss).filter(|loss| loss.is_finite()).collect()
            }
        };
        let least = losses.iter().copied().reduce(f64::min)?;
        let greatest = losses.iter().copied().reduce(f64::max)?;
        Some((least, greatest))
    }

    /// Upper end of the finite losses of a law as seen; +∞ if it has no end.
    pub fn greatest(self, law: &LawPair) -> f64 {
        match (self, law) {
            // An absent row is never distinguishable by more than its rate.
            (Self::Absent(rate), LawPair::Gaussian { .. }) => -(-rate).ln_1p(),
            (Self::Exchanged, LawPair::Mixture(pair)) => -pair.ends().0,
            (_, LawPair::Mixture(pair)) => pair.ends().1,
            _ => self.finite_ends(law).map_or(f64::INFINITY, |(_, greatest)| greatest),
        }
    }

    /// `true` if large losses of the law are small ones as seen.
    pub fn is_reversed(self) -> bool {
        matches!(self, Self::Absent(_) | Self::Exchanged)
    }

    /// Part that a sample without replacement hides altogether: an atom of loss 0.
    pub fn hidden(self, law: &LawPair) -> Option<LawPart> {
        let Self::Substituted(rate) = self else { return None };
        let mass = (1.0 - rate) * law.delta((0.0, 0.0)).0;
        (mass > 0.0).then_some(LawPart { p: mass, q: mass, loss: 0.0 })
    }

    /// Bounds on δ(ε) of the law as it is seen, for ε >= 0.
    pub fn delta(self, law: &LawPair, epsilon: f64) -> (f64, f64) {
        match self {
            Self::Whole => law.delta((epsilon, epsilon)),
            Self::Exchanged => law.reversed_delta((epsilon, epsilon)),
            Self::Present(rate) | Self::Substituted(rate) => {
                let base = undiluted_loss(rate, epsilon);
                let room = 8.0 * f64::EPSILON * base;
                let (least, greatest) = law.delta((base - room, base + room));
                (rate * least * (1.0 - 1e-15), rate * greatest * (1.0 + 1e-15))
            }
            // (Q − x((1 − r)Q + rP))₊ = (1 − x(1 − r)) (Q − yP)₊ with y = xr/(1 − x(1 − r)).
            Self::Absent(rate) => {
                // 1/y, which cancels near the largest loss; and 1 − x(1 − r) = xr/y.
                let inverse = 1.0 + (-epsilon).exp_m1() / rate;
                let cancelled = 4.0 * f64::EPSILON;
                let scale = rate * epsilon.exp();
                if inverse <= 2.0 * cancelled {
                    let beyond = -(3.0 * cancelled).ln();
                    let most = (inverse + cancelled).max(0.0);
                    return (0.0, most * scale.min(1e300) * law.delta((beyond, beyond)).1);
                }
                let base = -undiluted_loss(rate, -epsilon);
                let room = cancelled * (1.0 / inverse + base);
                let (least, greatest) = law.delta((base - room, base + room));
                let least = scale * (inverse - cancelled) * least * (1.0 - 2e-15);
                (least, scale * (inverse + cancelled) * greatest * (1.0 + 2e-15))
            }
        }
    }
}

/// (1 − r)Q + rP against Q.
fn diluted(rate: f64, part: LawPart) -> LawPart {
    let p = (1.0 - rate) * part.q + rate * part.p;
    LawPart { p, q: part.q, loss: diluted_loss(rate, part.loss) }
}

/// Inverse: ln(1 + (e^ℓ − 1)/r), −∞ where it does not exist.
fn undiluted_loss(rate: f64, loss: f64) -> f64 {
    if loss > 30.0 {
        return loss - rate.ln() + (-(1.0 - rate) * (-loss).exp()).ln_1p();
    }
    let ratio = loss.exp_m1() / rate;
    if ratio <= -1.0 { f64::NEG_INFINITY } else { ratio.ln_1p() }
}
