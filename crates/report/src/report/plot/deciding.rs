//! Which plot shows best what the verdict rests on.

use super::svg::PlotKind;
use super::tradeoff::shows_violation;
use plaudit_core::claim::Form;
use plaudit_core::finding::{Finding, Verdict};

/// The plot to look at first. Of a violation the one that shows it: the trade-off curve where the claim is
/// one; the outcomes where only one dataset has those that the witness names, or where no point of the
/// profile is broken; else the profile. Of all else the profile, which has what is certified and proved.
pub fn deciding(finding: &Finding) -> PlotKind {
    if finding.verdict != Verdict::Violated {
        return PlotKind::Profile;
    }
    if is_tradeoff(finding.claim.claim.form()) && shows_violation(finding) {
        return PlotKind::Tradeoff;
    }
    match breaks_profile(finding) && !is_one_sided(finding) {
        true => PlotKind::Profile,
        false => PlotKind::Outcomes,
    }
}

/// `true` if a claim is about the trade-off of errors.
fn is_tradeoff(form: &Form) -> bool {
    match form {
        Form::Gaussian { .. } | Form::Tradeoff { .. } => true,
        Form::Group { of, .. } => is_tradeoff(of),
        _ => false,
    }
}

/// `true` if some point of the privacy profile is above the claim, by counts or by proof.
fn breaks_profile(finding: &Finding) -> bool {
    let claim = &finding.claim.claim;
    let mut proved = finding.proof.iter().flat_map(|proof| &proof.profile);
    finding.broken_point.is_some()
        || finding.profile.iter().any(|point| point.delta_lower > point.delta_claim)
        || proved.any(|point| point.delta_lower > claim.delta_at(point.epsilon))
}

/// `true` if what the witness names was counted on one dataset only.
fn is_one_sided(finding: &Finding) -> bool {
    let [[right_d, wrong_d], [wrong_d_prime, right_d_prime]] =
        [finding.evidence.on_d, finding.evidence.on_d_prime];
    let is_counted = finding.p_value <= finding.alpha && right_d + right_d_prime > 0;
    is_counted && wrong_d + wrong_d_prime == 0
}

#[cfg(test)]
#[path = "../../../tests/unit/report/plot/deciding.rs"]
mod tests;
