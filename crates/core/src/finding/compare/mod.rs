//! Two reports compared, audit by audit: what differs, and whether the later one claims less, or looks less closely.

mod claim;
mod kind;
mod parts;

pub use kind::DifferenceKind;

use super::attack::AttackFinding;
use super::quantity::Known;
use super::report::Report;
use super::review::{Change, Changes};
use super::value::{Expectation, Finding, Verdict};
use crate::claim::{LossUnit, Region};
use claim::is_looser;
use plaudit_accountant::number::{brief, grouped, lower};
use serde::Serialize;

/// A bound that moved by less than this, relatively, is not reported: other trials give other counts.
const SMALLEST_MOVE: f64 = 0.01;
/// Bounds, power and trials that moved by more than this factor are reported.
pub const MOVED: f64 = 1.1;
/// Number of margins that a certified bound must rise to exclude chance. A margin is the excess over the claim at which
/// a loss becomes visible: about six standard deviations of the bound at the usual level.
pub const MARGINS: f64 = 2.0;

/// Consequence of a difference for users of the earlier report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Importance {
    Info,
    /// More may be lost than before, or less would be seen.
    Warning,
    Weaker,
}

/// One thing that differs between two reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReportDifference {
    /// Name of the audit, or of the attack.
    pub audit: String,
    pub kind: DifferenceKind,
    pub importance: Importance,
    pub before: String,
    pub now: String,
    pub message: String,
}

/// All that differs: audits and attacks are the same if their names are. In the order of the earlier report, then what is new.
pub fn compare(before: &Report, now: &Report) -> Vec<ReportDifference> {
    let mut all = of_audits(&before.audits, &now.audits);
    of_attacks(before, now, &mut all);
    all
}

impl Changes {
    /// Changes in the audits since an earlier report whose file has this SHA-256.
    pub fn between(before: &Report, sha256: &str, now: &[Finding]) -> Self {
        let all = of_audits(&before.audits, now);
        let of = |kind| all.iter().filter(move |difference| difference.kind == kind);
        let changes = |kind| of(kind).map(Change::from).collect();
        let names = |kind| of(kind).map(|difference| difference.audit.clone()).collect();
        Self {
            sha256: sha256.to_owned(),
            started: before.provenance.as_ref().map(|provenance| provenance.started.clone()),
            version: before.tool.version.clone(),
            verdicts: changes(DifferenceKind::Verdict),
            claims: changes(DifferenceKind::Claim),
            bounds: changes(DifferenceKind::Bound),
            added: names(DifferenceKind::Added),
            removed: names(DifferenceKind::Removed),
        }
    }
}

impl From<&ReportDifference> for Change {
    fn from(difference: &ReportDifference) -> Self {
        let ReportDifference { audit, before, now, .. } = difference.clone();
        Self { audit, before, now }
    }
}

fn of_audits(before: &[Finding], now: &[Finding]) -> Vec<ReportDifference> {
    let mut all = Vec::new();
    for old in before {
        match now.iter().find(|finding| finding.name == old.name) {
            Some(new) => Comparison { old, new, all: &mut all }.make(),
            None => all.push(ReportDifference {
                audit: old.name.clone(),
                kind: DifferenceKind::Removed,
                importance: Importance::Weaker,
                before: old.claim.words.clone(),
                now: String::new(),
                message: removed(old),
            }),
        }
    }
    let new = now.iter().filter(|new| before.iter().all(|old| old.name != new.name));
    all.extend(new.map(|new| ReportDifference {
        audit: new.name.clone(),
        kind: DifferenceKind::Added,
        importance: Importance::Info,
        before: String::new(),
        now: new.claim.words.clone(),
        message: format!("this audit is new: it claims {}", new.claim.words),
    }));
    all
}

fn removed(old: &Finding) -> String {
    let what = match old.expected {
        Expectation::Violated => "planted mistake",
        Expectation::NotViolated => "audit",
    };
    format!("this {what} is missing: it claimed {}", old.claim.words)
}

struct Comparison<'a> {
    old: &'a Finding,
    new: &'a Finding,
    all: &'a mut Vec<ReportDifference>,
}

impl Comparison<'_> {
    fn make(mut self) {
        let (old, new) = (self.old, self.new);
        self.claim();
        self.expectation();
        let neighbors = [old, new].map(|it| it.scope.neighbors.clone());
        if neighbors[0] != neighbors[1] {
            let message =
                format!("neighbors were: {}; they are now: {}", neighbors[0], neighbors[1]);
            self.push(DifferenceKind::Neighbors, Importance::Weaker, neighbors, message);
        }
        self.waivers();
        if old.verdict != new.verdict {
            let importance = match is_known_less(old.verdict, new.verdict) {
                true => Importance::Warning,
                false => Importance::Info,
            };
            let words = [old, new].map(Finding::verdict_words);
            let message = format!("the verdict was {}, and is {} now", words[0], words[1]);
            self.push(DifferenceKind::Verdict, importance, words, message);
        }
        let alphas = [old, new].map(Finding::alpha_of_all_looks);
        if alphas[0] != alphas[1] {
            let words = alphas.map(brief);
            let what =
                if alphas[1] < alphas[0] { "less is seen" } else { "alarms are false more often" };
            let message = format!("the level was {}, and is {} now: {what}", words[0], words[1]);
            self.push(DifferenceKind::Level, Importance::Warning, words, message);
        }
        // An audit that was not reached has nothing further to compare.
        if !old.interrupted && !new.interrupted {
            self.bound();
            self.power();
            self.witness();
        }
        self.parts();
        let words = [old, new].map(|it| it.mechanism.description.clone());
        let is_said = self.all.iter().any(|it| {
            it.audit == new.name
                && matches!(it.kind, DifferenceKind::Mechanism | DifferenceKind::Post)
        });
        if words[0] != words[1] && !is_said {
            let message = format!("the mechanism was: {}; it is now: {}", words[0], words[1]);
            self.push(DifferenceKind::Mechanism, Importance::Info, words, message);
        }
    }

    fn push(
        &mut self,
        kind: DifferenceKind,
        importance: Importance,
        [before, now]: [String; 2],
        message: String,
    ) {
        let audit = self.new.name.clone();
        self.all.push(ReportDifference { audit, kind, importance, before, now, message });
    }

    fn claim(&mut self) {
        let claims = [&self.old.claim, &self.new.claim];
        if claims[0].claim == claims[1].claim {
            return;
        }
        let importance = match is_looser(&claims[0].claim, &claims[1].claim) {
            true => Importance::Weaker,
            false => Importance::Info,
        };
        let mut words = claims.map(|claim| claim.words.clone());
        if words[0] == words[1] {
            words = claims.map(|claim| parts::abridged(claim.claim.form()));
        }
        let message = format!("the claim was {}, and is {} now", words[0], words[1]);
        self.push(DifferenceKind::Claim, importance, words, message);
    }

    fn expectation(&mut self) {
        let expected = [self.old.expected, self.new.expected];
        let (kind, message) = match expected {
            [Expectation::Violated, Expectation::NotViolated] => {
                (DifferenceKind::ExpectsPass, "it no longer carries a planted mistake")
            }
            [Expectation::NotViolated, Expectation::Violated] => (
                DifferenceKind::ExpectsViolation,
                "its claim was expected to hold, and is now expected to be violated",
            ),
            _ => return,
        };
        let words = expected.map(|it| it.words().to_owned());
        self.push(kind, Importance::Weaker, words, message.to_owned());
    }

    fn waivers(&mut self) {
        let waived = [self.old, self.new].map(|it| &it.scope.waived);
        let words = |of: usize| {
            let left = waived[of].iter().filter(|waiver| !waived[1 - of].contains(waiver));
            left.map(|waiver| waiver.words()).collect::<Vec<_>>().join("; ")
        };
        let (dropped, added) = (words(0), words(1));
        let told = match (dropped.is_empty(), added.is_empty()) {
            (true, true) => return,
            (_, false) => (Importance::Weaker, format!("it now waives {added}")),
            (false, true) => (Importance::Info, format!("it no longer waives {dropped}")),
        };
        self.push(DifferenceKind::Waiver, told.0, [dropped, added], told.1);
    }

    fn bound(&mut self) {
        let rose = rise(self.old, self.new);
        if rose.is_none() && !bound_moved(self.old, self.new) {
            return;
        }
        let words = [self.old, self.new].map(bound);
        let moved = || format!("the bound was {}, and is {} now", words[0], words[1]);
        let (importance, message) = match rose {
            Some(message) => (Importance::Warning, message),
            None => (Importance::Info, moved()),
        };
        self.push(DifferenceKind::Bound, importance, words, message);
    }

    fn power(&mut self) {
        let (old, new) = (self.old, self.new);
        if old.tally.trials() == 0 || new.tally.trials() == 0 {
            return;
        }
        let [before, now] = [old, new].map(|it| it.power.detectable.unwrap_or(f64::INFINITY));
        // What ended early had enough.
        let whole = [old, new].iter().all(|it| it.trials.total == it.most_trials());
        let now_unit = new.power.unit;
        let whole = whole && old.power.unit == now_unit;
        if whole && before != now && (now > MOVED * before || before > MOVED * now) {
            let words = [before, now].map(|loss| match loss.is_finite() {
                true => now_unit.at_least(&brief(loss)),
                false => "no loss".to_owned(),
            });
            let importance = if now > before { Importance::Warning } else { Importance::Info };
            let message = format!("{} would have been caught, and {} now", words[0], words[1]);
            self.push(DifferenceKind::Power, importance, words, message);
        }
        let [before, now] = [old, new].map(Finding::most_trials);
        if now as f64 > MOVED * before as f64 || before as f64 > MOVED * now as f64 {
            let words = [before, now].map(grouped);
            let importance = if now < before { Importance::Warning } else { Importance::Info };
            let message = format!("it had {} runs at most, and {} now", words[0], words[1]);
            self.push(DifferenceKind::Trials, importance, words, message);
        }
    }

    fn witness(&mut self) {
        let words = [self.old, self.new].map(|it| it.witness.description.clone());
        let both = [self.old, self.new].iter().all(|it| it.verdict.is_violation());
        if !both || words[0] == words[1] || words.iter().any(String::is_empty) {
            return;
        }
        let message = format!("the witness was: {}; it is now: {}", words[0], words[1]);
        self.push(DifferenceKind::Witness, Importance::Info, words, message);
    }
}

fn of_attacks(before: &Report, now: &Report, all: &mut Vec<ReportDifference>) {
    for old in &before.attacks {
        let new = now.attacks.iter().find(|attack| attack.name == old.name);
        new.into_iter().for_each(|new| parts::of_attacks(old, new, all));
    }
    let mut push = |attack: &AttackFinding, kind, importance, words: [&str; 2], message: &str| {
        let [before, now] = words.map(str::to_owned);
        let (audit, message) = (attack.name.clone(), message.to_owned());
        all.push(ReportDifference { audit, kind, importance, before, now, message });
    };
    for old in &before.attacks {
        let Some(new) = now.attacks.iter().find(|attack| attack.name == old.name) else {
            let words = [old.end(), ""];
            let message = "this attack is gone";
            push(old, DifferenceKind::Removed, Importance::Weaker, words, message);
            continue;
        };
        if old.expected != new.expected {
            let word = |expected| if expected { "expected to succeed" } else { "expected to fail" };
            let words = [old.expected, new.expected].map(word);
            let message = format!("it was {}, and is {} now", words[0], words[1]);
            let importance = if new.expected { Importance::Weaker } else { Importance::Info };
            push(new, DifferenceKind::Expectation, importance, words, &message);
        }
        if old.succeeded != new.succeeded {
            let words = [old.end(), new.end()];
            let message = format!("the attack {}, and {} now", words[0], words[1]);
            push(new, DifferenceKind::Verdict, Importance::Info, words, &message);
        }
    }
    for new in &now.attacks {
        if before.attacks.iter().all(|old| old.name != new.name) {
            let words = ["", new.end()];
            push(new, DifferenceKind::Added, Importance::Info, words, "this attack is new");
        }
    }
}

/// `true` if a verdict shows less for a claim than another one did. A verdict against it is always reported.
fn is_known_less(old: Verdict, new: Verdict) -> bool {
    let rank = |verdict| match verdict {
        Verdict::Verified => Some(2),
        Verdict::Bounded => Some(1),
        Verdict::NotRefuted => Some(0),
        Verdict::Violated | Verdict::Inconclusive => None,
    };
    matches!((rank(old), rank(new)), (Some(old), Some(new)) if new < old)
}

fn bound(finding: &Finding) -> String {
    match finding.numbers().into_iter().next() {
        Some(number) => format!("{} {}", number.words, number.known.word()),
        None => "nothing".into(),
    }
}

fn bound_moved(before: &Finding, now: &Finding) -> bool {
    let first = |finding: &Finding| finding.numbers().into_iter().next();
    let (Some(a), Some(b)) = (first(before), first(now)) else {
        return first(before).is_some() != first(now).is_some();
    };
    if (a.quantity, a.known, &a.at) != (b.quantity, b.known, &b.at) {
        return true;
    }
    let (a, b) = (a.value.unwrap_or(f64::INFINITY), b.value.unwrap_or(f64::INFINITY));
    a != b && (a - b).abs() > SMALLEST_MOVE * a.abs().max(b.abs()) || a.is_finite() != b.is_finite()
}

/// Increase of a loss that exceeds chance: a larger proved number, or a certified bound that is more than a tenth and
/// more than two margins larger. A margin is the excess over the claim at which a loss becomes visible, the larger one
/// of both reports. Two seeds of the same code do not differ by that much.
fn rise(before: &Finding, now: &Finding) -> Option<String> {
    let first = |finding: &Finding| finding.numbers().into_iter().next();
    if let (Some(a), Some(b)) = (first(before), first(now))
        && [a.known, b.known] == [Known::Proved; 2]
        && (a.quantity, a.at) == (b.quantity, b.at)
    {
        let [old, new] = [&a, &b].map(|it| it.value.unwrap_or(f64::INFINITY));
        let words = || format!("{} was proved; now {} is proved", a.words, b.words);
        return (new > old * (1.0 + SMALLEST_MOVE)).then(words);
    }
    let [a, b] = [CertifiedParameter::of(before)?, CertifiedParameter::of(now)?];
    if a.symbol != b.symbol || before.claim.reference_delta != now.claim.reference_delta {
        return None;
    }
    let is_more = b.lower > MOVED * a.lower && b.lower - a.lower > MARGINS * a.margin.max(b.margin);
    let symbol = a.symbol;
    let (old, new) = (lower(a.lower), lower(b.lower));
    is_more
        .then(|| format!("{symbol} ≥ {old} was certified, and {symbol} ≥ {new} is certified now"))
}

/// The loss that is proved, or else certified, and its margin: how far above the claim a loss had to be to be seen.
pub fn certified_loss(finding: &Finding) -> Option<(f64, f64)> {
    let first = finding.numbers().into_iter().next();
    match first.filter(|it| it.known == Known::Proved) {
        Some(proved) => Some((proved.value?, 0.0)),
        None => CertifiedParameter::of(finding).map(|it| (it.lower, it.margin)),
    }
}

/// Parameter that is compared with a claim.
struct CertifiedParameter {
    symbol: &'static str,
    lower: f64,
    /// Excess over the claim at which a loss becomes visible.
    margin: f64,
}

impl CertifiedParameter {
    /// `None` if nothing was counted, or nothing would have been seen.
    fn of(finding: &Finding) -> Option<Self> {
        let detectable = finding.power.detectable.filter(|_| finding.tally.trials() > 0)?;
        let (symbol, lower, claimed) = match (finding.mu_lower, finding.claim.claim.region()) {
            (Some(lower), Region::Gaussian { mu }) => ("μ", lower, *mu),
            _ => ("ε", finding.epsilon_lower, finding.claim.reference_epsilon),
        };
        let detectable = match finding.power.unit {
            LossUnit::Claims => detectable * claimed,
            LossUnit::Epsilon | LossUnit::Mu => detectable,
        };
        Some(Self { symbol, lower, margin: (detectable - claimed).max(0.0) })
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/finding/compare.rs"]
mod tests;
