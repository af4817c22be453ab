//! What a reader must look at first: audits by what they ask for, and totals of claims under review apart from planted mistakes.

use super::words::{brief, upper};
use plaudit_core::finding::{Expectation, Finding, Report, Verdict};

/// Place of an audit in a report, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TriageGroup {
    /// A claim under review that is violated.
    Violated,
    /// A planted mistake that was not found.
    Missed,
    /// A claim under review that could not be tested, or an audit that was interrupted.
    Inconclusive,
    /// A claim under review that nothing violates.
    Open,
    /// A planted mistake that was found.
    Caught,
}

impl TriageGroup {
    pub const ALL: [Self; 5] =
        [Self::Violated, Self::Missed, Self::Inconclusive, Self::Open, Self::Caught];

    pub fn of(finding: &Finding) -> Self {
        let planted = finding.expected == Expectation::Violated;
        match (planted, finding.verdict) {
            (false, Verdict::Violated) => Self::Violated,
            // Caught by low bits alone it is missed.
            (true, Verdict::Violated) if finding.as_expected => Self::Caught,
            _ if finding.interrupted => Self::Inconclusive,
            (true, _) => Self::Missed,
            (false, Verdict::Inconclusive) => Self::Inconclusive,
            (false, _) => Self::Open,
        }
    }

    pub fn id(self) -> &'static str {
        match self {
            Self::Violated => "violated",
            Self::Missed => "missed",
            Self::Inconclusive => "inconclusive",
            Self::Open => "open",
            Self::Caught => "caught",
        }
    }

    pub fn heading(self) -> &'static str {
        match self {
            Self::Violated => "Violated",
            Self::Missed => "Planted mistakes that were missed",
            Self::Inconclusive => "Inconclusive",
            Self::Open => "No violation found",
            Self::Caught => "Planted mistakes that were caught",
        }
    }
}

/// The places of a report's audits by group, those of a group by [`excess`], the largest first.
pub(super) fn grouped(report: &Report) -> Vec<(TriageGroup, Vec<usize>)> {
    let members = |group: TriageGroup| {
        let all = report.audits.iter().enumerate();
        let mut places: Vec<(usize, f64)> = all
            .filter(|(_, finding)| TriageGroup::of(finding) == group)
            .map(|(place, finding)| (place, excess(finding)))
            .collect();
        places.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        (group, places.into_iter().map(|(place, _)| place).collect::<Vec<_>>())
    };
    TriageGroup::ALL.into_iter().map(members).filter(|(_, places)| !places.is_empty()).collect()
}

/// Known loss over what the claim allows: above 1, the claim is broken. 0 where nothing is known.
pub(super) fn excess(finding: &Finding) -> f64 {
    let Some(number) = finding.numbers().into_iter().next() else { return 0.0 };
    match (number.value.unwrap_or(f64::INFINITY), number.allowed) {
        (value, Some(allowed)) if value > 0.0 => value / allowed,
        (value, None) if value > 0.0 => f64::INFINITY,
        _ => 0.0,
    }
}

/// Number of audits and their verdicts: "61 claims under review: 0 violated, 34 verified, 27 not refuted. 58 planted
/// mistakes: 58 caught".
pub(super) fn totals(report: &Report) -> String {
    let (planted, reviewed): (Vec<&Finding>, Vec<&Finding>) =
        report.audits.iter().partition(|finding| finding.expected == Expectation::Violated);
    let mut sentences = Vec::new();
    if !reviewed.is_empty() {
        let mut said = vec![format!("{} violated", count(&reviewed, Verdict::Violated))];
        for verdict in
            [Verdict::Inconclusive, Verdict::NotRefuted, Verdict::Bounded, Verdict::Verified]
        {
            // A proof of a model and one of code are two things.
            let mut words: Vec<String> = Vec::new();
            for finding in reviewed.iter().filter(|finding| finding.verdict == verdict) {
                words.push(finding.verdict_words());
            }
            words.sort_unstable();
            for same in words.chunk_by(|a, b| a == b) {
                said.push(format!("{} {}", same.len(), same[0]));
            }
        }
        let many = reviewed.len();
        let claims = if many == 1 { "claim" } else { "claims" };
        sentences.push(format!("{many} {claims} under review: {}", said.join(", ")));
    }
    if !planted.is_empty() {
        let is_caught = |finding: &&&Finding| TriageGroup::of(finding) == TriageGroup::Caught;
        let caught = planted.iter().filter(is_caught).count();
        let many = planted.len();
        let mistakes = if many == 1 { "mistake" } else { "mistakes" };
        // One that was interrupted was neither caught nor missed.
        let missed = planted
            .iter()
            .filter(|finding| TriageGroup::of(finding) == TriageGroup::Missed)
            .count();
        let missed = match missed {
            0 => String::new(),
            missed => format!(", {missed} missed"),
        };
        sentences.push(format!("{many} planted {mistakes}: {caught} caught{missed}"));
    }
    if !report.attacks.is_empty() {
        let many = report.attacks.len();
        let attacks = if many == 1 { "attack" } else { "attacks" };
        let succeeded = report.attacks.iter().filter(|attack| attack.succeeded).count();
        sentences.push(format!("{many} {attacks}: {succeeded} succeeded"));
    }
    if sentences.is_empty() { "no audits".into() } else { sentences.join(". ") }
}

fn count(findings: &[&Finding], verdict: Verdict) -> usize {
    findings.iter().filter(|finding| finding.verdict == verdict).count()
}

/// The level of a false alarm, for an audit (from the least to the largest, if they differ) and for all of them together
/// (the sum, by the union bound).
pub(super) fn level(report: &Report) -> String {
    let attacks: Vec<f64> = report.attacks.iter().filter_map(|attack| attack.alpha).collect();
    let of_attacks = match attacks.len() {
        0 => String::new(),
        _ => format!("; Σ α = {} over attacks", upper(attacks.iter().sum::<f64>().min(1.0))),
    };
    match (report.audits.is_empty(), attacks.is_empty()) {
        (true, false) => of_attacks["; ".len()..].to_owned(),
        _ => of_audits(report) + &of_attacks,
    }
}

fn of_audits(report: &Report) -> String {
    let alphas = || report.audits.iter().map(Finding::alpha_of_all_looks);
    let (least, most) = (alphas().fold(f64::INFINITY, f64::min), alphas().fold(0.0, f64::max));
    let each = match report.audits.len() {
        0 => return format!("α = {}", brief(report.run.alpha)),
        _ if least == most => format!("α = {}", brief(least)),
        _ => format!("α = {} to {}", brief(least), brief(most)),
    };
    match report.audits.len() {
        1 => each,
        all => {
            let levels = || report.audits.iter().map(Finding::level).filter(|level| *level > 0.0);
            let (sum, sampled) = (levels().sum::<f64>().min(1.0), levels().count());
            let of = if sampled == all {
                format!("all {all}")
            } else {
                format!("the {sampled} that were sampled")
            };
            format!("{each} an audit, Σ α = {} over {of}", upper(sum))
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/report/triage.rs"]
mod tests;
