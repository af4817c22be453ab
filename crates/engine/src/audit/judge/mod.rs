//! From the confirm tally to bounds: the frozen test judges the counts of the frozen witness.

pub(in crate::audit) mod alphabet;
pub(in crate::audit) mod bets;
pub(in crate::audit) mod breakdowns;
pub(in crate::audit) mod causes;
pub(in crate::audit) mod counted;
pub(in crate::audit) mod leaks;
pub(in crate::audit) mod no_difference;
pub(in crate::audit) mod requests;
pub(in crate::audit) mod values;

use crate::audit::judge::bets::{Batch, Bets, guesses, sides};
use crate::witness::{Scorer, Witness};
use plaudit_accountant::number;
use plaudit_core::claim::{Claim, LossUnit, Region};
use plaudit_core::finding::{BrokenPoint, DetectablePoint, LeakKind, Power};
use plaudit_core::inference::{
    Corner, DetectableEvent, EventCounts, EventTest, Guessed, Guesses, Test, power,
};
use plaudit_core::tally::Guess;
use plaudit_core::tally::Tally;

/// Probabilities for which power is computed: for the sentence, and for what a gate promises to
/// catch, which is nearly certain.
const POWERS: [f64; 2] = [0.97, 0.99];
/// Probability in the power sentence. The power is computed at a higher one, on this witness:
/// another run finds another, which sees less of the same loss. Computed at .9 it was .78 to .97 of
/// 200 seeds, by the form of the claim (the test
/// `what_is_said_to_be_seen_is_seen_for_every_form_of_claim` with `POWERS` of .9).
const POWER: f64 = 0.9;

pub struct Judgement {
    pub p_value: f64,
    /// Certified lower bound on ε at the claim's δ.
    pub epsilon_lower: f64,
    /// Certified lower bound on δ at the claim's ε.
    pub delta_lower: f64,
    /// Certified lower bound on μ, for claims of μ-GDP.
    pub mu_lower: Option<f64>,
    /// Point of the claim's curve that is broken, if any.
    pub broken_point: Option<BrokenPoint>,
    pub power: Power,
    /// Trials on which the guesser guessed; for an event test, those with the event.
    pub guesses: u64,
}

/// A frozen witness and test, with the judgement of the confirm trials.
pub struct JudgedWitness {
    pub witness: Witness,
    pub test: Test,
    pub tally: Tally,
    /// Earlier batches, with witnesses of their own; only the test over batches has any.
    pub before: Vec<Batch>,
    pub judgement: Judgement,
    /// Level at which it is judged.
    pub alpha: f64,
}

impl JudgedWitness {
    /// Judges the counts of a frozen witness.
    pub fn of((witness, test): (Witness, Test), tally: Tally, claim: &Claim, alpha: f64) -> Self {
        let judgement = Judgement::of(&tally, &witness, test, claim, alpha);
        Self { witness, test, tally, before: Vec::new(), judgement, alpha }
    }

    /// Judges the counts of batches; the last one is that of the finding.
    pub fn of_batches(mut batches: Vec<Batch>, claim: &Claim, alpha: f64) -> Option<Self> {
        let last = batches.pop()?;
        let judgement = Judgement::of_batches(&batches, (&last.tally, &last.witness), claim, alpha);
        let Batch { witness, tally } = last;
        Some(Self { witness, test: Test::Batches, tally, before: batches, judgement, alpha })
    }

    /// All its batches, with the finding's own as the last.
    pub fn into_batches(self) -> Vec<Batch> {
        let Self { witness, tally, mut before, .. } = self;
        before.push(Batch { witness, tally });
        before
    }

    /// Its bets on a claim: those of all batches, if there are any.
    pub fn bets(&self, claim: &Claim) -> Bets {
        let Self { witness, test, tally, before, .. } = self;
        match test {
            Test::Batches => Bets::of_batches(before, (tally, witness), claim),
            _ => Bets::of(tally, witness, claim),
        }
    }

    /// Number of counted trials.
    pub fn trials(&self) -> u64 {
        let before: u64 = self.before.iter().map(|batch| batch.tally.trials()).sum();
        before + self.tally.trials()
    }

    pub fn refutes(&self) -> bool {
        self.judgement.refutes(self.alpha)
    }
}

/// The leak that is not the finding's own.
pub struct Other {
    /// The kind of the finding's own leak.
    pub headline: LeakKind,
    pub judged: JudgedWitness,
}

impl Judgement {
    /// Judges a claim by a frozen witness and test.
    pub fn of(tally: &Tally, witness: &Witness, test: Test, claim: &Claim, alpha: f64) -> Self {
        let power = Self::power_of(tally, witness, test, claim, alpha);
        Self { power, ..Self::by_test(tally, witness, test, claim, alpha) }
    }

    /// Judges a claim by batches of trials, each with a witness that was frozen before it.
    pub fn of_batches(
        before: &[Batch],
        last: (&Tally, &Witness),
        claim: &Claim,
        alpha: f64,
    ) -> Self {
        let (tally, witness) = last;
        let bets = Bets::of_batches(before, last, claim);
        let power = power_of_bets(&bets, sides(witness), alpha);
        Self { power: unless_alike(power, tally, witness), ..by_bets(&bets, alpha) }
    }

    fn by_test(tally: &Tally, witness: &Witness, test: Test, claim: &Claim, alpha: f64) -> Self {
        match (test, claim.as_epsilon_delta()) {
            (Test::Guess, Some(point)) => by_guesses(guesses(tally, witness), point, alpha),
            (Test::Betting, _) => by_bets(&Bets::of(tally, witness, claim), alpha),
            (Test::Batches, _) => by_bets(&Bets::of_batches(&[], (tally, witness), claim), alpha),
            (Test::None, _) => Self::nothing(),
            (Test::EventDPrime, _) => {
                by_event(event(tally, witness, Guess::DPrime), claim, (alpha, witness.corner))
            }
            // A guess test exists only for (ε, δ): for other claims its D side is an event.
            (Test::EventD | Test::Guess, _) => {
                by_event(event(tally, witness, Guess::D), claim, (alpha, witness.corner))
            }
        }
    }

    /// The power of a frozen witness and test, without the judgement.
    pub fn power_of(
        tally: &Tally,
        witness: &Witness,
        test: Test,
        claim: &Claim,
        alpha: f64,
    ) -> Power {
        let side = if test == Test::EventDPrime { Guess::DPrime } else { Guess::D };
        let event = || power_of_event(event(tally, witness, side), claim, (alpha, witness.corner));
        let power = match (test, claim.as_epsilon_delta()) {
            (Test::Guess, Some(point)) => {
                power_of_guesses(guesses(tally, witness), sides(witness), point, alpha)
            }
            (Test::Betting, _) => {
                power_of_bets(&Bets::of(tally, witness, claim), sides(witness), alpha)
            }
            (Test::Batches, _) => {
                let bets = Bets::of_batches(&[], (tally, witness), claim);
                power_of_bets(&bets, sides(witness), alpha)
            }
            (Test::None, _) => return Self::nothing().power,
            (Test::EventD | Test::EventDPrime | Test::Guess, _) => event(),
        };
        unless_alike(power, tally, witness)
    }

    /// `true` if the claim is refuted at this level.
    pub fn refutes(&self, alpha: f64) -> bool {
        self.p_value <= alpha
    }

    pub fn nothing() -> Self {
        let power = Power {
            detectable: None,
            unit: LossUnit::Epsilon,
            point: None,
            probability: POWER,
            smallest_event_mass: None,
            nearly_surely: None,
            words: "No trials were played.".to_owned(),
        };
        Self {
            p_value: 1.0,
            epsilon_lower: 0.0,
            delta_lower: 0.0,
            mu_lower: None,
            broken_point: None,
            power,
            guesses: 0,
        }
    }
}

/// Counts of the event "the guesser makes this guess", under the dataset it names and the other.
fn event(tally: &Tally, witness: &Witness, side: Guess) -> EventCounts {
    let bins = || (0..witness.says.len()).filter(|&bin| witness.says[bin] == side);
    let on_d = bins().map(|bin| tally.d[bin]).sum();
    let on_d_prime = bins().map(|bin| tally.d_prime[bin]).sum();
    let (n, m) = (tally.trials_d(), tally.trials_d_prime());
    match side {
        Guess::DPrime => EventCounts { hits: on_d_prime, n: m, other_hits: on_d, other_n: n },
        _ => EventCounts { hits: on_d, n, other_hits: on_d_prime, other_n: m },
    }
}

fn by_guesses(guesses: Guesses, (epsilon, delta): (f64, f64), alpha: f64) -> Judgement {
    Judgement {
        p_value: shown(guesses.p_value(epsilon, delta, alpha)),
        epsilon_lower: guesses.epsilon_lower(delta, alpha),
        delta_lower: guesses.delta_lower(epsilon, alpha),
        guesses: guesses.made,
        ..Judgement::nothing()
    }
}

fn power_of_guesses(
    guesses: Guesses,
    sides: Guessed,
    (epsilon, delta): (f64, f64),
    alpha: f64,
) -> Power {
    let (trials, claim) = (guesses.trials, (epsilon, delta));
    let rate = guesses.made as f64 / trials.max(1) as f64;
    let sides = if sides == Guessed::Both { 2 } else { 1 };
    let detectable = power::guess_detectable_epsilon(trials, (rate, sides), claim, alpha, POWERS);
    let mass = power::guess_smallest_mass(trials, epsilon, delta, alpha, POWER);
    by_epsilon(detectable, mass, claim, GUESSES)
}

fn by_bets(bets: &Bets, alpha: f64) -> Judgement {
    let ((epsilon, delta), test) = (bets.point, bets.test());
    Judgement {
        p_value: shown(test.p_value(epsilon, delta)),
        epsilon_lower: test.epsilon_lower(delta, alpha),
        delta_lower: test.delta_lower(epsilon, alpha),
        guesses: bets.wagers.total().made,
        ..Judgement::nothing()
    }
}

/// Power of bets, if later witnesses name as many datasets as the last one and guess as often as all of them.
fn power_of_bets(Bets { wagers, stakes, point }: &Bets, sides: Guessed, alpha: f64) -> Power {
    let Guesses { made, trials, .. } = wagers.total();
    let rate = made as f64 / trials.max(1) as f64;
    let level = (alpha, stakes);
    let detectable =
        power::betting_detectable_epsilon(trials, (rate, sides), *point, level, POWERS);
    let mass = power::betting_smallest_mass(trials, *point, level, POWER);
    by_epsilon(detectable, mass, *point, GUESSES)
}

/// Point of a curve that these counts break the most, certified by the same test (its order is
/// frozen, so that every point's bound is valid by itself).
fn broken_point(test: &EventTest, counts: EventCounts, claim: &Claim) -> Option<BrokenPoint> {
    let rate = |hits: f64| (hits / counts.other_n.max(1) as f64).min(1.0);
    let hits = counts.other_hits as f64;
    // Where the curve is as steep as at the observed rate, and at higher ones that are as likely.
    let rates =
        [0.0, 1.0, 2.0, 4.0].map(|deviations| rate(hits + deviations * (hits + 1.0).sqrt()));
    let at = |epsilon: f64| {
        let delta_claim = claim.delta_at(epsilon);
        BrokenPoint { epsilon, delta_claim, delta_lower: test.delta_lower(epsilon) }
    };
    let excess = |point: &BrokenPoint| point.delta_lower - point.delta_claim;
    let most = |points: [BrokenPoint; 4]| {
        let broken = points.into_iter().filter(|p| excess(p) > 0.0);
        broken.max_by(|a, b| excess(a).total_cmp(&excess(b)))
    };
    let epsilons = rates.map(|q| claim.point_at(q).0);
    // At an ε of four digits, if it is also broken there: a report writes it exactly.
    let written = epsilons.map(|epsilon| number::lower(epsilon).parse().unwrap_or(epsilon));
    most(written.map(at)).or_else(|| most(epsilons.map(at)))
}

fn by_event(counts: EventCounts, claim: &Claim, level: (f64, Corner)) -> Judgement {
    let test = EventTest::with_corner(counts, claim, level.0, level.1);
    let (epsilon, delta) = claim.reference_point();
    let p_value = test.p_value(claim.region());
    let is_broken = p_value <= level.0 && claim.as_epsilon_delta().is_none();
    Judgement {
        p_value: shown(p_value),
        broken_point: is_broken.then(|| broken_point(&test, counts, claim)).flatten(),
        epsilon_lower: test.epsilon_lower(delta),
        delta_lower: test.delta_lower(epsilon),
        mu_lower: matches!(claim.region(), Region::Gaussian { .. }).then(|| test.mu_lower()),
        guesses: counts.hits + counts.other_hits,
        ..Judgement::nothing()
    }
}

fn power_of_event(counts: EventCounts, claim: &Claim, level: (f64, Corner)) -> Power {
    let (n, m) = (counts.n, counts.other_n);
    // Without a hit, the statement is for a rate of one in all trials.
    let rate = counts.other_hits.max(1) as f64 / m.max(1) as f64;
    let mass = power::event_smallest_mass(claim, n, m, level, POWER);
    let losses =
        || power::event_detectable(claim, n, m, rate, level, POWERS).map(|event| Some(event?.loss));
    match power::loss_unit(claim) {
        LossUnit::Epsilon => by_epsilon(losses(), mass, claim.reference_point(), ""),
        LossUnit::Mu => {
            let detectable = losses();
            let words = loss_words(detectable[0], "μ", "", "");
            statement((detectable, LossUnit::Mu, None), mass, &words)
        }
        LossUnit::Claims => {
            let events = detectable_of_curve(claim, (n, m), rate, level);
            let point = events[0].map(|event| detectable_point(claim, event));
            let detectable = events.map(|event| Some(event?.loss));
            let words = point_words(detectable[0].zip(point));
            statement((detectable, LossUnit::Claims, point), mass, &words)
        }
    }
}

/// The p-value, never 0: below the range of a double, its smallest normal number.
fn shown(p_value: f64) -> f64 {
    p_value.max(f64::MIN_POSITIVE)
}

/// The power, unless no loss could have shown.
fn unless_alike(power: Power, tally: &Tally, witness: &Witness) -> Power {
    match alike(tally, witness) {
        Some(words) => statement(([None; 2], power.unit, None), power.smallest_event_mass, words),
        None => power,
    }
}

/// Reason why no loss could have shown, if the guesser made the same guess on all outcomes: whatever
/// their laws, it is right on half of the trials.
fn alike(tally: &Tally, witness: &Witness) -> Option<&'static str> {
    let bins = || (0..witness.says.len()).filter(|&bin| tally.d[bin] + tally.d_prime[bin] > 0);
    let said = witness.says[bins().next()?];
    if said == Guess::Abstain || bins().any(|bin| witness.says[bin] != said) {
        return None;
    }
    Some(match (bins().count(), &witness.scorer) {
        (1, Scorer::Shape { .. }) => {
            "All outcomes looked alike to the witness, which looked only at their \
             shape, so it could not have found anything in them."
        }
        (1, _) => {
            "All outcomes looked alike to the witness, so it could not have found anything in them."
        }
        _ => {
            "The witness gave the same answer on all outcomes, so it could not have found anything in them."
        }
    })
}

/// Factor between the stated excess over the claimed ε and the excess that this witness needs,
/// where δ is above 0: another run finds a witness that guesses on another share of the outcomes,
/// and needs up to a tenth more. Without it a Gaussian mechanism under its own (1, .127) was seen
/// in 124 to 176 of 200 seeds where .9 was stated; Laplace noise under its ε in 192.
const OTHER_WITNESS: f64 = 1.15;

/// Basis of the statement on the loss, for tests of guesses.
const GUESSES: &str = ", at the share of outcomes that it guesses on,";

/// Power as an ε at a δ.
fn by_epsilon(
    detectable: [Option<f64>; 2],
    mass: Option<f64>,
    (epsilon, delta): (f64, f64),
    guesses: &str,
) -> Power {
    let more = if delta > 0.0 { OTHER_WITNESS } else { 1.0 };
    let detectable = detectable.map(|loss| Some(epsilon + more * (loss? - epsilon)));
    let at = match delta {
        0.0 => String::new(),
        _ => format!(" at δ = {}", number::brief(delta)),
    };
    let words = loss_words(detectable[0], "ε", &at, guesses);
    statement((detectable, LossUnit::Epsilon, None), mass, &words)
}

fn loss_words(detectable: Option<f64>, parameter: &str, at: &str, guesses: &str) -> String {
    match detectable {
        Some(loss) => format!(
            "A true {parameter} of {} or more{at} on this witness would have refuted the claim \
             with probability {POWER}.",
            number::upper(loss)
        ),
        None => format!("No true loss on this witness{guesses} would have refuted the claim."),
    }
}

/// The events of this rate that would have refuted a curve with each of [`POWERS`], whichever of
/// its points another run examines: the loss, in times the claim, is the largest of those needed at
/// this rate, at half of it and at twice of it. A curve is not equally hard to break everywhere,
/// and explore may choose another point where it is nearly as easy.
fn detectable_of_curve(
    claim: &Claim,
    (n, m): (u64, u64),
    rate: f64,
    level: (f64, Corner),
) -> [Option<DetectableEvent>; 2] {
    // Beyond the middle an event is the complement of a rarer one.
    let middle = 0.5 * (1.0 - claim.delta_at(0.0));
    let rates = [rate, 0.5 * rate, (2.0 * rate).min(middle).max(rate)];
    let [own, rarer, likelier] =
        rates.map(|q| power::event_detectable(claim, n, m, q, level, POWERS));
    [0, 1].map(|at| {
        let others = [rarer[at], likelier[at]].into_iter().flatten();
        let loss = others.map(|event| event.loss).fold(own[at]?.loss, f64::max);
        let p = claim.power_at(rate, loss)?;
        Some(DetectableEvent { q: rate, p: p.max(own[at]?.p), loss })
    })
}

/// Point of a curve that an event would have broken: as steep as at the event's rate.
fn detectable_point(claim: &Claim, event: DetectableEvent) -> DetectablePoint {
    let (epsilon, _) = claim.point_at(event.q);
    // Of a slope of 1, rounding leaves next to nothing.
    let epsilon =
        if epsilon > 1e-9 { number::lower(epsilon).parse().unwrap_or(epsilon) } else { 0.0 };
    let delta_claim = claim.delta_at(epsilon);
    DetectablePoint { epsilon, delta_claim, delta: event.delta_at(epsilon).max(delta_claim) }
}

fn point_words(detectable: Option<(f64, DetectablePoint)>) -> String {
    let Some((times, DetectablePoint { epsilon, delta_claim, delta })) = detectable else {
        return loss_words(None, "", "", "");
    };
    format!(
        "At ε = {}, where the claim allows δ = {}, a true δ of {} or more on this witness would have refuted the claim \
         with probability {POWER} (a loss of {} times the claim).",
        number::brief(epsilon),
        number::upper(delta_claim),
        number::upper(delta),
        number::upper(times)
    )
}

fn statement(
    ([detectable, nearly_surely], unit, point): (
        [Option<f64>; 2],
        LossUnit,
        Option<DetectablePoint>,
    ),
    mass: Option<f64>,
    loss: &str,
) -> Power {
    let rare = match mass {
        Some(mass) => format!(
            "An event that only one dataset can show would have refuted the claim if its probability were \
             {} or more (and this witness looked for it).",
            number::upper(mass)
        ),
        None => "These trials are too few to refute the claim by any event.".to_owned(),
    };
    let words = format!("{loss} {rare}");
    Power {
        detectable,
        unit,
        point,
        nearly_surely,
        probability: POWER,
        smallest_event_mass: mass,
        words,
    }
}
