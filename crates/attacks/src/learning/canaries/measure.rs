//! One run measured: guesses counted, bounds, and their judgement of a claim.

use super::canary::{Canaries, CanariesError, Canary, FairCoins, tied};
use super::choose::{Aim, Guessing, choose, grid};
use super::guesses::CanaryGuesses;
use super::normal::{NormalScores, normal_scores};
use super::ranked::{CalledSides, Ranked};
use super::tradeoff::gaussian_epsilon;
use crate::scores;
use plaudit_accountant::number;
use plaudit_core::claim::{Claim, Region};
use plaudit_core::random::Stream;
use rand::seq::SliceRandom;
use serde::Serialize;

#[derive(Clone, Debug, PartialEq)]
pub struct CanaryQuestion {
    /// The δ at which ε is bounded.
    pub delta: f64,
    /// Level of both bounds together, in (0, 1).
    pub alpha: f64,
    /// Choice of the number of guesses.
    pub guessing: Guessing,
    /// The claim to judge: (ε, δ) at this δ, or μ-GDP.
    pub claim: Option<Claim>,
}

/// Lower bounds, or what they can be at most.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OneRunBounds {
    /// Bound on ε at the requested δ.
    pub epsilon: f64,
    /// Bound on μ: the training is not μ-GDP for any smaller μ.
    pub mu: f64,
    /// The ε at that δ of Gaussian DP with this μ.
    #[serde(with = "number::one")]
    pub gaussian_epsilon: f64,
}

impl OneRunBounds {
    fn of(guesses: &CanaryGuesses, delta: f64, level: f64) -> Self {
        let mu = guesses.mu_lower(level);
        Self {
            epsilon: guesses.epsilon_lower(delta, level),
            mu,
            gaussian_epsilon: gaussian_epsilon(mu, delta),
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            epsilon: self.epsilon.max(other.epsilon),
            mu: self.mu.max(other.mu),
            gaussian_epsilon: self.gaussian_epsilon.max(other.gaussian_epsilon),
        }
    }
}

/// Guesses of one number, and what they certify.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CountedGuesses {
    pub sides: CalledSides,
    /// The score from which on a canary is called in, if any is.
    pub in_from: Option<f64>,
    /// The score up to which a canary is called out, if any is.
    pub out_to: Option<f64>,
    pub guesses: CanaryGuesses,
    /// The bounds at the level of this look.
    pub certified: OneRunBounds,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JudgedClaim {
    pub claim: Claim,
    /// Upper bound on the probability of this many right guesses if the claim is true.
    pub p_value: f64,
    /// `true` if it is at most the level of each look.
    pub refuted: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OneRun {
    pub coins: FairCoins,
    /// Number of distinct scores.
    pub distinct: u64,
    /// Choice of the number of guesses.
    pub guessing: Guessing,
    /// Canaries that it was chosen on.
    pub choosing: u64,
    pub counting: u64,
    /// The δ at which ε is bounded.
    pub at_delta: f64,
    pub alpha: f64,
    pub level: f64,
    /// Each number of guesses that was counted.
    pub looks: Vec<CountedGuesses>,
    /// The best bounds of all looks.
    pub certified: OneRunBounds,
    pub ceiling: OneRunBounds,
    /// Bounds by the scores themselves, if they are normal; no verdict depends on them.
    pub normal: Option<NormalScores>,
    /// Judgement of the claim, if one was given.
    pub judged: Option<JudgedClaim>,
    /// Signs in the scores that ask for an explanation.
    pub warnings: Vec<String>,
}

/// Chooses how many canaries to guess, counts the right guesses, and bounds.
///
/// Both bounds of a look rest on one event: this many right guesses or more. One bound errs from a lower count on than
/// the other, and the more probable of these two events has probability at most the level. So ε and μ share a level and
/// need no correction for being two.
///
/// # Errors
/// If more guesses are asked for than there are canaries, or equal scores leave no threshold.
pub fn measure(
    canaries: Canaries,
    question: &CanaryQuestion,
    random: &mut Stream,
) -> Result<OneRun, CanariesError> {
    let coins = canaries.coins();
    let mut all = canaries.into_all();
    let distinct = distinct(&all);
    let warnings = warnings(&all);
    let last_line = all.iter().map(|canary| canary.line).max().unwrap_or(1);
    // Equal scores are ordered at random, independently of their coins; the same shuffle splits.
    all.shuffle(random);
    let aim = match question.claim.as_ref().map(Claim::region) {
        Some(Region::Gaussian { .. }) => Aim::Mu,
        _ => Aim::Epsilon { delta: question.delta },
    };
    let chosen_on = match question.guessing {
        // At least one on each side of the split: there are LEAST_CANARIES.
        Guessing::Split { share } => {
            ((all.len() as f64 * share).round() as usize).clamp(1, all.len() - 1)
        }
        _ => 0,
    };
    let (choosing, counting) = all.split_at(chosen_on);
    let counted = Ranked::new(counting);
    let sides: Vec<CalledSides> = match question.guessing {
        Guessing::Split { .. } => {
            let sides = choose(&Ranked::new(choosing), counting.len(), aim, question.alpha);
            vec![sides.ok_or_else(|| tied(&all))?]
        }
        Guessing::Bonferroni => {
            let sides: Vec<CalledSides> = grid(counting.len()).collect();
            if !sides.iter().any(|sides| sides.guesses() > 0 && counted.is_cut(*sides)) {
                return Err(tied(&all));
            }
            sides
        }
        Guessing::Fixed(sides) => {
            let guesses = sides.guesses();
            if guesses > all.len() as u64 {
                let of = all.len();
                return Err(CanariesError::TooManyGuesses { guesses, of, line: last_line });
            }
            if !counted.is_cut(sides) {
                return Err(tied(&all));
            }
            vec![sides]
        }
    };
    let level = question.alpha / sides.len() as f64;
    let looks: Vec<CountedGuesses> =
        sides.iter().map(|sides| look(&counted, *sides, question.delta, level)).collect();
    let best = |bounds: &dyn Fn(&CountedGuesses) -> OneRunBounds| {
        looks.iter().map(bounds).reduce(OneRunBounds::or).expect("there is a look")
    };
    let ceiling = best(&|look| OneRunBounds::of(&look.guesses.all_right(), question.delta, level));
    let judged = question.claim.as_ref().map(|claim| judge(&looks, claim, question.delta, level));
    Ok(OneRun {
        coins,
        distinct,
        guessing: question.guessing,
        choosing: choosing.len() as u64,
        counting: counting.len() as u64,
        at_delta: question.delta,
        alpha: question.alpha,
        level,
        certified: best(&|look| look.certified),
        ceiling,
        looks,
        normal: normal_scores(&all, question.delta, question.alpha),
        judged,
        warnings,
    })
}

fn look(counted: &Ranked, sides: CalledSides, delta: f64, level: f64) -> CountedGuesses {
    let guesses = counted.guesses(sides);
    let [in_from, out_to] = counted.thresholds(sides);
    let certified = OneRunBounds::of(&guesses, delta, level);
    CountedGuesses { sides, in_from, out_to, guesses, certified }
}

/// The least p-value of all looks.
fn judge(looks: &[CountedGuesses], claim: &Claim, delta: f64, level: f64) -> JudgedClaim {
    let p_value = |look: &CountedGuesses| match claim.region() {
        Region::Gaussian { mu } => look.guesses.gaussian_p_value(*mu),
        Region::EpsilonDelta { epsilon, .. } => {
            look.guesses.p_value_of_claim(*epsilon, delta, level)
        }
        // No other claim can be asked for.
        _ => 1.0,
    };
    let p_value = looks.iter().map(p_value).fold(1.0, f64::min);
    JudgedClaim { claim: claim.clone(), p_value, refuted: p_value <= level }
}

/// Scores that come twice, and losses in the place of scores.
fn warnings(all: &[Canary]) -> Vec<String> {
    let of = |included: bool| {
        let canaries = all.iter().filter(|canary| canary.included == included);
        let mut scores: Vec<f64> = canaries.map(|canary| canary.score + 0.0).collect();
        scores.sort_unstable_by(f64::total_cmp);
        scores
    };
    let [inside, outside] = [of(true), of(false)];
    let words = ["canaries that are in", "canaries that are out"];
    let losses = scores::are_losses(&inside, &outside).then(|| {
        "canaries that are in have lower scores than those that are out, as losses are lower, but the highest \
         scores are guessed as in: negate the scores"
            .to_owned()
    });
    let repeats = scores::repeats(words[0], &inside).into_iter();
    let repeats = repeats.chain(scores::repeats(words[1], &outside));
    losses.into_iter().chain(repeats).chain(scores::shared(words, &inside, &outside)).collect()
}

fn distinct(all: &[Canary]) -> u64 {
    let mut scores: Vec<f64> = all.iter().map(|canary| canary.score + 0.0).collect();
    scores.sort_unstable_by(f64::total_cmp);
    scores.dedup();
    scores.len() as u64
}
