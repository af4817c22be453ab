//! Differences between the identities of two audits, or of two attacks, part by part.

use super::kind::DifferenceKind;
use super::{Comparison, Importance, ReportDifference};
use crate::claim::Form;
use crate::finding::attack::AttackFinding;
use crate::finding::identity::{Identity, IdentityPart, PartIdentity};
use crate::finding::value::Expectation;

/// Digits of a hash that distinguish parts with the same words.
const SHORT: usize = 8;

impl Comparison<'_> {
    /// Parts that differ and were not reported yet.
    pub(super) fn parts(&mut self) {
        let (Some(old), Some(new)) = (&self.old.identity, &self.new.identity) else {
            return self.fields();
        };
        let planted = [self.old, self.new].iter().all(|it| it.expected == Expectation::Violated);
        for (part, before, now) in changed(old, new) {
            let Some(kind) = kind(part) else { continue };
            let is_said = self.all.iter().any(|it| it.audit == self.new.name && it.kind == kind);
            let is_waived = part == IdentityPart::MinPower
                && [before, now].iter().any(|it| it.is_some_and(|it| it.number.is_none()));
            // Another expected verdict says more than its part.
            let is_other =
                part == IdentityPart::Expectation && self.old.expected != self.new.expected;
            if is_said || is_waived || is_other {
                continue;
            }
            let importance = match (part, planted) {
                (IdentityPart::Mechanism, true) => Importance::Weaker,
                _ => importance(part, before, now),
            };
            let (words, message) = told(part, before, now);
            self.push(kind, importance, words, message);
        }
    }

    /// Differences in the fields that a report without identities has.
    fn fields(&mut self) {
        let scopes = [&self.old.scope, &self.new.scope];
        let words = |of: fn(&crate::finding::Scope) -> String| scopes.map(of);
        let on = |is_on: bool| if is_on { "on".to_owned() } else { "off".to_owned() };
        let floats = [self.old.floats, self.new.floats].map(|floats| format!("{floats:?}"));
        let fields = [
            (
                IdentityPart::Domain,
                DifferenceKind::Domain,
                words(|it| it.domain.clone().unwrap_or("none".into())),
            ),
            (IdentityPart::Clock, DifferenceKind::Clock, scopes.map(|it| on(it.clock))),
            (IdentityPart::Stateful, DifferenceKind::Stateful, scopes.map(|it| on(it.stateful))),
            (IdentityPart::Floats, DifferenceKind::Floats, floats),
        ];
        for (part, kind, [before, now]) in fields {
            if before != now {
                let message = sentence(part, &before, &now);
                self.push(kind, Importance::Weaker, [before, now], message);
            }
        }
    }
}

/// Parts of an attack that differ: each is another attack.
pub(super) fn of_attacks(
    old: &AttackFinding,
    new: &AttackFinding,
    all: &mut Vec<ReportDifference>,
) {
    let (Some(before), Some(now)) = (&old.identity, &new.identity) else { return };
    for (part, before, now) in changed(before, now) {
        if part == IdentityPart::Expectation {
            continue;
        }
        let ([before, now], message) = told(part, before, now);
        let (audit, kind) = (new.name.clone(), DifferenceKind::Attack);
        let importance = Importance::Weaker;
        all.push(ReportDifference { audit, kind, importance, before, now, message });
    }
}

type ChangedPart<'a> = (IdentityPart, Option<&'a PartIdentity>, Option<&'a PartIdentity>);

fn changed<'a>(old: &'a Identity, new: &'a Identity) -> Vec<ChangedPart<'a>> {
    let mut parts: Vec<IdentityPart> = old.parts.keys().chain(new.parts.keys()).copied().collect();
    parts.sort();
    parts.dedup();
    let both = |part| (part, old.parts.get(&part), new.parts.get(&part));
    let hash = |part: Option<&PartIdentity>| part.map(|part| part.sha256.clone());
    parts.into_iter().map(both).filter(|(_, old, new)| hash(*old) != hash(*new)).collect()
}

/// Kind of difference that a part makes; `None` for parts that fields of the finding describe better.
fn kind(part: IdentityPart) -> Option<DifferenceKind> {
    Some(match part {
        IdentityPart::Claim | IdentityPart::Checks => return None,
        // The leak that a planted mistake is in; another verdict is reported by its field.
        IdentityPart::Expectation => DifferenceKind::ExpectedLeak,
        IdentityPart::Mechanism => DifferenceKind::Mechanism,
        IdentityPart::Program => DifferenceKind::Program,
        IdentityPart::Watched => DifferenceKind::Watched,
        IdentityPart::Post => DifferenceKind::Post,
        IdentityPart::Relation => DifferenceKind::Neighbors,
        IdentityPart::Pairs => DifferenceKind::Pairs,
        IdentityPart::Domain => DifferenceKind::Domain,
        IdentityPart::Data => DifferenceKind::Data,
        IdentityPart::Sensitivity => DifferenceKind::Sensitivity,
        IdentityPart::Floats => DifferenceKind::Floats,
        IdentityPart::Clock => DifferenceKind::Clock,
        IdentityPart::Stateful => DifferenceKind::Stateful,
        IdentityPart::Outcomes => DifferenceKind::Outcomes,
        IdentityPart::Proof => DifferenceKind::Proof,
        IdentityPart::MinPower => DifferenceKind::MinPower,
        IdentityPart::Trials => DifferenceKind::Trials,
        IdentityPart::Alpha => DifferenceKind::Level,
        IdentityPart::Attack => DifferenceKind::Attack,
    })
}

fn importance(
    part: IdentityPart,
    before: Option<&PartIdentity>,
    now: Option<&PartIdentity>,
) -> Importance {
    let number = |part: Option<&PartIdentity>| part.and_then(|part| part.number);
    let rose = number(now) > number(before);
    match part {
        // A check that is new.
        IdentityPart::Sensitivity if before.is_none() => Importance::Info,
        IdentityPart::MinPower | IdentityPart::Trials if number(now) == number(before) => {
            Importance::Warning
        }
        IdentityPart::MinPower if !rose => Importance::Info,
        IdentityPart::Trials if rose => Importance::Info,
        IdentityPart::Watched => Importance::Info,
        IdentityPart::Mechanism
        | IdentityPart::Program
        | IdentityPart::Post
        | IdentityPart::Outcomes
        | IdentityPart::Proof
        | IdentityPart::Trials
        | IdentityPart::Alpha => Importance::Warning,
        _ => Importance::Weaker,
    }
}

/// Both words of a part, made distinct where they are equal, and a sentence.
fn told(
    part: IdentityPart,
    before: Option<&PartIdentity>,
    now: Option<&PartIdentity>,
) -> ([String; 2], String) {
    let words = |it: Option<&PartIdentity>| it.map_or("none".to_owned(), |it| it.words.clone());
    let (mut old, mut new) = (words(before), words(now));
    if old == new {
        let short = |it: Option<&PartIdentity>| {
            it.map_or("", |it| &it.sha256[..it.sha256.len().min(SHORT)]).to_owned()
        };
        (old, new) = (format!("{old} ({})", short(before)), format!("{new} ({})", short(now)));
    }
    let message = sentence(part, &old, &new);
    ([old, new], message)
}

/// The form of a claim as a spec has it, abridged.
pub(super) fn abridged(form: &Form) -> String {
    let text = serde_json::to_string(form).unwrap_or_default();
    PartIdentity::of(&serde_json::Value::Null, text).words
}

fn sentence(part: IdentityPart, before: &str, now: &str) -> String {
    let words = part.words();
    match part {
        IdentityPart::Pairs
        | IdentityPart::Stateful
        | IdentityPart::Trials
        | IdentityPart::Outcomes
        | IdentityPart::Attack => {
            format!("the {words} were: {before}; they are now: {now}")
        }
        _ => format!("the {words} was: {before}; it is now: {now}"),
    }
}
