//! `plaudit audit --regression`: certificates of violations, and stored pairs, played on the mechanisms that specs name now.

use super::evidence;
use crate::Verdict;
use crate::cli::audit::arguments::AuditArguments;
use crate::cli::running::{interrupt, jobs};
use crate::cli::{Failure, exit, output};
use crate::regressions;
use crate::spec::{self, Loaded};
use plaudit_accountant::number;
use plaudit_core::dataset::{Dataset, Pair};
use plaudit_core::visible::visible;
use plaudit_engine::audit::{AnyCertificate, Certificate, Counterexample};
use plaudit_engine::game::Control;
use std::path::{Path, PathBuf};

/// A certificate or a stored pair, and the audit that it is played on.
struct Old<'a> {
    file: &'a Path,
    loaded: &'a Loaded,
    what: OldViolation,
}

enum OldViolation {
    Counts(Box<Certificate>, Vec<Pair<Dataset>>),
    Answers(Box<Counterexample>, Pair<Dataset>),
}

/// Result of playing an old violation on the current mechanism.
#[derive(Clone, Copy, PartialEq)]
enum RegressionResult {
    Still,
    /// The violation is gone, and a loss would have been seen.
    Gone,
    /// Nothing was tested: no loss would have been seen.
    Untested,
}

impl RegressionResult {
    fn words(self) -> &'static str {
        match self {
            Self::Still => "the violation is still there",
            Self::Gone => "the violation is gone",
            Self::Untested => "whether the violation is gone was not tested",
        }
    }
}

/// Plays the witnesses of certificates on the mechanisms that the specs name today. Gives
/// [`exit::AS_EXPECTED`] if all violations are gone.
pub(in crate::cli) fn run(raw: &AuditArguments, files: &[PathBuf]) -> Result<u8, Failure> {
    let mut audits = spec::load_all(&raw.paths, &raw.overrides(None))?.audits;
    if let Some(filter) = &raw.filter {
        audits.retain(|loaded| filter.is_match(&loaded.audit.name));
    }
    let (stored, certificates): (Vec<&PathBuf>, Vec<&PathBuf>) =
        files.iter().partition(|file| file.to_string_lossy().ends_with(STORED));
    let old: Vec<Old<'_>> =
        certificates.into_iter().map(|file| read(file, &audits)).collect::<Result<_, _>>()?;
    let pool = jobs::pool(raw.jobs)?;
    let interrupted = interrupt::listen()?;
    let control = Control { interrupted, ..Control::unattended() };
    let mut all = Vec::new();
    let mut tell = |(played, words): (RegressionResult, String)| {
        all.push(played);
        output::print(&words)
    };
    for old in &old {
        tell(pool.install(|| play(old, control))?)?;
    }
    drop(old);
    for file in stored {
        for played in pool.install(|| play_stored(file, &mut audits, control))? {
            tell(played)?;
        }
    }
    let count = |of: RegressionResult| all.iter().filter(|played| **played == of).count();
    let (of_all, still, untested) =
        (violations(all.len()), count(RegressionResult::Still), count(RegressionResult::Untested));
    let (end, code) = match (still, untested) {
        (0, 0) => (format!("{of_all} gone"), exit::AS_EXPECTED),
        (0, _) => (format!("{untested} of {of_all} not tested"), exit::INCONCLUSIVE),
        _ => (format!("{still} of {of_all} shown again"), exit::UNEXPECTED),
    };
    output::print(&format!("\nregression: {end}"))?;
    Ok(code)
}

fn violations(many: usize) -> String {
    if many == 1 { "1 violation".to_owned() } else { format!("{many} violations") }
}

/// The end of the names of files of stored pairs.
const STORED: &str = ".regressions.toml";

/// Audits each pair of a file of stored pairs by itself. A pair on which the fixed mechanism always fails, or shows no difference, is
/// no reason for doubt here.
fn play_stored(
    file: &Path,
    audits: &mut [Loaded],
    control: Control<'_>,
) -> Result<Vec<(RegressionResult, String)>, Failure> {
    let refused = |why: String| Failure::of_file("cannot use --regression", file, &visible(&why));
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let is_own = |loaded: &&mut Loaded| {
        absolute(&regressions::regressions_of(&loaded.file)) == absolute(file)
    };
    regressions::recall(audits)?;
    let mut played = Vec::new();
    let own: Vec<&mut Loaded> = audits.iter_mut().filter(is_own).collect();
    for Loaded { audit, .. } in own {
        let Some(search) = audit.search.take() else { continue };
        audit.settings.may_be_constant = true;
        audit.settings.may_show_no_difference = true;
        audit.settings.min_power = f64::INFINITY;
        for pair in search.first {
            let pair_words = visible(&pair.name);
            audit.pairs = vec![pair];
            let audited = audit.run(control).map_err(|error| refused(error.to_string()))?;
            let finding = audited.finding;
            let (state, words) = match finding.verdict {
                Verdict::Violated => (RegressionResult::Still, finding.reasons.to_string()),
                Verdict::Inconclusive => (RegressionResult::Untested, finding.reasons.to_string()),
                _ => (RegressionResult::Gone, finding.power.words.clone()),
            };
            played.push((
                state,
                format!(
                    "{}, {pair_words}: {}: {}\n  of {}",
                    visible(&audit.name),
                    state.words(),
                    visible(&words),
                    output::path(file)
                ),
            ));
        }
    }
    if played.is_empty() {
        let why =
            "no spec has stored pairs in it that are still in its domain: name the spec next to it";
        return Err(refused(why.to_owned()));
    }
    Ok(played)
}

/// Reads a certificate, and finds the audit of its name; of a spec that has one audit alone, that one.
fn read<'a>(file: &'a Path, audits: &'a [Loaded]) -> Result<Old<'a>, Failure> {
    let refused = |why: String| Failure::of_file("cannot use --regression", file, &visible(&why));
    let (read, seal) = evidence::read(file).map_err(refused)?;
    let name = match &read {
        AnyCertificate::Refutation(certificate) => &certificate.audit,
        AnyCertificate::Counterexample(certificate) => &certificate.audit,
    };
    let named = audits.iter().find(|loaded| loaded.audit.name == *name);
    let loaded = match (named, audits) {
        (Some(loaded), _) | (None, [loaded]) => loaded,
        _ => {
            return Err(refused(format!(
                "the specs have no audit `{name}`, to which it belongs: name its spec, or leave one audit with --filter"
            )));
        }
    };
    evidence::unchanged(&seal).map_err(refused)?;
    let own = |pair: &Pair<serde_json::Value>| {
        let pair = evidence::dataset_pair(pair)?;
        let takes = |dataset: &Dataset| loaded.audit.mechanism.accepts(dataset);
        takes(&pair.d).and(takes(&pair.d_prime)).map_err(|error| error.to_string())?;
        Ok(pair)
    };
    let what = match read {
        AnyCertificate::Refutation(mut certificate) => {
            let mut pairs = vec![own(&certificate.pair).map_err(refused)?];
            let smallest = certificate.content.smallest.as_ref().map(|it| own(&it.pair));
            pairs.extend(smallest.transpose().map_err(refused)?);
            // What must hold is what the spec claims today.
            certificate.content.claim = loaded.audit.claim.clone();
            OldViolation::Counts(certificate, pairs)
        }
        AnyCertificate::Counterexample(certificate) => {
            let pair = own(&certificate.pair).map_err(refused)?;
            OldViolation::Answers(certificate, pair)
        }
    };
    Ok(Old { file, loaded, what })
}

/// Plays an old violation; gives what it shows, and the words for it.
fn play(old: &Old<'_>, control: Control<'_>) -> Result<(RegressionResult, String), Failure> {
    let audit = &old.loaded.audit;
    let mechanism = &*audit.mechanism;
    let failed = |why: String| Failure::of_file("cannot play", old.file, &visible(&why));
    let name = visible(&audit.name);
    let (seed, alpha) = (audit.settings.seed, audit.settings.alpha);
    let (played, words) = match &old.what {
        OldViolation::Answers(certificate, pair) => {
            let recheck = certificate
                .recheck::<Dataset>(mechanism, [&pair.d, &pair.d_prime], control.interrupted)
                .map_err(|error| failed(error.to_string()))?;
            let declared = certificate.sensitivity;
            match recheck.holds {
                true => (RegressionResult::Still, format!("the declared {declared} is exceeded")),
                false => {
                    let words =
                        format!("the answers are no further apart than the declared {declared}");
                    (RegressionResult::Gone, words)
                }
            }
        }
        OldViolation::Counts(certificate, pairs) => {
            let (pair, smallest) = (&pairs[0], pairs.get(1));
            let replay = certificate
                .replay_at::<Dataset>(alpha, (mechanism, pair), seed, control)
                .map_err(|error| failed(error.to_string()))?;
            let again = match smallest {
                Some(pair) if !replay.holds => certificate
                    .replay_smallest::<Dataset>(alpha, (mechanism, pair), seed, control)
                    .map_err(|error| failed(error.to_string()))?,
                _ => None,
            };
            let shown = std::iter::once(&replay).chain(&again).find(|replay| replay.holds);
            let claim = &audit.claim;
            let witness = visible(&certificate.witness_words);
            let runs = number::grouped(certificate.confirm);
            match shown {
                Some(replay) => {
                    let p_value = number::p_value(replay.p_value);
                    let found = &replay.headline.words;
                    let words =
                        format!("{found}, and {claim} is refuted again ({p_value}, {runs} runs)");
                    (RegressionResult::Still, words)
                }
                None => {
                    let power = certificate.power(claim, alpha);
                    let would = match power.detectable {
                        Some(loss) => format!(
                            "{} would have been seen with probability {}",
                            power.unit.at_least(&number::upper(loss)),
                            power.probability
                        ),
                        None => "no loss would have been seen".to_owned(),
                    };
                    let nothing = replay.shows_nothing.as_ref().map_or_else(String::new, |how| {
                        format!(
                            ". But on this pair {}: if that is not the fix, nothing was tested",
                            visible(how)
                        )
                    });
                    let words = format!(
                        "in {runs} runs its witness ({witness}) does not refute {claim}; if it guesses \
                         as often as before, {would}{nothing}"
                    );
                    let is_tested = power.detectable.is_some();
                    (
                        if is_tested { RegressionResult::Gone } else { RegressionResult::Untested },
                        words,
                    )
                }
            }
        }
    };
    mechanism.finish();
    Ok((played, format!("{name}: {}: {words}\n  of {}", played.words(), output::path(old.file))))
}
