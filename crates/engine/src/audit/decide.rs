//! The verdict: evidence in, a verdict and its reasons out. It is chosen only here and never
//! changed afterwards. To add a reason for *inconclusive*: a field of [`Sampled`], which `evidence`
//! fills, a line in [`sampled`], and a [`Reason`] with its words in `finding/reason/words.rs`.

use plaudit_core::finding::reason::{
    CertifiedBound, Contradiction, Degenerate, MissingPower, Reason, Stage,
};
use plaudit_core::finding::{
    BrokenPoint, Decision, Proof, Quantity, UpperBounds, Verdict, WrittenAnswer,
};

/// Everything that determines a verdict.
pub struct VerdictEvidence<'a> {
    pub course: Course,
    pub proof: Option<&'a Proof>,
    pub check: Check,
}

pub enum Course {
    /// The declared sensitivity is exceeded, with the reason.
    Exceeded(Reason),
    /// Decided by the proof; nothing was played.
    Proved,
    Interrupted(Stage),
    /// Not playable, with the reason.
    Broken(String),
    /// Played to its end.
    Played(Box<Sampled>),
}

pub enum Check {
    /// No check was asked for, or the course already reports it.
    None,
    /// Number of pairs of neighbors that kept to the sensitivity.
    Held(usize),
    /// The check could not be made, with the reason.
    NotMade(String),
}

pub struct Sampled {
    pub claim: String,
    /// `true` if the claim allows every event any probability.
    pub allows_everything: bool,
    pub alpha: f64,
    /// `true` if the counts refute the claim at that level.
    pub refutes: bool,
    pub p_value: f64,
    pub bound: CertifiedBound,
    /// Certified lower bounds on ε and δ.
    pub lower: [f64; 2],
    /// Point of the claim's curve that is broken.
    pub broken_point: Option<BrokenPoint>,
    /// `true` if any event could refute the claim with this number of trials.
    pub can_refute: bool,
    /// Number of trials on which the witness guessed.
    pub guesses: u64,
    /// Number of pairs examined, and of all pairs.
    pub pairs: [usize; 2],
    /// Outcomes that came up without being declared, in words.
    pub undeclared: Option<String>,
    /// Upper bounds that meet the claim.
    pub met: Option<UpperBounds>,
    /// Reason why the outcomes show nothing, where they should, and a request that the program got.
    pub degenerate: Option<(Degenerate, Option<String>)>,
    /// Power of the witness, where it is less than asked for.
    pub too_little: Option<MissingPower>,
    /// Absence of a difference in the counts, where they should show one.
    pub alike: Option<Alike>,
    /// Breakdowns that are more one-sided than chance makes them.
    pub breakdowns: Option<OneSided>,
    pub facts: Vec<Reason>,
}

pub struct Alike {
    pub p_value: f64,
    /// Largest p-value that counts as a difference.
    pub level: f64,
    /// Answer without noise on both datasets, if known.
    pub answer: Option<WrittenAnswer>,
}

/// Breakdowns on D and on D', which are more one-sided than chance makes them.
#[derive(Clone, Copy, Debug)]
pub struct OneSided {
    pub on: [u64; 2],
    pub p_value: f64,
    /// Largest p-value that counts as one-sided.
    pub level: f64,
}

pub struct Decided {
    pub verdict: Verdict,
    /// Reasons in the order in which they are printed.
    pub reasons: Vec<Reason>,
}

pub fn decide(evidence: &VerdictEvidence<'_>) -> Decided {
    let because = |verdict, reason| Decided { verdict, reasons: vec![reason] };
    let (decided, lower) = match &evidence.course {
        Course::Exceeded(how) => return because(Verdict::Violated, how.clone()),
        // Not even proved results are reported for a mechanism that breaks its contract. (For one with too little time there
        // are none: `flow.rs`.)
        Course::Broken(why) => {
            let broken = because(Verdict::Inconclusive, Reason::Broken(why.clone()));
            return with_check(broken, &evidence.check);
        }
        Course::Proved => {
            let words = evidence.proof.map(|proof| Reason::Proved(proof.statement.clone()));
            let reasons = words.into_iter().chain([Reason::NotSampled]).collect();
            let verdict = evidence.proof.and_then(decided_by).unwrap_or(Verdict::Inconclusive);
            return with_check(Decided { verdict, reasons }, &evidence.check);
        }
        Course::Interrupted(stage) => {
            (because(Verdict::Inconclusive, Reason::Interrupted(*stage)), ([0.0; 2], 1.0))
        }
        Course::Played(played) => {
            let mut decided = sampled(played);
            decided.reasons.extend(played.facts.iter().cloned());
            (decided, (played.lower, played.alpha))
        }
    };
    let decided = match evidence.proof {
        Some(proof) => with_proof(decided, proof, lower),
        None => decided,
    };
    with_check(decided, &evidence.check)
}

/// Verdict of the trials alone: that of the counts, unless nothing could have been found.
fn sampled(played: &Sampled) -> Decided {
    let inconclusive = |reasons| Decided { verdict: Verdict::Inconclusive, reasons };
    let Decided { verdict, reasons } = by_counts(played);
    let green = verdict == Verdict::NotRefuted;
    match played {
        Sampled { undeclared: Some(outcomes), .. } if verdict != Verdict::Violated => {
            let first = Reason::Undeclared(outcomes.clone());
            inconclusive(std::iter::once(first).chain(reasons).collect())
        }
        // Outcomes that show nothing leave nothing to report.
        Sampled { degenerate: Some((how, request)), .. }
            if green || !(played.refutes || played.can_refute || played.allows_everything) =>
        {
            let (how, request) = (how.clone(), request.clone());
            inconclusive(vec![Reason::Degenerate { how, request }])
        }
        // The counts say nothing of the runs that broke off.
        Sampled { breakdowns: Some(OneSided { on, p_value, level }), .. } if green => {
            let (on, p_value, level) = (*on, *p_value, *level);
            inconclusive(vec![Reason::BreaksDown { on, p_value, level }])
        }
        // A pair on which nothing differs refutes no claim, however wrong.
        Sampled { alike: Some(Alike { p_value, level, answer }), .. } if green => {
            let (looked_at, answer) = (played.pairs[0], answer.clone());
            let (p_value, level) = (*p_value, *level);
            inconclusive(vec![Reason::NoDifference { looked_at, p_value, level, answer }])
        }
        // An unrefuted claim means something only if a refutation was possible.
        Sampled { too_little: Some(power), met: None, .. } if green => {
            let first = Reason::TooLittlePower(*power);
            inconclusive(std::iter::once(first).chain(reasons).collect())
        }
        Sampled { met: Some(bounds), .. } if green => {
            let (claim, alpha, outcomes) = (played.claim.clone(), played.alpha, bounds.outcomes);
            let delta_upper = bounds.delta_upper;
            let met = Reason::MetByUpperBounds { claim, alpha, outcomes, delta_upper };
            Decided { verdict: Verdict::Bounded, reasons: vec![met] }
        }
        _ => Decided { verdict, reasons },
    }
}

fn by_counts(played: &Sampled) -> Decided {
    let Sampled { claim, bound, p_value, alpha, .. } = played;
    let (claim, bound, p_value, alpha) = (claim.clone(), *bound, *p_value, *alpha);
    let [surveyed, given] = played.pairs;
    let (verdict, reason) = if played.refutes {
        let broken_point = played.broken_point;
        (Verdict::Violated, Reason::Refuted { claim, bound, alpha, p_value, broken_point })
    } else if played.allows_everything {
        (Verdict::Inconclusive, Reason::AllowsEverything)
    } else if !played.can_refute {
        (Verdict::Inconclusive, Reason::TooFewTrials)
    } else if played.guesses == 0 {
        (Verdict::Inconclusive, Reason::WitnessSilent)
    } else if surveyed < given {
        (Verdict::Inconclusive, Reason::PairsLeft { surveyed, given })
    } else {
        (Verdict::NotRefuted, Reason::NotRefuted { claim, bound, p_value })
    };
    Decided { verdict, reasons: vec![reason] }
}

/// Verdict of the measurement and the proof together. `lower`: certified lower bounds on ε and δ,
/// and their level.
fn with_proof(measured: Decided, proof: &Proof, (lower, alpha): ([f64; 2], f64)) -> Decided {
    let proved = Reason::Proved(proof.statement.clone());
    let Decided { verdict, reasons } = measured;
    if let Some(by) = contradiction(verdict, lower, proof) {
        let first = [Reason::Contradicted { by, alpha }, Reason::Measured];
        let last = [Reason::ProvedAgainst, proved];
        let reasons = first.into_iter().chain(reasons).chain(last).collect();
        return Decided { verdict: Verdict::Inconclusive, reasons };
    }
    let decides = decided_by(proof);
    let reasons = match (decides, verdict) {
        (None, _) => reasons.into_iter().chain([proved]).collect(),
        (_, Verdict::Violated) => {
            [proved, Reason::MeasuredToo].into_iter().chain(reasons).collect()
        }
        (_, Verdict::Inconclusive) => {
            [proved, Reason::Measured].into_iter().chain(reasons).collect()
        }
        _ => vec![proved, Reason::Agrees(lower[0])],
    };
    Decided { verdict: decides.unwrap_or(verdict), reasons }
}

/// Verdict that a proof gives, whatever is measured.
pub fn decided_by(proof: &Proof) -> Option<Verdict> {
    match proof.decision {
        Decision::Verified if proof.covers_relation => Some(Verdict::Verified),
        Decision::Refuted => Some(Verdict::Violated),
        Decision::Verified | Decision::Undecided => None,
    }
}

/// A measured result that contradicts the proof.
fn contradiction(verdict: Verdict, lower: [f64; 2], proof: &Proof) -> Option<Contradiction> {
    if proof.decision == Decision::Verified && verdict == Verdict::Violated {
        return Some(Contradiction::Verified);
    }
    let beyond = |parameter, lower: f64, upper: Option<f64>| {
        let upper = upper.filter(|upper| lower > *upper)?;
        Some(Contradiction::Beyond { parameter, lower, upper })
    };
    let [epsilon, delta] = lower;
    beyond(Quantity::Epsilon, epsilon, proof.epsilon.upper)
        .or_else(|| beyond(Quantity::Delta, delta, proof.delta.upper))
}

/// A sensitivity that could not be checked leaves the verdict open, unless it is a violation.
fn with_check(Decided { verdict, mut reasons }: Decided, check: &Check) -> Decided {
    match check {
        Check::None => Decided { verdict, reasons },
        Check::Held(pairs) => {
            reasons.push(Reason::SensitivityHeld(*pairs));
            Decided { verdict, reasons }
        }
        Check::NotMade(why) => {
            reasons.insert(0, Reason::SensitivityUnchecked(why.clone()));
            let verdict = match verdict {
                Verdict::Violated => verdict,
                _ => Verdict::Inconclusive,
            };
            Decided { verdict, reasons }
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/audit/decide.rs"]
mod tests;
