//! Reconstruction: a curator answers only counts, with a little noise, and an attacker rebuilds the table behind them.
//!
//! ```text
//! Database ──> counts of subsets ──> disturbed ──> exhaustive: all tables, by the worst answer where errors are bounded,
//!                                             │                else by the sum of squares ──> the one that fits best
//!                                             └──> decoding: a linear program, or least squares ──> rounded
//! ```
//!
//! With all 2^n subsets answered within E, a table that is within E of all answers has at most 4E bits wrong (Dinur, Nissim
//! 2003): its count of the ones that it makes zeros, and that of the zeros it makes ones, are each at most 2E from the truth.

mod cost;
mod database;
mod disturbance;
mod exhaustive;
mod factor;
mod likeliest;
mod linear;
mod squares;
mod subsets;

pub use cost::Cost;
pub use database::Database;
pub use disturbance::{Bounded, Disturbance};

use super::noise::Noise;
use exhaustive::SubsetQueries;
use likeliest::SquaredMisfits;
use plaudit_accountant::number::grouped;
use plaudit_accountant::{AccountantError, Composition, Event, Method, Unknown};
use plaudit_core::random::Stream;
use rand::RngExt;
use serde::Serialize;
use subsets::Subsets;

/// Most people of an exhaustive search: it holds two numbers for each of their subsets, 256 MiB.
pub const MOST_EXHAUSTIVE: usize = 24;
/// Most people of a table that is decoded.
pub const MOST_DECODED: usize = 2_000;
pub const MOST_ANSWERS: u64 = 100_000;
const LARGEST_SCALE: f64 = 1e9;
/// The part of the bits from which on a table counts as rebuilt: its release is blatantly non-private.
pub const BLATANT: f64 = 0.99;
/// Queries for each person where no number is given.
const QUERIES_EACH: u64 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decoder {
    /// All tables are compared with all answers: by the worst one where errors are bounded, else by the sum of squares.
    Exhaustive,
    /// Smallest sum of absolute residuals, rounded.
    LinearProgram,
    /// The least sum of squares, rounded.
    LeastSquares,
}

impl Decoder {
    pub fn most_entries(self) -> usize {
        match self {
            Self::Exhaustive => MOST_EXHAUSTIVE,
            Self::LinearProgram | Self::LeastSquares => MOST_DECODED,
        }
    }

    fn most_queries(self) -> u64 {
        match self {
            Self::Exhaustive => 1 << MOST_EXHAUSTIVE,
            Self::LinearProgram | Self::LeastSquares => MOST_ANSWERS,
        }
    }
}

/// Methods of answering and of attacking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setup {
    pub disturbance: Disturbance,
    pub decoder: Decoder,
    /// Number of random subsets asked; `None`: each subset once for an exhaustive search, else four for each person.
    pub queries: Option<u64>,
    /// δ at which ε is reported.
    pub delta: f64,
}

/// Tables that no answer rules out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Survivors {
    pub tables: u64,
    /// The most bits that one of them has wrong.
    pub farthest: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rebuilt {
    #[serde(flatten)]
    pub disturbance: Disturbance,
    pub queries: u64,
    /// `true` if they are those to all subsets, each asked once.
    pub is_all: bool,
    pub largest_error: f64,
    pub right: u64,
    pub share: f64,
    /// `true` if that is 99 % or more: the answers are blatantly non-private.
    pub is_blatant: bool,
    /// Distance of the rebuilt table from the answer that it fits worst; for an exhaustive search where errors are
    /// bounded.
    pub misfit: Option<f64>,
    /// Tables within the bound of all answers, of an exhaustive search where errors are bounded.
    pub survivors: Option<Survivors>,
    /// Bits that a table within the bound of the answers to all subsets has wrong at most: 4E, where errors are bounded.
    pub most_wrong: Option<u64>,
    /// Relative upper bound on the excess of the linear program's sum of residuals over the optimum.
    pub gap: Option<f64>,
    /// The ε of the answers, where noise has one.
    pub cost: Option<Cost>,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReconstructError {
    /// The table has no such size.
    #[error(
        "a table of {entries} people cannot be rebuilt: the number must be between 1 and {most}{remedy}"
    )]
    Entries {
        entries: usize,
        /// Upper limit.
        most: usize,
        remedy: &'static str,
    },
    /// The number of queries is impossible.
    #[error("{} queries are invalid: there must be between 1 and {}", grouped(*.queries), grouped(*.most))]
    Queries {
        queries: u64,
        /// Upper limit.
        most: u64,
    },
    #[error("noise of {scale} is invalid: it must be {must_be}")]
    Scale { scale: f64, must_be: &'static str },
    /// The accountant does not take the noise.
    #[error(transparent)]
    Accountant(#[from] AccountantError),
}

impl Setup {
    /// Checks that a table of `entries` people can be attacked like this.
    ///
    /// # Errors
    /// Names the number that is not possible, and what it must be.
    pub fn check(&self, entries: usize) -> Result<(), ReconstructError> {
        let most = self.decoder.most_entries();
        if !(1..=most).contains(&entries) {
            let is_between = (1..=MOST_DECODED).contains(&entries);
            let remedy = if is_between { " (the other decoders take up to 2000)" } else { "" };
            return Err(ReconstructError::Entries { entries, most, remedy });
        }
        let (queries, most) = (self.asked(entries), self.decoder.most_queries());
        if !(1..=most).contains(&queries) {
            return Err(ReconstructError::Queries { queries, most });
        }
        let scale = self.disturbance.scale();
        let may_be_zero = matches!(
            self.disturbance,
            Disturbance::Bounded(Bounded::Uniform { .. } | Bounded::Adversarial { .. })
        );
        let is_possible = (0.0..=LARGEST_SCALE).contains(&scale) && (may_be_zero || scale > 0.0);
        if !is_possible {
            let must_be = match may_be_zero {
                true => "between 0 and 1e9",
                false => "above 0, and at most 1e9",
            };
            return Err(ReconstructError::Scale { scale, must_be });
        }
        if let Disturbance::Noise(noise) = self.disturbance {
            Composition::new(vec![Event::once(noise.kind(1.0))])?;
            if !(0.0..=1.0).contains(&self.delta) {
                let (name, value, must_be) = ("delta", self.delta, "between 0 and 1");
                return Err(AccountantError::Impossible { name, value, must_be }.into());
            }
        }
        Ok(())
    }

    fn asked(&self, entries: usize) -> u64 {
        let usual = match self.decoder {
            Decoder::Exhaustive => 1 << entries,
            Decoder::LinearProgram | Decoder::LeastSquares => QUERIES_EACH * entries as u64,
        };
        self.queries.unwrap_or(usual)
    }

    fn cost(&self, queries: u64) -> Result<Option<Cost>, AccountantError> {
        match self.disturbance {
            Disturbance::Noise(noise) => cost::cost(noise, queries, self.delta).map(Some),
            Disturbance::Bounded(_) => Ok(None),
        }
    }
}

/// Noise of one answer that is (ε, δ)-DP, of the kind of `noise`: Laplace noise at δ = 0.
///
/// # Errors
/// If the accountant finds no such noise.
pub fn noise_at(noise: Noise, epsilon: f64, delta: f64) -> Result<Noise, AccountantError> {
    Ok(match noise {
        Noise::Laplace { .. } => Noise::Laplace { scale: 1.0 / epsilon },
        Noise::Gaussian { .. } => {
            let once = Event::once(Noise::Gaussian { sigma: 1.0 }.kind(1.0));
            let sigma =
                Composition::new(vec![once])?.solve(Unknown::Sigma, epsilon, delta, Method::Pld)?;
            Noise::Gaussian { sigma }
        }
    })
}

/// Answers queries about a table, and rebuilds it from the answers.
///
/// # Errors
/// Same as [`Setup::check`], or if the accountant cannot compute what the answers cost.
pub fn reconstruct(
    database: &Database,
    setup: &Setup,
    random: &mut Stream,
) -> Result<Rebuilt, ReconstructError> {
    setup.check(database.entries())?;
    let queries = setup.asked(database.entries());
    let cost = setup.cost(queries)?;
    let decoy = setup.disturbance.decoy(database, random);
    let decoy = decoy.as_ref().unwrap_or(database);
    let service =
        CountingService { database, decoy, disturbance: setup.disturbance, largest_error: 0.0 };
    let found = match setup.decoder {
        Decoder::Exhaustive => exhaustively(service, setup.queries, random),
        Decoder::LinearProgram => decoded(service, queries as usize, true, random),
        Decoder::LeastSquares => decoded(service, queries as usize, false, random),
    };
    let share = found.right as f64 / database.entries() as f64;
    Ok(Rebuilt {
        disturbance: setup.disturbance,
        queries,
        is_all: setup.decoder == Decoder::Exhaustive && setup.queries.is_none(),
        largest_error: found.largest_error,
        right: found.right as u64,
        share,
        is_blatant: share >= BLATANT,
        misfit: found.misfit,
        survivors: found.survivors,
        most_wrong: setup.disturbance.bounded().map(Bounded::most_wrong),
        gap: found.gap,
        cost,
    })
}

struct CountingService<'a> {
    database: &'a Database,
    decoy: &'a Database,
    disturbance: Disturbance,
    largest_error: f64,
}

impl CountingService<'_> {
    fn answer(&mut self, truth: u64, pretended: u64, random: &mut Stream) -> f64 {
        let answer = self.disturbance.answer(truth, pretended, random);
        self.largest_error = self.largest_error.max((answer - truth as f64).abs());
        answer
    }
}

#[derive(Default)]
struct Decoded {
    right: usize,
    largest_error: f64,
    misfit: Option<f64>,
    survivors: Option<Survivors>,
    gap: Option<f64>,
}

/// All subsets once, or as many random ones.
fn exhaustively(
    mut service: CountingService<'_>,
    queries: Option<u64>,
    random: &mut Stream,
) -> Decoded {
    let entries = service.database.entries();
    let (truth, decoy) = (service.database.number(), service.decoy.number());
    let bound = service.disturbance.bounded().map(Bounded::error);
    let all = 1 << entries;
    let mut ask = |insert: &mut dyn FnMut(usize, f64)| {
        for query in 0..queries.unwrap_or(all) {
            let subset = if queries.is_some() { random.random_range(0..all) } else { query };
            let count = |table: u64| u64::from((table & subset).count_ones());
            insert(subset as usize, service.answer(count(truth), count(decoy), random));
        }
    };
    let mut found = Decoded::default();
    let best = match bound {
        Some(bound) => {
            let mut asked = SubsetQueries::nothing(entries);
            ask(&mut |subset, answer| asked.insert(subset, answer));
            let fit = asked.fit(bound, truth);
            found.misfit = Some(fit.misfit);
            found.survivors =
                Some(Survivors { tables: fit.survivors, farthest: u64::from(fit.farthest) });
            fit.best
        }
        None => {
            let mut summed = SquaredMisfits::nothing(entries);
            ask(&mut |subset, answer| summed.insert(subset, answer));
            summed.likeliest()
        }
    };
    found.right = entries - (best ^ truth).count_ones() as usize;
    found.largest_error = service.largest_error;
    found
}

/// Random subsets, and the nearest bits to what solves for them.
fn decoded(
    mut service: CountingService<'_>,
    queries: usize,
    is_linear: bool,
    random: &mut Stream,
) -> Decoded {
    let subsets = Subsets::drawn(service.database.entries(), queries, random);
    let exact = |database: &Database| {
        let bits: Vec<f64> = database.bits().iter().map(|bit| f64::from(u8::from(*bit))).collect();
        subsets.sums(&bits)
    };
    let both: Vec<_> = exact(service.database).into_iter().zip(exact(service.decoy)).collect();
    let answers: Vec<f64> = both
        .into_iter()
        .map(|(exact, pretended)| service.answer(exact as u64, pretended as u64, random))
        .collect();
    let weight = 4.0 * service.disturbance.variance();
    let mut x = squares::solve(&subsets, &answers, weight);
    let mut gap = None;
    if is_linear {
        let solved = linear::solve(&subsets, &answers, x);
        gap = Some((solved.total - solved.least).max(0.0) / solved.total.max(1.0));
        x = solved.x;
    }
    let bits: Vec<bool> = x.iter().map(|x| *x > 0.5).collect();
    let right = service.database.agreeing(&bits);
    Decoded { right, largest_error: service.largest_error, gap, ..Decoded::default() }
}

#[cfg(test)]
#[path = "../../../tests/unit/attack/reconstruct/mod.rs"]
mod tests;
