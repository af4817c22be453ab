//! Audits from Rust: a closure, a claim, a pair of neighbors.

use crate::audit::find::Audited;
use crate::audit::search::PairSearch;
use crate::audit::settings::{Audit, AuditError, Settings, Verify};
use crate::game::{Control, Runs};
use crate::mechanism::{ByChoices, ByDraws, Choices, FromFn, Mechanism, Outcome};
use crate::search::{Described, SearchDomain};
use crate::verify::Domain;
use plaudit_aligned::Aligned;
use plaudit_core::claim::Claim;
use plaudit_core::dataset::{Neighboring, Norm, Pair, Relation, Sensitivity, Stated, json_rows};
use plaudit_core::finding::MechanismKind;
use plaudit_core::finding::{
    Evaluation, Expectation, Floats, MechanismSummary, PairSummary, Report, Run, Topic,
};
use plaudit_core::random::Stream;
use serde::Serialize;
use serde_json::{Value, json};

impl<D: Serialize + Sync + 'static> Audit<D> {
    /// An audit of a closure: it gets a dataset and a random stream (any distribution of `rand`
    /// or `rand_distr` draws from it) and releases a number, an integer, a text, a list of
    /// numbers, a set of texts, a map from texts to numbers, an option or a result. All randomness must come from the stream, for the audit to
    /// be repeatable, and runs must be independent of one another (no noise that is drawn once and
    /// kept): see [`Mechanism`].
    pub fn of<O, F>(name: impl Into<String>, claim: Claim, release: F) -> Self
    where
        O: Into<Outcome>,
        F: Fn(&D, &mut Stream) -> O + Send + Sync + 'static,
    {
        Self::of_mechanism(name, claim, FromFn(release))
    }

    /// An audit of a mechanism of your own.
    pub fn of_mechanism(
        name: impl Into<String>,
        claim: Claim,
        mechanism: impl Mechanism<D> + Send + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            about: None,
            mechanism: Box::new(mechanism),
            summary: MechanismSummary {
                kind: MechanismKind::Closure,
                parameters: Value::Null,
                description: "a function in Rust".into(),
                post: Vec::new(),
            },
            post: None,
            relation: Stated::AsGiven,
            pairs: Vec::new(),
            search: None,
            sensitivity: None,
            runs: Runs::Independent,
            most: 0,
            describe: describe_any,
            show: abridged,
            numbers: numbers_of_any,
            claim,
            alphabet: None,
            verify: None,
            evaluation: Evaluation::new(),
            settings: Settings::default(),
            identity: None,
            drawn: Vec::new(),
        }
    }

    /// An audit of a mechanism that takes all its randomness from choices, so that its claim can be
    /// proved as well: see [`ChoiceMechanism`](crate::mechanism::ChoiceMechanism) and [`Audit::verify`].
    pub fn of_choices<O, F>(name: impl Into<String>, claim: Claim, release: F) -> Self
    where
        O: Into<Outcome>,
        F: Fn(&D, &mut Choices<'_>) -> O + Send + Sync + 'static,
    {
        Self::of_mechanism(name, claim, ByChoices(release))
    }

    /// An audit of a mechanism that takes exact answers and all its noise from [`Draws`](plaudit_aligned::Draws), so
    /// that its claim can be proved as well, by alignment: see [`Audit::verify`]. Its outcome is the list of its cells. As in
    /// the proof its noise is real numbers ([`Floats::Ideal`]), unless [`Audit::floats`] says otherwise.
    pub fn of_draws(
        name: impl Into<String>,
        claim: Claim,
        mechanism: impl Aligned + 'static,
    ) -> Self
    where
        D: AsRef<[f64]>,
    {
        Self::of_mechanism(name, claim, ByDraws(mechanism)).floats(Floats::Ideal)
    }

    /// Declares all outcomes that the mechanism can have. Its loss on the pair is then also bounded
    /// from above, and a claim that these bounds meet is `bounded`.
    #[must_use]
    pub fn outcomes<O: Into<Outcome>>(mut self, all: impl IntoIterator<Item = O>) -> Self {
        self.alphabet = Some(all.into_iter().map(Into::into).collect());
        self
    }

    /// Allows the mechanism always to give the same outcome, or (nearly) always to fail. Otherwise
    /// its audit is inconclusive, as no loss could be seen.
    #[must_use]
    pub fn may_be_constant(mut self) -> Self {
        self.settings.may_be_constant = true;
        self
    }

    /// Allows the mechanism to do the same on both datasets. Otherwise its audit is inconclusive,
    /// as a pair on which nothing differs refutes no claim, however wrong.
    #[must_use]
    pub fn may_show_no_difference(mut self) -> Self {
        self.settings.may_show_no_difference = true;
        self
    }

    /// Sets the floor of power: an audit that nothing refutes is inconclusive if its witness would
    /// not have refuted a loss of `times` the claim, at least 1. By default there is no floor; a
    /// spec's is 2 unless it names another.
    #[must_use]
    pub fn min_power(mut self, times: f64) -> Self {
        self.settings.min_power = times;
        self
    }

    /// Sets the subject of the claim: the bits of doubles as released (the default), numbers
    /// rounded to a grid, or noise of real numbers.
    #[must_use]
    pub fn floats(mut self, floats: Floats) -> Self {
        self.settings.floats = floats;
        self
    }

    /// States facts of the release that only people know, for the report's evaluation sheet.
    #[must_use]
    pub fn state(mut self, topic: Topic, words: impl Into<String>) -> Self {
        self.evaluation.insert(topic, words.into());
        self
    }

    /// Asks for a proof: by closed form for all neighbors, or by enumeration on the audit's pairs,
    /// which may refute the claim but verifies it only on a domain: see [`Audit::verify_on`].
    #[must_use]
    pub fn verify(mut self) -> Self {
        self.verify = Some(Verify::default());
        self
    }

    /// Tries no proof that was not asked for.
    #[must_use]
    pub fn only_measured(mut self) -> Self {
        self.settings.prove_where_cheap = false;
        self
    }

    /// Asks for a proof on a domain and on the audit's pairs.
    #[must_use]
    pub fn verify_on(mut self, domain: Domain<D>) -> Self {
        self.verify = Some(Verify { domain: Some(domain), ..Verify::default() });
        self
    }

    /// Adds a pair of datasets that you call neighbors; explore picks the most telling one.
    #[must_use]
    pub fn pair(mut self, d: D, d_prime: D) -> Self {
        self.relation = Stated::AsGiven;
        self.add(d, d_prime)
    }

    fn add(mut self, d: D, d_prime: D) -> Self {
        let name = format!("pair {}", self.pairs.len());
        self.pairs.push(Pair { name, d, d_prime });
        self
    }

    /// Total runs of the mechanism (10⁶ by default).
    #[must_use]
    pub fn trials(mut self, trials: u64) -> Self {
        self.settings.trials = trials;
        self
    }

    /// False-alarm level (10⁻⁶ by default, as for a gate).
    #[must_use]
    pub fn alpha(mut self, alpha: f64) -> Self {
        self.settings.alpha = alpha;
        self
    }

    /// Seed of the random streams (0 by default).
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = seed;
        self
    }

    /// Declares that a run may depend on earlier ones: a cached answer, a spent budget, a counter.
    /// Runs are then played in the order of the coins, and judged by the betting test, which holds
    /// the claim against each run given all earlier ones. For claims of (ε, δ) only.
    #[must_use]
    pub fn stateful(mut self) -> Self {
        if self.runs == Runs::Independent {
            self.runs = Runs::Stateful;
        }
        self
    }

    /// Makes the running time part of the outcome. Runs are played and judged as if
    /// [`stateful`](Self::stateful), after some uncounted ones. Findings hold for this machine and
    /// its load, and a rerun with the same seed gives other counts.
    #[must_use]
    pub fn clock(mut self) -> Self {
        self.runs = Runs::Timed;
        self
    }

    /// Expects the claim to be violated.
    #[must_use]
    pub fn expect_violated(mut self) -> Self {
        self.settings.expect = Expectation::Violated;
        self
    }

    /// Runs the audit and returns a report with its one finding.
    ///
    /// # Errors
    /// If there is no pair, or the budget or level is out of range.
    pub fn report(&self) -> Result<Report, AuditError> {
        let Audited { finding, .. } = self.run(Control::unattended())?;
        let run = Run { seed: self.settings.seed, alpha: self.settings.alpha };
        Ok(Report::of(run, vec![finding]))
    }

    /// Runs the audit in a test and panics unless its verdict is as expected. The message has the
    /// reason, the witness, the power statement and the certificate.
    ///
    /// # Panics
    /// If the verdict is not as expected, or there is no verdict.
    pub fn assert_as_expected(&self) {
        let audited = self.run(Control::unattended());
        let Audited { finding, certificate, .. } =
            audited.unwrap_or_else(|error| panic!("{}: no verdict: {error}", self.name));
        if finding.as_expected {
            return;
        }
        let certificate = certificate.map_or_else(String::new, |certificate| {
            let json = serde_json::to_string_pretty(&certificate);
            format!("\ncertificate: {}", json.unwrap_or_else(|error| error.to_string()))
        });
        let expected = self.settings.expect.words();
        panic!(
            "{}: {} (expected: {expected})\n{}\nwitness: {}\n{}{certificate}",
            self.name,
            finding.verdict.word(),
            finding.reasons,
            finding.witness.description,
            finding.power.words,
        );
    }
}

impl<D: Serialize + Sync + Neighboring + 'static> Audit<D> {
    /// Adds a pair of datasets after checking that they are neighbors under a relation. The report
    /// names the relation if all pairs are checked under the same one.
    ///
    /// # Errors
    /// If they are not neighbors.
    pub fn neighbors(
        mut self,
        relation: Relation,
        d: D,
        d_prime: D,
    ) -> Result<Self, plaudit_core::dataset::NotNeighbors> {
        d.check(&d_prime, &relation, self.claim.group_size())?;
        let agrees = self.pairs.is_empty() || self.relation.checked() == Some(&relation);
        self.relation = if agrees { Stated::Checked(relation) } else { Stated::AsGiven };
        Ok(self.add(d, d_prime))
    }
}

impl<D: Serialize + Sync + Described + 'static> Audit<D> {
    /// Makes explore search a domain for pairs: neighbors under this relation whose datasets the
    /// mechanism [accepts](Mechanism::accepts).
    #[must_use]
    pub fn search(mut self, domain: SearchDomain, relation: Relation) -> Self {
        self.relation = Stated::Checked(relation.clone());
        self.search = Some(PairSearch::new(domain, relation, self.claim.group_size()));
        self
    }

    /// Declares the sensitivity of the mechanism's [query](crate::mechanism::Capabilities::query).
    /// The domain is searched before the trials for a pair that exceeds it; if there is one, the
    /// verdict is `violated`.
    #[must_use]
    pub fn sensitivity(mut self, norm: Norm, most: f64) -> Self {
        self.sensitivity = Some(Sensitivity { norm, most });
        self
    }
}

/// Most bytes of a dataset's JSON that a report shows whole.
const SHOWN_WHOLE: usize = 2_000;

/// Describes a pair of datasets of any type for readers.
pub(in crate::audit) fn describe_any<D: Serialize>(
    pair: &Pair<D>,
    _relation: Option<&Relation>,
) -> PairSummary {
    let whole = |dataset: &D| serde_json::to_value(dataset).unwrap_or(Value::Null);
    let (d, d_prime) = (whole(&pair.d), whole(&pair.d_prime));
    PairSummary {
        name: pair.name.clone(),
        rows: json_rows(&d, &d_prime),
        d: abridged_json(d),
        d_prime: abridged_json(d_prime),
        difference: String::new(),
        answers: None,
        given: 1,
        surveyed: 0,
    }
}

/// Numbers of a value that serialises as a number or a list of numbers, such as a
/// [`Dataset`](crate::Dataset) of numbers.
fn numbers_of_any<D: Serialize>(dataset: &D) -> Option<Vec<f64>> {
    let whole = serde_json::to_value(dataset).ok()?;
    let list = match &whole {
        Value::Object(fields) if fields.len() == 1 => fields.get("numbers")?,
        other => other,
    };
    match list {
        Value::Array(numbers) => numbers.iter().map(Value::as_f64).collect(),
        number => number.as_f64().map(|number| vec![number]),
    }
}

fn abridged<D: Serialize>(dataset: &D) -> Value {
    abridged_json(serde_json::to_value(dataset).unwrap_or(Value::Null))
}

fn abridged_json(whole: Value) -> Value {
    let text = whole.to_string();
    if text.len() <= SHOWN_WHOLE {
        return whole;
    }
    let begins: String = text.chars().take(200).collect();
    json!({ "bytes_of_json": text.len(), "begins": begins })
}
