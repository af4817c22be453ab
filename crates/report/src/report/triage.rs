//! Parts that a reader must look at first: audits by the attention they need, and totals of claims under review, separate from planted mistakes.

use super::words::{brief, exceeded, upper};
use plaudit_core::finding::{Expectation, Finding, LeakSource, Report, Verdict};

/// Place of an audit in a report, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TriageGroup {
    /// A claim under review that is violated.
    Violated,
    /// A planted mistake that was not found.
    Missed,
    /// A claim under review that could not be tested, or an audit that was interrupted.
    Inconclusive,
    /// A claim under review that nothing violates, and nothing proves.
    Open,
    /// A claim under review that is proved.
    Verified,
    /// A planted mistake that was found.
    Caught,
}

impl TriageGroup {
    pub const ALL: [Self; 6] = [
        Self::Violated,
        Self::Missed,
        Self::Inconclusive,
        Self::Open,
        Self::Verified,
        Self::Caught,
    ];

    pub fn of(finding: &Finding) -> Self {
        let planted = finding.expected == Expectation::Violated;
        match (planted, finding.verdict) {
            (false, Verdict::Violated) => Self::Violated,
            // Caught by low bits alone it is missed.
            (true, Verdict::Violated) if finding.as_expected => Self::Caught,
            _ if finding.interrupted => Self::Inconclusive,
            (true, _) => Self::Missed,
            (false, Verdict::Inconclusive) => Self::Inconclusive,
            (false, Verdict::Verified) => Self::Verified,
            (false, _) => Self::Open,
        }
    }

    pub fn id(self) -> &'static str {
        match self {
            Self::Violated => "violated",
            Self::Missed => "missed",
            Self::Inconclusive => "inconclusive",
            Self::Open => "open",
            Self::Verified => "verified",
            Self::Caught => "caught",
        }
    }

    pub fn heading(self) -> &'static str {
        match self {
            Self::Violated => "Violated",
            Self::Missed => "Planted mistakes that were missed",
            Self::Inconclusive => "Inconclusive",
            Self::Open => "No violation found",
            Self::Verified => "Verified claims",
            Self::Caught => "Planted mistakes that were caught",
        }
    }

    /// `true` if it needs no review: the page folds it.
    pub fn is_settled(self) -> bool {
        matches!(self, Self::Verified | Self::Caught)
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

/// Words about some audits, and the tags that these have in common.
pub(super) struct Total {
    pub words: String,
    /// Tags with spaces between; empty if there is nothing to filter by.
    pub filter: String,
    /// Group of the first of these audits.
    pub group: Option<TriageGroup>,
}

/// A sentence of the totals: "61 claims under review", and its counts by verdict.
pub(super) struct TotalsLine {
    pub of: Total,
    pub parts: Vec<Total>,
}

/// Keys of the page's filters: the side, the group and the verdict of an audit, its leak, and whether it is as expected.
pub(super) fn tags(finding: &Finding) -> String {
    let side = if finding.expected == Expectation::Violated { "planted" } else { "review" };
    let group = TriageGroup::of(finding).id();
    let mut tags = format!("{side} in-{group} {}", verdict_tag(&finding.verdict_words()));
    if let Some(leak) = leak(finding) {
        tags += &format!(" leak-{}", leak.replace(' ', "-"));
    }
    if !finding.as_expected && !finding.interrupted {
        tags += " unexpected";
    }
    tags
}

/// "verified (code)" as a tag: "is-verified-code".
fn verdict_tag(words: &str) -> String {
    let plain: String = words.chars().filter(|c| !"()".contains(*c)).collect();
    format!("is-{}", plain.replace(' ', "-"))
}

/// Where a violation shows: "values", "low bits", "sensitivity".
pub(super) fn leak(finding: &Finding) -> Option<&'static str> {
    if !finding.verdict.is_violation() {
        return None;
    }
    match exceeded(finding) {
        true => Some("sensitivity"),
        false => finding.leak_source.map(LeakSource::words),
    }
}

/// Where the violations of a report show, each with its number, the most frequent first.
pub(super) fn leaks(report: &Report) -> Vec<Total> {
    let all: Vec<&str> = report.audits.iter().filter_map(leak).collect();
    let mut kinds = all.clone();
    kinds.sort_unstable();
    kinds.dedup();
    let many = |kind: &str| all.iter().filter(|leak| **leak == kind).count();
    kinds.sort_by_key(|kind| std::cmp::Reverse(many(kind)));
    let total = |kind: &str| Total {
        words: format!("{kind} ({})", many(kind)),
        filter: format!("leak-{}", kind.replace(' ', "-")),
        group: None,
    };
    kinds.into_iter().map(total).collect()
}

/// Number of audits and their verdicts: "61 claims under review: 0 violated, 34 verified, 27 not refuted. 58 planted
/// mistakes: 58 caught".
pub(super) fn totals(report: &Report) -> String {
    let sentence = |line: TotalsLine| {
        let parts: Vec<String> = line.parts.into_iter().map(|part| part.words).collect();
        format!("{}: {}", line.of.words, parts.join(", "))
    };
    let sentences: Vec<String> = totals_lines(report).into_iter().map(sentence).collect();
    if sentences.is_empty() { "no audits".into() } else { sentences.join(". ") }
}

/// The totals in parts, each with its filter.
pub(super) fn totals_lines(report: &Report) -> Vec<TotalsLine> {
    let (planted, reviewed): (Vec<&Finding>, Vec<&Finding>) =
        report.audits.iter().partition(|finding| finding.expected == Expectation::Violated);
    let mut lines = Vec::new();
    if !reviewed.is_empty() {
        let of = Total::of(&reviewed, plural(reviewed.len(), "claim") + " under review", "review");
        lines.push(TotalsLine { of, parts: by_verdict(&reviewed) });
    }
    if !planted.is_empty() {
        let of = Total::of(&planted, plural(planted.len(), "planted mistake"), "planted");
        // One that was interrupted was neither caught nor missed.
        let in_group = |group: TriageGroup, word: &str| {
            let members = of_group(&planted, group);
            let words = format!("{} {word}", members.len());
            Total::of(&members, words, &format!("in-{}", group.id()))
        };
        let missed = in_group(TriageGroup::Missed, "missed");
        let mut parts = vec![in_group(TriageGroup::Caught, "caught")];
        parts.extend((missed.group.is_some()).then_some(missed));
        lines.push(TotalsLine { of, parts });
    }
    if !report.attacks.is_empty() {
        let succeeded = report.attacks.iter().filter(|attack| attack.succeeded).count();
        let of = Total::of(&[], plural(report.attacks.len(), "attack"), "");
        let parts = vec![Total::of(&[], format!("{succeeded} succeeded"), "")];
        lines.push(TotalsLine { of, parts });
    }
    lines
}

/// Claims under review by verdict, violations first, even if there are none.
fn by_verdict(reviewed: &[&Finding]) -> Vec<Total> {
    let violated = of_group(reviewed, TriageGroup::Violated);
    let mut parts =
        vec![Total::of(&violated, format!("{} violated", violated.len()), "in-violated")];
    for verdict in [Verdict::Inconclusive, Verdict::NotRefuted, Verdict::Bounded, Verdict::Verified]
    {
        let mut same: Vec<&Finding> =
            reviewed.iter().copied().filter(|finding| finding.verdict == verdict).collect();
        // A proof of a model and one of code are two things.
        same.sort_by_key(|finding| finding.verdict_words());
        for same in same.chunk_by(|a, b| a.verdict_words() == b.verdict_words()) {
            let words = same[0].verdict_words();
            let filter = format!("review {}", verdict_tag(&words));
            parts.push(Total::of(same, format!("{} {words}", same.len()), &filter));
        }
    }
    parts
}

impl Total {
    fn of(findings: &[&Finding], words: String, filter: &str) -> Self {
        let group = findings.first().map(|finding| TriageGroup::of(finding));
        let filter = if group.is_some() { filter.to_owned() } else { String::new() };
        Self { words, filter, group }
    }
}

fn of_group<'a>(findings: &[&'a Finding], group: TriageGroup) -> Vec<&'a Finding> {
    findings.iter().copied().filter(|finding| TriageGroup::of(finding) == group).collect()
}

fn plural(many: usize, noun: &str) -> String {
    format!("{many} {noun}{}", if many == 1 { "" } else { "s" })
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
            format!("{each} per audit, Σ α = {} over {of}", upper(sum))
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/report/triage.rs"]
mod tests;
