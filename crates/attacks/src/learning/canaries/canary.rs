//! Canaries that the user provides, checked.

use plaudit_accountant::number::words;
use plaudit_core::inference::binomial;
use serde::Serialize;

/// Minimum number of canaries: with fewer, no count shows anything at a usual level.
pub const LEAST_CANARIES: usize = 20;
/// With coins that are less likely than this, nothing is computed.
const IMPOSSIBLE: f64 = 1e-6;
/// With coins that are less likely than this, there is a warning.
pub(super) const UNLIKELY: f64 = 0.01;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Canary {
    /// Evidence in the release that it had been in: higher means in.
    pub score: f64,
    /// `true` if its coin put it into the training data.
    pub included: bool,
    /// Its line in the file, from 1.
    pub line: u64,
}

/// Enough canaries, in and out, with scores that are not NaN and not all equal, and coins that may be fair.
#[derive(Clone, Debug)]
pub struct Canaries {
    all: Vec<Canary>,
    coins: FairCoins,
}

/// Number of canaries that coins put in, and its fit to fair coins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FairCoins {
    pub included: u64,
    pub of: u64,
    /// p-value of fair coins: an exact binomial test of both sides.
    pub p_value: f64,
    /// `true` if it is below 0.01, which needs an explanation.
    pub unlikely: bool,
    /// `true` if exactly half were in, as if their number had been fixed.
    pub exactly_half: bool,
}

/// Canaries that allow no conclusion. The line is the place in their file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CanariesError {
    #[error(
        "there are {count} canaries, but at least {LEAST_CANARIES} are needed: this row is the last one"
    )]
    TooFew { count: usize, line: u64 },
    #[error("this score is NaN, which is neither above nor below any other")]
    NotANumber { line: u64 },
    #[error("from this row on, all scores are {}: an attack with a constant answer shows nothing", words(*score))]
    Constant { score: f64, line: u64 },
    /// None was in, or none was out.
    #[error("from this row on, all {count} canaries are {}: each must have been in or out by a fair coin of its own", if *included { "in" } else { "out" })]
    OneSided { included: bool, count: usize, line: u64 },
    #[error(
        "from this row on, {included} of {of} canaries are in, which fair coins show with probability {p_value:.1e}: \
         without a fair coin for each canary the bounds do not hold"
    )]
    UnfairCoins { included: u64, of: u64, p_value: f64, line: u64 },
    #[error(
        "from this row on, version {version} of {included} of {of} canaries was in, which uniform draws show with probability \
         {p_value:.1e}: without a uniform draw for each canary the bounds do not hold"
    )]
    UnfairVersions { version: usize, included: u64, of: u64, p_value: f64, line: u64 },
    #[error(
        "from this row on, all versions of each canary have one score: give each version a score of its own"
    )]
    OneScoreOfAllVersions { line: u64 },
    /// So many scores are equal that the highest and the lowest are the same.
    #[error(
        "this score, {}, is shared by {count} of {of} canaries: the highest scores that would be called in and the lowest \
         that would be called out are equal, so no threshold is left",
        words(*score)
    )]
    Tied { score: f64, count: usize, of: usize, line: u64 },
    /// More guesses are asked for than there are canaries.
    #[error(
        "{guesses} guesses are more than the {of} canaries that there are; this row is the last one"
    )]
    TooManyGuesses { guesses: u64, of: usize, line: u64 },
}

/// `true` for a p-value of the draws with which nothing is computed.
pub(super) fn is_impossible(p_value: f64) -> bool {
    p_value < IMPOSSIBLE
}

impl CanariesError {
    /// `true` if another column of scores of the same canaries may be without it.
    pub fn is_of_scores(&self) -> bool {
        matches!(self, Self::NotANumber { .. } | Self::Constant { .. } | Self::Tied { .. })
    }

    pub fn line(&self) -> u64 {
        match *self {
            Self::TooFew { line, .. }
            | Self::NotANumber { line }
            | Self::Constant { line, .. }
            | Self::OneSided { line, .. }
            | Self::UnfairCoins { line, .. }
            | Self::UnfairVersions { line, .. }
            | Self::OneScoreOfAllVersions { line }
            | Self::Tied { line, .. }
            | Self::TooManyGuesses { line, .. } => line,
        }
    }
}

impl Canaries {
    /// Checks them.
    ///
    /// # Errors
    /// If a score is NaN, there are too few canaries, none was in or none out, all scores are the same, or the coins
    /// cannot have been fair.
    pub fn new(all: Vec<Canary>) -> Result<Self, CanariesError> {
        if let Some(canary) = all.iter().find(|canary| canary.score.is_nan()) {
            return Err(CanariesError::NotANumber { line: canary.line });
        }
        let count = all.len();
        if count < LEAST_CANARIES {
            let line = all.last().map_or(1, |canary| canary.line);
            return Err(CanariesError::TooFew { count, line });
        }
        let Canary { score, included, line } = all[0];
        if all.iter().all(|canary| canary.included == included) {
            return Err(CanariesError::OneSided { included, count, line });
        }
        if all.iter().all(|canary| canary.score == score) {
            return Err(CanariesError::Constant { score, line });
        }
        let included = all.iter().filter(|canary| canary.included).count() as u64;
        let coins = FairCoins::new(included, count as u64);
        if coins.p_value < IMPOSSIBLE {
            let FairCoins { included, of, p_value, .. } = coins;
            return Err(CanariesError::UnfairCoins { included, of, p_value, line });
        }
        Ok(Self { all, coins })
    }

    pub fn coins(&self) -> FairCoins {
        self.coins
    }

    pub(super) fn into_all(self) -> Vec<Canary> {
        self.all
    }
}

impl FairCoins {
    fn new(included: u64, of: u64) -> Self {
        let fewer = included.min(of - included);
        let p_value = (2.0 * binomial::lower_tail(fewer, of, 0.5)).min(1.0);
        Self {
            included,
            of,
            p_value,
            unlikely: p_value < UNLIKELY,
            exactly_half: 2 * included == of,
        }
    }
}

/// The error that the most frequent score leaves no threshold.
pub(super) fn tied(canaries: &[Canary]) -> CanariesError {
    let mut scores: Vec<f64> = canaries.iter().map(|canary| canary.score + 0.0).collect();
    scores.sort_unstable_by(f64::total_cmp);
    let most = scores.chunk_by(|one, other| one == other).max_by_key(|group| group.len());
    let (score, count) = most.map_or((f64::NAN, 0), |group| (group[0], group.len()));
    let lines = canaries.iter().filter(|canary| canary.score == score).map(|canary| canary.line);
    CanariesError::Tied { score, count, of: canaries.len(), line: lines.min().unwrap_or(1) }
}
