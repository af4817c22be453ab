//! The page's card of one audit.

use super::super::file::other_leak_file;
use super::super::telling::{FactKind, Telling};
use super::super::triage;
use super::super::words::{self, brief, count, duration, lower, percent, short_count, typeset};
use super::figures::{PlotBudget, figures};
use super::outside::{NAME, TEXT, json, text};
use minijinja::{Value, context};
use plaudit_core::claim::Form;
use plaudit_core::dataset::{PairRow, json_words};
use plaudit_core::finding::MechanismKind;
use plaudit_core::finding::{
    BinSummary, Bracket, Decision, Expectation, Finding, Headline, LeakKind, Leaks, Looks, Origin,
    PairSummary, Proof, ProofMethod, ProofOf, Quantity, SensitivitySummary, Verdict,
};
use plaudit_core::inference::Test;
use plaudit_core::tally::Guess;
use serde_json::Value as Json;

/// Most bins in the table; all are in the report's JSON.
const BINS: usize = 6;
/// Most points of a claim's curve; claims of more are in the report's JSON.
const POINTS: usize = 1_000;
/// Longest fraction that is shown.
const SHORT_FRACTION: usize = 16;
/// Number of points that fit in place.
const FEW_POINTS: usize = 6;

/// A finding, the name of its files, and where it comes from.
pub(super) struct Card<'a> {
    pub finding: &'a Finding,
    pub slug: &'a str,
    pub origin: Option<&'a Origin>,
    /// For an audit of post-processed outcomes: the finding on the released ones, if it is in the report.
    pub before: Option<&'a Finding>,
    /// `true` for the only audit of a report.
    pub alone: bool,
}

impl Card<'_> {
    pub(super) fn value(&self, budget: &mut PlotBudget) -> Value {
        let Self { finding, slug, origin, before, alone } = *self;
        let exceeded = self.exceeded();
        let numbers = finding.numbers();
        let telling = Telling::of(finding, slug);
        let fact = |kind| telling.fact(kind).map(|words| text(words, TEXT));
        context! {
            slug => slug,
            name => match finding.name.is_empty() {
                true => "(no name)".into(),
                false => text(&finding.name, NAME),
            },
            verdict => finding.verdict.word(),
            badge => telling.verdict.clone(),
            of_model => finding.verdict == Verdict::Verified
                && finding.proof.as_ref().is_some_and(|proof| proof.of == ProofOf::Model),
            of_real_code => finding.verdict == Verdict::Verified
                && finding.proof.as_ref().is_some_and(|proof| proof.of == ProofOf::RealCode),
            // Some verdicts name it already.
            leak => telling.leak,
            chip => telling.leak.filter(|leak| !telling.verdict.contains(leak)),
            tags => triage::tags(finding),
            class => finding.verdict.word().replace(' ', "-"),
            expected => expectation(finding.expected),
            as_expected => finding.as_expected,
            open => alone || !finding.as_expected && !finding.interrupted,
            interrupted => finding.interrupted,
            reason => text(&with_short_claim(finding, &telling), TEXT),
            post => finding.post.as_ref().map(|post| context! {
                before => text(&post.before, NAME),
                words => text(&post.words, TEXT),
                losses => words::before_and_after(before, finding),
            }),
            evidence => fact(FactKind::Counts),
            leaks => finding.leaks.as_ref().map(|leaks| self.leaks(leaks)),
            trace => finding.trace.as_ref().map(|trace| context! {
                sentence => text(&trace.sentence(), TEXT),
                words => text(&trace.words, 4 * TEXT),
            }),
            causes => telling.causes.iter().map(|cause| text(cause, TEXT)).collect::<Vec<_>>(),
            proof => finding.proof.as_ref().map(proof),
            notes => telling.notes.iter().map(|note| text(note, TEXT)).collect::<Vec<_>>(),
            about => fact(FactKind::About),
            kind => text(&finding.mechanism.kind.to_string(), NAME),
            description => text(&finding.mechanism.description, TEXT),
            parameters => json(&finding.mechanism.parameters),
            next => telling.next,
            again => origin.and_then(|origin| again(origin, finding)),
            // A waiver that nobody gave needs no line.
            scope => telling.scope.iter().filter(|row| **row != ("Waived", "nothing".into())).map(|(heading, words)| context! {
                heading => *heading, words => text(words, TEXT),
            }).collect::<Vec<_>>(),
            claim => telling.claim.clone(),
            claim_words => (finding.claim.words != telling.claim)
                .then(|| text(&finding.claim.words, NAME)),
            form => words::form_name(finding.claim.claim.form()),
            curve => curve(finding.claim.claim.form()),
            excess => sortable(triage::excess(finding)),
            headline => numbers.first().map(|number| context! {
                value => sortable(number.value.unwrap_or(f64::INFINITY)),
                allowed => number.allowed.map(sortable),
                words => number.words.clone(),
                known => number.known.word(),
                allows => number.allowed_words.clone(),
            }),
            numbers => numbers.iter().map(number).collect::<Vec<_>>(),
            reference_epsilon => brief(finding.claim.reference_epsilon),
            reference_delta => brief(finding.claim.reference_delta),
            played => finding.tally.trials() > 0 && !exceeded,
            p_value => words::p_value(finding.p_value),
            alpha => brief(finding.alpha),
            looks => finding.looks.as_ref().map(Looks::words),
            confidence => confidence(finding.alpha),
            test => test(finding.test),
            runs => finding.trials.total,
            seconds => origin.and_then(|origin| origin.wall_s).unwrap_or(0.0),
            trials => short_count(finding.trials.total),
            explore => count(finding.trials.explore),
            confirm => count(finding.trials.confirm),
            seed => finding.seed.to_string(),
            time => origin.and_then(|origin| origin.wall_s).map(duration),
            spent => origin.and_then(|origin| spent(origin, finding)),
            spec => origin.and_then(spec),
            program => origin.map(|origin| origin.program.iter().map(|file| context! {
                path => text(&file.path, TEXT),
                hash => file.sha256.as_ref().map(|hash| text(hash, NAME)),
                version => file.version.as_ref().map(|version| text(version, NAME)),
            }).collect::<Vec<_>>()),
            smallest => finding.smallest.as_ref().map(|smallest| context! {
                pair => pair(&smallest.pair),
                witness => text(&words::in_six_digits(&typeset(&smallest.witness)), TEXT),
                epsilon => lower(smallest.epsilon_lower),
                confirm => count(smallest.confirm),
                steps => smallest.steps,
                attempts => smallest.attempts,
            }),
            sensitivity => finding.sensitivity.as_ref().map(sensitivity),
            exceeded => exceeded,
            pair => pair(&finding.pair),
            given => finding.pair.given,
            surveyed => finding.pair.surveyed,
            witness => fact(FactKind::Witness).map(|words| words::in_six_digits(&words)),
            scorer => text(&finding.witness.kind, NAME),
            power => fact(FactKind::Power),
            replay => telling.replay.clone(),
            reproducer => finding.verdict.is_violation(),
            // Plots are of counts, and nothing was played.
            plots => if exceeded { Vec::new() } else { figures(finding, slug, budget) },
            bins => bins(finding),
            bins_left => finding.witness.bins.len().saturating_sub(BINS),
        }
    }

    fn exceeded(&self) -> bool {
        words::exceeded(self.finding)
    }

    /// Leaks of the values and of their representation, each with the command that replays it.
    fn leaks(&self, leaks: &Leaks) -> Value {
        let both =
            [(LeakKind::Values, &leaks.values), (LeakKind::Representation, &leaks.representation)];
        let rows = both.map(|(kind, leak)| {
            let file = match kind == leaks.headline {
                true => format!("{}.json", self.slug),
                false => other_leak_file(self.slug, kind),
            };
            context! {
                of => kind.word(),
                epsilon => lower(leak.epsilon_lower),
                p_value => words::p_value(leak.p_value),
                alpha => brief(leak.alpha),
                refutes => leak.refutes,
                witness => text(&words::in_six_digits(&typeset(&leak.witness)), TEXT),
                evidence => text(&typeset(&leak.evidence.words), TEXT),
                replay => leak.refutes.then(|| words::replay_of(self.finding, &file)),
            }
        });
        context! { rows => rows.to_vec() }
    }
}

/// A number as the script sorts it: JSON has no infinity, and JavaScript reads this one.
fn sortable(x: f64) -> String {
    if x.is_infinite() { "Infinity".into() } else { x.to_string() }
}

/// One of the finding's numbers: what it is, how it is known, its words, and what the claim allows.
fn number(number: &Headline) -> Value {
    let what = match number.quantity {
        Quantity::Sensitivity => "distance of exact answers",
        quantity => quantity.symbol(),
    };
    let at = number.at.map_or_else(String::new, |at| format!(" at {}", at.words()));
    context! {
        what => format!("{what}{at}"),
        known => number.known.word(),
        words => number.words.clone(),
        allows => number.allowed_words.clone(),
    }
}

/// The points of a claim that is a curve.
fn curve(form: &Form) -> Option<Value> {
    let number = |x: &f64| plaudit_accountant::number::words(*x).into_owned();
    let (head, points): (_, Vec<[String; 2]>) = match form {
        Form::Renyi { curve } => (
            ["order α", "Rényi ε"],
            curve.iter().map(|bound| [number(&bound.order), number(&bound.epsilon)]).collect(),
        ),
        Form::Profile { points } => {
            (["ε", "δ"], points.iter().map(|(x, y)| [number(x), number(y)]).collect())
        }
        Form::Tradeoff { points } => (
            ["type-I error", "least type-II error"],
            points.iter().map(|(x, y)| [number(x), number(y)]).collect(),
        ),
        Form::Group { of, .. } => return curve(of),
        _ => return None,
    };
    let many = points.len();
    let shown: Vec<_> = points.into_iter().take(POINTS).collect();
    Some(
        context! { head, many, open => many <= FEW_POINTS, left => many - shown.len(), points => shown },
    )
}

/// A pair of datasets: row by row where they consist of rows.
fn pair(pair: &PairSummary) -> Value {
    context! {
        words => text(&pair_words(&pair.name, &pair.difference), TEXT),
        d => json(&pair.d),
        d_prime => json(&pair.d_prime),
        columns => columns(&pair.d),
        rows => rows(pair),
        answers => pair.answers.as_ref().map(|answers| {
            answers.iter().map(|answer| text(&answer.to_string(), TEXT)).collect::<Vec<_>>()
        }),
    }
}

/// Name of a pair, and its difference: once, where one contains the other.
fn pair_words(name: &str, difference: &str) -> String {
    // A name may describe in brackets how the pair was chosen.
    let called = name.rsplit_once(" (").map_or(name, |(called, _)| called);
    match difference.strip_prefix(called) {
        Some(more) if !called.is_empty() => format!("{name}{more}"),
        _ if difference.is_empty() => name.to_owned(),
        _ if name.is_empty() => difference.to_owned(),
        _ => format!("{name}: {difference}"),
    }
}

fn columns(dataset: &Json) -> Option<String> {
    let names = dataset.get("columns")?.as_array()?.iter().filter_map(Json::as_str);
    Some(text(&names.collect::<Vec<_>>().join(", "), TEXT))
}

/// Number of rows of a dataset, whole or abridged.
fn length(dataset: &Json) -> Option<usize> {
    let count = |key: &str| dataset.get(key).and_then(Json::as_u64).map(|n| n as usize);
    let list = dataset.as_array().or_else(|| dataset.get("rows")?.as_array());
    list.map(Vec::len).or_else(|| count("row_count")).or_else(|| count("entries"))
}

/// The rows around those that differ, and how many alike are left out between them.
fn rows(pair: &PairSummary) -> Vec<Value> {
    let place = |at: Option<usize>| at.map(|at| at.to_string());
    let cell = |value: &Json, at: Option<usize>| at.map(|_| text(&json_words(value), 200));
    let (mut next_d, mut next_d_prime) = (0, 0);
    let mut shown = Vec::new();
    let gap = |many: usize| context! { gap => count(many as u64) };
    for row in &pair.rows {
        let PairRow { at_d, at_d_prime, d, d_prime, differs } = row;
        let left_out = at_d.map_or(0, |at| at.saturating_sub(next_d));
        let left_out = left_out.max(at_d_prime.map_or(0, |at| at.saturating_sub(next_d_prime)));
        if left_out > 0 {
            shown.push(gap(left_out));
        }
        next_d = at_d.map_or(next_d, |at| at + 1);
        next_d_prime = at_d_prime.map_or(next_d_prime, |at| at + 1);
        shown.push(context! {
            at_d => place(*at_d),
            at_d_prime => place(*at_d_prime),
            d => cell(d, *at_d),
            d_prime => cell(d_prime, *at_d_prime),
            differs,
        });
    }
    let left = |dataset: &Json, next: usize| length(dataset).map_or(0, |n| n.saturating_sub(next));
    let left = left(&pair.d, next_d).max(left(&pair.d_prime, next_d_prime));
    if left > 0 && !shown.is_empty() {
        shown.push(gap(left));
    }
    shown
}

fn sensitivity(check: &SensitivitySummary) -> Value {
    let number = |x: f64| plaudit_accountant::number::words(x).into_owned();
    context! {
        norm => check.norm.word(),
        declared => number(check.declared),
        pairs => count(check.pairs as u64),
        distance => check.distance.map(number),
        counterexample => check.counterexample.as_ref().map(|found| context! {
            pair => pair(&found.pair),
            answer_d => text(&found.answer_d.to_string(), TEXT),
            answer_d_prime => text(&found.answer_d_prime.to_string(), TEXT),
        }),
    }
}

fn proof(proof: &Proof) -> Value {
    let number = |x: Option<f64>| x.map_or_else(|| "∞".to_owned(), brief);
    // One number where both ends read alike.
    let between = |Bracket { lower, upper }: Bracket| match (number(lower), number(upper)) {
        (low, high) if low == high => low,
        (low, high) => format!("{low} to {high}"),
    };
    context! {
        decision => proof.decision.word(),
        partial => !proof.covers_relation && proof.decision == Decision::Verified,
        domain => text(&proof.domain.words, TEXT),
        enumerated => proof.method == ProofMethod::Enumeration,
        how => match proof.method {
            ProofMethod::Enumeration => "enumeration",
            ProofMethod::ClosedForm => "closed form, with noise taken as real numbers",
            ProofMethod::Alignment => "alignment of its paths, with noise taken as real numbers",
        },
        datasets => proof.domain.datasets.map(|n| count(n as u64)),
        laws => proof.domain.laws.map(|n| count(n as u64)),
        pairs => proof.domain.pairs.map(|n| count(n as u64)),
        runs => count(proof.runs),
        unresolved => brief(proof.unresolved),
        epsilon => between(proof.epsilon),
        // A long fraction is in the report's JSON.
        exp_epsilon => proof.exp_epsilon.as_ref().filter(|fraction| fraction.len() <= SHORT_FRACTION),
        delta => between(proof.delta),
        broken => proof.compared.filter(|_| proof.decision == Decision::Refuted).map(|point| context! {
            epsilon => brief(point.epsilon),
            delta => lower(point.delta_lower),
            allowed => plaudit_accountant::number::upper(point.delta_claim),
        }),
        worst => proof.worst.as_ref().map(|worst| context! {
            d => json(&worst.d),
            d_prime => json(&worst.d_prime),
            outcomes => worst.outcome.iter().map(|words| text(words, NAME)).collect::<Vec<_>>(),
            more => worst.outcomes.saturating_sub(worst.outcome.len()),
            probability_d => brief(worst.probability_d),
            probability_d_prime => brief(worst.probability_d_prime),
        }),
    }
}

/// The witness's bins with their counts; of very many, the fullest.
fn bins(finding: &Finding) -> Vec<Value> {
    let tally = &finding.tally;
    let at = |counts: &[u64], bin: usize| counts.get(bin).copied().unwrap_or(0);
    let full = |bin: usize| at(&tally.d, bin).saturating_add(at(&tally.d_prime, bin));
    let mut shown: Vec<usize> = (0..finding.witness.bins.len()).collect();
    // Where the witness speaks comes before where it does not.
    let silent = |bin: usize| finding.witness.bins[bin].says == Guess::Abstain;
    shown.sort_by_key(|bin| (silent(*bin), std::cmp::Reverse(full(*bin))));
    shown.truncate(BINS);
    shown.sort_unstable();
    let (trials_d, trials_d_prime) = (tally.trials_d(), tally.trials_d_prime());
    let share = |count: u64, trials: u64| match trials {
        0 => "–".to_owned(),
        _ => percent(count as f64 / trials as f64),
    };
    let labels = short_labels(shown.iter().map(|bin| &finding.witness.bins[*bin]));
    shown
        .into_iter()
        .zip(labels)
        .map(|(bin, label)| {
            let summary = &finding.witness.bins[bin];
            let (d, d_prime) = (at(&tally.d, bin), at(&tally.d_prime, bin));
            context! {
                label => text(&label, 80),
                says => match summary.says {
                    Guess::D => "D",
                    Guess::DPrime => "D′",
                    Guess::Abstain => "",
                },
                d => count(d),
                d_prime => count(d_prime),
                share_d => share(d, trials_d),
                share_d_prime => share(d_prime, trials_d_prime),
            }
        })
        .collect()
}

/// The reason, with the claim in few digits: the card has it in full as well.
fn with_short_claim(finding: &Finding, telling: &Telling) -> String {
    let whole = &finding.claim.words;
    let is_long = words::in_six_digits(whole) != *whole;
    if is_long { telling.reason.replace(whole, &telling.claim) } else { telling.reason.clone() }
}

/// Labels of bins, their numbers in six significant digits where the labels stay distinct.
fn short_labels<'a>(bins: impl Iterator<Item = &'a BinSummary> + Clone) -> Vec<String> {
    let short = bins.clone().map(|bin| match bin.numeric {
        true => words::in_six_digits(&bin.label),
        false => bin.label.clone(),
    });
    let short: Vec<String> = short.collect();
    let distinct = |label: &String| short.iter().filter(|other| *other == label).count() == 1;
    let pairs = bins.zip(&short);
    pairs.map(|(bin, short)| if distinct(short) { short } else { &bin.label }.clone()).collect()
}

fn expectation(expected: Expectation) -> &'static str {
    match expected {
        Expectation::NotViolated => "not violated",
        Expectation::Violated => "violated",
    }
}

fn test(test: Test) -> &'static str {
    match test {
        Test::Guess => "guess test",
        Test::EventD => "event test, for an event likelier under D",
        Test::EventDPrime => "event test, for an event likelier under D′",
        Test::Betting => "betting test",
        Test::Batches => "betting test over batches, the witness frozen before each",
        Test::None => "none",
    }
}

/// 1 − α as people read it.
fn confidence(alpha: f64) -> String {
    if alpha < 0.001 { format!("1 − {}", brief(alpha)) } else { percent(1.0 - alpha) }
}

/// The command that runs one audit again, with ten times the runs: that of the same runs would find the same.
fn again(origin: &Origin, finding: &Finding) -> Option<String> {
    let open = matches!(finding.verdict, Verdict::NotRefuted | Verdict::Inconclusive);
    if !open || finding.trials.total == 0 || finding.mechanism.kind == MechanismKind::Recorded {
        return None;
    }
    let trials = (10 * finding.most_trials()).to_string();
    // A name has no character that a regular expression reads otherwise, but for the point.
    let filter = format!("^{}$", origin.audit.replace('.', "\\."));
    let words = ["plaudit", "audit", &origin.spec.file, "--filter", &filter, "--trials", &trials];
    let command = words::shell(&words.map(str::to_owned));
    (!origin.spec.file.is_empty()).then(|| text(&command, TEXT))
}

/// Where the time of an audit went: steps that took a hundredth of it or more, and the mechanism's own runs.
fn spent(origin: &Origin, finding: &Finding) -> Option<String> {
    let (wall, steps) = (origin.wall_s?, origin.steps?);
    let all = [
        ("proof", steps.prove_s),
        ("questions", steps.prepare_s),
        ("explore", steps.explore_s),
        ("confirm", steps.confirm_s),
        ("shrinking", steps.shrink_s),
    ];
    let told = all.iter().filter(|(_, seconds)| *seconds >= 0.01 * wall);
    let mut words: Vec<String> =
        told.map(|(name, seconds)| format!("{name} {}", duration(*seconds))).collect();
    if finding.trials.total > 0 {
        words.push(format!("mechanism {} (all threads)", duration(steps.mechanism_s)));
    }
    (!words.is_empty()).then(|| words.join(", "))
}

/// The spec that names an audit.
fn spec(origin: &Origin) -> Option<Value> {
    (!origin.spec.file.is_empty()).then(|| {
        context! {
            file => text(&origin.spec.file, NAME),
            line => origin.spec.line,
        }
    })
}

#[cfg(test)]
#[path = "../../../tests/unit/report/html/card.rs"]
mod tests;
