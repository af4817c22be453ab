//! How many canaries to guess, chosen without looking at the guesses that are counted.

use super::guesses::CanaryGuesses;
use super::ranked::{CalledSides, Ranked};
use serde::Serialize;

/// Choice of the number of guesses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Guessing {
    /// On a share of the canaries, drawn at random; guesses on the others are counted.
    Split {
        /// The share to choose on, in (0, 1).
        share: f64,
    },
    /// Several numbers on all canaries, the level divided by how many there are.
    Bonferroni,
    /// All numbers at once, by evidence that adds up in the order of the scores.
    Ordered,
    Fixed(CalledSides),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aim {
    /// The bound on ε at this δ.
    Epsilon {
        delta: f64,
    },
    Mu,
}

impl Aim {
    fn bound(self, guesses: &CanaryGuesses, level: f64) -> f64 {
        match self {
            Self::Epsilon { delta } => guesses.epsilon_lower(delta, level),
            Self::Mu => guesses.mu_lower(level),
        }
    }
}

/// Level of look `place`, from 0, of scores that come one after another, the looks before it included in each release:
/// α/(k (k + 1)), k = `place` + 1. These sum to at most `alpha` over any number of looks, so the looks can stop at any time.
pub fn level_in_turn(alpha: f64, place: usize) -> f64 {
    let look = place as f64 + 1.0;
    alpha / (look * (look + 1.0))
}

/// Shares of all canaries that are called in and called out under Bonferroni, in 64ths: one grid for every file. Few
/// and many guesses on both sides, and on one side alone, where only the canaries that were in, or only those that were
/// out, have extreme scores.
pub const GRID: [[usize; 2]; 4] = [[4, 4], [16, 16], [4, 0], [0, 4]];
/// Shares that are tried for each side where they are chosen on other canaries, in 64ths.
const SHARES: [usize; 9] = [0, 1, 2, 4, 8, 12, 16, 24, 32];
/// The sides of [`GRID`] for `count` canaries.
pub(super) fn grid(count: usize) -> impl Iterator<Item = CalledSides> {
    GRID.iter().map(move |&shares| CalledSides::of(count, shares))
}

/// The sides, for `counted` canaries, that promise the best bound by those that are not counted; nothing if their
/// scores leave no threshold.
pub(super) fn choose(
    choosing: &Ranked,
    counted: usize,
    aim: Aim,
    level: f64,
) -> Option<CalledSides> {
    let mut best = None;
    for high in SHARES {
        for low in SHARES {
            let sides = CalledSides::of(choosing.count(), [high, low]);
            let there = CalledSides::of(counted, [high, low]);
            if sides.guesses() == 0 || there.guesses() == 0 || !choosing.is_cut(sides) {
                continue;
            }
            let promised = promised(choosing.guesses(sides), counted, there, aim, level);
            if best.is_none_or(|(most, _)| promised > most) {
                best = Some((promised, there));
            }
        }
    }
    best.map(|(_, sides)| sides)
}

/// The bound to expect of `counted` canaries if as large a share of guesses is right there.
fn promised(seen: CanaryGuesses, counted: usize, sides: CalledSides, aim: Aim, level: f64) -> f64 {
    let share = (seen.right as f64 + 0.5) / (seen.made as f64 + 1.0);
    let right = (share * sides.guesses() as f64).round().max(0.0) as u64;
    let there = CanaryGuesses {
        canaries: counted as u64,
        made: sides.guesses(),
        right: right.min(sides.guesses()),
    };
    aim.bound(&there, level)
}
