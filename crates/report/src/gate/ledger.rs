//! The ledger: evidence against each claim, kept from run to run of the same audit.

use plaudit_accountant::number::{lower, p_value};
use plaudit_core::finding::{Evidence, Expectation, Finding, Floats, Report};
use plaudit_core::inference::{Guesses, NightlyEvidence, Test, Wagers};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the shape of a ledger.
pub const LEDGER_VERSION: &str = "1";

/// The rule of a check that the evidence of all nights fails.
/// Evidence of earlier runs, by the name of the audit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    pub plaudit_ledger: String,
    pub audits: BTreeMap<String, LedgerEntry>,
}

impl Default for Ledger {
    fn default() -> Self {
        Self { plaudit_ledger: LEDGER_VERSION.into(), audits: BTreeMap::new() }
    }
}

/// Entry of one audit, as long as it stays the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerEntry {
    /// SHA-256 of all that makes it the same audit.
    pub content: String,
    pub since: String,
    pub last: String,
    pub seeds: Vec<u64>,
    pub evidence: NightlyEvidence,
}

/// Effect of a run on the entry of an audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LedgerChange {
    /// A night was added, the first one or another.
    Added,
    /// The audit has changed: its evidence begins again, with this night.
    Reset,
    /// Its seed was there before, and with it this evidence: nothing was added.
    Repeated,
    /// It broke off, which gives up earlier winnings.
    BrokenOff,
}

/// Line of the ledger on one audit after a run.
#[derive(Clone, Debug, PartialEq)]
pub struct LedgerLine {
    pub name: String,
    pub change: LedgerChange,
    pub nights: usize,
    pub since: String,
    pub seed: u64,
    /// The logarithm of the largest e-value so far.
    pub ln_e_value: f64,
    /// The largest p-value that flags it: the audit's level.
    pub alpha: f64,
}

impl LedgerLine {
    /// `true` if the evidence of all nights refutes the claim.
    pub fn is_flagged(&self) -> bool {
        self.ln_e_value >= -self.alpha.ln()
    }

    fn p_value(&self) -> f64 {
        (-self.ln_e_value).exp().min(1.0)
    }

    /// "over 12 nights since 2026-11-01T02:00:00Z the evidence against the claim is e = …, p ≤ …".
    pub(super) fn words(&self) -> String {
        let nights = if self.nights == 1 { "night" } else { "nights" };
        format!(
            "over {} {nights} since {} the evidence against the claim is e = {}, {}",
            self.nights,
            self.since,
            e_value(self.ln_e_value),
            p_value(self.p_value())
        )
    }

    pub(super) fn note(&self) -> Option<String> {
        match self.change {
            LedgerChange::Added => None,
            LedgerChange::Reset => Some(
                "the audit changed since its last night: its entry in the ledger starts over"
                    .into(),
            ),
            LedgerChange::Repeated => Some(format!(
                "the ledger has counted the seed {} of this audit before, and the same seed gives the same evidence: \
                 nothing is added (use --seed fresh)",
                self.seed
            )),
            LedgerChange::BrokenOff => Some(
                "it stopped early: the evidence of its earlier nights is discarded, since stopping \
                 early may depend on the outcomes"
                    .into(),
            ),
        }
    }
}

/// Summary of the ledger for all audits of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LedgerTotal {
    /// Audits of this run that have an entry.
    pub audits: usize,
    pub flagged: usize,
    pub reset: usize,
    pub repeated: usize,
    pub broken_off: usize,
    pub nights: usize,
    /// The audit with the largest e-value.
    pub largest: Option<String>,
    pub ln_e_value: f64,
}

impl LedgerTotal {
    pub(super) fn of(lines: &[LedgerLine]) -> Self {
        let count = |change| lines.iter().filter(|line| line.change == change).count();
        let largest = lines.iter().max_by(|a, b| a.ln_e_value.total_cmp(&b.ln_e_value));
        Self {
            audits: lines.len(),
            flagged: lines.iter().filter(|line| line.is_flagged()).count(),
            reset: count(LedgerChange::Reset),
            repeated: count(LedgerChange::Repeated),
            broken_off: count(LedgerChange::BrokenOff),
            nights: lines.iter().map(|line| line.nights).max().unwrap_or(0),
            largest: largest.map(|line| line.name.clone()),
            ln_e_value: largest.map_or(0.0, |line| line.ln_e_value),
        }
    }

    /// In a line; the name is untrusted, and is not escaped here.
    pub fn words(&self) -> String {
        let Self { audits, flagged, nights, .. } = self;
        let (s, n) = (if *audits == 1 { "" } else { "s" }, if *nights == 1 { "" } else { "s" });
        let mut words =
            format!("ledger: {audits} audit{s}, {nights} night{n} at most, {flagged} flagged");
        for (count, what) in [
            (self.reset, "begun anew"),
            (self.repeated, "of a seed that was counted before"),
            (self.broken_off, "broken off"),
        ] {
            if count > 0 {
                words.push_str(&format!(", {count} {what}"));
            }
        }
        if let Some(name) = &self.largest {
            words.push_str(&format!("; the largest e = {} ({name})", e_value(self.ln_e_value)));
        }
        words
    }
}

/// A number whose logarithm is given: it may be beyond all doubles.
fn e_value(ln: f64) -> String {
    if ln < 600.0 {
        lower(ln.exp())
    } else {
        format!("10^{}", (ln / std::f64::consts::LN_10).floor())
    }
}

impl Ledger {
    /// Adds a run that began at `started`, of audits with these contents; an audit without one is not kept. Nothing of other
    /// audits changes.
    pub fn add(
        &mut self,
        report: &Report,
        contents: &BTreeMap<String, String>,
        started: &str,
    ) -> Vec<LedgerLine> {
        let line = |finding: &Finding| {
            let content = contents.get(&finding.name)?;
            let (change, entry) = self.added(finding, content, started)?;
            Some(LedgerLine {
                name: finding.name.clone(),
                change,
                nights: entry.seeds.len(),
                since: entry.since.clone(),
                seed: finding.seed,
                ln_e_value: entry.evidence.most_ln_e_value,
                alpha: finding.alpha_of_all_looks(),
            })
        };
        report.audits.iter().filter_map(line).collect()
    }

    fn added(
        &mut self,
        finding: &Finding,
        content: &str,
        started: &str,
    ) -> Option<(LedgerChange, &LedgerEntry)> {
        let night = Night::of(finding)?;
        let claim = (finding.claim.reference_epsilon, finding.claim.reference_delta);
        if !claim.0.is_finite() {
            return None;
        }
        let begun = LedgerEntry {
            content: content.to_owned(),
            since: started.to_owned(),
            last: started.to_owned(),
            seeds: Vec::new(),
            evidence: NightlyEvidence::new(claim, finding.trials.confirm),
        };
        let mut change = LedgerChange::Added;
        let entry = self.audits.entry(finding.name.clone()).or_insert_with(|| begun.clone());
        if entry.content != content {
            *entry = begun;
            change = LedgerChange::Reset;
        }
        if entry.seeds.contains(&finding.seed) {
            return Some((LedgerChange::Repeated, entry));
        }
        entry.seeds.push(finding.seed);
        started.clone_into(&mut entry.last);
        match night {
            Night::Counted(halves) => entry.evidence.add(halves),
            Night::BrokenOff => {
                entry.evidence.add_broken_off();
                change = LedgerChange::BrokenOff;
            }
        }
        Some((change, entry))
    }

    /// Checks it, as it may have been read from a file that was changed.
    ///
    /// # Errors
    /// The first audit whose numbers nights cannot have added up to.
    pub fn check(&self) -> Result<(), String> {
        for (name, entry) in &self.audits {
            if !entry.evidence.is_sound() {
                return Err(format!("the counts of {name:?} contradict one another"));
            }
            let mut seeds = entry.seeds.clone();
            seeds.sort_unstable();
            if let Some(twice) = seeds.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(format!("the seed {} of {name:?} is counted twice", twice[0]));
            }
            if !entry.is_of_its_seeds() {
                let nights = entry.seeds.len();
                let seeds = if nights == 1 { "seed" } else { "seeds" };
                return Err(format!(
                    "the counts of {name:?} cannot be those of its {nights} {seeds}"
                ));
            }
        }
        Ok(())
    }
}

impl LedgerEntry {
    /// `true` if each seed can be a night of these counts: one that broke off, or one with trials, of which each wins at most the
    /// factor 2, since a guess by a coin is right in half of them.
    fn is_of_its_seeds(&self) -> bool {
        let NightlyEvidence { broken_off, halves, most_ln_e_value, .. } = self.evidence;
        let Some(whole) = (self.seeds.len() as u64).checked_sub(broken_off) else { return false };
        let trials = halves.map(|half| half.one.trials + half.both.trials);
        let fits =
            |trials: u64| if whole == 0 { trials == 0 } else { broken_off > 0 || trials >= whole };
        let most = trials[0].max(trials[1]) as f64 * std::f64::consts::LN_2;
        trials.into_iter().all(fits) && (broken_off > 0 || most_ln_e_value <= most + 1e-9)
    }
}

enum Night {
    /// Guesses on the values of outcomes and on their representation.
    Counted([Wagers; 2]),
    /// Not all trials were counted, and why may have to do with them.
    BrokenOff,
}

impl Night {
    /// `None`: nothing was at stake. It was proved, or not reached; or it may have ended early by what it saw, and then
    /// the counts chose what it quotes.
    fn of(finding: &Finding) -> Option<Self> {
        let is_kept = finding.expected == Expectation::NotViolated && !finding.scope.clock;
        if !is_kept || finding.interrupted || finding.looks.is_some() {
            return None;
        }
        if finding.trials.total == 0 {
            return (!finding.verdict.is_founded()).then_some(Self::BrokenOff);
        }
        let own = guesses(&finding.evidence, finding.test, finding.witness.names_both());
        Some(Self::Counted(match &finding.leaks {
            None => [own; 2],
            Some(leaks) => {
                // Whose bins the finding has was chosen by the counts: the larger fee of both is always allowed.
                let of =
                    |leak: &plaudit_core::finding::Leak| guesses(&leak.evidence, leak.test, true);
                let values = of(&leaks.values);
                // Leaks that decide nothing are not evidence.
                let ideal = finding.floats == Floats::Ideal;
                [values, if ideal { values } else { of(&leaks.representation) }]
            }
        }))
    }
}

/// The guesses of a frozen test: that of an event guesses where the event comes, and names one dataset.
fn guesses(evidence: &Evidence, test: Test, names_both: bool) -> Wagers {
    let Evidence { on_d, on_d_prime, runs, .. } = evidence;
    let trials = runs[0] + runs[1];
    let of = |right: u64, wrong: u64| Guesses { right, made: right + wrong, trials };
    let one = |guesses| Wagers { one: guesses, ..Wagers::default() };
    match test {
        Test::EventD => one(of(on_d[0], on_d_prime[0])),
        Test::EventDPrime => one(of(on_d_prime[1], on_d[1])),
        Test::Guess | Test::Betting | Test::Batches | Test::None => {
            let all = of(on_d[0] + on_d_prime[1], on_d[1] + on_d_prime[0]);
            if names_both { Wagers { both: all, ..Wagers::default() } } else { one(all) }
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/gate/ledger.rs"]
mod tests;
