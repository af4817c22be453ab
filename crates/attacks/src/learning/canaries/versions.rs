//! Canaries of k versions each, of which one, drawn uniformly, was put in: the auditor guesses which.
//!
//! The guess is the version with the highest score, and the canaries whose highest score is farthest above the next are
//! guessed. Let replacing one version by another be (ε, δ)-private, and q = e^ε/(e^ε + k − 1).
//!
//! At δ = 0 the posterior odds of the guess to each of the k − 1 others, given the release and all other canaries, are at
//! most e^ε, so it is right with probability at most q, and of r guesses v or more are with at most P[Bin(r, q) ≥ v].
//!
//! For δ > 0 call a right guess *given away* with the part of its probability above q. Given the other canaries, that of one
//! canary is, over the releases y with guess g, the sum of max(0, P(g, y) − q P(y)), with P(g, y) = P(y | g)/k
//!
//! = 1/(k (e^ε + k − 1)) · max(0, sum over the others j of P(y | g) − e^ε P(y | j)).
//!
//! For each of the k guesses the sum over its y is at most (k − 1) δ, so all of them are at most (1 − q) δ, for fewer coins
//! known as well, since max(0, x) is convex. So of m canaries i or more are given away with probability at most m δ (1 − q)/i
//! (Markov), and for every i
//!
//! P[right ≥ v] ≤ P[Bin(r, q) ≥ v − i + 1] + m δ (1 − q)/i.
//!
//! For each i the second term falls as ε rises, so that a larger ε may be refuted where a smaller one is not by itself: what is
//! (ε, δ)-private is so for every larger ε. The bound is the largest ε found refuted, from the bound at δ = 0 down. All these
//! tests err no more than one of them: each p-value falls as v rises, so that some ε′ ≥ ε is refuted means v ≥ c, where c itself
//! refutes one ε′.
//!
//! The guesses are those of T. Steinke, M. Nasr, M. Jagielski 2023 at k = 2, with replacement in place of leaving out.

use super::canary::{CanariesError, LEAST_CANARIES, UNLIKELY, is_impossible};
use super::choose::Guessing;
use super::guesses::{between, last};
use super::measure::{CanaryQuestion, JudgedClaim};
use plaudit_core::claim::{Claim, Region};
use plaudit_core::inference::binomial;
use plaudit_core::random::Stream;
use rand::RngExt;
use rand::seq::SliceRandom;
use serde::Serialize;

/// Relative widening of a p-value: above the error of the tails and of q.
const OUTWARD: f64 = 1e-9;
/// Largest ε that is looked at.
const MOST: f64 = 256.0;
/// Parts of the bound at δ = 0 that are tried from above.
const PARTS: u32 = 256;
/// Numbers of guesses, in 64ths of all canaries.
const SHARES: [u64; 3] = [8, 32, 64];

/// A canary of which one version was put in.
#[derive(Clone, Debug, PartialEq)]
pub struct VersionedCanary {
    /// A score for each version, not NaN: the higher, the more it seems to have been in.
    pub scores: Vec<f64>,
    /// Place of the version that was in, from 0.
    pub version: usize,
    /// Its line in the file, from 1.
    pub line: u64,
}

/// Guesses which of `versions` was in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct VersionGuesses {
    /// Versions of each canary, k; at least 2.
    pub versions: u64,
    /// Canaries that could have been guessed, m.
    pub canaries: u64,
    pub made: u64,
    pub right: u64,
}

impl VersionGuesses {
    /// Upper bound on the probability of this many right guesses if replacing a version is (`epsilon`, `delta`)-private. In
    /// (0, 1], rounded up.
    pub fn p_value(&self, epsilon: f64, delta: f64) -> f64 {
        let Self { versions, canaries, made, right } = *self;
        let others = versions as f64 - 1.0;
        let wrong = others / (epsilon.exp() + others) * (1.0 - 4.0 * f64::EPSILON);
        if right == 0 {
            return 1.0;
        }
        let lost = canaries as f64 * delta * wrong;
        let given = self.given_away(wrong, lost);
        let tail = binomial::lower_tail(made - (right + 1 - given), made, wrong);
        ((tail + lost / given as f64) * (1.0 + OUTWARD)).clamp(f64::MIN_POSITIVE, 1.0)
    }

    /// The i whose p-value is least. Another one adds P[Bin(r, q) = v − i] to the tail, which rises up to the mode, and takes
    /// `lost`/(i (i + 1)) away, which falls; at the mode the tail alone is about a half, and no more of them are tried.
    fn given_away(&self, wrong: f64, lost: f64) -> u64 {
        let Self { made, right, .. } = *self;
        let mode = ((made as f64 + 1.0) * (1.0 - wrong)).floor() as u64;
        let adds_more = |given: u64| {
            let added = binomial::ln_probability(made - (right - given), made, wrong).exp();
            added * given as f64 * (given as f64 + 1.0) >= lost
        };
        let (mut least, mut most) = (1, right.saturating_sub(mode).max(1));
        while least < most {
            let middle = u64::midpoint(least, most);
            if adds_more(middle) {
                most = middle;
            } else {
                least = middle + 1;
            }
        }
        least
    }

    /// Each ε that is tried, ascending: parts of the bound at δ = 0, above which nothing is refuted.
    fn tried(&self, alpha: f64) -> Vec<f64> {
        let top = last(|epsilon| self.p_value(epsilon, 0.0) <= alpha, MOST);
        (0..=PARTS).map(|part| top * f64::from(part) / f64::from(PARTS)).collect()
    }

    /// Certified lower bound on ε at `delta`, wrong with probability at most `alpha`; at least 0. Above 0, its own
    /// [p-value](Self::p_value) is at most `alpha`.
    pub fn epsilon_lower(&self, delta: f64, alpha: f64) -> f64 {
        let refuted = |epsilon: f64| self.p_value(epsilon, delta) <= alpha;
        let tried = self.tried(alpha);
        match tried.iter().rposition(|&epsilon| refuted(epsilon)) {
            None => 0.0,
            Some(place) if tried[place] < tried[tried.len() - 1] => {
                between(refuted, tried[place], tried[place + 1])
            }
            Some(place) => tried[place],
        }
    }

    /// P-value of a claim: the least of those tried from its ε up to `bound`.
    fn p_value_of_claim(&self, epsilon: f64, delta: f64, (bound, alpha): (f64, f64)) -> f64 {
        let tried = self.tried(alpha).into_iter().chain([bound]);
        let above = tried.filter(|tried| (epsilon..=bound).contains(tried));
        above.map(|tried| self.p_value(tried, delta)).fold(self.p_value(epsilon, delta), f64::min)
    }
}

/// One number of guesses, and its bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct VersionLook {
    pub guesses: VersionGuesses,
    /// The gap between the two highest scores from which on a canary is guessed.
    pub gap_from: f64,
    /// Lower bound on ε at the level of this look.
    pub epsilon: f64,
}

/// How often each version was in.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VersionDraws {
    pub counts: Vec<u64>,
    /// p-value of uniform draws: an exact binomial test of both sides for each version (Bonferroni).
    pub p_value: f64,
    /// `true` if it is below 0.01, which needs an explanation.
    pub unlikely: bool,
    /// `true` if all were in equally often, as if these numbers had been fixed.
    pub exactly_equal: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OneRunOfVersions {
    pub draws: VersionDraws,
    /// Choice of the number of guesses.
    pub guessing: Guessing,
    /// The δ at which ε is bounded.
    pub at_delta: f64,
    pub alpha: f64,
    pub level: f64,
    /// Each number of guesses that was counted.
    pub looks: Vec<VersionLook>,
    /// Lower bound on the ε of replacing one version by another.
    pub epsilon: f64,
    /// The bound if all guesses were right.
    pub ceiling: f64,
    /// Judgement of the claim, if one was given.
    pub judged: Option<JudgedClaim>,
    /// Signs in the scores that ask for an explanation.
    pub warnings: Vec<String>,
}

/// Guesses the version of each canary, counts the right guesses, and bounds ε.
///
/// # Errors
/// If there are too few canaries, more guesses are asked for than there are, the versions of each have one score, or the
/// versions cannot have been drawn uniformly.
pub fn measure_versions(
    canaries: &[VersionedCanary],
    question: &CanaryQuestion,
    random: &mut Stream,
) -> Result<OneRunOfVersions, CanariesError> {
    let draws = draws(canaries)?;
    let guessed = in_order(canaries, random);
    if guessed.iter().all(|(gap, _)| *gap == 0.0) {
        return Err(CanariesError::OneScoreOfAllVersions { line: canaries[0].line });
    }
    let numbers = numbers(canaries, question.guessing)?;
    let count = canaries.len() as u64;
    let CanaryQuestion { delta, alpha, guessing, .. } = *question;
    let level = alpha / numbers.len() as f64;
    let claimed = question.claim.as_ref().and_then(epsilon_of);
    let look = |&made: &u64| {
        let right = guessed[..made as usize].iter().filter(|(_, right)| *right).count() as u64;
        let versions = canaries[0].scores.len() as u64;
        let guesses = VersionGuesses { versions, canaries: count, made, right };
        // A claim that is refuted between two of those tried is a bound as well.
        let refuted = claimed.filter(|&claimed| guesses.p_value(claimed, delta) <= level);
        let epsilon = guesses.epsilon_lower(delta, level).max(refuted.unwrap_or(0.0));
        VersionLook { guesses, gap_from: guessed[made as usize - 1].0, epsilon }
    };
    let looks: Vec<VersionLook> = numbers.iter().map(look).collect();
    let most = |bound: &dyn Fn(&VersionLook) -> f64| looks.iter().map(bound).fold(0.0, f64::max);
    let all_right = |look: &VersionLook| {
        let right = look.guesses.made;
        VersionGuesses { right, ..look.guesses }.epsilon_lower(delta, level)
    };
    let judged = question.claim.as_ref().map(|claim| judge(&looks, claim, delta, level));
    let epsilon = most(&|look| look.epsilon);
    let ceiling = most(&all_right).max(epsilon);
    let warnings = losses(canaries, &guessed).into_iter().collect();
    let at_delta = delta;
    Ok(OneRunOfVersions {
        draws,
        guessing,
        at_delta,
        alpha,
        level,
        looks,
        epsilon,
        ceiling,
        judged,
        warnings,
    })
}

/// The numbers of guesses that are counted.
fn numbers(canaries: &[VersionedCanary], guessing: Guessing) -> Result<Vec<u64>, CanariesError> {
    let of = canaries.len();
    let numbers: Vec<u64> = match guessing {
        Guessing::Fixed(sides) => vec![sides.guesses()],
        _ => SHARES.iter().map(|share| of as u64 * share / 64).collect(),
    };
    match numbers.iter().find(|number| **number > of as u64) {
        Some(&guesses) => {
            let line = canaries[of - 1].line;
            Err(CanariesError::TooManyGuesses { guesses, of, line })
        }
        None => Ok(numbers),
    }
}

fn epsilon_of(claim: &Claim) -> Option<f64> {
    match claim.region() {
        Region::EpsilonDelta { epsilon, .. } => Some(*epsilon),
        // No other claim can be asked for.
        _ => None,
    }
}

fn judge(looks: &[VersionLook], claim: &Claim, delta: f64, level: f64) -> JudgedClaim {
    let p_value = |look: &VersionLook| {
        let of = |epsilon| look.guesses.p_value_of_claim(epsilon, delta, (look.epsilon, level));
        epsilon_of(claim).map_or(1.0, of)
    };
    let p_value = looks.iter().map(p_value).fold(1.0, f64::min);
    JudgedClaim { claim: claim.clone(), p_value, refuted: p_value <= level }
}

/// The gap of each canary and whether its guess is right, by falling gap; equal ones at random, whatever was in.
fn in_order(canaries: &[VersionedCanary], random: &mut Stream) -> Vec<(f64, bool)> {
    let guess = |canary: &VersionedCanary| {
        let mut sorted = canary.scores.clone();
        sorted.sort_unstable_by(|one, other| other.total_cmp(one));
        let gap = if sorted[0] == sorted[1] { 0.0 } else { sorted[0] - sorted[1] };
        let highest = (0..sorted.len()).filter(|&place| canary.scores[place] == sorted[0]);
        let highest: Vec<usize> = highest.collect();
        (gap, highest[random.random_range(0..highest.len())] == canary.version)
    };
    let mut guessed: Vec<(f64, bool)> = canaries.iter().map(guess).collect();
    guessed.shuffle(random);
    guessed.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    guessed
}

/// A warning of losses in the place of scores: the lowest scores tell what was in, and the highest less than chance does.
fn losses(canaries: &[VersionedCanary], guessed: &[(f64, bool)]) -> Option<String> {
    let (of, versions) = (canaries.len() as u64, canaries[0].scores.len() as u64);
    let right = guessed.iter().filter(|(_, right)| *right).count() as u64;
    let lowest = |canary: &&VersionedCanary| {
        let places = canary.scores.iter().enumerate();
        let place = places.min_by(|(_, one), (_, other)| one.total_cmp(other));
        place.is_some_and(|(place, _)| place == canary.version)
    };
    let lowest = canaries.iter().filter(lowest).count() as u64;
    let tells = is_impossible(binomial::upper_tail(lowest, of, 1.0 / versions as f64));
    (right * versions < of && tells).then(|| {
        format!(
            "fewer guesses are right than by chance: of {of} canaries, the version with the highest score was in for {right}, \
             the one with the lowest, as losses are lower, for {lowest}: negate the scores"
        )
    })
}

fn draws(canaries: &[VersionedCanary]) -> Result<VersionDraws, CanariesError> {
    let count = canaries.len();
    if count < LEAST_CANARIES {
        let line = canaries.last().map_or(1, |canary| canary.line);
        return Err(CanariesError::TooFew { count, line });
    }
    let mut counts = vec![0_u64; canaries[0].scores.len()];
    for canary in canaries {
        counts[canary.version] += 1;
    }
    let (versions, of) = (counts.len() as f64, count as u64);
    let p_value = |&included: &u64| {
        let lower = binomial::lower_tail(included, of, 1.0 / versions);
        let upper = binomial::upper_tail(included, of, 1.0 / versions);
        (2.0 * versions * lower.min(upper)).min(1.0)
    };
    let of_versions = counts.iter().map(p_value).enumerate();
    let (version, p_value) =
        of_versions.min_by(|one, other| one.1.total_cmp(&other.1)).unwrap_or((0, 1.0));
    if is_impossible(p_value) {
        let (included, line) = (counts[version], canaries[0].line);
        return Err(CanariesError::UnfairVersions { version, included, of, p_value, line });
    }
    let exactly_equal = counts.iter().all(|included| *included == counts[0]);
    Ok(VersionDraws { counts, p_value, unlikely: p_value < UNLIKELY, exactly_equal })
}

#[cfg(test)]
#[path = "../../../tests/unit/learning/canaries/versions.rs"]
mod tests;
