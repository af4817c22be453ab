//! The report as one self-contained page: no script, nothing loaded, everything escaped.

use super::plot::{self, Kind, Plot};
use super::words::{self, brief, count, cut, duration, lower, percent, short_count, visible};
use super::{
    Bracket, Decision, Expectation, Finding, Loss, Origin, Proof, ProofMethod, Report,
    SensitivitySummary,
};
use super::{Verdict, slugs};
use crate::inference::Test;
use crate::witness::Guess;
use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, Value, context};

/// Longest text from outside that is shown whole.
const TEXT: usize = 2_000;
/// Longest name.
const NAME: usize = 200;
/// Most bins in a table.
const BINS: usize = 128;

/// The page: what `index.html` holds. Replay commands name the certificates as
/// [`write`](super::write()) does, relative to the output folder.
pub fn page(report: &Report) -> String {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_syntax(
        SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build()
            .expect("the usual delimiters are not ambiguous"),
    );
    let slugs = slugs(report);
    let audits: Vec<Value> = report
        .audits
        .iter()
        .zip(&slugs)
        .enumerate()
        .map(|(at, (finding, slug))| {
            let origins = report.provenance.as_ref().map(|provenance| &provenance.audits);
            audit(finding, slug, origins.and_then(|origins| origins.get(at)))
        })
        .collect();
    let context = context! {
        tool => text(&report.tool.name, NAME),
        version => text(&report.tool.version, NAME),
        seed => report.run.seed.to_string(),
        alpha => brief(report.run.alpha),
        totals => words::verdicts(report),
        judgement => words::judgement(report),
        fine => report.audits.iter().all(|finding| finding.as_expected),
        style => Value::from_safe_string(include_str!("templates/style.css").into()),
        audits => audits,
    };
    environment
        .add_template("page", include_str!("templates/page.html"))
        .and_then(|()| environment.get_template("page")?.render(context))
        .expect("the template is part of the program, and a test renders it")
}

fn audit(finding: &Finding, slug: &str, origin: Option<&Origin>) -> Value {
    // A violation that only a proof shows has no certificate.
    let exceeded = finding.sensitivity.as_ref().is_some_and(|s| s.counterexample.is_some());
    let violated =
        finding.verdict == Verdict::Violated && (finding.p_value <= finding.alpha || exceeded);
    let plots: Vec<Value> = plot::all(finding).iter().map(|plot| figure(finding, plot)).collect();
    context! {
        slug => slug,
        name => text(&finding.name, NAME),
        verdict => finding.verdict.word(),
        class => finding.verdict.word().replace(' ', "-"),
        expected => expectation(finding.expected),
        as_expected => finding.as_expected,
        reason => text(&finding.reason, TEXT),
        proof => finding.proof.as_ref().map(proof),
        notes => finding.notes.iter().map(|note| text(note, TEXT)).collect::<Vec<_>>(),
        about => finding.about.as_ref().map(|about| text(about, TEXT)),
        kind => text(&finding.mechanism.kind, NAME),
        description => text(&finding.mechanism.description, TEXT),
        parameters => json(&finding.mechanism.parameters),
        relation => text(&finding.relation, TEXT),
        claim => words::claim(&finding.claim.claim),
        claim_words => text(&finding.claim.words, NAME),
        certified => words::certified(finding),
        epsilon_lower => lower(finding.epsilon_lower),
        delta_lower => lower(finding.delta_lower),
        mu_lower => finding.mu_lower.map(lower),
        reference_epsilon => brief(finding.claim.reference_epsilon),
        reference_delta => brief(finding.claim.reference_delta),
        p_value => words::p_value(finding.p_value),
        alpha => brief(finding.alpha),
        confidence => confidence(finding.alpha),
        test => test(finding.test),
        trials => short_count(finding.trials.total),
        total => count(finding.trials.total),
        explore => count(finding.trials.explore),
        confirm => count(finding.trials.confirm),
        seed => finding.seed.to_string(),
        time => origin.and_then(|origin| origin.wall_s).map(duration),
        smallest => finding.smallest.as_ref().map(|smallest| context! {
            d => json(&smallest.pair.d),
            d_prime => json(&smallest.pair.d_prime),
            difference => text(&smallest.pair.difference, TEXT),
            witness => text(&smallest.witness, TEXT),
            epsilon => crate::number::floored(smallest.epsilon_lower),
            confirm => count(smallest.confirm),
            steps => smallest.steps,
            attempts => smallest.attempts,
        }),
        sensitivity => finding.sensitivity.as_ref().map(sensitivity),
        exceeded => exceeded,
        pair => context! {
            name => text(&finding.pair.name, NAME),
            words => text(&pair_words(&finding.pair.name, &finding.pair.difference), TEXT),
            d => json(&finding.pair.d),
            d_prime => json(&finding.pair.d_prime),
            difference => text(&finding.pair.difference, TEXT),
            given => finding.pair.given,
            surveyed => finding.pair.surveyed,
        },
        witness => text(&finding.witness.description, TEXT),
        scorer => text(&finding.witness.kind, NAME),
        evidence => text(&finding.evidence.words, TEXT),
        power => text(&finding.power.words, TEXT),
        replay => violated.then(|| {
            // A program is only run if one says so.
            let consent = if finding.mechanism.kind == "process" { " --run-program" } else { "" };
            format!("plaudit replay{consent} certificates/{slug}.json")
        }),
        plots => plots,
        bins => bins(finding),
        bins_left => finding.witness.bins.len().saturating_sub(BINS),
    }
}

/// What a pair is called, and what differs: once, where the one says the other.
fn pair_words(name: &str, difference: &str) -> String {
    // A name may say in brackets how the pair was chosen.
    let called = name.rsplit_once(" (").map_or(name, |(called, _)| called);
    match difference.strip_prefix(called) {
        Some(more) if !called.is_empty() => format!("{name}{more}"),
        _ if difference.is_empty() => name.to_owned(),
        _ => format!("{name}: {difference}"),
    }
}

/// What the query without noise showed.
fn sensitivity(check: &SensitivitySummary) -> Value {
    let number = |x: f64| crate::number::words(x).into_owned();
    context! {
        norm => check.norm.word(),
        declared => number(check.declared),
        pairs => count(check.pairs as u64),
        distance => check.distance.map(number),
        counterexample => check.counterexample.as_ref().map(|found| context! {
            d => json(&found.pair.d),
            d_prime => json(&found.pair.d_prime),
            difference => text(&found.pair.difference, TEXT),
            answer_d => text(&found.answer_d.to_string(), TEXT),
            answer_d_prime => text(&found.answer_d_prime.to_string(), TEXT),
        }),
    }
}

/// What was proved.
fn proof(proof: &Proof) -> Value {
    let number = |x: Option<f64>| x.map_or_else(|| "∞".to_owned(), brief);
    let between = |Bracket { lower, upper }: Bracket| match lower == upper {
        true => number(lower),
        false => format!("{} to {}", number(lower), number(upper)),
    };
    context! {
        decision => proof.decision.word(),
        partial => !proof.covers_relation && proof.decision == Decision::Verified,
        domain => text(&proof.domain.words, TEXT),
        enumerated => proof.method == ProofMethod::Enumeration,
        datasets => proof.domain.datasets.map(|n| count(n as u64)),
        laws => proof.domain.laws.map(|n| count(n as u64)),
        pairs => proof.domain.pairs.map(|n| count(n as u64)),
        runs => count(proof.runs),
        unresolved => brief(proof.unresolved),
        epsilon => proof.epsilon_decimal.clone().unwrap_or_else(|| between(proof.epsilon)),
        exp_epsilon => proof.exp_epsilon.clone(),
        delta => between(proof.delta),
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

fn figure(finding: &Finding, plot: &Plot) -> Value {
    context! {
        heading => plot.kind.heading(),
        // Made by this program; what came from outside was escaped when it was drawn.
        svg => Value::from_safe_string(plot.svg.clone()),
        caption => plot.has_data.then(|| caption(finding, plot.kind)),
    }
}

/// How the loss of known laws falls off.
fn known_tail(loss: &Loss) -> String {
    let Some(law) = &loss.law else { return String::new() };
    let known = loss.tail.iter().filter_map(|point| Some((point.epsilon, point.exact?)));
    let tail: Vec<String> =
        known.map(|(epsilon, p)| format!("{} at ε = {}", percent(p), brief(epsilon))).collect();
    format!(" The laws are known ({law}): the loss exceeds ε with probability {}.", tail.join(", "))
}

fn caption(finding: &Finding, kind: Kind) -> String {
    let loss = &finding.loss;
    let claimed = finding.claim.reference_epsilon;
    match kind {
        Kind::Outcomes => "How often each outcome came up on the two datasets (confirm trials). \
             Shaded: where the witness says D, where D′. Outermost bins without an end are cut off."
            .into(),
        Kind::Loss => format!(
            "How much an outcome tells: ln(P/Q) of its bin, an estimate from the counts. \
             It exceeds the claim's ε for {} of the outcomes under D, and in the other direction \
             for {} of those under D′; of bins that are just at the claim's ε, half exceed it by \
             chance.{}",
            percent(loss.exceeds_epsilon),
            percent(loss.exceeds_epsilon_reverse),
            known_tail(loss)
        ),
        Kind::Profile => format!(
            "The smallest δ at each ε, the worse direction. The certified curve holds at all ε at \
             once, at confidence {}. Above the claim, it breaks it.",
            confidence(finding.alpha)
        ),
        Kind::Tradeoff => "The errors of somebody who tells D from D′ by this witness. The claim \
             says that nobody gets into the shaded region."
            .into(),
        Kind::Posterior => {
            let (_, allowed) = plot::reach(claimed, 0.5);
            let (_, reached) = plot::reach(finding.epsilon_lower, 0.5);
            format!(
                "How far an outcome can move a belief that the target is in the data: from 50 % \
                 to {} by the claim's ε, to at least {} by the certified one, in one of the two directions \
                 (δ left out).",
                percent(allowed),
                percent(reached)
            )
        }
    }
}

/// The witness's bins with their counts; of very many, the fullest.
fn bins(finding: &Finding) -> Vec<Value> {
    let tally = &finding.tally;
    let at = |counts: &[u64], bin: usize| counts.get(bin).copied().unwrap_or(0);
    let full = |bin: usize| at(&tally.d, bin).saturating_add(at(&tally.d_prime, bin));
    let mut shown: Vec<usize> = (0..finding.witness.bins.len()).collect();
    shown.sort_by_key(|bin| std::cmp::Reverse(full(*bin)));
    shown.truncate(BINS);
    shown.sort_unstable();
    let (trials_d, trials_d_prime) = (tally.trials_d(), tally.trials_d_prime());
    let share = |count: u64, trials: u64| match trials {
        0 => "–".to_owned(),
        _ => percent(count as f64 / trials as f64),
    };
    shown
        .into_iter()
        .map(|bin| {
            let summary = &finding.witness.bins[bin];
            let (d, d_prime) = (at(&tally.d, bin), at(&tally.d_prime, bin));
            context! {
                label => text(&summary.label, 80),
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

fn expectation(expected: Expectation) -> &'static str {
    match expected {
        Expectation::NotViolated => "not violated",
        Expectation::Violated => "violated",
    }
}

fn test(test: Test) -> &'static str {
    match test {
        Test::Guess => "guess test: how often the witness named the right dataset",
        Test::EventD => "event test: an event likelier under D than under D′",
        Test::EventDPrime => "event test: an event likelier under D′ than under D",
        Test::Betting => {
            "betting test: bets on the witness naming the right dataset, run after run"
        }
        Test::None => "none",
    }
}

/// 1 − α as people read it.
fn confidence(alpha: f64) -> String {
    if alpha < 0.001 { format!("1 − {}", brief(alpha)) } else { percent(1.0 - alpha) }
}

/// Text from outside, without what hides or reorders, and not longer than `most`. The template
/// escapes it.
fn text(outside: &str, most: usize) -> String {
    cut(&visible(outside), most)
}

fn json(value: &serde_json::Value) -> String {
    text(&value.to_string(), TEXT)
}

#[cfg(test)]
mod pair_tests {
    use super::pair_words;

    #[test]
    fn a_pair_is_said_once() {
        for (name, difference, words) in [
            (
                "row 617 removed (random)",
                "row 617 removed: vote 1",
                "row 617 removed (random): vote 1",
            ),
            ("row 2 removed", "row 2 removed: 3", "row 2 removed: 3"),
            ("zero and one", "entry 0: 0 and 1", "zero and one: entry 0: 0 and 1"),
            ("zero and one", "", "zero and one"),
            ("", "entry 0", ": entry 0"),
        ] {
            assert_eq!(pair_words(name, difference), words);
        }
    }
}
