//! One run measured: guesses counted, bounds, and their judgement of a claim.

use super::bounds::OneRunBounds;
use super::canary::{Canaries, CanariesError, Canary, FairCoins, tied};
use super::choose::{Aim, Guessing, choose, grid};
use super::guesses::CanaryGuesses;
use super::normal::{NormalScores, normal_scores};
use super::ordered::{ORDERS, OrderedTest, Path};
use super::ranked::{CalledSides, Ranked};
use crate::scores;
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
    /// Fewer coins given away by δ than this are allowed for, where all numbers of guesses are taken at once; if above 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given_away: Option<u64>,
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
    // Equal scores are ordered at random, independently of their coins; the same shuffle splits.
    all.shuffle(random);
    let chosen_on = match question.guessing {
        // At least one on each side of the split: there are LEAST_CANARIES.
        Guessing::Split { share } => {
            ((all.len() as f64 * share).round() as usize).clamp(1, all.len() - 1)
        }
        _ => 0,
    };
    let (choosing, counting) = all.split_at(chosen_on);
    let counted = Ranked::new(counting);
    let Looks { looks, level, given_away, ceiling, judged } = match question.guessing {
        Guessing::Ordered => in_order(&counted, question),
        _ => {
            let choosing = Ranked::new(choosing);
            let sides = sides(&choosing, &counted, question, &all)?;
            at_numbers(&counted, &sides, question)
        }
    };
    let certified = best(&looks, |look| look.certified);
    Ok(OneRun {
        coins,
        distinct,
        guessing: question.guessing,
        choosing: choosing.len() as u64,
        counting: counting.len() as u64,
        at_delta: question.delta,
        alpha: question.alpha,
        level,
        given_away,
        certified,
        ceiling,
        looks,
        normal: normal_scores(&all, question.delta, question.alpha),
        judged,
        warnings,
    })
}

/// The numbers of guesses that are counted.
fn sides(
    choosing: &Ranked,
    counted: &Ranked,
    question: &CanaryQuestion,
    all: &[Canary],
) -> Result<Vec<CalledSides>, CanariesError> {
    let aim = match question.claim.as_ref().map(Claim::region) {
        Some(Region::Gaussian { .. }) => Aim::Mu,
        _ => Aim::Epsilon { delta: question.delta },
    };
    let sides: Vec<CalledSides> = match question.guessing {
        Guessing::Split { .. } => {
            choose(choosing, counted.count(), aim, question.alpha).into_iter().collect()
        }
        Guessing::Fixed(sides) => vec![sides],
        Guessing::Bonferroni | Guessing::Ordered => grid(counted.count()).collect(),
    };
    if let Some(sides) = sides.iter().find(|sides| sides.guesses() > all.len() as u64) {
        let line = all.iter().map(|canary| canary.line).max().unwrap_or(1);
        let (guesses, of) = (sides.guesses(), all.len());
        return Err(CanariesError::TooManyGuesses { guesses, of, line });
    }
    // Chosen on others, a number needs no threshold here.
    let is_cut = |sides: &CalledSides| {
        matches!(question.guessing, Guessing::Split { .. }) || counted.is_cut(*sides)
    };
    if sides.iter().any(is_cut) { Ok(sides) } else { Err(tied(all)) }
}

/// Looks at one run, and their judgement.
struct Looks {
    looks: Vec<CountedGuesses>,
    level: f64,
    given_away: Option<u64>,
    ceiling: OneRunBounds,
    judged: Option<JudgedClaim>,
}

fn best(
    looks: &[CountedGuesses],
    bounds: impl Fn(&CountedGuesses) -> OneRunBounds,
) -> OneRunBounds {
    looks.iter().map(bounds).reduce(OneRunBounds::or).expect("there is a look")
}

/// Looks at each of these numbers, at an equal share of the level.
fn at_numbers(counted: &Ranked, sides: &[CalledSides], question: &CanaryQuestion) -> Looks {
    let (level, delta) = (question.alpha / sides.len() as f64, question.delta);
    let looks: Vec<CountedGuesses> =
        sides.iter().map(|sides| look(counted, *sides, delta, level)).collect();
    let ceiling = best(&looks, |look| OneRunBounds::of(&look.guesses.all_right(), delta, level));
    let judged = question.claim.as_ref().map(|claim| judge(&looks, claim, delta, level));
    Looks { looks, level, given_away: None, ceiling, judged }
}

/// Looks at all numbers of guesses of each order.
fn in_order(counted: &Ranked, question: &CanaryQuestion) -> Looks {
    let CanaryQuestion { delta, alpha, .. } = *question;
    let test = OrderedTest { canaries: counted.count() as u64, delta, alpha };
    let paths = ORDERS.map(|order| Path::new(order, counted));
    let look = |path: &Path| {
        let certified = path.bounds(&test);
        let (sides, guesses) = path.shown(&test, certified.epsilon);
        let [in_from, out_to] = counted.thresholds(sides);
        CountedGuesses { sides, in_from, out_to, guesses, certified }
    };
    let ceilings = ORDERS.map(|order| Path::all_right(order, counted.count()).bounds(&test));
    let p_value = |claim: &Claim| {
        let of = |path: &Path| match claim.region() {
            Region::Gaussian { mu } => path.gaussian_p_value(&test, *mu),
            Region::EpsilonDelta { epsilon, .. } => path.p_value(&test, *epsilon),
            // No other claim can be asked for.
            _ => 1.0,
        };
        paths.iter().map(of).fold(1.0, f64::min)
    };
    let judged = question.claim.as_ref().map(|claim| {
        let p_value = p_value(claim);
        JudgedClaim { claim: claim.clone(), p_value, refuted: p_value <= alpha }
    });
    Looks {
        looks: paths.iter().map(look).collect(),
        level: alpha,
        given_away: Some(test.given_away()).filter(|given| *given > 1),
        ceiling: ceilings.into_iter().reduce(OneRunBounds::or).expect("there are orders"),
        judged,
    }
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
